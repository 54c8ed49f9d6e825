import { isUtf8 } from "node:buffer";
import type { Hands, Plan } from "../../runtime/ports.ts";
import { type Edit, readEdit } from "./arguments.ts";
import { type Made, planChange, runChange } from "./change.ts";
import { closestLines } from "./closest.ts";
import type { Current } from "./content.ts";
import { missing } from "./missing.ts";
import type { Located } from "./paths.ts";
import { type Trouble, trouble } from "./trouble.ts";

const mostLinesNamed = 10;

export const editHands: Hands = {
  plan(given, place): Plan {
    const read = readEdit(given);
    if (read.type === "invalid") return { tool: "edit_file", cwd: place.cwd, fails: read.reason };
    const edit = read.value;
    const make = (current: Exclude<Current, Trouble>, located: Located) => edited(edit, current, located);
    return planChange({ tool: "edit_file", path: edit.path, make }, place);
  },
  run: runChange,
};

function edited(edit: Edit, current: Exclude<Current, Trouble>, located: Located): Made {
  const { name } = located;
  if (current.type === "absent") return missing(located);
  if (!isUtf8(current.bytes)) return trouble(`cannot edit ${name}: expected text in UTF-8, came other bytes`);
  const text = current.bytes.toString();
  const { old, now } = inItsLineEnds(edit, text);
  const first = text.indexOf(old);
  if (first === -1) return { ...trouble(`cannot edit ${name}: ${closestLines(old, text)}`), secret: true };
  // Matches that overlap are two as well.
  if (!edit.replace_all && text.indexOf(old, first + 1) !== -1) {
    return { ...trouble(`cannot edit ${name}: ${sayMatches(old, text)}`), secret: true };
  }
  const count = edit.replace_all ? placesOf(old, text).length : 1;
  // Not as a string: `$&` in it would mean something.
  const content = edit.replace_all ? text.replaceAll(old, () => now) : text.replace(old, () => now);
  const done = count === 1 ? `edited ${name}: 1 replacement, line ${lineAt(text, first)}` : manyDone(name, count);
  return { type: "made", content, done };
}

function manyDone(name: string, count: number): string {
  return `edited ${name}: ${count} replacements`;
}

/** The model is shown lines without their ends: in a file with CRLF its LF mean these. */
function inItsLineEnds({ old_text: old, new_text: now }: Edit, text: string): { old: string; now: string } {
  const asGiven = { old, now };
  if (old.includes("\r") || !text.includes("\r\n")) return asGiven;
  const mixed = /(?<!\r)\n/.test(text);
  if (mixed && (text.includes(old) || !old.includes("\n"))) return asGiven;
  return { old: old.replaceAll("\n", "\r\n"), now: now.replace(/\r?\n/g, "\r\n") };
}

function sayMatches(old: string, text: string): string {
  const places = placesOf(old, text);
  const lines = [...new Set(places.slice(0, mostLinesNamed + 1).map((place) => lineAt(text, place)))];
  const named = lines.slice(0, mostLinesNamed).join(", ") + (places.length > mostLinesNamed ? " and more" : "");
  const count = Math.max(places.length, 2);
  return (
    `old_text matches ${count} times, on line${lines.length === 1 ? "" : "s"} ${named}: ` +
    "expected one match; give more lines around it, or replace_all"
  );
}

function placesOf(old: string, text: string): number[] {
  const places: number[] = [];
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) places.push(at);
  return places;
}

function lineAt(text: string, place: number): number {
  let line = 1;
  for (let at = text.indexOf("\n"); at !== -1 && at < place; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
}
