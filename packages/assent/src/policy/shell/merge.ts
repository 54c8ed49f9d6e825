import { oneOf, withLostParameters } from "./one-of.ts";
import type { Ran } from "./shell.ts";
import type { MadeFile, ShellState, Value } from "./state.ts";
import { type Text, textOf } from "./text.ts";

/** More ways through a command than this are taken together: what differs between them is then not known. */
const mostWays = 6;

/** Ways that lead to the same are taken as one; where they differ only in files, either may be there. */
export function distinct(ways: readonly Ran[]): readonly Ran[] {
  const kept: Ran[] = [];
  for (const way of ways) {
    const at = kept.findIndex(
      ({ state, output, ok }) =>
        ok === way.ok &&
        sameText(output, way.output) &&
        isSameShell(state, way.state) &&
        !leadsElsewhere(state.files, way.state.files),
    );
    const before = kept[at];
    if (before === undefined) kept.push(way);
    else kept[at] = { ...before, state: withFilesOf(before.state, way.state) };
  }
  if (kept.length <= mostWays) return kept;
  const state = kept.map((way) => way.state).reduce(merged);
  return [{ state, output: null }];
}

/** A link of each that leads to another place: both must be followed. */
function leadsElsewhere(one: ShellState["files"], other: ShellState["files"]): boolean {
  if (one === other) return false;
  return [...other].some(([path, made]) => {
    const its = one.get(path);
    return made.type === "link" && its?.type === "link" && !sameText(made.of, its.of);
  });
}

function withFilesOf(one: ShellState, other: ShellState): ShellState {
  if (isSameMap(one.files, other.files)) return one;
  const files = new Map(one.files);
  for (const [path, made] of other.files) files.set(path, eitherFile(files.get(path), made));
  return { ...one, files };
}

/** One of two contents is as bad as both; of a content and a link, or of two links, either may be there. */
function eitherFile(one: MadeFile | undefined, other: MadeFile): MadeFile {
  if (one === undefined || JSON.stringify(one) === JSON.stringify(other)) return other;
  if (one.type !== "content" || other.type !== "content") return { type: "written", by: "one of several commands" };
  return { type: "content", text: textOf(...one.text, "\n", ...other.text) };
}

/** Whether they hold the same, however they came about. */
export function isSameState(one: ShellState, other: ShellState): boolean {
  return isSameShell(one, other) && isSameMap(one.files, other.files);
}

function isSameShell(one: ShellState, other: ShellState): boolean {
  if (one === other) return true;
  return (
    one.parameters === other.parameters &&
    one.search === other.search &&
    one.aliases === other.aliases &&
    isSameMap(one.functions, other.functions) &&
    sameText(one.cwd, other.cwd) &&
    isSameMap(one.variables, other.variables)
  );
}

function isSameMap<Kept>(one: ReadonlyMap<string, Kept>, other: ReadonlyMap<string, Kept>): boolean {
  if (one === other) return true;
  if (one.size !== other.size) return false;
  for (const [name, value] of one) {
    const its = other.get(name);
    if (value !== its && (its === undefined || isNode(value) || JSON.stringify(value) !== JSON.stringify(its)))
      return false;
  }
  return true;
}

/** A part of a program: too big to be compared, and the same only if it is itself. */
function isNode(value: unknown): boolean {
  return typeof value === "object" && value !== null && "body" in value;
}

function sameText(one: Text | null, other: Text | null): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** One output of all ways, or `null`. */
export function commonOutput(ways: readonly Ran[]): Text | null {
  const [first, ...others] = ways;
  if (first === undefined) return [];
  return others.every(({ output }) => sameText(first.output, output)) ? first.output : null;
}

export function joinOutput(before: Text | null, added: Text | null): Text | null {
  return before === null || added === null ? null : textOf(...before, ...added);
}

/** What holds in both; what differs is not known. */
function merged(one: ShellState, other: ShellState): ShellState {
  if (one === other) return one;
  const state = {
    cwd: sameText(one.cwd, other.cwd) ? one.cwd : ([{ hole: "path", from: ".", made: true }] as const),
    variables: mergedMaps(one.variables, other.variables, (name, ...values) => oneOf(name, values)),
    functions: mergedMaps(one.functions, other.functions, () => null),
    aliases: new Map([...one.aliases, ...other.aliases]),
    parameters: one.parameters,
    files: new Map([...one.files, ...other.files]),
    search: one.search ?? other.search,
  };
  return one.parameters === other.parameters ? state : withLostParameters(state, one.parameters, other.parameters);
}

function mergedMaps<Kept>(
  one: ReadonlyMap<string, Kept>,
  other: ReadonlyMap<string, Kept>,
  unsure: (name: string, one: Kept | undefined, other: Kept | undefined) => Kept,
): ReadonlyMap<string, Kept> {
  if (one === other) return one;
  const both = new Map<string, Kept>();
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const value = one.get(name);
    const its = other.get(name);
    both.set(name, value !== undefined && value === its ? value : unsure(name, value, its));
  }
  return both;
}

/** A state in which everything that changed between the two may have changed any number of times. */
export function repeated(before: ShellState, after: ShellState): ShellState {
  if (before === after) return after;
  const variables = new Map(after.variables);
  for (const [name, value] of after.variables) {
    if (before.variables.get(name) !== value) variables.set(name, anyOf(name, value));
  }
  const functions = new Map(after.functions);
  for (const [name, definition] of after.functions)
    if (before.functions.get(name) !== definition) functions.set(name, null);
  const state = {
    ...after,
    variables,
    functions: before.functions === after.functions ? after.functions : functions,
    cwd: sameText(before.cwd, after.cwd) ? after.cwd : ([{ hole: "path", from: "." }] as const),
  };
  return before.parameters === after.parameters
    ? state
    : withLostParameters(state, before.parameters, after.parameters);
}

/** A number that is counted up stays a number. */
function anyOf(name: string, value: Value): Value {
  const isWord = value.type === "text" && value.text.length === 1 && isWordHole(value.text[0]);
  return isWord ? { type: "text", text: [{ hole: "word", from: `$${name}` }] } : oneOf(name, [value]);
}

function isWordHole(piece: Text[number] | undefined): boolean {
  return typeof piece === "object" && piece.hole === "word";
}
