import { wordsOf } from "./words.ts";

/**
 * The "avoid" column of every table headed `| word | meaning | avoid |`, as avoided word → word to use.
 * A cell lists words in backticks; what stands in brackets is a note for people.
 */
export function parseGlossary(markdown: string): ReadonlyMap<string, string> {
  const avoid = new Map<string, string>();
  let inTable = false;
  for (const line of markdown.split(/\r?\n/)) {
    const [word, , avoided, ...more] = cellsOf(line);
    if (word === undefined || avoided === undefined || more.length > 0) inTable = false;
    else if (isHeader(line)) inTable = true;
    else if (inTable) for (const each of wordsIn(avoided)) avoid.set(each, joined(avoid.get(each), plain(word)));
  }
  return avoid;
}

function cellsOf(line: string): string[] {
  const row = line.trim();
  if (!row.startsWith("|")) return [];
  return row
    .replace(/^\||(?<!\\)\|$/g, "")
    .split(/(?<!\\)\|/)
    .map((cell) => cell.trim());
}

function isHeader(line: string): boolean {
  return cellsOf(line).map(plain).join("|").toLowerCase() === "word|meaning|avoid";
}

function wordsIn(cell: string): string[] {
  const withoutNotes = cell.replace(/\([^)]*\)|\[[^\]]*\]/g, "");
  return [...withoutNotes.matchAll(/`([^`]+)`/g)].map((match) => wordsOf(match[1] ?? "").join(" "));
}

function plain(cell: string): string {
  return cell.replace(/[`*_]/g, "").trim();
}

function joined(before: string | undefined, word: string): string {
  return before === undefined ? word : `${before} or ${word}`;
}
