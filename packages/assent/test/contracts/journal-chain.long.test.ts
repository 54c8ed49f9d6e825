/** The hashes of the journal: whatever is changed behind its back is found, and named where it is (SESS-5). */
import { createHash } from "node:crypto";
import { closeSync, copyFileSync, openSync, readFileSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, describe, expect, onTestFinished, test } from "vitest";
import type { SessionEvent } from "../../src/core/index.ts";
import { pageBytes } from "../../src/runtime/journal/database.ts";
import { openSqliteJournal } from "../../src/runtime/journal/index.ts";
import { type ChainBreak, type Journal, JournalError, milestones } from "../../src/runtime/ports.ts";
import { thisProcess } from "../../src/runtime/process.ts";
import { encodeEvent } from "../../src/wire/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { seeded } from "../simulation/random.ts";
import { startWorker } from "./children.ts";
import { implementations, newScratch, note, notes, olderLayout } from "./stores.ts";

const scratch = newScratch();
afterAll(() => scratch.remove());

const holder = thisProcess();
const by = { name: "ann", adapter: "test" };
const person = "\ufffd \u{1f469} ä";

/** A few events of the kinds that matter, with texts of one to four bytes a character. */
function events(): readonly SessionEvent[] {
  return [
    { type: "exchange.started", at: 1, exchange: 1, prompt: `clean ${person}`, by },
    note("facts"),
    {
      ...{ type: "call.judged", at: 2, call: "t1c1", verdict: "ask", rule: "rm-recursive", reason: "deletes" },
      ...{ digest: "sha256:d", facts: null },
    },
    { type: "interaction.resolved", at: 3, interaction: "s-1", state: "aborted", by },
    { type: "call.started", at: 4, call: "t1c1", digest: "sha256:d" },
    { type: "call.finished", at: 5, call: "t1c1", result: { type: "output", text: person, exit: 0 } },
  ];
}

function journalWith(journal: Journal, session: string, count = 1): Journal {
  for (let round = 0; round < count; round++) {
    const newest = journal.heads().get(session) ?? 0;
    expect(journal.append(session, newest, events())).toEqual({ type: "appended" });
  }
  return journal;
}

/** Where something was changed, of the sessions in which something was. */
function broken(journal: Journal): Readonly<Record<string, readonly (readonly [number, ChainBreak["what"]])[]>> {
  const found = journal.verify(null).filter(({ breaks }) => breaks.length > 0);
  return Object.fromEntries(
    found.map(({ session, breaks }) => [session, breaks.map(({ seq, what }) => [seq, what] as const)]),
  );
}

describe.each(implementations(scratch))("the chain of the $name journal", ({ newStore }) => {
  verifies("SESS-5a", "is whole as it is recorded, and each append changes its head", () => {
    const journal = newStore()();
    const heads = [1, 2, 3].map(() => journalWith(journal, "s").verify("s")[0]?.head);
    expect(new Set(heads).size).toBe(3);
    for (const head of heads) expect(head).toMatch(/^[0-9a-f]{64}$/);
    const whole = { session: "s", events: 18, before: 0, head: heads[2], found: null, breaks: [], more: 0 };
    expect(journal.verify("s")).toEqual([whole]);
    expect(journal.verify("other")).toEqual([]);
  });

  verifies("SESS-5d", "knows a head that was written down earlier, and no other", () => {
    const journal = newStore()();
    journalWith(journal, "other");
    const head = journalWith(journal, "s").verify("s")[0]?.head ?? "";
    journalWith(journal, "s", 2);
    const found = (wanted: string) => journal.verify(null, wanted).map((check) => [check.session, check.found]);
    expect(found(head)).toEqual([
      ["other", null],
      ["s", 6],
    ]);
    expect(found("0".repeat(64)).map(([, seq]) => seq)).toEqual([null, null]);
  });

  verifies("SESS-5i", "is looked at from an event on that is known, and what comes later follows from that one", () => {
    const journal = newStore()();
    const hash = journalWith(journal, "s").verify("s")[0]?.head ?? "";
    const [all] = journalWith(journal, "s").verify("s");
    const from = (place: { readonly seq: number; readonly hash: string }) => journal.verify("s", undefined, place);
    expect(from({ seq: 6, hash })).toEqual([{ ...all, events: 6 }]);
    expect(from({ seq: 12, hash: all?.head ?? "" })).toEqual([{ ...all, events: 0 }]);
    expect(from({ seq: 6, hash: "0".repeat(64) })[0]?.breaks).toMatchObject([{ seq: 7 }]);
  });

  test("goes on through appends of one event and of many, and is gone with its session", () => {
    const [one, many] = [newStore()(), newStore()()];
    for (const [index, event] of events().entries()) one.append("s", index, [event]);
    expect(one.verify("s")).toEqual(journalWith(many, "s").verify("s"));
    many.remove("s");
    expect(many.verify(null)).toEqual([]);
  });

  test("is the same for the same events, and another for each session", () => {
    const journal = newStore()();
    journalWith(journalWith(journal, "one"), "two");
    const [one, two] = journal.verify(null).map(({ head }) => head);
    expect(one).not.toBe(two);
  });
});

