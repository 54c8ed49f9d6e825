import { resolve } from "node:path";
import type { SQLOutputValue } from "node:sqlite";
import type { SessionEvent } from "../../core/index.ts";
import { type Appended, type ChainCheck, type ChainPlace, type Holder, type Journal, JournalError } from "../ports.ts";
import { isAlive } from "../process.ts";
import { type ChainRow, chainEvents, checkChain, hashAfter } from "./chain.ts";
import { asNumber, checkPages, emptyLog } from "./database.ts";
import { despiteDamage } from "./failure.ts";
import type { LastEvent } from "./last.ts";
import { heads, outline, readSession, unlisted } from "./reading.ts";
import { atOneMoment, guarded, noteOf, numberOf, openStore, type Store, transaction } from "./store.ts";

/**
 * All sessions in one file that several processes share. An append is on the disk when it returns: write-ahead log, and
 * a sync for every commit. What fails is a JournalError that names the file.
 */
export function openSqliteJournal(file: string): Journal {
  const store: Store = guarded(file, () => openStore(file));
  nameLoss(store);
  const path = resolve(file);
  return {
    // What is not in the file yet is in its log.
    places: [path, `${path}-wal`, `${path}-shm`, `${path}-last`],
    append: (session, expected, events) => append(store, session, { expected, events }),
    read: (session, after, most = -1) => atOneMoment(store, () => readSession(store, session, { after, most })),
    outline: () => atOneMoment(store, () => outline(store)),
    heads: () => guarded(file, () => heads(store)),
    revision: () => guarded(file, () => asNumber(store.prepared.revision.get()?.["data_version"])),
    takeLease: (session, holder) => takeLease(store, session, holder),
    releaseLease: (session, holder) => releaseLease(store, session, holder),
    leaseHolder: (session) => guarded(file, () => leaseHolder(store, session)),
    remove: (session) => remove(store, session),
    verify: (session, wanted, after) => atOneMoment(store, () => verify(store, session, { wanted, after })),
    // The last one to close removes the log, and the next one has to make it anew. A process that is about to end had
    // better just end: what was committed is on the disk.
    close: () => {
      store.last.close();
      guarded(file, () => store.database.close());
    },
  };
}

function append(
  store: Store,
  session: string,
  { expected, events }: { readonly expected: number; readonly events: readonly SessionEvent[] },
): Appended {
  let last: LastEvent | null = null;
  // As long as a session is worked on here nobody removes it, and it keeps its number.
  let number = store.leased.get(session) ?? null;
  const noted = expected === 0 ? guarded(store.file, () => mostNoted(store)) : 0;
  const appended = transaction(store, (): Appended => {
    number ??= numberOf(store, session);
    const found = number === null ? undefined : store.prepared.head.get(number, session);
    const newest = asNumber(found?.["seq"] ?? 0);
    if (newest !== expected) return { type: "stale", newest };
    number ??= addSession(store, session, noted);
    const head = newest === 0 ? null : headOf(store, number, found?.["hash"]);
    for (const row of chainEvents(session, events, { after: newest, head })) {
      store.prepared.add.run(number, row.seq, row.milestone, row.line, row.hash);
      last = { session, seq: row.seq, hash: row.hash };
    }
    return { type: "appended" };
  });
  if (last !== null) noteLast(store, last);
  if (appended.type === "appended" && store.leased.has(session)) store.leased.set(session, number);
  return appended;
}

/** What this process works on, no other removes; what it does not may be gone by now. */
function noteLast(store: Store, event: LastEvent): void {
  const { last, leased } = store;
  if (leased.has(event.session)) last.writeSoon(event);
  else {
    last.write(event);
    forgetGone(store, event.session);
  }
}

/** For the note's sake alone: what has been recorded does not fail for it. */
function forgetGone(store: Store, session: string): void {
  try {
    if (numberOf(store, session) === null) store.last.forget(session);
  } catch {
    // Then it stays as it is: a loss that is none is told, which is better than one that is not.
  }
}

/** Looked up outside a transaction: one that has met a damaged page writes nothing any more. */
function mostNoted({ database }: Store): number {
  const looked = () =>
    asNumber(database.prepare("SELECT coalesce(max(session), 0) AS most FROM chains").get()?.["most"]);
  return despiteDamage(looked, () => 0);
}

function addSession({ prepared }: Store, session: string, noted: number): number {
  return asNumber(prepared.addSession.get(noted, session)?.["number"]);
}

/** What was recorded last is gone: from now on its session is one of which the end is missing, whatever is recorded next. */
function nameLoss(store: Store): void {
  const last = store.last.read();
  if (last === null) return;
  try {
    if (isLost(store, last)) transaction(store, () => noteLoss(store));
  } catch (error) {
    if (!(error instanceof JournalError && error.code === "damaged")) throw error;
    // More than that is damaged: then it is told as long as the store is open here.
    store.lost = last;
  }
}

