import { expect, test } from "vitest";
import { type ConfiguredRule, openPolicy, type Plan, type ShellFacts } from "../../src/policy/index.ts";
import { own, policy } from "./places.ts";
import { tablesIn } from "./tables.ts";
import { world } from "./world.ts";

/** A line as the plan of a tool: `read path`, `write path -> where it really is`, or a command. */
function planOf(line: string): Plan {
  const { cwd } = world;
  const [, use, path = "", real = path] = /^(read|write) (\S+)(?: -> (\S+))?$/.exec(line) ?? [];
  if (use !== "read" && use !== "write") return { tool: "terminal", cwd, command: line };
  const self = own.some((place) => real.startsWith(place)) ? ({ self: true } as const) : {};
  return { tool: `${use}_file`, cwd, paths: [{ path, real, use, outside: real.startsWith("/"), ...self }] };
}

function told(line: string): string[] {
  const judged = policy.judge(planOf(line));
  const { verdict, rule, reason } = judged;
  const grantable = judged.verdict === "ask" ? judged.grantable : undefined;
  return [`${verdict} ${rule}: ${reason}`, ...(grantable == null ? [] : [JSON.stringify(grantable)])];
}

// What is said of plans: the verdict, and the rule by which a person could allow it for longer.
test.each(tablesIn(`${import.meta.dirname}/judged`))("all that is said of $name is as it should be", ({ rows }) => {
  expect(rows.map(({ line }) => ({ line, told: told(line) }))).toEqual(rows);
});

const examples = { match: [], differ: [] };
const unread: ConfiguredRule = {
  name: "policy-file",
  command: [],
  verdict: "ask",
  reason: "it cannot be read",
  examples,
};
const { cwd } = world;

test("plans of other tools are judged by what is known of the tool", () => {
  const judged = (plan: Omit<Plan, "cwd">) => policy.judge({ cwd, ...plan });
  expect([
    judged({ tool: "anything", fails: "there is no such file" }),
    judged({ tool: "process", more: { kill: 1 } }),
    judged({ tool: "terminal" }),
    judged({ tool: "web_search", tier: "safe" }),
    judged({ tool: "web_search", tier: "safe", rules: [unread] }),
    judged({ tool: "web_search", tier: "safe", rules: [{ ...unread, command: ["ls"] }] }),
    judged({ tool: "web_search", tier: "safe", rules: [{ ...unread, name: "another" }] }),
  ]).toEqual([
    { verdict: "allow", rule: "does-nothing", reason: "it cannot be done, and only says so" },
    { verdict: "allow", rule: "own-process", reason: "it concerns what this session has started" },
    { verdict: "allow", rule: "closes-shell", reason: "it ends what this session opened" },
    { verdict: "allow", rule: "safe-tool", reason: "web_search only looks something up" },
    { verdict: "ask", rule: "policy-file", reason: "it cannot be read" },
    { verdict: "allow", rule: "safe-tool", reason: "web_search only looks something up" },
    { verdict: "allow", rule: "safe-tool", reason: "web_search only looks something up" },
  ]);
});

test("a tool of which nothing is known asks, and can be granted for exactly what it is given", () => {
  const grantable = {
    tool: "post",
    match: "exact",
    signature: '["post",{"to":"x"}]',
    display: '["post",{"to":"x"}]',
    root: cwd,
    categories: ["tool"],
  };
  const asked = { verdict: "ask", rule: "elevated-tool", reason: "post is not known to be harmless", grantable };
  expect(policy.judge({ cwd, tool: "post", more: { to: "x" } })).toEqual(asked);
  const change = { path: "a.txt", diff: "" };
  const shown = { ...asked, grantable: { ...grantable, signature: '["post",null]', display: "post a.txt" } };
  expect(policy.judge({ cwd, tool: "post", change })).toEqual(shown);
});

test("a policy says for whom it judges, and what it wants to know of a plan", () => {
  const { version, home, realHome, wants } = openPolicy({
    ...{ platform: "linux", home: world.home, realHome: "/data/dev", own: [] },
  });
  expect({ version, home, realHome }).toEqual({
    version: 'shell-1 {"platform":"linux","home":"/home/dev","realHome":"/data/dev","own":[]}',
    home: "/home/dev",
    realHome: "/data/dev",
  });
  expect("realHome" in policy).toBe(false);
  expect(wants?.({ cwd, tool: "terminal", command: "touch a b/c" })).toEqual([`${cwd}/a`, `${cwd}/b/c`]);
  expect(wants?.({ cwd, tool: "terminal" })).toEqual([]);
});

test("a plan that differs in one thing from the one before is judged anew", () => {
  const command = "x; curl localhost:4815; echo > a/.assent/policy.json; echo > b/c";
  const shell: ShellFacts = {
    ...{ functions: {}, aliases: {}, traps: {}, variables: {}, options: {}, places: {}, disabled: [], inherited: [] },
  };
  const differing: readonly Partial<Plan>[] = [
    { shell },
    { shell: { ...shell, aliases: { x: "rm -rf y" } } },
    { served: ["4815"] },
    { more: { folder: `${cwd}/a` } },
    { links: { [`${cwd}/b/c`]: "/etc/motd" } },
    { links: { [`${cwd}/b/c`]: `${cwd}/b/c` } },
    { cwd: "/etc" },
  ];
  const judged = (more: Partial<Plan>) => policy.judge({ tool: "terminal", cwd, command, ...more }).rule;
  expect(differing.map((more) => [judged({}), judged(more)])).toEqual([
    ["nothing-found", "nothing-found"],
    ["nothing-found", "delete-recursive"],
    ["nothing-found", "self-approval"],
    ["nothing-found", "self-approval"],
    ["nothing-found", "overwrite-system"],
    ["nothing-found", "nothing-found"],
    ["nothing-found", "overwrite-system"],
  ]);
  expect(differing.slice(0, 2).map(judged)).toEqual(["nothing-found", "delete-recursive"]);
  const ports = ["80", "4815"].map((port) => judged({ served: [port] }));
  expect(ports).toEqual(["nothing-found", "self-approval"]);
});
