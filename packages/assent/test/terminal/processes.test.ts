import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "vitest";
import { markerName } from "../../src/runtime/ports.ts";
import { anySince, markerOf, processOf } from "../../src/terminal/processes.ts";

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

test("whether anything runs that was started since is told; what has ended does not count", async () => {
  const first = spawn("sleep", ["600"], { stdio: "ignore" });
  const second = spawn("sleep", ["600"], { stdio: "ignore" });
  expect(anySince(first.pid ?? 0)).toBe(true);
  for (const child of [second, first]) {
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  // Others start processes, too: sooner or later nobody does.
  const anyAfterEnded = async () => {
    const child = spawn("bash", ["-c", "true; /bin/true; true"], { stdio: "ignore" });
    await once(child, "exit");
    return anySince(child.pid ?? 0);
  };
  await expect.poll(anyAfterEnded, { timeout: 30_000 }).toBe(false);
});
