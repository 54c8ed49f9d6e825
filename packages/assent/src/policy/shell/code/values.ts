import type { Hole, Text } from "../text.ts";
import type { Language } from "./language.ts";

/**
 * A value as far as the text of a program tells it. Unknown parts of a text are private-use characters, so that texts can be
 * cut and joined as plain strings: `unknownPart`, or one for each hole of the command.
 */
export type Value =
  /** `joined`: put together from several pieces. */
  | { readonly is: "text"; readonly text: string; readonly joined?: boolean }
  | { readonly is: "number"; readonly number: number; readonly raw: string }
  /** Arrays, tuples, objects and hashes. */
  | { readonly is: "list"; readonly items: readonly Value[]; readonly named: Named; more: boolean }
  /** A name with all its members (`os.system`); with `call`, what such a call returns. */
  | { readonly is: "name"; readonly path: string; readonly call?: Call }
  /** Several values that are not known: `*args`, `...rest`. */
  | { readonly is: "rest" }
  | { readonly is: "unknown" };

export type Named = ReadonlyMap<string, Value>;

export type Call = {
  readonly path: string;
  readonly args: readonly Value[];
  readonly named: Named;
  /** What the method was called on. */
  readonly receiver: Value;
};

/** What stands in brackets. */
export type Group = {
  readonly items: readonly Value[];
  readonly named: Map<string, Value>;
  readonly commas: boolean;
};

export const unknown: Value = { is: "unknown" };
/** Made of a text that stands in the program, in a way that is not followed. */
const hiddenPath = "hidden()";
export const hiddenText: Value = { is: "name", path: hiddenPath };

export function isHidden(value: Value | string | undefined): boolean {
  return typeof value === "object" && value.is === "name" && value.path.startsWith(hiddenPath);
}

export const noNames: Named = new Map();
export const unknownPart = "\uF8FF";
/** A folder that is not known, but surely not nothing: what a path begins with that is joined by a function. */
export const folderPart = "\uF8FE";
const firstHole = 0xe000;
const holeLimit = 0x1000;
const holes = /[\uE000-\uF8FF]/u;
const aroundHoles = /([\uE000-\uF8FF])/u;
const anything: Hole = { hole: "any", from: "…" };
const anyFolder: Hole = { hole: "path", from: "…" };

/** The text of these characters, by their numbers. */
export function textOfCodes(codes: readonly Value[]): Value | undefined {
  const numbers = codes.flatMap((code) => (code.is === "number" && isCharacter(code.number) ? [code.number] : []));
  return numbers.length === codes.length ? textValue(String.fromCodePoint(...numbers), true) : undefined;
}

function isCharacter(number: number): boolean {
  return Number.isInteger(number) && number > 0 && number < firstHole;
}

export function textValue(text: string, joined = false): Value {
  return joined ? { is: "text", text, joined } : { is: "text", text };
}

export function listValue(items: readonly Value[], named: Named = noNames): Value {
  return { is: "list", items, named, more: items.some(({ is }) => is === "rest") };
}

/** The words of a text, parted by blanks. */
export function wordsValue(text: string): Value {
  const words = text.split(/\s+/u).filter((word) => word !== "");
  return listValue(words.map((word) => textValue(word)));
}

export function isKnown(text: string): boolean {
  return !holes.test(text);
}

/** The known beginning. */
export function knownStart(text: string): string {
  const end = text.search(holes);
  return end < 0 ? text : text.slice(0, end);
}

/** The command's text as one string; the holes are the characters that `asText` turns back. */
export function flatten(text: Text): { readonly flat: string; readonly holes: readonly Hole[] } {
  const found: Hole[] = [];
  const flat = text.map((piece) => {
    if (typeof piece === "string") return piece;
    found.push(piece);
    return found.length > holeLimit ? unknownPart : String.fromCharCode(firstHole + found.length - 1);
  });
  return { flat: flat.join(""), holes: found };
}

export function asText(flat: string, known: readonly Hole[]): Text {
  if (isKnown(flat)) return flat === "" ? [] : [flat];
  const pieces = flat.split(aroundHoles).filter((piece) => piece !== "");
  return pieces.map((piece) => {
    if (isKnown(piece)) return piece;
    return piece === folderPart ? anyFolder : (known[piece.charCodeAt(0) - firstHole] ?? anything);
  });
}

/** A name in the folder has begun: whatever follows, the place is below it. */
const goesOn = /^(?![/~]|.*(?:\.\.|[\uE000-\uF8FF])).*[^/.][^/]*$/su;

