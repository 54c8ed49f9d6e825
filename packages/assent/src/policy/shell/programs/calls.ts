import type { Danger, Deed } from "../deeds.ts";
import { assignmentDeeds } from "../deeds-of.ts";
import { type Given, runs, type Spec } from "../spec.ts";
import { type Argument, beginning, joinedWords, known, type Span, spanOfWords, type Text, textOf } from "../text.ts";

/** The forms of a program that only tell something. */
export type Reading = {
  /** First operands with which nothing is changed. */
  readonly verbs?: string;
  /** Second operands with which nothing is changed (`service nginx status`). */
  readonly seconds?: string;
  /** With one operand it only tells something (`chkconfig nginx`). */
  readonly lone?: true;
  readonly options?: string;
  /** Options with which something is changed all the same. */
  readonly but?: string;
  /** Without operands it only tells something. */
  readonly bare?: true;
};

/** A program that is asked about except in the forms that only read. */
export function asksUnless(danger: Danger, reading: Reading, spec: Spec = {}): Spec {
  return {
    ...spec,
    also: (given) => [
      ...(spec.also?.(given) ?? []),
      ...(onlyReads(reading, given) ? [] : [{ does: "danger" as const, danger }]),
    ],
  };
}

export function onlyReads(
  { verbs = "", seconds = "", lone, options = "", but = "", bare }: Reading,
  given: Given,
): boolean {
  const [first, second] = given.operands;
  if (given.has(but)) return false;
  if (given.has(options) || (given.words.length === 1 && ["-h", "-V"].includes(word(given.words[0])))) return true;
  if (first === undefined) return bare === true;
  if (isIn(first, `${verbs} help version`)) return true;
  return second === undefined ? lone === true : isIn(second, seconds);
}

/** Whether the word is known and one of these. */
export function isIn(argument: Argument | undefined, words: string): boolean {
  const text = word(argument);
  return text !== "" && words.split(" ").includes(text);
}

/** The word, or nothing when it is not known. */
export function word(argument: Argument | undefined): string {
  return argument === undefined ? "" : (known(argument.text) ?? "");
}

/** The words, joined by blanks, are run by a shell. */
export function shellOf(words: readonly Argument[]): readonly Deed[] {
  return words.length === 0 ? [] : [{ does: "shell", text: joinedWords(words), span: spanOfWords(words) }];
}

/** Stands for what is not known in a text that is made for a shell: a variable that nobody sets. */
const notKnown = "__given__";

/** The word as a shell would have to be given it to get the same word. */
export function quoted({ text, splits }: Argument): string {
  if (text.length === 0) return "''";
  return text
    .map((piece) => {
      if (typeof piece !== "string") return splits ? `$${notKnown}` : `"$${notKnown}"`;
      return /^[\w./:,@%+=-]+$/.test(piece) ? piece : `'${piece.replaceAll("'", "'\\''")}'`;
    })
    .join("");
}

/** The text is run by a shell that has these words as `$0`, `$1` and so on. */
export function shellWith(text: Text, span: Span, words: readonly Argument[]): Deed {
  return { does: "shell", text, span, ...(words.length === 0 ? {} : { parameters: words }) };
}

/** The command is run in another folder. */
export function runsIn(folder: Argument | undefined, argv: readonly Argument[]): readonly Deed[] {
  if (folder === undefined || argv.length === 0) return runs(argv);
  const text = `cd -- ${quoted(folder)}\n${argv.map(quoted).join(" ")}`;
  return [{ does: "shell", text: textOf(text), span: spanOfWords(argv) }];
}

/** What is left without the options at the front. */
export function withoutOptions(words: readonly Argument[]): readonly Argument[] {
  const start = words.findIndex((each) => !beginning(each.text).startsWith("-"));
  return start < 0 ? [] : words.slice(start);
}

/** Splits leading `NAME=value` words, which become the environment, from the command after them. */
export function withVariables(words: readonly Argument[]): { variables: readonly Deed[]; argv: readonly Argument[] } {
  const end = words.findIndex((each) => !beginning(each.text).includes("="));
  const assigned = end < 0 ? words : words.slice(0, end);
  return { variables: assigned.flatMap(assignmentDeeds), argv: end < 0 ? [] : words.slice(end) };
}
