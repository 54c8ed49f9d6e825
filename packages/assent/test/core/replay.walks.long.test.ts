import fc from "fast-check";
import { expect, test } from "vitest";
import {
  decide,
  type EventType,
  type Forked,
  type InputBody,
  newSession,
  replay,
  type SessionEvent,
} from "../../src/core/index.ts";
import { decodeEvent } from "../../src/wire/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { type Move, move } from "./moves.ts";
import { linesOf, replayed, replayedLines } from "./replaying.ts";
import { person, Story } from "./story.ts";

/** `WALKS=200000 npx vitest run replay.walks` walks more; `WALK_SEED=<seed>` repeats the walks of a failure. */
const walks = Number(process.env["WALKS"] ?? 2_000);
const seed = process.env["WALK_SEED"] === undefined ? {} : { seed: Number(process.env["WALK_SEED"]) };
const moves = fc.array(move, { minLength: 10, maxLength: 60, size: "max" });

verifies(
  "SESS-6a",
  "whatever reaches a session, its replay comes out byte for byte",
  () => {
    // Every kind of event is met by the many walks of core.walks, of which some are replayed for each kind.
    const property = fc.property(moves, fc.nat(9), (taken, dice) => {
      const { events } = walk(taken, dice === 0 ? forked : null);
      const { difference, events: same } = replayed(events);
      if (difference !== null || same !== events.length) expect(difference).toBeNull();
    });
    fc.assert(property, { numRuns: walks, ...seed });
  },
  300_000,
);

verifies(
  "SESS-6b",
  "whatever is changed in a record, its replay names what came of the same input or later; or it is something that came from outside",
  () => {
    let found = 0;
    const property = fc.property(moves, fc.nat(), fc.nat(), (taken, which, what) => {
      const { events, first } = walk(taken, null);
      const lines = linesOf(events);
      const at = which % lines.length;
      const changed = changedLine(lines[at] ?? "", what);
      if (decodeEvent(changed.line).type === "unreadable") return;
      const { difference } = replayedLines(lines.with(at, changed.line));
      if (difference === null) {
        expect(isGiven(events[at]?.type ?? "session.created", changed.field) ? "" : changed.line).toBe("");
      } else {
        found += 1;
        expect(difference.seq).toBeGreaterThan(first[at] ?? 0);
      }
    });
    fc.assert(property, { numRuns: walks, ...seed });
    expect(found).toBeGreaterThan(walks / 10);
  },
  300_000,
);

/** The events of a walk, and for each of them the place of the first that the same input led to. */
function walk(taken: readonly Move[], forks: Forked | null) {
  const events: SessionEvent[] = [];
  const first: number[] = [];
  let session = newSession();
  let at = 1_000;
  const take = (body: InputBody) => {
    const decision = decide(session, { ...body, at });
    for (const _event of decision.events) first.push(events.length);
    events.push(...decision.events);
    session = decision.session;
  };
  take({ type: "creation", session: "s", cwd: "/project", limits, ...(forks === null ? {} : { forks }) });
  for (const { after, make } of taken) {
    at += after;
    take(make(session));
  }
  return { events, first };
}

const limits = { turns: 6, iterations: 4, failures: 3, repeats: 3, calls: 5 };

const forked: Forked = { session: "origin", seq: 9, name: "before", history: [{ role: "user", text: "list" }] };

