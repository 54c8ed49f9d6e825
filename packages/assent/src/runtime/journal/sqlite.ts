import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import type { SessionEvent } from "../../core/index.ts";
import { decodeEvent, encodeEvent, type RecordedEvent } from "../../wire/index.ts";
import {
  type Appended,
  type Damage,
  type Holder,
  type Journal,
  JournalError,
  milestones,
  type Outline,
  type Reading,
  type SessionOutline,
} from "../ports.ts";
import { isAlive } from "../process.ts";
import { describeFailure, isDamage, journalError } from "./failure.ts";

/** The layout of the store; a newer one is refused, not guessed at. */
const storeVersion = 1;
/** How long a write waits for other processes before it is an error. */
const patienceMs = 5_000;
/** What the write-ahead log may keep of the disk once it has been emptied. */
const mostLogBytes = 16 * 1024 * 1024;

const layout = `
  CREATE TABLE sessions (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE events (
    session INTEGER NOT NULL, seq INTEGER NOT NULL, milestone INTEGER NOT NULL, line TEXT NOT NULL,
    PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX milestones ON events (session, seq) WHERE milestone = 1;
  CREATE TABLE leases (session TEXT PRIMARY KEY, pid INTEGER NOT NULL, started TEXT NOT NULL, boot TEXT NOT NULL)
    STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${storeVersion};
`;

/**
 * All sessions in one file that several processes share. An append is on the disk when it returns: write-ahead log, and
 * a sync for every commit. What fails is a JournalError that names the file.
 */
export function openSqliteJournal(file: string): Journal {
  const store = guarded(file, () => openStore(file));
  return {
    append: (session, expected, events) => append(store, session, { expected, events }),
    read: (session, after, most = -1) =>
      guarded(file, () => {
        const number = numberOf(store, session);
        if (number === null) return { events: [], damage: null };
        return collect(session, after, store.prepared.read.iterate(number, after, most));
      }),
    outline: () => guarded(file, () => outline(store)),
    revision: () => guarded(file, () => asNumber(store.prepared.revision.get()?.["data_version"])),
    takeLease: (session, holder) =>
      transaction(store, () => {
        const other = leaseHolder(store, session);
        if (other !== null) return other;
        store.prepared.setLease.run(session, holder.pid, holder.started, holder.boot);
        return holder;
      }),
    releaseLease: (session, { pid, started, boot }) => {
      transaction(store, () => store.prepared.dropLease.run(session, pid, started, boot));
    },
    leaseHolder: (session) => guarded(file, () => leaseHolder(store, session)),
    close: () => guarded(file, () => store.database.close()),
  };
}

type Store = ReturnType<typeof openStore>;

function openStore(file: string) {
  const database = openDatabase(file);
  const prepared = {
    revision: database.prepare("PRAGMA data_version"),
    sessions: database.prepare("SELECT number, id FROM sessions ORDER BY number"),
    number: database.prepare("SELECT number FROM sessions WHERE id = ?"),
    addSession: database.prepare("INSERT INTO sessions (id) VALUES (?) RETURNING number"),
    newest: database.prepare("SELECT max(seq) AS newest FROM events WHERE session = ?"),
    add: database.prepare("INSERT INTO events (session, seq, milestone, line) VALUES (?, ?, ?, ?)"),
    read: database.prepare("SELECT seq, line FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?"),
    milestones: database.prepare("SELECT seq, line FROM events WHERE session = ? AND milestone = 1 ORDER BY seq"),
    lease: database.prepare("SELECT pid, started, boot FROM leases WHERE session = ?"),
    setLease: database.prepare("INSERT OR REPLACE INTO leases (session, pid, started, boot) VALUES (?, ?, ?, ?)"),
    dropLease: database.prepare("DELETE FROM leases WHERE session = ? AND pid = ? AND started = ? AND boot = ?"),
  };
  return { file, database, prepared };
}

function append(
  store: Store,
  session: string,
  { expected, events }: { readonly expected: number; readonly events: readonly SessionEvent[] },
): Appended {
  return transaction(store, () => {
    const known = numberOf(store, session);
    const newest = newestOf(store, known);
    if (newest !== expected) return { type: "stale", newest };
    const number = known ?? asNumber(store.prepared.addSession.get(session)?.["number"]);
    for (const [index, event] of events.entries()) {
      const seq = expected + index + 1;
      const milestone = milestones.includes(event.type) ? 1 : 0;
      store.prepared.add.run(number, seq, milestone, encodeEvent({ seq, session, event }));
    }
    return { type: "appended" };
  });
}

