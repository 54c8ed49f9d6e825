import type { Language } from "./code/index.ts";
import { type ShellState, withFile } from "./state.ts";
import { type Argument, known, type Text, textOf } from "./text.ts";

/** A text that a program would run, because the command itself has just written it. */
export type MadeScript = { readonly language: Language | "shell"; readonly text: Text };

type Reader = {
  readonly names: RegExp;
  readonly file: RegExp;
  readonly commands: (text: string, words: readonly string[]) => string;
};

/** Programs that run what a file of the project says, and which file that is. */
const readers: readonly Reader[] = [
  { names: /^(?:g|b|p|nmake)?make$/, file: /^(?:GNUm|M|m)akefile$|\.mk$/, commands: recipes },
  { names: /^(?:npm|npx|yarn|pnpm|bun)$/, file: /^package\.json$/, commands: scripts },
  { names: /^just$/, file: /^\.?justfile$|\.just$/i, commands: indented },
  { names: /^(?:go-)?task$/, file: /^Taskfile(?:\.dist)?\.ya?ml$/i, commands: listedCommands },
];

/** Programs that run, test or load code of the project. */
const runners =
  /^(?:python[\d.]*|pytest|node|deno|bun|tsx|ts-node|jest|vitest|mocha|ruby|rspec|rake|php|phpunit|perl|prove|lua)$/;
/** Programs that load how they are set up, and that file. */
const loaders =
  /^(?:eslint|prettier|webpack|vite|rollup|next|nuxt|babel|gulp|grunt|tsup|cypress|playwright|stylelint|postcss|tailwindcss|karma|ava)$/;
const setUp = /(?:^|\.)(?:\w*rc|config)\.[cm]?[jt]s$|^(?:gulpfile|gruntfile)\.[cm]?js$/i;
/** Programs that build or install a project of Python, and what of it they run. */
const builders = /^(?:pip[\d.]*|pipx|uv|poetry|pdm|hatch|tox|nox|build|flit)$/;
const building = /^(?:setup|noxfile|hatch_build|build)\.py$/;
/** With these words they run a file that is named. */
const named = /^(?:coverage|uv|pdm|poetry|hatch|pipenv)$/;

/** With these they only look at it; the letters mean other things to others. */
const checks =
  /^(?:--check|--syntax-check|py_compile|compileall|pyflakes|flake8|mypy|pylint|ruff|black|json\.tool|pip|venv)$/;
const extensions: Readonly<Record<string, Language>> = {
  py: "python",
  js: "javascript",
  mjs: "javascript",
  cjs: "javascript",
  ts: "javascript",
  rb: "ruby",
  php: "php",
  pl: "perl",
  lua: "lua",
  Rakefile: "ruby",
  rake: "ruby",
};

/** Programs that run what they compile. */
const compilers = /^(?:rust-script|java|kotlin|jshell)$/;
const compiled = /\.(?:c|cc|cpp|cxx|h|go|rs|java|kts?|swift|cs|zig)$/;

/** Of such code only the texts are looked at, as the commands that they may be; and the names of what deletes folders. */
function commandsIn(code: string): string {
  const deletes =
    /\b(?:RemoveAll|remove_dir_all|deleteRecursively|deleteDirectory|deleteTree)\b|Directory\.Delete/.test(code);
  if (!/\b(?:system|popen|exec\w*|Command|ProcessBuilder|Process|spawn\w*)\b/.test(code))
    return deletes ? "rm -r ." : "";
  const lists = textLists(code).map(oneCommand);
  return [...(deletes ? ["rm -r ."] : []), ...lists.filter((text) => /^[\w./-]+(?: |$)/.test(text))].join("\n");
}

