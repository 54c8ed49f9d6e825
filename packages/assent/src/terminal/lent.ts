import { spawn } from "node:child_process";
import { markerName } from "../runtime/ports.ts";
import { messageOf } from "../wire/index.ts";
import { type Command, whyNot } from "./ephemeral.ts";
import { graceMs, type Killed, killFamily, membersOf } from "./kill.ts";
import { type Process, processOf } from "./processes.ts";
import type { Exit } from "./start.ts";

export type LentCommand = Pick<Command, "command" | "cwd" | "env" | "marker" | "grace"> & {
  readonly signal: AbortSignal;
};

export type LentEnded =
  | { readonly type: "not-started"; readonly reason: string }
  | {
      readonly type: "ended";
      readonly exit: Exit;
      readonly killed: Killed | null;
      readonly durationMs: number;
      /** What runs on. */
      readonly processes: readonly Process[];
    };

/**
 * Runs a command on the person's own terminal, as their shell would: it reads what is typed there and writes what is seen, and
 * nothing of that is kept. There is no time-out; the person is there.
 */
export async function runLent(command: LentCommand, shell: string): Promise<LentEnded> {
  const { cwd, env, marker, signal, grace } = command;
  const reason = whyNot({ cwd, watched: { ...nobody, signal } });
  if (reason !== null) return { type: "not-started", reason };
  const since = performance.now();
  const child = spawn(shell, ["-c", command.command], { cwd, env: { ...env, [markerName]: marker }, stdio: "inherit" });
  const known = child.pid === undefined ? null : processOf(child.pid);
  const family = { marker, seen: known === null ? [] : [known] };
  let killing: Promise<Killed> | null = null;
  const onAbort = () => {
    killing ??= killFamily(family, grace(graceMs));
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    const exit = await new Promise<Exit>((resolve, reject) => {
      child.once("exit", (code, by) => resolve({ exit: code, signal: by }));
      child.once("error", reject);
    });
    const killed = await killing;
    const durationMs = Math.round(performance.now() - since);
    return { type: "ended", exit, killed, durationMs, processes: killed === null ? membersOf(family) : [] };
  } catch (error) {
    return {
      type: "not-started",
      reason: `the command was not started: ${messageOf(error)}`,
    };
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

const nobody = { attended: false, ask: async () => null };
