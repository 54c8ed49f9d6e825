import type { Editing } from "./editing.ts";
import { layOut } from "./rows.ts";
import { fitAnywhere } from "./width.ts";

/** What stands below everything that was printed. */
export type Bottom = {
  /** Ready lines: live output, what is under way. */
  readonly above: readonly string[];
  readonly prompt: string;
  readonly editing: Editing | null;
  /** Nothing that is typed is seen, not even how much it is. */
  readonly hidden: boolean;
  readonly status: string | null;
};

type Size = { readonly columns: number; readonly rows: number };

/** The bottom as rows of a window, none wider than it; the cursor's row and column, or no cursor at all. */
export type Drawn = Size & {
  readonly lines: readonly string[];
  readonly row: number;
  readonly column: number;
  readonly cursor: boolean;
  /** The first row of the text that is seen, where not all of it can be. */
  readonly top: number;
};

/** Text takes at most half of the window and scrolls in itself; what is above gives way to it. */
export function compose(bottom: Bottom, { columns, rows }: Size, earlierTop: number): Drawn {
  // A single row is the text's.
  const hasRoom = rows > 1 || bottom.editing === null;
  const status = bottom.status !== null && hasRoom ? [fitAnywhere(bottom.status, columns)] : [];
  const text = textRows(bottom, { columns, rows }, earlierTop);
  // One row is left for what was printed last, and with it the newest of what is above.
  const room = Math.max(0, rows - 1 - text.lines.length - status.length);
  const above = bottom.above.slice(Math.max(0, bottom.above.length - room)).map((line) => fitAnywhere(line, columns));
  const lines = [...above, ...text.lines, ...status];
  return {
    columns,
    rows,
    // With nothing to show there is still the line on which the cursor waits.
    lines: lines.length === 0 ? [""] : lines,
    row: text.cursor ? above.length + text.row : Math.max(0, lines.length - 1),
    column: text.cursor ? text.column : 0,
    cursor: text.cursor,
    top: text.top,
  };
}

type TextRows = Pick<Drawn, "lines" | "row" | "column" | "cursor" | "top">;

function textRows({ editing, prompt, hidden }: Bottom, { columns, rows }: Size, earlierTop: number): TextRows {
  if (editing === null) return { lines: [], row: 0, column: 0, cursor: false, top: 0 };
  const { rows: all, row, column } = layOut(editing, { prompt, columns, hidden });
  const most = Math.max(1, Math.floor(rows / 2));
  // It scrolls no further than the cursor needs, and never past its end.
  const top = Math.min(Math.max(earlierTop, row - most + 1, 0), row, Math.max(0, all.length - most));
  return { lines: all.slice(top, top + most), row: row - top, column, cursor: true, top };
}
