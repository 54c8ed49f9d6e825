import { visibleLine, visibleText } from "../../core/interaction/index.ts";

/** Letters and marks that are blank or change nothing on a screen: a server could hide words for the model in them. */
const blanks =
  /\u034f|\u115f|\u1160|\u17b4|\u17b5|[\u180b-\u180f]|\u2800|\u3164|[\ufe00-\ufe0e]|\uffa0|[\u{e0100}-\u{e01ef}]/gu;

/** A server's text as one line in which nothing hides, of at most so many characters. */
export function outsideLine(text: string, most: number): string {
  // Cut before it is looked at: a text may have millions of characters, and each may become eight.
  return cut(
    shown(
      visibleLine(
        text
          .slice(0, most * 2)
          .replace(/\s+/gu, " ")
          .trim(),
      ),
    ),
    most,
  );
}

/** The same with its lines kept. */
export function outsideText(text: string, most: number): string {
  return cut(shown(visibleText(text.slice(0, most * 2).replace(/\r\n?/gu, "\n"))), most);
}

function shown(text: string): string {
  return text.replace(blanks, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  return `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/u, "")}…`;
}
