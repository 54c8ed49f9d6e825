import { masked } from "./masks.ts";

const link = /!?\[([^\][\n]{0,300})\]\([^()\s]{0,500}\)/g;
const address = /\bhttps?:\/\/[^\s)\]>]{1,2000}/g;
const marks = new Map([...",;:.()!?…"].map((mark) => [mark, mark]));
for (const dash of "—–−→") marks.set(dash, "-");
marks.set("？", "?").set("！", "!").set("。", ".");
const joiners = new Set("'’ʼ-./@:");

/**
 * The words and marks of a stretch of text: lower case, straight apostrophes, one kind of dash, no markup. Written out,
 * since the same as a pattern over letters of every script costs more to prepare than all the rest.
 */
export function wordsOf(seen: string): readonly string[] {
  const text = plainOf(seen);
  const words: string[] = [];
  for (let at = 0; at < text.length; ) {
    const char = text.charAt(at);
    if (isWordChar(text.charCodeAt(at))) {
      const to = wordEnd(text, at);
      const word = trimmed(text.slice(at, to));
      if (word !== "") words.push(word);
      at = to;
      continue;
    }
    const mark = marks.get(char) ?? (isLoneHyphen(text, at) ? "-" : undefined);
    if (mark !== undefined) words.push(mark);
    at++;
  }
  return words;
}

function plainOf(seen: string): string {
  const linked = seen.includes("](") ? seen.replace(link, "$1") : seen;
  const plain = linked.includes("://") ? linked.replace(address, masked) : linked;
  const bare = plain.includes("*") || plain.includes("~") ? plain.replace(/[*~]+/g, "") : plain;
  const lower = bare.toLowerCase();
  return lower.includes("ё") ? lower.replaceAll("ё", "е") : lower;
}

function wordEnd(text: string, from: number): number {
  let at = from + 1;
  while (at < text.length) {
    const joins = joiners.has(text.charAt(at)) && at + 1 < text.length && isWordChar(text.charCodeAt(at + 1));
    if (!joins && !isWordChar(text.charCodeAt(at))) break;
    at++;
  }
  return at;
}

function trimmed(word: string): string {
  if (word.charCodeAt(0) === 0xa4) return masked;
  const plain = word.includes("_") ? word.replace(/^_+|_+$/g, "") : word;
  return plain.includes("’") || plain.includes("ʼ") ? plain.replace(/[’ʼ]/g, "'") : plain;
}

/** A hyphen, or an arrow of them, between spaces stands for a dash. */
function isLoneHyphen(text: string, at: number): boolean {
  const char = text.charAt(at);
  if (char !== "-" && char !== "=") return false;
  if (at > 0 && !isSpace(text.charAt(at - 1))) return false;
  const after = text.slice(at, at + 4);
  return /^(?:--?|->|=>)(?:\s|$)/.test(after);
}

function isSpace(char: string): boolean {
  return char === " " || char === "\n" || char === "\t";
}

/** Letters and digits of any script, the underscore, and what stands for reported text. */
export function isWordChar(code: number): boolean {
  if (code < 0x80) return isAsciiWordChar(code);
  if (code < 0xc0) return code === 0xa4 || code === 0xb5;
  if (code < 0x2000) return code !== 0xd7 && code !== 0xf7;
  return !signs.some(([from, to]) => code >= from && code <= to);
}

function isAsciiWordChar(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || (code >= 48 && code <= 57) || code === 95;
}

/** Punctuation, arrows and pictures, also as halves of pairs. */
const signs: readonly (readonly [number, number])[] = [
  [0x2000, 0x2bff],
  [0x3000, 0x303f],
  [0xd800, 0xf8ff],
  [0xfe00, 0xff0f],
  [0xff1a, 0xff20],
];
