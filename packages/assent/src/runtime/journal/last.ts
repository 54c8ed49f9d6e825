import { closeSync, constants, openSync, readFileSync, writeSync } from "node:fs";

/** The event that was recorded last, in whichever session, and its hash. */
export type LastEvent = { readonly session: string; readonly seq: number; readonly hash: string };

/** One block of any disk, always written whole. */
const size = 512;

/**
 * Stands beside the store and waits for no disk. It is written once its event is durable, so a store is never behind it; where
 * one is, it or its log was cut, emptied, removed or exchanged, which nothing in the store itself could tell (see ADR 7).
 */
export class LastNote {
  readonly #file: string;
  #handle: number | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  write({ session, seq, hash }: LastEvent): void {
    const line = `${seq} ${hash} ${encodeURIComponent(session)}\n`;
    // Twice: a bit that was flipped in one of them is found, without the hash that a start would have to load.
    this.#put(line.length * 2 <= size ? line + line : "");
  }

  /** `null` where there is none, or it is not as it was written. */
  read(): LastEvent | null {
    try {
      const [first = "", second] = readFileSync(this.#file, "latin1").split("\n");
      const [seq, hash, session] = first.split(" ");
      if (first !== second || hash === undefined || session === undefined) return null;
      return { session: decodeURIComponent(session), seq: Number(seq), hash };
    } catch {
      return null;
    }
  }

  /** Before its session is removed: that is not to be missed. */
  forget(session: string): void {
    if (this.read()?.session === session) this.#put("");
  }

  close(): void {
    if (this.#handle !== null) closeSync(this.#handle);
    this.#handle = null;
  }

  /** It only helps to find a loss: nothing that is recorded fails for its sake. */
  #put(text: string): void {
    try {
      this.#handle ??= openSync(this.#file, constants.O_RDWR | constants.O_CREAT, 0o600);
      writeSync(this.#handle, text.padEnd(size), 0, "latin1");
    } catch {
      // Where it cannot be written there is none, or an older one: no less true.
    }
  }
}