/** A store with three sessions, closed after they were left in order; each test has a copy of it. */
const original = (() => {
  const file = scratch.newFile();
  const journal = openSqliteJournal(file);
  for (const session of ["a", "s", "z"]) journalWith(journal, session, 2);
  for (const session of ["a", "s", "z"]) {
    journal.takeLease(session, holder);
    journal.releaseLease(session, holder);
  }
  journal.close();
  return file;
})();

type Copy = { readonly journal: Journal; readonly database: DatabaseSync };

/** A copy with a second way into it, behind the journal's back. */
function copied(file: string = original): Copy {
  const copy = join(scratch.newFolder(), "journal.db");
  copyFileSync(file, copy);
  const journal = scratch.opened(openSqliteJournal(copy));
  const database = new DatabaseSync(copy);
  onTestFinished(() => database.close());
  return { journal, database };
}

const ofS = "session = (SELECT number FROM sessions WHERE id = 's')";

/** Thousands of checks. */
const mostFlippingMs = 180_000;

verifies(
  "SESS-5b",
  "every byte of every event, flipped, is found at exactly that event",
  () => {
    const { journal, database } = copied();
    const read = database.prepare(`SELECT CAST(line AS BLOB) AS line, hash FROM events WHERE ${ofS} AND seq = ?`);
    const setLine = database.prepare(`UPDATE events SET line = CAST(? AS TEXT) WHERE ${ofS} AND seq = ?`);
    const setHash = database.prepare(`UPDATE events SET hash = CAST(? AS TEXT) WHERE ${ofS} AND seq = ?`);
    const random = seeded(5);
    let flips = 0;
    const flipEach = (bytes: Buffer, put: (changed: Buffer) => void, seq: number, expected: readonly string[]) => {
      for (let at = 0; at < bytes.length; at++) {
        const flipped = Buffer.from(bytes);
        flipped[at] = (flipped[at] ?? 0) ^ (1 << Math.floor(random() * 8));
        put(flipped);
        const found = broken(journal)["s"] ?? [];
        const isExact = found.length === 1 && found[0]?.[0] === seq && expected.includes(found[0][1]);
        if (!isExact) expect.fail(`byte ${at} of event ${seq}: found ${JSON.stringify(found)}`);
        flips += 1;
      }
      put(bytes);
    };
    for (let seq = 1; seq <= 12; seq++) {
      const { line, hash } = read.get(seq) ?? {};
      if (!(line instanceof Uint8Array)) return expect.fail(`event ${seq} has no text`);
      flipEach(Buffer.from(line), (bytes) => void setLine.run(bytes, seq), seq, ["changed", "misplaced"]);
      // Of the last one nobody can tell which of the two it was.
      flipEach(Buffer.from(String(hash)), (bytes) => void setHash.run(bytes, seq), seq, [
        seq === 12 ? "changed" : "hash",
      ]);
    }
    expect(flips).toBeGreaterThan(2_000);
    expect(broken(journal)).toEqual({});
  },
  mostFlippingMs,
);

const swap = (...columns: string[]) => `
  CREATE TEMP TABLE both AS SELECT seq, line, hash FROM events WHERE ITS AND seq IN (3, 4);
  ${columns
    .map(
      (column) => `UPDATE events SET ${column} = (SELECT ${column} FROM both WHERE both.seq = 7 - events.seq)
                   WHERE ITS AND seq IN (3, 4)`,
    )
    .join(";")}`;

