import { expect, test } from "vitest";
import type { Plan, Policy, ShellFacts } from "../../src/policy/index.ts";
import { scriptedProvider } from "../../src/providers/index.ts";
import {
  type Hands,
  memoryStore,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  systemClock,
} from "../../src/runtime/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { actingTool, eagerTools } from "../tools/eager.ts";

const shell: ShellFacts = {
  functions: { ls: "{ rm x; }", long: null },
  aliases: { ll: "ls -l" },
  traps: {},
  variables: { TOKEN: "unmistakable" },
  options: { expand_aliases: false },
  places: {},
  disabled: ["test"],
  inherited: [],
};

/** A host whose one tool plans this; what the policy was shown is written down. */
function hostOf(
  plan: Partial<Plan>,
  places: (paths: readonly string[]) => Record<string, string>,
  homes: Pick<Policy, "home" | "realHome"> = {},
) {
  const judged: Plan[] = [];
  const policy: Policy = {
    version: "1",
    ...homes,
    wants: ({ command = "" }) => command.split(" ").filter((word) => word.includes("/")),
    judge(given) {
      judged.push(given);
      return { verdict: "ask", rule: "r", reason: "why" };
    },
  };
  const hands: Hands = {
    plan: () => ({ tool: "terminal", cwd: "/work", command: "cat a/b /c", ...plan }),
    run: async () => ({ type: "output", text: "" }),
    realPlaces: places,
  };
  const { hands: _own, ...light } = actingTool(eagerTools(), "terminal");
  const replies = [{ calls: [{ tool: "terminal", arguments: { command: "x" }, id: "c" }] }, { text: "Done." }];
  const journal = openMemoryJournal(memoryStore(() => true));
  const host = openHost({
    ...{ journal, secrets: openVolatileSecrets(), grants: openVolatileGrants(), policy },
    ...{ provider: scriptedProvider({ replies, name: "test", clock: systemClock }), tools: [{ ...light, hands }] },
    ...{ runs: () => false, clock: systemClock, holder: { pid: 1, started: "1", boot: "", host: "1" } },
    ...{ newId: () => "s1", expiryMs: null, softOffers: "off", context: () => "" },
  });
  return { host, judged, journal };
}

type Opened = Pick<ReturnType<typeof hostOf>, "host" | "journal">;

const acting = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;

/** The events of a session in which the call is approved after this. */
async function approved({ host, journal }: Opened, meanwhile: () => void = () => {}) {
  host.create({ cwd: "/work", limits: {} });
  host.submit("s1", { type: "prompt", text: "go", delivery: "now", entry: "submitted", ...acting });
  const held = host.hold("s1", { unattended: () => null });
  await expect.poll(() => host.view("s1").interactions.length).toBe(1);
  meanwhile();
  host.submit("s1", { type: "reply", interaction: "s1-1", line: "1", shown: null, ...acting });
  await expect.poll(() => host.view("s1").exchange).toBe(null);
  await held.release();
  await host.close();
  return journal.read("s1", 0).events.map(({ event }) => event);
}

test("what the policy wants to know of paths is fetched before it judges, and recorded with its verdict", async () => {
  const asked: (readonly string[])[] = [];
  const { judged, ...opened } = hostOf({}, (paths) => {
    asked.push(paths);
    return { "a/b": "/elsewhere" };
  });
  const events = await approved(opened);
  expect(judged).toEqual([{ tool: "terminal", cwd: "/work", command: "cat a/b /c", links: { "a/b": "/elsewhere" } }]);
  expect(asked).toContainEqual(["a/b", "/c"]);
  const [verdict] = events.filter((event) => event.type === "call.judged");
  expect(verdict?.facts).toEqual({ cwd: "/work", links: { "a/b": "/elsewhere" }, untold: ["/c"] });
  expect(events.map(({ type }) => type)).toContain("call.started");
});

test("a link that leads elsewhere after the approval makes it void", async () => {
  let place = "/here";
  const opened = hostOf({}, () => ({ "a/b": place }));
  const events = await approved(opened, () => {
    place = "/there";
  });
  expect(events.filter(({ type }) => type.startsWith("call.")).at(-1)).toMatchObject({
    type: "call.refused",
    why: "changed",
  });
});

test("of what a shell has defined only the names are recorded", async () => {
  const { judged, ...opened } = hostOf({ command: "ls", shell }, () => ({}));
  const events = await approved(opened);
  expect(judged[0]?.shell).toEqual(shell);
  const [verdict] = events.filter((event) => event.type === "call.judged");
  const named = { functions: ["ls", "long"], aliases: ["ll"], variables: ["TOKEN"] };
  expect(verdict?.facts).toEqual({
    cwd: "/work",
    shell: { ...named, options: { expand_aliases: false }, disabled: ["test"] },
  });
  expect(JSON.stringify(events)).not.toContain("unmistakable");
});

test("a shell of which nothing is known is recorded as such", async () => {
  const opened = hostOf({ command: "ls", shell: null }, () => ({}));
  const [verdict] = (await approved(opened)).filter((event) => event.type === "call.judged");
  expect(verdict?.facts).toEqual({ cwd: "/work", shell: null });
});

verifies(
  "SESS-6c",
  "all that it takes to judge a call again is recorded: paths, whose tool it is, where Assent listens",
  async () => {
    const paths = [{ path: "a", real: "/elsewhere/a", use: "read", outside: true }] as const;
    const outside = { server: "one", definition: "d", claims: ["harmless"], changed: { was: ["x"], now: ["y"] } };
    const opened = hostOf({ paths, tier: "elevated", outside, served: ["4000"] }, () => ({ "a/b": "/a", "/c": "/c" }));
    const [verdict] = (await approved(opened)).filter((event) => event.type === "call.judged");
    expect(verdict?.facts).toEqual({
      ...{ cwd: "/work", links: { "a/b": "/a", "/c": "/c" }, paths, tier: "elevated", served: ["4000"] },
      outside: { server: "one", definition: "d", changed: true },
    });
  },
);

verifies("SESS-6c", "the home is recorded with where it really is", async () => {
  const opened = hostOf({ command: "ls" }, () => ({}), { home: "/home/ada", realHome: "/data/ada" });
  const [verdict] = (await approved(opened)).filter((event) => event.type === "call.judged");
  expect(verdict?.facts).toEqual({ cwd: "/work", home: "/home/ada", real_home: "/data/ada" });
});
