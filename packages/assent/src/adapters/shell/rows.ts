import { visibleLine } from "../../core/interaction/index.ts";
import { type Editing, lineEnd } from "./editing.ts";
import { isPlain, segmentsOf } from "./graphemes.ts";
import { fit, widthOf } from "./width.ts";

/** One character of the text, or a fold: where it stands, and by what it is seen. */
type Character = { readonly at: number; readonly text: string };

/** How text and prompt are seen in so many columns, and where the cursor is. */
export type Layout = {
  readonly rows: readonly string[];
  readonly row: number;
  readonly column: number;
};

const tabStop = 8;

/** How many columns there are between two places of one line. */
export function columnOf(editing: Editing, start: number, end: number): number {
  let column = 0;
  for (const { text } of charactersIn(editing, start, end)) column += shown(text, column).width;
  return column;
}

/** The place in the line that begins there which is next to this column. */
export function placeAt(editing: Editing, start: number, goal: number): number {
  let column = 0;
  const end = lineEnd(editing, start);
  for (const { at, text } of charactersIn(editing, start, end)) {
    const { width } = shown(text, column);
    if (column + width > goal) return at;
    column += width;
  }
  return end;
}

export type Prompted = { readonly prompt: string; readonly columns: number; readonly hidden: boolean };

/** Rows that follow the first are indented as far as the prompt reaches. */
export function layOut(editing: Editing, { prompt: given, columns, hidden }: Prompted): Layout {
  const prompt = fit(hidden ? given : promptOf(editing, given, columns), Math.max(1, columns - 1));
  const width = widthOf(prompt);
  if (hidden) return { rows: [prompt], row: 0, column: width };
  const rows = new TextRows(prompt, width, columns);
  for (const character of charactersIn(editing, 0, editing.text.length)) rows.take(character, editing.cursor);
  return rows.end(editing.cursor >= editing.text.length);
}

/** A search says what it looks for. */
function promptOf({ search }: Editing, prompt: string, columns: number): string {
  if (search === null) return prompt;
  const what = fit(visibleLine(search.typed), Math.max(1, Math.floor(columns / 2) - 16));
  return search.found ? `(search: ${what}) ` : `(nothing found: ${what}) `;
}

class TextRows {
  readonly #rows: string[] = [];
  readonly #indent: string;
  readonly #columns: number;
  #row: string;
  #column: number;
  #cursor = { row: 0, column: 0 };

  constructor(prompt: string, width: number, columns: number) {
    this.#row = prompt;
    this.#column = width;
    this.#columns = columns;
    // In a narrow window the text needs the room more.
    this.#indent = width * 2 <= columns ? " ".repeat(width) : "";
  }

  take({ at, text }: Character, cursor: number): void {
    if (text === "\n") {
      if (at === cursor) this.#mark();
      this.#next();
      return;
    }
    const { text: seen, width } = shown(text, this.#column - this.#indent.length);
    // Labels and visible forms of what cannot be seen may be cut, characters may not.
    const pieces = width > 2 && isPlain(seen) ? [...seen] : [seen];
    pieces.forEach((piece, index) => {
      const room = pieces.length > 1 ? 1 : width;
      if (this.#column + room > this.#columns && this.#column > this.#indent.length) this.#next();
      if (index === 0 && at === cursor) this.#mark();
      this.#row += piece;
      this.#column += room;
    });
  }

  end(isCursor: boolean): Layout {
    if (isCursor) this.#mark();
    return { rows: [...this.#rows, this.#row], ...this.#cursor };
  }

  /** Behind a full row the cursor is at the beginning of the next. */
  #mark(): void {
    if (this.#column >= this.#columns) this.#next();
    this.#cursor = { row: this.#rows.length, column: this.#column };
  }

  #next(): void {
    this.#rows.push(this.#row);
    this.#row = this.#indent;
    this.#column = this.#indent.length;
  }
}

function* charactersIn(editing: Editing, start: number, end: number): Iterable<Character> {
  let from = start;
  for (const fold of editing.folds) {
    if (fold.start < from || fold.start >= end) continue;
    yield* charactersOf(editing.text.slice(from, fold.start), from);
    yield { at: fold.start, text: fold.label };
    from = fold.end;
  }
  if (from < end) yield* charactersOf(editing.text.slice(from, end), from);
}

function* charactersOf(text: string, from: number): Iterable<Character> {
  if (/^[\n\x20-\x7e]*$/.test(text)) {
    for (let index = 0; index < text.length; index++) yield { at: from + index, text: text.charAt(index) };
    return;
  }
  for (const { segment, index } of segmentsOf(text)) yield { at: from + index, text: segment };
}

type Seen = { readonly text: string; readonly width: number };

/** What hides or would be obeyed is spelled out; a tab is its blanks. */
function shown(text: string, column: number): Seen {
  if (text.length === 1 && text >= " " && text <= "~") return { text, width: 1 };
  if (text === "\t") {
    const width = tabStop - (column % tabStop);
    return { text: " ".repeat(width), width };
  }
  const known = seenBefore.get(text);
  if (known !== undefined) return known;
  const seen = look(text);
  // A text is made of few characters, and is drawn anew with every key.
  if (seenBefore.size >= mostSeen) seenBefore.clear();
  seenBefore.set(text, seen);
  return seen;
}

const mostSeen = 2_000;
const seenBefore = new Map<string, Seen>();
let pictograph: RegExp | null = null;

function look(text: string): Seen {
  pictograph ??= /\p{Extended_Pictographic}/u;
  // Pictures are joined by a character that would be spelled out elsewhere.
  const seen = pictograph.test(text) ? text : visibleLine(text);
  return { text: seen, width: widthOf(seen) };
}
