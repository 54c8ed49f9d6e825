import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { killMarked, markerName } from "./kill.ts";
import { Output } from "./output.ts";

/** Between asking a command to end and ending it. */
const graceMs = { timeout: 2_000, aborted: 200 };
/** A background child may hold the pipes open: this long after the command ended, what it wrote has arrived. */
const drainMs = 100;

export type Command = {
  readonly command: string;
  readonly cwd: string;
  readonly marker: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  readonly onOutput: (stream: "stdout" | "stderr", text: string) => void;
};

export type Ended =
  | { readonly type: "not-started"; readonly reason: string }
  | {
      readonly type: "ended";
      readonly why: "by-itself" | "timeout" | "aborted";
      readonly stdout: string;
      readonly stderr: string;
      readonly exit: number | null;
      readonly signal: NodeJS.Signals | null;
    };

/** Runs a command in a shell of its own, in a session of its own: no terminal, no input, and a group that can be killed. */
export function runCommand(command: Command): Promise<Ended> {
  return new Promise((resolve) => {
    const env = { ...environment(), [markerName]: command.marker };
    const child = spawn("bash", ["-c", command.command], {
      cwd: command.cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const stdout = new Output();
    const stderr = new Output();
    child.stdout.on("data", (part: Buffer) => command.onOutput("stdout", stdout.add(part)));
    child.stderr.on("data", (part: Buffer) => command.onOutput("stderr", stderr.add(part)));
    const killer = killWhenDue(child, command);
    child.once("error", (error) => {
      killer.cancel();
      resolve({ type: "not-started", reason: whyNot(command, error) });
    });
    whenEnded(child, (exit, signal) => {
      killer.cancel();
      resolve({ type: "ended", why: killer.why(), stdout: stdout.end(), stderr: stderr.end(), exit, signal });
    });
  });
}

let inherited: NodeJS.ProcessEnv | undefined;

/** Copied once: reading it from the system takes a tenth of a millisecond. */
function environment(): NodeJS.ProcessEnv {
  inherited ??= { ...process.env };
  return inherited;
}

function whenEnded(child: ChildProcess, then: (exit: number | null, signal: NodeJS.Signals | null) => void): void {
  let drain: NodeJS.Timeout | undefined;
  child.once("exit", (exit, signal) => {
    drain = setTimeout(() => {
      child.stdout?.destroy();
      child.stderr?.destroy();
      then(exit, signal);
    }, drainMs);
  });
  child.once("close", (exit, signal) => {
    clearTimeout(drain);
    // Without an exit there was no start: the error says so.
    if (drain !== undefined) then(exit, signal);
  });
}

/** Ends the command when its time is over or someone says so: first politely, then not. */
function killWhenDue(child: ChildProcess, { marker, timeoutMs, signal }: Command) {
  let why: "by-itself" | "timeout" | "aborted" = "by-itself";
  let last: NodeJS.Timeout | undefined;
  function end(reason: "timeout" | "aborted"): void {
    if (why !== "by-itself" || child.pid === undefined) return;
    why = reason;
    const { pid } = child;
    killMarked(pid, marker, "SIGTERM");
    last = setTimeout(() => killMarked(pid, marker, "SIGKILL"), graceMs[reason]);
  }
  const onAbort = () => end("aborted");
  const timer = setTimeout(() => end("timeout"), timeoutMs);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  return {
    why: () => why,
    cancel(): void {
      clearTimeout(timer);
      clearTimeout(last);
      signal.removeEventListener("abort", onAbort);
      // The command has ended; what it left behind when it was killed has not.
      if (why !== "by-itself" && child.pid !== undefined) killMarked(child.pid, marker, "SIGKILL");
    },
  };
}

function whyNot({ cwd }: Command, error: Error): string {
  if (!existsSync(cwd)) return `the command was not started: the folder ${cwd} does not exist`;
  return `the command was not started: ${error.message}`;
}
