import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { WatchedCall } from "../runtime/ports.ts";
import type { Captured } from "./capture.ts";
import { CommandFile } from "./command-file.ts";
import { type Family, graceMs, type Killed, killFamily, membersOf } from "./kill.ts";
import { oversee, type Why } from "./oversee.ts";
import { holdersOf, lastPid, markerName, type Process, processOf } from "./processes.ts";
import { type Exit, findPty, type Started, startOnTty, startPlain } from "./start.ts";
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
};

/** Longer commands are not given as an argument. */
const mostArgument = 64 * 1024;

/** Runs a command in a shell of its own; of the shell nothing is left. */
export async function runCommand(command: Command, shell: string): Promise<Ended> {
  const reason = whyNot(command);
  if (reason !== null) return { type: "not-started", reason };
  const file = command.command.length > mostArgument ? new CommandFile() : null;
  file?.write(command.command);
  const streams = new Streams(command);
  try {
    const argv = file === null ? (["-c", command.command] as const) : ([file.path] as const);
    const started = await start(command, [shell, ...argv], streams);
    return { type: "ended", ...(await finish(command, started, streams)) };
  } catch (error) {
    streams.end();
    const why = error instanceof Error ? error.message : String(error);
    return { type: "not-started", reason: `the command was not started: ${why}` };
  } finally {
    file?.close();
  }
}

/** What keeps a command from being started at all. */
export function whyNot({ cwd, watched }: Pick<Command, "cwd" | "watched">): string | null {
  if (watched.signal.aborted) return "the command was not started: it was stopped before";
  if (statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true) return null;
  return `the command was not started: the folder ${cwd} does not exist`;
}

async function start(command: Command, argv: [string, ...string[]], streams: Streams): Promise<Started> {
  const { cwd, marker, watched } = command;
  const starting = { argv, cwd, env: { ...command.env, [markerName]: marker }, ...streamsOf(streams) };
  const pty = watched.attended ? await findPty() : null;
  if (pty !== null) {
    // There, a shell would look for it, and its failure would be one of the command.
    if (!isProgram(argv[0])) throw new Error(`there is no program ${argv[0]}`);
    return startOnTty(starting, pty);
  }
  const started = await startPlain(starting);
  streams.closeWriters();
  return started;
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

function streamsOf({ stdout, stderr }: Streams) {
  return { stdout, stderr };
}

async function finish(command: Command, started: Started, streams: Streams): Promise<Finished> {
  const { marker, timeoutMs, watched, grace } = command;
  const since = performance.now();
  const leader = started.tty === null ? {} : { keep: started.pid };
  const end = await oversee({
    ...{ started, timeoutMs, signal: watched.signal, ask: watched.ask },
    ended: started.exited,
    ...{ streams, secrets: command.secrets },
    // The first process of a terminal stays to tell how the command ended.
    kill: (seen) => killFamily({ marker, seen: [...seen], ...leader }, grace(graceMs)),
  });
  const durationMs = Math.round(performance.now() - since);
  streams.closeWriters();
  await streams.drained();
  const family = { marker, seen: end.seen, ...leader };
  const left = end.killed === null ? leftOf(family, started.pid, streams) : null;
  const finished = { why: end.why, exit: end.exit, killed: end.killed, typed: started.tty !== null, durationMs };
  if (left !== null) return { ...finished, output: streams.taken(), left: { ...left, end: () => started.end() } };
  started.end();
  return { ...finished, output: streams.end(), left: null };
}

/** What runs on, found by the signs of a family and by who holds the outputs; only looked for when there can be any. */
export function leftOf(family: Family, lastKnownPid: number, streams: Streams): Omit<Leftover, "end"> | null {
  if (lastPid() === lastKnownPid && !streams.open) return null;
  const holders = streams.open ? [streams.stdout, streams.stderr].flatMap(({ file }) => holdersOf(file)) : [];
  const held = holders.filter((pid) => pid !== family.keep).flatMap((pid) => processOf(pid) ?? []);
  const whole = { ...family, seen: [...family.seen, ...held] };
  const processes = membersOf(whole);
  return processes.length === 0 ? null : { family: whole, processes, streams };
}
