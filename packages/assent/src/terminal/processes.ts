import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from "node:fs";
import { markerName } from "../runtime/ports.ts";

/** How much of a command line is told. */
const mostCommandLine = 200;

/** A process as the system tells of it. `started` is in ticks since the machine's start: a pid alone can name a stranger. */
export type Process = {
  readonly pid: number;
  readonly name: string;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** The group in the foreground of its terminal. */
  readonly foreground: number;
  readonly started: number;
  /** Of the system's own, which starts no program and carries nothing. */
  readonly system: boolean;
  /** A copy of another, and no program of its own yet. */
  readonly copy: boolean;
};

/** The marks of what the system runs for itself, and of what was forked and has started no program since. */
const systemsOwn = 0x20_0000;
const forked = 0x40;

export type Known = Pick<Process, "pid" | "started">;

/** `null` for one that is gone. One that has ended and is not yet collected has the state `Z`. */
export function processOf(pid: number): Process | null {
  const stat = readProc(`${pid}/stat`);
  if (stat === null) return null;
  const end = stat.lastIndexOf(")");
  const fields = stat.slice(end + 2).split(" ");
  const [state = "", parent, group, session, , foreground] = fields;
  return {
    pid,
    name: stat.slice(stat.indexOf("(") + 1, end),
    state,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    foreground: Number(foreground),
    started: Number(fields[19]),
    system: (Number(fields[6]) & systemsOwn) !== 0,
    copy: (Number(fields[6]) & forked) !== 0,
  };
}

export function isRunning({ pid, started }: Known): boolean {
  const found = processOf(pid);
  return found !== null && found.started === started && !hasEnded(found);
}

function hasEnded({ state }: Process): boolean {
  return state === "Z" || state === "X";
}

/** Every process there is, but this one and those of the system itself. Empty where the system has no /proc. */
export function allProcesses(): readonly Process[] {
  return running(pids());
}

/** In so short a time pids do not come round. */
export const mostShortMs = 250;
/** The system's own, of which a machine has many, seen so short a time ago: none of them has become anything else. */
const systems = { pids: new Set<number>(), since: 0 };

function running(pids: readonly number[]): readonly Process[] {
  const now = performance.now();
  if (now - systems.since > mostShortMs) {
    systems.pids.clear();
    systems.since = now;
  }
  return pids.flatMap((pid) => {
    const found = pid === process.pid || systems.pids.has(pid) ? null : processOf(pid);
    if (found?.system) systems.pids.add(pid);
    return found === null || found.system || hasEnded(found) ? [] : [found];
  });
}

/** A bash that has just begun takes names and values apart for a moment. */
const markerIn = new RegExp(`(?:^|\0)${markerName}[=\0]([^\0]*)`);

/**
 * While a process becomes another program, the system shows nothing of what it carries: it is looked at again. A process that
 * carries nothing looks the same for a moment of that.
 */
const mostLooks = { becoming: 2_000, empty: 20, none: 0 };
/** Processes that carry nothing at all, and are not waited for a second time. */
const bare = new Set<string>();
const mostBare = 1_000;
const lookMs = 0.1;
const pause = new Int32Array(new SharedArrayBuffer(4));

/** What it carries as its run marker, from when it began; `null` when it has none, or is someone else's. */
export function markerOf(pid: number): string | null {
  for (let looks = 0; ; looks++) {
    const carried = readProc(`${pid}/environ`);
    const found = carried === null ? null : (markerIn.exec(carried)?.[1] ?? null);
    if (found !== null || carried !== "") return found;
    const { why, key } = whyNothing(pid);
    if (looks >= mostLooks[why]) {
      if (bare.size === mostBare) bare.clear();
      if (why === "empty") bare.add(key);
      return null;
    }
    Atomics.wait(pause, 0, 0, lookMs);
  }
}

/** Why nothing is to be seen that it carries: `none` for what has ended, is a part of the system or is known to carry nothing. */
function whyNothing(pid: number): { readonly why: keyof typeof mostLooks; readonly key: string } {
  const stat = readProc(`${pid}/stat`) ?? "";
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  const [state = "", flags, began, start, end] = [fields[0], Number(fields[6]), fields[19], fields[47], fields[48]];
  const key = `${pid} ${began} ${start}`;
  if (stat === "" || "ZX".includes(state) || (flags & systemsOwn) !== 0 || bare.has(key)) return { why: "none", key };
  return { why: end === "0" ? "becoming" : "empty", key };
}

/** Its children and theirs. Only what can be reached from it: what lost its parent is found by other signs. */
export function descendantsOf(pid: number): readonly number[] {
  const found: number[] = [];
  const left = [pid];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    const children = childrenOf(next);
    found.push(...children);
    left.push(...children);
  }
  return found;
}

/**
 * Those who have this file open, by what the system calls it, such as `pipe:[123]`. Without what this process is just starting for
 * somebody else: it is a copy of this one for a moment, with all that this one has open.
 */
