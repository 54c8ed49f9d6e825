import { type BlockKind, splitBlocks } from "./blocks.ts";
import { masked, maskReported } from "./masks.ts";
import { isWordChar, wordsOf } from "./words.ts";

/** A sentence in which the writer may speak. */
export type Sentence = {
  /** As it stands in the text. */
  readonly part: string;
  /** Its words and marks in lower case, as the rules read them; reported stretches are `¤`. */
  readonly words: readonly string[];
  readonly asks: boolean;
  readonly kind: BlockKind;
  readonly block: number;
};

/** An end of a sentence: its marks, what closes over them, and then white space or nothing. */
const ends = /[.!?…。！？]+[)\]*_~"'”’»]*(?=\s|$|¤)|[。！？]+|[?!]+\)(?=[,;:.])|¤(?=\s)/g;
const listMark = /^\s*(?:[-*+•–▪‣◦]|\(?\d{1,3}[.)]|\(?[A-Za-zА-я]\))\s+(?:\[[ xX]\]\s+)?/;

/** The sentences of a text that are not code, quotations, block quotes or tables. */
export function readProse(text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  for (const [index, block] of splitBlocks(text).entries()) {
    if (block.text === "") continue;
    const seen = maskReported(block.text);
    const start = block.kind === "item" ? (listMark.exec(block.text)?.[0].length ?? 0) : 0;
    for (const { from, to } of cutSentences(block.text, seen, start)) {
      const words = wordsOf(seen.slice(from, to));
      if (!words.some((word) => word === "?" || isWordChar(word.charCodeAt(0)))) continue;
      const part = block.text.slice(from, to).trim();
      sentences.push({ part, words, asks: isQuestion(words) && !part.endsWith(" ?."), kind: block.kind, block: index });
    }
  }
  return sentences;
}

/** A question mark at the end, whatever marks stand behind it. */
function isQuestion(words: readonly string[]): boolean {
  let at = words.length - 1;
  while (at >= 0 && isClosing(words[at])) at--;
  return words[at] === "?";
}

function isClosing(word: string | undefined): boolean {
  return word !== undefined && ")!.…:".includes(word);
}

function* cutSentences(raw: string, seen: string, start: number): Generator<{ from: number; to: number }> {
  let from = start;
  for (const end of endsOf(raw, seen)) {
    if (end <= from) continue;
    yield { from, to: end };
    from = end;
  }
  if (from < seen.length) yield { from, to: seen.length };
}

function* endsOf(raw: string, seen: string): Generator<number> {
  for (const mark of seen.matchAll(ends)) {
    const end = mark.index + mark[0].length;
    if (mark[0] === masked) {
      // A quotation that ends its own sentence ends the one around it too, if a capital letter follows.
      if (isUpper(nextChar(seen, end)) && /[.!?…]["'”’»]$/.test(raw.slice(Math.max(0, end - 3), end))) yield end;
    } else if (!isAbbreviation(seen, mark.index, mark[0], end)) yield end;
  }
}

const shortened = " e.g i.e vs etc approx no fig cf т.е т.к т.д т.п е к д п др напр см рис стр им ";

/** Does a known short form or an initial end there? */
function isShortened(seen: string, at: number): boolean {
  const before = seen.slice(Math.max(0, at - 12), at);
  const word = before.slice(Math.max(before.lastIndexOf(" "), before.lastIndexOf("("), before.lastIndexOf("\n")) + 1);
  return (word.length === 1 && isUpper(word)) || (word !== "" && shortened.includes(` ${word.toLowerCase()} `));
}

/** A full stop before a small letter, or after a known short form, goes on. */
function isAbbreviation(seen: string, at: number, marks: string, end: number): boolean {
  if (!marks.startsWith(".")) return false;
  const next = nextChar(seen, end);
  if (next === "") return false;
  if (marks.length > 1) return isLower(next) && marks.startsWith("..");
  return isLower(next) || isShortened(seen, at);
}

function nextChar(text: string, from: number): string {
  return text
    .slice(from, from + 8)
    .trimStart()
    .charAt(0);
}

function isUpper(char: string): boolean {
  return char !== char.toLowerCase();
}

function isLower(char: string): boolean {
  return char !== char.toUpperCase();
}
