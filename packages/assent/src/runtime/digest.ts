import { sha256 } from "./sha256.ts";

/** A hash of exactly what was judged, or shown to a person: with it, an answer says what it is an answer to. */
export function digestOf(shown: unknown): string {
  return `sha256:${sha256(JSON.stringify(shown))}`;
}
