import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { killGroup, markerName } from "./kill.ts";
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
    const child: ChildProcess = spawn("bash", ["-c", command.command], {
      cwd: command.cwd,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    const killer = killWhenDue(child, command);
    // With too many files open there are not even pipes.
    child.once("error", (error) => {
      killer.cancel();
      resolve({ type: "not-started", reason: whyNot(command, error) });
    });
    const stdout = new Output();
    const stderr = new Output();
    child.stdout?.on("data", (part: Buffer) => command.onOutput("stdout", stdout.add(part)));
    child.stderr?.on("data", (part: Buffer) => command.onOutput("stderr", stderr.add(part)));
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
  // Without an exit there was no start, and the error says so.
  child.once("exit", (exit, signal) => {
    const done = () => {
      clearTimeout(drain);
      child.off("close", done);
      child.stdout?.destroy();
      child.stderr?.destroy();
      then(exit, signal);
    };
    const drain = setTimeout(done, drainMs);
    child.once("close", done);
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
    killGroup(pid, marker, "SIGTERM");
    last = setTimeout(() => killGroup(pid, marker, "SIGKILL"), graceMs[reason]);
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
      if (why !== "by-itself" && child.pid !== undefined) killGroup(child.pid, marker, "SIGKILL");
    },
  };
}

function whyNot({ cwd }: Command, error: Error): string {
  if (!existsSync(cwd)) return `the command was not started: the folder ${cwd} does not exist`;
  return `the command was not started: ${error.message}`;
}
