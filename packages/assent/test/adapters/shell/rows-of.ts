import type { Terminal } from "@xterm/headless";

/** The rows of a terminal that are seen, without blank ones at the end. */
export function seenRows(terminal: Terminal): readonly string[] {
  return rowsFrom(terminal, terminal.buffer.active.baseY).map(({ text }) => text.trimEnd());
}

/** Every line that a terminal holds, also those that have scrolled away; what it has broken is whole again. */
export function wholeLines(terminal: Terminal): readonly string[] {
  const lines: string[] = [];
  for (const { text, isWrapped } of rowsFrom(terminal, 0)) {
    if (isWrapped) lines.push(`${lines.pop() ?? ""}${text}`);
    else lines.push(text);
  }
  return lines.map((line) => line.trimEnd());
}

function rowsFrom(
  { buffer }: Terminal,
  first: number,
): readonly { readonly text: string; readonly isWrapped: boolean }[] {
  const { active } = buffer;
  const rows: { text: string; isWrapped: boolean }[] = [];
  for (let row = first; row < active.length; row++) {
    const line = active.getLine(row);
    if (line !== undefined) rows.push({ text: line.translateToString(true), isWrapped: line.isWrapped });
  }
  while (rows.at(-1)?.text.trim() === "") rows.pop();
  return rows;
}
