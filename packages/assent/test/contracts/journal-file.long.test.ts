/** The file of the SQLite journal: who may read it, and what is said when it is not to be had. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, expect, test } from "vitest";
import { openSqliteJournal } from "../../src/runtime/journal/index.ts";
import { thisProcess } from "../../src/runtime/process.ts";
import { askWorker, canMount, insideTmpfs } from "./children.ts";
import { failureOf, newScratch, notes } from "./stores.ts";

const scratch = newScratch();
afterAll(() => scratch.remove());

const windows = process.platform === "win32";
const mountable = canMount();
const nobody = 65534;
const switchable = canBecomeNobody();

/** Whether a process of another user can start the worker at all: it must be able to read these sources. */
function canBecomeNobody(): boolean {
  if (process.getuid?.() !== 0) return false;
  const { status } = spawnSync(process.execPath, ["--check", join(import.meta.dirname, "worker.ts")], { uid: nobody });
  return status === 0;
}

function modeOf(path: string): string {
  return (statSync(path).mode & 0o777).toString(8);
}

function modesBeside(file: string): Record<string, string> {
  const folder = dirname(file);
  return Object.fromEntries(readdirSync(folder).map((name) => [name, modeOf(join(folder, name))]));
}

/** A store with events, closed. */
function closedStore(): string {
  const file = scratch.newFile();
  const journal = openSqliteJournal(file);
  journal.append("s", 0, notes(50));
  journal.close();
  return file;
}

const modes = Object.fromEntries(["", "-last", "-shm", "-wal"].map((part) => [`journal.db${part}`, "600"]));

test.skipIf(windows)("the store, its log and its folder are for the owner alone", () => {
  const file = scratch.newFile();
  const journal = scratch.opened(openSqliteJournal(file));
  journal.append("s", 0, notes(3));
  expect(modesBeside(file)).toEqual(modes);
  expect(modeOf(dirname(file))).toBe("700");
});

test.skipIf(windows)("a store that others could read is closed to them when it is opened", () => {
  const file = closedStore();
  chmodSync(file, 0o664);
  const journal = scratch.opened(openSqliteJournal(file));
  journal.append("s", 50, notes(1));
  expect(modesBeside(file)).toEqual(modes);
});

test("folders on the way to the store are made", () => {
  const file = join(scratch.newFolder(), "a", "b", "c", "journal.db");
  scratch.opened(openSqliteJournal(file)).append("s", 0, notes(1));
  if (!windows) expect(modeOf(join(file, "..", ".."))).toBe("700");
});

test("a store below a regular file is unwritable, and the file is named", () => {
  const blocked = join(scratch.newFolder(), "file");
  writeFileSync(blocked, "");
  const file = join(blocked, "assent", "journal.db");
  const failure = failureOf(() => openSqliteJournal(file));
  expect(failure?.code).toBe("unwritable");
  expect(failure?.message).toContain(`${file}: it cannot be opened for writing (`);
});

test("a folder in place of the store is unwritable, and it is named", () => {
  const file = scratch.newFile();
  mkdirSync(file, { recursive: true });
  const failure = failureOf(() => openSqliteJournal(file));
  expect(failure?.code).toBe("unwritable");
  expect(failure?.message).toContain(`${file}: `);
});

test.skipIf(!mountable)("a store on a read-only file system is unwritable, and it is named", () => {
  const folder = scratch.newFolder();
  const ask = (file: string) => askWorker({ type: "open", file }, insideTmpfs(folder, "ro,size=64k"));
  const [inside, below] = [join(folder, "journal.db"), join(folder, "assent", "journal.db")];
  expect(ask(inside)).toContain(`unwritable: ${inside}: it cannot be opened for writing (EROFS`);
  expect(ask(below)).toContain(`unwritable: ${below}: it cannot be opened for writing (`);
});

test.skipIf(!switchable)("a home that this user cannot write to is unwritable, and the file is named", () => {
  const home = scratch.newFolder();
  for (const path of [scratch.folder, home]) chmodSync(path, 0o755);
  const file = join(home, "assent", "journal.db");
  expect(askWorker({ type: "open", file }, [], { uid: nobody })).toContain(`unwritable: ${file}: `);
});

test.skipIf(!switchable)("another user's store is unwritable, and the file is named", () => {
  const file = closedStore();
  for (const path of [scratch.folder, dirname(file)]) chmodSync(path, 0o755);
  expect(askWorker({ type: "open", file }, [], { uid: nobody })).toContain(`unwritable: ${file}: `);
});

test.skipIf(!switchable)("a store of one's own in a folder that takes no new file is unwritable", () => {
  const file = closedStore();
  chmodSync(scratch.folder, 0o755);
  chownSync(file, nobody, nobody);
  chmodSync(dirname(file), 0o755);
  // The store itself could be written, but not the log beside it.
  expect(askWorker({ type: "open", file }, [], { uid: nobody })).toContain(`unwritable: ${file}: `);
});

