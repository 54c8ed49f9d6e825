import { visibleLine } from "../../core/interaction/index.ts";
import { grouped, leftOutLine, type Said } from "../../show/index.ts";
import { type Markdown, markdownLines } from "./markdown.ts";
import { diffStyle, type Gutter, gutterOf, harmless, type Look, marksOf, paint, type Style } from "./style.ts";
import { chop, widthOf, wrap } from "./width.ts";

/** How many lines are shown of what may be folded, and of a longer one at each end. */
const mostLines = 20;
const endLines = 8;
/** How many rows of one line. */
const mostRows = 4;
/** No character takes more than this of a text for a column. */
const mostPerColumn = 20;
/** Beside a name that leaves less than this, a field begins in a line of its own. */
const leastField = 12;

export type { Look, Markdown };

/** `folded`: not all of it is in the lines. */
export type Rendered = { readonly lines: readonly string[]; readonly folded: boolean };

/** `markdown` is `null` while it is not loaded; `whole`: somebody wants to see all of it. */
export type Rendering = { readonly markdown: Markdown | null; readonly whole?: boolean };

/** The room for a text without its gutter, and how it looks. */
type Space = { readonly width: number; readonly look: Look };

/** Ready lines, none wider than the window, each with what tells its channel before it. */
export function renderSaid(said: Said, look: Look, { markdown, whole = false }: Rendering): Rendered {
  if (said.form === "code") return { lines: chop(harmless(said.text), Math.max(2, look.columns)), folded: false };
  const space = { width: Math.max(2, look.columns - 2), look };
  const { lines, folded } =
    whole || !mayFold(said) ? { lines: wholeLines(said, space, markdown), folded: false } : foldedLines(said, space);
  // Whatever laid it out: what is too wide would be broken by the terminal, and go on without a gutter.
  const narrow = lines.flatMap((line) => (widthOf(line) > space.width ? chop(line, space.width) : [line]));
  return { lines: withGutter(narrow, gutterOf(gutterName(said), look), look), folded };
}

function gutterName({ channel, form }: Said) {
  if (channel !== "tool") return channel;
  return form === "start" ? "start" : "output";
}

function withGutter(lines: readonly string[], { first, next, style }: Gutter, look: Look): readonly string[] {
  return lines.map((line, index) => `${paint(index === 0 ? first : next, style, look)}${line}`);
}

function wholeLines(said: Said, space: Space, markdown: Markdown | null): readonly string[] {
  const { channel, form, text, field } = said;
  if (field !== undefined) return fieldLines(field, said, space);
  if (form === "markdown" && markdown !== null) {
    // Made harmless before it is read, too: no mark begins or ends at a character that nobody sees.
    const visible = harmless(text.replaceAll("\r\n", "\n"));
    const read = markdownLines(visible, { ...space.look, width: space.width }, markdown);
    if (read !== null && read.length > 0) return read;
  }
  if (channel === "tool") return linesOf(said).flatMap((line) => rowsOf(line, said, space));
  const shown = harmless(text.replace(/\n$/, ""));
  if (channel !== "system") return wrap(shown, space.width);
  return shown.split("\n").flatMap((line) => hangingLines(line, space).map((row) => paint(row, ["dim"], space.look)));
}

/** A line of a table, a name and what is said of it, goes on below what is said; any other below its own beginning. */
function hangingLines(line: string, { width }: Space): readonly string[] {
  const [head = ""] = /^\S.*? {2,}(?=\S)|^ +/.exec(line) ?? [];
  const indent = widthOf(head);
  if (indent > width / 2) return wrap(line, width);
  return wrap(line.slice(head.length), width - indent).map((row, index) =>
    index === 0 ? `${head}${row}` : `${" ".repeat(indent)}${row}`,
  );
}

/** Its name before it, and all of it to the right of the name, so that no line of it can pass for another field. */
function fieldLines(name: string, said: Said, { width, look }: Space): readonly string[] {
  const label = harmless(visibleLine(name));
  const indent = widthOf(label) + 2;
  const isBeside = width - indent >= leastField && said.form !== "diff";
  const room = { width: isBeside ? width - indent : Math.max(2, width - 2), look };
  const rows = said.text.split("\n").flatMap((line) => rowsOf(line, said, room));
  const shown = paint(`${label}:`, ["bold"], look);
  if (!isBeside) return [...chop(shown, width), ...rows.map((row) => `  ${row}`)];
  return rows.map((row, index) => `${index === 0 ? `${shown} ` : " ".repeat(indent)}${row}`);
}

/** A subject is shown in full; an agent's text and what is told are, too. */
function mayFold({ channel, form, field }: Said): boolean {
  if (field !== undefined) return false;
  return channel === "prompt" || form === "output" || form === "start" || form === "diff";
}

function foldedLines(said: Said, space: Space): Rendered {
  const lines = linesOf(said);
  const isLong = lines.length > mostLines;
  const [first, last] = isLong ? [lines.slice(0, endLines), lines.slice(-endLines)] : [lines, []];
  const [before, after] = [first, last].map((some) => some.map((line) => shortLine(line, said, space)));
  const note = isLong ? foldNote(said, lines.length - 2 * endLines, space) : [];
  const rows = (some: readonly Rendered[] = []) => some.flatMap((line) => line.lines);
  const cut = [...(before ?? []), ...(after ?? [])].some((line) => line.folded);
  return { lines: [...rows(before), ...note, ...rows(after)], folded: isLong || cut };
}

function foldNote({ text, call, channel }: Said, count: number, { width, look }: Space): readonly string[] {
  const how = call === undefined ? "Ctrl-O" : `Ctrl-O or /history ${harmless(visibleLine(call))}`;
  const note = `${marksOf(look).more} ${grouped(count)} lines more (${how} shows all)`;
  const whole = channel === "tool" ? leftOutLine(text) : null;
  const told = whole === null ? [note] : [note, harmless(whole)];
  return told.flatMap((line) => wrap(paint(line, ["dim"], look), width));
}

/** Of a line that fills the window, its beginning and how long it is. */
function shortLine(line: string, said: Said, space: Space): Rendered {
  const most = space.width * mostRows * mostPerColumn;
  const rows = rowsOf(line.length > most ? line.slice(0, most) : line, said, space);
  if (rows.length <= mostRows) return { lines: rows, folded: false };
  const note = `${marksOf(space.look).more} ${grouped(line.length)} characters in this line`;
  const told = wrap(paint(note, ["dim"], space.look), space.width);
  return { lines: [...rows.slice(0, mostRows), ...told], folded: true };
}

/** One line of a text, broken wherever the window ends: whoever wrote it has laid it out. */
function rowsOf(line: string, { form, field }: Said, { width, look }: Space): readonly string[] {
  // What ends a line elsewhere is no part of it, except where every character is decided on.
  const text = field === undefined && form !== "text" ? line.replace(/\r$/, "") : line;
  return chop(paint(harmless(text), lineStyle(text, form), look), width);
}

function lineStyle(line: string, form: Said["form"]): readonly Style[] {
  if (form === "diff") return diffStyle(line);
  return form === "start" ? ["bold"] : [];
}

/** A command is known by its gutter, not by a sign of its own. */
function linesOf({ text, form }: Said): readonly string[] {
  const ended = text.replace(/\n$/, "");
  return (form === "start" ? ended.replace(/^\$ /, "") : ended).split("\n");
}
