import { grouped } from "../../show/index.ts";

/** Longer than that nobody types, and nobody reads it where it stands. */
export const longestShown = 2_000;
const mostLinesShown = 10;

/** How text is shown that would push everything else off the screen; null for less than that. */
export function labelOf(text: string): string | null {
  const lines = linesIn(text);
  if (lines > mostLinesShown) return `[pasted ${grouped(lines)} lines]`;
  return text.length > longestShown ? `[pasted ${grouped(text.length)} characters]` : null;
}

/** A line end at the very end begins no line. */
function linesIn(text: string): number {
  let lines = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < text.length - 1; at = text.indexOf("\n", at + 1)) lines++;
  return lines;
}
