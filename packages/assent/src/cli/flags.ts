import { parseArgs } from "node:util";
import { suggestion } from "../slash/names.ts";
import { type CommandSpec, helpOption, type OptionSpec } from "./specs/spec.ts";

export { suggestion };

/** A command line that cannot be meant: told in a line, exit code 2. */
export class UsageError extends Error {}

export type Given = {
  readonly arguments: readonly string[];
  text(name: string): string | undefined;
  has(name: string): boolean;
};

/** Reads a command's own part of the command line; what is unknown is an error with a suggestion. */
export function readFlags(argv: readonly string[], spec: CommandSpec): Given {
  const typeOf = ({ value }: OptionSpec) => (value === undefined ? "boolean" : "string");
  const options = Object.fromEntries(
    Object.entries(spec.options).map(([name, option]) => [name, { type: typeOf(option) } as const]),
  );
  const { tokens } = parseArgs({ args: [...argv], options, strict: false, allowPositionals: true, tokens: true });
  const given: string[] = [];
  const texts = new Map<string, string>();
  for (const token of tokens) {
    if (token.kind === "positional") given.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (texts.has(name)) throw new UsageError(`${rawName} is given twice`);
    const option = Object.hasOwn(spec.options, name) ? spec.options[name] : undefined;
    checkOption(rawName, value, { takesValue: (option ?? unknownOption(rawName, spec)).value !== undefined });
    texts.set(name, value ?? "");
  }
  checkCount(given, spec);
  return { arguments: given, text: (name) => texts.get(name), has: (name) => texts.has(name) };
}

export function oneOf<const T extends string>(name: string, value: string, known: readonly T[]): T {
  const found = known.find((each) => each === value);
  if (found === undefined)
    throw new UsageError(
      `${name}: expected ${known.join(", ")}, found ${JSON.stringify(value)}${suggestion(value, known)}`,
    );
  return found;
}

/** Which of its parts a command is told to do; without its flags, which that part reads. */
export function partOf<T extends Readonly<Record<string, CommandSpec>>>(
  command: string,
  typed: string | undefined,
  parts: T,
): Extract<keyof T, string> {
  for (const name in parts) if (name === typed) return name;
  if (typed?.startsWith("-")) unknownOption(typed, { options: {} });
  const known = Object.keys(parts);
  const found = typed === undefined ? "none" : `${JSON.stringify(typed)}${suggestion(typed, known)}`;
  throw new UsageError(`${command}: expected ${known.join(known.length === 2 ? " or " : ", ")}, found ${found}`);
}

function checkCount(given: readonly string[], { arguments: expected, parts = {} }: CommandSpec): void {
  const needed = expected.filter(({ name }) => name.startsWith("<")).length;
  const most = expected.reduce((sum, { most: each = 1 }) => sum + each, 0);
  if (given.length >= needed && given.length <= most) return;
  const names = expected.map(({ name, most: each = 1 }) => (each > 1 ? `${name}…` : name));
  const wanted = names.length === 0 ? "no argument" : names.join(" ");
  const found = given.length === 0 ? "none" : given.map((each) => JSON.stringify(each)).join(" ");
  throw new UsageError(`expected ${wanted}, found ${found}${suggestion(given[0] ?? "", Object.keys(parts))}`);
}

function checkOption(
  rawName: string,
  value: string | undefined,
  { takesValue }: { readonly takesValue: boolean },
): void {
  if (takesValue && value === undefined) throw new UsageError(`${rawName} needs a value`);
  if (!takesValue && value !== undefined) {
    throw new UsageError(`${rawName} takes no value, found ${JSON.stringify(value)}`);
  }
}

function unknownOption(typed: string, { options, alsoKnown = {} }: Pick<CommandSpec, "options" | "alsoKnown">): never {
  const names = Object.keys({ ...options, ...alsoKnown, ...helpOption }).map((name) => `--${name}`);
  throw new UsageError(`unknown option ${JSON.stringify(typed)}${suggestedOption(typed, names)}`);
}

/** Of a letter, the only option that begins with it. */
function suggestedOption(typed: string, names: readonly string[]): string {
  const near = suggestion(typed, names);
  const [first, ...others] = /^-[a-z]$/.test(typed) ? names.filter((name) => name.startsWith(`-${typed}`)) : [];
  return near !== "" || first === undefined || others.length > 0 ? near : `; did you mean ${first}?`;
}
