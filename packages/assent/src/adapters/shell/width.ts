import stringWidth from "fast-string-width";
import { isNarrow, isPlain, segmentsOf } from "./graphemes.ts";

const tabStop = 8;
const ownSigns = /[·…❯●▸│┊─┼•]/g;

/** How many columns a line takes; styles take none, a tab reaches to the next of every eighth. */
export function widthOf(text: string): number {
  if (isNarrow(text)) return text.length;
  return unitsOf(text).reduce((width, unit) => width + unit.width, 0);
}

/** How many it takes at most: terminals disagree, but none gives a character more than two. */
export function mostWidthOf(text: string): number {
  if (isPlain(text)) return text.length;
  return [...text.replace(everyStyle, "")].reduce((width, character) => width + (isPlain(character) ? 1 : 2), 0);
}

/**
 * Rows of at most so many columns, broken between words where there are such; tabs become spaces, and a style that is
 * open where a row ends is open again where the next begins.
 */
export function wrap(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => rowsOf(line, Math.max(1, columns), "between words"));
}

/** The same, broken wherever a row is full: for what was laid out by whoever wrote it. */
export function chop(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => rowsOf(line, Math.max(1, columns), "anywhere"));
}

/** One row: what is too long ends in a mark. */
export function fit(text: string, columns: number, mark = "…"): string {
  const line = text.replaceAll("\n", " ");
  if (isNarrow(line) && line.length <= columns) return line;
  const units = unitsOf(line);
  if (units.reduce((width, unit) => width + unit.width, 0) <= columns) return textOf(units);
  const room = columns - widthOf(mark);
  const styles = new Styles();
  let kept = "";
  let width = 0;
  for (const unit of units) {
    if (width + unit.width > room) break;
    width += unit.width;
    kept += unit.text;
    styles.take(unit);
  }
  // A window that is narrower than the mark gets nothing of it.
  return `${kept}${room < 0 ? "" : mark}${styles.end}`;
}

/** The same; where only terminals that give our own signs two columns take it for too long, it ends early enough for those. */
export function fitAnywhere(text: string, columns: number): string {
  let row = fit(text, columns);
  // Most of what else could be wider is whole words, and of these more is to be seen.
  if (mostWidthOf(row) - columns > (row.match(ownSigns)?.length ?? 0)) return row;
  for (let room = columns - 1; room > 0 && mostWidthOf(row) > columns; room--) row = fit(text, room);
  return row;
}

/** A row whose ends are to be seen: what is too long is cut in the middle, as long as there is one. */
export type Middled = { readonly before: string; readonly middle: string; readonly after: string };

/** Such a row, in a window of so many columns, of which it leaves one: nothing that is cut off later is its end. */
export function fitMiddle({ before, middle, after }: Middled, columns: number, mark: string): string {
  for (let room = columns - 1 - widthOf(before) - widthOf(after); room > widthOf(mark); room--) {
    const row = `${before}${fit(middle, room, mark)}${after}`;
    if (fitAnywhere(row, columns) === row) return row;
  }
  return fit(`${before}${after}`.replaceAll(/ {2,}/g, " "), columns - 1, mark);
}

/** A person's character, or a code that takes no room. */
type Unit = { readonly text: string; readonly width: number; readonly isStyle: boolean };

const escapeCode = String.fromCharCode(27);
const bell = String.fromCharCode(7);
/** Styles, and addresses behind text: the codes that our own lines may hold. */
const style = new RegExp(
  `(${escapeCode}\\[[0-9;:]*m|${escapeCode}\\]8;[^${escapeCode}${bell}]*(?:${bell}|${escapeCode}\\\\))`,
  "u",
);

const everyStyle = new RegExp(style.source, "gu");

function unitsOf(line: string): readonly Unit[] {
  const units: Unit[] = [];
  let column = 0;
  // Split by a pattern in parentheses, every second piece is one of its matches.
  line.split(style).forEach((piece, index) => {
    if (index % 2 === 1) {
      units.push({ text: piece, width: 0, isStyle: true });
      return;
    }
    for (const character of isNarrow(piece) ? piece : segments(piece)) {
      const added = character === "\t" ? blanks(tabStop - (column % tabStop)) : [unitOf(character)];
      for (const unit of added) column += unit.width;
      units.push(...added);
    }
  });
  return units;
}

