import type { SQLOutputValue } from "node:sqlite";
import { decodeEvent, type RecordedEvent } from "../../wire/index.ts";
import { type Damage, milestones, type Outline, type Reading, type SessionOutline } from "../ports.ts";
import { endMissing } from "./chain.ts";
import { asNumber } from "./database.ts";
import { despiteDamage } from "./failure.ts";
import { newestOf, noteOf, numberOf, type Store } from "./store.ts";

type Part = { readonly after: number; readonly most: number };

/** To its end, or what is missing there: rows that stand elsewhere are passed over without an error. */
export function readSession(store: Store, session: string, part: Part): Reading {
  const number = numberOf(store, session);
  if (number === null) return { events: [], damage: lostIn(store).find((each) => each.session === session) ?? null };
  const reading = collect(session, part.after, readEvents(store, number, part));
  const { events, damage } = reading;
  if (damage !== null || events.length === part.most) return reading;
  return { events, damage: missing(session, events.at(-1)?.seq ?? part.after, endOf(store, session, number)) };
}

export function heads({ prepared }: Store): ReadonlyMap<string, number> {
  return new Map(prepared.heads.all().map((row) => [String(row["id"]), Number(row["newest"] ?? 0)]));
}

/** A session that cannot be read to its end is told as far as it can be, and the others are told in full. */
export function outline(store: Store): Outline {
  const sessions: SessionOutline[] = [];
  const damage: Damage[] = [];
  for (const row of store.prepared.sessions.all()) {
    const session = String(row["id"]);
    const number = asNumber(row["number"]);
    const reading = milestonesOf(store, session, number);
    const found = reading.damage ?? missing(session, reading.newest, endOf(store, session, number));
    sessions.push({ session, newest: reading.newest, milestones: reading.events });
    if (found !== null) damage.push(found);
  }
  const nowhere = unlisted(store).map(({ id }) => ({ session: id, seq: 1, reason: "it is in no list of sessions" }));
  const lost = lostIn(store).filter((each) => !sessions.some(({ session }) => session === each.session));
  return { sessions, damage: [...damage, ...nowhere, ...lost] };
}

/** A session that is gone whole, with what was recorded last. */
function lostIn({ lost }: Store): readonly Damage[] {
  return lost === undefined ? [] : [{ session: lost.session, seq: 1, reason: endMissing(lost.seq) }];
}

function milestonesOf(store: Store, session: string, number: number): Reading & { readonly newest: number } {
  const quickly = () => {
    const found = store.database.prepare(
      "SELECT seq, line FROM events WHERE session = ? AND milestone = 1 ORDER BY seq",
    );
    return { ...collect(session, null, found.iterate(number)), newest: newestOf(store, number) };
  };
  return despiteDamage(quickly, () => {
    const { events, damage } = collect(session, 0, readEvents(store, number, { after: 0, most: -1 }));
    return { events: events.filter(({ event }) => milestones.includes(event.type)), damage, newest: events.length };
  });
}

/** How far a session must go at least: looked up from its other end, and as it was noted. */
function endOf(store: Store, session: string, number: number): Pick<Damage, "seq" | "reason"> {
  const { lost } = store;
  const noted = lost?.session === session ? lost.seq : (noteOf(store, number).noted?.seq ?? 0);
  const looked = () => {
    const newest = newestOf(store, number);
    return noted <= newest ? { seq: newest, reason: "it is missing" } : { seq: noted, reason: endMissing(noted) };
  };
  return despiteDamage(looked, (reason) => ({ seq: Number.POSITIVE_INFINITY, reason }));
}

/** What is listed has an event, and ends where it should. */
function missing(session: string, last: number, end: ReturnType<typeof endOf>): Damage | null {
  return last >= Math.max(1, end.seq) ? null : { session, seq: last + 1, reason: end.reason };
}

type Numbered = { readonly id: string; readonly number: number; readonly isUnlisted: boolean };

/** Sessions that stand in no list, and have events or were noted once: they can be reached by no other way. */
export function unlisted({ database }: Store): readonly Numbered[] {
  const looked = () => {
    // From each session to the next, without a look at what is between.
    const rows = database.prepare(`
      WITH RECURSIVE found (session) AS (
        SELECT min(session) FROM events
        UNION ALL SELECT (SELECT min(session) FROM events WHERE session > found.session) FROM found WHERE session NOT NULL
      )
      SELECT session FROM (SELECT session FROM found UNION SELECT session FROM chains)
      WHERE session NOT NULL AND session NOT IN (SELECT number FROM sessions) ORDER BY session`);
    return rows
      .all()
      .map(({ session }) => ({ id: `number ${session} (not listed)`, number: Number(session), isUnlisted: true }));
  };
  return despiteDamage(looked, () => []);
}

/** Prepared anew each time: one that met a damaged page tells of it once more at its next use, whatever it reads then. */
function readEvents({ database }: Store, number: number, { after, most }: Part) {
  const found = database.prepare("SELECT seq, line FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?");
  return found.iterate(number, after, most);
}

type Row = { readonly seq?: SQLOutputValue; readonly line?: SQLOutputValue };

/** Reads rows until one cannot be read or is not the next; `after` is null where gaps are as they should be. */
export function collect(session: string, after: number | null, rows: Iterable<Row>): Reading {
  const events: RecordedEvent[] = [];
  let last = after ?? 0;
  const goThrough = (): Damage | null => {
    for (const row of rows) {
      const read = readRow(session, row, { next: last + 1, gaps: after === null });
      if ("reason" in read) return read;
      events.push(read);
      last = read.seq;
    }
    return null;
  };
  return { events, damage: despiteDamage(goThrough, (reason) => ({ session, seq: last + 1, reason })) };
}

function readRow(
  session: string,
  row: Row,
  { next, gaps }: { readonly next: number; readonly gaps: boolean },
): RecordedEvent | Damage {
  const { seq, line } = row;
  if (typeof seq !== "number") return { session, seq: next, reason: `expected a number, found ${typeof seq}` };
  if (!gaps && seq !== next) return { session, seq: next, reason: "it is missing" };
  const decoded = decodeEvent(String(line));
  if (decoded.type === "unreadable") return { session, seq, reason: decoded.reason };
  if (decoded.seq !== seq || decoded.session !== session) {
    const place = `event ${decoded.seq} of session ${decoded.session}`;
    return { session, seq, reason: `it belongs somewhere else: it is ${place}` };
  }
  return { seq, session, event: decoded.event };
}
