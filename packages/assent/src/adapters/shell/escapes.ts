import { controlKey, type Key, type KeyName, named } from "./key-names.ts";

/** What stands at the beginning of the input: no bytes taken means that its end has not come; null means no key. */
export type Decoded = { readonly taken: number; readonly meaning: Key | "paste" | null };

const unfinished: Decoded = { taken: 0, meaning: null };
/** Longer ones no terminal sends: whatever it is, it must not hold back what is typed behind it. */
const longestSequence = 256;

/** Reads what begins with an escape, in all the ways in which terminals have written the same keys. */
export function decodeEscape(input: Buffer): Decoded {
  const second = input[1];
  switch (second) {
    case undefined:
      return unfinished;
    case code("["):
      return sequence(input);
    case code("O"):
      return keypad(input);
    case code("]"):
    case code("P"):
    case code("X"):
    case code("^"):
    case code("_"):
      return told(input);
    case 0x1b:
      return doubled(input);
    default:
      return withAlt(input, second);
  }
}

/** `ESC [ parameters final`, where one terminal ends with `$` and the console's function keys have a second bracket. */
function sequence(input: Buffer): Decoded {
  if (input[2] === code("[")) return input.length < 4 ? unfinished : { taken: 4, meaning: null };
  for (let at = 2; at < input.length && at < longestSequence; at++) {
    const byte = input[at] ?? 0;
    if (isFinal(byte) || (byte === code("$") && isDigit(input[2]))) {
      return { taken: at + 1, meaning: keyOf(input.toString("latin1", 2, at), String.fromCharCode(byte)) };
    }
    // No part of one: what came so far is none, and this begins something else.
    if (byte < 0x20 || byte > 0x3f) return { taken: at, meaning: null };
  }
  return input.length < longestSequence ? unfinished : { taken: longestSequence, meaning: null };
}

/** `ESC O final`: keys in application mode, some with a number for what was held with them. */
function keypad(input: Buffer): Decoded {
  for (let at = 2; at < input.length && at < longestSequence; at++) {
    const byte = input[at] ?? 0;
    if (isDigit(byte) || byte === code(";")) continue;
    if (!isFinal(byte)) return { taken: at, meaning: null };
    const held = input.toString("latin1", 2, at);
    return { taken: at + 1, meaning: keypadKey(String.fromCharCode(byte), held) };
  }
  return input.length < longestSequence ? unfinished : { taken: longestSequence, meaning: null };
}

/** What a terminal tells of itself: up to a bell or `ESC \`. */
function told(input: Buffer): Decoded {
  for (let at = 2; at < input.length; at++) {
    if (input[at] === 0x07) return { taken: at + 1, meaning: null };
    if (input[at] !== 0x1b) continue;
    if (at + 1 === input.length) return unfinished;
    return { taken: input[at + 1] === code("\\") ? at + 2 : at, meaning: null };
  }
  return unfinished;
}

/** Some send Alt as an escape before what the key sends anyway. */
function doubled(input: Buffer): Decoded {
  const third = input[2];
  if (third === undefined) return unfinished;
  if (third !== code("[") && third !== code("O")) return { taken: 1, meaning: named("escape") };
  const { taken, meaning } = decodeEscape(input.subarray(1));
  if (taken === 0) return unfinished;
  return { taken: taken + 1, meaning: heldKey(meaning) };
}

function heldKey(meaning: Decoded["meaning"]): Decoded["meaning"] {
  if (meaning === null || meaning === "paste" || meaning.type !== "key") return meaning;
  return named(wordKeys[meaning.name] ?? meaning.name);
}

/** What a key does to a word when Ctrl or Alt is held. */
const wordKeys: { readonly [name in KeyName]?: KeyName } = {
  left: "word-left",
  right: "word-right",
  delete: "kill-word-right",
  backspace: "kill-word-left",
  enter: "newline",
};

const altKeys: Readonly<Record<string, KeyName>> = {
  b: "word-left",
  f: "word-right",
  d: "kill-word-right",
  "\x7f": "kill-word-left",
  "\b": "kill-word-left",
  "\r": "newline",
  "\n": "newline",
};

function withAlt(input: Buffer, second: number): Decoded {
  const name = altKeys[String.fromCharCode(second).toLowerCase()];
  if (name !== undefined) return { taken: 2, meaning: named(name) };
  // Escape, and then something else, typed fast: each counts.
  if (second < 0x20) return { taken: 1, meaning: named("escape") };
  const length = characterLength(second);
  return input.length < 1 + length ? unfinished : { taken: 1 + length, meaning: null };
}

