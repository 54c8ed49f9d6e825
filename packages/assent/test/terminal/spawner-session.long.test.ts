import { execFile } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Place } from "../../src/runtime/index.ts";
import { membersOf } from "../../src/terminal/kill.ts";
import { nobodyAnswers } from "../fixtures/nobody.ts";
import { actingTool, eagerTools } from "../tools/eager.ts";
import { waitingChild } from "./waiting-child.ts";

const folder = mkdtempSync(join(tmpdir(), "assent-spawned-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const { hands } = actingTool(eagerTools({ folder: join(folder, "spilled") }), "terminal");
let calls = 0;

function run(command: string, { session = "spawned", signal = new AbortController().signal, timeout_s = 60 } = {}) {
  calls += 1;
  const place: Place = { session, cwd: folder, terminal: { state: "never" }, seen: [] };
  return hands.run(hands.plan(JSON.stringify({ command, timeout_s }), place), {
    ...{ session, call: `c${calls}`, signal, attended: false, lend: null },
    ...{ onOutput: () => {}, tell: () => {}, ...nobodyAnswers },
  });
}

/** The first commands are started without one. */
async function spawnerIsThere(): Promise<void> {
  const parent = "tr '\\0' '\\n' </proc/$PPID/cmdline";
  for (let tries = 0; tries < 200; tries++) if ((await run(parent)).text.startsWith("assent-spawner")) return;
  throw new Error("no command was started by a spawner");
}

beforeAll(spawnerIsThere);

test("a command that kills the spawner runs to its end, and it is told that nobody knows how that was", async () => {
  const { text, exit, signal } = await run("kill -9 $PPID; sleep 0.2; echo on");
  expect([text, exit, signal]).toEqual([
    "on\n[stdin was empty: nobody can type here]\n[how it ended is not known: what had started it was killed]",
    undefined,
    undefined,
  ]);
  expect(await run("echo next")).toMatchObject({ text: "next\n", exit: 0 });
  await spawnerIsThere();
});

test("a session that is closed while its command is about to be started leaves nothing of it", async () => {
  for (let trial = 0; trial < 10; trial++) {
    const session = `closed-${process.pid}-${trial}`;
    const running = run("sleep 600", { session });
    await hands.close?.(session, []);
    expect(membersOf({ marker: `${session}/`, seen: [] })).toEqual([]);
    expect(await running).toMatchObject({ signal: "SIGTERM" });
  }
});

test("how a command ended is known though this process had no time to hear that it was started", async () => {
  await spawnerIsThere();
  const running = run("sleep 3; exit 3");
  // Longer than a spawner may take for its answer, which is there.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2_200);
  expect((await running).exit).toBe(3);
});

test("what a command leaves behind is found though its parent was the spawner", async () => {
  const { text } = await run("sleep 600 & disown; setsid sleep 600 & echo both", { session: "behind" });
  // One that has just begun may still bear the name of what starts it.
  expect(text).toMatch(/^both\n\[runs on in the background: \w+ \(\d+\), \w+ \(\d+\);/);
  await hands.close?.("behind", []);
  expect(membersOf({ marker: "behind/", seen: [] })).toEqual([]);
});

/** The spawner's pid, by the parent of a command. */
async function spawnerPid(): Promise<number> {
  await spawnerIsThere();
  return Number((await run("echo $PPID")).text);
}

test("a command that is stopped before the child of a spawner has heard of it never begins", async () => {
  const pid = await spawnerPid();
  process.kill(await waitingChild(pid), "SIGSTOP");
  const stopping = new AbortController();
  const running = run("touch began", { signal: stopping.signal });
  stopping.abort();
  const { type, text } = await running;
  expect([type, text]).toEqual(["error", "the command was not started: it was stopped before"]);
  expect(existsSync(join(folder, "began"))).toBe(false);
});

test("a command that stops the spawner comes to its end, also before its time is over", async () => {
  const pid = await spawnerPid();
  const { text } = await run(`kill -STOP ${pid}; echo done; exit 3`);
  expect(text).toContain("done\n");
  expect(text).toContain("[how it ended is not known: what had started it was killed]");
});

test("the time of a command counts from when it was asked for", async () => {
  const pid = await spawnerPid();
  process.kill(pid, "SIGSTOP");
  const { text } = await run("sleep 600", { timeout_s: 1 });
  expect(text).toContain("[timed out after 1 s]");
});

test("when the last session is closed no spawner is left, not even one that is dead and uncollected", async () => {
  const child = fileURLToPath(new URL("./closing-child.ts", import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [child, folder]);
  const { before, after } = JSON.parse(stdout);
  expect({ before: [...new Set(before)], after }).toEqual({ before: ["assent-spawner"], after: [] });
});
