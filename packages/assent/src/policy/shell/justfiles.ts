/** With these `just` only tells of the recipes, or a person chooses one of them. */
const telling =
  /^(?:-l|--list|--summary|--choose|-s|--show|--dump|-n|--dry-run|--variables|--groups|--fmt|--init|-e|--edit|--man|--changelog|--completions|--usage|-h|--help|-V|--version)(?:=|$)/;
/** A word follows these. */
const valued =
  /^(?:-f|--justfile|-d|--working-directory|--set|--shell|--shell-arg|--chooser|--color|--command-color|--dotenv-filename|--dotenv-path|-E|--tempdir|--timestamp-format|--list-heading|--list-prefix|--dump-format|--alias-style|--cygpath|--ceiling|--indentation)$/;

type Recipe = { readonly needs: string[]; readonly lines: string[]; readonly program: string | null };
type Justfile = {
  readonly recipes: ReadonlyMap<string, Recipe>;
  readonly aliases: ReadonlyMap<string, string>;
  /** What stands outside of recipes. */
  readonly outside: string;
  readonly values: ReadonlyMap<string, string>;
};

const notFollowed = '"$a_justfile_that_is_not_followed"';
/** One that is not closed goes to the end of its line. */
const strings = /"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?|`[^`\n]*`?/g;

/** The lines of the wanted recipes of a justfile and of those that they need, and what runs before any of them. */
export function justCommands(text: string, words: readonly string[]): string {
  const first = firstOperand(words);
  const options = words.slice(0, first);
  // A program that chooses may choose any.
  const chooses = options.some((word) => /^--chooser(?:=|$)/.test(word));
  if (!chooses && options.some((word, index) => telling.test(word) && !valued.test(options[index - 1] ?? "")))
    return "";
  const read = readJustfile(text);
  const file = read === null ? null : { ...read, values: givenValues(read, words, first) };
  const shell = file === null ? null : listAfter(file.outside, "shell");
  if (file === null || shell === null) return notFollowed;
  const within = (line: string): string => (shell.length === 0 ? line : [...shell, line].map(quoted).join(" "));
  const before = substitutions(file.outside).map(within);
  if (options.includes("--evaluate")) return before.join("\n");
  const operands = words.slice(first);
  const isOpen = chooses || operands[0] === "";
  const lines = wantedRecipes(file, isOpen ? [...file.recipes.keys()] : operands).flatMap((recipe) =>
    linesOf(recipe, file, within),
  );
  return [...before, ...lines].join("\n");
}

/** The texts of names with those that a call gives: `--set a text`, `a=text`; with arguments it is not known what parameters are. */
function givenValues(
  { values, recipes, outside }: Justfile,
  words: readonly string[],
  first: number,
): Justfile["values"] {
  const given = new Map(values);
  const isArgument = (word: string): boolean => !recipes.has(word) && !assignment.test(word);
  if (words.slice(first).some(isArgument))
    for (const name of values.keys())
      if (!new RegExp(`^(?:export\\s+)?${name}\\s*:?=`, "m").test(outside)) given.delete(name);
  for (const [index, word] of words.entries()) {
    const [, name = "", text = ""] =
      word === "--set" ? ["", words[index + 1], words[index + 2]] : (assignment.exec(word) ?? []);
    if (text === "") given.delete(name);
    else given.set(name, text);
  }
  return given;
}

const assignment = /^([A-Za-z_][\w-]*)=(.*)$/s;

/** What follows it is for the recipes. */
function firstOperand(words: readonly string[]): number {
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? "";
    if (!word.startsWith("-")) break;
    at += word === "--set" ? 3 : valued.test(word) ? 2 : 1;
  }
  return Math.min(at, words.length);
}

