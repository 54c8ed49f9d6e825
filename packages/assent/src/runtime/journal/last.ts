import { closeSync, constants, fdatasyncSync, openSync, readFileSync, writeSync } from "node:fs";

/** The event that was recorded last, in whichever session, and its hash. */
export type LastEvent = { readonly session: string; readonly seq: number; readonly hash: string };

/** One block of any disk, always written whole. */
const size = 512;
/** Not more often than that while a session is at work: a write for each of its appends would be a tenth of what they cost. */
const seldomMs = 100;

/**
 * Stands beside the store and waits for no disk. It is written once its event is durable, so a store is never behind it; where
 * one is, it or its log was cut, emptied, removed or exchanged, which nothing in the store itself could tell (see ADR 7).
 */
export class LastNote {
  readonly #file: string;
  #handle: number | null = null;
  #written = Number.NEGATIVE_INFINITY;
  #waiting: { readonly event: LastEvent; readonly timer: NodeJS.Timeout } | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  /** For a session that nobody can remove meanwhile; whoever leaves it sees to it that it is written. */
  writeSoon(event: LastEvent): void {
    if (performance.now() - this.#written > seldomMs) this.write(event);
    else this.#waiting = { event, timer: this.#waiting?.timer ?? setTimeout(() => this.settle(), seldomMs).unref() };
  }

  /** Writes what waits. */
  settle(): void {
    if (this.#waiting !== null) this.write(this.#waiting.event);
  }

  write({ session, seq, hash }: LastEvent): void {
    if (this.#waiting !== null) clearTimeout(this.#waiting.timer);
    this.#waiting = null;
    this.#written = performance.now();
    const line = `${seq} ${hash} ${encodeURIComponent(session.toWellFormed())}\n`;
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

  /** Before its session is removed: that is not to be missed, whatever happens next. */
  forget(session: string): void {
    if (this.read()?.session !== session) return;
    this.#put("");
    if (this.#handle !== null) fdatasyncSync(this.#handle);
  }

  /** Of a store that is not there any more: nothing of it is missed. In place, for another process may write to it already. */
  clear(): void {
    if (this.read() !== null) this.#put("");
  }

  close(): void {
    this.settle();
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