function noteLoss(store: Store): void {
  // Looked at again: another process may have removed it, or noted it.
  const last = store.last.read();
  if (last === null || !isLost(store, last)) return;
  const number = numberOf(store, last.session) ?? addSession(store, last.session, mostNoted(store));
  const note = store.database.prepare(`
    INSERT INTO chains (session, noted, head) VALUES (?, ?, ?)
    ON CONFLICT (session) DO UPDATE SET noted = excluded.noted, head = excluded.head`);
  note.run(number, last.seq, last.hash);
}

function isLost(store: Store, { session, seq, hash }: LastEvent): boolean {
  return guarded(store.file, () => {
    const number = numberOf(store, session);
    if (number === null) return true;
    const { noted } = noteOf(store, number);
    if (noted?.seq === seq && noted.head === hash) return false;
    const event = store.database.prepare("SELECT hash FROM events WHERE session = ? AND seq = ?").get(number, seq);
    return event?.["hash"] !== hash;
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
  const note = () => {
    store.prepared.note.run(number);
  };
  // Who leaves a damaged session leaves it all the same.
  despiteDamage(note, () => {});
}

type Wanted = { readonly wanted: string | undefined; readonly after: ChainPlace | undefined };

function verify(store: Store, session: string | null, { wanted, after }: Wanted): readonly ChainCheck[] {
  const meant = session === null ? [...listed(store), ...unlisted(store)] : named(store, session);
  const checks = meant.map(({ id, number, isUnlisted }) => {
    // Before the events: what is recorded meanwhile makes it no less true.
    const note = noteOf(store, number);
    return checkChain(id, chainRows(store, number, after?.seq), { note, wanted, after, isUnlisted });
  });
  return session === null ? [...checks, ...checkPages(store.database)] : checks;
}

type Numbered = { readonly id: string; readonly number: number; readonly isUnlisted: boolean };

function listed({ prepared }: Store): readonly Numbered[] {
  const rows = prepared.sessions.all();
  return rows.map((row) => ({ id: String(row["id"]), number: asNumber(row["number"]), isUnlisted: false }));
}

function named(store: Store, session: string): readonly Numbered[] {
  const number = numberOf(store, session);
  return number === null ? [] : [{ id: session, number, isUnlisted: false }];
}

/** To the byte: what is no text any more, or was no text of ours, is not taken for one. */
function* chainRows({ database }: Store, number: number, after = 0): Generator<ChainRow> {
  const found = database.prepare(`
    SELECT seq, milestone, CASE typeof(line) WHEN 'text' THEN CAST(line AS BLOB) END AS line,
      CASE typeof(hash) WHEN 'text' THEN hash WHEN 'null' THEN NULL ELSE '' END AS hash
    FROM events WHERE session = ?1 ${after === 0 ? "" : "AND seq > ?2 "}ORDER BY seq`);
  found.setReadBigInts(true);
  for (const { seq, milestone, line, hash } of after === 0 ? found.iterate(number) : found.iterate(number, after)) {
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
    store.last.forget(session);
    database.prepare("DELETE FROM events WHERE session = ?").run(number);
    database.prepare("DELETE FROM chains WHERE session = ?").run(number);
    database.prepare("DELETE FROM sessions WHERE number = ?").run(number);
    database.prepare("DELETE FROM leases WHERE session = ?").run(session);
    return null;
  });
  guarded(file, () => emptyLog(database));
  return holder;
}

/**
 * Without waiting for the disk: all processes see it, and a machine that loses its power has no processes to remember.
 * What is committed next takes it along.
 */
function forgettable<T>({ file, database }: Store, body: () => T): T {
  database.exec("PRAGMA synchronous = NORMAL");
  try {
    return guarded(file, body);
  } finally {
    database.exec("PRAGMA synchronous = FULL");
  }
}

function takeLease(store: Store, session: string, holder: Holder): Holder {
  const other = forgettable(store, () =>
    transaction(store, () => {
      const found = leaseHolder(store, session);
      if (found === null) store.prepared.setLease.run(session, holder.pid, holder.started, holder.boot, holder.host);
      return found;
    }),
  );
  if (other === null) store.leased.set(session, null);
  return other ?? holder;
}

function releaseLease(store: Store, session: string, { host }: Holder): void {
  store.last.settle();
  store.leased.delete(session);
  // Each for itself: a transaction that has met a damaged page writes nothing any more, and the lease must be free.
  forgettable(store, () => {
    if (store.prepared.dropLease.run(session, host).changes > 0) noteHead(store, session);
  });
}

function leaseHolder({ prepared }: Store, session: string): Holder | null {
  const row = prepared.lease.get(session);
  if (row === undefined) return null;
  const [started, boot, host] = [String(row["started"]), String(row["boot"]), String(row["host"])];
  const holder = { pid: asNumber(row["pid"]), started, boot, host };
  return isAlive(holder) ? holder : null;
}
