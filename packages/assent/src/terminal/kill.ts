import { readdirSync, readFileSync } from "node:fs";

/** The variable by which everything that a session's calls start can be found again: `<session>/<call>`. */
export const markerName = "ASSENT_RUN";

/** Sends a signal to whatever carries a marker that begins like this. */
export function killMarked(marker: string, signal: NodeJS.Signals): void {
  for (const pid of marked(marker)) send(pid, signal);
}

/** Sends a signal to a process group, and to what carries the marker: a child may have left the group. */
export function killGroup(group: number, marker: string, signal: NodeJS.Signals): void {
  send(-group, signal);
  killMarked(marker, signal);
}

/** Whether this process is something that a call has started: it or one that it comes from carries the variable. */
export function isMarked(): boolean {
  if (process.env[markerName] !== undefined) return true;
  for (let pid = String(process.ppid); Number(pid) > 1; pid = parentOf(pid)) {
    if (environmentOf(pid).some((entry) => entry.startsWith(`${markerName}=`))) return true;
  }
  return false;
}

function parentOf(pid: string): string {
  try {
    return /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
  } catch {
    return "0";
  }
}

function marked(marker: string): readonly number[] {
  const wanted = `${markerName}=${marker}`;
  try {
    return readdirSync("/proc")
      .filter((name) => /^[0-9]+$/.test(name) && environmentOf(name).some((entry) => entry.startsWith(wanted)))
      .map(Number)
      .filter((pid) => pid !== process.pid);
  } catch {
    return []; // No /proc here: the group has to do.
  }
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0");
  } catch {
    return []; // It has ended, or is not ours.
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended already.
  }
}
