import { readFileSync } from "node:fs";
import { endianness } from "node:os";

/** As SQLite writes them: a header, then frames, each a page with a header of its own. */
const headerBytes = 32;
const frameHeaderBytes = 24;
/** The last bit of it says in which order of bytes its sums are made. */
const magic = 0x377f0682;

type Sum = readonly [one: number, two: number];
/** `words`: all of it, in the order of bytes in which its sums are made. */
type Log = { readonly bytes: Buffer; readonly view: DataView; readonly words: Int32Array; readonly frameBytes: number };

/**
 * Where the log of a store cannot be read although more was written after it: from there on SQLite takes nothing of it, as if it had
 * never been. `null` where all that was committed can be read. A single write at the end may have been torn by a loss of power
 * before anybody was told that it is durable: that is no loss.
 */
export function lostInLog(file: string): number | null {
  const first = lostIn(readLog(file));
  // Others write meanwhile: what is seen twice is there.
  return first !== null && lostIn(readLog(file)) === first ? first : null;
}

function readLog(file: string): Buffer {
  try {
    return readFileSync(`${file}-wal`);
  } catch {
    // Without a log nothing is lost in it.
    return Buffer.alloc(0);
  }
}

function lostIn(bytes: Buffer): number | null {
  if (bytes.length < headerBytes + frameHeaderBytes) return null;
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isLittle = (view.getUint32(0) & 1) === 0;
  const log = { bytes, view, words: wordsOf(bytes, isLittle), frameBytes: frameHeaderBytes + view.getUint32(8) };
  const isHeader = (view.getUint32(0) | 1) === (magic | 1) && isSum(log, 24, summed(log, [0, 0], 0, 24));
  // A log that was emptied begins with nothing.
  if (!isHeader) return bytes.subarray(0, headerBytes).every((byte) => byte === 0) ? null : 0;
  return lostAfter(log);
}

function lostAfter(log: Log): number | null {
  const { bytes, view, frameBytes } = log;
  let sum = summed(log, [0, 0], 0, 24);
  let lost: number | null = null;
  let commits = 0;
  for (let at = headerBytes; at + frameBytes <= bytes.length; at += frameBytes) {
    // What is of an earlier round of the log has other salts.
    if (bytes.compare(bytes, at + 8, at + 16, 16, 24) !== 0) {
      if (lost === null && !isSaltOfNext(log, at)) return null;
      lost ??= at;
      continue;
    }
    sum = summed(log, summed(log, sum, at, at + 8), at + frameHeaderBytes, at + frameBytes);
    if (!isSum(log, at + 16, sum)) lost ??= at;
    if (lost !== null && view.getUint32(at + 4) !== 0) commits += 1;
  }
  return commits > 1 ? lost : null;
}

/** The salts of one frame were changed, where the one after it has those of this round. */
function isSaltOfNext({ bytes, frameBytes }: Log, at: number): boolean {
  const next = at + frameBytes;
  return next + frameBytes <= bytes.length && bytes.compare(bytes, next + 8, next + 16, 16, 24) === 0;
}

/** Nearly every log has the order of the machine that it is read on, and needs no copy. */
function wordsOf(bytes: Buffer, isLittle: boolean): Int32Array {
  const length = Math.floor(bytes.length / 4);
  const isOwn = isLittle === (endianness() === "LE");
  if (isOwn && bytes.byteOffset % 4 === 0) return new Int32Array(bytes.buffer, bytes.byteOffset, length);
  const copy = Buffer.from(new Uint8Array(bytes.subarray(0, length * 4)).buffer);
  return new Int32Array((isOwn ? copy : copy.swap32()).buffer);
}

function summed({ words }: Log, [first, second]: Sum, from: number, to: number): Sum {
  let [one, two] = [first, second];
  for (let at = from / 4; at < to / 4; at += 2) {
    one = (one + (words[at] ?? 0) + two) | 0;
    two = (two + (words[at + 1] ?? 0) + one) | 0;
  }
  return [one, two];
}

function isSum({ view }: Log, at: number, [one, two]: Sum): boolean {
  return view.getInt32(at) === one && view.getInt32(at + 4) === two;
}
