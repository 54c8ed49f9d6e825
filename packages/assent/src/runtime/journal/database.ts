import { chmodSync, closeSync, existsSync, mkdirSync, openSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { DatabaseSync, type SQLOutputValue } from "node:sqlite";
import { codeOf } from "../../wire/index.ts";
import { syncFolder } from "../durable-file.ts";
import { type ChainCheck, JournalError } from "../ports.ts";
import { despiteDamage, isBusy } from "./failure.ts";
import { LastNote } from "./last.ts";

/** The layout of the store; a newer one is refused, not guessed at. */
const storeVersion = 2;
/** How long a process waits for others that write before it is an error. */
const patienceMs = 5_000;
/** Of a store that is made now. Half of it, which is usual, holds so few events that every second commit divides a page. */
export const pageBytes = 8_192;
/** The write-ahead log is emptied into the store when it has this much, and begins again at its start. */
const logBytes = 1024 * 1024;
/** What the log keeps of the disk when it had to grow beyond that. */
const mostLogBytes = 16 * 1024 * 1024;

/** The hash stands last: that is where an older store gets it. Events of before there were hashes have none. */
const events = `CREATE TABLE events (
    session INTEGER NOT NULL, seq INTEGER NOT NULL, milestone INTEGER NOT NULL, line TEXT NOT NULL, hash TEXT,
    PRIMARY KEY (session, seq)
  ) STRICT, WITHOUT ROWID`;

/** How many events of a session were recorded before there were hashes; its newest one when it was last left (see ADR 24). */
const chains = `CREATE TABLE chains (
    session INTEGER PRIMARY KEY, before INTEGER NOT NULL DEFAULT 0, noted INTEGER, head TEXT
  ) STRICT`;

const layout = `
  CREATE TABLE sessions (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE) STRICT;
  ${events};
  CREATE INDEX milestones ON events (session, seq) WHERE milestone = 1;
  ${chains};
  CREATE TABLE leases (
    session TEXT PRIMARY KEY, pid INTEGER NOT NULL, started TEXT NOT NULL, boot TEXT NOT NULL, host TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  PRAGMA user_version = ${storeVersion};
`;

/** Opens the store, or makes it: only its owner reads it, and what a commit wrote is on the disk. */
export function openDatabase(file: string): DatabaseSync {
  createFile(file);
  const database = new DatabaseSync(file, { timeout: patienceMs });
  try {
    refuseStranger(database, file);
    // Those that SQLite made beside it have the mode that it had.
    for (const each of [file, `${file}-wal`, `${file}-shm`, `${file}-last`])
      if (existsSync(each)) chmodSync(each, 0o600);
    // One that has something in it keeps the size that it has.
    database.exec(`PRAGMA page_size = ${pageBytes}`);
    // SQLite does not wait for others in the step that changes the mode.
    patiently(() => database.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"));
    const size = asNumber(database.prepare("PRAGMA page_size").get()?.["page_size"]);
    database.exec(`PRAGMA wal_autocheckpoint = ${logBytes / size}; PRAGMA journal_size_limit = ${mostLogBytes};`);
    prepareLayout(database);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** So many things that are wrong with the pages are told. */
const mostWrong = 20;

/** What SQLite finds wrong with its pages: rows out of order, what is lost from an index, what nobody points to. */
export function checkPages(database: DatabaseSync): readonly ChainCheck[] {
  const wrong = wrongPages(database).map(
    (reason) => ({ seq: 0, what: "unreadable", reason, type: null, call: null }) as const,
  );
  const nothing = { session: "the store itself", events: 0, before: 0, head: null, found: null };
  return wrong.length === 0 ? [] : [{ ...nothing, breaks: wrong, more: 0 }];
}

function wrongPages(database: DatabaseSync): readonly string[] {
  const looked = () => {
    const rows = database.prepare(`PRAGMA integrity_check(${mostWrong})`).all();
    const told = rows.flatMap(({ integrity_check: line }) => String(line).split("\n"));
    return told.filter((line) => line !== "ok" && !line.startsWith("***"));
  };
  return despiteDamage(looked, (reason) => [reason]);
}

export function asNumber(value: SQLOutputValue | undefined): number {
  if (typeof value !== "number") throw new TypeError(`expected a number from the store, found ${typeof value}`);
  return value;
}

/** SQLite gives its other files the mode of this one. An existing file is not touched: closing it would drop its locks. */
function createFile(file: string): void {
  const folder = dirname(file);
  const made = makeFolder(folder);
  refuseEmptied(file);
  // First: one that is killed in between would leave an empty file beside a note, which is what an emptied store looks like.
  if (!existsSync(file)) forgetLast(file);
  try {
    closeSync(openSync(file, "ax", 0o600));
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
    return;
  }
  // The names of what was made must be on the disk too.
  for (const changed of [folder, ...made.map(dirname)]) syncFolder(changed);
}

function forgetLast(file: string): void {
  const note = new LastNote(`${file}-last`);
  note.clear();
  note.close();
}

/** SQLite would take what is empty for new, and remove the log in which the newest events still are. */
function refuseEmptied(file: string): void {
  // The log first: where it has something, the file has had something before.
  const isLogged = sizeOf(`${file}-wal`) > 0;
  if (sizeOf(file) > 0) return;
  const last = existsSync(file) ? new LastNote(`${file}-last`).read() : null;
  if (!isLogged && last === null) return;
  const expected =
    last === null ? "the store that its log belongs to" : `a store with event ${last.seq} of session ${last.session}`;
  const remedy = `move it and what is beside it (${file}-wal, ${file}-last) away to begin anew`;
  throw new JournalError(
    "damaged",
    `${file}: expected ${expected}, found ${existsSync(file) ? "an empty file" : "no file"}; ${remedy}`,
  );
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

/** One level at a time: where a file system answers oddly, Node's way to make all of them at once never ends. */
function makeFolder(folder: string): readonly string[] {
  if (existsSync(folder)) return [];
  const above = makeFolder(dirname(folder));
  try {
    mkdirSync(folder, 0o700);
  } catch (error) {
    // Another process may have been faster.
    if (!existsSync(folder)) throw error;
  }
  return [...above, folder];
}

/** A database that is not ours, or not yet, is left as it was. */
function refuseStranger(database: DatabaseSync, file: string): void {
  const version = versionOf(database);
  if (version > storeVersion) {
    const detail = `expected a store of version ${storeVersion}, found ${version}: written by a newer Assent`;
    throw new JournalError("newer", `${file}: ${detail}`);
  }
  const tables = asNumber(database.prepare("SELECT count(*) AS tables FROM sqlite_schema").get()?.["tables"]);
  // Looked at again: another process may have made the store between the two.
  if (tables > 0 && versionOf(database) === 0) {
    throw new JournalError("damaged", `${file}: expected a store of Assent, found a database of something else`);
  }
}

function prepareLayout(database: DatabaseSync): void {
  const version = versionOf(database);
  if (version === storeVersion) return;
  // Outside: a transaction that has met a damaged page writes nothing any more.
  const recorded = version === 1 ? recordedInAll(database) : [];
  // Where it fails, the store is closed without it.
  database.exec("BEGIN IMMEDIATE");
  // Another process may have been first.
  const found = versionOf(database);
  const first = found === 0;
  if (first) database.exec(layout);
  if (found === 1) beginChains(database, recorded);
  database.exec("COMMIT");
  if (first) growLog(database);
}

/**
 * A store of before there were hashes. The column is added as SQLite itself adds one, without its look at all that is stored:
 * that takes as long as reading the whole store, and refuses one of which a part is damaged.
 */
function beginChains(database: DatabaseSync, recorded: readonly Recorded[]): void {
  const schema = asNumber(database.prepare("PRAGMA schema_version").get()?.["schema_version"]);
  database.enableDefensive(false);
  database.exec("PRAGMA writable_schema = ON");
  database.prepare("UPDATE sqlite_schema SET sql = ? WHERE type = 'table' AND name = 'events'").run(events);
  database.exec(`PRAGMA schema_version = ${schema + 1}; PRAGMA writable_schema = OFF`);
  database.enableDefensive(true);
  database.exec(`${chains}; PRAGMA user_version = ${storeVersion}`);
  const add = database.prepare("INSERT INTO chains (session, before) VALUES (?, ?)");
  for (const { session, events: count } of recorded) add.run(session, count);
}

type Recorded = { readonly session: number; readonly events: number };

function recordedInAll(database: DatabaseSync): readonly Recorded[] {
  const sessions = database
    .prepare("SELECT number FROM sessions")
    .all()
    .map(({ number }) => asNumber(number));
  return sessions.map((session) => ({ session, events: recordedIn(database, session) }));
}

/** Nothing is ever added to a session that cannot be read to its end: all that there is of it is of before. */
function recordedIn(database: DatabaseSync, session: number): number {
  const looked = () => {
    const newest = database.prepare("SELECT max(seq) AS newest FROM events WHERE session = ?").get(session)?.["newest"];
    return typeof newest === "number" ? newest : 0;
  };
  return despiteDamage(looked, () => Number.MAX_SAFE_INTEGER);
}

/**
 * Gives the log its full size at once: a commit that overwrites takes half the time of one that makes the file longer,
 * for the file system has nothing to note down. Lasts as long as nobody closes the store: see closing in sqlite.ts.
 */
function growLog(database: DatabaseSync): void {
  try {
    database.exec(`CREATE TABLE room AS SELECT zeroblob(${logBytes}) AS bytes`);
    database.exec("DROP TABLE room; PRAGMA wal_checkpoint(RESTART);");
  } catch {
    // It is only faster this way. What keeps it from being so will be told of when something must be recorded.
  }
}

/** Unless somebody just reads or writes: whoever waits for that keeps all others from writing. */
export function emptyLog(database: DatabaseSync): void {
  try {
    database.exec("PRAGMA busy_timeout = 0; PRAGMA wal_checkpoint(TRUNCATE);");
  } finally {
    database.exec(`PRAGMA busy_timeout = ${patienceMs}`);
  }
}

function versionOf(database: DatabaseSync): number {
  return asNumber(database.prepare("PRAGMA user_version").get()?.["user_version"]);
}

function patiently(body: () => void): void {
  for (const until = performance.now() + patienceMs; ; ) {
    try {
      body();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
}
