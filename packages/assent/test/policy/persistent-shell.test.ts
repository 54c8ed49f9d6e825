import { expect, test } from "vitest";
import { openPolicy, type Plan } from "../../src/policy/index.ts";

const policy = openPolicy({ home: "/home/ada", platform: "linux", own: [] });
const nothing = { aliases: {}, traps: {}, variables: {}, options: {}, places: {}, disabled: [], inherited: [] };

/** What is said of `f x` in a shell with this function, its body as the shell prints it. */
function judged(body: string | null): string {
  const shell = { ...nothing, functions: { f: body } };
  const plan: Plan = { tool: "terminal", cwd: "/project", command: "f x", more: { persistent: true }, shell };
  return policy.judge(plan).rule;
}

test.each([
  ["harmless", '{ \n    echo "f $1"\n}', "nothing-found"],
  ["that deletes what it is given", '{ \n    rm -r "$1"\n}', "delete-recursive"],
  ["in a shell of its own", "( rm -r x )", "delete-recursive"],
  ["whose text says more than one thing", "{ \n    echo a\n}\nrm -r x", "exec-unknown-program"],
  ["that is too long to be told", null, "exec-unknown-program"],
])("a function of the persistent shell, %s, is looked into", (_what, body, rule) => {
  expect(judged(body)).toBe(rule);
});
