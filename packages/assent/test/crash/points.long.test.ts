/** A short part of the crash campaign; all of it: `npm run campaign crash`. */
import { expect } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { crash } from "./campaign.ts";

const kills = 60;

verifies(
  ["SESS-1a", "SESS-1b", "SESS-1d", "SESS-2d", "INT-7", "SRV-4a", "SRV-4b", "LIM-3c"],
  `killed ${kills} times where something was just recorded, the shipped command loses nothing and runs nothing twice`,
  async () => {
    const { counts, lasts, violations } = await crash({ kills, seed: 1 });
    expect(violations).toEqual([]);
    expect(counts.kills).toBeGreaterThanOrEqual(kills);
    // If none of these is met, the kills are not where it matters.
    expect(counts["questions open at a kill"]).toBeGreaterThan(0);
    expect(counts["calls unknown after one"]).toBeGreaterThan(0);
    expect(lasts.size).toBeGreaterThan(8);
  },
  600_000,
);
