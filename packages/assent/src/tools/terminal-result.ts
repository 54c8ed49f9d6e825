import { constants } from "node:os";
import { join } from "node:path";
import type { ToolResult } from "../core/index.ts";
import {
  changedFiles,
  type Ended,
  type Finished,
  type Killed,
  type LentEnded,
  type ShellEnded,
} from "../terminal/index.ts";

export type RanIn = {
  /** The session's folder. */
  readonly folder: string;
  readonly cwd: string;
  readonly since: number;
  readonly timeout_s: number;
  /** Without what was typed as a secret. */
  readonly hide: (text: string) => string;
  /** The shell before this one was lost. */
  readonly lost: boolean;
};

const lostWith = ", without the variables and functions of the one before";

/** What the model reads of a command, and what the session notes of it (TERM-3). */
export async function onceResult(ended: Ended, ran: RanIn): Promise<ToolResult> {
  if (ended.type === "not-started") return { type: "error", text: ended.reason };
  return { ...resultOf(ended, ran, []), ...(await filesOf(ran)) };
}

/** Of a command that had the person's terminal: how it ended, and what it changed. */
export async function lentResult(ended: LentEnded, ran: RanIn): Promise<ToolResult> {
  if (ended.type === "not-started") return { type: "error", text: ended.reason };
  const { exit, killed, durationMs, processes } = ended;
  const notes = [
    "it had the terminal for itself; its output is not kept",
    killed === null ? "" : ["stopped", describeKilled(killed)].filter((part) => part !== "").join("; "),
    runsOnNote(processes),
  ];
  const told = notes.filter((note) => note !== "").map((note) => `[${note}]`);
  return {
    type: "output",
    text: told.join("\n"),
    ...(exit.exit === null ? {} : { exit: exit.exit }),
    ...(exit.signal === null ? {} : { signal: exit.signal }),
    duration_ms: durationMs,
    ...(await filesOf(ran)),
  };
}

function runsOnNote(processes: readonly { readonly name: string; readonly pid: number }[]): string {
  if (processes.length === 0) return "";
  const named = processes.map(({ name, pid }) => `${name} (${pid})`).join(", ");
  return `runs on in the background: ${named}; the tool process reads, waits for or kills it`;
}

export async function shellResult(ended: ShellEnded, ran: RanIn): Promise<ToolResult> {
  if (ended.type === "not-started") return { type: "error", text: ended.reason };
  const { opened, alive, cwd, deleted } = ended;
  const notes = [
    opened ? `a ${ran.lost ? "new " : ""}persistent shell was opened in ${ran.cwd}${ran.lost ? lostWith : ""}` : "",
    deleted === null ? "" : `the shell's folder ${deleted} is gone; it went to ${cwd}`,
    alive ? "" : `the persistent shell has ended; with the next command a new one opens in ${cwd}${lostWith}`,
  ];
  return { ...resultOf(ended, ran, notes), cwd, ...(await filesOf(ran)) };
}

export function closedResult(closed: { readonly cwd: string; readonly killed: Killed } | null): ToolResult {
  if (closed === null) return { type: "output", text: "no persistent shell is open; there is nothing to close" };
  const { cwd, killed } = closed;
  const told = describeKilled(killed);
  return {
    type: "output",
    text: joined(`the persistent shell is closed; it was in ${cwd}`, told === "" ? "" : `[${told}]`),
  };
}

export function describeKilled({ ended, left }: Killed): string {
  const gone = ended.length === 0 ? "" : `killed: ${ended.join(", ")}`;
  const survivors = left.length === 0 ? "" : `could not be ended: ${left.join(", ")}`;
  return [gone, survivors].filter((part) => part !== "").join("; ");
}

function resultOf(finished: Finished, ran: RanIn, notes: readonly string[]): ToolResult {
  const { why, durationMs } = finished;
  const exit = exitOf(finished);
  const told = [...notesOf(finished, ran), ...notes].filter((note) => note !== "").map((note) => `[${note}]`);
  return {
    type: why === "timeout" || why === "no-input" ? "error" : "output",
    text: joined(outputOf(finished), told.join("\n")),
    ...(exit.exit === null ? {} : { exit: exit.exit }),
    ...(exit.signal === null ? {} : { signal: exit.signal }),
    duration_ms: durationMs,
  };
}

/** A shell tells of a signal by a number; when something was killed, it is known to be one. */
function exitOf({ exit, killed }: Finished): Finished["exit"] {
  if (killed === null || exit.exit === null) return exit;
  const number = exit.exit - 128;
  const signal = Object.entries(constants.signals).find(([, value]) => value === number)?.[0];
  return signal === undefined ? exit : { exit: null, signal };
}

function outputOf({ output: { stdout, stderr } }: Finished): string {
  return joined(stdout.text, stderr.text === "" ? "" : `stderr:\n${stderr.text}`);
}

/** The second begins a line of its own. */
export function joined(first: string, second: string): string {
  return first === "" || first.endsWith("\n") || second === "" ? first + second : `${first}\n${second}`;
}

const ends = {
  "by-itself": "",
  timeout: "timed out",
  aborted: "stopped",
  "no-input": "it waited for input, and nobody gave it",
};

function notesOf({ why, killed, exit, output, typed, left }: Finished, { timeout_s }: RanIn): readonly string[] {
  const silent = output.stdout.bytes + output.stderr.bytes === 0;
  // Whether it wanted to read cannot be told: but it is worth a thought when nothing came of it.
  const input = why === "by-itself" && !typed && (silent || exit.exit !== 0);
  const isUnknown = why === "by-itself" && exit.exit === null && exit.signal === null;
  return [
    [silent ? "no output" : "", input ? "stdin was empty: nobody can type here" : ""].filter(Boolean).join("; "),
    why === "timeout" ? `timed out after ${timeout_s} s` : ends[why],
    isUnknown ? "how it ended is not known: what had started it was killed" : "",
    killed === null ? "" : describeKilled(killed),
    runsOnNote(left?.processes ?? []),
  ];
}

async function filesOf({ folder, cwd, since, hide }: RanIn): Promise<Pick<ToolResult, "files" | "more_files">> {
  const here = await changedFiles({ roots: [folder], since });
  // Names are told from the session's folder, those outside of it in full.
  const inside = cwd === folder || cwd.startsWith(`${folder}/`);
  const there = inside ? { files: [], more: false } : await changedFiles({ roots: [cwd], since });
  const files = [...here.files, ...there.files.map((file) => join(cwd, file))].map(hide);
  return { ...(files.length === 0 ? {} : { files }), ...(here.more || there.more ? { more_files: true } : {}) };
}
