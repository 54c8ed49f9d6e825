import { expect, test } from "vitest";
import { playScenario } from "../../../../../campaigns/mcp-conformance.ts";

// The quick ones of each era; all of them by `npm run campaign mcp-conformance`.
test("official scenarios for MCP clients are passed, at the revision of 2025 and at that of 2026", async () => {
  const played = await Promise.all([
    playScenario("initialize", "2025-11-25"),
    playScenario("sep-2322-client-request-state", "2026-07-28"),
  ]);
  expect(played.map(({ passed, failed }) => ({ failed, some: passed > 0 }))).toEqual([
    { failed: [], some: true },
    { failed: [], some: true },
  ]);
});
