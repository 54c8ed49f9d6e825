import { borderFrom, type Editing } from "./editing.ts";

/** What words are made of: letters of any script and numbers; or, to those who cut by blanks, all but blanks. */
export type WordKind = "letters" | "no-blanks";

/** Back over what is between words, and over one word; a fold is a word of its own. */
export function wordLeft(editing: Editing, kind: WordKind): number {
  const { text, folds } = editing;
  let at = editing.cursor;
  let inside = false;
  while (at > 0) {
    const reached = folds.find(({ end }) => end === at);
    if (reached !== undefined) return inside ? at : reached.start;
    const length = isPair(text, at - 2) ? 2 : 1;
    const isPart = isWordPart(text.slice(at - length, at), kind);
    if (inside && !isPart) break;
    inside ||= isPart;
    at -= length;
  }
  return borderFrom(editing, at, "before");
}

export function wordRight(editing: Editing, kind: WordKind): number {
  const { text, folds } = editing;
  let at = editing.cursor;
  let inside = false;
  while (at < text.length) {
    const reached = folds.find(({ start }) => start === at);
    if (reached !== undefined) return inside ? at : reached.end;
    const length = isPair(text, at) ? 2 : 1;
    const isPart = isWordPart(text.slice(at, at + length), kind);
    if (inside && !isPart) break;
    inside ||= isPart;
    at += length;
  }
  return borderFrom(editing, at, "after");
}

function isPair(text: string, at: number): boolean {
  return at >= 0 && (text.codePointAt(at) ?? 0) > 0xffff;
}

let letter: RegExp | null = null;

function isWordPart(character: string, kind: WordKind): boolean {
  if (kind === "no-blanks") return character.trim() !== "";
  if (character < "\x80") return /\w/.test(character);
  letter ??= /[\p{L}\p{N}\p{M}]/u;
  return letter.test(character);
}
