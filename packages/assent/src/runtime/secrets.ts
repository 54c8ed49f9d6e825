import {
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import type { Secret } from "../core/index.ts";
import { JournalError, type Secrets } from "./ports.ts";

/** One file a secret, for its owner's eyes only. The folder is made with the first one. */
export function openSecrets(folder: string): Secrets {
  // A name may hold anything; a file's name may not.
  const fileOf = (name: string) => join(folder, encodeURIComponent(name));
  return {
    put: (secret) => told(() => write(folder, fileOf(secret.name), secret)),
    read: (name) => readIfThere(fileOf(name)),
    remove: (name) => removeFile(fileOf(name)),
    names: (beginning, olderThanMs) =>
      filesIn(folder)
        .filter((file) => file.startsWith(encodeURIComponent(beginning)))
        .filter((file) => olderThanMs === 0 || ageMs(join(folder, file)) > olderThanMs)
        .map(decodeURIComponent),
  };
}

/** For tests and for a host that keeps nothing. */
export function openVolatileSecrets(kept = new Map<string, string>()): Secrets {
  return {
    put: ({ name, value }) => void kept.set(name, value),
    read: (name) => kept.get(name) ?? null,
    remove: (name) => void kept.delete(name),
    names: (beginning, olderThanMs) =>
      olderThanMs > 0 ? [] : [...kept.keys()].filter((name) => name.startsWith(beginning)),
  };
}

function write(folder: string, file: string, { value }: Secret): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const opened = openSync(file, "w", 0o600);
  try {
    const bytes = Buffer.from(value);
    // A full disk makes a write short, without an error.
    for (let done = 0; done < bytes.length; ) {
      const wrote = writeSync(opened, bytes, done);
      if (wrote === 0) throw new Error("the disk is full");
      done += wrote;
    }
    fsyncSync(opened);
  } catch (error) {
    removeFile(file);
    throw error;
  } finally {
    closeSync(opened);
  }
}

/** One that cannot be removed now is removed when its session is next taken over. */
function removeFile(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // See above.
  }
}

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

function filesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function ageMs(file: string): number {
  const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  return changed === undefined ? 0 : Date.now() - changed;
}

/** What keeps an answer from being recorded is told like a journal that does. */
function told(body: () => void): void {
  try {
    body();
  } catch (error) {
    throw new JournalError("io", `secret store: ${error instanceof Error ? error.message : String(error)}`);
  }
}
