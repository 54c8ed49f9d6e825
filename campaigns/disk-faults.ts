/**
 * A disk that fails. A process works on a journal, and strace makes one of its writes or syncs fail (or all from one
 * on). The process must hear of it as a JournalError or not at all, and end by itself; afterwards the store must open
 * and hold every step that was acknowledged, whole, and at most one step more.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { thisProcess } from "../packages/assent/src/runtime/process.ts";
import { started, workerCommand } from "../packages/assent/test/contracts/children.ts";
import { type Plan, plannedSteps } from "../packages/assent/test/contracts/workload.ts";
import { type Report, roomyFolder, runTraced, stepsFoundIn } from "./report.ts";

export type DiskFaultsOptions = { readonly workloads: readonly Workload[] };
/** Of each kind of call, every so manieth fails in a run of its own. */
export type Workload = { readonly plan: Plan; readonly every: number };

const full: DiskFaultsOptions = {
  workloads: [
    { plan: { seed: 3, steps: 32, size: 3_000, reopenEvery: 12 }, every: 1 },
    // Texts that fill the log, so that it is emptied into the store while the process works.
    { plan: { seed: 4, steps: 60, size: 300_000, reopenEvery: 0 }, every: 199 },
  ],
};

/** What can go wrong with each call, as far as a disk is to blame. */
const errorsOf: ReadonlyMap<string, readonly string[]> = new Map([
  ["pwrite64", ["EIO", "ENOSPC"]],
  ["ftruncate", ["EIO"]],
  ["fsync", ["EIO", "ENOSPC"]],
  ["fdatasync", ["EIO", "ENOSPC"]],
  ["pread64", ["EIO"]],
  ["unlink", ["EIO"]],
]);

type Fault = { readonly call: string; readonly error: string; readonly when: string };

const holder = thisProcess();
/** A process that has not ended by itself after so long never will. */
const patienceMs = 60_000;

export async function campaign(options: DiskFaultsOptions = full): Promise<Report> {
  const scratch = mkdtempSync(join(roomyFolder(), "assent-faults-"));
  const violations: string[] = [];
  const counts: Record<string, number> = { runs: 0, "runs with an error": 0, "in flight found": 0 };
  try {
    for (const { plan, every } of options.workloads) {
      const faults = faultsIn(callsOf(scratch, plan), every);
      await inParallel(faults, async (fault, index) => {
        const outcome = await runWith(fault, { plan, folder: join(scratch, `${plan.seed}-${index}`) });
        counts["runs"] = (counts["runs"] ?? 0) + 1;
        for (const what of outcome.seen) counts[what] = (counts[what] ?? 0) + 1;
        for (const why of outcome.broken) violations.push(`${fault.call} ${fault.error} ${fault.when}: ${why}`);
      });
    }
  } finally {
    rmSync(scratch, { recursive: true });
  }
  return { name: "disk-faults", counts, violations };
}

type Calls = ReadonlyMap<string, { readonly before: number; readonly all: number }>;

/** How often the undisturbed process makes each call, and how often before it comes to the store: those are not ours. */
function callsOf(scratch: string, plan: Plan): Calls {
  const trace = join(scratch, "trace");
  const argv = [...straceOptions(trace), ...commandFor(join(scratch, `${plan.seed}-undisturbed`), plan)];
  const { status, stderr } = spawnSync("strace", argv, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0) throw new Error(`the workload ended with ${status}: ${stderr}`);
  const lines = readFileSync(trace, "utf8").split("\n");
  const main = lines[0]?.split(" ")[0] ?? "";
  const opened = lines.findIndex((line) => line.includes("openat(") && line.includes("journal.db"));
  const counts = new Map<string, { before: number; all: number }>();
  for (const [index, line] of lines.entries()) {
    const [, thread, call] = /^(\d+) +(\w+)\(/.exec(line) ?? [];
    // strace counts for each thread; the journal is worked on in the first one.
    if (thread !== main || call === undefined) continue;
    const { before, all } = counts.get(call) ?? { before: 0, all: 0 };
    counts.set(call, { before: before + (index < opened ? 1 : 0), all: all + 1 });
  }
  return counts;
}

function straceOptions(trace: string): readonly string[] {
  const calls = [...errorsOf.keys()].join(",");
  return ["-f", "--seccomp-bpf", "-o", trace, "-s", "200", "-e", `trace=openat,${calls}`, "-e", "signal=none"];
}

function commandFor(folder: string, plan: Plan): readonly string[] {
  return workerCommand({ type: "steps", file: join(folder, "journal.db"), plan, from: 0, holder });
}

/** Each call fails once; every fifth time it is also the first of all that fail from there on. */
function faultsIn(calls: Calls, every: number): readonly Fault[] {
  return [...errorsOf].flatMap(([call, errors]) => {
    const { before, all } = calls.get(call) ?? { before: 0, all: 0 };
    const numbers = Array.from({ length: all - before }, (_, index) => before + index + 1);
    const chosen = numbers.filter((_, index) => index % every === 0);
    return chosen.flatMap((number, index) =>
      errors.flatMap((error) => {
        const once = { call, error, when: String(number) };
        return index % 5 === 0 ? [once, { ...once, when: `${number}+` }] : [once];
      }),
    );
  });
}

async function inParallel<T>(all: readonly T[], work: (one: T, index: number) => Promise<void>): Promise<void> {
  const queue = all.entries();
  await Promise.all(
    Array.from({ length: availableParallelism() }, async () => {
      for (const [index, one] of queue) await work(one, index);
    }),
  );
}

type Outcome = { readonly seen: readonly string[]; readonly broken: readonly string[] };

async function runWith(
  { call, error, when }: Fault,
  { plan, folder }: { readonly plan: Plan; readonly folder: string },
): Promise<Outcome> {
  const inject = ["-e", `inject=${call}:error=${error}:when=${when}`];
  const argv = [...straceOptions("/dev/null"), ...inject, ...commandFor(folder, plan)];
  // A process group of its own, so that what hangs can be ended together with its tracer.
  const tracer = spawn("strace", argv, { detached: true });
  const timer = setTimeout(() => process.kill(-(tracer.pid ?? 0), "SIGKILL"), patienceMs);
  const child = started(tracer);
  const { code, signal, errors } = await child.ended;
  clearTimeout(timer);
  const broken = code === 0 ? [] : [`expected it to end by itself, it ended with ${signal ?? code}: ${errors}`];
  const failed = child.said.filter((line) => line.startsWith("failed "));
  const acknowledged = child.said.filter((line) => /^\d+$/.test(line)).length;
  const found = stepsFoundIn(folder, plannedSteps(plan), { acknowledged, holder });
  rmSync(folder, { recursive: true, force: true });
  if (typeof found === "string") return { seen: [], broken: [...broken, found] };
  const seen = [...new Set(failed.map((line) => /: (\w+) /.exec(line)?.[1] ?? "?"))];
  return {
    seen: [
      ...(failed.length > 0 ? ["runs with an error"] : []),
      ...seen.map((kind) => `runs that heard "${kind}"`),
      ...(found > acknowledged ? ["in flight found"] : []),
    ],
    broken,
  };
}

if (import.meta.main) await runTraced(() => campaign());
