import { pattern } from "./pattern.ts";

const writtenWithoutSpaces = pattern(
  `[${[
    "Han",
    "Hiragana",
    "Katakana",
    "Bopomofo",
    "Thai",
    "Lao",
    "Khmer",
    "Myanmar",
    "Tibetan",
    "Tai_Le",
    "New_Tai_Lue",
    "Tai_Tham",
    "Tai_Viet",
    "Javanese",
    "Balinese",
  ]
    .map((script) => `\\p{Script=${script}}`)
    .join("")}]`,
  "u",
);
const letterOrDigit = pattern(String.raw`[\p{L}\p{N}]`, "u");
const whiteSpace = pattern(String.raw`[\s\p{White_Space}]+`, "u");

/** The words of a text as the contract counts them (TXT-9). */
export function countWords(text: string): number {
  const unspaced: string[] = [];
  let count = 0;
  for (const run of text.split(whiteSpace())) {
    if (writtenWithoutSpaces().test(run)) unspaced.push(run);
    else if (letterOrDigit().test(run)) count += 1;
  }
  return count + (unspaced.length === 0 ? 0 : wordLikeSegments(unspaced.join(" ")));
}

/** Where a thousand characters settle it, the rest of a huge text is not segmented; a cut moves few words, not dozens. */
export function hasMoreWords(text: string, most: number): boolean {
  return countWords(text.slice(0, 1_000)) > most + 50 || countWords(text) > most;
}

let made: Intl.Segmenter | undefined;

/** One locale for everyone, or a question would be valid on one machine and not on the next. */
function wordLikeSegments(text: string): number {
  made ??= new Intl.Segmenter("en", { granularity: "word" });
  let count = 0;
  for (const { isWordLike } of made.segment(text)) if (isWordLike === true) count += 1;
  return count;
}
