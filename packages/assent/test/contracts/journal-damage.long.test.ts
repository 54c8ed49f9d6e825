/** A store of which a part has gone bad: what is readable is still read, and the damage is named (SESS-4). */
import { closeSync, openSync, readFileSync, writeSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import type { SessionEvent } from "../../src/core/index.ts";
import { pageBytes } from "../../src/runtime/journal/database.ts";
import { openSqliteJournal } from "../../src/runtime/journal/index.ts";
import type { Journal } from "../../src/runtime/ports.ts";
import { thisProcess } from "../../src/runtime/process.ts";
import { verifies } from "../requirements/verifies.ts";
import { failureOf, newScratch, note, notes } from "./stores.ts";

const scratch = newScratch();
afterAll(() => scratch.remove());

const holder = thisProcess();
const bigEvents = 3_000;
/** A leaf of a table without row ids, in SQLite's file format. */
const leaf = 0x0a;

/** Every hundredth event is a milestone, so the outline has to look into the damaged part as well. */
function bigEvent(seq: number): SessionEvent {
  const text = `<big ${seq}>`.padEnd(180, ".");
  const by = { name: "ann", adapter: "test" };
  return seq % 100 === 0 ? { type: "exchange.started", at: 1, exchange: seq, prompt: text, by } : note(text);
}

/** A small session, one over many pages, and those named; closed, so that all of it is in the one file. */
function storeWithBigSession(after: readonly string[] = ["after"]): string {
  const file = scratch.newFile();
  const journal = openSqliteJournal(file);
  journal.append("before", 0, notes(5));
  const big = Array.from({ length: bigEvents }, (_, index) => bigEvent(index + 1));
  journal.append("big", 0, big);
  for (const session of after) journal.append(session, 0, notes(5));
  journal.close();
  return file;
}

type Page = { readonly number: number; readonly seqs: readonly number[] };

/** The leaves that hold nothing but events of the big session. */
function leavesOf(file: string): readonly Page[] {
  const bytes = readFileSync(file);
  return Array.from({ length: bytes.length / pageBytes }, (_, number): Page => {
    const page = bytes.subarray(number * pageBytes, (number + 1) * pageBytes);
    const text = page[0] === leaf ? page.toString("latin1") : "";
    const found = [...text.matchAll(/<big (\d+)>/g)].map(([, seq]) => Number(seq));
    return { number, seqs: text.includes('"note ') ? [] : found.sort((one, other) => one - other) };
  }).filter(({ seqs }) => seqs.length > 5);
}

function pageWith(file: string, seq: number): Page {
  const page = leavesOf(file).find(({ seqs }) => seqs.includes(seq) && seqs[0] !== seq);
  // The event may be in an inner page: then its neighbour is in a leaf.
  return page ?? pageWith(file, seq + 1);
}

function overwrite(file: string, { number }: Page, bytes: Buffer): void {
  const handle = openSync(file, "r+");
  writeSync(handle, bytes, 0, bytes.length, number * pageBytes);
  closeSync(handle);
}

function open(file: string): Journal {
  return scratch.opened(openSqliteJournal(file));
}

const wrecks: readonly (readonly [string, Buffer])[] = [
  ["zeros", Buffer.alloc(pageBytes)],
  ["ones", Buffer.alloc(pageBytes, 0xff)],
  ["a text", Buffer.alloc(pageBytes, "All work and no play. ")],
];

test.each(wrecks)("with %s over one page, what comes before it is read and the damage is named", (_, wreck) => {
  const file = storeWithBigSession();
  const page = pageWith(file, 1_500);
  overwrite(file, page, wreck);
  const { events, damage } = open(file).read("big", 0);
  const first = page.seqs[0] ?? 0;
  expect(events.map(({ event }) => event)).toEqual(
    Array.from({ length: first - 1 }, (_, index) => bigEvent(index + 1)),
  );
  expect(damage).toEqual({ session: "big", seq: first, reason: expect.any(String) });
});

test.each(wrecks)("with %s over one page, the other sessions are read, listed and go on", (_, wreck) => {
  const file = storeWithBigSession();
  overwrite(file, pageWith(file, 1_500), wreck);
  const journal = open(file);
  for (const session of ["before", "after"]) {
    expect(journal.read(session, 0)).toMatchObject({ damage: null, events: { length: 5 } });
    expect(journal.append(session, 5, notes(1))).toEqual({ type: "appended" });
    expect(journal.read(session, 5)).toMatchObject({ damage: null, events: [{ seq: 6 }] });
  }
  expect(journal.outline().sessions.map(({ session, newest }) => [session, newest])).toEqual([
    ["before", 6],
    ["big", bigEvents],
    ["after", 6],
  ]);
});

verifies("SESS-4g", "the outline keeps the milestones before the damage, and names it", () => {
  const file = storeWithBigSession();
  const page = pageWith(file, 1_500);
  expect(page.seqs).toContain(1_500);
  overwrite(file, page, Buffer.alloc(pageBytes));
  const { sessions, damage } = open(file).outline();
  const big = sessions.find(({ session }) => session === "big");
  expect(big?.milestones.map(({ seq }) => seq)).toEqual(Array.from({ length: 14 }, (_, index) => 100 * (index + 1)));
  expect(damage.map(({ session }) => session)).toEqual(["big"]);
  expect(damage[0]?.seq).toBeGreaterThan(1_400);
  expect(damage[0]?.seq).toBeLessThanOrEqual(1_500);
});

test("what comes after the damage is still read when asked for", () => {
  const file = storeWithBigSession();
  const page = pageWith(file, 1_500);
  overwrite(file, page, Buffer.alloc(pageBytes));
  const after = (page.seqs.at(-1) ?? 0) + 50;
  const { events, damage } = open(file).read("big", after);
  expect({ count: events.length, damage }).toEqual({ count: bigEvents - after, damage: null });
});

verifies("SESS-4g", "what was damaged in one session is not held against the next one that is read", () => {
  const file = storeWithBigSession();
  overwrite(file, pageWith(file, 1_500), Buffer.alloc(pageBytes));
  const journal = open(file);
  expect(journal.read("big", 0).damage).not.toBe(null);
  expect(journal.read("before", 0)).toMatchObject({ damage: null, events: { length: 5 } });
  expect(journal.read("big", 0, 10)).toMatchObject({ damage: null, events: { length: 10 } });
});

verifies("SESS-4g", "with its newest events lost, a session is still listed with what can be read of it", () => {
  const file = storeWithBigSession([]);
  const newest = [...leavesOf(file)].sort((one, other) => (one.seqs[0] ?? 0) - (other.seqs[0] ?? 0)).at(-1);
  overwrite(file, newest ?? { number: 0, seqs: [] }, Buffer.alloc(pageBytes));
  const journal = open(file);
  const reading = journal.read("big", 0);
  expect(reading).toMatchObject({ events: { length: (newest?.seqs[0] ?? 0) - 1 }, damage: { session: "big" } });
  const { sessions, damage } = journal.outline();
  expect(sessions.map(({ session }) => session)).toEqual(["before", "big"]);
  expect(sessions[1]?.milestones.map(({ seq }) => seq)).toContain(2_900);
  // From the event of a damage on a session cannot be read, so no event that can be read may be told as lost.
  expect(damage.map(({ session }) => session)).toEqual(["big"]);
  expect(damage[0]?.seq).toBeGreaterThan(2_900);
});

/** The page at which a table begins is lost. */
function loseTable(file: string, name: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const row = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(name);
  database.close();
  overwrite(file, { number: Number(row?.["rootpage"]) - 1, seqs: [] }, Buffer.alloc(pageBytes, 0xff));
}

verifies("SESS-4g", "a damaged session can be left, and then whoever wants may have it", () => {
  const file = storeWithBigSession([]);
  const newest = [...leavesOf(file)].sort((one, other) => (one.seqs[0] ?? 0) - (other.seqs[0] ?? 0)).at(-1);
  overwrite(file, newest ?? { number: 0, seqs: [] }, Buffer.alloc(pageBytes));
  const journal = open(file);
  for (const session of ["big", "before"]) {
    expect(journal.takeLease(session, holder)).toEqual(holder);
    journal.releaseLease(session, holder);
    expect([session, journal.leaseHolder(session)]).toEqual([session, null]);
  }
  // Where the other one stood is known all the same.
  const database = new DatabaseSync(file);
  database.exec("DELETE FROM events WHERE session = (SELECT number FROM sessions WHERE id = 'before') AND seq = 5");
  database.close();
  expect(journal.verify("before")).toMatchObject([{ events: 4, breaks: [{ seq: 5, what: "cut" }] }]);
});

verifies(
  "SESS-4g",
  "with the notes of what was left lost, sessions are read, go on and are left, and verify tells",
  () => {
    const file = storeWithBigSession();
    loseTable(file, "chains");
    const journal = open(file);
    expect(journal.outline().damage).toEqual([]);
    expect(journal.read("before", 0)).toMatchObject({ events: { length: 5 }, damage: null });
    expect(journal.append("before", 5, notes(1))).toEqual({ type: "appended" });
    journal.takeLease("before", holder);
    journal.releaseLease("before", holder);
    expect(journal.leaseHolder("before")).toBe(null);
    expect(journal.verify("before")).toMatchObject([{ events: 6, breaks: [] }]);
    expect(journal.verify(null).at(-1)).toMatchObject({
      session: "the store itself",
      breaks: [{ what: "unreadable" }],
    });
  },
);

/** Changes the store behind the journal's back. */
function storeChangedBy(sql: string): Journal {
  const file = scratch.newFile();
  const journal = openSqliteJournal(file);
  journal.append("other", 0, notes(3));
  journal.append("s", 0, [bigEvent(100), ...notes(3), bigEvent(200), ...notes(3)]);
  journal.close();
  const database = new DatabaseSync(file);
  const where = "session = (SELECT number FROM sessions WHERE id = 's')";
  database.exec(sql.replace("ITS", where));
  database.close();
  return open(file);
}

test.each([
  ["is not JSON", "UPDATE events SET line = substr(line, 1, 40) WHERE ITS AND seq = 5", "expected JSON"],
  ["is empty", "UPDATE events SET line = '' WHERE ITS AND seq = 5", "expected JSON"],
  ["is another JSON value", "UPDATE events SET line = '[1]' WHERE ITS AND seq = 5", "expected a JSON object"],
  [
    "has another number",
    "UPDATE events SET line = replace(line, '\"seq\":5,', '\"seq\":6,') WHERE ITS AND seq = 5",
    "it belongs somewhere else",
  ],
  [
    "is of another session",
    "UPDATE events SET line = replace(line, '\"s\"', '\"t\"') WHERE ITS AND seq = 5",
    "it belongs somewhere else",
  ],
  ["is of a newer version", `UPDATE events SET line = replace(line, '"v":1', '"v":9') WHERE ITS AND seq = 5`, "newer"],
  ["is missing", "DELETE FROM events WHERE ITS AND seq = 5", "it is missing"],
])("an event that %s ends the reading there, and is named", (_what, sql, reason) => {
  const journal = storeChangedBy(sql);
  const { events, damage } = journal.read("s", 0);
  expect(events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(damage).toEqual({ session: "s", seq: 5, reason: expect.stringContaining(reason) });
  expect(journal.read("s", 0, 4).damage).toBe(null);
  expect(journal.read("other", 0)).toMatchObject({ damage: null, events: { length: 3 } });
});

verifies("SESS-4g", "a milestone that cannot be read is named by the outline, and the others are still told", () => {
  const journal = storeChangedBy("UPDATE events SET line = '{' WHERE ITS AND seq = 5");
  const { sessions, damage } = journal.outline();
  expect(sessions.map(({ session, newest }) => [session, newest])).toEqual([
    ["other", 3],
    ["s", 8],
  ]);
  expect(sessions[1]?.milestones.map(({ seq }) => seq)).toEqual([1]);
  expect(damage).toEqual([{ session: "s", seq: 5, reason: expect.stringContaining("expected JSON") }]);
});

test("with the list of sessions lost, every failure is one of the journal's and names the file", () => {
  const file = storeWithBigSession();
  loseTable(file, "sessions");
  const failures = [
    failureOf(() => open(file).outline()),
    failureOf(() => open(file).append("new", 0, notes(1))),
    failureOf(() => open(file).append("new", 0, notes(1))),
  ];
  expect(failures.map((failure) => failure?.code)).toEqual(["damaged", "damaged", "damaged"]);
  expect(failures[0]?.message).toContain(`${file}: the store is damaged (`);
});
