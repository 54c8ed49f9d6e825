import { isUtf8 } from "node:buffer";

/** This much of an output tells whether it is text. */
const probeBytes = 8 * 1024;
const leastBinary = 256;
/** Of text at most this share is no character that can be read. */
const mostUnreadable = 0.1;
/** A title or a link without an end takes away at most this many characters. */
const mostUnended = 4 * 1024;
/** Terminals have a stop at every so many columns. */
const tabStop = 8;

const bell = 0x07;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const cancel = 0x18;
const substitute = 0x1a;
const escapeCode = 0x1b;
const stringTerminator = 0x9c;
/** What follows ESC, or stands 0x40 higher as one character: `[` begins a control sequence, the others a string. */
const csi = 0x5b;
const osc = 0x5d;
const strings: ReadonlySet<number> = new Set([osc, 0x50, 0x58, 0x5e, 0x5f]);

/** What a model reads of an output: the text that is left on the screen, line by line, and nothing that a terminal obeys. */
export function plainText(bytes: Buffer): string {
  // The only control in most of what programs write to terminals.
  const text = bytes.toString("utf8").replaceAll("\r\n", "\n");
  if (!/(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text)) return text;
  const page = new Page();
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    const isControl = code < 0x20 || (code >= 0x7f && code < 0xa0);
    const end = isControl ? sequenceEnd(text, at) : at + (code > 0xffff ? 2 : 1);
    if (!isControl) page.put(text.slice(at, end));
    else if (end === at + 1) page.control(code);
    else page.obey(text.slice(at, end));
    at = end;
  }
  return page.end();
}

/** Whether this is no text that can be read: it has a NUL early, or much that is neither UTF-8 nor readable. */
export function isBinary(bytes: Buffer): boolean {
  const probe = bytes.subarray(0, probeBytes);
  // A few bytes can be shown whatever they are.
  if (probe.length < leastBinary) return false;
  const text = probe.toString("utf8");
  const controls = text.match(/\p{Cc}/gu)?.filter((each) => !isUsual(each.charCodeAt(0))).length ?? 0;
  const invalid = isUtf8(probe) ? 0 : (text.match(/\ufffd/g)?.length ?? 0);
  return controls + invalid > text.length * mostUnreadable;
}

/** What programs write to terminals all the time is no sign: bell to carriage return, and escape. */
function isUsual(code: number): boolean {
  return (code >= bell && code <= carriageReturn) || code === escapeCode;
}

/** Where the escape sequence ends that begins here; after one character when that begins none. */
export function sequenceEnd(text: string, at: number): number {
  const first = text.charCodeAt(at);
  const isEscape = first === escapeCode;
  if (!isEscape && first < 0x80) return at + 1;
  const kind = isEscape ? text.charCodeAt(at + 1) : first - 0x40;
  const body = at + (isEscape ? 2 : 1);
  if (kind === csi) return finalEnd(text, passed(text, passed(text, body, 0x30, 0x3f), 0x20, 0x2f), 0x40);
  if (strings.has(kind)) return stringEnd(text, body, kind === osc);
  if (!isEscape) return body;
  if (kind >= 0x20 && kind <= 0x2f) return finalEnd(text, passed(text, body, 0x20, 0x2f), 0x30);
  return kind >= 0x30 && kind <= 0x7e ? body : at + 1;
}

/** After the characters from `low` to `high` that stand here. */
function passed(text: string, from: number, low: number, high: number): number {
  let at = from;
  while (text.charCodeAt(at) >= low && text.charCodeAt(at) <= high) at += 1;
  return at;
}

/** What cannot end a sequence is no part of it. */
function finalEnd(text: string, at: number, low: number): number {
  const code = text.charCodeAt(at);
  return code >= low && code <= 0x7e ? at + 1 : at;
}

function stringEnd(text: string, from: number, isOsc: boolean): number {
  let at = from;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === stringTerminator || (isOsc && code === bell)) return at + 1;
    if (code === escapeCode && text[at + 1] === "\\") return at + 2;
    if (code === escapeCode || code === lineFeed || code === carriageReturn || code === cancel || code === substitute)
      break;
  }
  const most = from + mostUnended;
  if (at <= most) return at;
  return (text.codePointAt(most - 1) ?? 0) > 0xffff ? most + 1 : most;
}

/** Lines as they stand on a screen that is as wide as it must be. A cell is a character. */
class Page {
  readonly #lines: string[] = [];
  readonly #cells: string[] = [];
  #column = 0;
  /** Something in this line was written over. */
  #again = false;

  put(cell: string): void {
    if (this.#column < this.#cells.length) this.#again = true;
    this.#cells[this.#column] = cell;
    this.#column += 1;
  }

  control(code: number): void {
    if (code === lineFeed) this.#endLine();
    else if (code === carriageReturn) this.#column = 0;
    else if (code === 0x08) this.#column = Math.max(0, this.#column - 1);
    else if (code === 0x09) this.#tab();
  }

  /** Only what moves or erases within a line matters to what is left of it; the rest of the sequences just go. */
  obey(sequence: string): void {
    const body = sequence.charCodeAt(0) === escapeCode ? 2 : 1;
    const kind = body === 2 ? sequence.charCodeAt(1) : sequence.charCodeAt(0) - 0x40;
    const final = kind === csi ? sequence.at(-1) : undefined;
    const count = Number.parseInt(sequence.slice(body, body + 4), 10) || 0;
    if (final === "C") this.#goTo(this.#column + Math.max(1, count));
    else if (final === "D") this.#column = Math.max(0, this.#column - Math.max(1, count));
    else if (final === "G") this.#goTo(Math.max(1, count) - 1);
    else if (final === "K") this.#erase(count);
  }

  end(): string {
    this.#endLine();
    return this.#lines.join("\n");
  }

  /** A tab moves over what is there; behind it, it is kept. */
  #tab(): void {
    const stop = this.#column - (this.#column % tabStop) + tabStop;
    const isBehind = stop > this.#cells.length;
    this.#column = Math.min(stop, this.#cells.length);
    if (isBehind) this.put("\t");
  }

  /** Behind the end of the line a blank stands for the gap: a few bytes must not become many columns. */
  #goTo(column: number): void {
    this.#column = Math.min(column, this.#cells.length);
    if (column > this.#cells.length) this.put(" ");
  }

  #erase(which: number): void {
    if (which === 2) this.#column = 0;
    if (which !== 1) this.#cells.length = this.#column;
  }

  #endLine(): void {
    const line = this.#cells.join("");
    // Programs write blanks over what is to vanish.
    this.#lines.push(this.#again ? withoutBlankEnd(line) : line);
    this.#cells.length = 0;
    this.#column = 0;
    this.#again = false;
  }
}

/** A pattern for this would look for the end anew at each blank. */
function withoutBlankEnd(line: string): string {
  let end = line.length;
  while (line[end - 1] === " ") end -= 1;
  return line.slice(0, end);
}
