import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { type Ending, fold, type SessionEvent } from "../../src/core/index.ts";
import {
  type DecodedEvent,
  decodeEvent,
  encodeEvent,
  eventTypes,
  eventVersion,
  type Upgrade,
  unrecordable,
  upgradeRecord,
} from "../../src/wire/index.ts";

const fixture = fixtureOf(1);

/** Written when version 1 was the only one: it may gain a sibling for each later version, but never changes. */
test("a journal of every version so far is readable to the last line", () => {
  for (let version = 1; version <= eventVersion; version++) {
    expect(
      fixtureOf(version)
        .map(decodeEvent)
        .filter((line) => line.type === "unreadable"),
    ).toEqual([]);
  }
});

test("the journal of version 1 holds every kind of event that version 1 had", () => {
  const kinds = fixture.map(decodeEvent).flatMap((line) => (line.type === "event" ? [line.event.type] : []));
  expect(new Set(kinds).size).toBe(37);
  expect(eventTypes).toEqual(expect.arrayContaining(kinds));
});

test("a journal of version 1 folds to the endings it had", () => {
  expect(endingsOf(fixture.map(decodeEvent))).toEqual({
    completed: ["active", { outcome: "completed", status: "partial" }],
    stopped: ["active", { outcome: "stopped" }],
    "turn-limit": ["aborted", { outcome: "turn-limit", bound: "turns" }],
    "limit-changed": ["active", { outcome: "answered" }],
    crashed: ["active", { outcome: "completed", status: "failure" }],
    overflow: ["active", { outcome: "answered", fallback: "overflow" }],
    failed: ["active", { outcome: "failed", reason: "model", detail: "the server said 500" }],
    nobody: ["aborted", { outcome: "failed", reason: "nobody", detail: "nobody could be asked (--unattended=abort)" }],
    answered: ["active", { outcome: "answered" }],
    abandoned: ["active", { outcome: "stopped" }],
    "iteration-limit": ["active", { outcome: "iteration-limit", bound: "iterations" }],
    budget: ["active", { outcome: "budget", bound: "calls" }],
    stalled: ["active", { outcome: "stalled", bound: "silent-replies" }],
    "contract-violation": ["active", { outcome: "contract-violation", violations: ["no-way-to-answer"] }],
  });
});

test("what is read of the current version is written again byte for byte", () => {
  const written = fixture.map((line) => {
    const decoded = decodeEvent(line);
    return decoded.type === "event" ? encodeEvent(decoded) : decoded.reason;
  });
  expect(written).toEqual(fixture);
});

test("an event is one line that begins with its place, time, session and name", () => {
  const event: SessionEvent = { type: "call.started", at: 5, call: "t1c1", digest: "d\n" };
  expect(encodeEvent({ seq: 7, session: "s", event })).toBe(
    '{"seq":7,"at":5,"session":"s","type":"call.started","v":1,"call":"t1c1","digest":"d\\n"}',
  );
});

test.each([
  ["not json", /^expected JSON: /],
  ["[]", /^expected a JSON object, found another value$/],
  ["null", /^expected a JSON object/],
  ["{}", /^v: expected a version number, found undefined$/],
  ['{"v":2}', /^v: expected at most 1, found 2: written by a newer Assent$/],
  ['{"v":0}', /^v: no way from version 0 to 1$/],
  ['{"v":1,"seq":0,"at":1,"session":"s","type":"call.cleared","call":"c"}', /^seq: expected >=1, found 0$/],
  ['{"v":1,"seq":1,"at":"now","session":"s","type":"call.cleared","call":"c"}', /^at: expected number, found "now"$/],
  [
    '{"v":1,"seq":1,"at":1,"session":"s","type":"call.dreamt"}',
    /^type: expected an event this Assent knows, found "call.dreamt"$/,
  ],
  ['{"v":1,"seq":1,"at":1,"session":"s","type":"toString"}', /^type: expected an event this Assent knows/],
  ['{"v":1,"seq":1,"at":1,"session":"s","type":"call.cleared"}', /^call.cleared: call: is missing$/],
  [
    '{"v":1,"seq":1,"at":1,"session":"s","type":"run.ended","outcome":"bored"}',
    /^run.ended: outcome: expected .*"answered".*, found "bored"$/,
  ],
])("the line %s is unreadable, and the reason names the place, what was expected and what came", (line, reason) => {
  expect(decodeEvent(line)).toEqual({ type: "unreadable", reason: expect.stringMatching(reason) });
});

test("a field that a later Assent may have added is kept, also in what lies deeper", () => {
  const line =
    '{"seq":1,"at":1,"session":"s","type":"call.finished","v":1,"call":"c","result":{"type":"output","new":1,"text":""},"more":[]}';
  const decoded = decodeEvent(line);
  expect(decoded.type === "event" && encodeEvent(decoded)).toBe(line);
});

