import { readFileSync, readlinkSync } from "node:fs";
import type { BackgroundProcess } from "../core/index.ts";
import { codeOf } from "../wire/index.ts";
import { type Holder, markerName, serverMarkerName } from "./ports.ts";

/** What the system says of a process: enough to tell it from a later one with the same id. */
export function thisProcess(): Holder {
  // Without /proc the id alone has to do, and the start of this very process tells it from nothing but itself.
  const started = startOf("self") ?? String(performance.timeOrigin);
  return { pid: process.pid, started, boot: bootId(), host: crypto.randomUUID() };
}

export function isAlive({ pid, started, boot }: Holder): boolean {
  const [machine, place] = boot.split(" ");
  const [thisMachine, thisPlace] = bootId().split(" ");
  if (machine !== thisMachine) return false;
  // A container's processes cannot be seen from elsewhere: better to wait for ever than to work beside one.
  if (place !== thisPlace) return true;
  try {
    process.kill(pid, 0);
  } catch (error) {
    // Someone else's process lives all the same.
    if (codeOf(error) !== "EPERM") return false;
  }
  return boot === "" || startOf(pid === process.pid ? "self" : String(pid)) === started;
}

/** Whether it is still that process: `since` is its start in ticks, as the system counts them. */
export function isRunning({ pid, since }: Pick<BackgroundProcess, "pid" | "since">): boolean {
  return startOf(String(pid)) === String(since);
}

/** A process in the foreground of a terminal can ask its person there. `null` where the system does not say. */
export function isForeground(): boolean | null {
  const fields = statOf("self");
  if (fields === null) return null;
  const [, , group, , terminal, foreground] = fields;
  return terminal !== "0" && group === foreground;
}

/** What the system calls the terminal of this process, such as `pts/3`; `null` without one, or where it is not told. */
export function terminalName(): string | null {
  const device = Number(statOf("self")?.[4] ?? 0);
  const [major, minor] = [(device >> 8) & 0xfff, (device & 0xff) | ((device >> 12) & 0xfff00)];
  if (major >= 136 && major <= 143) return `pts/${minor + (major - 136) * 256}`;
  return major === 4 ? `tty${minor}` : null;
}

const markers = [markerName, serverMarkerName];

/** Whether this process was started by a call or by an outside server: it, or one that it comes from, is marked so. */
export function isInsideRun(): boolean {
  if (markers.some((name) => process.env[name] !== undefined)) return true;
  // One that cannot be looked into may come from one that can.
  for (let pid = process.ppid; pid > 1; pid = Number(statOf(String(pid))?.[1] ?? 0)) if (isMarked(pid)) return true;
  return false;
}

/** What it carried when it began. */
function isMarked(pid: number): boolean {
  try {
    const carried = `\0${readFileSync(`/proc/${pid}/environ`, "utf8")}`;
    return markers.some((name) => carried.includes(`\0${name}=`));
  } catch {
    return false;
  }
}

/** `null` for one that is gone or has ended and is not yet collected. */
function startOf(pid: string): string | null {
  const fields = statOf(pid);
  if (fields === null || fields[0] === "Z" || fields[0] === "X") return null;
  return fields[19] ?? null;
}

/** The fields of /proc/<pid>/stat from the state on; the name before it may hold anything. */
function statOf(pid: string): readonly string[] | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  } catch {
    return null;
  }
}

let boot: string | undefined;

/** Process ids and start times begin anew when the machine does, and in each container. Empty where neither is told. */
function bootId(): string {
  if (boot === undefined) {
    try {
      boot = `${readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()} ${readlinkSync("/proc/self/ns/pid")}`;
    } catch {
      boot = "";
    }
  }
  return boot;
}
