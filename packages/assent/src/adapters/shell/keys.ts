import { type Decoded, decodeEscape } from "./escapes.ts";
import { controlKey, type Key, named } from "./key-names.ts";

export type { Key } from "./key-names.ts";

const escapeByte = 0x1b;
const interruptByte = 0x03;
const pasteEnd = Buffer.from("\x1b[201~");

/** Bytes of a terminal as keys, wherever the chunks end; what no key is known for is dropped whole. */
export class KeyDecoder {
  /** The beginning of something whose end has not come. */
  #rest: Buffer = Buffer.alloc(0);
  /** The chunks of a paste whose end has not come. */
  #paste: Buffer[] | null = null;
  readonly #keys: Key[] = [];

  push(bytes: Buffer): readonly Key[] {
    // Whatever has become of the end of a paste: whoever presses Ctrl-C means it.
    if (this.#paste !== null && bytes.length === 1 && bytes[0] === interruptByte) return this.#giveUpPaste(this.#paste);
    let input = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    this.#rest = Buffer.alloc(0);
    while (input.length > 0) {
      const taken = this.#paste === null ? this.#take(input) : this.#takePasted(input, this.#paste);
      if (taken === 0) {
        // What the terminal gave may be written over by its next chunk.
        this.#rest = Buffer.from(input);
        break;
      }
      input = input.subarray(taken);
    }
    return this.#keys.splice(0);
  }

  /** Nothing came for a moment: a lone escape was the key, and half a sequence will stay one. */
  flush(): readonly Key[] {
    if (!this.waiting) return [];
    const isKey = this.#rest.every((byte) => byte === escapeByte);
    const keys = isKey ? Array.from(this.#rest, () => named("escape")) : [];
    this.#rest = Buffer.alloc(0);
    return keys;
  }

  /** Whether an escape came that may be a key, or the beginning of one. */
  get waiting(): boolean {
    return this.#paste === null && this.#rest[0] === escapeByte;
  }

  /** Whether a paste has begun whose end has not come. */
  get pasting(): boolean {
    return this.#paste !== null;
  }

  /** How many bytes were understood; none when more must come first. */
  #take(input: Buffer): number {
    const first = input[0] ?? 0;
    if (first === escapeByte) return this.#takeEscape(decodeEscape(input));
    if (!isControl(first)) return this.#takeText(input);
    const name = controlKey(first);
    if (name !== null) this.#keys.push(named(name));
    return 1;
  }

  #takeEscape({ taken, meaning }: Decoded): number {
    if (meaning === "paste") this.#paste = [];
    else if (meaning !== null) this.#keys.push(meaning);
    return taken;
  }

  #takeText(input: Buffer): number {
    const end = input.findIndex(isControl);
    const bytes = end < 0 ? input.subarray(0, input.length - halfCharacter(input)) : input.subarray(0, end);
    if (bytes.length > 0) this.#keys.push({ type: "text", text: bytes.toString("utf8") });
    return bytes.length;
  }

  #takePasted(input: Buffer, chunks: Buffer[]): number {
    const end = input.indexOf(pasteEnd);
    if (end < 0) {
      // The mark may be cut in two; all but what could be its beginning is put aside, so that no byte is looked at twice.
      const kept = input.length - beginningOf(pasteEnd, input);
      if (kept > 0) chunks.push(Buffer.from(input.subarray(0, kept)));
      return kept;
    }
    this.#endPaste([...chunks, input.subarray(0, end)]);
    return end + pasteEnd.length;
  }

  #endPaste(chunks: readonly Buffer[]): void {
    const text = Buffer.concat(chunks).toString("utf8");
    this.#paste = null;
    // Terminals send the line ends of a paste as the key would.
    this.#keys.push({ type: "paste", text: text.replace(/\r\n?/g, "\n") });
  }

  /** What came of it is kept. */
  #giveUpPaste(chunks: readonly Buffer[]): readonly Key[] {
    this.#endPaste([...chunks, this.#rest]);
    this.#rest = Buffer.alloc(0);
    this.#keys.push(named("interrupt"));
    return this.#keys.splice(0);
  }
}

function isControl(byte: number): boolean {
  return byte < 0x20 || byte === 0x7f;
}

/** How many bytes at the end begin a character whose other bytes have not come. */
function halfCharacter(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return 0;
    if (byte >= 0xc2 && byte <= 0xf4) return byte >= 0xf0 || (byte >= 0xe0 && back < 3) || back < 2 ? back : 0;
    if (byte >= 0xc0) return 0;
  }
  return 0;
}

/** How many bytes at the end of the input are the beginning of the mark. */
function beginningOf(mark: Buffer, input: Buffer): number {
  for (let length = Math.min(mark.length - 1, input.length); length > 0; length--) {
    if (input.subarray(input.length - length).equals(mark.subarray(0, length))) return length;
  }
  return 0;
}
