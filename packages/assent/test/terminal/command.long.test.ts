import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { killMarked, runCommand } from "../../src/terminal/index.ts";
import { until } from "../e2e/product.ts";

const folder = mkdtempSync(join(tmpdir(), "assent-terminal-"));
afterAll(() => rmSync(folder, { recursive: true }));

function run(command: string, more: Partial<Parameters<typeof runCommand>[0]> = {}) {
  const marker = `test-${process.pid}/${Math.random()}`;
  const { signal } = new AbortController();
  return runCommand({ command, cwd: folder, marker, timeoutMs: 60_000, signal, onOutput: () => {}, ...more });
}

function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

/** Written by a command into this file, once it is there. */
async function pidIn(name: string): Promise<number> {
  return until(
    `${name} has a process id`,
    () => Number(readFileSync(join(folder, name), { encoding: "utf8", flag: "a+" })) || undefined,
  );
}

async function gone(pid: number): Promise<true> {
  return until(`process ${pid} is gone`, () => !isRunning(pid) || undefined);
}

test("a command gives its output, its errors and its exit code", async () => {
  expect(await run("echo out; echo err >&2; exit 3")).toEqual({
    ...{ type: "ended", why: "by-itself", stdout: "out\n", stderr: "err\n", exit: 3, signal: null },
  });
});

test("a command has no input and no terminal", async () => {
  expect(await run("cat; [ -t 0 ] || echo no terminal; : < /dev/tty")).toMatchObject({
    stdout: "no terminal\n",
    stderr: expect.stringContaining("/dev/tty"),
  });
});

test("of a flood the beginning and the end are kept, and how much is missing is said", async () => {
  const ended = await run("seq 1 2000000");
  if (ended.type !== "ended") throw new Error("it was not started");
  expect(ended.stdout.length).toBeLessThan(40_000);
  expect(ended.stdout).toMatch(/^1\n2\n3\n[\s\S]*\n\[… \d+ characters left out …\]\n[\s\S]*\n1999999\n2000000\n$/);
});

test("a character that comes in two parts is one character", async () => {
  const ended = await run("printf '\\342\\202'; sleep 0.2; printf '\\254'");
  expect(ended).toMatchObject({ stdout: "€" });
});

test("a background child that holds the pipe does not hold the call", async () => {
  const ended = await run("sleep 60 & echo $! > background; echo started");
  expect(ended).toMatchObject({ why: "by-itself", stdout: "started\n", exit: 0 });
  const pid = await pidIn("background");
  expect(isRunning(pid)).toBe(true);
  process.kill(pid, "SIGKILL");
});

test("a command whose time is over is ended with all that it started, also what left its group", async () => {
  const command = "setsid sleep 61 & echo $! > left; sleep 62 & echo $! > stayed; wait";
  expect(await run(command, { timeoutMs: 500 })).toMatchObject({ why: "timeout", signal: "SIGTERM" });
  await gone(await pidIn("left"));
  await gone(await pidIn("stayed"));
});

test("one that does not listen is killed", async () => {
  const controller = new AbortController();
  const ended = run("trap '' TERM; echo $$ > deaf; while :; do sleep 0.05; done", { signal: controller.signal });
  const pid = await pidIn("deaf");
  controller.abort();
  expect(await ended).toMatchObject({ why: "aborted", signal: "SIGKILL" });
  await gone(pid);
});

test("what carries the mark of a session is found by it", async () => {
  const marker = `closing-${process.pid}/t1c1`;
  await run("sleep 63 & echo $! > marked", { marker });
  const pid = await pidIn("marked");
  killMarked(`another-${process.pid}/`, "SIGKILL");
  expect(isRunning(pid)).toBe(true);
  killMarked(`closing-${process.pid}/`, "SIGKILL");
  await gone(pid);
});

test("a folder that is gone is told as that", async () => {
  const reason = `the command was not started: the folder ${join(folder, "none")} does not exist`;
  expect(await run("true", { cwd: join(folder, "none") })).toEqual({ type: "not-started", reason });
});
