import { pattern } from "./pattern.ts";

const seen = pattern(String.raw`[^\s\p{Z}\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2800]`, "u");

/** Nothing a person could see: white space, invisible and control characters only. */
export function isBlank(text: string): boolean {
  return !seen().test(text);
}