const person = { name: "ada", adapter: "shell" };
const entered = { tool: "terminal", arguments: "{}", asks: { type: "tool", parallel: false, observes: true } } as const;

/** What came after the journal of version 1 was written. */
test.each<SessionEvent>([
  { type: "command.entered", at: 1, exchange: 1, call: "e1", ...entered },
  { type: "command.entered", at: 1, command: "/status", by: person },
  { type: "command.launched", at: 1, call: "t1c1", by: person },
  { type: "prompt.queued", at: 1, waiting: "w1", text: "!ls", by: person, command: entered },
  { type: "exchange.started", at: 1, exchange: 2, prompt: "/compact", by: person, compacts: true },
  { type: "process.kept", at: 1, process: "7", by: person },
  { type: "call.finished", at: 1, call: "t1c1", result: { type: "output", text: "", launch: "/mcp connect one" } },
  {
    ...{ type: "session.forked", at: 1, from: "s0", until: 9, name: "before" },
    history: [
      { role: "user", text: "list" },
      {
        role: "assistant",
        text: "",
        calls: [{ id: "ft1c1", original: "o", tool: "terminal", arguments: "{}" }],
        reasoning: { model: "m", content: [1] },
      },
      { role: "tool", call: "ft1c1", original: "o", text: "a.txt", failed: false },
    ],
  },
])("$type is read as it was written", (event) => {
  expect(decodeEvent(encodeEvent({ seq: 3, session: "s", event }))).toEqual({
    type: "event",
    seq: 3,
    session: "s",
    event,
  });
});

test.each([
  ["command.entered", '"command":"/status"'],
  ["command.entered", '"exchange":1,"call":"e1","tool":"terminal"'],
  ["session.forked", '"from":"s0","until":9,"history":[{"role":"system","text":""}]'],
  ["process.kept", '"process":7'],
])("a damaged %s is told", (type, fields) => {
  const line = `{"seq":1,"at":1,"session":"s","type":"${type}","v":1,${fields}}`;
  expect(decodeEvent(line)).toMatchObject({ type: "unreadable", reason: expect.stringContaining(`${type}: `) });
});

test("an event can be recorded where it can be read back: what is undefined is not there, and else it is said why not", () => {
  const event: SessionEvent = { type: "call.started", at: 5, call: "t1c1", digest: "d" };
  const given = (fields: object) => unrecordable({ ...event, ...fields } as SessionEvent);
  expect([given({}), given({ more: undefined }), given({ more: 1 })]).toEqual([null, null, null]);
  expect(given({ call: undefined })).toBe("call.started: call: is missing");
  expect(given({ digest: 5 })).toBe("call.started: digest: expected string, found 5");
  expect(given({ type: "call.dreamt" })).toBe('type: expected an event this Assent knows, found "call.dreamt"');
});

test("a value that has no bytes cannot be recorded: it would be missing to whoever reads", () => {
  const judged = {
    type: "call.judged",
    at: 5,
    call: "c",
    verdict: "allow",
    rule: "r",
    reason: "",
    digest: "d",
  } as const;
  const given = (facts: unknown) => unrecordable({ ...judged, facts } as SessionEvent);
  for (const facts of [null, 0, "", [], { toJSON: 1 }, new Date(0)]) expect(given(facts)).toBeNull();
  for (const facts of [undefined, () => 1, Symbol("a"), { toJSON: () => undefined }])
    expect(given(facts)).toBe("call.judged: facts: is missing");
});

test("an older record is taken to the current form version by version", () => {
  const upgrades = new Map<number, Upgrade>([
    [1, ({ name, ...rest }) => ({ ...rest, label: name })],
    [2, (record) => ({ ...record, tags: [] })],
  ]);
  expect(upgradeRecord({ v: 1, name: "a" }, { to: 3, upgrades })).toEqual({ v: 3, label: "a", tags: [] });
  expect(upgradeRecord({ v: 3, label: "b" }, { to: 3, upgrades })).toEqual({ v: 3, label: "b" });
  expect(upgradeRecord({ v: 1 }, { to: 3, upgrades: new Map() })).toBe("v: no way from version 1 to 2");
});

function fixtureOf(version: number): readonly string[] {
  return readLines(join(import.meta.dirname, "..", "fixtures", `journal-v${version}.jsonl`));
}

function readLines(file: string): readonly string[] {
  return readFileSync(file, "utf8").trimEnd().split("\n");
}

function endingsOf(decoded: readonly DecodedEvent[]): Record<string, readonly [string, Ending | null]> {
  const sessions = new Map<string, SessionEvent[]>();
  for (const line of decoded) {
    if (line.type === "event") sessions.set(line.session, [...(sessions.get(line.session) ?? []), line.event]);
  }
  return Object.fromEntries(
    [...sessions].map(([id, events]) => {
      const { status, lastEnding } = fold(events);
      return [id, [status, lastEnding]];
    }),
  );
}
