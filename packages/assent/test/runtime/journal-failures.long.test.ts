import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, StatementSync } from "node:sqlite";
import { Worker } from "node:worker_threads";
import { afterAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { type ChainRow, chainEvents, checkChain } from "../../src/runtime/journal/chain.ts";
import { asNumber, emptyLog, openDatabase, pageBytes } from "../../src/runtime/journal/database.ts";
import { isBusy, isDamage, journalError } from "../../src/runtime/journal/failure.ts";
import { openSqliteJournal } from "../../src/runtime/journal/index.ts";
import { JournalError } from "../../src/runtime/ports.ts";
import { failureOf, notes, olderLayout } from "../contracts/stores.ts";

const folder = mkdtempSync(join(tmpdir(), "assent-journal-failures-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** As node:sqlite throws it. */
const ofSqlite = (errcode: number) => Object.assign(new Error("it failed"), { code: "ERR_SQLITE_ERROR", errcode });
const ofSystem = (code: string) => Object.assign(new Error("it failed"), { code, syscall: "open" });
const told = (error: unknown, file = `${folder}/a.db`) => {
  const found = journalError(file, error);
  return found instanceof JournalError ? [found.code, found.message] : found;
};

describe("what went wrong in the file of a journal", () => {
  test("is told in words, by the result of SQLite or the name that the system has for it", () => {
    const said = (code: string, words: string) => [code, `${folder}/a.db: ${words} (it failed)`];
    expect(told(ofSqlite(11))).toEqual(said("damaged", "the store is damaged"));
    expect(told(ofSqlite(26 + 256))).toEqual(said("damaged", "the store is damaged"));
    expect(told(ofSqlite(13))).toEqual(said("full", "the disk is full"));
    expect(told(ofSqlite(5))).toEqual(said("busy", "another process has been writing for too long"));
    expect(told(ofSqlite(14))).toEqual(said("unwritable", "it cannot be opened for writing"));
    expect(told(ofSqlite(10))).toEqual(said("io", "it cannot be read or written"));
    expect(told(ofSystem("ENOSPC"))).toEqual(said("full", "the disk is full"));
    expect(told(ofSystem("EACCES"))).toEqual(said("unwritable", "it cannot be opened for writing"));
    expect(told(ofSystem("ESTALE"))).toEqual(said("io", "it cannot be read or written"));
  });

  test("is a full disk where SQLite says no more than that it could not write, and there is no room", () => {
    // What is made by the kernel has no room at all.
    expect(told(ofSqlite(10), "/proc/a.db")).toEqual(["full", "/proc/a.db: the disk is full (it failed)"]);
    expect(told(ofSqlite(10), `${folder}/gone/a.db`)).toMatchObject(["io", expect.any(String)]);
  });

  test("is left as it is where it is no failure of the file", () => {
    const known = new JournalError("busy", "x");
    const mistake = new TypeError("x is undefined");
    const named = Object.assign(new Error("x"), { code: "ERR_X" });
    expect([known, mistake, named, "x"].map((error) => journalError("a.db", error))).toEqual([
      known,
      mistake,
      named,
      "x",
    ]);
  });

  test("is damage where a part cannot be read, or a number is larger than any that is stored", () => {
    const outOfRange = Object.assign(new RangeError("x"), { code: "ERR_OUT_OF_RANGE" });
    expect([ofSqlite(11), ofSqlite(10), outOfRange].map(isDamage)).toEqual([true, true, true]);
    expect([ofSqlite(5), ofSystem("EIO"), new Error("x"), "x"].map(isDamage)).toEqual([false, false, false, false]);
    expect([ofSqlite(5), ofSqlite(6), "x"].map(isBusy)).toEqual([true, false, false]);
  });
});

describe("the store", () => {
  test("is made with the folders above it, and opened again as it is", () => {
    const file = join(folder, "deep", "er", "a.db");
    openDatabase(file).close();
    const again = openDatabase(file);
    expect(asNumber(again.prepare("PRAGMA user_version").get()?.["user_version"])).toBe(2);
    again.close();
    expect(() => asNumber("2")).toThrow("expected a number from the store, found string");
  });

  test("is not made below a file", () => {
    writeFileSync(join(folder, "plain"), "");
    expect(() => openDatabase(join(folder, "plain", "a.db"))).toThrow(/ENOTDIR/);
    expect(() => openDatabase(join(folder, "plain", "sub", "a.db"))).toThrow(/ENOTDIR/);
  });

  test("of before there were hashes is taken over, also with a session that has no events", () => {
    const file = join(folder, "old.db");
    const old = new DatabaseSync(file);
    old.exec(`
      ${olderLayout}
      INSERT INTO sessions VALUES (1, 'empty'), (2, 'full');
      INSERT INTO events VALUES (2, 1, 0, '{}');`);
    old.close();
    const database = openDatabase(file);
    expect(database.prepare("SELECT session, before FROM chains ORDER BY session").all()).toEqual([
      { session: 1, before: 0 },
      { session: 2, before: 1 },
    ]);
    database.close();
  });

  test("that cannot be taken over is left as it was", () => {
    const file = join(folder, "stranger.db");
    const old = new DatabaseSync(file);
    old.exec("CREATE TABLE other (a); PRAGMA user_version = 1;");
    old.close();
    expect(() => openDatabase(file)).toThrow(/no such table/);
    const after = new DatabaseSync(file);
    expect(after.prepare("SELECT name FROM sqlite_schema").all()).toEqual([{ name: "other" }]);
    expect(after.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    after.close();
  });

  test("that fails in the middle of being taken over is left as it was", () => {
    const file = join(folder, "half.db");
    const old = new DatabaseSync(file);
    old.exec(`${olderLayout} INSERT INTO sessions VALUES (1, 'one'); CREATE TABLE chains (a)`);
    const before = old.prepare("SELECT name, sql FROM sqlite_schema").all();
    expect(() => openDatabase(file)).toThrow("table chains already exists");
    expect(old.prepare("SELECT name, sql FROM sqlite_schema").all()).toEqual(before);
    expect(old.prepare("PRAGMA user_version").get()).toEqual({ user_version: 1 });
    // Nothing is kept from others either.
    old.exec("DROP TABLE chains");
    old.close();
    openDatabase(file).close();
  });

  test("has a log of its full size as soon as it is made, and no table more than its own", () => {
    const file = join(folder, "grown.db");
    const database = openDatabase(file);
    expect(statSync(`${file}-wal`).size).toBeGreaterThan(1024 * 1024);
    const tables = database.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
    expect(tables.map(({ name }) => name)).toEqual(["chains", "events", "leases", "sessions"]);
    database.close();
  });

  test("is made where a path goes back and forth", () => {
    const file = `${folder}/forth/../back/./a.db`;
    openDatabase(file).close();
    expect(existsSync(join(folder, "back", "a.db"))).toBe(true);
  });

  test.skipIf(!existsSync("/proc/self"))("is not to be had where no file can be made", () => {
    // What is in there is made by the kernel, whoever asks.
    expect(failureOf(() => openSqliteJournal("/proc/a.db"))).toEqual({
      code: "unwritable",
      message: expect.stringMatching(/^\/proc\/a\.db: it cannot be opened for writing \(ENOENT/),
    });
  });

  test("that only a newer SQLite may write is not waited for", () => {
    const file = join(folder, "newer.db");
    openDatabase(file).close();
    const bytes = readFileSync(file);
    // Of the format, the versions that are needed to write and to read: whoever has no log yet must write.
    bytes.set([3, 1], 18);
    writeFileSync(file, bytes);
    const waited = vi.spyOn(Atomics, "wait");
    onTestFinished(() => waited.mockRestore());
    expect(failureOf(() => openSqliteJournal(file))).toMatchObject({ code: "unwritable" });
    expect(waited).not.toHaveBeenCalled();
    expect(readFileSync(file).equals(bytes)).toBe(true);
  });

  test("that SQLite has rolled back of itself says what failed, and goes on", () => {
    const file = join(folder, "rolled-back.db");
    const journal = openSqliteJournal(file);
    const other = new DatabaseSync(file);
    // As SQLite does when a disk is full.
    other.exec("CREATE TRIGGER full BEFORE INSERT ON events BEGIN SELECT RAISE(ROLLBACK, 'no room'); END");
    expect(failureOf(() => journal.append("s", 0, notes(1)))?.message).toContain("(no room)");
    other.exec("DROP TRIGGER full");
    other.close();
    expect(journal.append("s", 0, notes(1))).toEqual({ type: "appended" });
    expect(journal.heads()).toEqual(new Map([["s", 1]]));
    journal.close();
  });

  test("keeps no note of what was recorded last where the session's name is too long for one", () => {
    const file = join(folder, "long.db");
    const journal = openSqliteJournal(file);
    const session = "ü".repeat(100);
    journal.append("s", 0, notes(1));
    journal.append(session, 0, notes(2));
    expect(readFileSync(`${file}-last`, "utf8")).toBe(" ".repeat(512));
    journal.close();
    const again = openSqliteJournal(file);
    expect(again.outline().damage).toEqual([]);
    expect(again.read(session, 0)).toMatchObject({ events: { length: 2 }, damage: null });
    again.close();
  });

  test("is listed as it was at one moment, also where a session is deleted while the list is made", () => {
    const file = join(folder, "deleted.db");
    const journal = openSqliteJournal(file);
    for (const session of ["gone", "there"]) journal.append(session, 0, notes(1));
    const other = openSqliteJournal(file);
    const { all } = StatementSync.prototype;
    const listed = vi.spyOn(StatementSync.prototype, "all").mockImplementation(function (this: StatementSync) {
      listed.mockRestore();
      const rows = Reflect.apply(all, this, []);
      other.remove("gone");
      return rows;
    });
    onTestFinished(() => listed.mockRestore());
    const [gone, there] = ["gone", "there"].map((session) => ({ session, newest: 1, milestones: [] }));
    expect(journal.outline()).toEqual({ sessions: [gone, there], damage: [] });
    expect(journal.outline()).toEqual({ sessions: [there], damage: [] });
    other.close();
    journal.close();
  });

  test("is waited for while another process keeps it from changing its mode", async () => {
    const file = join(folder, "kept.db");
    const keeps = new Worker(
      `const { parentPort, workerData } = require("node:worker_threads");
       const { DatabaseSync } = require("node:sqlite");
       const database = new DatabaseSync(workerData);
       database.exec("BEGIN IMMEDIATE");
       parentPort.postMessage("kept");
       setTimeout(() => database.exec("COMMIT"), 100);`,
      { eval: true, workerData: file },
    );
    await once(keeps, "message");
    openDatabase(file).close();
    await once(keeps, "exit");
  });

  test("gives a new session no number of which a lost one has left a note", () => {
    const file = join(folder, "noted.db");
    openSqliteJournal(file).close();
    const database = new DatabaseSync(file);
    database.exec("INSERT INTO chains (session, noted, head) VALUES (1, 7, 'x')");
    database.close();
    const journal = openSqliteJournal(file);
    journal.append("new", 0, notes(1));
    expect(journal.read("new", 0)).toMatchObject({ events: { length: 1 }, damage: null });
    journal.close();
  });

  test("begins new sessions also where the notes cannot be read", () => {
    const file = join(folder, "notes-lost.db");
    openSqliteJournal(file).close();
    const database = new DatabaseSync(file);
    const root = Number(
      database.prepare("SELECT rootpage FROM sqlite_schema WHERE name = 'chains'").get()?.["rootpage"],
    );
    database.close();
    const bytes = readFileSync(file);
    bytes.fill(0xff, (root - 1) * pageBytes, root * pageBytes);
    writeFileSync(file, bytes);
    const journal = openSqliteJournal(file);
    expect(journal.append("new", 0, notes(1))).toEqual({ type: "appended" });
    journal.close();
  });

  test("is waited for as ever after its log could not be emptied", () => {
    const database = openDatabase(join(folder, "not-emptied.db"));
    onTestFinished(() => database.close());
    const { exec } = DatabaseSync.prototype;
    const emptied = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (this: DatabaseSync, sql) {
      if (sql.includes("wal_checkpoint")) throw ofSqlite(13);
      Reflect.apply(exec, this, [sql]);
    });
    onTestFinished(() => emptied.mockRestore());
    database.exec("PRAGMA busy_timeout = 0");
    expect(() => emptyLog(database)).toThrow("it failed");
    expect(database.prepare("PRAGMA busy_timeout").get()?.["timeout"]).toBe(5_000);
  });

  test("of which only the note was left is begun anew, also where that is killed halfway", () => {
    const file = join(folder, "note-alone.db");
    const journal = openSqliteJournal(file);
    journal.append("old", 0, notes(1));
    const left = readFileSync(`${file}-last`);
    journal.close();
    for (const each of [file, `${file}-wal`, `${file}-shm`]) rmSync(each, { force: true });
    writeFileSync(`${file}-last`, left);
    openSqliteJournal(file).close();
    expect(readFileSync(`${file}-last`, "utf8").trim()).toBe("");
    // As it is between the two steps: no file that a note belongs to.
    rmSync(file);
    writeFileSync(file, "");
    const again = openSqliteJournal(file);
    expect(again.outline()).toEqual({ sessions: [], damage: [] });
    again.close();
  });

  test("has no note of a session that was deleted while its event was noted", () => {
    const file = join(folder, "noted-late.db");
    const journal = openSqliteJournal(file);
    const other = openSqliteJournal(file);
    const { exec } = DatabaseSync.prototype;
    const committed = vi.spyOn(DatabaseSync.prototype, "exec").mockImplementation(function (this: DatabaseSync, sql) {
      Reflect.apply(exec, this, [sql]);
      if (sql !== "COMMIT") return;
      committed.mockRestore();
      other.remove("gone");
    });
    onTestFinished(() => committed.mockRestore());
    journal.append("gone", 0, notes(1));
    journal.close();
    other.close();
    const again = openSqliteJournal(file);
    expect(again.outline()).toEqual({ sessions: [], damage: [] });
    again.close();
  });

  test("tells a session without events as one whose events are missing", () => {
    const file = join(folder, "empty.db");
    openSqliteJournal(file).close();
    const database = new DatabaseSync(file);
    database.exec("INSERT INTO sessions VALUES (1, 'empty')");
    database.close();
    const journal = openSqliteJournal(file);
    expect([...journal.heads()]).toEqual([["empty", 0]]);
    expect(journal.outline()).toEqual({
      sessions: [{ session: "empty", newest: 0, milestones: [] }],
      damage: [{ session: "empty", seq: 1, reason: "it is missing" }],
    });
    journal.close();
  });

  test.each(["chains", "events"])(
    "whose table of %s another program took away says that it is not as it was laid out",
    (table) => {
      const file = join(folder, `without-${table}.db`);
      const journal = openSqliteJournal(file);
      const holder = { pid: process.pid, started: "now", boot: "b", host: "h" };
      journal.append("s", 0, [{ type: "context.changed", at: 1, text: "a" }]);
      journal.takeLease("s", holder);
      const other = new DatabaseSync(file);
      other.exec(`DROP TABLE ${table}`);
      other.close();
      const otherLayout = expect.objectContaining({
        code: "damaged",
        message: expect.stringContaining("not laid out"),
      });
      expect(() => journal.verify(null)).toThrow(otherLayout);
      expect(() => journal.read("s", 0)).toThrow(otherLayout);
      expect(() => journal.releaseLease("s", holder)).toThrow(otherLayout);
      if (table === "events") expect(() => journal.outline()).toThrow(otherLayout);
      journal.close();
    },
  );

  test("that is closed says so, and takes that for no damage", () => {
    const journal = openSqliteJournal(join(folder, "closed.db"));
    journal.close();
    expect(() => journal.outline()).toThrow();
    expect(() => journal.read("s", 0)).toThrow();
    expect(() => journal.append("s", 0, [])).toThrow();
  });
});

describe("a chain", () => {
  const events = [
    { type: "context.changed", at: 1, text: "a" },
    { type: "context.changed", at: 1, text: "b" },
    { type: "context.changed", at: 1, text: "c" },
  ] as const;
  const note = { before: 0, noted: null, head: null };
  const [first, second, third] = [...chainEvents("s", events, { after: 0, head: null })];
  const broken = (...rows: readonly ChainRow[]) =>
    checkChain("s", rows, { note, wanted: undefined }).breaks.map(({ seq, what, type, call }) => [
      seq,
      what,
      type,
      call,
    ]);
  if (first === undefined || second === undefined || third === undefined) throw new Error("expected three rows");

  test("is whole as it was recorded", () => {
    expect(broken(first, second, third)).toEqual([]);
  });

  test("of which one is missing goes on with the next, also where that has no hash or cannot be read", () => {
    expect(broken(first, third)).toEqual([[2, "missing", null, null]]);
    expect(broken(first, { ...third, hash: null })).toEqual([
      [2, "missing", null, null],
      [3, "unhashed", "context.changed", null],
    ]);
    expect(broken(first, { ...third, line: "garbage" })).toEqual([
      [2, "missing", null, null],
      [3, "changed", null, null],
    ]);
  });

  test("names the calls of a reply that was changed", () => {
    const line =
      '{"seq":2,"session":"s","type":"model.replied","calls":[{"id":"c1","original":"x"},{"id":"c2","original":"y"}]}';
    expect(broken(first, { ...second, line })).toContainEqual([2, "changed", "model.replied", "c1, c2"]);
  });

  test("names the call of the question that a changed answer belongs to, where the question was about one", () => {
    const asked = (purpose: string) => `{"type":"interaction.requested","interaction_id":"i","purpose":{${purpose}}}`;
    const answered = { ...second, line: '{"seq":2,"session":"s","type":"interaction.resolved","interaction":"i"}' };
    const after = (purpose: string) => broken({ ...first, line: asked(purpose) }, answered).at(-1);
    expect(after('"type":"approval","call":"c1"')).toEqual([2, "changed", "interaction.resolved", "c1"]);
    expect(after('"type":"turn-limit"')).toEqual([2, "changed", "interaction.resolved", null]);
  });

  test("takes a mistake while it is gone through for no damage of its own", () => {
    const rows = (function* () {
      yield* [];
      throw new TypeError("a mistake");
    })();
    expect(() => checkChain("s", rows, { note, wanted: undefined })).toThrow("a mistake");
  });
});
