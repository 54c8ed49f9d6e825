import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openSqliteJournal } from "../../src/runtime/index.ts";
import { lostInLog } from "../../src/runtime/journal/log-file.ts";
import { story } from "../core/story.ts";
import { verifies } from "../requirements/verifies.ts";

const { events } = story().prompt("one").model("done").prompt("two").model("done");

/** A store whose events are all in its log, as those of a young one are, and a copy of it to damage. */
function stored() {
  const folder = mkdtempSync(join(tmpdir(), "assent-log-"));
  const file = join(folder, "journal.db");
  const journal = openSqliteJournal(file);
  onTestFinished(() => {
    journal.close();
    rmSync(folder, { recursive: true });
  });
  const appended: number[] = [];
  for (const [index, event] of events.entries()) {
    journal.append("s", index, [event]);
    appended.push(liveEnd(file));
  }
  return { folder, file, appended };
}

/** How far frames of this round of the log reach. */
function liveEnd(file: string): number {
  const bytes = readFileSync(`${file}-wal`);
  const frame = 24 + bytes.readUInt32BE(8);
  let at = 32;
  while (at + frame <= bytes.length && bytes.subarray(at + 8, at + 16).equals(bytes.subarray(16, 24))) at += frame;
  return at;
}

/** The same store with one byte changed in its log; what is read of it, and what is told. */
function damaged({ folder, file }: ReturnType<typeof stored>, byte: number) {
  const copy = join(folder, `copy-${byte}.db`);
  copyFileSync(file, copy);
  const log = readFileSync(`${file}-wal`);
  log.writeUInt8(log.readUInt8(byte) ^ 4, byte);
  writeFileSync(`${copy}-wal`, log);
  const journal = openSqliteJournal(copy);
  const [check] = journal.verify("s");
  const { length } = journal.read("s", 0).events;
  journal.close();
  return { length, breaks: check?.breaks ?? [] };
}

verifies("SESS-5b", "a byte that is changed in the log of the store, which loses all after it, is told", () => {
  const store = stored();
  const [first = 0, second = 0] = store.appended;
  const last = store.appended.at(-3) ?? 0;
  expect(lostInLog(store.file)).toBe(null);
  // In a page, in the salts, in the sums and in the page numbers of frames.
  for (const byte of [
    first + 100,
    first + 9,
    first + 17,
    first + 1,
    second + 700,
    Math.floor((second + last) / 2),
    last - 1,
  ]) {
    const { length, breaks } = damaged(store, byte);
    expect([byte, length < events.length]).toEqual([byte, true]);
    expect(breaks).toEqual([
      {
        ...{ seq: length + 1, what: "unreadable", type: null, call: null },
        reason: expect.stringMatching(/^it and all after it may be lost: .*-wal cannot be read from byte \d+ on, /),
      },
    ]);
  }
});

test("the end of a log that was torn while it was written, an empty one, and none at all, are no loss", () => {
  const store = stored();
  const [last = 0, end = 0] = store.appended.slice(-2);
  expect(damaged(store, end - 1).breaks).toEqual([]);
  const whole = readFileSync(`${store.file}-wal`);
  const log = `${join(store.folder, "torn.db")}-wal`;
  for (const bytes of [whole.subarray(0, last + 50), whole.subarray(0, 20), Buffer.alloc(5_000), Buffer.alloc(0)]) {
    writeFileSync(log, bytes);
    expect(lostInLog(join(store.folder, "torn.db"))).toBe(null);
  }
  expect(lostInLog(join(store.folder, "none.db"))).toBe(null);
  whole.writeUInt8(1, 9);
  writeFileSync(log, whole);
  expect(lostInLog(join(store.folder, "torn.db"))).toBe(0);
  expect(statSync(log).size).toBeGreaterThan(0);
});
