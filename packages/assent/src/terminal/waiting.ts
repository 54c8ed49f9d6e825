import { execFile } from "node:child_process";
import { arch } from "node:process";
import { descendantsOf, fileOf, innerPids, type Process, peek, processOf, readProc } from "./processes.ts";

/** By number, as each kind of machine has them: calls in which a process can wait for its terminal. */
const calls: Partial<Record<string, Readonly<Record<number, Way>>>> = {
  x64: { 0: "read", 19: "read", 7: "poll", 271: "poll", 23: "select", 270: "select", 232: "epoll", 281: "epoll" },
  arm64: { 63: "read", 65: "read", 73: "poll", 72: "select", 22: "epoll" },
};
type Way = "read" | "poll" | "select" | "epoll";

/** More threads or descriptors than this are not looked at: no program that asks something has them. */
const mostLooked = 64;
/** poll.h: there is something to read. */
const pollIn = 1;

/**
 * What, at this moment, waits for somebody to type on the terminal that this process leads; two that are alike are the same
 * wait. `null` when nothing does. Only the foreground counts, and only one that waits in the system for its terminal: that a
 * command is silent says nothing.
 */
export function waitsForInput(leader: number): string | null {
  const first = processOf(leader);
  if (first === null || first.foreground <= 0) return null;
  const all = [first, ...descendantsOf(leader).flatMap((pid) => processOf(pid) ?? [])];
  const foreground = all.filter(({ group, state }) => group === first.foreground && state !== "T");
  for (const each of foreground) {
    const found = waitOf(each);
    if (found !== null) return `${each.pid} ${found}`;
  }
  return null;
}

/** How a terminal takes what is typed. */
export type TtyModes = {
  /** It can be seen there. */
  readonly echo: boolean;
  /** By lines, and some keys mean something. */
  readonly lines: boolean;
};

/** Asked of the system by the one program that every system has for it. What cannot be told is taken for a secret. */
export function modesOf(leader: number): Promise<TtyModes> {
  const tty = ttyOf(leader);
  if (tty === null) return Promise.resolve({ echo: false, lines: true });
  return new Promise((resolve) => {
    execFile("stty", ["-F", tty, "-a"], (error, stdout) => {
      const has = (mode: string) => error === null && new RegExp(`(?:^|\\s)${mode}(?:\\s|$)`, "m").test(stdout);
      resolve({ echo: has("echo"), lines: has("icanon") || error !== null });
    });
  });
}

function waitOf({ pid }: Process): string | null {
  for (const inner of innerPids(pid).slice(0, mostLooked)) {
    const line = readProc(`${pid}/task/${inner}/syscall`)?.trim() ?? "";
    const [number = "", ...given] = line.split(" ");
    const way = calls[arch]?.[Number(number)];
    if (way !== undefined && number !== "" && watched(pid, way, given)) return line;
  }
  return null;
}

/** Whether that call waits for the terminal, and for nothing else that could wake it. */
function watched(pid: number, way: Way, given: readonly string[]): boolean {
  const descriptors = descriptorsOf(pid, way, given);
  const files = descriptors.map((descriptor) => fileOf(pid, descriptor)).filter((file) => !isInternal(file, way));
  return files.length > 0 && files.every(isTty);
}

function descriptorsOf(pid: number, way: Way, given: readonly string[]): readonly number[] {
  const [first = 0n, second = 0n] = given.map((each) => BigInt(each));
  switch (way) {
    case "read":
      return [Number(first)];
    case "poll":
      return polled(pid, first, Number(second));
    case "select":
      return selected(pid, Number(first), second);
    case "epoll":
      return (readProc(`${pid}/fdinfo/${first}`) ?? "").split("\n").flatMap((line) => {
        const found = /^tfd:\s+(\d+)\s+events:\s+([0-9a-f]+)/.exec(line);
        return found !== null && (Number.parseInt(found[2] ?? "", 16) & pollIn) !== 0 ? [Number(found[1])] : [];
      });
    default:
      return way satisfies never;
  }
}

/** An array of { int fd; short events; short revents }. */
function polled(pid: number, at: bigint, count: number): readonly number[] {
  const bytes = count > mostLooked || count === 0 ? null : peek(pid, at, count * 8);
  if (bytes === null) return [];
  const all = Array.from({ length: count }, (_, index) => index * 8);
  return all.filter((place) => (bytes.readInt16LE(place + 4) & pollIn) !== 0).map((place) => bytes.readInt32LE(place));
}

/** A bit for each descriptor. */
function selected(pid: number, count: number, at: bigint): readonly number[] {
  const bytes = at === 0n || count > 1_024 || count === 0 ? null : peek(pid, at, Math.ceil(count / 64) * 8);
  if (bytes === null) return [];
  const all = Array.from({ length: count }, (_, index) => index);
  return all.filter((each) => ((bytes[each >> 3] ?? 0) & (1 << (each & 7))) !== 0);
}

/** What a program's own runtime waits for beside everything else: its threads and signals. */
function isInternal(file: string, way: Way): boolean {
  return (
    way === "epoll" && (file.startsWith("anon_inode:") || file.startsWith("pipe:")) && file !== "anon_inode:inotify"
  );
}

function isTty(file: string): boolean {
  return file === "/dev/tty" || /^\/dev\/(?:pts\/|tty)\d+$/.test(file);
}

/** The leader's own input: it was given the terminal as that. */
function ttyOf(leader: number): string | null {
  const file = fileOf(leader, 0);
  return isTty(file) ? file : null;
}
