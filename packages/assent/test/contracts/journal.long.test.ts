/** What the Journal port promises, over both journals. What only a file can do wrong is in the other files here. */
import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, test } from "vitest";
import type { SessionEvent } from "../../src/core/index.ts";
import { type Holder, milestones } from "../../src/runtime/ports.ts";
import { thisProcess } from "../../src/runtime/process.ts";
import { verifies } from "../requirements/verifies.ts";
import { startWorker } from "./children.ts";
import { implementations, newScratch, note, notes } from "./stores.ts";

const scratch = newScratch();
afterAll(() => scratch.remove());

const by = { name: "ann", adapter: "terminal" };
const created: SessionEvent = {
  type: "session.created",
  at: 1,
  session: "s",
  cwd: "/project",
  limits: {
    turns: 25,
    iterations: 10,
    failures: 3,
    silent: 3,
    repeats: 3,
    clock_ms: null,
    calls: null,
    tokens: null,
    iteration_tokens: null,
    cost: null,
  },
};

const odd: readonly (readonly [what: string, text: string])[] = [
  ["nothing", ""],
  ["line and paragraph separators", "a\u2028b\u2029c"],
  ["quotes and backslashes", `"'\`\\ \\" ''; DROP TABLE events; --`],
  ["an emoji of several code points", "👩‍👩‍👧‍👦 🏳️‍🌈"],
  ["a NUL and other control characters", "a\u0000b\u0001\u001b[31m\u007f\u0085"],
  ["line ends", "a\nb\r\nc\r"],
  ["half of a surrogate pair", "\ud83d alone \udc69"],
  ["a byte order mark and letters beyond the first plane", "\ufeff𝔘𝔫𝔦 漢字 עברית"],
  ["four million characters", "0123456789abcdeé".repeat(250_000)],
];

