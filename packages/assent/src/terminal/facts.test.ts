import { expect, test } from "vitest";
import { factsHidden, factsOfNew, factsSince, readTold, type Told } from "./facts.ts";

const nothing: Told = { listed: "", functions: "", options: "", steering: [] };
const plain = { functions: {}, aliases: {}, traps: {}, variables: {}, options: {}, places: {}, disabled: [] };

const variables = String.raw`declare -x A="a \"\$b\\
c"
declare -irx B="3"
declare -x C=$'x\ny\'\033'
declare -x D
declare -ax E=([0]="(" [1]="x")
`;

const rows: readonly (readonly [string, Partial<Told>, object | null])[] = [
  ["a shell that has nothing", {}, {}],
  ["an alias with quotes and lines", { listed: "alias a='it'\\''s\nhere'\n" }, { aliases: { a: "it's\nhere" } }],
  ["an alias that begins with a dash", { listed: "alias -- -x='y'\n" }, { aliases: { "-x": "y" } }],
  ["a trap", { listed: "trap -- 'echo '\\''x'\\''' SIGINT\n" }, { traps: { INT: "echo 'x'" } }],
  ["a signal that is ignored", { listed: "trap -- '' INT\ntrap -- - HUP\n" }, { traps: { INT: "" } }],
  ["the shell's own last word", { listed: "trap -- 'own' EXIT\n" }, {}],
  ["another last word", { listed: "trap -- 'other' EXIT\n" }, { traps: { EXIT: "other" } }],
  ["a trap before each command", { listed: "trap -- ':' DEBUG\n" }, null],
  ["a shell that skips commands", { options: "extdebug:braceexpand" }, null],
  [
    "variables in each of their forms",
    { listed: variables },
    { variables: { A: 'a "$b\\\nc', B: "3", C: "x\ny'\u001b", D: null, E: null } },
  ],
  ["variables that change by themselves", { listed: 'declare -x OLDPWD="/"\ndeclare -x __assent_sent="1"\n' }, {}],
  ["a variable that is not exported", { steering: ["IFS=,", ""] }, { variables: { IFS: "," } }],
  [
    "programs that were found",
    { listed: "builtin hash -p /bin/ls ls\n", steering: ["PATH=/x:/bin"] },
    { variables: { PATH: "/x:/bin" } },
  ],
  [
    "programs that cannot have been found",
    { listed: "builtin hash -p '/a b/ls' ls\nbuiltin hash -p /bin/rm cat\n", steering: ["PATH=/bin"] },
    { variables: { PATH: "/bin" }, places: { ls: "/a b/ls", cat: "/bin/rm" } },
  ],
  ["a builtin that is off", { listed: "enable -n test\n" }, { disabled: ["test"] }],
  ["options", { options: "sourcepath:braceexpand" }, { options: { sourcepath: true, braceexpand: true } }],
  [
    "functions",
    {
      listed: "declare -f a\ndeclare -fx if\n",
      functions: "a () \n{ \n    :\n}\nfunction if () \n{ \n    x\n}\ndeclare -fx if\n",
    },
    { functions: { a: "{ \n    :\n}", if: "{ \n    x\n}" } },
  ],
  [
    "a function with a text in it that looks like the end of it",
    { listed: "declare -f ls\n", functions: "ls () \n{ \n    cat <<E\n}\nfoo () \n{ \nE\n\n    rm x\n}\n" },
    { functions: { ls: null } },
  ],
  ["names of functions without their bodies", { listed: "declare -f a\n" }, { functions: { a: null } }],
  [
    "a function too long to be told",
    { listed: "declare -f a\n", functions: `a () \n${"x".repeat(9_000)}` },
    { functions: { a: null } },
  ],
  ["the shell's own function", { listed: "declare -fr __assent_sure\n", functions: "__assent_sure () \n{ \n}\n" }, {}],
  ["something between", { listed: "alias a='b'\nhello\ndeclare -x A=\"b\"\n" }, null],
  ["what does not end", { listed: "alias a='b" }, null],
];

test.each(rows)("what a shell says is read: %s", (_what, told, expected) => {
  expect(readTold({ ...nothing, ...told }, "own")).toEqual(expected === null ? null : { ...plain, ...expected });
});

test("of variables and options only what is not as it was in the beginning is told, and what came then is named", () => {
  const first = {
    ...plain,
    functions: { kept: "a", changed: "a", gone: "a" },
    aliases: { ll: "ls" },
    variables: { SAME: "1", CHANGED: "1", GONE: "1", LD_PRELOAD: "x", LONG: "x".repeat(9_000) },
    options: { on: true, off: true },
  };
  const now = {
    ...plain,
    functions: { kept: "a", changed: "b", made: "c" },
    aliases: { ll: "ls" },
    variables: { SAME: "1", CHANGED: "2", NEW: "3", LD_PRELOAD: "x", LONG: "y".repeat(9_000) },
    options: { on: true, more: true },
  };
  expect(factsSince(first, now)).toEqual({
    ...now,
    variables: { CHANGED: "2", GONE: null, LD_PRELOAD: "x", LONG: null, NEW: "3" },
    options: { more: true, off: false },
    inherited: ["kept", "ll", "LD_PRELOAD"],
  });
});

test("a new shell has what the environment gives to it", () => {
  expect(factsOfNew({ HOME: "/h" })).toEqual({ ...plain, inherited: [] });
  const env = { "BASH_FUNC_which%%": "() {  echo w\n}", BASH_ENV: "/e", LD_PRELOAD: "/l" };
  expect(factsOfNew(env)).toEqual({
    ...plain,
    functions: { which: "{  echo w\n}" },
    variables: { BASH_ENV: "/e", LD_PRELOAD: "/l" },
    inherited: ["which", "BASH_ENV", "LD_PRELOAD"],
  });
});

test("what was typed as a secret is hidden in all of it", () => {
  const facts = { ...plain, aliases: { a: "x secret" }, variables: { A: "secret", B: null }, inherited: [] };
  expect(factsHidden(facts, (text) => text.replaceAll("secret", "[…]"))).toEqual({
    ...facts,
    aliases: { a: "x […]" },
    variables: { A: "[…]", B: null },
  });
});
