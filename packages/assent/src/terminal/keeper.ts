import { spawn } from "node:child_process";
import { readdirSync, readlinkSync } from "node:fs";
import { markerName } from "../runtime/ports.ts";
import { type Known, processOf } from "./processes.ts";

/**
 * Holds what a process needs that is to outlive this one: somebody who reads its outputs, without whom writing would end it,
 * and its terminal, without which it would be hung up on. It ends when the process has.
 */
const script = [
  'exec 3<>"$2" 4<>"$3"',
  "cat <&3 >/dev/null & one=$!",
  "cat <&4 >/dev/null & other=$!",
  "echo ready; exec >/dev/null",
  // Its parent may be a shell that is stopped, and takes no note of its end.
  'while kill -0 "$1" && ! grep -q "^State:.*Z" "/proc/$1/status"; do sleep 2; done',
  'kill "$one" "$other"',
].join("\n");

const lookMs = 50;

/** Until somebody else holds what the process needs. */
export function keepRunning({ pid }: Known, outputs: readonly [string, string]): Promise<void> {
  const { [markerName]: _marker, ...env } = process.env;
  // It must not be found as one of the session's own.
  const child = spawn("sh", ["-c", script, "sh", String(pid), ...outputs], {
    ...{ env, cwd: "/", detached: true },
    stdio: ["ignore", "pipe", "ignore", ...masters()],
  });
  child.unref();
  return new Promise((resolve) => {
    child.stdout?.once("data", () => {
      child.stdout?.destroy();
      resolve();
    });
    // Without one, the process may end with this one: it is kept as far as it can be.
    child.once("error", () => resolve());
    child.once("exit", () => resolve());
  });
}

/** The first process of its terminal: when that ends, the system hangs up on all the others. */
export function terminalLeader({ pid }: Known): number | null {
  const found = processOf(pid);
  if (found === null || found.foreground < 0 || found.session === pid) return null;
  return found.session;
}

let leaves = false;

/**
 * The library that has made a terminal waits for the end of its first process, in a way that keeps this process alive. So it
 * is ended as soon as it has said with what code it will.
 */
export function leaveWithCode(): void {
  if (leaves) return;
  leaves = true;
  // The one that stands until then says that it never came to an end.
  const { exitCode: before } = process;
  setInterval(() => {
    if (process.exitCode !== before) process.exit();
  }, lookMs).unref();
}

/** The terminals that this process has made; those that nobody uses are no loss. */
function masters(): readonly number[] {
  try {
    return readdirSync("/proc/self/fd").flatMap((name) => (isMaster(name) ? [Number(name)] : []));
  } catch {
    return [];
  }
}

function isMaster(descriptor: string): boolean {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`).endsWith("/ptmx");
  } catch {
    // It was closed meanwhile.
    return false;
  }
}
