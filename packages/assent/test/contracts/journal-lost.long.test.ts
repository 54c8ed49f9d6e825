/** What a store can lose without an error of SQLite: it is missed all the same, and named (SESS-4). */
import { copyFileSync, existsSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { pageBytes } from "../../src/runtime/journal/database.ts";
import { openSqliteJournal } from "../../src/runtime/journal/index.ts";
import type { Journal } from "../../src/runtime/ports.ts";
import { thisProcess } from "../../src/runtime/process.ts";
import { encodeEvent } from "../../src/wire/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { failureOf, newScratch, note, notes, olderLayout } from "./stores.ts";

const scratch = newScratch();
afterAll(() => scratch.remove());

const holder = thisProcess();
const created = {
  type: "exchange.started",
  at: 1,
  exchange: 1,
  prompt: "go",
  by: { name: "ann", adapter: "test" },
} as const;

function open(file: string): Journal {
  return scratch.opened(openSqliteJournal(file));
}

/** Two sessions over several pages each, in one file. */
function closedStore(): string {
  const file = scratch.newFile();
  const journal = openSqliteJournal(file);
  for (const session of ["one", "two"])
    journal.append(session, 0, [created, ...notes(300, (seq) => `${session} ${seq}`)]);
  journal.close();
  return file;
}

/** What a process leaves that is killed: the newest events are in the log alone. */
function killedStore(): string {
  const file = closedStore();
  const journal = openSqliteJournal(file);
  journal.append("one", 301, notes(2));
  journal.append("two", 301, notes(2));
  const copy = join(scratch.newFolder(), "journal.db");
  for (const name of readdirSync(dirname(file))) copyFileSync(join(dirname(file), name), join(dirname(copy), name));
  journal.close();
  return copy;
}

/** The page at which a table or an index begins becomes one with nothing in it, as SQLite itself would write it. */
function emptyPage(file: string, name: string): void {
  const database = new DatabaseSync(file, { readOnly: true });
  const { rootpage } = database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = ?").get(name) ?? {};
  database.close();
  const bytes = readFileSync(file);
  const page = bytes.subarray((Number(rootpage) - 1) * pageBytes, Number(rootpage) * pageBytes);
  // 13 is a leaf of a table, 10 one of an index; no cells; they would begin at the end.
  page.fill(0);
  page[0] = name === "sessions" ? 13 : 10;
  page.writeUInt16BE(pageBytes, 5);
  writeFileSync(file, bytes);
}

/** Exchanges two leaves, one of each session. */
function swapLeaves(file: string): void {
  const bytes = readFileSync(file);
  const leafOf = (session: string) => {
    for (let at = 0; at < bytes.length; at += pageBytes) {
      const text = bytes.toString("latin1", at, at + pageBytes);
      if (bytes[at] === 10 && text.includes(`"${session} 150"`)) return at;
    }
    throw new Error(`no page has event 150 of ${session}`);
  };
  const [one, two] = [leafOf("one"), leafOf("two")];
  const first = Buffer.from(bytes.subarray(one, one + pageBytes));
  bytes.copy(bytes, one, two, two + pageBytes);
  first.copy(bytes, two);
  writeFileSync(file, bytes);
}

function change(file: string, sql: string): void {
  const database = new DatabaseSync(file);
  database.exec(sql);
  database.close();
}

/** What happens in another process just before this one does that for the first time. */
function atFirst(sql: string, happens: () => void): void {
  const { exec } = DatabaseSync.prototype;
  const seen = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (this: DatabaseSync, given) {
    if (given === sql) {
      seen.mockRestore();
      happens();
    }
    exec.call(this, given);
  });
  onTestFinished(() => seen.mockRestore());
}

function namedBy(journal: Journal): readonly string[] {
  return journal.outline().damage.map(({ session }) => session);
}

verifies("SESS-4g", "pages that were exchanged hide no event: where the reading stops is named", () => {
  const file = closedStore();
  swapLeaves(file);
  const journal = open(file);
  for (const session of ["one", "two"]) {
    const { events, damage } = journal.read(session, 0);
    expect(events.length).toBeLessThan(301);
    expect(damage).toEqual({ session, seq: events.length + 1, reason: "it is missing" });
  }
  expect(journal.verify(null).at(-1)).toMatchObject({
    session: "the store itself",
    breaks: [{ seq: 0, what: "unreadable" }, {}],
  });
});

verifies("SESS-4g", "a session that the index of ids has lost is found in the list, and goes on", () => {
  const file = closedStore();
  emptyPage(file, "sqlite_autoindex_sessions_1");
  const journal = open(file);
  expect(journal.read("two", 0)).toMatchObject({ events: { length: 301 }, damage: null });
  expect(journal.append("two", 301, notes(1))).toEqual({ type: "appended" });
  expect([...journal.heads()]).toEqual([
    ["one", 301],
    ["two", 302],
  ]);
});