/** What comes from outside, and is recorded as it came: of these a replay knows no more than the record says. */
const given: Readonly<Partial<Record<EventType, readonly string[]>>> = {
  "session.created": ["at", "cwd", "limits", "model"],
  "session.renamed": ["at", "name", "by"],
  "limit.changed": ["at", "turns", "iterations", "by"],
  "context.changed": ["at", "text", "window", "address"],
  "prompt.queued": ["at", "text", "by", "command"],
  "prompt.withdrawn": ["at", "waiting", "by"],
  "steering.received": ["at", "text", "by"],
  "steering.withdrawn": ["at", "waiting", "by"],
  "steering.sent": ["at"],
  "exchange.started": ["at", "prompt", "by"],
  "stop.requested": ["at", "mode", "by"],
  "model.replied": ["at", "reply", "question.timeout_ms"],
  "model.abandoned": ["at", "partial"],
  "model.failed": ["at", "failure"],
  "reply.discarded": ["at", "reply"],
  "history.outgrown": ["at"],
  "history.compacted": ["at", "summary", "usage"],
  "command.entered": ["at", "tool", "arguments", "asks", "command", "by"],
  "command.launched": ["at", "by"],
  "flow.started": ["at", "flow"],
  "call.judged": ["at", "verdict", "rule", "reason", "digest", "facts", "grant", "granted"],
  "call.refused": ["at"],
  "call.started": ["at"],
  "call.finished": ["at", "result"],
  "call.unknown": ["at"],
  // What an approval shows is the policy's, what a command asks is the command's.
  "interaction.requested": ["at", "request"],
  "interaction.rejected": ["at", "code", "detail", "answer_id", "by"],
  "interaction.resolved": ["at", "response", "by", "shown", "unattended"],
  "interaction.expired": ["at"],
  "grant.added": ["at"],
  "grant.removed": ["at", "by"],
  "grant.failed": ["at", "reason"],
  "terminal.opened": ["at", "cwd"],
  "terminal.closed": ["at", "cwd", "lost"],
  "process.started": ["at", "process", "pid", "since", "command"],
  "process.ended": ["at", "exit"],
  "process.kept": ["at", "by"],
};

/** Of a request these follow from the session, whoever asks. */
const derived = ["request.interaction_id", "request.kind", "request.allow_cancel", "request.continuation_id"];

function isGiven(type: EventType, field: string): boolean {
  if (type === "interaction.requested" && derived.includes(field)) return false;
  return (given[type] ?? []).some((name) => field === name || field.startsWith(`${name}.`));
}

type Field = readonly string[];

/** The line with one of its values changed. Its place, its session, its name and its version are the journal's own to check. */
function changedLine(line: string, what: number): { readonly line: string; readonly field: string } {
  const record: unknown = JSON.parse(line);
  const fields = fieldsOf(record).filter(([first = ""]) => !["seq", "session", "v", "type"].includes(first));
  const field = fields[what % fields.length] ?? ["at"];
  return { line: JSON.stringify(changedAt(record, field)), field: field.join(".") };
}

function fieldsOf(data: unknown): readonly Field[] {
  if (typeof data !== "object" || data === null) return [[]];
  return Object.entries(data).flatMap(([name, value]) => fieldsOf(value).map((rest) => [name, ...rest]));
}

function changedAt(data: unknown, [name, ...rest]: Field): unknown {
  if (name === undefined) return another(data);
  if (Array.isArray(data))
    return data.map((item: unknown, index) => (String(index) === name ? changedAt(item, rest) : item));
  return Object.fromEntries(
    Object.entries(data ?? {}).map(([key, value]) => [key, key === name ? changedAt(value, rest) : value]),
  );
}

function another(value: unknown): unknown {
  if (typeof value === "string") return `${value}x`;
  if (typeof value === "number") return value + 1;
  return typeof value === "boolean" ? !value : 1;
}

test("a session of very many events is replayed like a short one", () => {
  const story = new Story();
  const [created, ...others] = story.events;
  if (created === undefined || others.length > 0) return expect.fail(`expected one event, came ${story.events.length}`);
  // More than a call can have arguments.
  const renames = Array.from(
    { length: 130_000 },
    (_, index): SessionEvent => ({ type: "session.renamed", name: `${index}`, by: person, at: created.at + index + 1 }),
  );
  const encode = (event: SessionEvent, seq: number) => `${seq} ${JSON.stringify(event)}`;
  const { events, inputs, difference } = replay([created, ...renames], { encode, digest: (text) => text });
  expect({ events, inputs: inputs.length, difference }).toEqual({ events: 130_001, inputs: 130_001, difference: null });
});
