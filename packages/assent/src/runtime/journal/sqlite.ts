import { resolve } from "node:path";
import type { SQLOutputValue } from "node:sqlite";
import type { SessionEvent } from "../../core/index.ts";
import { decodeEvent, type RecordedEvent } from "../../wire/index.ts";
import {
  type Appended,
  type ChainCheck,
  type Damage,
  type Holder,
  type Journal,
  milestones,
  type Outline,
  type Reading,
  type SessionOutline,
} from "../ports.ts";
import { isAlive } from "../process.ts";
import { type ChainNote, type ChainRow, chainEvents, checkChain, hashAfter, noNote } from "./chain.ts";
import { asNumber, openDatabase } from "./database.ts";
import { describeFailure, isDamage, journalError } from "./failure.ts";

/**
 * All sessions in one file that several processes share. An append is on the disk when it returns: write-ahead log, and
 * a sync for every commit. What fails is a JournalError that names the file.
 */
export function openSqliteJournal(file: string): Journal {
  const store = guarded(file, () => openStore(file));
  const path = resolve(file);
  return {
    // What is not in the file yet is in its log.
    places: [path, `${path}-wal`, `${path}-shm`],
    append: (session, expected, events) => append(store, session, { expected, events }),
    read: (session, after, most = -1) =>
      guarded(file, () => {
        const number = numberOf(store, session);
        if (number === null) return { events: [], damage: null };
        return collect(session, after, readEvents(store, number, { after, most }));
      }),
    outline: () => guarded(file, () => outline(store)),
    heads: () => guarded(file, () => heads(store)),
    revision: () => guarded(file, () => asNumber(store.prepared.revision.get()?.["data_version"])),
    takeLease: (session, holder) =>
      forgettable(store, () => {
        const other = leaseHolder(store, session);
        if (other !== null) return other;
        store.prepared.setLease.run(session, holder.pid, holder.started, holder.boot, holder.host);
        return holder;
      }),
    releaseLease: (session, { host }) => {
      forgettable(store, () => {
        if (store.prepared.dropLease.run(session, host).changes > 0) noteHead(store, session);
      });
    },
    leaseHolder: (session) => guarded(file, () => leaseHolder(store, session)),
    remove: (session) => remove(store, session),
    verify: (session, wanted) => guarded(file, () => verify(store, session, wanted)),
    // The last one to close removes the log, and the next one has to make it anew. A process that is about to end had
    // better just end: what was committed is on the disk.
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
    // For each session one look into the key of its events, not one at every event.
    heads: database.prepare(
      "SELECT id, (SELECT max(seq) FROM events WHERE session = number) AS newest FROM sessions ORDER BY number",
    ),
    newest: database.prepare("SELECT max(seq) AS newest FROM events WHERE session = ?"),
    // All that an append must know, in one look.
    head: database.prepare(
      "SELECT number, seq, hash FROM sessions LEFT JOIN events ON session = number WHERE id = ? ORDER BY seq DESC LIMIT 1",
    ),
    add: database.prepare("INSERT INTO events (session, seq, milestone, line, hash) VALUES (?, ?, ?, ?, ?)"),
    // What was noted before and is not there any more must not be forgotten.
    note: database.prepare(`
      INSERT INTO chains (session, noted, head)
        SELECT session, seq, hash FROM events WHERE session = ? AND hash IS NOT NULL ORDER BY seq DESC LIMIT 1
      ON CONFLICT (session) DO UPDATE SET noted = excluded.noted, head = excluded.head
        WHERE chains.noted IS NULL OR EXISTS (
          SELECT 1 FROM events WHERE session = chains.session AND seq = chains.noted AND hash = chains.head)`),
    lease: database.prepare("SELECT pid, started, boot, host FROM leases WHERE session = ?"),
    setLease: database.prepare("INSERT OR REPLACE INTO leases VALUES (?, ?, ?, ?, ?)"),
    dropLease: database.prepare("DELETE FROM leases WHERE session = ? AND host = ?"),
  };
  return { file, database, prepared };
}

