import type { Json } from "../json.ts";
import { visibleLine } from "./visible.ts";

/** How much is told of what is expected: whoever asks may have written a novel. */
const mostTold = 200;

/** What a typed text must match as a whole, and that in words, as a request says it in its `response_schema`. */
export type ExpectedText = { readonly pattern: string; readonly told: string };

/** `null` where any text is one. */
export function expectedText(schema: Json | undefined): ExpectedText | null {
  if (typeof schema !== "object" || schema === null || !("pattern" in schema)) return null;
  const { pattern, description } = schema;
  if (typeof pattern !== "string") return null;
  const words = typeof description === "string" && description !== "" ? description : `a text that matches ${pattern}`;
  return { pattern, told: shortened(visibleLine(words)) };
}

/** A pattern for a text as a whole; `null` when it is none. */
export function wholeText(pattern: string): RegExp | null {
  try {
    // Alone first: what closes a bracket that it did not open would be one only between others.
    void new RegExp(pattern, "u");
    return new RegExp(`^(?:${pattern})$`, "u");
  } catch {
    return null;
  }
}

function shortened(words: string): string {
  const characters = [...words];
  return characters.length <= mostTold ? words : `${characters.slice(0, mostTold).join("")} …`;
}