function characterLength(first: number): number {
  if (first >= 0xf0) return 4;
  if (first >= 0xe0) return 3;
  return first >= 0xc2 ? 2 : 1;
}

const letterKeys: Readonly<Record<string, KeyName>> = {
  A: "up",
  B: "down",
  C: "right",
  D: "left",
  a: "up",
  b: "down",
  c: "right",
  d: "left",
  F: "end",
  H: "home",
  Z: "backtab",
};

const numberKeys: Readonly<Record<string, KeyName>> = {
  1: "home",
  3: "delete",
  4: "end",
  5: "page-up",
  6: "page-down",
  7: "home",
  8: "end",
};

function keyOf(parameters: string, final: string): Key | "paste" | null {
  const [first = "", second = "", third = ""] = parameters.split(";");
  switch (final) {
    case "~":
      if (parameters === "200") return "paste";
      if (first === "27") return characterKey(third, second);
      return keyWith(numberKeys[first], second);
    case "u":
      return characterKey(first, second);
    // With shift, with Ctrl, with both.
    case "$":
      return keyWith(numberKeys[first], "");
    case "^":
    case "@":
      return keyWith(numberKeys[first], "5");
    default:
      return parameters === "" || /^\d+(?:;\d+(?::\d+)?)?$/.test(parameters)
        ? keyWith(letterKeys[final], second)
        : null;
  }
}

function keypadKey(final: string, held: string): Key | null {
  if (final === "M") return named("enter");
  // Small letters are the arrows with Ctrl; capital ones may have what is held before them.
  if (/[a-d]/.test(final)) return keyWith(letterKeys[final], "5");
  return final === "Z" ? null : keyWith(letterKeys[final], held.split(";").at(-1) ?? "");
}

/** One more than the sum of 1 for shift, 2 for Alt, 4 for Ctrl; then maybe a colon, and 3 for a key that was let go. */
function heldWith(modifier: string): { shift: boolean; alt: boolean; ctrl: boolean; released: boolean } {
  const [bits = "", event = ""] = modifier.split(":");
  const held = Math.max(0, Number(bits || "1") - 1);
  return { shift: (held & 1) !== 0, alt: (held & 2) !== 0, ctrl: (held & 4) !== 0, released: event === "3" };
}

function keyWith(name: KeyName | undefined, modifier: string): Key | null {
  const { alt, ctrl, released } = heldWith(modifier);
  if (name === undefined || released) return null;
  return named(alt || ctrl ? (wordKeys[name] ?? name) : name);
}

/** A key told by the number of its character. */
function characterKey(character: string, modifier: string): Key | null {
  const { shift, alt, ctrl, released } = heldWith(modifier);
  const point = Number(character.split(":")[0]);
  if (released || !Number.isInteger(point) || point <= 0 || point > 0x10ffff) return null;
  if (point === 9 && shift) return named("backtab");
  if (point === 13 && (shift || ctrl)) return named("newline");
  if (alt) return altKey(point);
  if (point === 27) return named("escape");
  return plainKey(ctrl ? controlByte(point) : point, modifier);
}

function plainKey(point: number, modifier: string): Key | null {
  if (point < 0x20 || point === 0x7f) return keyWith(controlKey(point) ?? undefined, modifier);
  // A keyboard's own keys are numbered where Unicode leaves room to anybody.
  if (heldWith(modifier).ctrl || (point >= 0xe000 && point <= 0xf8ff)) return null;
  return { type: "text", text: String.fromCodePoint(point) };
}

function altKey(point: number): Key | null {
  const name = altKeys[String.fromCodePoint(point).toLowerCase()];
  return name === undefined ? null : named(name);
}

/** The letter's control character; Ctrl-/ and Ctrl-- are where Ctrl-_ is. */
function controlByte(point: number): number {
  if (point < 0x20 || point === 0x7f) return point;
  if (point === code("/") || point === code("-") || point === code("_")) return 0x1f;
  const upper = point >= code("a") && point <= code("z") ? point - 0x20 : point;
  return upper >= code("@") && upper <= code("_") ? upper - 0x40 : point;
}

function code(character: string): number {
  return character.charCodeAt(0);
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isFinal(byte: number): boolean {
  return byte >= 0x40 && byte <= 0x7e;
}