verifies("SESS-4g", "milestones that their index has lost are missed by verify", () => {
  const file = closedStore();
  emptyPage(file, "milestones");
  const checks = open(file).verify(null);
  const told = checks.flatMap(({ session, breaks }) => breaks.map(({ reason }) => `${session}: ${reason}`));
  expect(told).toContainEqual(expect.stringMatching(/^the store itself: .*index milestones/));
});

verifies("SESS-4g", "sessions that are gone from the list are named by the outline", () => {
  const file = closedStore();
  emptyPage(file, "sessions");
  const { sessions, damage } = open(file).outline();
  expect(sessions).toEqual([]);
  const reason = "it is in no list of sessions";
  expect(damage).toEqual([
    ...[1, 2].map((number) => ({ session: `number ${number} (not listed)`, seq: 1, reason })),
    { session: "two", seq: 1, reason: expect.stringMatching(/^events up to 301 were recorded/) },
  ]);
});

verifies(
  "SESS-4g",
  "what was recorded last is noted at once; while a session is at work ten times a second, and when it is left",
  async () => {
    const file = scratch.newFile();
    const journal = open(file);
    const noted = () => (existsSync(`${file}-last`) ? readFileSync(`${file}-last`, "latin1").split(" ", 1)[0] : null);
    journal.append("one", 0, [created]);
    expect(noted()).toBe("1");
    journal.takeLease("one", holder);
    journal.append("one", 1, notes(1));
    journal.append("one", 2, notes(1));
    expect(noted()).toBe("1");
    await vi.waitFor(() => expect(noted()).toBe("3"));
    journal.append("one", 3, notes(1));
    journal.releaseLease("one", holder);
    expect(noted()).toBe("4");
  },
);

verifies("SESS-4g", "a session of which no event is left is named, and so is one without its end", () => {
  const file = closedStore();
  const journal = openSqliteJournal(file);
  journal.takeLease("two", holder);
  journal.releaseLease("two", holder);
  journal.close();
  change(file, "DELETE FROM events WHERE session = 1 OR seq > 200");
  const damaged = open(file);
  expect(damaged.read("one", 0)).toEqual({ events: [], damage: { session: "one", seq: 1, reason: "it is missing" } });
  const { damage } = damaged.read("two", 0);
  expect(damage).toMatchObject({
    session: "two",
    seq: 201,
    reason: expect.stringContaining("events up to 301 were recorded"),
  });
  expect(namedBy(damaged)).toEqual(["one", "two"]);
});

verifies(
  "SESS-4g",
  "a store of before there were hashes is taken over although the end of a session is on a damaged page",
  () => {
    const file = join(scratch.newFolder(), "journal.db");
    const database = new DatabaseSync(file);
    database.exec(`${olderLayout} INSERT INTO sessions (id) VALUES ('one'), ('two'), ('three')`);
    const add = database.prepare("INSERT INTO events VALUES (?, ?, 0, ?)");
    database.exec("BEGIN");
    for (const [index, session] of ["one", "two", "three"].entries()) {
      for (let seq = 1; seq <= 300; seq++)
        add.run(index + 1, seq, encodeEvent({ seq, session, event: note(`${session} ${seq}`) }));
    }
    database.exec("COMMIT");
    database.close();
    const bytes = readFileSync(file);
    // Every page that has it: some are of no use any more.
    for (let page = 0; page < bytes.length; page += pageBytes) {
      const isMeant = bytes[page] === 10 && bytes.subarray(page, page + pageBytes).includes('"two 298"');
      if (isMeant) bytes.fill(0, page, page + pageBytes);
    }
    writeFileSync(file, bytes);
    const journal = open(file);
    expect(journal.read("one", 0)).toMatchObject({ events: { length: 300 }, damage: null });
    expect(journal.read("two", 0).damage).toMatchObject({ session: "two" });
    expect(journal.append("one", 300, notes(1))).toEqual({ type: "appended" });
  },
);

