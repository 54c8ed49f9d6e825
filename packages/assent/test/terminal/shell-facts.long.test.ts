import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import type { Place } from "../../src/runtime/index.ts";
import { openRedacting } from "../../src/runtime/redaction.ts";
import { Shell, type ShellFinished } from "../../src/terminal/persistent.ts";
import { openSpill } from "../../src/terminal/spill.ts";
import { TypedSecrets } from "../../src/terminal/typed-secrets.ts";
import { nobodyAnswers } from "../fixtures/nobody.ts";
import { actingTool, eagerTools } from "../tools/eager.ts";

const top = mkdtempSync(join(tmpdir(), "assent-facts-"));
afterAll(() => rmSync(top, { recursive: true, force: true }));

const nothing = {
  ...{ functions: {}, aliases: {}, traps: {}, variables: {}, options: {}, places: {} },
  ...{ disabled: [], inherited: [] },
};

/** Runs the commands in one shell; what it says afterwards, or that it has ended. */
async function after(commands: readonly string[], more: NodeJS.ProcessEnv = {}) {
  const env = { PATH: process.env["PATH"], HOME: top, ...more };
  const shell = await Shell.open({ cwd: top, marker: `facts-${process.pid}/c`, env, attended: false });
  const finished: ShellFinished[] = [];
  for (const text of commands) finished.push(await shell.run(command(text), top));
  const { facts, alive, cwd } = shell;
  if (alive) await shell.close();
  return { facts: alive ? facts : "ended", finished, cwd };
}

function command(text: string) {
  const { signal } = new AbortController();
  return {
    ...{
      command: text,
      timeoutMs: 20_000,
      onOutput: () => {},
      grace: () => () => 0,
      secrets: new TypedSecrets(openRedacting(() => [])),
    },
    watched: { signal, ask: async () => null, attended: false },
    spill: (name: string) => openSpill({ folder: join(top, "spills"), session: "s", name }),
  };
}

const taken = "alias command declare enable eval export hash printf read set trap unset".split(" ");
const empty = "{ \n    :\n}";
const bodies = Object.fromEntries(taken.map((name) => [name, empty]));
const strict = { allexport: true, errexit: true, nounset: true, pipefail: true };

const rows: readonly (readonly [string, readonly string[], object | "ended" | null])[] = [
  ["a new shell has nothing", ["true"], {}],
  ["functions", ["ls() { rm -r x; }"], { functions: { ls: "{ \n    rm -r x\n}" } }],
  ["a function that is gone again", ["f() { :; }", "unset -f f"], {}],
  ["aliases", ["alias ls='rm -r'; BASH_ALIASES[cat]=rm"], { aliases: { cat: "rm", ls: "rm -r" } }],
  ["traps", ["trap 'rm x' INT ERR"], { traps: { ERR: "rm x", INT: "rm x" } }],
  ["variables", ["export LD_PRELOAD= PAGER='rm x'; A=1"], { variables: { LD_PRELOAD: "", PAGER: "rm x" } }],
  [
    "what steers the shell",
    ["IFS=,; CDPATH=/; export -n HOME; HOME=/y"],
    { variables: { CDPATH: "/", HOME: "/y", IFS: "," } },
  ],
  ["options", ["set -f; shopt -u expand_aliases"], { options: { expand_aliases: false, noglob: true } }],
  ["places of programs", ["hash -p /x/y ls; cat /dev/null"], { places: { ls: "/x/y" } }],
  ["builtins that are off", ["enable -n echo test"], { disabled: ["echo", "test"] }],
  ["what a file defines", ['. <(echo "alias a=b; f() { :; }")'], { functions: { f: empty }, aliases: { a: "b" } }],
  [
    "functions named as what it is told with",
    [taken.map((name) => `${name}() { :; }`).join("; ")],
    { functions: bodies },
  ],
  ["aliases named so", ["alias builtin=true printf=true", "true"], { aliases: { builtin: "true", printf: "true" } }],
  ["posix mode", ["printf() { :; }; set -o posix"], { functions: { printf: empty }, options: { posix: true } }],
  ["strict modes", ["set -aeu; set -o pipefail"], { options: strict }],
  ["no room for files", ["ulimit -f 0"], {}],
  ["a function named builtin", ["builtin() { :; }"], "ended"],
  ["one that passes all on", ['builtin() { command builtin "$@"; }'], "ended"],
  ["one that removes itself", ["builtin() { unset -f builtin; }"], "ended"],
  ["one that is not to be found out", ["readonly FUNCNEST=0; builtin() { __assent_proof=sure; }"], "ended"],
  ["builtin switched off", ["enable -n builtin"], "ended"],
  ["another builtin that it needs", ["enable -n declare"], null],
  ["a trap before each command", ["trap : DEBUG"], null],
  ["such a trap that was removed", ["trap : DEBUG", "trap - DEBUG"], {}],
  ["commands that can be skipped", ["shopt -s extdebug"], null],
];

