import { secretMark } from "../runtime/ports.ts";
import { isBinary, plainText, sequenceEnd } from "./plain-text.ts";
import type { Spill } from "./spill.ts";

/** Of an output this much is kept from the beginning, and this much from the end. */
const mostHead = 16 * 1024;
const mostTail = 16 * 1024;
const mostKept = mostHead + mostTail;
/** A cut is moved this far to stand between two lines. */
const mostToLine = 4 * 1024;
/** A cut is moved past an escape sequence that began no further than this before it. */
const mostSequence = 512;

const escapeCode = 0x1b;
const nothing: Buffer = Buffer.alloc(0);
const hiddenBytes = Buffer.from(secretMark);

export type Captured = {
  /** What a model reads of it. */
  readonly text: string;
  /** How much came, secrets counted as what stands for them. */
  readonly bytes: number;
  /** How much of that is not in the text. */
  readonly left_out: number;
  /** Where the output is on disk, once it has grown too long. */
  readonly file: string | null;
  readonly binary: boolean;
};

/** Keeps the head and the tail of an output as bytes, however long it is; all of it goes to a file when it is longer. */
export class Capture {
  readonly #openSpill: (() => Spill) | null;
  #spill: Spill | null = null;
  /** The head, then the tail as a ring. As long as nothing is left out, it is simply all that came. */
  #kept: Buffer = nothing;
  /** How much came since the last take. */
  #bytes = 0;
  #secrets: readonly string[] = [];
  #hidden: readonly Buffer[] = [];
  /** What may be the beginning of a secret. */
  #held: Buffer = nothing;
  /** How many bytes of that are the end of another, which is hidden already. */
  #covered = 0;

  constructor({ spill }: { readonly spill: (() => Spill) | null }) {
    this.#openSpill = spill;
  }

