import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { Lane } from "./hostile/lanes.ts";
import { trials } from "./hostile/main.ts";

/** As many processes try them: most of the time each waits for a time-out or for a kill. */
const lanes = 5;
const onLinux = process.platform === "linux";
const possible = trials.filter(({ lacking }) => lacking === null);
let running: readonly Lane[] = [];

beforeAll(() => {
  if (!onLinux) return;
  const last = possible.length - 1;
  // The last is the longest and has a lane to itself.
  const shares = Array.from({ length: lanes }, (_, lane) => possible.filter((_trial, n) => laneOf(n, last) === lane));
  running = shares.map((share) => new Lane(share.map(({ name }) => name)));
});
afterAll(() => {
  for (const lane of running) lane.clear();
});

function laneOf(n: number, last: number): number {
  return n === last ? lanes - 1 : n % (lanes - 1);
}

/** What a row proves, by the clause that it is part of. */
const clauses: Readonly<Record<string, string>> = { "TERM-3": "TERM-3a", "STOP-3": "STOP-3b" };

describe(`hostile commands${onLinux ? "" : " (skipped: needs /proc of Linux)"}`, () => {
  for (const { name, requirement, lacking } of trials) {
    if (!onLinux || lacking !== null) {
      test.skip(`${name} (skipped: ${lacking ?? "needs Linux"})`);
      continue;
    }
    const lane = laneOf(
      possible.findIndex((trial) => trial.name === name),
      possible.length - 1,
    );
    const proves = clauses[requirement] ?? requirement;
    verifies(proves, name, async () => expect((await running[lane]?.verdict(name))?.failures).toEqual([]), 300_000);
  }
});
