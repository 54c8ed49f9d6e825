import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";

/** What a campaign has tried and what it found broken. */
export type Report = {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
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

/** Prints what was found; a violation makes the process end with 1. Some watch the processes that they start. */
export async function runCampaign(
  campaign: () => Promise<Report>,
  needs: "strace" | "nothing" = "strace",
): Promise<void> {
  if (needs === "strace" && !hasStrace()) {
    process.stdout.write("skipped: processes cannot be traced here (is strace installed?)\n");
    process.exitCode = 1;
    return;
  }
  const begin = performance.now();
  const { name, counts, violations } = await campaign();
  const seconds = Math.round((performance.now() - begin) / 1_000);
  for (const violation of violations.slice(0, 50)) process.stdout.write(`violation: ${violation}\n`);
  const counted = Object.entries(counts).map(([what, count]) => `${count.toLocaleString("en")} ${what}`);
  process.stdout.write(`${name}: ${counted.join(", ")}, ${violations.length} violations, ${seconds} s\n`);
  if (violations.length > 0) process.exitCode = 1;
}
