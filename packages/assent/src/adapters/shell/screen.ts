import { type Bottom, compose, type Drawn } from "./bottom-rows.ts";
import { isPlain } from "./graphemes.ts";
import { isBroken, isWider, type Reflow, reflowOf, rowsAbove } from "./reflow.ts";
import { chop, mostWidthOf, widthOf } from "./width.ts";

export type { Bottom } from "./bottom-rows.ts";

export type Out = { write(text: string): boolean; readonly columns: number; readonly rows: number };

/** A terminal that knows of it shows all that comes between the two at once. */
const together = { begin: "\x1b[?2026h", end: "\x1b[?2026l" };
/** Terminals disagree about the width of some characters: without wrapping a row stays one all the same. */
const wrapping = { on: "\x1b[?7h", off: "\x1b[?7l" };
const cursorSeen = { on: "\x1b[?25h", off: "\x1b[?25l" };
const nothing: Bottom = { above: [], prompt: "", editing: null, hidden: false, status: null };
const eraseBelow = "\x1b[J";
const eraseRow = "\x1b[2K";

/**
 * The person's window: what was printed stays and scrolls away, the bottom stays below it. Only what was drawn here is
 * ever taken away again, so that nothing of what others have written is lost.
 */
export class Screen {
  readonly #out: Out;
  readonly #reflow: Reflow;
  #bottom: Bottom = nothing;
  /** What stands there now; null when nothing does and the cursor is at the beginning of a free line. */
  #drawn: Drawn | null = null;
  #printed: string[] = [];
  #scheduled: NodeJS.Immediate | null = null;
  #clears = false;
  /** Somebody else has written meanwhile, and may have stopped in the middle of a line. */
  #elsewhere = false;
  #cursor = true;

  constructor(out: Out, reflow: Reflow = reflowOf(process.env)) {
    this.#out = out;
    this.#reflow = reflow;
  }

  print(lines: readonly string[]): void {
    if (lines.length === 0) return;
    for (const line of lines) this.#printed.push(line);
    this.#schedule();
  }

  show(bottom: Bottom): void {
    this.#bottom = bottom;
    if (this.#scheduled !== null) return;
    if (!this.#typesAtEnd()) this.#schedule();
  }

  resized(): void {
    // While others have the window there is nothing here to be drawn anew.
    if (this.#drawn !== null) this.#schedule();
  }

  /** An empty window; what stood in it has scrolled away. */
  clear(): void {
    this.#clears = true;
    this.#schedule();
  }

  /** Takes the bottom away and leaves the cursor on a free line, for others to write or for good. */
  leave(): void {
    this.#unschedule();
    const hasMore = this.#printed.length > 0 || this.#clears;
    const start = hasMore || this.#drawn !== null ? this.#start() : "";
    const text = `${start}${this.#cleared()}${this.#lines()}${this.#cursor ? "" : cursorSeen.on}`;
    this.#bottom = nothing;
    this.#drawn = null;
    this.#cursor = true;
    this.#elsewhere = true;
    if (text !== "") this.#out.write(text);
  }

  #schedule(): void {
    this.#scheduled ??= setImmediate(() => {
      this.#scheduled = null;
      this.#draw();
    });
  }

  #unschedule(): void {
    if (this.#scheduled !== null) clearImmediate(this.#scheduled);
    this.#scheduled = null;
  }

  #compose(): Drawn {
    return compose(this.#bottom, this.#size, this.#drawn?.top ?? 0);
  }

  /** What is no window says nothing of its size. */
  get #size() {
    return { columns: this.#out.columns || 80, rows: this.#out.rows || 24 };
  }

