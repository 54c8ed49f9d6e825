import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { markerName } from "../../src/runtime/ports.ts";
import { Channel } from "../../src/terminal/channel.ts";
import { holdersOf, markerOf, processesSince, processOf } from "../../src/terminal/processes.ts";
import { findPty } from "../../src/terminal/start.ts";

/** One process that becomes bash again, so many times. */
const becoming = 'n=$1; [ "$n" -gt 0 ] && exec bash -c "$0" "$0" $((n - 1)); sleep 600';

test("a process is known by its marker also while it becomes another program (TERM-4)", async () => {
  const env = { ...process.env, [markerName]: "becoming/c1" };
  const child = spawn("bash", ["-c", becoming, becoming, "400"], { env, stdio: "ignore" });
  const pid = child.pid ?? 0;
  let looks = 0;
  for (; processOf(pid)?.name !== "sleep"; looks++) expect(markerOf(pid)).toBe("becoming/c1");
  child.kill("SIGKILL");
  await once(child, "exit");
  expect(looks).toBeGreaterThan(400);
});

test("a process without any variable has no marker", async () => {
  const child = spawn("sleep", ["600"], { env: {}, stdio: "ignore" });
  expect(markerOf(child.pid ?? 0)).toBeNull();
  child.kill("SIGKILL");
  await once(child, "exit");
});

test("what was started since is told, and only that; what has ended is not", async () => {
  const [first, second, third] = [1, 2, 3].map(() => spawn("sleep", ["600"], { stdio: "ignore" }));
  const pids = [first?.pid ?? 0, second?.pid ?? 0, third?.pid ?? 0] as const;
  const since = (pid: number) => processesSince(pid).map((each) => each.pid);
  expect(since(pids[0])).toEqual(expect.arrayContaining([pids[1], pids[2]]));
  // So long ago that all are listed.
  expect(since(1)).toEqual(expect.arrayContaining([...pids]));
  second?.kill("SIGKILL");
  await once(second ?? process, "exit");
  expect(since(pids[0])).toContain(pids[2]);
  expect(since(pids[0])).not.toContain(pids[1]);
  // Should pids begin anew just here, it is all.
  if (pids[2] > pids[0]) expect(since(pids[0])).not.toContain(pids[0]);
  for (const child of [first, third]) child?.kill("SIGKILL");
});

test("what is just being started for another command holds the output of none, and whoever was given it does (TERM-5)", async () => {
  const pty = await findPty();
  const channel = Channel.open(() => {});
  const file = channel.file;
  const given = spawn("sleep", ["600"], { stdio: ["ignore", channel.writer, "ignore"] });
  for (let count = 0; count < 150; count++) {
    // It goes on at once, while the new process is a copy of this one for a moment.
    const terminal = pty?.spawn("true", [], { cols: 80, rows: 24, cwd: "/", env: {} });
    expect(holdersOf(file).map(({ pid }) => pid)).toEqual([given.pid]);
    await new Promise((resolve) => (terminal ? terminal.onExit(resolve) : resolve(null)));
  }
  given.kill("SIGKILL");
  await once(given, "exit");
  channel.close();
});
