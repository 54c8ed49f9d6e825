import { setTimeout as sleep } from "node:timers/promises";
import { allProcesses, descendantsOf, type Known, markerOf, type Process, processOf, readProc } from "./processes.ts";

/** Between asking processes to end and ending them (TERM-4). */
export const graceMs = 2_000;
/** After SIGKILL the system needs a moment; what is there after this cannot be killed by us. */
export const mostKillingMs = 1_000;
const looksMs = [1, 2, 5, 10, 20, 40, 80];

/** What belongs together: what carries this marker (or, when it ends with a slash, one that begins so), what was seen to come from it, and all their children. */
export type Family = {
  /** `null`: it tells nothing here. */
  readonly marker: string | null;
  readonly seen: Iterable<Known>;
  /** Is not one of them, though its children are: the shell that goes on. */
  readonly keep?: number;
  /** Nor are these, the first processes of terminals that others go on with. */
  readonly leaders?: ReadonlySet<number>;
  /** These are not, with all that comes from them: what ran before, what is kept. */
  readonly spare?: (found: Process) => boolean;
};

/** By name and pid: those that were ended, and those that could not be. */
export type Killed = { readonly ended: readonly string[]; readonly left: readonly string[] };

/**
 * Ends a family: asks first, waits for at most the grace, then kills, also what came to be meanwhile. A process can leave
 * its group and its parents, but not what it carries in its environment; one without it is found by its parents, or was
 * seen before.
 */
export async function killFamily(family: Family, graceLeftMs: () => number = fixedGrace()): Promise<Killed> {
  const found = new Map<string, Process>();
  let giveUp = Number.POSITIVE_INFINITY;
  for (let look = 0; ; look++) {
    // Who was found once is known from then on: its parents, by which it was found, may be gone.
    const members = membersOf({ ...family, seen: [...family.seen, ...found.values()] });
    if (members.length === 0 || performance.now() > giveUp) return report(found, members);
    const leftMs = graceLeftMs();
    // Who was asked already is not asked again.
    const meant = leftMs <= 0 ? members : members.filter((member) => !found.has(keyOf(member)));
    for (const { pid } of meant) end(pid, leftMs > 0);
    for (const member of members) found.set(keyOf(member), member);
    if (leftMs <= 0) giveUp = Math.min(giveUp, performance.now() + mostKillingMs);
    const waitMs = looksMs[Math.min(look, looksMs.length - 1)] ?? 0;
    await sleep(leftMs <= 0 ? Math.min(waitMs, 20) : Math.min(waitMs, Math.max(1, leftMs)));
  }
}

/** Whatever any process has started in a session. */
export function endLeftovers(session: string): Promise<Killed> {
  return killFamily({ marker: `${session}/`, seen: [] });
}

/** At once and without waiting: for a process that is about to end itself. */
export function killNow(family: Family): void {
  for (const { pid } of membersOf(family)) send(pid, "SIGKILL");
}

/** The whole grace from now on. */
export function fixedGrace(ms = graceMs): () => number {
  const end = performance.now() + ms;
  return () => end - performance.now();
}

/** `all`: where they are looked for. */
export function membersOf(
  { marker, seen, keep, leaders, spare }: Family,
  all: readonly Process[] = allProcesses(),
): readonly Process[] {
  const known = new Set([...seen].map(keyOf));
  const isKnown = (each: Process) => known.has(keyOf(each)) || (marker !== null && carries(markerOf(each.pid), marker));
  const pids = withChildren(all, isKnown);
  const members = all.filter(({ pid }) => pid !== keep && !leaders?.has(pid) && pids.has(pid));
  if (spare === undefined) return members;
  const spared = withChildren(members, spare);
  return members.filter(({ pid }) => !spared.has(pid));
}

/** Those that fit, and all that come from them. */
function withChildren(all: readonly Process[], fits: (each: Process) => boolean): ReadonlySet<number> {
  const found = new Set(all.filter(fits).map(({ pid }) => pid));
  // Parents come before their children in no order at all: until nothing is added.
  for (let size = -1; size !== found.size; ) {
    size = found.size;
    for (const { pid, parent } of all) if (found.has(parent)) found.add(pid);
  }
  return found;
}

function carries(found: string | null, wanted: string): boolean {
  return found !== null && (found === wanted || (wanted.endsWith("/") && found.startsWith(wanted)));
}

/** All that can be reached from a process, with when it began. */
export function seenFrom(pid: number): readonly Known[] {
  return descendantsOf(pid).flatMap((each) => processOf(each) ?? []);
}

/** It does nothing any more, and is there. */
export function stopProcess(pid: number): void {
  send(pid, "SIGSTOP");
}

/** One that is stopped hears nothing until it goes on. */
function end(pid: number, politely: boolean): void {
  send(pid, politely ? "SIGTERM" : "SIGKILL");
  if (politely) send(pid, "SIGCONT");
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already, or is not ours to end: then it is told.
  }
}

function keyOf({ pid, started }: Known): string {
  return `${pid} ${started}`;
}

function report(found: ReadonlyMap<string, Process>, left: readonly Process[]): Killed {
  const name = (each: Process) => `${each.name} (${each.pid})`;
  const survivors = new Set(left.map(keyOf));
  const ended = [...found].filter(([key]) => !survivors.has(key)).map(([, each]) => name(each));
  return { ended, left: left.map((each) => `${name(each)}${ownerOf(each)}`) };
}

function ownerOf({ pid }: Process): string {
  const uid = /^Uid:\s+(\d+)/m.exec(readProc(`${pid}/status`) ?? "")?.[1];
  return uid === undefined || Number(uid) === process.getuid?.() ? "" : ` of user ${uid}`;
}
