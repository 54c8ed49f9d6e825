import { type Look, type Marks, paint } from "./style.ts";
import { widthOf, wrap } from "./width.ts";

/** Cells that are ready to show, and may still be too long. */
export type Table = {
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  readonly align: readonly ("center" | "left" | "right" | null)[];
};

type Page = { readonly look: Look; readonly marks: Marks };

/** A column that is narrower breaks every word. */
const leastColumn = 8;
const between = 3;

/** As wide as it needs to be, its cells wrapped where it must be narrower, and turned into lines where that does not do. */
export function tableLines(table: Table, width: number, page: Page): readonly string[] {
  const widths = columnWidths(table, width);
  if (widths === null) return turned(table, width);
  const rule = widths.map((column) => page.marks.rule.repeat(column));
  const crossing = `${page.marks.rule}${page.marks.crossing}${page.marks.rule}`;
  const row = (cells: readonly string[]) => rowLines(cells, { widths, align: table.align, page });
  return [...row(table.head), paint(rule.join(crossing), ["dim"], page.look), ...table.rows.flatMap(row)];
}

function columnWidths({ head, rows }: Table, width: number): readonly number[] | null {
  const room = width - between * (head.length - 1);
  const wanted = head.map((cell, index) => {
    const cells = [cell, ...rows.map((row) => row[index] ?? "")];
    return Math.max(1, ...cells.flatMap((each) => each.split("\n").map(widthOf)));
  });
  const widths = wanted.map((each) => Math.min(each, leastColumn));
  let left = room - widths.reduce((sum, each) => sum + each, 0);
  if (left < 0) return null;
  // What is left goes to the narrowest that lack something, so that a long column does not starve the others.
  for (; left > 0; left--) {
    const lacking = widths.flatMap((each, index) => (each < (wanted[index] ?? 0) ? [index] : []));
    const narrowest = lacking.reduce<number | null>(
      (best, index) => (best === null || (widths[index] ?? 0) < (widths[best] ?? 0) ? index : best),
      null,
    );
    if (narrowest === null) break;
    widths[narrowest] = (widths[narrowest] ?? 0) + 1;
  }
  return widths;
}

type Row = { readonly widths: readonly number[]; readonly align: Table["align"]; readonly page: Page };

function rowLines(cells: readonly string[], { widths, align, page }: Row): readonly string[] {
  const columns = widths.map((width, index) => wrap(cells[index] ?? "", width));
  const height = Math.max(...columns.map((rows) => rows.length));
  const mark = ` ${paint(page.marks.column, ["dim"], page.look)} `;
  return Array.from({ length: height }, (_, line) =>
    columns
      .map((rows, index) => padded(rows[line] ?? "", widths[index] ?? 0, align[index] ?? null))
      .join(mark)
      .trimEnd(),
  );
}

function padded(text: string, width: number, align: Table["align"][number]): string {
  const blank = Math.max(0, width - widthOf(text));
  const before = align === "right" ? blank : align === "center" ? Math.floor(blank / 2) : 0;
  return `${" ".repeat(before)}${text}${" ".repeat(blank - before)}`;
}

/** Every cell in a line of its own, behind the head of its column. */
function turned({ head, rows }: Table, width: number): readonly string[] {
  // A table without rows has nothing but its heads.
  if (rows.length === 0) return head.flatMap((cell) => wrap(cell, width));
  return rows.flatMap((row, index) => {
    const lines = row.flatMap((cell, column) => {
      const name = (head[column] ?? "").replaceAll("\n", " ");
      return wrap(name === "" ? cell : `${name}: ${cell}`, width);
    });
    return index === 0 ? lines : ["", ...lines];
  });
}