export function holdersOf(file: string): readonly Process[] {
  if (file === "") return [];
  const holds = (pid: number) => filesOf(pid).includes(file);
  const found = pids().filter((pid) => pid !== process.pid && holds(pid));
  // Looked at again last: by now it may have become a program, and have let go of it.
  return found.flatMap((pid) => processOf(pid) ?? []).filter((each) => !isOwnCopy(each) && holds(each.pid));
}

function isOwnCopy({ pid, parent, copy }: Process): boolean {
  return copy && parent === process.pid && programOf(pid) === programOf(process.pid);
}

function programOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/exe`);
  } catch {
    return "";
  }
}

export function fileOf(pid: number, descriptor: number): string {
  try {
    return readlinkSync(`/proc/${pid}/fd/${descriptor}`);
  } catch {
    return "";
  }
}

/** Where it is; empty when that is gone or cannot be told. */
export function folderOf(pid: number): string {
  try {
    const folder = readlinkSync(`/proc/${pid}/cwd`);
    return folder.endsWith(" (deleted)") ? "" : folder;
  } catch {
    return "";
  }
}

/** The command line as one line; of a process without one its name. */
export function commandLine({ pid, name }: Pick<Process, "pid" | "name">): string {
  const line = readProc(`${pid}/cmdline`)?.split("\0").join(" ").trim() ?? "";
  return line === "" ? name : line.slice(0, mostCommandLine);
}

const tickMs = 10;

/** A point in the life of the machine: what the system gave out as its last pid, and its clock's last tick. */
export type Moment = { readonly pid: number; readonly tick: number };

export function momentNow(): Moment {
  return { pid: lastPid(), tick: tickNow() };
}

function tickNow(): number {
  return Math.round(Number(readOften("uptime").split(" ")[0]) * (1_000 / tickMs));
}

/**
 * The one before a process began that this one has just had started. One that has ended may be collected already: then it
 * goes by `since`, a moment before by this process's own clock.
 */
export function momentBefore(pid: number, since: number): Moment {
  const tick = processOf(pid)?.started ?? tickNow() - Math.ceil((performance.now() - since) / tickMs);
  return { pid: pid - 1, tick };
}

/** Pids are given out in order, until they begin anew; ticks are long. Together they tell. */
export function beganBefore({ pid, started }: Process, moment: Moment): boolean {
  return started < moment.tick || (started === moment.tick && pid <= moment.pid);
}

/** More than these are found faster in the list of all. */
const mostSingly = 64;

/**
 * What runs and was started after this one, by whomever. Pids are given out in order; when they began anew, it is all there is.
 * Threads get theirs of the same, and may be among them.
 */
export function processesSince(pid: number): readonly Process[] {
  const found: Process[] = [];
  let looked = pid;
  // Asked again after each: what is gone by then may have started another before.
  for (let last = lastPid(); last !== looked; last = lastPid()) {
    if (last < looked || last - pid > mostSingly) return listedSince(pid);
    looked += 1;
    found.push(...running([looked]));
  }
  return found;
}

function listedSince(pid: number): readonly Process[] {
  const found = pids();
  // Asked after them: what one has started that is gone by now is among them, and not beyond.
  const last = lastPid();
  return last < pid ? running(found) : running(found.filter((each) => each > pid && each <= last));
}

/** As what, and with which mask for new files, this process acts: what it starts gets that from it. */
export function actsAs(): string {
  return (readOften("self/status").match(/^(?:Umask|Uid|Gid):.*$/gm) ?? []).join(" ");
}

function lastPid(): number {
  return Number(readOften("loadavg").trim().split(" ").at(-1));
}

const kept = new Map<string, number>();
const line = Buffer.alloc(1_024);

/** A short file of the system's that is read with every command: opened once. Empty where there is none. */
function readOften(name: string): string {
  try {
    const file = kept.get(name) ?? openSync(`/proc/${name}`, "r");
    kept.set(name, file);
    return line.toString("latin1", 0, readSync(file, line, 0, line.length, 0));
  } catch {
    return "";
  }
}

/** A file of the system's, by its path in /proc; `null` when it is gone or not for our eyes. */
export function readProc(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, "utf8");
  } catch {
    return null;
  }
}

/** A piece of another process's own data; `null` when it cannot be had. */
export function peek(pid: number, at: bigint, length: number): Buffer | null {
  try {
    const file = openSync(`/proc/${pid}/mem`, "r");
    try {
      const bytes = Buffer.alloc(length);
      return readSync(file, bytes, 0, length, at) === length ? bytes : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

function pids(): readonly number[] {
  try {
    return readdirSync("/proc").flatMap((name) => (/^[0-9]+$/.test(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function childrenOf(pid: number): readonly number[] {
  return innerPids(pid).flatMap((inner) => {
    const children = readProc(`${pid}/task/${inner}/children`)?.trim() ?? "";
    return children === "" ? [] : children.split(" ").map(Number);
  });
}

export function innerPids(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function filesOf(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => fileOf(pid, Number(name)));
  } catch {
    return [];
  }
}