test.each(rows)("a shell tells what it has defined: %s", async (_what, commands, expected) => {
  const { facts } = await after(commands);
  expect(facts).toEqual(expected === null || expected === "ended" ? expected : { ...nothing, ...expected });
});

test("what came with the person's environment is told as such", async () => {
  const file = join(top, "env.sh");
  writeFileSync(file, "nvm() { :; }; alias ll=ls\n");
  const env = { BASH_ENV: file, "BASH_FUNC_which%%": "() {  echo w\n}" };
  const known = { ...nothing, aliases: { ll: "ls" }, variables: { BASH_ENV: file } };
  expect((await after(["true"], env)).facts).toEqual({
    ...known,
    functions: { nvm: empty, which: "{ \n    echo w\n}" },
    inherited: ["nvm", "which", "ll", "BASH_ENV"],
  });
  expect((await after(["which() { :; }; unset -f nvm"], env)).facts).toEqual({
    ...known,
    functions: { which: empty },
    inherited: ["ll", "BASH_ENV"],
  });
});

test("of many functions only the names are told", async () => {
  const { facts } = await after([`for n in {1..600}; do eval "f$n() { echo ${"x".repeat(100)}; }"; done`, "true"]);
  expect(facts).toMatchObject({ functions: { f1: null, f600: null } });
});

test("where a shell is, is not what it says in PWD", async () => {
  expect((await after(["cd /usr; PWD=/tmp"])).cwd).toBe("/usr");
  const link = await after([`ln -s /usr '${top}/link'; cd '${top}/link'`]);
  expect(link.cwd).toBe(join(top, "link"));
});

test("what a shell tells is not seen by its commands", async () => {
  const { finished } = await after([
    "f() { return 3; }; f",
    "echo $? $FUNCNEST $#",
    "g() { f; }; g; env | grep __assent",
    "for fd in 18 19 20; do { : >&$fd; } 2>/dev/null && echo $fd; done",
  ]);
  expect(finished.map(({ output, exit }) => [output.stdout.text, output.stderr.text, exit.exit])).toEqual([
    ["", "", 3],
    ["3 0\n", "", 0],
    ["", "", 1],
    ["", "", 1],
  ]);
});

test("a plan says what its shell has defined, for as long as that shell is there", async () => {
  const { hands } = actingTool(eagerTools({ folder: join(top, "spills") }), "terminal");
  const place: Place = { session: "facts", cwd: top, terminal: { state: "never" }, seen: [] };
  const plan = (text: string) => hands.plan(JSON.stringify({ command: text, persistent: true }), place);
  const nobody = { attended: false, tell: () => {}, ...nobodyAnswers, onOutput: () => {}, lend: null };
  const { signal } = new AbortController();
  const run = (text: string) => hands.run(plan(text), { session: "facts", call: "c", signal, ...nobody });
  const before = plan("true").shell;
  await run("ls() { :; }");
  expect(plan("true").shell).toEqual({ ...before, functions: { ...before?.functions, ls: empty } });
  expect(plan("true")).toEqual(plan("true"));
  await run("trap : DEBUG");
  expect(plan("true").shell).toBe(null);
  await run("exit");
  expect(plan("true").shell).toEqual(before);
  symlinkSync("/usr", join(top, "way"));
  expect(hands.realPlaces?.(["way/bin", "/no/where"], plan("true"))).toEqual({
    "way/bin": realpathSync("/usr/bin"),
    "/no/where": "/no/where",
  });
  await hands.close?.("facts", []);
});
