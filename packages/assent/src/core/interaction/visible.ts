import { pattern } from "./pattern.ts";

/** Control and format characters, and the line ends only Unicode knows: a terminal obeys them, or an eye misses them. */
const hidden = pattern(String.raw`[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]`, "gu");

/** One line in which nothing hides: what a person reads is what is there (APPR-5, APPR-6). */
export function visibleLine(text: string): string {
  return text.replace(hidden(), (character) => {
    if (character === "\n") return "\\n";
    if (character === "\t") return "\\t";
    return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`;
  });
}

/** The same piece by piece, for a surface that can mark an escape: otherwise a typed \\u{200b} looks like a hidden character. */
export function visibleParts(text: string): readonly VisiblePart[] {
  const parts: VisiblePart[] = [];
  let from = 0;
  for (const { 0: character, index } of text.matchAll(hidden())) {
    if (character === "\n" || character === "\t") continue;
    if (index > from) parts.push({ text: text.slice(from, index), hidden: false });
    parts.push({ text: visibleLine(character), hidden: true });
    from = index + character.length;
  }
  if (from < text.length) parts.push({ text: text.slice(from), hidden: false });
  return parts;
}

/** A part of a text: as it is, or an escape in the place of something that does not show. */
export type VisiblePart = { readonly text: string; readonly hidden: boolean };

/** Text of several lines, the rest as above. */
export function visibleText(text: string): string {
  return text
    .split("\n")
    .map((line) => line.split("\t").map(visibleLine).join("\t"))
    .join("\n");
}

/** Text that comes in pieces, shown as the whole would be: half a character waits for its other half. */
export class TextPieces {
  readonly #show: (text: string) => string;
  #half = "";

  constructor(show: (text: string) => string = visibleText) {
    this.#show = show;
  }

  next(piece: string): string {
    const text = this.#half + piece;
    const last = text.charCodeAt(text.length - 1);
    const whole = last >= 0xd800 && last <= 0xdbff ? text.length - 1 : text.length;
    this.#half = text.slice(whole);
    return this.#show(text.slice(0, whole));
  }

  /** A half that stayed one. */
  end(): string {
    const half = this.#half;
    this.#half = "";
    return this.#show(half);
  }
}
