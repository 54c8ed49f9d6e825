import type { SQLOutputValue } from "node:sqlite";
import { type ChainNote, noNote } from "./chain.ts";
import { openDatabase } from "./database.ts";
import { despiteDamage, journalError } from "./failure.ts";
import { type LastEvent, LastNote } from "./last.ts";

/** An open store, and what is looked up in it by all who read or write. */
export type Store = ReturnType<typeof openStore> & {
  /** What was recorded last and is gone, where so much is damaged that it cannot be noted in the store. */
  lost?: LastEvent;
};

export function openStore(file: string) {
  const database = openDatabase(file);
  const prepared = {
    revision: database.prepare("PRAGMA data_version"),
    sessions: database.prepare("SELECT number, id FROM sessions ORDER BY number"),
    // By the index, and held against the list: a damaged index must neither name another session nor hide one.
    number: database.prepare(`
      SELECT sessions.number FROM sessions JOIN sessions AS listed ON listed.number = sessions.number
      WHERE sessions.id = ?1 AND +listed.id = ?1`),
    // A number that no event and no note has: the list may have lost the session that it was.
    addSession: database.prepare(`
      INSERT INTO sessions (number, id) SELECT 1 + max(
        (SELECT coalesce(max(number), 0) FROM sessions), (SELECT coalesce(max(session), 0) FROM events), ?), ?
      RETURNING number`),
    // For each session one look into the key of its events, not one at every event.
    heads: database.prepare(
      "SELECT id, (SELECT max(seq) FROM events WHERE session = number) AS newest FROM sessions ORDER BY number",
    ),
    newest: database.prepare("SELECT max(seq) AS newest FROM events WHERE session = ?"),
    // Of that session: should it have been removed, its number may be another's.
    head: database.prepare(`
      SELECT seq, hash FROM events WHERE session = ?1 AND EXISTS (SELECT 1 FROM sessions WHERE number = ?1 AND id = ?2)
      ORDER BY seq DESC LIMIT 1`),
    add: database.prepare("INSERT INTO events (session, seq, milestone, line, hash) VALUES (?, ?, ?, ?, ?)"),
    // What was noted before and is not there any more must not be forgotten.
    note: database.prepare(`
      INSERT INTO chains (session, noted, head)
        SELECT session, seq, hash FROM events WHERE session = ? AND hash IS NOT NULL ORDER BY seq DESC LIMIT 1
      ON CONFLICT (session) DO UPDATE SET noted = excluded.noted, head = excluded.head
        WHERE chains.noted IS NULL OR EXISTS (
          SELECT 1 FROM events WHERE session = chains.session AND seq = chains.noted AND hash = chains.head)`),
    noted: database.prepare("SELECT before, noted, head FROM chains WHERE session = ?"),
    lease: database.prepare("SELECT pid, started, boot, host FROM leases WHERE session = ?"),
    setLease: database.prepare("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?)"),
    dropLease: database.prepare("DELETE FROM leases WHERE session = ? AND host = ?"),
  };
  // What this process works on, with its number as soon as that is known.
  const leased = new Map<string, number | null>();
  return { file, database, prepared, last: new LastNote(`${file}-last`), leased };
}

export function guarded<T>(file: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw journalError(file, error);
  }
}

/** Keeps others from writing until it is done; whatever it throws leaves the store as it was. */
export function transaction<T>({ file, database }: Store, body: () => T): T {
  return guarded(file, () => {
    database.exec("BEGIN IMMEDIATE");
    try {
      const result = body();
      database.exec("COMMIT");
      return result;
    } catch (error) {
      if (database.isTransaction) database.exec("ROLLBACK");
      throw error;
    }
  });
}

/** All that is read is of one moment: what others record or remove meanwhile is not seen in part. */
export function atOneMoment<T>({ file, database }: Store, read: () => T): T {
  return guarded(file, () => {
    database.exec("BEGIN");
    try {
      return read();
    } finally {
      if (database.isTransaction) database.exec("ROLLBACK");
    }
  });
}

/** What the index does not find is looked for in the list itself. */
export function numberOf(store: Store, session: string): number | null {
  const number = numberByIndex(store, session) ?? numberByList(store, session);
  return typeof number === "number" ? number : null;
}

function numberByIndex({ prepared }: Store, session: string): SQLOutputValue | undefined {
  return despiteDamage(
    () => prepared.number.get(session)?.["number"],
    () => undefined,
  );
}

function numberByList({ database }: Store, session: string): SQLOutputValue | undefined {
  return database.prepare("SELECT number FROM sessions NOT INDEXED WHERE id = ?").get(session)?.["number"];
}

export function newestOf({ prepared }: Store, number: number): number {
  const newest = prepared.newest.get(number)?.["newest"];
  return typeof newest === "number" ? newest : 0;
}

/** Where the notes are damaged there are none; that they are is told by the check of all pages. */
export function noteOf({ prepared }: Store, number: number): ChainNote {
  const looked = (): ChainNote => {
    const row = prepared.noted.get(number);
    if (row === undefined) return noNote;
    const { before, noted, head } = row;
    return {
      before: Number(before),
      noted: noted === null ? null : { seq: Number(noted), head: String(head) },
    };
  };
  return despiteDamage(looked, () => noNote);
}