  /** A character at the end of the text is just written: that is what a person does most, and waits for. */
  #typesAtEnd(): boolean {
    const before = this.#drawn;
    if (before === null) return false;
    const now = this.#compose();
    const typed = addedAtEnd(before, now);
    if (typed === null) return false;
    this.#drawn = now;
    if (typed !== "") this.#out.write(typed);
    return true;
  }

  #draw(): void {
    const before = this.#drawn;
    const now = this.#compose();
    const isPart = before !== null && this.#printed.length === 0 && !this.#clears && this.#isSameShape(before, now);
    const text = isPart ? changed(before, now) : this.#whole(now);
    const cursor = now.cursor === this.#cursor ? "" : now.cursor ? cursorSeen.on : cursorSeen.off;
    this.#drawn = now;
    this.#cursor = now.cursor;
    if (text + cursor !== "") this.#out.write(`${together.begin}${text}${cursor}${together.end}`);
  }

  /**
   * In a window that is narrower by now, rows that were drawn one by one must not need more of it than they are said to, and
   * those that were broken while the cursor was elsewhere are not as many as `rowsAbove` says.
   */
  #isSameShape(before: Drawn, now: Drawn): boolean {
    if (!isSameSize(before, now)) return false;
    return this.#reflow === "none" || (before.row === now.row && !isWider(before, now));
  }

  #whole(now: Drawn): string {
    const start = this.#start();
    const lines = `${this.#cleared()}${this.#lines()}`;
    return `${start}${lines}${this.#rows(now)}${toCursor(now.lines.length - 1, now)}${wrapping.on}`;
  }

  /**
   * The window may be narrower by the time they get there, and nobody here knows: then they break as those that stood there
   * before, for they will be taken for such (see `rowsAbove`), and what was printed above them for a part of them otherwise.
   */
  #rows(now: Drawn): string {
    const rows = now.lines.map((line, index) => {
      const breaks = isBroken(now, index, this.#reflow) && mostWidthOf(line) <= now.columns;
      return `${breaks ? wrapping.on : wrapping.off}${line}`;
    });
    return `${rows.join("\r\n")}${wrapping.off}`;
  }

  /** From where the cursor is to where the bottom began, and nothing behind. */
  #start(): string {
    if (this.#elsewhere) {
      this.#elsewhere = false;
      return freeLine(this.#size.columns);
    }
    return this.#drawn === null ? "" : `\r${up(rowsAbove(this.#drawn, this.#size, this.#reflow))}${eraseBelow}`;
  }

  #lines(): string {
    const lines = this.#printed.map((line) => `${line}\r\n`).join("");
    this.#printed = [];
    return lines;
  }

  /** From a free line below all others, so many line ends push exactly those out of the window. */
  #cleared(): string {
    if (!this.#clears) return "";
    this.#clears = false;
    return `${this.#lines()}${"\r\n".repeat(this.#size.rows - 1)}\x1b[H${eraseBelow}`;
  }
}

/** What was added where the cursor was, when nothing else has changed. */
function addedAtEnd(before: Drawn, now: Drawn): string | null {
  if (!isSameSize(before, now) || before.lines.length !== now.lines.length || before.row !== now.row) return null;
  if (before.top !== now.top || !before.cursor || !now.cursor) return null;
  const old = before.lines[before.row] ?? "";
  const text = now.lines[now.row] ?? "";
  if (!text.startsWith(old) || widthOf(old) !== before.column || widthOf(text) !== now.column) return null;
  const isElsewhere = now.lines.some((line, index) => index !== now.row && line !== before.lines[index]);
  return isElsewhere ? null : text.slice(old.length);
}

/** Draws the rows that differ, and those that are new. */
function changed(before: Drawn, now: Drawn): string {
  let at = before.row;
  let text = "";
  const goTo = (row: number) => {
    text += `\r${vertical(row - at)}`;
    at = row;
  };
  now.lines.forEach((line, row) => {
    if (line === before.lines[row]) return;
    goTo(row);
    text += `${eraseRow}${line}`;
  });
  if (now.lines.length < before.lines.length) {
    goTo(now.lines.length);
    text += eraseBelow;
  }
  const isStill = text === "" && before.row === now.row && before.column === now.column;
  return isStill ? "" : `${wrapping.off}${text}${toCursor(at, now)}${wrapping.on}`;
}

/** The cursor's place is found by writing what is before it: so it is right however wide the terminal takes that to be. */
function toCursor(from: number, { lines, row, column }: Drawn): string {
  const line = lines[row] ?? "";
  if (column === 0) return `\r${vertical(row - from)}`;
  if (isPlain(line)) return `\r${vertical(row - from)}\x1b[${column}C`;
  const [before = ""] = chop(line, column);
  return `\r${vertical(row - from)}${before}`;
}

function isSameSize(one: Drawn, other: Drawn): boolean {
  return one.columns === other.columns && one.rows === other.rows;
}

function up(rows: number): string {
  return rows > 0 ? `\x1b[${rows}A` : "";
}

/** Below there may be no row yet, or none any more: a window that gets lower can take those below the cursor away. */
function vertical(rows: number): string {
  return rows > 0 ? "\n".repeat(rows) : up(-rows);
}

/** A row of blanks ends in the next line, unless it began at the beginning of one. */
function freeLine(columns: number): string {
  return `${" ".repeat(Math.max(0, columns - 1))}\r${eraseBelow}`;
}