test.each<[string, string, Readonly<Record<string, readonly (readonly [number, string])[]>>]>([
  ["is removed", "DELETE FROM events WHERE ITS AND seq = 5", { s: [[5, "missing"]] }],
  ["is the first, and removed", "DELETE FROM events WHERE ITS AND seq = 1", { s: [[1, "missing"]] }],
  ["is removed with its neighbour", "DELETE FROM events WHERE ITS AND seq IN (5, 6)", { s: [[5, "missing"]] }],
  ["is cut off at the end", "DELETE FROM events WHERE ITS AND seq = 12", { s: [[12, "cut"]] }],
  ["is cut off with all others", "DELETE FROM events WHERE ITS", { s: [[1, "cut"]] }],
  [
    "has another number",
    "UPDATE events SET seq = 99 WHERE ITS AND seq = 5",
    {
      s: [
        [5, "missing"],
        [13, "missing"],
        [99, "misplaced"],
      ],
    },
  ],
  [
    "has a number beyond all numbers",
    `UPDATE events SET seq = ${2n ** 62n} WHERE ITS AND seq = 12`,
    {
      s: [
        [12, "missing"],
        [2 ** 62, "misplaced"],
      ],
    },
  ],
  [
    "has a number before the first",
    "UPDATE events SET seq = -5 WHERE ITS AND seq = 5",
    {
      s: [
        [-5, "misplaced"],
        [5, "missing"],
      ],
    },
  ],
  ["is marked as a milestone", "UPDATE events SET milestone = 1 WHERE ITS AND seq = 5", { s: [[5, "changed"]] }],
  ["is marked as none", "UPDATE events SET milestone = 0 WHERE ITS AND seq = 1", { s: [[1, "changed"]] }],
  ["has no hash any more", "UPDATE events SET hash = NULL WHERE ITS AND seq = 5", { s: [[5, "unhashed"]] }],
  [
    "has another text and no hash",
    "UPDATE events SET hash = NULL, line = replace(line, 'd', 'e') WHERE ITS AND seq = 5",
    {
      s: [
        [5, "unhashed"],
        [6, "changed"],
      ],
    },
  ],
  [
    "has its text exchanged with the next",
    swap("line"),
    {
      s: [
        [3, "misplaced"],
        [4, "misplaced"],
      ],
    },
  ],
  [
    "is exchanged with the next",
    swap("line", "hash"),
    {
      s: [
        [3, "misplaced"],
        [4, "misplaced"],
      ],
    },
  ],
  [
    "is another session's",
    "UPDATE events SET session = session + 1, seq = 13 WHERE ITS AND seq = 12",
    { s: [[12, "cut"]], z: [[13, "misplaced"]] },
  ],
  [
    "is nobody's",
    "UPDATE events SET session = 77 WHERE ITS AND seq = 5",
    {
      s: [[5, "missing"]],
      "number 77 (not listed)": [
        [1, "unlisted"],
        [1, "missing"],
      ],
    },
  ],
  [
    "is made anew, with all that follow",
    "UPDATE events SET hash = lower(hex(randomblob(32))) WHERE ITS AND seq >= 5",
    { s: Array.from({ length: 8 }, (_, index) => [index + 5, "changed"] as const) },
  ],
  ["is noted with another hash", "UPDATE chains SET head = replace(head, 'a', 'b') WHERE ITS", { s: [[12, "noted"]] }],
  ["is noted at another place", "UPDATE chains SET noted = 11 WHERE ITS", { s: [[11, "noted"]] }],
])("an event that %s is found there", (_what, sql, expected) => {
  const { journal, database } = copied();
  database.exec(sql.replaceAll("ITS", ofS));
  expect(broken(journal)).toEqual(expected);
});

verifies("SESS-5b", "what is found is named: the event, what it is, and the call that it is about", () => {
  const { journal, database } = copied();
  database.exec(`UPDATE events SET line = replace(line, 'ask', 'all') WHERE ${ofS} AND seq IN (3, 9)`);
  database.exec(`UPDATE events SET line = substr(line, 2) WHERE ${ofS} AND seq = 5`);
  const reason = "it is not as it was recorded";
  expect(journal.verify("s")[0]?.breaks).toEqual([
    { seq: 3, what: "changed", reason, type: "call.judged", call: "t1c1" },
    { seq: 5, what: "changed", reason, type: "call.started", call: "t1c1" },
    { seq: 9, what: "changed", reason, type: "call.judged", call: "t1c1" },
  ]);
});

