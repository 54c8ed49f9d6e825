import { StringDecoder } from "node:string_decoder";

/** Of each stream this much is kept from the beginning, and as much from the end. */
const mostHead = 16 * 1024;
const mostTail = 16 * 1024;

/** Keeps the head and the tail of a stream, however long it is. Lengths are in UTF-16 units. */
export class Output {
  readonly #decoder = new StringDecoder("utf8");
  #head = "";
  #tail = "";
  #left = 0;

  /** Takes in a part and gives it back as text. */
  add(part: Buffer): string {
    const text = this.#decoder.write(part);
    this.#keep(text);
    return text;
  }

  end(): string {
    this.#keep(this.#decoder.end());
    if (this.#left === 0) return this.#head + this.#tail;
    return `${this.#head}\n[… ${this.#left} characters left out …]\n${this.#tail}`;
  }

  #keep(text: string): void {
    const room = mostHead - this.#head.length;
    this.#head += text.slice(0, room);
    const rest = this.#tail + text.slice(Math.max(0, room));
    const left = Math.max(0, rest.length - mostTail);
    this.#tail = rest.slice(left);
    this.#left += left;
  }
}
