import type { Drawn } from "./bottom-rows.ts";
import { chop, widthOf } from "./width.ts";

/**
 * What a terminal does when its window gets narrower than the rows in it. Most break them anew and keep the cursor at its
 * character (`exact`); those built on xterm.js leave the cursor's own row alone and move the cursor down by every row that
 * is gained elsewhere, even below it (`counted`); old ones cut the rows off (`none`).
 */
export type Reflow = "exact" | "counted" | "none";

/** As far as a terminal tells what it is. */
export function reflowOf(environment: { readonly [name: string]: string | undefined }): Reflow {
  const { TMUX, TERM = "", TERM_PROGRAM = "", XTERM_VERSION } = environment;
  // The outermost is what it tells last: what is in between is what draws.
  if (TMUX) return "exact";
  if (/^(?:linux|rxvt|screen|vt\d|cons25)/.test(TERM) || XTERM_VERSION) return "none";
  return /^(?:vscode|Hyper|Tabby)$/.test(TERM_PROGRAM) ? "counted" : "exact";
}

/**
 * How many rows there are between the cursor and where the bottom begins, in a window that has this size by now. It is taken
 * to have got it in one step: of sizes in between, which a process that is busy does not hear of, nobody can tell.
 */
export function rowsAbove(drawn: Drawn, size: { columns: number; rows: number }, reflow: Reflow): number {
  const { lines, row } = drawn;
  const { columns, rows } = size;
  if (columns >= drawn.columns) return row;
  switch (reflow) {
    case "none":
      return row;
    case "counted": {
      // Where the window has fewer rows too, those at its end go first, and nothing is gained by them. Whether there was room
      // below the bottom, which goes before it, nobody here knows: less is taken away then, not more.
      const stay = Math.max(row + 1, lines.length - Math.max(0, drawn.rows - rows));
      return row + rowsGained({ ...drawn, lines: lines.slice(0, stay) }, columns);
    }
    case "exact":
      return (
        lines.slice(0, row).reduce((sum, line) => sum + chop(line, columns).length, 0) + rowOfCursor(drawn, columns)
      );
    default:
      return reflow satisfies never;
  }
}

/** Whether a window that gets narrower breaks this row, and `rowsAbove` counts that. */
export function isBroken({ lines, row }: Drawn, index: number, reflow: Reflow): boolean {
  switch (reflow) {
    case "none":
      return false;
    case "counted":
      return index !== row || index < lines.length - 1;
    case "exact":
      return index <= row;
    default:
      return reflow satisfies never;
  }
}

/** Whether any row is, or is new: a narrower window could need more for it than before. */
export function isWider(before: Drawn, now: Drawn): boolean {
  return now.lines.some((line, index) => widthOf(line) > widthOf(before.lines[index] ?? ""));
}

/** Behind a row that ends with the window the cursor may be in it or in the next: less is taken away then, not more. */
function rowOfCursor({ lines, row, column }: Drawn, columns: number): number {
  const isBehind = column > 0 && column === widthOf(lines[row] ?? "");
  return Math.floor((isBehind ? column - 1 : column) / columns);
}

/**
 * They go from the last row up, and a row that has been gained moves the cursor at once: from then on it is another row
 * that they take for the cursor's.
 */
function rowsGained({ lines, row }: Drawn, columns: number): number {
  return lines.reduceRight((gained, line, index) => {
    return row + gained === index ? gained : gained + chop(line, columns).length - 1;
  }, 0);
}
