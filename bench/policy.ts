// What a decision of the policy costs on this machine, also on what is made to be expensive, and how often it asks.
import { spawnSync } from "node:child_process";
import { performance } from "node:perf_hooks";
import { openPolicy } from "../packages/assent/src/policy/index.ts";
import { ordinaryCommands } from "../packages/assent/test/policy/ordinary/index.ts";
import { dangerousSeeds } from "../packages/assent/test/policy/rewriting/seeds.ts";
import { median } from "./median.ts";

const home = "/home/dev";
const cwd = `${home}/project`;
const options = { platform: "linux", home, own: [`${home}/.local/share/assent`] } as const;
/** By a policy of its own: one that was asked the same before remembers. */
const judge = (command: string) => openPolicy(options).judge({ tool: "terminal", cwd, command });

function milliseconds(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

const rounds = 9;
const ordinary = ordinaryCommands().map(({ command }) => command);
const commands = [...ordinary, ...dangerousSeeds.map(({ source }) => source)];
for (const command of commands) judge(command);
/** Of each command the middle one of some rounds; then over all commands. */
const decisions = commands
  .map((command) => median(Array.from({ length: rounds }, () => milliseconds(() => judge(command)))))
  .toSorted((one, other) => one - other);
const asked = ordinary.filter((command) => judge(command).verdict !== "allow").length;

/** Just short enough to be read at all; longer ones ask at once. */
const size = 63 * 1024;
const filled = (part: (index: number) => string): string => {
  let text = "";
  for (let index = 0; text.length < size; index++) text += part(index);
  return text;
};
const nested = (open: string, close: string, depth: number): string => `${open.repeat(depth)}x${close.repeat(depth)}`;

/** Each does as little as it can for its price. */
const hostile: Readonly<Record<string, string>> = {
  "64 KB of words": `rm -rf ${filled((index) => `w${index} `)}`,
  "64 KB in one word": `rm -rf ${filled(() => "a")}`,
  "64 KB of commands": filled(() => "ls;"),
  "64 KB of pipes": `ls${filled(() => "|cat")}`,
  "64 KB of options": `rm ${filled(() => "-r ")}`,
  "64 KB of quotes": `echo ${filled(() => "'a'\"b\"")}`,
  "64 KB of slashes": `rm -rf ${filled(() => "../")}`,
  "64 KB of patterns": `cat ${filled(() => "*?[a]")}`,
  "64 KB of redirections": `ls ${filled((index) => `>f${index} `)}`,
  "64 KB of cd": `${filled(() => "cd a;")}rm -rf b`,
  "64 KB of here-document": `python3 <<'PY'\n${filled(() => "import os\n")}PY`,
  "64 KB of code": `python3 -c '${filled(() => "f(1);")}'`,
  "deep substitutions": `echo ${nested("$(echo ", ")", 2_000)}`,
  "deep groups": nested("(", ")", 4_000),
  "substitutions as deep as is read": `echo ${nested("$(echo ", ")", 95)}`,
  "many substitutions, each deep": filled(() => `echo ${nested("$(echo ", ")", 20)};`),
  "groups as deep as is read": nested("(", ")", 95),
  "deep braces": `echo ${nested("{a,", "}", 2_000)}`,
  "deep shells": Array.from({ length: 30 }).reduce<string>(
    (text) => `sh -c ${JSON.stringify(text)}`.slice(0, size),
    "ls",
  ),
  "deep wrappers": `${"env ".repeat(10_000)}rm -rf build`,
  "many braces": `rm -rf ${"{a,b}".repeat(24)}`,
  "long sequences": "rm -rf {1..9999999}",
  "doubling assignments": `${filled(() => 'x="$x$x";')}rm -rf $x`,
  "doubling from a word": `x=abcdefgh;${'x="$x$x";'.repeat(64)}$x`,
  "many variables": `${filled((index) => `v${index}=1;`)}rm -rf $v1`,
  "many substitutions": filled(() => "$(ls) "),
  "many arithmetic": `echo ${filled(() => "$((1+1)) ")}`,
  "many functions": `${filled((index) => `f${index}(){ ls;};`)}f1`,
  "functions that call twice": `${Array.from({ length: 40 }, (_, index) => `f${index + 1}(){ f${index};f${index};};`).join("")}f40`,
  "a function that calls itself": "f(){ f;f;};f",
  "many branches": `${filled((index) => `if a${index};then x=${index};fi;`)}rm -rf $x`,
  "many cases": `case $x in ${filled((index) => `a${index})ls;;`)}esac`,
  "endless repetition": "while :;do while :;do while :;do x=$x$x;done;done;done;rm -rf $x",
  "many words over words": `for a in ${"x ".repeat(200)};do for b in ${"x ".repeat(200)};do for c in ${"x ".repeat(200)};do rm -rf $a$b$c;done;done;done`,
  "many aliases": `${filled((index) => `alias a${index}='a${index + 1} ';`)}a0`,
  "text that is decoded": `echo ${filled(() => "cm0g")} | base64 -d | sh`,
};

const target = 50;
const worst = Object.entries(hostile).map(([name, command]) => ({
  name,
  verdict: judge(command).verdict,
  took: median(Array.from({ length: 5 }, () => milliseconds(() => judge(command)))),
}));
const slowest = worst.toSorted((one, other) => other.took - one.took);

const imported = JSON.stringify(new URL("../packages/assent/src/policy/index.ts", import.meta.url).href);
const program = `const begin = performance.now(); await import(${imported}); process.stdout.write(String(performance.now() - begin));`;
const cold = median(
  Array.from({ length: 5 }, () =>
    Number(spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" }).stdout),
  ),
);

line("a decision, p50", shown(decisions[Math.floor(decisions.length * 0.5)]), "at most 0.3 ms");
line("a decision, p99", shown(decisions[Math.floor(decisions.length * 0.99)]), "at most 3 ms");
line("a decision, worst", shown(decisions.at(-1)), `of ${commands.length} commands`);
line("asked", `${asked} of ${ordinary.length} (${((asked / ordinary.length) * 100).toFixed(2)} %)`, "at most 1 %");
line("cold import", shown(cold), "from source");
for (const { name, verdict, took } of slowest.filter(({ took }, index) => index < 8 || took > target)) {
  line(`hostile: ${name}`, `${shown(took)}, ${verdict}`, `at most ${target} ms`);
}

function line(what: string, figure: string, goal = ""): void {
  process.stdout.write(`${what.padEnd(38)} ${figure.padEnd(24)} ${goal}\n`);
}

function shown(value = Number.NaN): string {
  return `${value.toFixed(value < 10 ? 2 : 0)} ms`;
}
