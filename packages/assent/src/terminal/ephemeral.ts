import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { WatchedCall } from "../runtime/ports.ts";
import { messageOf } from "../wire/index.ts";
import type { Captured } from "./capture.ts";
import { Channel } from "./channel.ts";
import { CommandFile } from "./command-file.ts";
import { type Family, graceMs, type Killed, killFamily, membersOf } from "./kill.ts";
import { oversee, type Why } from "./oversee.ts";
import {
  beganBefore,
  holdersOf,
  type Moment,
  momentBefore,
  mostShortMs,
  type Process,
  processesSince,
  processOf,
} from "./processes.ts";
import { startBySpawner } from "./spawner.ts";
import { type Exit, findPty, type Started, type Starting, startOnTty, startPlain } from "./start.ts";
import { type Flowing, type StreamName, Streams } from "./streams.ts";

export type Command = {
  readonly command: string;
  readonly cwd: string;
  readonly marker: string;
  readonly timeoutMs: number;
  readonly watched: Pick<WatchedCall, "signal" | "ask" | "attended">;
  readonly env: NodeJS.ProcessEnv;
  /** How long is left before what was asked to end is killed, given the whole grace. */
  readonly grace: (ms: number) => () => number;
} & Flowing;

export type Ended = { readonly type: "not-started"; readonly reason: string } | ({ readonly type: "ended" } & Finished);

export type Finished = {
  readonly why: Why;
  readonly exit: Exit;
  readonly killed: Killed | null;
  readonly output: Readonly<Record<StreamName, Captured>>;
  /** Whether it could be typed to. */
  readonly typed: boolean;
  readonly durationMs: number;
  readonly left: Leftover | null;
};

/** What a command has left running. */
export type Leftover = {
  readonly family: Family;
  readonly processes: readonly Process[];
  readonly streams: Streams;
  /** To be called when nothing of it runs any more. */
  readonly end: () => void;
  /** To be called when some of it runs on without this process. */
  readonly leave: () => void;
};

/** A command that is ended before it has begun is looked for so often, and so far apart. */
const mostStartLooks = 50;
const startLookMs = 20;
/** How long the first process of a terminal, once killed, is waited for. */
const mostClosingMs = 500;
/** Longer commands are not given as an argument. */
const mostArgument = 64 * 1024;

/** Runs a command in a shell of its own; of the shell nothing is left. */
export async function runCommand(command: Command, shell: string): Promise<Ended> {
  const reason = whyNot(command);
  if (reason !== null) return { type: "not-started", reason };
  const opened = openFor(command);
  if ("reason" in opened) return { type: "not-started", reason: opened.reason };
  const { file, streams } = opened;
  try {
    const before = performance.now();
    const argv = file === null ? (["-c", command.command] as const) : ([file.path] as const);
    const started = await start(command, [shell, ...argv], streams);
    if ("reason" in started) {
      streams.end();
      return { type: "not-started", reason: started.reason };
    }
    return { type: "ended", ...(await finish(command, { started, before, streams })) };
  } finally {
    file?.close();
  }
}

type Opened = { readonly file: CommandFile | null; readonly streams: Streams };

/** What a command is started with: its outputs and, for a long one, a file that the shell reads it from. */
function openFor(command: Command): Opened | { readonly reason: string } {
  let file: CommandFile | null = null;
  try {
    // In bytes, as the system counts.
    if (Buffer.byteLength(command.command) > mostArgument) file = new CommandFile();
    file?.write(command.command);
    return { file, streams: new Streams(command) };
  } catch (error) {
    file?.close();
    return { reason: `the command was not started: ${messageOf(error)}` };
  }
}

/** What keeps a command from being started at all. */
export function whyNot({ cwd, watched }: Pick<Command, "cwd" | "watched">): string | null {
  if (watched.signal.aborted) return "the command was not started: it was stopped before";
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) return null;
  return `the command was not started: the folder ${cwd} does not exist`;
}

async function start(
  command: Command,
  argv: [string, ...string[]],
  { stdout, stderr }: Streams,
): Promise<Started | { readonly reason: string }> {
  const { cwd, env, marker, watched } = command;
  const starting = { argv, cwd, env, marker, stdout, stderr };
  try {
    const pty = watched.attended ? await findPty() : null;
    const reason = whyNot(command);
    if (reason !== null) return { reason };
    if (pty === null) return await startWithoutTty(command, starting);
    // There, a shell would look for it, and its failure would be one of the command.
    if (!isProgram(argv[0])) throw new Error(`there is no program ${argv[0]}`);
    return startOnTty(starting, pty);
  } catch (error) {
    return { reason: `the command was not started: ${messageOf(error)}` };
  }
}

