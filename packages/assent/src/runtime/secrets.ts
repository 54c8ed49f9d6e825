import { readdirSync, readFileSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { messageOf } from "../wire/index.ts";
import { removeQuietly, writePrivate } from "./durable-file.ts";
import { JournalError, type Secrets } from "./ports.ts";

/** One file a secret, for its owner's eyes only. The folder is made with the first one. */
export function openSecrets(given: string): Secrets {
  const folder = resolve(given);
  // A name may hold anything; a file's name may not.
  const fileOf = (name: string) => join(folder, encodeURIComponent(name));
  return {
    places: [folder],
    put: (secret) => told(() => writePrivate(fileOf(secret.name), secret.value)),
    read: (name) => readIfThere(fileOf(name)),
    // One that cannot be removed now is removed when a session is next taken over.
    remove: (name) => removeQuietly(fileOf(name)),
    names: (beginning, olderThanMs) =>
      filesIn(folder)
        .filter((file) => file.startsWith(encodeURIComponent(beginning)))
        .filter((file) => olderThanMs === 0 || ageMs(join(folder, file)) > olderThanMs)
        .flatMap(decoded),
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

function readIfThere(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}

/** None for a file that nobody has put here as a secret. */
function decoded(file: string): readonly string[] {
  try {
    return [decodeURIComponent(file)];
  } catch {
    return [];
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
    throw new JournalError("io", `secret store: ${messageOf(error)}`);
  }
}