/** The texts of the code, those together that stand close to each other. One that is not closed is passed over whole. */
function textLists(code: string): readonly (readonly string[])[] {
  const lists: string[][] = [];
  let end = -1;
  for (const { 0: all, 1: text = "", 2: close, index } of code.matchAll(/"((?:[^"\\\n]|\\.)*)("?)/g)) {
    const isNext = end >= 0 && index - end <= 20 && !/[\n;]/.test(code.slice(end, index));
    end = close === "" ? -1 : index + all.length;
    if (close === "") continue;
    const plain = text.replace(/\\(["\\])/g, "$1");
    if (isNext) lists.at(-1)?.push(plain);
    else lists.push([plain]);
  }
  return lists;
}

/** A text alone is a line for a shell; of several, each is a word. */
function oneCommand(texts: readonly string[]): string {
  if (texts.length === 1) return texts.join("");
  return texts.map((text) => (/^[\w./:=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`)).join(" ");
}

/** What a program would run of files that the command itself has just written. */
export function madeScripts(name: string, words: readonly Argument[], { files }: ShellState): readonly MadeScript[] {
  if (files.size === 0) return [];
  const given = words.map(({ text }) => known(text) ?? "");
  return [...files].flatMap(([path, made]) => {
    if (made.type !== "content") return [];
    const file = path.split("/").at(-1) ?? "";
    const commands = commandsFor(name, file, given);
    if (commands === null) return codeOf(name, file, given, made.text);
    const text = known(made.text);
    return [{ language: "shell", text: text === null ? made.text : textOf(commands(text, given)) }];
  });
}

function commandsFor(name: string, file: string, given: readonly string[]): Reader["commands"] | null {
  const reader = readers.find(({ names }) => names.test(name));
  const isNamed = given.includes(file) || given.some((word) => word.endsWith(`=${file}`) || word.endsWith(`/${file}`));
  if (reader !== undefined && (reader.file.test(file) || (isNamed && reader.commands === recipes)))
    return reader.commands;
  return (compiled.test(file) && isRunner(name, given)) || (name === "cargo" && file === "build.rs")
    ? commandsIn
    : null;
}

function isRunner(name: string, given: readonly string[]): boolean {
  if (/^(?:go|cargo|dotnet|swift)$/.test(name)) return given.some((word) => /^(?:run|test|bench|generate)$/.test(word));
  return compilers.test(name);
}

function codeOf(name: string, file: string, given: readonly string[], text: Text): readonly MadeScript[] {
  const letter = /^(?:node|ruby|perl)$/.test(name) ? "-c" : name === "php" ? "-l" : null;
  const checksOnly = given.some((word) => word === letter || checks.test(word));
  const language = extensions[file.split(".").at(-1) ?? ""];
  if (language === undefined || checksOnly || !isLoaded(name, file, given)) return [];
  return isOther(file, given, text) ? [] : [{ language, text }];
}

/** What another program has printed into a file that is not the one to be run. */
function isOther(file: string, given: readonly string[], text: Text): boolean {
  const isUnknown = text.length > 0 && text.every((piece) => typeof piece === "object" && piece.made !== true);
  const scripts = given.filter((word) => (word.split(".").at(-1) ?? "") in extensions);
  return isUnknown && scripts.length > 0 && scripts.every((word) => !word.endsWith(file));
}

function isLoaded(name: string, file: string, given: readonly string[]): boolean {
  if (runners.test(name) || (loaders.test(name) && setUp.test(file))) return true;
  if (builders.test(name) && building.test(file)) return true;
  return named.test(name) && given.includes("run") && given.some((word) => word.endsWith(file));
}

/** The lines of a file whose recipes are indented in whatever way. */
function indented(text: string): string {
  return text
    .split("\n")
    .flatMap((line) => (/^[ \t]+\S/.test(line) ? [plainLine(line)] : []))
    .join("\n");
}

/** What stands in the lists of commands of a file in YAML. */
function listedCommands(text: string): string {
  const lines = text.matchAll(/(?:^[ \t]*-|\bcmds?:)[ \t]*(?:cmd:[ \t]*)?(.*)$/gm);
  return [...lines].map(([, line = ""]) => unquoted(line.replace(/^[["'\s]+/, ""))).join("\n");
}

/** Without the quotes and brackets at its end: a pattern for them would look at each run of them anew. */
function unquoted(line: string): string {
  let end = line.length;
  while (end > 0 && /[\]"'\s]/.test(line.charAt(end - 1))) end -= 1;
  return line.slice(0, end);
}

/** The lines that a shell runs for the wanted targets of a makefile, and for those that they need. */
function recipes(text: string, words: readonly string[]): string {
  if (words.includes("-n") || words.includes("--dry-run")) return "";
  // A makefile runs more than its recipes.
  const [shelled] = /\$\(shell[^\n]*|^[^\t\n]*!=.*|^-?include\b.*|^\.RECIPEPREFIX.*|\$\(eval.*/m.exec(text) ?? [];
  if (shelled !== undefined) return '"$a_makefile_that_is_not_followed"';
  const rules = rulesOf(text);
  const named = words.filter((word) => rules.has(word));
  const first = [...rules.keys()].find((target) => !target.startsWith("."));
  const wanted = new Set(named.length > 0 ? named : first === undefined ? [] : [first]);
  for (const target of wanted) for (const need of rules.get(target)?.needs ?? []) if (rules.has(need)) wanted.add(need);
  return [...wanted].flatMap((target) => rules.get(target)?.lines ?? []).join("\n");
}

type MakeRule = { readonly needs: readonly string[]; readonly lines: string[] };

function rulesOf(text: string): ReadonlyMap<string, MakeRule> {
  const rules = new Map<string, MakeRule>();
  const namesIn = (names: string): readonly string[] => names.match(/[^\s\\]+/g) ?? [];
  let open: MakeRule | undefined;
  // A line goes on after a backslash at its end.
  for (const line of text.split(/(?<=(?<!\\)(?:\\\\)*)\n/)) {
    const [, targets, needs = "", recipe = ""] = /^ *([^\s:#=][^:#=]*):(?!=)([^;#]*)(?:;(.*))?/s.exec(line) ?? [];
    if (targets !== undefined) {
      open = { needs: namesIn(needs), lines: [plainLine(recipe)] };
      for (const target of namesIn(targets)) rules.set(target, open);
    } else if (line.startsWith("\t")) open?.lines.push(plainLine(line));
  }
  return rules;
}

function plainLine(line: string): string {
  return line
    .trim()
    .replace(/^[@+-]+/, "")
    .replaceAll("\\\n\t", "\\\n")
    .replaceAll("$$", "$");
}

/** The scripts that are named, with what runs before and after them; all of them when none is. */
function scripts(text: string, words: readonly string[]): string {
  if (words[0] === "pkg" || words[0] === "set-script") return "";
  const block = text.slice(Math.max(0, text.indexOf('"scripts"') + '"scripts"'.length));
  const all = [...block.matchAll(/"([^"]+)"\s*:\s*"((?:[^"\\]|\\.)*)"/g)];
  const named = all.filter(
    ([, name = ""]) => words.includes(name.replace(/^(?:pre|post)/, "")) || words.includes(name),
  );
  return (named.length > 0 ? named : all).map(([, , command = ""]) => unescapedJson(command)).join("\n");
}

/** No path of a file: what else is in that file is not known. */
const setScripts = "set scripts/package.json";

/** What a package is given as a script is run where its scripts are. */
export function withScript(
  state: ShellState,
  { name, text }: { readonly name: string; readonly text: Text },
): ShellState {
  const before = state.files.get(setScripts);
  const others = before?.type === "content" ? before.text : ['"scripts"'];
  const command = known(text);
  const entry: Text = command === null ? text : [`${JSON.stringify(name)}: ${JSON.stringify(command)}`];
  return withFile(state, setScripts, { type: "content", text: textOf(...others, "\n", ...entry) });
}

function unescapedJson(text: string): string {
  return text.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, char: string) =>
    code === undefined ? char : String.fromCharCode(Number.parseInt(code, 16)),
  );
}
