import { filtered } from "./filters.ts";
import { listedPlaces } from "./listed-places.ts";
import { isPlain } from "./one-of.ts";
import type { Input } from "./shell.ts";
import type { Spec } from "./spec.ts";
import { type Argument, type Hole, known, type Text, textOf } from "./text.ts";

export type Printing = {
  readonly name: string;
  readonly words: readonly Argument[];
  readonly input: Input | null;
  readonly spec: Spec | undefined;
  readonly cwd: Text;
  readonly contentOf: (path: Argument) => Text | null;
};

/** What a command prints, where that can be said: simple ones are often used to make a word of another command. */
export function printed({ name, words, input, spec, cwd, contentOf }: Printing): Text | null {
  switch (name) {
    case "echo":
      return echoed(words);
    case "printf":
      return formatted(words);
    case "basename":
    case "dirname":
      return placeName(name, words) ?? [hole("path", name)];
    case "seq":
      return counted(words) ?? [hole("word", name)];
    case "cat":
    case "tee":
      return shownInput(name, words, { input, contentOf });
    case "pwd":
      return textOf(...cwd, "\n");
    case "true":
    case ":":
    case "false":
    case "sleep":
      return [];
    case "mkdir":
    case "rm":
      return words.some(({ text }) => /^-.*v|^--verb/.test(known(text) ?? "-v")) ? null : [];
    case "which":
      return found(words);
    case "command":
    case "type":
      return ["-v", "-P", "-p"].includes(known(words[0]?.text ?? []) ?? "") ? found(words.slice(1)) : null;
    default:
      return (
        listedPlaces(name, words, input?.type === "text" ? input.text : null) ?? made({ name, words, input, spec })
      );
  }
}

/** What comes in, or what the command itself has put into a file: that is not followed further, but it matters what it is. */
function shownInput(
  name: string,
  words: readonly Argument[],
  { input, contentOf }: Pick<Printing, "input" | "contentOf">,
): Text | null {
  if (words.every(({ text }) => name === "tee" || known(text) === "-"))
    return input?.type === "text" ? input.text : null;
  const contents = words.flatMap((word) => contentOf(word) ?? []);
  return isPlain(contents) ? null : [{ hole: "any", from: "its input", made: true }];
}

function made({ name, words, input, spec }: Omit<Printing, "cwd" | "contentOf">): Text | null {
  const text = input?.type === "text" ? known(input.text) : null;
  const result = text === null ? null : filtered(name, words, text);
  if (result !== null) return textOf(result);
  return spec?.output === undefined ? null : [hole(spec.output, name)];
}

/** A short row of numbers. */
function counted(words: readonly Argument[]): Text | null {
  const numbers = words.map(({ text }) => Number(known(text) ?? Number.NaN));
  const [first = Number.NaN, second, third] = numbers;
  const [from, by, to] =
    third !== undefined ? [first, second ?? 1, third] : second !== undefined ? [first, 1, second] : [1, 1, first];
  if (numbers.length > 3 || ![from, by, to].every(Number.isSafeInteger) || by < 1 || (to - from) / by > 20) return null;
  const row = Array.from(
    { length: Math.max(0, Math.floor((to - from) / by) + 1) },
    (_, index) => `${from + index * by}\n`,
  );
  return textOf(...row);
}

/** The last part of a path, or all but that. */
function placeName(name: string, [first, ending, ...more]: readonly Argument[]): Text | null {
  const path = first === undefined ? null : known(first.text)?.replace(/(?<=.)\/+$/, "");
  const cut = ending === undefined ? "" : known(ending.text);
  if (path === null || path === undefined || path.startsWith("-") || cut === null || more.length > 0) return null;
  const slash = path.lastIndexOf("/");
  if (name === "dirname") return ending === undefined ? [slash < 0 ? "." : path.slice(0, slash) || "/"] : null;
  const base = path === "/" ? path : path.slice(slash + 1);
  return textOf(cut !== "" && base.endsWith(cut) && base !== cut ? base.slice(0, -cut.length) : base);
}

function hole(kind: Hole["hole"], from: string): Hole {
  return { hole: kind, from: `$(${from} …)` };
}

