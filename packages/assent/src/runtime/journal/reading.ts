import type { SQLOutputValue } from "node:sqlite";
import { decodeEvent, messageOf, type RecordedEvent } from "../../wire/index.ts";
import { type Damage, milestones, type Outline, type Reading, type SessionOutline } from "../ports.ts";
import { endMissing } from "./chain.ts";
import { asNumber } from "./database.ts";
import { isDamage } from "./failure.ts";
import { newestOf, noteOf, numberOf, type Store } from "./store.ts";

type Part = { readonly after: number; readonly most: number };

/** To its end, or what is missing there: rows that stand elsewhere are passed over without an error. */
export function readSession(store: Store, session: string, part: Part): Reading {
  const number = numberOf(store, session);
  if (number === null) return { events: [], damage: null };
  // Before the events: what is recorded meanwhile makes it no less true.
  const end = endOf(store, number);
  const reading = collect(session, part.after, readEvents(store, number, part));
  const { events, damage } = reading;
  if (damage !== null || events.length === part.most) return reading;
  const found = missing(session, events.at(-1)?.seq ?? part.after, end);
  // Unless it was deleted meanwhile.
  return found === null || numberOf(store, session) === null ? reading : { events, damage: found };
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
    const end = endOf(store, number);
    const reading = milestonesOf(store, session, number);
    const found = reading.damage ?? missing(session, reading.newest, end);
    // Deleted meanwhile.
    if (reading.newest === 0 && numberOf(store, session) === null) continue;
    sessions.push({ session, newest: reading.newest, milestones: reading.events });
    if (found !== null) damage.push(found);
  }
  const lost = unlisted(store).map(({ id }) => ({ session: id, seq: 1, reason: "it is in no list of sessions" }));
  return { sessions, damage: [...damage, ...lost] };
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
    const named = damage ?? { session, seq: newest + 1, reason: messageOf(error) };
    return { events: events.filter(({ event }) => milestones.includes(event.type)), damage: named, newest };
  }
}

/** How far a session must go at least: looked up from its other end, and as it was noted. */
function endOf(store: Store, number: number): Pick<Damage, "seq" | "reason"> {
  const noted = noteOf(store, number).noted?.seq ?? 0;
  try {
    const newest = newestOf(store, number);
    if (noted <= newest) return { seq: newest, reason: "it is missing" };
    return { seq: noted, reason: endMissing(noted) };
  } catch (error) {
    if (!isDamage(error)) throw error;
    return { seq: Number.POSITIVE_INFINITY, reason: messageOf(error) };
  }
}

/** What is listed has an event, and ends where it should. */
function missing(session: string, last: number, end: ReturnType<typeof endOf>): Damage | null {
  return last >= Math.max(1, end.seq) ? null : { session, seq: last + 1, reason: end.reason };
}

type Numbered = { readonly id: string; readonly number: number; readonly isUnlisted: boolean };

/** Sessions that stand in no list, and have events or were noted once: they can be reached by no other way. */
export function unlisted({ database }: Store): readonly Numbered[] {
  try {
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
  } catch (error) {
    if (!isDamage(error)) throw error;
    return [];
  }
}

/** Prepared anew each time: one that met a damaged page tells of it once more at its next use, whatever it reads then. */
function readEvents({ database }: Store, number: number, { after, most }: Part) {
  const found = database.prepare("SELECT seq, line FROM events WHERE session = ? AND seq > ? ORDER BY seq LIMIT ?");
  return found.iterate(number, after, most);
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
      if (decoded.seq !== seq || decoded.session !== session) {
        return damaged(seq, `it belongs somewhere else: it is event ${decoded.seq} of session ${decoded.session}`);
      }
      events.push({ seq, session, event: decoded.event });
      last = seq;
    }
  } catch (error) {
    if (!isDamage(error)) throw error;
    return damaged(last + 1, messageOf(error));
  }
  return { events, damage: null };
}
