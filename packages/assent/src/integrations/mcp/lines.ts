/** A piece costs far more than the byte that it may hold: when there are so many, they are made one. */
const mostParts = 1_024;

/** Cuts a stream of bytes into lines. A line that is too long is let go of as it comes, and told of once. */
export class Lines {
  readonly #most: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #onTooLong: () => void;
  #blocks: Buffer[] = [];
  #parts: Buffer[] = [];
  #length = 0;
  #discarding = false;

  constructor(most: number, onLine: (line: Buffer) => void, onTooLong: () => void) {
    this.#most = most;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }

  take(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end !== -1; end = chunk.indexOf(10, from)) {
      this.#add(chunk.subarray(from, end));
      this.#finish();
      from = end + 1;
    }
    this.#add(chunk.subarray(from));
  }

  #add(part: Buffer): void {
    if (this.#discarding || part.length === 0) return;
    if (this.#length + part.length > this.#most) {
      this.#clear();
      this.#discarding = true;
      this.#onTooLong();
      return;
    }
    this.#parts.push(part);
    this.#length += part.length;
    if (this.#parts.length < mostParts) return;
    this.#blocks.push(Buffer.concat(this.#parts));
    this.#parts = [];
  }

  #finish(): void {
    const isLine = !this.#discarding && this.#length > 0;
    const line = isLine ? Buffer.concat([...this.#blocks, ...this.#parts], this.#length) : null;
    this.#clear();
    this.#discarding = false;
    if (line !== null) this.#onLine(line);
  }

  #clear(): void {
    this.#blocks = [];
    this.#parts = [];
    this.#length = 0;
  }
}