/** A program by its whole path is the same program. */
function found([first, ...more]: readonly Argument[]): Text | null {
  const name = first === undefined ? null : known(first.text);
  return name === null || more.length > 0 ? null : [`/usr/bin/${name.split("/").at(-1)}\n`];
}

function echoed(words: readonly Argument[]): Text | null {
  let first = 0;
  let escapes = false;
  while (/^-[neE]+$/.test(known(words[first]?.text ?? []) ?? "")) {
    escapes ||= (known(words[first]?.text ?? []) ?? "").includes("e");
    first += 1;
  }
  const shownWords = words.slice(first);
  const noNewline = words.slice(0, first).some(({ text }) => (known(text) ?? "").includes("n"));
  if (shownWords.some(({ text }) => text.some((piece) => typeof piece !== "string" && piece.hole === "glob")))
    return null;
  const text = textOf(
    ...shownWords.flatMap((word, index) => [...(index === 0 ? [] : [" "]), ...word.text]),
    noNewline ? "" : "\n",
  );
  if (!escapes) return text;
  if (text.some((piece) => typeof piece === "string" && isStrange(piece)))
    return [{ hole: "any", from: "echo", made: true }];
  return textOf(...text.map((piece) => (typeof piece === "string" ? unescaped(piece) : piece)));
}

const escapeCodes: Readonly<Record<string, string>> = {
  n: "\n",
  t: "\t",
  r: "\r",
  "\\": "\\",
  a: "\x07",
  b: "\b",
  e: "\x1b",
  f: "\f",
  v: "\v",
};

/** Escapes that end the text, or that not every shell has: what comes out is not followed. */
function isStrange(text: string): boolean {
  return /\\[cUN]/.test(text);
}

export function unescaped(text: string): string {
  return text.replace(
    /\\(?:x([0-9a-fA-F]{1,2})|0?([0-7]{1,3})|u([0-9a-fA-F]{1,4})|(.))/gs,
    (whole, hex, octal, unicode, char) => {
      if (hex !== undefined || unicode !== undefined) return String.fromCharCode(Number.parseInt(hex ?? unicode, 16));
      if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8) & 0xff);
      return escapeCodes[char] ?? whole;
    },
  );
}

/** `%s` and `%d` are enough: whoever hides a command in more than that is asked about. */
export function formatted(words: readonly Argument[]): Text | null {
  const format = known(words[0]?.text ?? []);
  const values = words.slice(1);
  if (format === null) return null;
  const all = [format, ...values.map(({ text }) => known(text) ?? "")];
  if (all.some(isStrange)) return [{ hole: "any", from: "printf", made: true }];
  const pieces = unescapedFormat(format);
  const places = pieces.filter(isPlace).length;
  // The format is used again for as long as there are values.
  const rounds = places === 0 ? 1 : Math.max(1, Math.ceil(values.length / places));
  if (rounds > 500) return null;
  const texts = values.map(({ text }) => text).values();
  const filled = Array.from({ length: rounds }, () => pieces.map((piece) => fill(piece, texts)));
  return textOf(...filled.flat(2));
}

function fill(piece: string, values: Iterator<Text>): Text {
  if (!isPlace(piece)) return [piece];
  const { value = [] } = values.next();
  const text: Text = value;
  // A number in some form is a number; cut or padded, a text is something else.
  if (/[diouxXeEfFgG]$/.test(piece) && piece.length > 2) return [{ hole: "word", from: piece }];
  if (!/^%[sdiqb]$/.test(piece)) return [{ hole: "any", from: piece, made: true }];
  return piece === "%b" ? text.map((each) => (typeof each === "string" ? unescaped(each) : each)) : text;
}

/** The format's pieces, those where a value goes as they are. */
function unescapedFormat(format: string): readonly string[] {
  return format
    .split(/(%%|%[-+ 0#']*(?:\d+|\*)?(?:\.(?:\d+|\*))?[a-zA-Z])/)
    .map((piece) => (isPlace(piece) ? piece : unescaped(piece === "%%" ? "%" : piece)));
}

function isPlace(piece: string): boolean {
  return /^%.*[a-zA-Z]$/.test(piece);
}
