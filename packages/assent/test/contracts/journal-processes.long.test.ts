/** Several real processes on one store. */
import { afterAll, expect } from "vitest";
import { openSqliteJournal } from "../../src/runtime/journal/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { startWorker } from "./children.ts";
import { newScratch, note, notes } from "./stores.ts";

const scratch = newScratch();
afterAll(() => scratch.remove());

verifies("SESS-4a", "processes that append to one session at once lose nothing and repeat nothing", async () => {
  const [racers, each] = [4, 150];
  const file = scratch.newFile();
  const children = Array.from({ length: racers }, () =>
    startWorker({ type: "race", file, session: "s", events: each }),
  );
  for (const child of children) child.process.stdin.write("go\n");
  const ends = await Promise.all(children.map(({ ended }) => ended));
  expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null, errors: "" })));
  const { events, damage } = scratch.opened(openSqliteJournal(file)).read("s", 0);
  expect(damage).toBe(null);
  expect(events.map(({ seq }) => seq)).toEqual(Array.from({ length: racers * each }, (_, index) => index + 1));
  for (const { process } of children) {
    const own = events.filter(
      ({ event }) => event.type === "context.changed" && event.text.startsWith(`${process.pid} `),
    );
    expect(own.map(({ event }) => event)).toEqual(
      Array.from({ length: each }, (_, index) => ({ type: "context.changed", at: 0, text: `${process.pid} ${index}` })),
    );
  }
});

verifies(
  "SESS-4a",
  "processes that open a new store at the same moment all succeed, and one gets the lease",
  async () => {
    const rounds = 40;
    const children = Array.from({ length: 2 }, () => startWorker({ type: "openers" }));
    await Promise.all(children.map((child) => child.nextLine()));
    for (let round = 0; round < rounds; round++) {
      const file = scratch.newFile();
      for (const child of children) child.process.stdin.write(`${file}\n`);
      const holders = await Promise.all(children.map((child) => child.nextLine()));
      // Whoever was first still lives, so the other one is told its name.
      expect(new Set(holders).size, holders.join(" and ")).toBe(1);
      expect(children.map(({ process }) => String(process.pid))).toContain(holders[0]);
      const journal = openSqliteJournal(file);
      expect(journal.outline().sessions.map(({ newest }) => newest)).toEqual([1, 1]);
      journal.close();
    }
    for (const child of children) child.process.stdin.end();
    const ends = await Promise.all(children.map(({ ended }) => ended));
    expect(ends.map(({ code }) => code)).toEqual([0, 0]);
  },
);

verifies("SESS-4a", "a second journal of this process, opened and closed, leaves the first one whole", async () => {
  // Closing any handle of a file gives up all of a process's locks on it, also those of another handle.
  const file = scratch.newFile();
  const first = scratch.opened(openSqliteJournal(file));
  first.append("s", 0, notes(1));
  openSqliteJournal(file).close();
  const child = startWorker({ type: "race", file, session: "s", events: 3 });
  child.process.stdin.write("go\n");
  expect(await child.ended).toEqual({ code: 0, signal: null, errors: "" });
  expect(first.read("s", 0).events.map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
  expect(first.append("s", 4, [note("last")])).toEqual({ type: "appended" });
  first.close();
  expect(
    scratch
      .opened(openSqliteJournal(file))
      .read("s", 0)
      .events.map(({ seq }) => seq),
  ).toEqual([1, 2, 3, 4, 5]);
});
