import { expect, onTestFinished } from "vitest";
import type { SessionEvent } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { Random } from "./random.ts";
import { simulate } from "./simulate.ts";

/**
 * `SIMULATED_SEEDS=5000 npx vitest run simulation` plays more; `SIMULATED_SEED=<seed> SIMULATED_CRASHES=<points>` plays
 * the one that a failure names.
 */
const seeds = Number(process.env["SIMULATED_SEEDS"] ?? 200);
const pointsPerSeed = 60;
const { SIMULATED_SEED: onlySeed, SIMULATED_CRASHES: onlyCrashes } = process.env;

verifies(
  ["SESS-1a", "SESS-1b", "SESS-2b", "SESS-2c", "INT-7", "INT-8c", "SESS-4b", "APPR-7f", "SESS-6a"],
  "whatever moment a process dies at, nothing acknowledged is lost, nothing runs twice, and the session comes to its end",
  async () => {
    if (onlySeed !== undefined) {
      await check(Number(onlySeed), (onlyCrashes ?? "").split(",").filter(Boolean).map(Number));
      return;
    }
    // Where a process died is known; where in the code is looked at with the one that a failure names.
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    onTestFinished(() => {
      Error.stackTraceLimit = stackTraceLimit;
    });
    const seen = new Set<string>();
    const crashed = new Set<string>();
    let played = 0;
    for (let seed = 1; played < seeds * pointsPerSeed; seed++) {
      const { length } = (await check(seed, [])).points;
      // A session that was over too soon has not enough moments to die at.
      if (length < pointsPerSeed) continue;
      for (let nth = 0; nth < pointsPerSeed; nth++) {
        // From the first to the last: what comes at the very end comes nowhere else.
        const point = 1 + Math.round((nth * (length - 1)) / (pointsPerSeed - 1));
        const { events, points } = await check(seed, crashesFrom(seed, point));
        for (const name of events.map(nameOf)) seen.add(name);
        crashed.add(points[point - 1] ?? "none");
        played += 1;
      }
    }
    if (seeds < 200) return;
    // A kind of point that was never crashed at, or an event that never came, would prove nothing.
    expect([...crashed].sort()).toEqual(everyPoint);
    expect(
      [
        "call.unknown",
        "interaction.expired",
        "history.compacted",
        "session.aborted",
        "grant.added",
        "grant.failed",
        "command.entered",
        ...["confirmed", "cancelled", "aborted", "expired", "stopped", "nobody", "call-ended"].map(
          (end) => `flow.ended ${end}`,
        ),
      ].filter((type) => !seen.has(type)),
    ).toEqual([]);
  },
  600_000,
);

/** A flow, here always one of a running command, by how it ended. */
function nameOf(event: SessionEvent): string {
  return event.type === "flow.ended" ? `${event.type} ${event.end}` : event.type;
}

const everyPoint = [
  ...[
    "answer after",
    "answer before",
    "append after",
    "append before",
    "ask before",
    "context after",
    "context before",
  ],
  ...["end of command", "look at lease after", "look at lease before", "read after", "read before"],
  ...["release lease after", "release lease before", "save after", "save before"],
  ...["spawn after", "spawn before", "take lease after", "take lease before"],
  ...["use after", "use before"],
];

/** Processes that die once mostly die once; some do again while they recover. */
function crashesFrom(seed: number, point: number): readonly number[] {
  const random = new Random(seed, point, 9);
  const again = random.chance(0.3) ? [point + 1 + random.below(60)] : [];
  const thrice = random.chance(0.1) ? [point + 61 + random.below(60)] : [];
  return [point, ...again, ...thrice];
}

async function check(seed: number, crashes: readonly number[]) {
  const simulated = await simulate(seed, crashes);
  const repeat = `SIMULATED_SEED=${seed} SIMULATED_CRASHES=${crashes.join(",")} npx vitest run simulation`;
  expect({ repeat, complaints: simulated.complaints }).toEqual({ repeat, complaints: [] });
  return simulated;
}
