import { expect, test } from "vitest";
import { openPolicy, type Plan, type ShellFacts, type Verdict } from "../../src/policy/index.ts";

const policy = openPolicy({ home: "/home/ada", platform: "linux", own: ["/data/assent"] });
const nothing: ShellFacts = {
  functions: {},
  aliases: {},
  traps: {},
  variables: {},
  options: {},
  places: {},
  disabled: [],
  inherited: [],
};

function told(command: string, facts: Partial<ShellFacts>): Verdict {
  const shell = { ...nothing, ...facts };
  const plan: Plan = { tool: "terminal", cwd: "/project", command, more: { persistent: true }, shell };
  return policy.judge(plan);
}

/** What is said of `f x` in a shell with this function, its body as the shell prints it. */
const judged = (body: string | null): string => told("f x", { functions: { f: body } }).rule;

test.each([
  ["harmless", '{ \n    echo "f $1"\n}', "nothing-found"],
  ["that deletes what it is given", '{ \n    rm -r "$1"\n}', "delete-recursive"],
  ["in a shell of its own", "( rm -r x )", "delete-recursive"],
  ["whose text says more than one thing", "{ \n    echo a\n}\nrm -r x", "exec-unknown-program"],
  ["that is too long to be told", null, "exec-unknown-program"],
])("a function of the persistent shell, %s, is looked into", (_what, body, rule) => {
  expect(judged(body)).toBe(rule);
});

test.each([
  ["echo x > $PWD/a", "nothing-found"],
  ["echo x > $PWD/etc/passwd", "nothing-found"],
  ["echo x > $HOME/etc/passwd", "overwrite-system"],
  ["echo x > ~/.bashrc", "overwrite-startup"],
  ["$SHELL -c 'rm -r x'", "exec-unknown-program"],
  ["ls $?", "nothing-found"],
  ["echo x > $?/etc/passwd", "nothing-found"],
  ["ls $_", "hidden-word"],
  ["cat $ASSENT_HOME/grants", "self-approval"],
  ["cat $XDG_DATA_HOME/assent/grants", "self-approval"],
  ["cat $XDG_DATA_HOME/other/grants", "nothing-found"],
  ["echo x > $XDG_CONFIG_HOME/etc/passwd", "overwrite-system"],
  ["rm -r$IFS-f x", "delete-recursive"],
  ["$" + "{x-rm} -r y", "exec-unknown-program"],
])("of what nobody has set in the persistent shell little is known: %s", (command, rule) => {
  expect(told(command, {}).rule).toBe(rule);
});

test.each([
  ["x=$y; $x a", { y: "rm -r" }, "delete-recursive"],
  ["$y a", { y: "ls" }, "nothing-found"],
  ["$y a", { y: null }, "exec-unknown-program"],
  ["ls", { LD_PRELOAD: "/tmp/a.so" }, "exec-injected"],
  ["ls", { LD_PRELOAD: null }, "exec-injected"],
  ["ls", { y: null }, "nothing-found"],
])("what the persistent shell has set is what it stands for: %s with %o", (command, variables, rule) => {
  expect(told(command, { variables }).rule).toBe(rule);
});

test.each([
  ["exit", { EXIT: "rm -r x" }, "delete-recursive"],
  ["exit", { EXIT: "ls" }, "nothing-found"],
  ["exit", { EXIT: null }, "exec-unseen"],
  ["ls", { EXIT: "rm -r x" }, "nothing-found"],
  ["ls exits", { EXIT: "rm -r x" }, "nothing-found"],
  ["exec ls", { EXIT: "rm -r x" }, "delete-recursive"],
  ["kill $$", { TERM: "rm -r x" }, "delete-recursive"],
  ["logout", { EXIT: "rm -r x" }, "delete-recursive"],
  ["ls", { DEBUG: "rm -r x" }, "delete-recursive"],
  ["ls", { ERR: "rm -r x" }, "delete-recursive"],
  ["ls", { RETURN: "rm -r x" }, "delete-recursive"],
])("the traps of the persistent shell do what they say: %s with %o", (command, traps, rule) => {
  expect(told(command, { traps }).rule).toBe(rule);
});

test("what the persistent shell has set is not known, but what the command has set is", () => {
  const rule = (name: string) => told(`set -- a; \${${name}-ls}`, {}).rule;
  expect(rule("x1")).toBe("exec-unknown-program");
  expect(rule("2")).toBe("nothing-found");
});
