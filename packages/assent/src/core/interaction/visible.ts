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

/** Text of several lines, the rest as above. */
export function visibleText(text: string): string {
  return text
    .split("\n")
    .map((line) => line.split("\t").map(visibleLine).join("\t"))
    .join("\n");
}