async function startWithoutTty(command: Command, starting: Starting): Promise<Started | { readonly reason: string }> {
  const started = await startBySpawner(starting, command.watched.signal);
  if (started !== null) return started;
  // Meanwhile somebody may have stopped it.
  const reason = whyNot(command);
  return reason === null ? startPlain(starting) : { reason };
}

function isProgram(name: string): boolean {
  const folders = name.includes("/") ? [""] : (process.env["PATH"] ?? "").split(delimiter);
  return folders.some((folder) => {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

type Running = {
  readonly started: Started;
  /** A moment before its start. */
  readonly before: number;
  readonly streams: Streams;
};

async function finish(command: Command, { started, before, streams }: Running): Promise<Finished> {
  const { marker, timeoutMs, watched, grace } = command;
  if (started.tty === null) streams.closeWriters();
  const since = performance.now();
  const moment = started.begun ?? momentBefore(started.pid, before);
  Channel.prepare();
  const leader = started.tty === null ? {} : { keep: started.pid };
  const end = await oversee({
    // From when it was asked for: who starts it may be slow, or stopped.
    ...{ started, timeoutMs: timeoutMs - (since - before), signal: watched.signal, ask: watched.ask },
    ended: started.exited,
    ...{ streams, secrets: command.secrets },
    kill: (seen) => killStarted({ marker, seen: [...seen], ...leader }, started.exited, grace(graceMs)),
  });
  const durationMs = Math.round(performance.now() - since);
  streams.closeWriters();
  await streams.drained();
  const family = { marker, seen: end.seen, ...leader };
  const last = started.begun?.pid ?? started.pid;
  const left = end.killed === null ? leftOf(family, { before: moment, last, ranMs: durationMs }, streams) : null;
  const finished = { why: end.why, exit: end.exit, killed: end.killed, typed: started.tty !== null, durationMs };
  if (left !== null) {
    const ways = { end: () => started.end(), leave: () => started.leave() };
    return { ...finished, output: streams.taken(), left: { ...left, ...ways } };
  }
  started.end();
  // Who hears of the end finds nothing left; a machine that is busy takes a moment for that.
  if (started.tty !== null) await Promise.race([started.tty.closed, sleep(mostClosingMs, null, { ref: false })]);
  return { ...finished, output: streams.end(), left: null };
}

/**
 * The first process of a terminal stays to tell how the command ended. It may be about to start it: then there is nothing to
 * end yet, and what comes a moment later would run on.
 */
async function killStarted(family: Family, exited: Promise<Exit>, graceLeftMs: () => number): Promise<Killed> {
  for (let looks = 1; ; looks++) {
    const killed = await killFamily(family, graceLeftMs);
    const isDone =
      family.keep === undefined || killed.ended.length + killed.left.length > 0 || looks === mostStartLooks;
    if (isDone || (await Promise.race([exited.then(() => true), sleep(startLookMs, false)]))) return killed;
  }
}

/**
 * What runs on, found by the signs of a family and by who holds the outputs; only looked for when there can be any. A holder
 * that ran before was given them (a server by its client) and is no part of the command.
 */
export function leftOf(
  family: Family,
  { before, last, ranMs }: { readonly before: Moment; readonly last: number; readonly ranMs: number },
  streams: Streams,
): Omit<Leftover, "end" | "leave"> | null {
  // After a longer time, a look at all that runs is little in comparison.
  if (!streams.open && ranMs < mostShortMs && !hasLeft(family, last)) return null;
  const held = [streams.stdout, streams.stderr]
    .flatMap(({ file }) => holdersOf(file))
    .filter((holder) => holder.pid !== family.keep && !beganBefore(holder, before));
  const whole = { ...family, seen: [...family.seen, ...held] };
  const processes = membersOf(whole);
  return processes.length === 0 ? null : { family: whole, processes, streams };
}

/** Looked for only among what was started since: to look at all that runs on a machine takes many times as long as most commands. */
function hasLeft({ marker, seen, keep }: Family, last: number): boolean {
  const since = processesSince(last);
  if (since.length === 0) return false;
  // What has nothing of its own to be known by is known by its parent.
  const parents = keep === undefined ? [] : [processOf(keep) ?? []].flat();
  const signs = { marker, seen, ...(keep === undefined ? {} : { keep }) };
  return membersOf(signs, [...parents, ...since]).length > 0;
}
