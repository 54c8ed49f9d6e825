/**
 * Crashes of the command as it is shipped: sessions of every kind, killed as soon as an event is in the journal or a moment
 * later, at each of their events, and again while they recover. `CRASH_SEED=7 npm run campaign crash 300` kills 300 times in
 * another order; what a violation names as CRASH_PLAY is played alone.
 */
import { crash, type Totals } from "../packages/assent/test/crash/campaign.ts";
import { type Report, runCampaign } from "./report.ts";

async function campaign(kills: number): Promise<Report> {
  const { CRASH_SEED: seed = "1", CRASH_PLAY: play } = process.env;
  const begin = performance.now();
  const onProgress = ({ counts, violations }: Totals) => {
    const seconds = Math.round((performance.now() - begin) / 1_000);
    process.stdout.write(
      `${counts.kills} kills, ${counts.sessions} sessions, ${violations.length} violations, ${seconds} s\n`,
    );
  };
  // At once: all of it takes long.
  const onViolation = (violation: string) => process.stderr.write(`found: ${violation}\n`);
  const only = play === undefined ? {} : { only: Number(play) };
  const { counts, violations, ...met } = await crash({ kills, seed: Number(seed), ...only, onViolation, onProgress });
  return { name: "crash", counts, violations, notes: notesOf(met) };
}

/** Which events were the last ones in the journal at a kill. */
function notesOf({ lasts, types }: Pick<Totals, "lasts" | "types">): readonly string[] {
  const often = [...lasts].sort(([, one], [, other]) => other - one).map(([type, times]) => `${type} ${times}`);
  const never = [...types].filter((type) => !lasts.has(type)).sort();
  return [
    `the last event at the kills: ${often.join(", ")}`,
    `never the last, for others are recorded with them: ${never.join(", ") || "none"}`,
  ];
}

for (const signal of ["SIGINT", "SIGTERM"]) process.once(signal, () => process.exit(130));
await runCampaign(() => campaign(Number(process.argv[2] ?? 1_200)));