function append(
  store: Store,
  session: string,
  { expected, events }: { readonly expected: number; readonly events: readonly SessionEvent[] },
): Appended {
  return transaction(store, () => {
    const found = store.prepared.head.get(session);
    const newest = asNumber(found?.["seq"] ?? 0);
    if (newest !== expected) return { type: "stale", newest };
    const number = asNumber(found?.["number"] ?? store.prepared.addSession.get(session)?.["number"]);
    const head = newest === 0 ? null : headOf(store, number, found?.["hash"]);
    for (const row of chainEvents(session, events, { after: newest, head })) {
      store.prepared.add.run(number, row.seq, row.milestone, row.line, row.hash);
    }
    return { type: "appended" };
  });
}

/** What the next event's hash goes on from; the newest one has none where it is of before there were hashes. */
function headOf(store: Store, number: number, hash: SQLOutputValue | undefined): string {
  return typeof hash === "string" ? hash : hashAfter(chainRows(store, number));
}

/** Where a session stands when it is left, so that what is cut off from its end afterwards is missed (SESS-5). */
function noteHead(store: Store, session: string): void {
  const number = numberOf(store, session);
  if (number === null) return;
  try {
    store.prepared.note.run(number);
  } catch (error) {
    // Who leaves a damaged session leaves it all the same.
    if (!isDamage(error)) throw error;
  }
}

function verify(store: Store, session: string | null, wanted: string | undefined): readonly ChainCheck[] {
  const listed = store.prepared.sessions
    .all()
    .map((row) => ({ id: String(row["id"]), number: asNumber(row["number"]), isUnlisted: false }));
  const meant = session === null ? [...listed, ...unlisted(store)] : listed.filter(({ id }) => id === session);
  return meant.map(({ id, number, isUnlisted }) => {
    // Before the events: what is recorded meanwhile makes it no less true.
    const note = noteOf(store, number);
    return checkChain(id, chainRows(store, number), { note, wanted, isUnlisted });
  });
}

type Numbered = { readonly id: string; readonly number: number; readonly isUnlisted: boolean };

/** Sessions that stand in no list, and have events or were noted once: they can be reached by no other way. */
function unlisted({ database }: Store): readonly Numbered[] {
  try {
    const rows = database.prepare(`
      SELECT session FROM (SELECT session FROM events UNION SELECT session FROM chains)
      WHERE session NOT IN (SELECT number FROM sessions) ORDER BY session`);
    return rows
      .all()
      .map(({ session }) => ({ id: `number ${session} (not listed)`, number: Number(session), isUnlisted: true }));
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [];
  }
}

function noteOf({ database }: Store, number: number): ChainNote {
  const row = database.prepare("SELECT before, noted, head FROM chains WHERE session = ?").get(number);
  if (row === undefined) return noNote;
  const { before, noted, head } = row;
  return {
    before: Number(before),
    noted: noted === null ? null : { seq: Number(noted), head: String(head) },
  };
}

/** To the byte: what is no text any more, or was no text of ours, is not taken for one. */
function* chainRows({ database }: Store, number: number): Generator<ChainRow> {
  const found = database.prepare(`
    SELECT seq, milestone, CASE typeof(line) WHEN 'text' THEN CAST(line AS BLOB) END AS line,
      CASE typeof(hash) WHEN 'text' THEN hash WHEN 'null' THEN NULL ELSE '' END AS hash
    FROM events WHERE session = ? ORDER BY seq`);
  found.setReadBigInts(true);
  for (const { seq, milestone, line, hash } of found.iterate(number)) {
    yield {
      seq: wholeNumber(seq),
      milestone: wholeNumber(milestone),
      line: line instanceof Uint8Array ? line : new Uint8Array(),
      hash: typeof hash === "string" ? hash : null,
    };
  }
}

