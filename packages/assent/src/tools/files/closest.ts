import { cutText } from "./content.ts";
import { likeness } from "./similar.ts";

const mostCompared = 20_000;
const mostShown = 5;
const mostOfLine = 200;

/** What a text that is not in a file may have meant: its lines with other white space, its beginning, a line like it. */
export function closestLines(old: string, text: string): string {
  const said = "old_text is not in it";
  const lines = text.split(/\r?\n/).slice(0, mostCompared);
  const wanted = old.split(/\r?\n/);
  // A last line end is no line of its own.
  if (wanted.length > 1 && wanted.at(-1) === "") wanted.pop();
  const best = bestRun(wanted.map(plain), lines.map(plain));
  if (best.count === wanted.length) {
    return `${said}; only white space differs from ${sayRange(best.at, best.count)}:\n${show(lines, best.at, best.count)}`;
  }
  if (best.count > 0) {
    const next = best.at + best.count;
    const line = next < lines.length ? `line ${next + 1} is\n${show(lines, next, 1)}` : "there the file ends";
    const expected = `expected\n  ${cutText(wanted[best.count] ?? "", mostOfLine)}`;
    return `${said}; it begins as ${sayRange(best.at, best.count)}, but ${line}\n${expected}`;
  }
  const likest = likestLine(wanted.map(plain).find((line) => line !== "") ?? "", lines);
  if (likest === null) return `${said}, nor a line like it`;
  return `${said}; the closest is line ${likest + 1}:\n${show(lines, likest, 1)}`;
}

function plain(line: string): string {
  return line.replace(/\s+/g, " ").trim();
}

/** Where the most of these lines stand one after the other, from the first on. */
function bestRun(wanted: readonly string[], lines: readonly string[]): { at: number; count: number } {
  let best = { at: 0, count: 0 };
  if (wanted[0] === "") return best;
  for (let at = 0; at < lines.length; at += 1) {
    let count = 0;
    while (count < wanted.length && at + count < lines.length && wanted[count] === lines[at + count]) count += 1;
    if (count > best.count) best = { at, count };
    if (count === wanted.length) break;
  }
  return best;
}

function likestLine(wanted: string, lines: readonly string[]): number | null {
  const short = cutText(wanted, mostOfLine);
  let best = { at: -1, score: 0.5 };
  lines.forEach((line, at) => {
    const score = likeness(short, cutText(plain(cutText(line, 2 * mostOfLine)), mostOfLine));
    if (score > best.score) best = { at, score };
  });
  return best.at === -1 ? null : best.at;
}

function sayRange(at: number, count: number): string {
  return count === 1 ? `line ${at + 1}` : `lines ${at + 1}-${at + count}`;
}

function show(lines: readonly string[], at: number, count: number): string {
  const shown = lines.slice(at, at + Math.min(count, mostShown)).map((line) => `  ${cutText(line, mostOfLine)}`);
  return [...shown, ...(count > mostShown ? [`  [${count - mostShown} more lines]`] : [])].join("\n");
}
