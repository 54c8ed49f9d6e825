import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Task } from "./worker.ts";

const worker = join(import.meta.dirname, "worker.ts");

/** How to start a worker: its command line, for whoever puts another program around it. */
export function workerCommand(task: Task): readonly [string, ...string[]] {
  return [process.execPath, worker, JSON.stringify(task)];
}

/** A worker that has been started, and what it says line by line. */
export type Child = {
  readonly process: ChildProcessWithoutNullStreams;
  readonly said: readonly string[];
  nextLine(): Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: string | null; readonly errors: string }>;
};

export function startWorker(task: Task, options: { readonly uid?: number } = {}): Child {
  const [command, ...argv] = workerCommand(task);
  return started(spawn(command, argv, options));
}

export function started(child: ChildProcessWithoutNullStreams): Child {
  const lines: string[] = [];
  const waiting: ((line: string) => void)[] = [];
  let given = 0;
  let rest = "";
  let errors = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\n");
    rest = parts.pop() ?? "";
    lines.push(...parts);
    while (given < lines.length && waiting.length > 0) waiting.shift()?.(lines[given++] ?? "");
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    errors += text;
  });
  const ended = once(child, "close").then(([code, signal]) => {
    // Whoever still waits learns that there is nothing to come.
    for (const one of waiting.splice(0)) one("");
    return { code, signal, errors };
  });
  const nextLine = (): Promise<string> =>
    given < lines.length ? Promise.resolve(lines[given++] ?? "") : new Promise((resolve) => waiting.push(resolve));
  return { process: child, said: lines, nextLine, ended };
}

/** What a worker says in all, started inside the given command if there is one. */
export function askWorker(task: Task, around: readonly string[] = [], options: { readonly uid?: number } = {}): string {
  const [command = "", ...argv] = [...around, ...workerCommand(task)];
  const { stdout, stderr, status, signal } = spawnSync(command, argv, { ...options, encoding: "utf8" });
  return status === 0 ? stdout.trimEnd() : `ended with ${status ?? signal}: ${stderr}`;
}

/** A mount of its own for one command and what it starts; it goes away with them. */
export function insideTmpfs(at: string, options: string): readonly string[] {
  const script = 'mount -t tmpfs -o "$1" none "$2" && shift 2 && exec "$@"';
  return ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", script, "sh", options, at];
}

export function canMount(): boolean {
  const at = mkdtempSync(join(tmpdir(), "assent-mount-"));
  const [command = "", ...argv] = [...insideTmpfs(at, "size=64k"), "true"];
  const { status } = spawnSync(command, argv);
  rmSync(at, { recursive: true });
  return status === 0;
}
