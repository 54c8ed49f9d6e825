import { expect, test } from "vitest";
import { decodeIntegration, encodeIntegration } from "../../src/wire/index.ts";

const tool = {
  name: "a",
  offered: "x__a",
  description: "",
  parameters: { type: "object" },
  claims: [],
  digest: "d",
  safe: true,
};
const saved = {
  name: "x",
  service: "mcp",
  fields: { address: "npx x" },
  secrets: ["token"],
  since: "2026-01-02T03:04:05.000Z",
  checked: { status: "passed" as const, detail: "connected", at: "2026-01-02T03:04:05.000Z" },
  accepted: {
    connected: true,
    tools: [tool],
    prompts: [{ name: "p", description: "", arguments: [{ name: "n", description: "", required: true }] }],
    resources: false,
    sampling: false,
  },
};

test("what was set up is read as it was saved", () => {
  expect(decodeIntegration(encodeIntegration(saved))).toEqual({ type: "read", configured: saved });
});

test.each([
  ["{", "expected JSON, found something else"],
  [encodeIntegration(saved).replace('"v": 1', '"v": 2'), "v: expected 1, found a value of type number"],
  [
    encodeIntegration(saved).replace('"safe": true', '"safe": "sure"'),
    "accepted.tools.0.safe: expected boolean, found a value of type string",
  ],
  [encodeIntegration(saved).replace('"safe"', '"sound"'), "accepted.tools.0.safe: is missing"],
])("what is wrong with a file is told without its values", (content, reason) => {
  expect(decodeIntegration(content)).toEqual({ type: "broken", reason });
});