function wantedRecipes({ recipes, aliases }: Justfile, words: readonly string[]): readonly Recipe[] {
  const names = words.map((word) => word.split(/::|\//).at(-1) ?? "").map((word) => aliases.get(word) ?? word);
  const named = names.filter((name) => recipes.has(name));
  const wanted = new Set(named.length > 0 ? named : [...recipes.keys()].slice(0, 1));
  for (const name of wanted) for (const need of recipes.get(name)?.needs ?? []) if (recipes.has(need)) wanted.add(need);
  return [...wanted].flatMap((name) => recipes.get(name) ?? []);
}

/** What begins a line that is no recipe, and what ends a text or a list of several lines. */
const otherLine = /^(?:(?:set|alias|export|unexport|import\??|mod\??)\s|[\w-]+\s*:=|[\s[\])}"'`]|$)/;
const threefold = /"""|'''|```/g;

/** `null`: it has lines that are not understood. */
function readJustfile(text: string): Justfile | null {
  const reader = new JustfileReader();
  for (const line of text.split(/\r?\n/)) reader.read(line);
  if (reader.failed) return null;
  const outside = reader.outside.join("\n");
  const aliases = outside.matchAll(/^alias[ \t]+([\w-]+)[ \t]*:=[ \t]*(?:[\w-]+::)*([\w-]+)/gm);
  return {
    recipes: reader.recipes,
    aliases: new Map([...aliases].map(([, name = "", recipe = ""]) => [name, recipe])),
    outside,
    values: valuesIn(outside),
  };
}

class JustfileReader {
  readonly recipes = new Map<string, Recipe>();
  readonly outside: string[] = [];
  failed = false;
  #open: Recipe | null = null;
  #program: string | null = null;
  /** What ends the text of several lines that it is in. */
  #until: string | null = null;

  read(line: string): void {
    if (this.#open !== null && /^(?:[ \t]|$)/.test(line)) this.#open.lines.push(line);
    else if (this.#until !== null || !/^\s*#/.test(line)) this.#outside(line);
  }

  #outside(line: string): void {
    const isText = this.#until !== null;
    this.outside.push(line);
    for (const [mark] of line.matchAll(threefold)) {
      if (this.#until === null) this.#until = mark;
      else if (this.#until === mark) this.#until = null;
    }
    if (isText) return;
    const [, name, needs = ""] =
      /^@?([A-Za-z_][\w-]*)(?![\w-])[^:]*:(?!=)(.*)$/.exec(line.replace(strings, "''")) ?? [];
    if (name === undefined) this.#other(line);
    else this.#recipe(name, needs);
  }

  #other(line: string): void {
    if (line.trim() !== "") this.#open = null;
    this.failed ||= !otherLine.test(line);
    this.#program = scriptProgram(line) ?? (line.startsWith("[") ? this.#program : null);
  }

  #recipe(name: string, needs: string): void {
    // Of one name there may be several, each for a system of its own.
    const recipe: Recipe = this.recipes.get(name) ?? { needs: [], lines: [], program: this.#program };
    recipe.needs.push(...(needs.match(/[A-Za-z_][\w-]*/g) ?? []));
    this.recipes.set(name, recipe);
    this.#open = recipe;
    this.#program = null;
  }
}

/** `[script("python3")]`: what runs the whole recipe. */
function scriptProgram(line: string): string | null {
  const [, list] = /^\[.*\bscript\b(?:\s*[(:]\s*([^)\]]*))?/.exec(line) ?? [];
  if (!/^\[.*\bscript\b/.test(line)) return null;
  return list === undefined ? "" : stringsIn(list).map(quoted).join(" ");
}

/** The texts of a setting that is a list; none where there is no such setting, `null` where it is not known. */
function listAfter(outside: string, name: string): readonly string[] | null {
  const [, list] = new RegExp(`^set\\s+${name}\\s*:=\\s*(\\[[^\\]]*\\]|.*)`, "m").exec(outside) ?? [];
  if (list === undefined) return [];
  const isPlain = /^\[[\s,]*\]$/.test(list.replace(strings, ""));
  return isPlain ? stringsIn(list) : null;
}

function stringsIn(list: string): readonly string[] {
  return (list.match(strings) ?? []).map((text) =>
    text.startsWith('"') ? text.slice(1, -1).replace(/\\(.)/g, "$1") : text.slice(1, -1),
  );
}

/** What stands in backticks or is given to `shell` runs with every call. */
function substitutions(text: string): readonly string[] {
  const inBackticks = [...text.matchAll(/```([\s\S]*?)```|`([^`]*)`/g)].map(([, long, short]) => long ?? short ?? "");
  const given = [...text.matchAll(/\bshell\(\s*("(?:[^"\\]|\\.)*"|'[^']*')/g)].flatMap(([, first = ""]) =>
    stringsIn(first),
  );
  return [...inBackticks, ...given];
}

function linesOf({ lines, program }: Recipe, file: Justfile, within: (line: string) => string): readonly string[] {
  const { values } = file;
  const [first = "", ...rest] = lines;
  const [, named] = /^\s*#!\s*(.*)$/.exec(first) ?? [];
  const own = named ?? program;
  if (own !== null) {
    const interpreter = own === "" ? (listAfter(file.outside, "script-interpreter") ?? [notFollowed]).join(" ") : own;
    const indent = /^\s*/.exec(first)?.[0].length ?? 0;
    const body = (named === undefined ? [first, ...rest] : rest).map((line) => line.slice(indent)).join("\n");
    const end = `end_${(body.match(/end_*/g) ?? []).sort().at(-1) ?? ""}`;
    return [`${interpreter === "" ? "sh" : interpreter} <<'${end}'\n${filledIn(body, values)}\n${end}`];
  }
  const logical = lines.join("\n").split(/(?<=(?<!\\)(?:\\\\)*)\n/);
  return logical
    .map((line) => line.trim().replace(/^[@-]+/, ""))
    .filter((line) => line !== "")
    .flatMap((line) => [
      ...[...line.matchAll(/\{\{([^{}]*)\}\}/g)].flatMap(([, inside = ""]) => substitutions(inside)).map(within),
      within(filledIn(line, values)),
    ]);
}

/** The texts that names stand for: those that are assigned, and what parameters are when nothing is given for them. */
function valuesIn(outside: string): ReadonlyMap<string, string> {
  const assigned = outside.matchAll(
    /(?<![\w-])([A-Za-z_][\w-]*)[ \t]*:?=[ \t]*("(?:[^"\\\n]|\\.)*"|'[^'\n]*')(?![ \t]*[+/])/g,
  );
  return new Map([...assigned].map(([, name = "", text = ""]) => [name, stringsIn(text)[0] ?? ""]));
}

/** What is worked out is not known, and only where the command's name depends on it that matters. */
function filledIn(line: string, values: ReadonlyMap<string, string>): string {
  return line.replace(/\{\{([^{}]*)\}\}/g, (_, inside: string) => {
    const name = inside.trim();
    if (/^(?:"[^"\\]*"|'[^']*')$/.test(name)) return name.slice(1, -1);
    return values.get(name) ?? `$\{an_expression}`;
  });
}

function quoted(word: string): string {
  return /^[\w./:=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
