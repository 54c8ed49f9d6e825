import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteJournal } from "../packages/assent/src/runtime/journal/index.ts";
import { JournalError } from "../packages/assent/src/runtime/ports.ts";
import { type Judging, judge, type Step } from "../packages/assent/test/contracts/workload.ts";

/** What a campaign has tried and what it found broken. */
export type Report = {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
  /** What else is to be known, a line each. */
  readonly notes?: readonly string[];
};

/** Whether processes can be traced here: strace may be missing, or tracing not permitted. */
export function hasStrace(): boolean {
  const { status } = spawnSync("strace", ["-f", "--seccomp-bpf", "-o", "/dev/null", "-e", "trace=write", "true"]);
  return status === 0;
}

/** Where files are made by the thousand: in memory where there is such a place. */
export function roomyFolder(): string {
  return existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
}

/** How many steps the journal in that folder holds, or what is wrong with it. */
export function stepsFoundIn(folder: string, steps: readonly Step[], judging: Judging): number | string {
  try {
    const journal = openSqliteJournal(join(folder, "journal.db"));
    const verdict = judge(journal, steps, judging);
    journal.close();
    return verdict.type === "holds" ? verdict.steps : verdict.why;
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    return `${error.code}: ${error.message}`;
  }
}

/** A campaign that needs to trace processes. */
export async function runTraced(campaign: () => Promise<Report>): Promise<void> {
  if (hasStrace()) return await runCampaign(campaign);
  process.stdout.write("skipped: processes cannot be traced here (is strace installed?)\n");
  process.exitCode = 1;
}

/** Prints what was found; a violation makes the process end with 1. */
export async function runCampaign(campaign: () => Promise<Report>): Promise<void> {
  const begin = performance.now();
  const { name, counts, violations, notes = [] } = await campaign();
  const seconds = Math.round((performance.now() - begin) / 1_000);
  for (const violation of violations.slice(0, 50)) process.stdout.write(`violation: ${violation}\n`);
  for (const note of notes) process.stdout.write(`${note}\n`);
  const counted = Object.entries(counts).map(([what, count]) => `${count.toLocaleString("en")} ${what}`);
  process.stdout.write(`${name}: ${counted.join(", ")}, ${violations.length} violations, ${seconds} s\n`);
  if (violations.length > 0) process.exitCode = 1;
}