test("a store of a newer version is refused as newer and left as it was", () => {
  const file = closedStore();
  const database = new DatabaseSync(file);
  database.exec("PRAGMA user_version = 3");
  database.close();
  const before = readFileSync(file);
  expect(failureOf(() => openSqliteJournal(file))).toEqual({
    code: "newer",
    message: `${file}: expected a store of version 2, found 3: written by a newer Assent`,
  });
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("a store of another layout is told as that, with what to do", () => {
  const file = closedStore();
  const database = new DatabaseSync(file);
  database.exec("ALTER TABLE leases DROP COLUMN host");
  database.close();
  const { code, message } = failureOf(() => openSqliteJournal(file).takeLease("s1", thisProcess())) ?? {};
  expect(code).toBe("damaged");
  expect(message).toMatch(/: the store is not laid out as this Assent .*host.*; move it away .* ASSENT_HOME /);
});

test("who wrongly holds a session that was removed writes into no other that has got its number", () => {
  const file = scratch.newFile();
  const journal = openSqliteJournal(file);
  journal.takeLease("s", thisProcess());
  journal.append("s", 0, notes(3));
  // As a process in another container does, which cannot see that this one lives.
  const other = new DatabaseSync(file);
  other.exec("DELETE FROM leases; DELETE FROM events; DELETE FROM sessions; INSERT INTO sessions VALUES (1, 't')");
  other.close();
  const second = openSqliteJournal(file);
  second.append("t", 0, notes(3));
  expect(journal.append("s", 3, notes(1))).toEqual({ type: "stale", newest: 0 });
  expect(second.read("t", 0).events).toHaveLength(3);
  for (const each of [journal, second]) each.close();
});

function foreignDatabase(): string {
  const file = join(scratch.newFolder(), "foreign.db");
  const database = new DatabaseSync(file);
  database.exec("CREATE TABLE bookmarks (url TEXT); INSERT INTO bookmarks VALUES ('https://example.org')");
  database.close();
  return file;
}

test("a database of something else is refused and left as it was, to the byte", () => {
  const file = foreignDatabase();
  const before = readFileSync(file);
  expect(failureOf(() => openSqliteJournal(file))).toEqual({
    code: "damaged",
    message: `${file}: expected a store of Assent, found a database of something else`,
  });
  expect(readFileSync(file).equals(before)).toBe(true);
});

test("a file that is no database is damaged, and is not touched", () => {
  const file = join(scratch.newFolder(), "letter.txt");
  const text = "Dear Ann,\n".repeat(2_000);
  writeFileSync(file, text);
  const failure = failureOf(() => openSqliteJournal(file));
  expect(failure?.code).toBe("damaged");
  expect(failure?.message).toContain(`${file}: the store is damaged (`);
  expect(readFileSync(file, "utf8")).toBe(text);
  expect(readdirSync(dirname(file))).toEqual([basename(file)]);
});

test.each([10, 99, 100, 1_000, 4_096, 8_192, 12_000, 16_384])("a store cut off after %i bytes is damaged", (bytes) => {
  const file = join(scratch.newFolder(), "journal.db");
  copyFileSync(closedStore(), file);
  const handle = openSync(file, "r+");
  ftruncateSync(handle, bytes);
  closeSync(handle);
  const failure = failureOf(() => openSqliteJournal(file).read("s", 0));
  expect(failure?.code).toBe("damaged");
  expect(failure?.message).toContain(`${file}: the store is damaged (`);
});

test("an empty file becomes a store", () => {
  const file = join(scratch.newFolder(), "journal.db");
  writeFileSync(file, "");
  expect(scratch.opened(openSqliteJournal(file)).append("s", 0, notes(1))).toEqual({ type: "appended" });
});

test.skipIf(!mountable)("a full disk refuses what has no room, loses nothing, and goes on when there is room", () => {
  const folder = scratch.newFolder();
  const [file, filler] = [join(folder, "journal.db"), join(folder, "filler")];
  const said = askWorker({ type: "fill", file, filler }, insideTmpfs(folder, "size=4m"));
  expect(said).toMatch(/^\{/);
  const { first, acknowledged, ...rest } = JSON.parse(said);
  expect(first).toContain(`full: ${file}: the disk is full (`);
  expect(acknowledged).toBeGreaterThan(5);
  const newStore = expect.stringContaining(`full: ${file}-other: the disk is full (`);
  const afterwards = ["appended", "appended"];
  expect(rest).toEqual({
    readWhileFull: acknowledged,
    newStore,
    afterwards,
    found: acknowledged + 2,
    sequence: true,
    damage: null,
  });
});
