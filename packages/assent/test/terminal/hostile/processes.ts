import { readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { resolve } from "node:path";

/** `born` is when it started, in ticks of the system: an id alone comes to name another one. */
export type Seen = { readonly pid: number; readonly parent: number; readonly state: string; readonly born: number };

/** Now, in ticks of the system. */
export function now(): number {
  return Math.floor(Number(readFileSync("/proc/uptime", "utf8").split(" ")[0]) * 100);
}

/** What the system says of a process; nothing when there is none. A name may hold brackets: only what follows the last counts. */
export function look(pid: number): Seen | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return { pid, state: fields[0] ?? "", parent: Number(fields[1]), born: Number(fields[19]) };
  } catch {
    return null;
  }
}

export function all(): readonly Seen[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map((name) => look(Number(name)))
    .filter((seen) => seen !== null);
}

export function isAlive({ state }: Seen): boolean {
  return state !== "Z" && state !== "X";
}

/** Those that live and carry a marker that begins so. */
export function marked(beginning: string): readonly number[] {
  const wanted = `ASSENT_RUN=${beginning}`;
  return all()
    .filter(
      (seen) =>
        seen.pid !== process.pid && isAlive(seen) && variables(seen.pid).some((entry) => entry.startsWith(wanted)),
    )
    .map(({ pid }) => pid);
}

/** Children of this process that have ended and that nobody has asked for. */
export function zombies(): readonly number[] {
  return all()
    .filter(({ state, parent }) => state === "Z" && parent === process.pid)
    .map(({ pid }) => pid);
}

/**
 * So many pipes are kept: those that nobody uses, those that are opened before they are needed, and the spawner's. How many there
 * are at a moment is chance.
 */
const mostKeptPipes = 8 + 2 + 2;

/** So many of them are opened before they are needed, both ends. */
const mostPreparedPipes = 2;

/** What is open in this process, but for what is kept for the next command: number → what it leads to. */
export function descriptors(): ReadonlyMap<string, string> {
  const names = readdirSync("/proc/self/fd");
  const opened = names.filter((name) => !isKeptPipe(name));
  const kept = names.filter(isKeptPipe).slice(0, mostKeptPipes);
  const others = new Set([...kept, ...preparedOf(opened), ...spawnersOf(opened)]);
  return new Map(names.filter((name) => !others.has(name)).map((name) => [name, leadsTo(name)]));
}

/** One that only stands for a file: O_PATH. */
function isKeptPipe(name: string): boolean {
  return (flagsOf(name) & 0o10000000) !== 0;
}

/** Pipes that this process holds at both ends: nobody else has got them yet. */
function preparedOf(names: readonly string[]): readonly string[] {
  const pipes = Map.groupBy(names.filter(isPipe), fileOf);
  const whole = [...pipes.values()].filter((ends) => new Set(ends.map((end) => flagsOf(end) & 3)).size === 2);
  return whole.slice(0, mostPreparedPipes).flat();
}

/** By which the spawner is asked, and answers. */
function spawnersOf(names: readonly string[]): readonly string[] {
  const children = all().filter(({ pid, parent }) => parent === process.pid && commandLine(pid) === "assent-spawner");
  const theirs = new Set(children.flatMap(({ pid }) => openIn(pid)).map(fileOf));
  return names.filter((name) => isPipe(name) && theirs.has(fileOf(name)));
}

function openIn(pid: number): readonly string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((name) => `/proc/${pid}/fd/${name}`);
  } catch {
    return [];
  }
}

/** One that was made under a name. */
function isPipe(name: string): boolean {
  return (
    leadsTo(name).startsWith("/") && statSync(`/proc/self/fd/${name}`, { throwIfNoEntry: false })?.isFIFO() === true
  );
}

/** Which file a descriptor leads to, by its number here or its path. */
function fileOf(name: string): string {
  const found = statSync(resolve("/proc/self/fd", name), { throwIfNoEntry: false });
  return found === undefined ? `none ${name}` : `${found.dev} ${found.ino}`;
}

function flagsOf(name: string): number {
  try {
    return Number.parseInt(/^flags:\s+(\d+)$/m.exec(readFileSync(`/proc/self/fdinfo/${name}`, "utf8"))?.[1] ?? "0", 8);
  } catch {
    return 0;
  }
}

/** How a process is spoken of in a failure. */
export function described(pid: number): string {
  const { state = "gone", parent } = look(pid) ?? {};
  return `${pid} (${state}, of ${parent}: ${commandLine(pid).slice(0, 80)})`;
}

export function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}

function leadsTo(name: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${name}`);
  } catch {
    return "closed"; // The one by which the folder was read.
  }
}

function variables(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, "latin1").split("\0");
  } catch {
    return [];
  }
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}
