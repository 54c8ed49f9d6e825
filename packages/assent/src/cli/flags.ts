import { parseArgs } from "node:util";

/** A command line that cannot be meant: told with its usage, exit code 2. */
export class UsageError extends Error {}

export type Flags = {
  readonly options: Readonly<Record<string, "string" | "boolean">>;
  /** The arguments beside the options, as the usage shows them: `<needed>` or `[possible]`. */
  readonly arguments: readonly string[];
};

export type Given = {
  readonly arguments: readonly string[];
  text(name: string): string | undefined;
  has(name: string): boolean;
};

/** Reads a command's own part of the command line; what is unknown is an error with a suggestion. */
export function readFlags(argv: readonly string[], flags: Flags): Given {
  const options = Object.fromEntries(Object.entries(flags.options).map(([name, type]) => [name, { type }]));
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const given: string[] = [];
  const texts = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === "positional") given.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (texts.has(name)) throw new UsageError(`${rawName} is given twice`);
    checkOption(rawName, value, flags.options[name] ?? unknownOption(rawName, Object.keys(flags.options)));
    texts.set(name, value ?? "");
  }
  checkCount(given, flags.arguments);
  return { arguments: given, text: (name) => texts.get(name), has: (name) => texts.has(name) };
}

export function oneOf<const T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((each) => each === value);
  if (found === undefined)
    throw new UsageError(`${name}: expected ${known.join(", ")}, found ${JSON.stringify(value)}`);
  return found;
}

/** The known word that is nearest to what was typed, if one is near enough to be meant. */
function nearest(typed: string, known: readonly string[]): string | undefined {
  const most = Math.max(1, Math.floor(typed.length / 3));
  return known
    .map((word) => ({ word, distance: distance(typed, word) }))
    .filter((each) => each.distance <= most)
    .sort((one, other) => one.distance - other.distance)[0]?.word;
}

export function suggestion(typed: string, known: readonly string[]): string {
  const near = nearest(typed, known);
  return near === undefined ? "" : `; did you mean ${near}?`;
}

function checkCount(given: readonly string[], expected: Flags["arguments"]): void {
  const needed = expected.filter((name) => name.startsWith("<")).length;
  if (given.length >= needed && given.length <= expected.length) return;
  const wanted = expected.length === 0 ? "no argument" : expected.join(" ");
  const found = given.length === 0 ? "none" : given.map((each) => JSON.stringify(each)).join(" ");
  throw new UsageError(`expected ${wanted}, found ${found}`);
}

function checkOption(rawName: string, value: string | undefined, type: "string" | "boolean"): void {
  if (type === "string" && value === undefined) throw new UsageError(`${rawName} needs a value`);
  if (type === "boolean" && value !== undefined) {
    throw new UsageError(`${rawName} takes no value, found ${JSON.stringify(value)}`);
  }
}

function unknownOption(typed: string, known: readonly string[]): never {
  const names = known.map((name) => `--${name}`);
  throw new UsageError(`unknown option ${JSON.stringify(typed)}${suggestion(typed, names)}`);
}

/** How many letters must be added, taken away or changed. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [index, letter] of [...one].entries()) {
    const next = [index + 1];
    for (const [column, its] of [...other].entries()) {
      const change = (row[column] ?? 0) + (letter === its ? 0 : 1);
      next.push(Math.min(change, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