describe("the log", () => {
  test.each([
    ["removed", (log: string) => rmSync(log)],
    ["emptied", (log: string) => truncateSync(log)],
    ["cut", (log: string) => truncateSync(log, 32 + 24 + pageBytes)],
    ["damaged", (log: string) => writeFileSync(log, readFileSync(log).fill(0xff, 32, 60))],
  ])("that is %s: what was recorded last is missed, by all who look and whatever is recorded next", (_, harm) => {
    const file = killedStore();
    harm(`${file}-wal`);
    const journal = open(file);
    expect(namedBy(journal)).toEqual(["two"]);
    const damage = {
      session: "two",
      seq: 302,
      reason: expect.stringContaining("other sessions recorded then may be missing, too"),
    };
    expect(journal.read("two", 0)).toMatchObject({ events: { length: 301 }, damage });
    expect(journal.append("one", journal.heads().get("one") ?? 0, notes(1))).toEqual({ type: "appended" });
    journal.close();
    const again = open(file);
    expect(namedBy(again)).toEqual(["two"]);
    expect(again.verify("two")[0]?.breaks).toMatchObject([{ seq: 302, what: "cut" }]);
  });

  verifies("SESS-4g", "with which a whole session went: it is listed again, without its events", () => {
    const file = killedStore();
    const journal = openSqliteJournal(file);
    journal.append("new", 0, notes(3));
    const copy = join(scratch.newFolder(), "journal.db");
    for (const part of ["", "-last"]) copyFileSync(`${file}${part}`, `${copy}${part}`);
    journal.close();
    const damaged = open(copy);
    expect(damaged.read("new", 0)).toMatchObject({ events: [], damage: { session: "new", seq: 1 } });
    expect(namedBy(damaged)).toContain("new");
  });

  verifies(
    "SESS-4g",
    "that is removed is missed although the notes of sessions are lost: whoever reads is told, and verify tells",
    () => {
      const file = killedStore();
      rmSync(`${file}-wal`);
      emptyPage(file, "chains");
      const journal = open(file);
      expect(journal.read("two", 0)).toMatchObject({ events: { length: 301 }, damage: { seq: 302 } });
      expect(namedBy(journal)).toEqual(["two"]);
      expect(journal.verify(null).at(-1)).toMatchObject({
        session: "the store itself",
        breaks: [{ what: "unreadable" }],
      });
    },
  );

  test("with which a session went that another process deletes at this moment: that is not listed again", () => {
    const file = killedStore();
    rmSync(`${file}-wal`);
    atFirst("BEGIN IMMEDIATE", () => {
      const other = openSqliteJournal(file);
      expect(namedBy(other)).toEqual(["two"]);
      other.remove("two");
      other.close();
    });
    const journal = open(file);
    expect([...journal.heads().keys()]).toEqual(["one"]);
    expect(namedBy(journal)).toEqual([]);
  });

  verifies(
    "SESS-4g",
    "of which another process tells the loss at this moment: what was missed before is not forgotten",
    () => {
      const file = killedStore();
      rmSync(`${file}-wal`);
      change(file, "INSERT INTO chains (session, noted, head) VALUES (1, 400, 'lost earlier')");
      atFirst("BEGIN IMMEDIATE", () => {
        const other = openSqliteJournal(file);
        expect(other.append("one", 301, notes(1))).toEqual({ type: "appended" });
        other.close();
      });
      expect(namedBy(open(file))).toEqual(["one", "two"]);
    },
  );

  test("that is whole loses nothing, and a note that was damaged says nothing", () => {
    const file = killedStore();
    const noted = readFileSync(`${file}-last`);
    for (let bit = 0; bit < 8 * 80; bit += 7) {
      const flipped = Buffer.from(noted);
      flipped[bit >> 3] = (flipped[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      writeFileSync(`${file}-last`, flipped);
      const journal = openSqliteJournal(file);
      expect(namedBy(journal)).toEqual([]);
      journal.close();
    }
  });
});

describe("a store that was emptied", () => {
  verifies("SESS-4g", "is refused, with what it should hold", () => {
    const file = closedStore();
    truncateSync(file);
    const expected = `${file}: expected a store with event 301 of session two, found an empty file; move it and`;
    expect(failureOf(() => open(file))).toEqual({ code: "damaged", message: expect.stringContaining(expected) });
  });

  test.each(["emptied", "removed"])("or %s beside its log is refused, and the log is left as it was", (how) => {
    const file = killedStore();
    const log = readFileSync(`${file}-wal`);
    rmSync(`${file}-last`);
    if (how === "emptied") truncateSync(file);
    else rmSync(file);
    expect(failureOf(() => open(file))).toMatchObject({ code: "damaged" });
    expect(readFileSync(`${file}-wal`).equals(log)).toBe(true);
  });

  test("is not missed where it was moved away, and a deleted session is not either", () => {
    const file = closedStore();
    const journal = openSqliteJournal(file);
    journal.append("three", 0, [note("last")]);
    journal.remove("three");
    journal.close();
    const again = openSqliteJournal(file);
    expect(namedBy(again)).toEqual([]);
    again.append("one", 301, [note("last")]);
    again.close();
    for (const name of readdirSync(dirname(file))) if (name !== "journal.db-last") rmSync(join(dirname(file), name));
    expect(open(file).outline()).toEqual({ sessions: [], damage: [] });
    // It is blank: another process may have it open already.
    expect(readFileSync(`${file}-last`, "utf8").trim()).toBe("");
  });
});