describe.each(implementations(scratch))("the $name journal", ({ newStore }) => {
  test.each(odd)("an event with %s is read back as it was", (_what, text) => {
    const open = newStore();
    const journal = open();
    expect(journal.append("s", 0, [note(text)])).toEqual({ type: "appended" });
    const expected = { events: [{ seq: 1, session: "s", event: note(text) }], damage: null };
    expect(journal.read("s", 0)).toEqual(expected);
    expect(open().read("s", 0)).toEqual(expected);
  });

  verifies("SESS-4g", "an event that cannot be read back is named, and what comes before it is read", () => {
    const journal = newStore()();
    const by = { name: "ann", adapter: "test" };
    const started = { type: "exchange.started", at: 1, exchange: 1, prompt: "go", by } as const;
    // As a program may give it that has no types.
    const wrong = { ...started, prompt: 5 } as unknown as SessionEvent;
    journal.append("s", 0, [started, note("a"), wrong, note("b")]);
    journal.append("other", 0, notes(1));
    const damage = { session: "s", seq: 3, reason: "exchange.started: prompt: expected string, found 5" };
    const [first, second] = [started, note("a")].map((event, index) => ({ seq: index + 1, session: "s", event }));
    expect(journal.read("s", 0)).toEqual({ events: [first, second], damage });
    expect(journal.outline()).toEqual({
      sessions: [
        { session: "s", newest: 4, milestones: [first] },
        { session: "other", newest: 1, milestones: [] },
      ],
      damage: [damage],
    });
  });

  test("a session that is removed is gone for everyone, and the others are not", () => {
    const open = newStore();
    const [journal, other] = [open(), open()];
    for (const session of ["a", "b"]) journal.append(session, 0, notes(3));
    const before = other.revision();
    expect(journal.remove("a")).toBeNull();
    expect(other.revision()).not.toBe(before);
    for (const each of [journal, other, open()]) {
      expect(each.read("a", 0)).toEqual({ events: [], damage: null });
      expect(each.outline().sessions).toMatchObject([{ session: "b", newest: 3 }]);
    }
    expect(other.remove("a")).toBeNull();
    // Its name is free again.
    expect(journal.append("a", 0, notes(1))).toEqual({ type: "appended" });
  });

  test("a session that a living process works on is not removed", () => {
    const journal = newStore()();
    const holder = thisProcess();
    journal.append("a", 0, notes(2));
    journal.takeLease("a", holder);
    expect(journal.remove("a")).toEqual(holder);
    expect(journal.read("a", 0).events).toHaveLength(2);
    journal.releaseLease("a", holder);
    expect(journal.remove("a")).toBeNull();
  });

  test.each(["a-b", "ünï", "with ' and \" and %", "../up", "0"])("a session may be named %j", (session) => {
    const journal = newStore()();
    journal.append(session, 0, notes(2));
    expect(journal.read(session, 1).events).toEqual([{ seq: 2, session, event: note("note 2") }]);
    expect(journal.outline().sessions).toEqual([{ session, newest: 2, milestones: [] }]);
  });

  test("an event keeps the order of its fields, to the byte", () => {
    const journal = newStore()();
    const event: SessionEvent = { at: 5, type: "exchange.started", by, prompt: "go", exchange: 1, waiting: "w1" };
    journal.append("s", 0, [event]);
    const [read] = journal.read("s", 0).events;
    const { type, at, ...data } = event;
    expect(JSON.stringify(read?.event)).toBe(JSON.stringify({ type, at, ...data }));
  });

  test("a session that nobody has written to has no events", () => {
    const journal = newStore()();
    expect(journal.read("nobody", 0)).toEqual({ events: [], damage: null });
    expect(journal.outline()).toEqual({ sessions: [], damage: [] });
  });

  test.each([
    ["too low", 2],
    ["nothing", 0],
    ["too high", 4],
    ["far too high", 1_000_000],
    ["below nothing", -1],
  ])("an append that expects %s is refused and told the newest", (_what, expected) => {
    const journal = newStore()();
    journal.append("s", 0, notes(3));
    expect(journal.append("s", expected, notes(2))).toEqual({ type: "stale", newest: 3 });
    expect(journal.read("s", 0).events.length).toBe(3);
  });

  test("an append to an unknown session that expects events is refused and makes no session", () => {
    const journal = newStore()();
    expect(journal.append("s", 1, notes(1))).toEqual({ type: "stale", newest: 0 });
    expect(journal.outline().sessions).toEqual([]);
  });

  test("several events are appended together or not at all", () => {
    const journal = newStore()();
    journal.append("s", 0, notes(1));
    const unwritable = [note("two"), { ...note("three"), extra: 1n }, note("four")] as const;
    expect(() => journal.append("s", 1, unwritable)).toThrow(TypeError);
    expect(journal.read("s", 0).events.length).toBe(1);
    expect(() => journal.append("new", 0, unwritable)).toThrow(TypeError);
    expect(journal.outline().sessions.map(({ session }) => session)).toEqual(["s"]);
    expect(journal.append("s", 1, notes(3))).toEqual({ type: "appended" });
    expect(journal.read("s", 0).events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  });

  test.each([
    ["all", 0, undefined, [1, 2, 3, 4, 5]],
    ["those after 2", 2, undefined, [3, 4, 5]],
    ["those after the newest", 5, undefined, []],
    ["those far after the newest", 500, undefined, []],
    ["at most 2", 0, 2, [1, 2]],
    ["at most 2 after 2", 2, 2, [3, 4]],
    ["at most 10 after 3", 3, 10, [4, 5]],
    ["none", 0, 0, []],
  ])("reading gives %s", (_what, after, most, expected) => {
    const journal = newStore()();
    journal.append("other", 0, notes(7));
    journal.append("s", 0, notes(5));
    const { events, damage } = journal.read("s", after, most);
    expect({ seqs: events.map(({ seq }) => seq), damage }).toEqual({ seqs: expected, damage: null });
  });

  test("sessions are counted and read apart however their appends mix", () => {
    const journal = newStore()();
    for (let round = 0; round < 20; round++) {
      for (const session of ["a", "b", "c"]) journal.append(session, round, [note(`${session}${round + 1}`)]);
    }
    for (const session of ["a", "b", "c"]) {
      const expected = notes(20, (seq) => `${session}${seq}`).map((event, index) => ({
        seq: index + 1,
        session,
        event,
      }));
      expect(journal.read(session, 0)).toEqual({ events: expected, damage: null });
    }
  });

  test("the outline holds every session in the order of their making, with its milestones and nothing else", () => {
    const journal = newStore()();
    const started: SessionEvent = { type: "exchange.started", at: 3, exchange: 1, prompt: "go", by };
    const ended: SessionEvent = { type: "exchange.ended", at: 4, exchange: 1, text: "done", outcome: "answered" };
    const renamed: SessionEvent = { type: "session.renamed", at: 5, name: "new", by };
    const aborted: SessionEvent = { type: "session.aborted", at: 6, reason: "nobody" };
    journal.append("zulu", 0, notes(2));
    journal.append("s", 0, [created, note("a"), started]);
    journal.append("s", 3, [note("b"), ended, renamed, note("c"), aborted, note("d")]);
    const kept = [created, started, ended, renamed, aborted].map((event, index) => ({
      seq: [1, 3, 5, 6, 8][index],
      session: "s",
      event,
    }));
    expect(journal.outline()).toEqual({
      sessions: [
        { session: "zulu", newest: 2, milestones: [] },
        { session: "s", newest: 9, milestones: kept },
      ],
      damage: [],
    });
    expect(kept.every(({ event }) => milestones.includes(event.type))).toBe(true);
  });

  test("the heads are the newest number of every session, for everyone, and of none that is gone", () => {
    const open = newStore();
    const [one, other] = [open(), open()];
    expect([...one.heads()]).toEqual([]);
    one.append("b", 0, notes(3));
    other.append("a", 0, notes(1));
    one.append("b", 3, notes(2));
    one.append("b", 9, notes(2));
    for (const journal of [one, other, open()]) {
      expect([...journal.heads()].sort()).toEqual([
        ["a", 1],
        ["b", 5],
      ]);
    }
    other.remove("b");
    expect([...one.heads()]).toEqual([["a", 1]]);
    const { sessions } = one.outline();
    expect([...one.heads()]).toEqual(sessions.map(({ session, newest }) => [session, newest]));
  });

  verifies("SESS-4a", "journals on one store see each other's events and know that there is something new", () => {
    const open = newStore();
    const [one, other] = [open(), open()];
    const before = other.revision();
    expect(other.revision()).toBe(before);
    one.append("s", 0, notes(2));
    const after = other.revision();
    expect(after).not.toBe(before);
    expect(other.read("s", 0).events.length).toBe(2);
    expect(other.append("s", 1, notes(1))).toEqual({ type: "stale", newest: 2 });
    expect(other.append("s", 2, notes(1))).toEqual({ type: "appended" });
    expect(one.read("s", 2).events.map(({ seq }) => seq)).toEqual([3]);
    expect(other.outline()).toEqual(one.outline());
  });

  test("a refused append and a reading leave the revision of the others as it is", () => {
    const open = newStore();
    const [one, other] = [open(), open()];
    one.append("s", 0, notes(1));
    const before = other.revision();
    one.append("s", 0, notes(1));
    one.read("s", 0);
    one.outline();
    expect(other.revision()).toBe(before);
  });

  test("a hundred thousand events are appended and read back", () => {
    const journal = newStore()();
    const events = notes(100_000);
    expect(journal.append("s", 0, events)).toEqual({ type: "appended" });
    const { events: read, damage } = journal.read("s", 0);
    expect(damage).toBe(null);
    expect(read.length).toBe(100_000);
    expect(read.every(({ seq, event }, index) => seq === index + 1 && event.at === 1)).toBe(true);
    expect(read.at(-1)).toEqual({ seq: 100_000, session: "s", event: note("note 100000") });
    expect(journal.read("s", 99_998).events.map(({ seq }) => seq)).toEqual([99_999, 100_000]);
  });
});

/** A process that has ended and been collected. */
function deadHolder(): Holder {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  return { ...thisProcess(), pid };
}

describe.each(implementations(scratch))("leases of the $name journal", ({ newStore }) => {
  const self = thisProcess();

  verifies("SESS-4b", "a lease that nobody has is taken, and taken again by the same host", () => {
    const open = newStore();
    expect(open().leaseHolder("s")).toBe(null);
    expect(open().takeLease("s", self)).toEqual(self);
    expect(open().takeLease("s", self)).toEqual(self);
    expect(open().leaseHolder("s")).toEqual(self);
    expect(open().leaseHolder("another")).toBe(null);
  });

  verifies("SESS-4b", "a lease with a living process is refused to another until it is given back", async () => {
    const journal = newStore()();
    const child = startWorker({ type: "live" });
    const living: Holder = JSON.parse(await child.nextLine());
    expect(journal.takeLease("s", living)).toEqual(living);
    expect(journal.takeLease("s", self)).toEqual(living);
    journal.releaseLease("s", self);
    expect(journal.leaseHolder("s")).toEqual(living);
    expect(journal.takeLease("another", self)).toEqual(self);
    child.process.stdin.end();
    await child.ended;
    expect(journal.leaseHolder("s")).toBe(null);
    expect(journal.takeLease("s", self)).toEqual(self);
  });

  verifies("SESS-4b", "a lease that its holder gave back is anybody's", () => {
    const journal = newStore()();
    journal.takeLease("s", self);
    journal.releaseLease("s", self);
    journal.releaseLease("s", self);
    expect(journal.leaseHolder("s")).toBe(null);
  });

  function expectFree(gone: Holder): void {
    const journal = newStore()();
    expect(journal.takeLease("s", gone)).toEqual(gone);
    expect(journal.leaseHolder("s")).toBe(null);
    expect(journal.takeLease("s", self)).toEqual(self);
    expect(journal.leaseHolder("s")).toEqual(self);
  }

  test.each<[string, () => Holder]>([
    ["has ended", deadHolder],
    ["had this very id, with another start", () => ({ ...self, started: "1" })],
    ["ran before the machine was started anew", () => ({ ...self, boot: "another" })],
  ])("a lease whose holder %s is free to take", (_what, gone) => {
    expectFree(gone());
  });

  // Elsewhere the system does not say when another process started.
  test.skipIf(process.platform !== "linux")(
    "a lease whose holder's id now names a process with another start is free to take",
    () => {
      expectFree({ ...self, pid: process.ppid, started: "1" });
    },
  );

  test("another host, also one of the same process, gets no lease that is held, and cannot give it back", () => {
    const journal = newStore()();
    const other = { ...self, host: "another" };
    journal.takeLease("s", self);
    expect(journal.takeLease("s", other)).toEqual(self);
    journal.releaseLease("s", other);
    expect(journal.leaseHolder("s")).toEqual(self);
  });

  // What runs in a container cannot be seen from here.
  test.skipIf(process.platform !== "linux")(
    "a lease from a place that counts its own processes is not taken away",
    () => {
      const journal = newStore()();
      const elsewhere = { ...self, pid: 2_000_000, boot: `${self.boot.split(" ")[0]} pid:[1]` };
      journal.takeLease("s", elsewhere);
      expect(journal.takeLease("s", self)).toEqual(elsewhere);
    },
  );
});
