import * as v from "valibot";
import type { EventType, SessionEvent } from "../core/index.ts";
import { eventData } from "./event-data.ts";
import { parseJson } from "./json.ts";
import { isLooseRecord } from "./loose.ts";
import { describeIssue } from "./schema.ts";

/** One event as the journal keeps it and `--json` prints it. */
export type RecordedEvent = { readonly seq: number; readonly session: string; readonly event: SessionEvent };

/** A line of a journal as it was read. */
export type DecodedEvent =
  | ({ readonly type: "event" } & RecordedEvent)
  | { readonly type: "unreadable"; readonly reason: string };

/**
 * A new event or optional field keeps the version: an older reader keeps a field that it does not know, and says of an
 * event that it does not know it. Whatever an old record would fail on, such as a new required field or another name, is
 * a new version with an upgrade from the one before.
 */
export const eventVersion = 1;

/** A record of version n becomes one of version n + 1. */
export type Upgrade = (record: RawRecord) => RawRecord;
export type RawRecord = { readonly [key: string]: unknown };

const upgrades: ReadonlyMap<number, Upgrade> = new Map();

/** A recorded event as one line of JSON. */
export function encodeEvent({ seq, session, event }: RecordedEvent): string {
  const { type, at, ...data } = event;
  return JSON.stringify({ seq, at, session, type, v: eventVersion, ...data });
}

/** Reads one line of any version so far; what cannot be read is told, never thrown. */
export function decodeEvent(line: string): DecodedEvent {
  const record = parseRecord(line);
  if (typeof record === "string") return unreadable(record);
  const upgraded = upgradeRecord(record, { to: eventVersion, upgrades });
  if (typeof upgraded === "string") return unreadable(upgraded);
  const envelope = v.safeParse(envelopeSchema, upgraded);
  if (!envelope.success) return unreadable(describeIssue(envelope.issues));
  const { seq, at, session, type, v: _version, ...data } = envelope.output;
  if (!isEventType(type)) return unreadable(`type: expected an event this Assent knows, found ${JSON.stringify(type)}`);
  const given = type === "session.created" ? { ...data, session } : data;
  const checked = v.safeParse(eventData[type], given);
  if (!checked.success) return unreadable(`${type}: ${describeIssue(checked.issues)}`);
  // What was stored is kept, not the schema's copy of it, whose fields are in another order: a request stays the same to
  // the byte (INT-5). The table pairs each type with its own data, which the compiler cannot follow through the look-up.
  return { type: "event", seq, session, event: { type, at, ...given } as SessionEvent };
}

/** Why an event could not be read back, if it were recorded; `null` where it could. */
export function unrecordable(event: SessionEvent): string | null {
  const { type, at: _at, ...data } = event;
  const isKnown = isEventType(type) && v.safeParse(eventData[type], data).success;
  // What a fast look takes amiss may be no more than a field that is `undefined`: its bytes decide.
  const decoded = isKnown ? null : decodeEvent(encodeEvent({ seq: 1, session: "s", event }));
  return decoded?.type === "unreadable" ? decoded.reason : null;
}

/** Takes a record version by version to the wanted version; a text says why it cannot be. */
export function upgradeRecord(
  record: RawRecord,
  { to, upgrades: table }: { readonly to: number; readonly upgrades: ReadonlyMap<number, Upgrade> },
): RawRecord | string {
  const { v: version } = record;
  if (typeof version !== "number") return `v: expected a version number, found ${JSON.stringify(version)}`;
  if (version > to) return `v: expected at most ${to}, found ${version}: written by a newer Assent`;
  let upgraded = record;
  for (let from = version; from < to; from++) {
    const upgrade = table.get(from);
    if (upgrade === undefined) return `v: no way from version ${from} to ${from + 1}`;
    upgraded = { ...upgrade(upgraded), v: from + 1 };
  }
  return upgraded;
}

const envelopeSchema = v.looseObject({
  seq: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
  at: v.number(),
  session: v.string(),
  type: v.string(),
  v: v.literal(eventVersion),
});

function parseRecord(line: string): RawRecord | string {
  const parsed = parseJson(line);
  if (parsed.type === "broken") return `expected JSON: ${parsed.reason}`;
  return isLooseRecord(parsed.value) ? parsed.value : "expected a JSON object, found another value";
}

export const eventTypes: readonly string[] = Object.keys(eventData);

/** Whether events of that type are recorded. */
export function isEventType(type: string): type is EventType {
  return Object.hasOwn(eventData, type);
}

function unreadable(reason: string): DecodedEvent {
  return { type: "unreadable", reason };
}
