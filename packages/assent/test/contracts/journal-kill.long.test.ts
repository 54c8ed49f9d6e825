/** Real kills at random moments: what was acknowledged is there, and nothing is torn. */
import { afterAll, expect, test } from "vitest";
import { openSqliteJournal } from "../../src/runtime/journal/index.ts";
import { thisProcess } from "../../src/runtime/process.ts";
import { seeded } from "../simulation/random.ts";
import { startWorker } from "./children.ts";
import { newScratch } from "./stores.ts";
import { judge, type Plan, plannedSteps } from "./workload.ts";

const scratch = newScratch();
afterAll(() => scratch.remove());

const killsPerStore = 32;
// The holder is this process, which lives on: so a lease that a killed worker took is seen here.
const holder = thisProcess();

/** Kills a worker at a moment of the seed's choosing; some of them while it is still opening the store. */
async function runAndKill(file: string, plan: Plan, { from, wait }: { from: number; wait: number }): Promise<number> {
  const child = startWorker({ type: "steps", file, plan, from, holder });
  // Counted from its first word, so that a slow machine kills workers at work too. Negative: without waiting for it.
  if (wait >= 0) await child.nextLine();
  await new Promise((resolve) => setTimeout(resolve, Math.abs(wait)));
  child.process.kill("SIGKILL");
  const { signal, errors } = await child.ended;
  expect({ signal, errors }).toEqual({ signal: "SIGKILL", errors: "" });
  const last = child.said.at(-1);
  return last === undefined ? from : Number(last) + 1;
}

test.concurrent.each([11, 12])(
  "killed at any moment, a process leaves all that was acknowledged, in order and whole [SESS-1b] (seed %i)",
  async (seed) => {
    const random = seeded(seed);
    const file = scratch.newFile();
    const plan = { seed, steps: 20_000, size: 4_000, reopenEvery: 25 };
    const steps = plannedSteps(plan);
    let from = 0;
    let more = 0;
    for (let kill = 0; kill < killsPerStore; kill++) {
      const wait = random() < 0.2 ? -60 - random() * 120 : random() ** 2 * 120;
      const acknowledged = await runAndKill(file, plan, { from, wait });
      const journal = openSqliteJournal(file);
      const verdict = judge(journal, steps, { acknowledged, holder });
      journal.close();
      if (verdict.type === "broken") expect.fail(`kill ${kill + 1}: ${verdict.why}`);
      more += acknowledged - from;
      from = verdict.steps;
    }
    expect(more, "the kills must come while there is work").toBeGreaterThan(killsPerStore * 3);
  },
  // Each reads the whole store after each kill: a busy machine takes minutes.
  300_000,
);
