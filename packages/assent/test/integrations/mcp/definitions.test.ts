import { expect, test } from "vitest";
import { readOffers } from "../../../src/integrations/mcp/definitions.ts";

const nothing = { tools: [], prompts: [], resources: [], more: [] };
const plain = { type: "object", properties: {} };

function toolsOf(...tools: readonly unknown[]) {
  return readOffers("box", { ...nothing, tools });
}

test("a tool is offered under its server's name, with what is said of it", () => {
  const annotations = { readOnlyHint: true, destructiveHint: false, openWorldHint: true };
  const { tools, problems } = toolsOf({ name: "look", description: " Looks. ", inputSchema: plain, annotations });
  expect(problems).toEqual([]);
  expect(tools).toEqual([
    {
      name: "look",
      offered: "box__look",
      description: "Looks.",
      parameters: plain,
      claims: ["only reads", "reaches outside"],
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    },
  ]);
});

test("the digest is of every word that is said, and of nothing else", () => {
  const digest = (tool: object) => toolsOf({ name: "a", inputSchema: plain, ...tool }).tools[0]?.digest;
  expect(digest({ inputSchema: { properties: {}, type: "object" }, _meta: { at: 1 } })).toBe(digest({}));
  const others = [
    { description: "x" },
    { description: "x\u200b" },
    { title: "x" },
    { annotations: { readOnlyHint: true } },
    { outputSchema: plain },
    { inputSchema: { ...plain, required: [] } },
  ];
  expect(new Set([digest({}), ...others.map(digest)]).size).toBe(others.length + 1);
});

test("names are made safe, stay apart, and are each there once", () => {
  const long = "x".repeat(100);
  const named = ["a b", "a.b", "a_b", long, `${long}y`, "a_b"].map((name) => ({ name, inputSchema: plain }));
  const { tools, problems } = toolsOf(...named);
  const offered = tools.map((tool) => tool.offered);
  expect(offered.every((name) => /^box__[A-Za-z0-9_-]+$/.test(name) && name.length <= 64)).toBe(true);
  expect(new Set(offered).size).toBe(5);
  expect(offered[2]).toBe("box__a_b");
  expect(problems).toEqual(["the tool a_b is left out: there is one of that name before it"]);
});

test("what hides, is too big, too deep or no object schema is left out and told", () => {
  const deep = JSON.parse(`${'{"items":'.repeat(5_000)}{}${"}".repeat(5_000)}`);
  const { tools, problems } = toolsOf(
    { name: "hid\u200bden", inputSchema: plain },
    { name: "", inputSchema: plain },
    { name: "none" },
    { name: "list", inputSchema: { type: "array" } },
    { name: "big", inputSchema: { ...plain, description: "x".repeat(9_000) } },
    { name: "deep", inputSchema: { ...plain, deep } },
    { name: "deep-output", inputSchema: plain, outputSchema: deep },
    { name: "key", inputSchema: { ...plain, properties: { "\u001b[2J": {} } } },
    "nonsense",
    { name: "good", inputSchema: plain },
  );
  expect(tools.map(({ name }) => name).filter((name) => name !== "deep-output")).toEqual(["good"]);
  expect(problems.map((line) => line.replace(/ is left out:.*/, ""))).toEqual(
    expect.arrayContaining([
      "the tool hid\\u{200b}den",
      "the tool without a name",
      "the tool none",
      "the tool list",
      "the tool big",
      "the tool deep",
      "the tool key",
    ]),
  );
});

test("descriptions are cleaned and cut, in schemas too", () => {
  const described = {
    name: "a",
    description: `\u001b[31m${"x".repeat(2_000)}`,
    inputSchema: { ...plain, title: "t\u202e" },
  };
  const [tool] = toolsOf(described).tools;
  expect(tool?.description).toMatch(/^\\u\{1b\}\[31mx+…$/u);
  expect(tool?.description.length).toBe(1_000);
  expect(tool?.parameters).toEqual({ ...plain, title: "t\\u{202e}" });
});

test("prompts that cannot be typed are left out; resources are told by their address", () => {
  const listed = {
    tools: [],
    prompts: [
      { name: "greet", description: "Greets.", arguments: [{ name: "who", required: true }, { name: "b c" }] },
      { name: "two words" },
    ],
    resources: [
      { uri: "file:///a", name: "A", description: "An a." },
      { uri: "file:///a", name: "B" },
    ],
    more: ["prompts"],
  };
  expect(readOffers("box", listed)).toEqual({
    tools: [],
    prompts: [{ name: "greet", description: "Greets.", arguments: [{ name: "who", description: "", required: true }] }],
    resources: [{ uri: "file:///a", name: "A", description: "An a." }],
    problems: [
      "the prompt two words is left out: its name cannot be typed as a command",
      "the resource file:///a is left out: there is one of that name before it",
      "there are more prompts than are taken: the rest is left out",
    ],
  });
});
