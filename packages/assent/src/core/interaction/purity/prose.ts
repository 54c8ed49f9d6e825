import { type BlockKind, splitBlocks } from "./blocks.ts";
import { masked, maskReported } from "./masks.ts";

/** A sentence in which the writer may speak. */
export type Sentence = {
  /** As it stands in the text. */
  readonly part: string;
  /** Its words and marks in lower case, each between single spaces, as the rules read it; reported stretches are `¤`. */
  readonly words: string;
  readonly asks: boolean;
  readonly kind: BlockKind;
  readonly block: number;
};

/** An end of a sentence: its marks, what closes over them, and then white space or nothing. */
const ends = /[.!?…。！？]+[)\]*_~"'”’»]*(?=\s|$|¤)|[。！？]+|[?!]+\)(?=[,;:.])|¤(?=\s+\p{Lu})/gu;
const listMark = /^\s*(?:[-*+•–▪‣◦]|\(?\d{1,3}[.)]|\(?\p{L}\))\s+(?:\[[ xX]\]\s+)?/u;

/** The sentences of a text that are not code, quotations, block quotes or tables. */
export function readProse(text: string): readonly Sentence[] {
  const sentences: Sentence[] = [];
  for (const [index, block] of splitBlocks(text).entries()) {
    const seen = maskReported(block.text);
    const start = block.kind === "item" ? (listMark.exec(block.text)?.[0].length ?? 0) : 0;
    for (const { from, to } of cutSentences(block.text, seen, start)) {
      const words = wordsOf(seen.slice(from, to));
      if (!/[\p{L}\p{N}¤?]/u.test(words)) continue;
      const part = block.text.slice(from, to).trim();
      const asks = / \? (?:[)!?.…:] )*$/u.test(words) && !/\s\?\.$/u.test(part);
      sentences.push({ part, words, asks, kind: block.kind, block: index });
    }
  }
  return sentences;
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
      if (/[.!?…]["'”’»]$/u.test(raw.slice(Math.max(0, end - 3), end))) yield end;
    } else if (!isAbbreviation(seen, mark.index, mark[0], end)) yield end;
  }
}

const shortened =
  /(?:^|[\s(])(?:e\.g|i\.e|vs|etc|approx|no|fig|cf|т\.\s?е|т\.\s?к|т\.\s?д|т\.\s?п|др|напр|см|рис|стр|им|\d{1,3}|\p{L})$/iu;

/** A full stop before a small letter, or after a known short form, goes on. */
function isAbbreviation(seen: string, at: number, marks: string, end: number): boolean {
  if (!marks.startsWith(".")) return false;
  const next = /^\s+([^\s])/u.exec(seen.slice(end, end + 8))?.[1];
  if (next === undefined) return false;
  if (marks.startsWith("..") || marks.length > 1) return /\p{Ll}/u.test(next) && marks.startsWith("..");
  return /\p{Ll}/u.test(next) || shortened.test(seen.slice(Math.max(0, at - 12), at));
}

const link = /!?\[([^\][\n]{0,300})\]\([^()\s]{0,500}\)/gu;
const address = /\bhttps?:\/\/[^\s)\]>]{1,2000}/gu;
const tokens = /[\p{L}\p{N}_¤]+(?:['\-./@:][\p{L}\p{N}_¤]+)*|[?!.,;:—()…]|\n/gu;

/** Lower case, straight apostrophes, one kind of dash, no markup, every mark a word of its own. */
function wordsOf(seen: string): string {
  const plain = seen
    .replace(link, "$1")
    .replace(address, masked)
    .replace(/[*~]|(?<![\p{L}\p{N}])_+|_+(?![\p{L}\p{N}])/gu, "")
    .replace(/[’ʼ`]/gu, "'")
    .replace(/(?<=\s|^)(?:--?|–|−|→|=>|->)(?=\s)|—|–/gu, " — ")
    .replace(/[？]/gu, "?")
    .replace(/[！]/gu, "!")
    .replace(/¤+/gu, masked)
    .toLowerCase()
    .replaceAll("ё", "е");
  const found: string[] = [];
  for (const token of plain.matchAll(tokens)) if (token[0] !== "\n") found.push(token[0]);
  return ` ${found.join(" ")} `;
}
