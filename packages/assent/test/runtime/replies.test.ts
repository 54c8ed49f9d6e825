import { describe, expect, onTestFinished, test } from "vitest";
import { newSession, type Session } from "../../src/core/index.ts";
import {
  memoryStore,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  systemClock,
  type Tool,
} from "../../src/runtime/index.ts";
import { offeredTools } from "../../src/runtime/replies.ts";
import { openModelServer, type ScriptEntry } from "../../src/testing/index.ts";
import { looseList, looseRecord } from "../../src/wire/index.ts";
import { policy } from "../policy/cautious.ts";
import { providerAt } from "../providers/provider-at.ts";
import { verifies } from "../requirements/verifies.ts";
import { eagerTools } from "../tools/eager.ts";

const calling: ScriptEntry = { calls: [{ tool: "switch", arguments: { on: true }, id: "call_a" }] };

/** A tool that counts how often its arguments were read, which is before anything else is done with a call. */
function switchTool(available: (session: Session) => boolean) {
  const read: string[] = [];
  const tool: Tool = {
    name: "switch",
    description: "Switch the light.",
    parameters: { type: "object", properties: { on: { type: "boolean" } } },
    tier: "elevated",
    available,
    read(given) {
      read.push(given);
      return { type: "invalid", reason: "the light is broken" };
    },
  };
  return { tool, read };
}

/** One exchange of a library's own session with a model behind HTTP: what it was offered, and what it read of results. */
async function exchangeWith(script: readonly ScriptEntry[], tool: Tool) {
  const server = await openModelServer({ script });
  onTestFinished(() => server.close());
  const host = openHost({
    journal: openMemoryJournal(memoryStore(() => true)),
    secrets: openVolatileSecrets(new Map()),
    grants: openVolatileGrants(),
    provider: providerAt(server.url),
    tools: [...eagerTools(), tool],
    ...{ policy, clock: systemClock, holder: { pid: 1, started: "1", boot: "", host: "1" }, newId: () => "s" },
    ...{ runs: () => false, expiryMs: null, softOffers: "regenerate", context: () => "" },
  });
  onTestFinished(() => host.close());
  host.create({ cwd: "/work", limits: {} });
  const acting = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;
  host.submit("s", { type: "prompt", text: "go", delivery: "now", entry: "submitted", ...acting });
  host.hold("s", { unattended: () => "deny" });
  for await (const seen of host.watch("s", { after: 0 })) {
    if (seen.type === "recorded" && seen.event.type === "exchange.ended") break;
  }
  const bodies = server.requests.map(({ json }) => looseRecord(json));
  return {
    offered: bodies.map(({ tools }) =>
      looseList(tools).some((each) => looseRecord(looseRecord(each)["function"])["name"] === "switch"),
    ),
    results: looseList(bodies.at(-1)?.["messages"])
      .map(looseRecord)
      .flatMap(({ role, content }) => (role === "tool" ? [content] : [])),
    outcome: host.view("s").lastEnding?.outcome,
  };
}

describe("a tool that is not available", () => {
  verifies("SEL-2b", "is not in the request, and called all the same it gives an error result", async () => {
    const { tool, read } = switchTool(() => false);
    expect(await exchangeWith([calling, { text: "ok" }], tool)).toEqual({
      offered: [false, false],
      results: [expect.stringMatching(/switch is not available here; there are agentic, .*search_files$/)],
      outcome: "answered",
    });
    expect(read).toEqual([]);
  });

  verifies(
    "SEL-2b",
    "is refused by what the answered request had, although an earlier one had offered it",
    async () => {
      const { tool, read } = switchTool(({ counted }) => counted.requests === 0);
      expect(await exchangeWith([calling, calling, { text: "ok" }], tool)).toEqual({
        offered: [true, false, false],
        results: [
          expect.stringMatching(/the light is broken/),
          expect.stringMatching(/switch is not available here; there are agentic, /),
        ],
        outcome: "answered",
      });
      expect(read).toEqual(['{"on":true}']);
    },
  );
});

verifies(
  "SEL-3b",
  "a call that has the id of an earlier one of its reply gets an error result, and is not read",
  async () => {
    const { tool, read } = switchTool(() => true);
    const call = (on: number, id: string) => ({ tool: "switch", arguments: { on }, id });
    const twice = { calls: [call(1, "same"), call(1, "same"), call(2, "other"), call(3, ""), call(4, "")] };
    const again = { calls: [call(5, "same")] };
    const { results, outcome } = await exchangeWith([twice, again, { text: "ok" }], tool);
    const broken = "error: the light is broken";
    const told = expect.stringMatching(/^error: an earlier call of this reply has the id "same", too: it was not run/);
    expect({ results, outcome }).toEqual({
      results: [broken, told, broken, broken, broken, broken],
      outcome: "answered",
    });
    expect(read).toEqual([1, 2, 3, 4, 5].map((on) => `{"on":${on}}`));
  },
);

verifies(
  "SEL-2c",
  "every built-in tool has a tier, and a call that takes longer than its tool may is told to end",
  async () => {
    const tiers = Object.fromEntries(eagerTools().map(({ name, tier }) => [name, tier]));
    expect(tiers).toEqual({
      ...{ agentic: "safe", complete: "safe", ask: "safe", flow: "safe" },
      ...{ read_file: "safe", list_files: "safe", search_files: "safe" },
      ...{ write_file: "elevated", edit_file: "elevated", terminal: "elevated", process: "elevated" },
    });
    const tool: Tool = {
      ...switchTool(() => true).tool,
      timeoutMs: 20,
      read: () => ({ type: "tool", parallel: false }),
      hands: {
        plan: () => ({ tool: "switch", cwd: "/project", command: "true" }),
        run: (_plan, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener("abort", () => resolve({ type: "error", text: `ended: ${signal.reason}` }));
          }),
      },
    };
    const { results } = await exchangeWith([calling, { text: "Done." }], tool);
    expect(results).toEqual(["ended: timeout"]);
  },
);

test("what is offered is one list as long as the same tools are there, also where some never are", () => {
  const { tool } = switchTool(({ cwd }) => cwd !== "/dark");
  const { tool: hidden } = switchTool(() => false);
  const tools = [tool, hidden];
  const [light, dark] = ["/light", "/dark"].map((cwd) => ({ ...newSession(), cwd }));
  if (light === undefined || dark === undefined) throw new Error("there are two");
  const offered = offeredTools(tools, light);
  expect(offered.map(({ name }) => name)).toEqual(["switch"]);
  expect(offeredTools(tools, light)).toBe(offered);
  expect(offeredTools(tools, dark)).toEqual([]);
  expect(offeredTools(tools, light)).toEqual(offered);
});
