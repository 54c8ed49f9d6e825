import { closeSync, fsyncSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Writes a file for its owner's eyes only, and its folder if there is none; what it holds is durable when this returns, and
 * nothing of it is left when it fails. `wx` fails when there is such a file.
 */
export function writePrivate(file: string, text: string, flag: "w" | "wx" = "w"): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const opened = openSync(file, flag, 0o600);
  try {
    const bytes = Buffer.from(text);
    // A full disk makes a write short, without an error.
    for (let done = 0; done < bytes.length; ) {
      const wrote = writeSync(opened, bytes, done);
      if (wrote === 0) throw new Error("the disk is full");
      done += wrote;
    }
    fsyncSync(opened);
  } catch (error) {
    removeQuietly(file);
    throw error;
  } finally {
    closeSync(opened);
  }
}

export function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true, recursive: true });
  } catch {
    // Whoever comes by next may have more luck.
  }
}

/** What was made, renamed or removed in it stays so. */
export function syncFolder(folder: string): void {
  const opened = openSync(folder, "r");
  try {
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}
