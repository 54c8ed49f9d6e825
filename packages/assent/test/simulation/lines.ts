import type { SessionEvent } from "../../src/core/index.ts";
import { type DecodedEvent, decodeEvent, encodeEvent, type RecordedEvent } from "../../src/wire/index.ts";

/** More than the sessions of one seed have, which begin with the same lines. */
const mostKept = 20_000;

const kept = new Map<string, DecodedEvent>();
const written = new WeakMap<SessionEvent, string>();

/**
 * The event of a line. Processes of many sessions read the same lines, and what a line is decoded to depends on nothing but
 * the line: each is decoded once. What they share is frozen, so that one that changed it would break.
 */
export function eventOf(line: string): DecodedEvent {
  const before = kept.get(line);
  if (before !== undefined) return before;
  const decoded = deeplyFrozen(decodeEvent(line));
  if (kept.size >= mostKept) kept.clear();
  kept.set(line, decoded);
  return decoded;
}

/** The line of an event, written once for each that cannot change any more. */
export function lineOf(recorded: RecordedEvent): string {
  const { event } = recorded;
  const before = written.get(event);
  if (before !== undefined) return before;
  const line = encodeEvent(recorded);
  // Only what was read back is frozen, and that stands at one place of one session.
  if (Object.isFrozen(event)) written.set(event, line);
  return line;
}

function deeplyFrozen<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  for (const part of Object.values(value)) deeplyFrozen(part);
  return Object.freeze(value);
}