function wholeNumber(value: SQLOutputValue | undefined): number {
  return typeof value === "bigint" ? Number(value) : Number.NaN;
}

/** Also from the disk: what was said in it is written over, and the log is emptied unless somebody just reads it. */
function remove(store: Store, session: string): Holder | null {
  const { file, database } = store;
  guarded(file, () => database.exec("PRAGMA secure_delete = ON"));
  const holder = transaction(store, () => {
    const working = leaseHolder(store, session);
    const number = numberOf(store, session);
    if (working !== null || number === null) return working;
    database.prepare("DELETE FROM events WHERE session = ?").run(number);
    database.prepare("DELETE FROM chains WHERE session = ?").run(number);
    database.prepare("DELETE FROM sessions WHERE number = ?").run(number);
    database.prepare("DELETE FROM leases WHERE session = ?").run(session);
    return null;
  });
  guarded(file, () => database.exec("PRAGMA wal_checkpoint(TRUNCATE)"));
  return holder;
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

/**
 * The same without waiting for the disk: all processes see it, and a machine that loses its power has no processes to remember.
 * What is committed next takes it along.
 */
function forgettable<T>(store: Store, body: () => T): T {
  const { database } = store;
  database.exec("PRAGMA synchronous = NORMAL");
  try {
    return transaction(store, body);
  } finally {
    database.exec("PRAGMA synchronous = FULL");
  }
}

function numberOf({ prepared }: Store, session: string): number | null {
  const number = prepared.number.get(session)?.["number"];
  return typeof number === "number" ? number : null;
}

function newestOf({ prepared }: Store, number: number): number {
  const newest = prepared.newest.get(number)?.["newest"];
  return typeof newest === "number" ? newest : 0;
}

function heads({ prepared }: Store): ReadonlyMap<string, number> {
  return new Map(prepared.heads.all().map((row) => [String(row["id"]), Number(row["newest"] ?? 0)]));
}

/** A session that cannot be read to its end is told as far as it can be, and the others are told in full. */
function outline(store: Store): Outline {
  const sessions: SessionOutline[] = [];
  const damage: Damage[] = [];
  for (const row of store.prepared.sessions.all()) {
    const session = String(row["id"]);
    const number = asNumber(row["number"]);
    const reading = milestonesOf(store, session, number);
    sessions.push({ session, newest: reading.newest, milestones: reading.events });
    if (reading.damage !== null) damage.push(reading.damage);
  }
  return { sessions, damage };
}

function milestonesOf(store: Store, session: string, number: number): Reading & { readonly newest: number } {
  try {
    const found = store.database.prepare(
      "SELECT seq, line FROM events WHERE session = ? AND milestone = 1 ORDER BY seq",
    );
    return { ...collect(session, null, found.iterate(number)), newest: newestOf(store, number) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    const { events, damage } = collect(session, 0, readEvents(store, number, { after: 0, most: -1 }));
    const newest = events.length;
    const named = damage ?? { session, seq: newest + 1, reason: describeFailure(error) };
    return { events: events.filter(({ event }) => milestones.includes(event.type)), damage: named, newest };
  }
}

/** Prepared anew each time: one that met a damaged page tells of it once more at its next use, whatever it reads then. */
function readEvents(
  { database }: Store,
  number: number,
  { after, most }: { readonly after: number; readonly most: number },
) {
  const found = database.prepare("SELECT seq, line FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?");
  return found.iterate(number, after, most);
}

function leaseHolder({ prepared }: Store, session: string): Holder | null {
  const row = prepared.lease.get(session);
  if (row === undefined) return null;
  const [started, boot, host] = [String(row["started"]), String(row["boot"]), String(row["host"])];
  const holder = { pid: asNumber(row["pid"]), started, boot, host };
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
      const { seq } = row;
      if (typeof seq !== "number") return damaged(last + 1, `expected a number, found ${typeof seq}`);
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