/** What `a + b` is where both could be texts. */
export function joinValues(left: Value, right: Value): Value {
  if (left.is === "list" && right.is === "list") {
    return { is: "list", items: [...left.items, ...right.items], named: noNames, more: left.more || right.more };
  }
  if (left.is === "list") return { is: "list", items: left.items, named: left.named, more: true };
  if (isHidden(left) || isHidden(right))
    return left.is === "text" && goesOn.test(left.text) ? textValue(`${left.text}${unknownPart}`, true) : hiddenText;
  if (left.is !== "text" && right.is !== "text" && pieceOf(right) !== "/") return unknown;
  const joined = pieceOf(left) + pieceOf(right);
  return joined.length > 20_000 ? textValue(unknownPart) : textValue(joined, true);
}

/** The folder that the program runs in. */
const here = new Set(
  "process.cwd() os.getcwd() Dir.pwd getcwd() Path.cwd() pathlib.Path.cwd() __dirname import.meta.dirname __DIR__".split(
    " ",
  ),
);
const separators = new Set(["os.sep", "os.path.sep", "path.sep", "File.SEPARATOR", "DIRECTORY_SEPARATOR"]);

export function pieceOf(value: Value): string {
  if (value.is === "text") return value.text;
  if (value.is === "name" && separators.has(value.path)) return "/";
  if (value.is === "name" && here.has(value.path)) return ".";
  return value.is === "number" ? value.raw : unknownPart;
}

const pathObjects: Partial<Readonly<Record<Language, string>>> = { python: "pathlib.Path()", ruby: "Pathname()" };

export type Operation = "joins" | "divides" | "formats";

/** What two values that follow each other give. */
export function combined(left: Value, right: Value, operation: Operation | undefined, language: Language): Value {
  if (operation === "formats" && left.is === "text") return formatted(left.text);
  const addsPath = operation === "joins" && left.is === "name" && left.path === pathObjects.ruby;
  if (operation === "divides" || addsPath) return below(left, right, language);
  const isAdjacent = left.is === "text" && right.is === "text";
  return operation === "joins" || isAdjacent ? joinValues(left, right) : unknown;
}

export function joinedPath(values: readonly Value[], whole = /^(?:\/|~(?:\/|$))/u): Value | undefined {
  if (values.length === 0) return undefined;
  let joined = "";
  for (const value of values) {
    const piece = textIn(value) ?? (joined === "" ? folderPart : unknownPart);
    if (joined === "" || whole.test(piece)) joined = piece;
    else joined = joined.endsWith("/") ? joined + piece : `${joined}/${piece}`;
  }
  return textValue(joined);
}

/** `Path("a") / "b"`; nothing else is divided by a text. */
function below(value: Value, operand: Value, language: Language): Value {
  const path = pathObjects[language];
  const folder = textIn(value);
  if (path === undefined || (folder === undefined && operand.is !== "text")) return unknown;
  const isWhole = textIn(operand)?.startsWith("/") === true;
  const joined = isWhole ? operand : joinValues(textValue(`${folder ?? folderPart}/`), operand);
  return { is: "name", path, call: { path, args: [joined], named: noNames, receiver: unknown } };
}

const directive = /%%|%(?:\{[^{}]{0,80}\}|(?:\([^()]{0,80}\)|<[^<>]{0,80}>)?[-+ #'*\d.$]{0,9}[A-Za-z])/gu;

/** `"a %s" % b` */
export function formatted(text: string): Value {
  const filled = text.replace(directive, (each) => (each === "%%" ? "" : unknownPart));
  return filled.includes("%")
    ? textValue(unknownPart)
    : textValue(
        text.replace(directive, (each) => (each === "%%" ? "%" : unknownPart)),
        true,
      );
}

/** The text, also that of a path object or an address object. */
export function textIn(value: Value | undefined): string | undefined {
  if (value?.is === "text") return value.text;
  if (value?.is === "name" && here.has(value.path)) return ".";
  return value?.is === "name" && value.call !== undefined && wraps.test(value.path)
    ? textIn(value.call.args[0])
    : undefined;
}

const wraps = /(?:Path|Pathname|Pathname\.new|File\.new|URI|URI\.parse|URL|Request|Paths\.get|File)\(\)$/u;

export function argument(call: Call, index: number, ...names: readonly string[]): Value | undefined {
  for (const name of names) {
    const named = call.named.get(name);
    if (named !== undefined) return named;
  }
  return call.args[index];
}

/** What it is as a key: a name that stands alone, or a text. */
export function keyOf(key: {
  readonly name: string | undefined;
  readonly value: Value | undefined;
}): string | undefined {
  const { name, value } = key;
  if (name !== undefined) return name;
  if (value?.is === "text") return value.text;
  return value?.is === "name" && value.call === undefined ? value.path : undefined;
}
