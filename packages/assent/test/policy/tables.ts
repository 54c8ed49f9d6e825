import { readdirSync, readFileSync } from "node:fs";

/** A line, and what is told of it. */
export type Row = { readonly line: string; readonly told: string[] };

/** The files of a folder by their names: each line, and below it, indented, what is told of it. `⏎` is the end of a line, `␍` a carriage return, `⟨200B⟩` the character of that number. */
export function tablesIn(folder: string): readonly { readonly name: string; readonly rows: readonly Row[] }[] {
  return readdirSync(folder).map((file) => ({
    name: file.replace(/\.txt$/, ""),
    rows: rowsIn(readFileSync(`${folder}/${file}`, "utf8")),
  }));
}

function rowsIn(text: string): readonly Row[] {
  const rows: Row[] = [];
  for (const each of text.split("\n").filter((line) => line !== "")) {
    const line = each
      .replaceAll("⏎", "\n")
      .replaceAll("␍", "\r")
      .replace(/⟨([\dA-F]+)⟩/g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
    if (line.startsWith("  ")) rows.at(-1)?.told.push(line.slice(2));
    else rows.push({ line, told: [] });
  }
  return rows;
}
