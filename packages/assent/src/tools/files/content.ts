import { hash } from "node:crypto";
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  openSync,
  readFileSync,
  type Stats,
} from "node:fs";
import { codeOf } from "../../wire/index.ts";
import { failure, kindOf, type Trouble, trouble } from "./trouble.ts";

/** Up to here a file is taken whole: hashed, compared, replaced. */
export const mostWhole = 16 * 1024 * 1024;

/** A link in the last place is not followed, and opening a FIFO does not wait for its other end. */
export const openFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

export type Current =
  | { readonly type: "absent" }
  | { readonly type: "file"; readonly bytes: Buffer; readonly digest: string }
  | Trouble;

/** What a regular file holds now. Nothing else is opened: reading a device can hang, or do something. */
export function readCurrent(real: string, what: string): Current {
  try {
    const stats = lstatSync(real, { throwIfNoEntry: false });
    if (stats === undefined) return { type: "absent" };
    const wrong = notWhole(stats, what);
    if (wrong !== null) return wrong;
    const file = openSync(real, openFlags);
    try {
      const opened = notWhole(fstatSync(file), what);
      if (opened !== null) return opened;
      const bytes = readFileSync(file);
      return { type: "file", bytes, digest: digestBytes(bytes) };
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return codeOf(error) === "ENOENT" ? { type: "absent" } : failure(what, error);
  }
}

function notWhole(stats: Stats, what: string): Trouble | null {
  if (!stats.isFile()) return trouble(`${what}: expected a regular file, came ${kindOf(stats)}`);
  if (stats.size <= mostWhole) return null;
  return trouble(`${what}: expected at most ${sayBytes(mostWhole)}, came ${sayBytes(stats.size)}: use the terminal`);
}

export function digestBytes(bytes: Buffer): string {
  return `sha256:${hash("sha256", bytes)}`;
}

/** For a file too large to hash each time; it changes with every write, and may with none. */
export function digestStats({ size, mtimeNs, ino }: BigIntStats): string {
  return `stat:${size}-${mtimeNs}-${ino}`;
}

export function sayBytes(bytes: number): string {
  const units = ["KB", "MB", "GB", "TB"];
  if (bytes < 1024) return `${bytes} B`;
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1]}`;
}

/** The beginning of a text, whole characters only; said to be cut by whoever cuts. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text;
  return /[\uD800-\uDBFF]/.test(text.charAt(most - 1)) ? text.slice(0, most - 1) : text.slice(0, most);
}
