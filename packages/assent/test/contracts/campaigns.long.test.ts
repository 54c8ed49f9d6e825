/** A short part of the campaigns against the journal; all of them: `npm run campaign power-loss`. */
import { expect, test } from "vitest";
import { campaign as damage } from "../../../../campaigns/damage.ts";
import { campaign as diskFaults } from "../../../../campaigns/disk-faults.ts";
import { campaign as powerLoss } from "../../../../campaigns/power-loss.ts";
import { hasStrace } from "../../../../campaigns/report.ts";

const untraceable = !hasStrace();
const needsStrace = untraceable ? " (skipped: needs strace)" : "";

test.skipIf(untraceable)(
  `after a power cut the journal holds all that was acknowledged, whole${needsStrace}`,
  async () => {
    const plan = { seed: 21, steps: 90, size: 3_000, reopenEvery: 30 };
    const { counts, violations } = await powerLoss({ plan, randomCuts: 2, between: 0.02, every: 1 });
    expect(violations).toEqual([]);
    expect(counts["cuts"]).toBeGreaterThan(500);
    // A step that was under way may be there: if none ever is, the cuts are not where the writes are.
    expect(counts["in flight found"]).toBeGreaterThan(0);
  },
);

test.skipIf(untraceable)(`a disk that only says that it has synced is found out${needsStrace}`, async () => {
  const plan = { seed: 22, steps: 30, size: 1_000, reopenEvery: 0 };
  const { violations } = await powerLoss({ plan, randomCuts: 1, between: 0, every: 1, lying: true });
  expect(violations.length).toBeGreaterThan(10);
});

test.skipIf(untraceable)(`a write or sync that fails loses nothing that was acknowledged${needsStrace}`, async () => {
  const plan = { seed: 23, steps: 20, size: 1_000, reopenEvery: 8 };
  const { counts, violations } = await diskFaults({ workloads: [{ plan, every: 61 }] });
  expect(violations).toEqual([]);
  expect(counts["runs with an error"]).toBeGreaterThan(10);
});

test("of a damaged store what is read is as it was, the rest is named, and nothing crashes or hangs", async () => {
  const { counts, violations } = await damage({ seed: 24, stores: 87, commandEvery: 87 });
  expect(violations).toEqual([]);
  // Each kind of damage has come three times: some of them must be more than nothing.
  expect(counts["named"]).toBeGreaterThan(20);
  expect(counts["refused"]).toBeGreaterThan(5);
  expect(counts["intact"]).toBeGreaterThan(5);
}, 300_000);
