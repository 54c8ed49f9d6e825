import type { Word, WordPart } from "unbash";
import type { Evaluating } from "./shell.ts";
import { known } from "./text.ts";

/** A shell pattern as the source of a regular expression; `null` when it is not known. */
export function patternOf(word: Word, evaluating: Evaluating): string | null {
  if (word.parts === undefined) return escaped(word.value);
  const sources = word.parts.map((part) => sourceOf(part, evaluating));
  // Several stars take their time.
  if (sources.filter((source) => source === ".*").length > 2) return null;
  return sources.includes(null) ? null : sources.join("");
}

function sourceOf(part: WordPart, evaluating: Evaluating): string | null {
  if (part.type === "Glob") {
    if (part.kind === "star") return ".*";
    if (part.kind === "question") return ".";
    return /^\[[\w-]+\]$/.test(part.text) ? part.text : null;
  }
  if (part.type === "ExtendedGlob" || part.type === "BraceExpansion") return null;
  const { pos, end, text: written } = part;
  const word: Word = { type: "Word", pos, end, text: written, value: written, parts: [part] };
  const text = known(evaluating.shell.textOf(word, evaluating));
  return text === null ? null : escaped(text);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