  /** `part` is copied as far as it is kept: the caller may use it again. */
  add(part: Buffer): void {
    if (this.#hidden.length === 0) this.#keep(part);
    else this.#keepHidden(part, false);
  }

  /** From now on this is replaced, in what is kept and in the file, also where it comes in several parts. */
  hide(secret: string): void {
    if (secret === "" || this.#secrets.includes(secret)) return;
    this.#secrets = [...this.#secrets, secret].sort((one, other) => other.length - one.length);
    this.#hidden = this.#secrets.map((each) => Buffer.from(each));
  }

  /**
   * What came since the last take. A character, an escape sequence or a secret that has begun and not ended comes with
   * the next one: halves could not be told for what they are.
   */
  take(): Captured {
    const { head, tail } = this.#parts();
    const last = tail ?? head;
    const rest = Buffer.from(last.subarray(last.length - unfinishedLength(last)));
    const captured = this.#describe(head, tail, rest.length);
    this.#bytes = rest.copy(this.#kept);
    return captured;
  }

  /** The last take. */
  end(): Captured {
    this.#keepHidden(nothing, true);
    const { head, tail } = this.#parts();
    const captured = this.#describe(head, tail, 0);
    this.#spill?.end();
    this.#kept = nothing;
    this.#bytes = 0;
    return captured;
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return;
    if (this.#kept.length === 0) this.#kept = Buffer.allocUnsafeSlow(mostKept);
    if (this.#bytes + part.length > mostKept) this.#spillKept();
    this.#spill?.write(part);
    const toHead = this.#bytes < mostHead ? part.copy(this.#kept, this.#bytes, 0, mostHead - this.#bytes) : 0;
    this.#bytes += part.length;
    // Of what does not fit into the head only the end can be in the tail.
    const from = Math.max(toHead, part.length - mostTail);
    if (from >= part.length) return;
    const position = (this.#bytes - (part.length - from) - mostHead) % mostTail;
    const copied = part.copy(this.#kept, mostHead + position, from);
    part.copy(this.#kept, mostHead, from + copied);
  }

  /** Opens the file, and writes what came before: it is all there yet. */
  #spillKept(): void {
    if (this.#spill !== null || this.#openSpill === null) return;
    this.#spill = this.#openSpill();
    this.#spill.write(this.#kept.subarray(0, this.#bytes));
  }

  #keepHidden(part: Buffer, isLast: boolean): void {
    const data = this.#held.length === 0 ? part : Buffer.concat([this.#held, part]);
    const until = isLast ? data.length : data.length - begunLength(data, this.#hidden);
    const pieces: Buffer[] = [];
    let at = this.#covered;
    for (const [start, end] of occurrences(data, this.#hidden)) {
      if (start >= until) break;
      if (start >= at) pieces.push(data.subarray(at, start), hiddenBytes);
      at = end;
    }
    if (at < until) pieces.push(data.subarray(at, until));
    this.#keep(pieces.length === 1 ? (pieces[0] ?? nothing) : Buffer.concat(pieces));
    this.#held = Buffer.from(data.subarray(until));
    this.#covered = Math.max(0, at - until);
  }

  /** Without a tail nothing is left out. */
  #parts(): { readonly head: Buffer; readonly tail: Buffer | null } {
    if (this.#bytes <= mostKept) return { head: this.#kept.subarray(0, this.#bytes), tail: null };
    const ring = this.#kept.subarray(mostHead);
    const oldest = (this.#bytes - mostHead) % mostTail;
    return {
      head: this.#kept.subarray(0, mostHead),
      tail: Buffer.concat([ring.subarray(oldest), ring.subarray(0, oldest)]),
    };
  }

  /** Without the last `less` bytes. */
  #describe(head: Buffer, tail: Buffer | null, less: number): Captured {
    const bytes = this.#bytes - less;
    if (isBinary(tail === null ? head.subarray(0, bytes) : head)) {
      this.#spillKept();
      const text = `[binary output, ${bytes} bytes${this.#whereabouts()}]`;
      return { text, bytes, left_out: bytes, file: this.#file(), binary: true };
    }
    if (tail === null) {
      const text = this.#readable(head.subarray(0, bytes));
      return { text, bytes, left_out: 0, file: this.#file(), binary: false };
    }
    const first = head.subarray(0, headEnd(head));
    const last = tail.subarray(tailStart(tail), tail.length - less);
    const left_out = bytes - first.length - last.length;
    const note = `[… ${left_out} bytes left out${this.#whereabouts()} …]`;
    const before = this.#readable(first);
    const text = `${before}${before.endsWith("\n") ? "" : "\n"}${note}\n${this.#readable(last)}`;
    return { text, bytes, left_out, file: this.#file(), binary: false };
  }

  /** As a text a secret can be whole that was not as bytes: with colours in between. */
  #readable(bytes: Buffer): string {
    let text = plainText(bytes);
    for (const secret of this.#secrets) {
      const parts = text.split(secretMark).map((part) => part.replaceAll(secret, secretMark));
      text = parts.join(secretMark);
    }
    return text;
  }

  #file(): string | null {
    return this.#spill === null || this.#spill.bytes === 0 ? null : this.#spill.path;
  }

  #whereabouts(): string {
    if (this.#spill === null) return "";
    const { state, path, bytes, reason } = this.#spill;
    if (state === "whole") return `; all of it is in ${path}`;
    const why = reason === null ? "" : `, for the rest could not be saved: ${reason}`;
    return bytes === 0 ? `; it could not be saved: ${reason}` : `; only the first ${bytes} bytes are in ${path}${why}`;
  }
}

/** Where these occur, in order; what overlaps is one. */
function occurrences(data: Buffer, wanted: readonly Buffer[]): readonly (readonly [number, number])[] {
  const found: [number, number][] = [];
  for (const each of wanted) {
    for (let at = data.indexOf(each); at !== -1; at = data.indexOf(each, at + 1)) {
      found.push([at, at + each.length]);
    }
  }
  const joined: [number, number][] = [];
  for (const [start, end] of found.sort(([one], [other]) => one - other)) {
    const last = joined.at(-1);
    if (last !== undefined && start < last[1]) last[1] = Math.max(last[1], end);
    else joined.push([start, end]);
  }
  return joined;
}

/** How many bytes at the end are the beginning of one of these, and not all of it. */
function begunLength(data: Buffer, wanted: readonly Buffer[]): number {
  return Math.max(0, ...wanted.map((each) => begunLengthOf(data, each)));
}

function begunLengthOf(data: Buffer, wanted: Buffer): number {
  const [first = 0] = wanted;
  const from = Math.max(0, data.length - wanted.length + 1);
  for (let at = data.indexOf(first, from); at !== -1; at = data.indexOf(first, at + 1)) {
    const length = data.length - at;
    if (data.compare(wanted, 0, length, at) === 0) return length;
  }
  return 0;
}

/** How many bytes at the end are of a character or an escape sequence that is not whole. */
function unfinishedLength(bytes: Buffer): number {
  const at = bytes.lastIndexOf(escapeCode);
  if (at === -1 || bytes.length - at > mostSequence) return partOfCharacter(bytes);
  const text = bytes.toString("latin1", at);
  // An unfinished one would take a letter more.
  return sequenceEnd(`${text}m`, 0) > text.length ? bytes.length - at : partOfCharacter(bytes);
}

function partOfCharacter(bytes: Buffer): number {
  for (let length = 1; length <= Math.min(3, bytes.length); length += 1) {
    const byte = bytes[bytes.length - length] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const wanted = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return wanted > length ? length : 0;
  }
  return 0;
}

/** After the last line that is whole, or else after the last character that is. */
function headEnd(head: Buffer): number {
  const line = Math.max(head.lastIndexOf("\n"), head.lastIndexOf("\r")) + 1;
  return line >= head.length - mostToLine && line > 0 ? line : head.length - unfinishedLength(head);
}

/** Before the first line that is whole, or else before a character that is, and not within an escape sequence. */
function tailStart(tail: Buffer): number {
  const near = tail.subarray(0, mostToLine);
  const line = near.indexOf("\n");
  if (line !== -1) return line + 1;
  const rewritten = near.indexOf("\r");
  if (rewritten !== -1) return rewritten + 1;
  let start = mostSequence;
  const text = near.toString("latin1");
  for (let at = text.indexOf("\u001b"); at !== -1 && at < start; ) {
    const end = sequenceEnd(text, at);
    if (end > start) start = end;
    at = text.indexOf("\u001b", end);
  }
  const most = start + 3;
  while (((tail[start] ?? 0) & 0xc0) === 0x80 && start < most) start += 1;
  return start;
}
