/**
 * Power cuts. A process works on a journal while strace writes down all that it does to the files and when it syncs
 * them. From that the files are built as a disk may hold them had the power gone at any of these moments, and the
 * journal is opened on them: it must hold every step that was acknowledged before, whole, and at most one step more.
 */
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { thisProcess } from "../packages/assent/src/runtime/process.ts";
import { workerCommand } from "../packages/assent/test/contracts/children.ts";
import { type Plan, plannedSteps, type Step } from "../packages/assent/test/contracts/workload.ts";
import { seeded } from "../packages/assent/test/simulation/random.ts";
import { type Disk, type Fate, newDisk } from "./disk.ts";
import { type Report, roomyFolder, runTraced, stepsFoundIn } from "./report.ts";
import { type Act, readTrace, traceOptions } from "./trace.ts";

export type PowerLossOptions = {
  readonly plan: Plan;
  /** Cuts of a random fate at each sync, besides those that keep nothing and keep all. */
  readonly randomCuts: number;
  /** Of the moments between syncs, the part that gets a cut as well. */
  readonly between: number;
  /** Of the syncs, every so manieth is looked at. */
  readonly every: number;
  /** A disk that only says that it has synced: the campaign must find it out, or it finds nothing. */
  readonly lying?: boolean;
};

// Some 3,600 events; texts long enough for the log to be emptied into the store several times on the way.
const full: PowerLossOptions = {
  plan: { seed: 1, steps: 1_400, size: 6_000, reopenEvery: 200 },
  randomCuts: 4,
  between: 0.05,
  every: 1,
};

const holder = thisProcess();

export async function campaign(options: PowerLossOptions = full): Promise<Report> {
  const scratch = mkdtempSync(join(roomyFolder(), "assent-power-"));
  try {
    const acts = await recordedActs(scratch, options.plan);
    return cutEverywhere(acts, scratch, options);
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

async function recordedActs(scratch: string, plan: Plan): Promise<readonly Act[]> {
  const folder = join(scratch, "traced");
  const trace = join(scratch, "trace");
  const task = { type: "steps", file: join(folder, "journal.db"), plan, from: 0, holder } as const;
  const argv = [...traceOptions, "-o", trace, ...workerCommand(task)];
  const { status, stdout, stderr } = spawnSync("strace", argv, { encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status !== 0 || !stdout.endsWith("\ndone\n")) throw new Error(`the workload ended with ${status}: ${stderr}`);
  return await readTrace(trace, { folder });
}

function cutEverywhere(acts: readonly Act[], scratch: string, options: PowerLossOptions): Report {
  const random = seeded(options.plan.seed);
  const steps = plannedSteps(options.plan);
  const disk = newDisk();
  const violations: string[] = [];
  const [folder, counts] = [join(scratch, "cut"), { cuts: 0, "in flight found": 0 }];
  let [acknowledged, syncs] = [0, 0];
  for (const [index, act] of acts.entries()) {
    if (act.type === "sync") syncs += 1;
    for (const fate of fatesAt(act, { random, options, syncs })) {
      const verdict = verdictAfter(disk, fate, { steps, acknowledged, folder });
      counts.cuts += 1;
      if (typeof verdict === "string") violations.push(`before act ${index} (${act.type}), ${fate.name}: ${verdict}`);
      else counts["in flight found"] += verdict - acknowledged;
    }
    if (!isIgnored(act, options)) disk.apply(act);
    if (act.type === "acknowledged") acknowledged = act.steps;
  }
  const missing = steps.length - acknowledged;
  if (missing > 0) violations.push(`expected ${steps.length} acknowledged steps in the trace, ${missing} are missing`);
  const writes = acts.filter(({ type }) => type === "write").length;
  return { name: "power-loss", counts: { events: eventsIn(steps), writes, syncs, ...counts }, violations };
}

function isIgnored(act: Act, { lying }: PowerLossOptions): boolean {
  return lying === true && act.type === "sync";
}

type Chooser = { readonly random: () => number; readonly options: PowerLossOptions; readonly syncs: number };

/** The moment before a sync has the most at stake; the one before an acknowledgement is that right after the sync. */
function fatesAt(act: Act, { random, options, syncs }: Chooser): readonly Fate[] {
  const chosen = Array.from({ length: options.randomCuts }, () => randomFate(random));
  if (act.type === "sync" || act.type === "sync-folder" || act.type === "unlink") {
    return syncs % options.every === 0 ? [...extremes(random), ...chosen] : [];
  }
  if (act.type === "acknowledged") return syncs % options.every === 0 ? extremes(random).slice(0, 1) : [];
  return random() < options.between ? chosen.slice(0, 1) : [];
}

function extremes(random: () => number): readonly Fate[] {
  return [
    { name: "nothing unsynced is kept", keeps: () => "none", folder: () => 0, random },
    { name: "only the folder is kept", keeps: () => "none", folder: (changes) => changes, random },
    { name: "all but the folder is kept", keeps: () => "all", folder: () => 0, random },
    { name: "all is kept", keeps: () => "all", folder: (changes) => changes, random },
  ];
}

/** Each change is kept, lost or torn for itself: so they also come in another order than they were made in. */
function randomFate(random: () => number): Fate {
  const [kept, torn] = [random(), random()];
  const keeps = () => (random() < torn ? "some" : random() < kept ? "all" : "none");
  const folder = (changes: number) => Math.floor(random() * (changes + 1));
  const share = (part: number) => `${Math.round(part * 100)} %`;
  return { name: `${share(torn)} torn, of the rest ${share(kept)} kept`, keeps, folder, random };
}

type Expected = { readonly steps: readonly Step[]; readonly acknowledged: number; readonly folder: string };

/** How many steps the journal holds after the cut, or what is wrong with it. */
function verdictAfter(disk: Disk, fate: Fate, { steps, acknowledged, folder }: Expected): number | string {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder);
  for (const [name, bytes] of disk.afterPowerCut(fate)) writeFileSync(join(folder, name), bytes);
  return stepsFoundIn(folder, steps, { acknowledged, holder, isPowerCut: true });
}

function eventsIn(steps: readonly Step[]): number {
  return steps.reduce((sum, step) => sum + (step.type === "append" ? step.count : 0), 0);
}

// Another seed is another workload with other cuts: `node campaigns/power-loss.ts 7`.
if (import.meta.main) {
  const seed = Number(process.argv[2] ?? full.plan.seed);
  await runTraced(() => campaign({ ...full, plan: { ...full.plan, seed } }));
}