test("a session that is not in the list any more is named, with its events or without", () => {
  const { journal, database } = copied();
  database.exec("DELETE FROM sessions WHERE id = 's'");
  const found = () => journal.verify(null).filter(({ session }) => session.includes("not listed"));
  const unlisted = { seq: 1, what: "unlisted", reason: "its session was taken out of the list of sessions" };
  expect(found()).toMatchObject([{ session: "number 2 (not listed)", events: 12, breaks: [unlisted] }]);
  database.exec("DELETE FROM events WHERE session = 2");
  expect(found()).toMatchObject([{ session: "number 2 (not listed)", events: 0, breaks: [unlisted, { what: "cut" }] }]);
});

verifies("SESS-5b", "the events of one session do not pass for those of another", () => {
  const misplaced = (from: string) =>
    Array.from({ length: 12 }, (_, index) => ({
      ...{ seq: index + 1, what: "misplaced", reason: `it says that it is of session ${from}` },
    }));
  const found = (sql: string) => {
    const { journal, database } = copied();
    database.exec(sql);
    return Object.fromEntries(journal.verify(null).map(({ session, breaks }) => [session, breaks]));
  };
  const renamed = "UPDATE sessions SET id = 'new' WHERE id = 's'";
  expect(found(renamed)).toMatchObject({ a: [], new: misplaced("s"), z: [] });
  const exchanged = `${renamed}; UPDATE sessions SET id = 's' WHERE id = 'a'; UPDATE sessions SET id = 'a' WHERE id = 'new'`;
  expect(found(exchanged)).toMatchObject({ a: misplaced("s"), s: misplaced("a"), z: [] });
  const copy = `INSERT INTO sessions (number, id) VALUES (9, 'copy');
    INSERT INTO events SELECT 9, seq, milestone, line, hash FROM events WHERE ${ofS}`;
  expect(found(copy)).toMatchObject({ s: [], copy: misplaced("s") });
  // Also where nothing has a hash.
  expect(found(`UPDATE chains SET before = 12, noted = NULL; UPDATE events SET hash = NULL; ${renamed}`)).toMatchObject(
    {
      new: misplaced("s"),
    },
  );
});

test("of a session in which everything was changed the first hundred are told, and how many more there are", () => {
  const file = scratch.newFile();
  const journal = openSqliteJournal(file);
  journal.append("s", 0, notes(300));
  journal.close();
  const { journal: copy, database } = copied(file);
  database.exec("UPDATE events SET line = replace(line, 'note', 'nope')");
  const [check] = copy.verify("s");
  expect({ told: check?.breaks.length, more: check?.more }).toEqual({ told: 100, more: 200 });
});

test("a hash that was changed beyond the hundred that are told is counted, and not laid on the last of these", () => {
  const file = scratch.newFile();
  const journal = openSqliteJournal(file);
  journal.append("s", 0, notes(103));
  journal.close();
  const { journal: copy, database } = copied(file);
  database.exec("UPDATE events SET line = replace(line, 'note', 'nope') WHERE seq <= 100");
  database.exec("UPDATE events SET hash = lower(hex(randomblob(32))) WHERE seq = 102");
  const [check] = copy.verify("s");
  const reason = "it is not as it was recorded";
  expect(check?.breaks.at(-1)).toEqual({ seq: 100, what: "changed", reason, type: "context.changed", call: null });
  expect(check?.more).toBe(1);
});

verifies(
  "SESS-5c",
  "what was cut off at the end stays known, also after the session has gone on and was left again",
  () => {
    const { journal, database } = copied();
    database.exec(`DELETE FROM events WHERE ${ofS} AND seq > 10`);
    expect(journal.append("s", 10, notes(4))).toEqual({ type: "appended" });
    journal.takeLease("s", holder);
    journal.releaseLease("s", holder);
    expect(broken(journal)).toEqual({ s: [[12, "noted"]] });
    // A session that has only grown is noted at its new end.
    journalWith(journal, "a");
    journal.takeLease("a", holder);
    journal.releaseLease("a", holder);
    database.exec("DELETE FROM events WHERE session = (SELECT number FROM sessions WHERE id = 'a') AND seq = 18");
    expect(broken(journal)["a"]).toEqual([[18, "cut"]]);
  },
);

verifies(
  "SESS-5d",
  "whoever makes all hashes anew is found out by a head that was written down, and only by that",
  () => {
    const { journal, database } = copied();
    const head = journal.verify("s")[0]?.head ?? "";
    expect(journal.verify("s", head)[0]?.found).toBe(12);
    rewrite(database);
    expect(broken(journal)).toEqual({});
    expect(journal.verify("s", head)[0]?.found).toBe(null);
  },
);

