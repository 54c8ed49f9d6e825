import type { Language } from "./code/index.ts";
import { justCommands } from "./justfiles.ts";
import { packageCommands, runsScriptOf, setScriptAt } from "./package-scripts.ts";
import { resolvePath } from "./paths.ts";
import { type MadeFile, placeKey, type ShellState } from "./state.ts";
import { taskfileCommands } from "./taskfiles.ts";
import { type Argument, known, type Text, textOf } from "./text.ts";

/** A text that a program would run, because the command itself has just written it. */
export type MadeScript = { readonly path: string; readonly language: Language | "shell"; readonly text: Text };

type Reader = {
  readonly names: RegExp;
  readonly file: RegExp;
  /** Whether the words name that file as the one to be read. */
  readonly named: (file: string, words: readonly string[]) => boolean;
  readonly commands: (text: string, words: readonly string[]) => string;
};

/** Programs that run what a file of the project says, and which file that is. */
const readers: readonly Reader[] = [
  { names: /^(?:g|b|p|nmake)?make$/, file: /^(?:GNUm|M|m)akefile$|\.mk$/, named: isAnywhere, commands: recipes },
  { names: /^(?:npm|npx|yarn|pnpm|bun)$/, file: /^package\.json$/, named: () => false, commands: packageCommands },
  { names: /^just$/, file: /^\.?justfile$|\.just$/i, named: isOfOption, commands: justCommands },
  { names: /^(?:go-)?task$/, file: /^Taskfile(?:\.dist)?\.ya?ml$/i, named: isOfOption, commands: taskfileCommands },
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
  rakefile: "ruby",
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

type Content = Extract<MadeFile, { readonly type: "content" }>;
type Call = { readonly name: string; readonly given: readonly string[]; readonly own: string | null };

/** What a program would run of files that the command itself has just written. */
export function madeScripts(name: string, words: readonly Argument[], state: ShellState): readonly MadeScript[] {
  if (state.files.size === 0) return [];
  const given = words.map(({ text }) => known(text) ?? "");
  const call: Call = { name, given, own: scriptOf(name, words, state) };
  return [...state.files].flatMap(([path, made]) => {
    const ran = made.type === "content" ? ranOf(path, made, call) : null;
    return ran === null ? [] : [{ path, ...ran }];
  });
}

function ranOf(path: string, made: Content, call: Call): Pick<MadeScript, "language" | "text"> | null {
  const { name, given } = call;
  const script = setScriptAt(path);
  if (script !== null) return runsScriptOf(name, given, script) ? { language: "shell", text: made.text } : null;
  const file = path.split("/").at(-1) ?? "";
  const commands = commandsFor(name, file, given);
  if (commands === null) {
    const language = languageOf(name, file, given);
    return language === null || isOther(file, made, call) ? null : { language, text: made.text };
  }
  const text = known(made.text);
  return { language: "shell", text: text === null ? made.text : textOf(commands(text, given)) };
}

function commandsFor(name: string, file: string, given: readonly string[]): Reader["commands"] | null {
  const reader = readers.find(({ names }) => names.test(name));
  if (reader !== undefined && (reader.file.test(file) || reader.named(file, given))) return reader.commands;
  return (compiled.test(file) && isRunner(name, given)) || (name === "cargo" && file === "build.rs")
    ? commandsIn
    : null;
}

function isAnywhere(file: string, given: readonly string[]): boolean {
  return given.some((word) => isCalled(word, file) || word.endsWith(`=${file}`));
}

/** Behind an option that says which file to read. */
function isOfOption(file: string, given: readonly string[]): boolean {
  return given.some((word, index) => {
    const [, short, long] = /^(?:-[ft](.+)|--(?:justfile|taskfile)=(.*))$/.exec(word) ?? [];
    const value = short ?? long ?? (/^(?:-[ft]|--(?:justfile|taskfile))$/.test(given[index - 1] ?? "") ? word : "");
    return isCalled(value, file);
  });
}

function isCalled(word: string, file: string): boolean {
  return word === file || word.endsWith(`/${file}`);
}

function isRunner(name: string, given: readonly string[]): boolean {
  if (/^(?:go|cargo|dotnet|swift)$/.test(name)) return given.some((word) => /^(?:run|test|bench|generate)$/.test(word));
  return compilers.test(name);
}

/** The language of a file that the program would run or load. */
function languageOf(name: string, file: string, given: readonly string[]): Language | null {
  const letter = /^(?:node|ruby|perl)$/.test(name) ? "-c" : name === "php" ? "-l" : null;
  const checksOnly = given.some((word) => word === letter || checks.test(word));
  const language = extensions[file.split(".").at(-1) ?? ""];
  return language === undefined || checksOnly || !isLoaded(name, file, given) ? null : language;
}

const interpreters = /^(?:python[\d.]*|node|bun|tsx|ts-node|ruby|php|perl|lua)$/;
/** Loaded by themselves, or by what tests and sets up. */
const loadedAnyway = /^(?:conftest|sitecustomize|usercustomize|setup|noxfile)\.py$|config|rc\.[cm]?[jt]s$|^\./i;

/** The program and the script that it runs, where nothing stands before it that would load another. */
export function scriptOf(name: string, [first]: readonly Argument[], { cwd }: ShellState): string | null {
  const script = first === undefined ? null : known(first.text);
  if (script === null || script.startsWith("-") || !interpreters.test(name)) return null;
  const path = placeKey(resolvePath([script], cwd));
  return path === null || !((script.split(".").at(-1) ?? "") in extensions) ? null : `${name} ${path}`;
}

/** What the same script has printed before into a file that it is not given: a result of it, and no part. */
function isOther(file: string, { text, by }: Content, { given, own }: Call): boolean {
  const isUnknown = text.length > 0 && text.every((piece) => typeof piece === "object" && piece.made !== true);
  if (!isUnknown || own === null || by !== own || loadedAnyway.test(file)) return false;
  return given.every((word) => !word.endsWith(file));
}

function isLoaded(name: string, file: string, given: readonly string[]): boolean {
  if (runners.test(name) || (loaders.test(name) && setUp.test(file))) return true;
  if (builders.test(name) && building.test(file)) return true;
  return named.test(name) && given.includes("run") && given.some((word) => word.endsWith(file));
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
