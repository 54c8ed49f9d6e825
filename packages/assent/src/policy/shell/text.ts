/**
 * A text as far as it can be known without running anything: known pieces, and holes between them. The empty text is
 * the empty list; two strings never stand beside each other.
 */
export type Text = readonly (string | Hole)[];

/**
 * What is missing, and what can be said of it all the same. `any`: nothing. `word`: one plain word, without blanks and not
 * beginning with a dash (a number, a date, a branch). `path`: such a word that names a place, chosen by a program that
 * can be trusted with it (`mktemp`, `pwd`). `glob`: whatever the pattern matches.
 */
export type Hole = {
  readonly hole: "any" | "word" | "path" | "glob";
  readonly from: string;
  /** The command itself has made it from what stands in it: whoever wrote it knew, but here it cannot be seen. */
  readonly made?: true;
  /** One of many that are listed elsewhere. */
  readonly listed?: true;
};

/** Where something stands in the command that was given, [start, end). */
export type Span = { readonly start: number; readonly end: number };

/** Of what stands nowhere in the command, such as a word that was set before it. */
export const nowhere: Span = { start: 0, end: 0 };

/** One word of a command, after all expansions. */
export type Argument = {
  readonly text: Text;
  /** It has a hole that was not quoted: it may be no word, or several. */
  readonly splits: boolean;
  readonly span: Span;
  /** What stands in the brackets of `name=(…)`. */
  readonly items?: readonly Argument[];
};

/** A longer text is not kept: whoever doubles one again and again wants it to be forgotten. */
const longest = 65_536;
const mostPieces = 200;

export function textOf(...pieces: Text): Text {
  let length = 0;
  for (const piece of pieces) length += typeof piece === "string" ? piece.length : 0;
  if (length > longest || pieces.length > mostPieces) return [{ hole: "any", from: "…", made: true }];
  const joined: (string | Hole)[] = [];
  for (const piece of pieces) {
    const last = joined.at(-1);
    if (piece === "") continue;
    if (typeof piece === "string" && typeof last === "string") joined[joined.length - 1] = last + piece;
    else joined.push(piece);
  }
  return joined;
}

/** The whole text, or `null` when a part of it is not known. */
export function known(text: Text): string | null {
  if (text.length === 0) return "";
  const [first] = text;
  return text.length === 1 && typeof first === "string" ? first : null;
}

/** From the first of the words to the last. */
export function spanOfWords(words: readonly Argument[]): Span {
  return { start: words[0]?.span.start ?? 0, end: words.at(-1)?.span.end ?? 0 };
}

/** Without the `--` that they may begin with. */
export function withoutDashes(words: readonly Argument[]): readonly Argument[] {
  return known(words[0]?.text ?? []) === "--" ? words.slice(1) : words;
}

/** The words as one text, blanks between them. */
export function joinedWords(words: readonly Argument[]): Text {
  return textOf(...words.flatMap(({ text }, index) => (index === 0 ? text : [" ", ...text])));
}

/** What the text is sure to begin with. */
export function beginning(text: Text): string {
  const [first] = text;
  return typeof first === "string" ? first : "";
}

/** What the text is sure to end with. */
export function ending(text: Text): string {
  const last = text.at(-1);
  return typeof last === "string" ? last : "";
}

/** For people: holes as they were written. */
export function shown(text: Text): string {
  return text.map((piece) => (typeof piece === "string" ? piece : piece.from)).join("");
}

/** The text from that many known characters on; only for characters that `beginning` has. */
export function after(text: Text, characters: number): Text {
  if (characters === 0) return text;
  const [, ...rest] = text;
  return textOf(beginning(text).slice(characters), ...rest);
}

/** The command hides a part of it. */
export function isMade(text: Text): boolean {
  return text.some((piece) => typeof piece === "object" && piece.made === true);
}

/** Whether a value of it could begin with a dash: an option where a file was meant. */
export function mayBeOption({ text, splits }: Argument): boolean {
  const [first] = text;
  if (typeof first === "string") return first.startsWith("-");
  if (first === undefined) return false;
  return splits || first.hole === "any" || first.hole === "glob";
}