test("a head does not stand for what was changed before it", () => {
  const { journal, database } = copied();
  const head = journal.verify("s")[0]?.head ?? "";
  database.exec(`UPDATE events SET line = replace(line, 'deletes', 'reads') WHERE ${ofS} AND seq = 3`);
  expect(journal.verify("s", head)[0]).toMatchObject({ found: null, breaks: [{ seq: 3 }] });
});

/** As somebody does who knows how it is made, and has all rights: another text, and every hash after it. */
function rewrite(database: DatabaseSync): void {
  const rows = database.prepare(`SELECT seq, milestone, line FROM events WHERE ${ofS} ORDER BY seq`).all();
  const put = database.prepare(`UPDATE events SET line = ?, hash = ? WHERE ${ofS} AND seq = ?`);
  let hash = "0".repeat(64);
  for (const { seq, milestone, line } of rows) {
    const text = String(line).replace("ask", "allow");
    hash = createHash("sha256").update(`${hash} ${seq} ${milestone}\n${text}`).digest("hex");
    put.run(text, hash, Number(seq));
  }
  database.prepare(`UPDATE chains SET head = ? WHERE ${ofS}`).run(hash);
}

describe("a store of before there were hashes", () => {
  /** As the version before this one made it. */
  const older = (() => {
    const { database, file } = olderStore();
    const add = database.prepare("INSERT INTO events VALUES (?, ?, ?, ?)");
    for (const [number, session] of ["s", "rests"].entries()) {
      database.prepare("INSERT INTO sessions VALUES (?, ?)").run(number + 1, session);
      for (const [index, event] of events().entries()) {
        const line = encodeEvent({ seq: index + 1, session, event });
        add.run(number + 1, index + 1, milestones.includes(event.type) ? 1 : 0, line);
      }
    }
    database.close();
    return file;
  })();

  function olderStore(): { readonly database: DatabaseSync; readonly file: string } {
    const file = join(scratch.newFolder(), "journal.db");
    const database = new DatabaseSync(file);
    database.exec(olderLayout);
    return { database, file };
  }

  verifies("SESS-5e", "is read as it was, goes on, and tells how many events have no hash", () => {
    const { journal, database } = copied(older);
    expect(journal.read("s", 0)).toEqual({
      events: events().map((event, index) => ({ seq: index + 1, session: "s", event })),
      damage: null,
    });
    expect(journal.verify("s")[0]).toMatchObject({ events: 6, before: 6, head: null, breaks: [] });
    journalWith(journal, "s");
    journalWith(journal, "new");
    expect(
      journal.verify(null).map(({ session, events: all, before, breaks }) => [session, all, before, breaks]),
    ).toEqual([
      ["s", 12, 6, []],
      ["rests", 6, 6, []],
      ["new", 6, 0, []],
    ]);
    expect(database.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
  });

  verifies("SESS-5e", "once it has gone on, a change in what was before is found, though not where", () => {
    const { journal, database } = copied(older);
    journalWith(journal, "s");
    database.exec(`UPDATE events SET line = replace(line, 'deletes', 'reads') WHERE ${ofS} AND seq = 3`);
    expect(journal.verify("s")[0]?.breaks).toMatchObject([
      { seq: 7, what: "changed", reason: expect.stringContaining("one of the 6 before it that have no hashes") },
    ]);
  });

  test("takes no events without hashes for such of before that came later", () => {
    const { journal, database } = copied(older);
    journalWith(journal, "s");
    database.exec(`UPDATE events SET hash = NULL WHERE ${ofS}`);
    expect(broken(journal)["s"]?.[0]).toEqual([7, "unhashed"]);
  });

  test("is taken over although a part of it is damaged, and what is readable is read", () => {
    const file = join(scratch.newFolder(), "journal.db");
    copyFileSync(older, file);
    const database = new DatabaseSync(file);
    const add = database.prepare("INSERT INTO events VALUES (2, ?, 0, ?)");
    for (let seq = 7; seq < 200; seq++)
      add.run(seq, encodeEvent({ seq, session: "rests", event: note("x".repeat(900)) }));
    const pages = Number(database.prepare("PRAGMA page_count").get()?.["page_count"]);
    database.close();
    const handle = openSync(file, "r+");
    writeSync(handle, Buffer.alloc(4_096), 0, 4_096, 4_096 * (pages - 2));
    closeSync(handle);
    const journal = scratch.opened(openSqliteJournal(file));
    expect(journal.read("s", 0)).toMatchObject({ events: { length: 6 }, damage: null });
    expect(journal.read("rests", 0).damage).toMatchObject({ session: "rests" });
    expect(broken(journal)).toEqual({
      rests: [[expect.any(Number), "unreadable"]],
      "the store itself": expect.arrayContaining([[0, "unreadable"]]),
    });
  });

  test("a process that opened it before and writes on is told of, and the chain goes on over that", () => {
    const file = join(scratch.newFolder(), "journal.db");
    copyFileSync(older, file);
    const running = new DatabaseSync(file);
    const add = running.prepare("INSERT INTO events (session, seq, milestone, line) VALUES (1, ?, 0, ?)");
    const journal = scratch.opened(openSqliteJournal(file));
    add.run(7, encodeEvent({ seq: 7, session: "s", event: note("still here") }));
    running.close();
    journal.append("s", 7, notes(2));
    expect(journal.read("s", 6).damage).toBe(null);
    expect(journal.verify("s")[0]).toMatchObject({ events: 9, before: 6, breaks: [{ seq: 7, what: "unhashed" }] });
  });
});

verifies("SESS-5a", "processes that append to one session at once make one chain", async () => {
  const file = scratch.newFile();
  const children = Array.from({ length: 3 }, () => startWorker({ type: "race", file, session: "s", events: 60 }));
  for (const child of children) child.process.stdin.write("go\n");
  expect((await Promise.all(children.map(({ ended }) => ended))).map(({ code }) => code)).toEqual([0, 0, 0]);
  const journal = scratch.opened(openSqliteJournal(file));
  expect(journal.verify("s")).toMatchObject([{ events: 180, before: 0, breaks: [] }]);
});

verifies(
  "SESS-5a",
  "a process that is killed while it records leaves a chain that is whole and can go on",
  async () => {
    const random = seeded(3);
    const file = scratch.newFile();
    const journal = scratch.opened(openSqliteJournal(file));
    const newest = () => journal.heads().get("s") ?? 0;
    for (let kill = 0; kill < 8; kill++) {
      const before = newest();
      const child = startWorker({ type: "race", file, session: "s", events: 1_000_000 });
      child.process.stdin.write("go\n");
      await expect.poll(newest, { timeout: 30_000, interval: 5 }).toBeGreaterThan(before + 5);
      await new Promise((resolve) => setTimeout(resolve, random() * 20));
      child.process.kill("SIGKILL");
      expect((await child.ended).signal).toBe("SIGKILL");
      expect(broken(journal)).toEqual({});
    }
    expect(journal.verify("s")).toMatchObject([{ events: newest(), before: 0, breaks: [] }]);
  },
);

test("whatever byte of the file goes wrong: what is read differently is found, or the store says that it is damaged", () => {
  const random = seeded(8);
  const whole = readFileSync(original);
  const text = (journal: Journal) => JSON.stringify(["a", "s", "z"].map((each) => journal.read(each, 0)));
  const expected = text(copied().journal);
  const counts = { found: 0, damaged: 0, same: 0 };
  // Of the pages with events; the others are room for the log, and the list of sessions.
  const pages = Array.from({ length: whole.length / pageBytes }, (_, page) => page * pageBytes).filter((from) =>
    whole.subarray(from, from + pageBytes).includes('{"seq":'),
  );
  for (let round = 0; round < 400; round++) {
    const bytes = Buffer.from(whole);
    const at = (pages[Math.floor(random() * pages.length)] ?? 0) + Math.floor(random() * pageBytes);
    bytes[at] = (bytes[at] ?? 0) ^ (1 << Math.floor(random() * 8));
    const file = join(scratch.newFolder(), "journal.db");
    writeFileSync(file, bytes);
    const outcome = outcomeOf(file, (journal) => ({
      found: Object.keys(broken(journal)).length > 0,
      read: text(journal),
    }));
    if (outcome === "damaged") counts.damaged += 1;
    else if (outcome.found) counts.found += 1;
    else if (outcome.read === expected) counts.same += 1;
    else expect.fail(`byte ${at}: it is read as ${outcome.read}`);
  }
  expect(counts.found).toBeGreaterThan(50);
});

function outcomeOf<T>(file: string, look: (journal: Journal) => T): T | "damaged" {
  let journal: Journal | null = null;
  try {
    journal = openSqliteJournal(file);
    return look(journal);
  } catch (error) {
    if (error instanceof JournalError) return "damaged";
    throw error;
  } finally {
    journal?.close();
  }
}
