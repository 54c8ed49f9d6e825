import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { SessionEvent } from "../../src/core/index.ts";
import { memoryStore, openMemoryJournal, openSqliteJournal } from "../../src/runtime/journal/index.ts";
import { type Journal, JournalError } from "../../src/runtime/ports.ts";
import { isAlive } from "../../src/runtime/process.ts";

/** A new store, as a way to open journals on it. */
export type Opener = () => Journal;
export type Implementation = { readonly name: string; readonly newStore: () => Opener };

/** Both journals: the suite that runs over them is what the port promises. */
export function implementations(scratch: Scratch): readonly Implementation[] {
  return [
    {
      name: "SQLite",
      newStore: () => {
        const file = scratch.newFile();
        return () => scratch.opened(openSqliteJournal(file));
      },
    },
    {
      name: "memory",
      newStore: () => {
        const store = memoryStore(isAlive);
        return () => openMemoryJournal(store);
      },
    },
  ];
}

export type Scratch = ReturnType<typeof newScratch>;

/** A folder for the stores of one test file; what was opened there is closed with it. */
export function newScratch() {
  const folder = mkdtempSync(join(tmpdir(), "assent-journal-"));
  const journals = new Set<Journal>();
  let count = 0;
  return {
    folder,
    newFolder: () => mkdtempSync(join(folder, "d-")),
    newFile: () => join(folder, `store-${++count}`, "journal.db"),
    opened(journal: Journal): Journal {
      journals.add(journal);
      return { ...journal, close: () => journals.delete(journal) && journal.close() };
    },
    remove() {
      for (const journal of journals) journal.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A store as the version laid it out that had no hashes. */
export const olderLayout = `
  CREATE TABLE sessions (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE events (
    session INTEGER NOT NULL, seq INTEGER NOT NULL, milestone INTEGER NOT NULL, line TEXT NOT NULL,
    PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX milestones ON events (session, seq) WHERE milestone = 1;
  CREATE TABLE leases (
    session TEXT PRIMARY KEY, pid INTEGER NOT NULL, started TEXT NOT NULL, boot TEXT NOT NULL, host TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  PRAGMA journal_mode = WAL;
  PRAGMA user_version = 1;`;

/** An event of no milestone. */
export function note(text: string): SessionEvent {
  return { type: "context.changed", at: 1, text };
}

export function notes(count: number, say: (seq: number) => string = (seq) => `note ${seq}`): readonly SessionEvent[] {
  return Array.from({ length: count }, (_, index) => note(say(index + 1)));
}

/** What became of it: nothing, or what the journal says went wrong. Whatever else is thrown fails the test. */
export function failureOf(work: () => unknown): { readonly code: string; readonly message: string } | null {
  try {
    work();
    return null;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return { code: error.code, message: error.message };
  }
}
