import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { stopProcess } from "../../src/terminal/kill.ts";
import { Shell } from "../../src/terminal/persistent.ts";

const child = fileURLToPath(new URL("unending-child.ts", import.meta.url));
const isRoot = process.getuid?.() === 0;
const needsRoot = isRoot ? "" : " (skipped: only root can start what it then may not end)";

/** What it told; a process that still waits after 20 s waits for ever. */
async function toldBy(how: string): Promise<{ readonly code: number | null; readonly told: readonly unknown[] }> {
  const ran = spawn(process.execPath, [child, how], { stdio: ["ignore", "pipe", "inherit"], timeout: 20_000 });
  let text = "";
  ran.stdout.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  const code = await new Promise<number | null>((resolve) => {
    ran.once("close", resolve);
  });
  const words: unknown = JSON.parse(text || "[]");
  const [pid, ...told] = Array.isArray(words) ? words : [];
  if (typeof pid === "number") process.kill(pid, "SIGKILL");
  return { code, told };
}

test.skipIf(!isRoot)(`to signal a command that may not be signalled harms nobody${needsRoot}`, async () => {
  expect(await toldBy("plain")).toEqual({ code: 0, told: ["goes on"] });
});

test.skipIf(!isRoot)(`a shell that cannot be ended is not waited for when it is closed${needsRoot}`, async () => {
  expect(await toldBy("close")).toEqual({ code: 0, told: [{ ended: [], left: ["the shell"] }, false] });
});

test.skipIf(!isRoot)(`nor when its command is ended${needsRoot}`, async () => {
  const told = [
    { why: "timeout", exit: { exit: null, signal: null }, killed: { ended: [], left: ["the shell"] }, alive: false },
  ];
  expect(await toldBy("run")).toEqual({ code: 0, told });
});

test("a shell that was left may end later", async () => {
  const shell = await Shell.open({ cwd: "/", env: process.env, marker: `left-${process.pid}/c`, attended: false });
  // One that is left is stopped before.
  stopProcess(shell.pid);
  shell.leave();
  process.kill(shell.pid, "SIGKILL");
  expect(await shell.exited).toEqual({ exit: null, signal: "SIGKILL" });
});