function* segments(text: string): Iterable<string> {
  for (const { segment } of segmentsOf(text)) yield segment;
}

function blanks(count: number): readonly Unit[] {
  return Array.from({ length: count }, () => unitOf(" "));
}

function unitOf(character: string): Unit {
  return { text: character, width: columnsOf(character), isStyle: false };
}

/** Vowels and ends of Korean syllables that are written in parts: they join the consonant before. */
const joining = /[\u1160-\u11ff\ud7b0-\ud7fb]/gu;

function columnsOf(character: string): number {
  if (character.length === 1 && character >= " " && character <= "~") return 1;
  return stringWidth(character.length > 1 ? character.replace(joining, "") : character);
}

/** Where a row may end. */
type Breaks = "between words" | "anywhere";

function rowsOf(line: string, columns: number, breaks: Breaks): readonly string[] {
  if (isNarrow(line) && (line.length <= columns || breaks === "anywhere")) return pieces(line, columns);
  const rows = new Rows(columns, breaks);
  for (const unit of unitsOf(line)) rows.take(unit);
  return rows.end();
}

function pieces(line: string, length: number): readonly string[] {
  return Array.from({ length: Math.max(1, Math.ceil(line.length / length)) }, (_, index) =>
    line.slice(index * length, (index + 1) * length),
  );
}

/** A line as it becomes rows. */
class Rows {
  readonly #columns: number;
  readonly #byWords: boolean;
  readonly #styles = new Styles();
  readonly #done: string[] = [];
  #row: Unit[] = [];
  #width = 0;
  /** Blanks at a border between rows are seen in neither. */
  #drops = false;

  constructor(columns: number, breaks: Breaks) {
    this.#columns = columns;
    this.#byWords = breaks === "between words";
  }

  take(unit: Unit): void {
    const blank = this.#byWords && isBlank(unit);
    if (blank && this.#drops) return;
    if (!unit.isStyle) this.#drops = false;
    // A row has at least one character, however wide that is.
    if (this.#width > 0 && this.#width + unit.width > this.#columns) {
      this.#break(this.#byWords && !blank ? breakIn(this.#row, unit) : this.#row.length);
      this.#drops = blank;
      if (blank) return;
    }
    this.#row.push(unit);
    this.#width += unit.width;
  }

  end(): readonly string[] {
    this.#break(this.#row.length);
    return this.#done;
  }

  #break(upTo: number): void {
    const units = this.#row.slice(0, upTo);
    this.#row = this.#row.slice(upTo);
    this.#width = this.#row.reduce((sum, unit) => sum + unit.width, 0);
    const begin = this.#styles.open;
    for (const unit of units) this.#styles.take(unit);
    const text = textOf(units);
    this.#done.push(`${begin}${this.#byWords ? text.trimEnd() : text}${this.#styles.end}`);
  }
}

function isBlank(unit: Unit): boolean {
  return !unit.isStyle && unit.text.trim() === "";
}

/** Behind the last word that has something before it; a word that is longer than a row is cut. */
function breakIn(row: readonly Unit[], next: Unit): number {
  const begins = row.findIndex((unit) => unit.width > 0 && !isBlank(unit));
  if (begins < 0 || next.width === 2) return row.length;
  for (let index = row.length - 1; index > begins; index--) {
    const unit = row[index];
    // Between characters that are two columns wide a row may end anywhere: their languages have no blanks.
    if (unit !== undefined && (isBlank(unit) || unit.width === 2)) return index + 1;
  }
  return row.length;
}

function textOf(units: readonly Unit[]): string {
  return units.map((unit) => unit.text).join("");
}

/** The styles that are open at a point of a line. */
class Styles {
  #open: readonly string[] = [];

  take(unit: Unit): void {
    if (!unit.isStyle || !unit.text.endsWith("m")) return;
    if (/\[0?m$/u.test(unit.text)) this.#open = [];
    // One that is said again counts once, so that a long line's list stays short.
    else this.#open = [...this.#open.filter((open) => open !== unit.text), unit.text];
  }

  get open(): string {
    return this.#open.join("");
  }

  get end(): string {
    return this.#open.length === 0 ? "" : `${escapeCode}[0m`;
  }
}
