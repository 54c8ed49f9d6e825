import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { serverMarkerName } from "../../runtime/ports.ts";

/** Marks everything that a server starts, also what leaves its process group. */
export type Family = { readonly name: typeof serverMarkerName; readonly value: string };

export function newFamily(): Family {
  return { name: serverMarkerName, value: randomUUID() };
}

const groups = new Map<number, Family>();
let watching = false;

/** A server of this process runs: it does not outlive it. */
export function keepGroup(pid: number, family: Family): void {
  groups.set(pid, family);
  if (watching) return;
  watching = true;
  process.once("exit", () => {
    for (const [each, its] of groups) endFamily(each, its);
  });
}

/** Ends what a server has left behind, its group and whatever it started outside of that; then it is forgotten. */
export function endFamily(pid: number, family: Family): void {
  groups.delete(pid);
  signalGroup(pid, "SIGKILL");
  for (const each of marked(family)) signal(each, "SIGKILL");
}

export function signalGroup(pid: number, name: NodeJS.Signals): void {
  signal(-pid, name);
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended, or became another's.
  }
}

/** Those that carry the variable; none where the system does not tell. */
function marked({ name, value }: Family): readonly number[] {
  const entry = `${name}=${value}`;
  const carries = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0").includes(entry);
    } catch {
      return false;
    }
  };
  try {
    return readdirSync("/proc")
      .map(Number)
      .filter((pid) => Number.isInteger(pid) && pid !== process.pid && carries(pid));
  } catch {
    return [];
  }
}