/** Keeps others from writing until it is done; whatever it throws leaves the store as it was. */
function transaction<T>({ file, database }: Store, body: () => T): T {
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

function numberOf({ prepared }: Store, session: string): number | null {
  const number = prepared.number.get(session)?.["number"];
  return typeof number === "number" ? number : null;
}

function newestOf({ prepared }: Store, number: number | null): number {
  const newest = number === null ? null : prepared.newest.get(number)?.["newest"];
  return typeof newest === "number" ? newest : 0;
}

/** A session whose events cannot be read is named, and the others are still told. */
function outline(store: Store): Outline {
  const sessions: SessionOutline[] = [];
  const damage: Damage[] = [];
  for (const row of store.prepared.sessions.all()) {
    const session = String(row["id"]);
    try {
      const number = asNumber(row["number"]);
      const reading = collect(session, null, store.prepared.milestones.iterate(number));
      sessions.push({ session, newest: newestOf(store, number), milestones: reading.events });
      if (reading.damage !== null) damage.push(reading.damage);
    } catch (error) {
      if (!isDamage(error)) throw error;
      damage.push({ session, seq: 1, reason: describeFailure(error) });
    }
  }
  return { sessions, damage };
}

function leaseHolder({ prepared }: Store, session: string): Holder | null {
  const row = prepared.lease.get(session);
  if (row === undefined) return null;
  const holder = { pid: asNumber(row["pid"]), started: String(row["started"]), boot: String(row["boot"]) };
  return isAlive(holder) ? holder : null;
}

function guarded<T>(file: string, body: () => T): T {
  try {
    return body();
  } catch (error) {
    throw journalError(file, error);
  }
}

type Row = Record<string, SQLOutputValue>;

/** Reads rows until one cannot be read or is not the next; `after` is null where gaps are as they should be. */
function collect(session: string, after: number | null, rows: Iterable<Row>): Reading {
  const events: RecordedEvent[] = [];
  let last = after ?? 0;
  const damaged = (seq: number, reason: string): Reading => ({ events, damage: { session, seq, reason } });
  try {
    for (const row of rows) {
      const seq = asNumber(row["seq"]);
      if (after !== null && seq !== last + 1) return damaged(last + 1, "it is missing");
      const decoded = decodeEvent(String(row["line"]));
      if (decoded.type === "unreadable") return damaged(seq, decoded.reason);
      if (decoded.seq !== seq || decoded.session !== session) return damaged(seq, "it belongs somewhere else");
      events.push({ seq, session, event: decoded.event });
      last = seq;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    return damaged(last + 1, describeFailure(error));
  }
  return { events, damage: null };
}

function openDatabase(file: string): DatabaseSync {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // SQLite gives its other files the mode of this one.
  closeSync(openSync(file, "a", 0o600));
  chmodSync(file, 0o600);
  const database = new DatabaseSync(file, { timeout: patienceMs });
  try {
    database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;");
    database.exec(`PRAGMA journal_size_limit = ${mostLogBytes};`);
    prepareLayout(database, file);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

function prepareLayout(database: DatabaseSync, file: string): void {
  if (layoutOf(database) === storeVersion) return;
  database.exec("BEGIN IMMEDIATE");
  try {
    // Another process may have been first.
    const version = layoutOf(database);
    if (version > storeVersion) {
      const detail = `expected a store of version ${storeVersion}, found ${version}: written by a newer Assent`;
      throw new JournalError("newer", `${file}: ${detail}`);
    }
    const tables = asNumber(database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get()?.["tables"]);
    if (version === 0 && tables > 0) {
      throw new JournalError("damaged", `${file}: expected a store of Assent, found a database of something else`);
    }
    if (version === 0) database.exec(layout);
    database.exec("COMMIT");
  } catch (error) {
    if (database.isTransaction) database.exec("ROLLBACK");
    throw error;
  }
}

function layoutOf(database: DatabaseSync): number {
  return asNumber(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}

function asNumber(value: SQLOutputValue | undefined): number {
  if (typeof value !== "number") throw new TypeError(`expected a number from the store, found ${typeof value}`);
  return value;
}
