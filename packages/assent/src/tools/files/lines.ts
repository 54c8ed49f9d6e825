import { createHash } from "node:crypto";
import { promises } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { digestStats, mostWhole, openFlags } from "./content.ts";
import { kindOf, type Trouble, trouble } from "./trouble.ts";

const chunkBytes = 256 * 1024;
const sniffedBytes = 8 * 1024;
/** No more than this is passed over on the way to a line. */
const mostScanned = 256 * 1024 * 1024;

/** Takes the lines of a file one after the other, the beginning of each, until it has enough. */
export type Taker = { readonly mostLineBytes: number; take(line: Buffer, cut: number): "more" | "enough" };

export type Scanned =
  | { readonly type: "binary"; readonly size: number; readonly digest: string }
  /** `lines` of a file that was read to its end. */
  | { readonly type: "text"; readonly size: number; readonly digest: string; readonly lines: number | null }
  | { readonly type: "too-far"; readonly scanned: number }
  | Trouble;

/** Reads piece by piece: however large a file or a line is, this takes little memory. */
export async function scanFile(real: string, what: string, taker: Taker, signal: AbortSignal): Promise<Scanned> {
  const file = await promises.open(real, openFlags);
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) return trouble(`${what}: expected a regular file, came ${kindOf(stats)}`);
    const size = Number(stats.size);
    const scan = new Scan(file, taker, size <= mostWhole);
    const ended = await scan.run(signal);
    if (ended === "too-far") return { type: "too-far", scanned: mostScanned };
    if (ended === "aborted") return trouble(`${what}: it was stopped`);
    const digest = scan.digest() ?? digestStats(stats);
    if (ended === "binary") return { type: "binary", size, digest };
    return { type: "text", size, digest, lines: ended === "end" ? scan.lines : null };
  } finally {
    await file.close();
  }
}

type Ended = "end" | "enough" | "binary" | "too-far" | "aborted";

class Scan {
  readonly #file: FileHandle;
  readonly #taker: Taker;
  /** A small file is read to its end for its digest and its number of lines. */
  readonly #hash: ReturnType<typeof createHash> | null;
  lines = 0;
  #line: Buffer[] = [];
  #kept = 0;
  #cut = 0;
  #enough = false;
  #binary = false;

  constructor(file: FileHandle, taker: Taker, whole: boolean) {
    this.#file = file;
    this.#taker = taker;
    this.#hash = whole ? createHash("sha256") : null;
  }

  async run(signal: AbortSignal): Promise<Ended> {
    for (let scanned = 0; scanned <= mostScanned; ) {
      if (signal.aborted) return "aborted";
      const { buffer, bytesRead } = await this.#file.read(Buffer.allocUnsafe(chunkBytes), 0, chunkBytes, scanned);
      if (bytesRead === 0) return this.#finish();
      const chunk = buffer.subarray(0, bytesRead);
      if (scanned === 0) this.#binary = isBinary(chunk.subarray(0, sniffedBytes));
      scanned += bytesRead;
      const ended = this.#feed(chunk);
      if (ended !== null) return ended;
    }
    return "too-far";
  }

  #feed(chunk: Buffer): Ended | null {
    this.#hash?.update(chunk);
    if (!this.#binary) this.#split(chunk);
    if (this.#hash !== null) return null;
    if (this.#binary) return "binary";
    return this.#enough ? "enough" : null;
  }

  #finish(): Ended {
    if (this.#binary) return "binary";
    if (this.#kept + this.#cut > 0) this.#endLine();
    return "end";
  }

  digest(): string | null {
    return this.#hash === null ? null : `sha256:${this.#hash.digest("hex")}`;
  }

  #split(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; ) {
      const end = chunk.indexOf(10, start);
      this.#keep(chunk.subarray(start, end === -1 ? chunk.length : end));
      if (end === -1) return;
      this.#endLine();
      start = end + 1;
    }
  }

  #keep(piece: Buffer): void {
    const room = Math.max(0, this.#taker.mostLineBytes - this.#kept);
    const kept = piece.subarray(0, room);
    if (kept.length > 0 && !this.#enough) this.#line.push(kept);
    this.#kept += kept.length;
    this.#cut += piece.length - kept.length;
  }

  #endLine(): void {
    this.lines += 1;
    if (!this.#enough) this.#enough = this.#taker.take(Buffer.concat(this.#line), this.#cut) === "enough";
    this.#line = [];
    this.#kept = 0;
    this.#cut = 0;
  }
}

/** A NUL, or mostly bytes that are no UTF-8. */
export function isBinary(start: Buffer): boolean {
  if (start.includes(0)) return true;
  const text = start.toString();
  return (text.match(/\uFFFD/g)?.length ?? 0) > text.length * 0.3;
}
