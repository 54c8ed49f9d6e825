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

export type Capturing = {
  readonly spill: (() => Spill) | null;
  /** As a text a secret can be whole that was not as bytes: with colours in between. */
  readonly hide: (text: string) => string;
};

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
  readonly #openSpill: Capturing["spill"];
  readonly #hide: Capturing["hide"];
  #spill: Spill | null = null;
  /** The head, then the tail as a ring. As long as nothing is left out, it is simply all that came. */
  #kept: Buffer = nothing;
  /** How much came since the last take. */
  #bytes = 0;

  constructor({ spill, hide }: Capturing) {
    this.#openSpill = spill;
    this.#hide = hide;
  }

  /** `part` is copied as far as it is kept: the caller may use it again. */
  add(part: Buffer): void {
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

  /**
   * What came since the last take. A character or an escape sequence that has begun and not ended comes with the next one:
   * halves could not be told for what they are.
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
    const { head, tail } = this.#parts();
    const captured = this.#describe(head, tail, 0);
    this.#spill?.end();
    this.#kept = nothing;
    this.#bytes = 0;
    return captured;
  }

  /** Opens the file, and writes what came before: it is all there yet. */
  #spillKept(): void {
    if (this.#spill !== null || this.#openSpill === null) return;
    this.#spill = this.#openSpill();
    this.#spill.write(this.#kept.subarray(0, this.#bytes));
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

  #readable(bytes: Buffer): string {
    return this.#hide(plainText(bytes));
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
