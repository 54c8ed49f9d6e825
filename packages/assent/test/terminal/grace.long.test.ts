import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect } from "vitest";
import { fixedGrace, killFamily } from "../../src/terminal/kill.ts";
import { processOf } from "../../src/terminal/processes.ts";
import { verifies } from "../requirements/verifies.ts";

const started: number[] = [];

afterEach(() => {
  for (const pid of started.splice(0)) {
    try {
      process.kill(-pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
});

/** Until the last of its own has become the program that it is to be. */
const settled = 'until [ "$(< /proc/$!/comm)" = sleep ]; do sleep 0.01; done; echo ready';

/** What leads a process that has said that it is ready. */
async function family(script: string) {
  const child = spawn("bash", ["-c", script], { detached: true, stdio: ["ignore", "pipe", "ignore"] });
  const pid = child.pid ?? 0;
  started.push(pid);
  await once(child.stdout, "data");
  const leader = processOf(pid);
  if (leader === null) throw new Error("it has ended before it could be killed");
  return { marker: null, seen: [leader] };
}

/** As many looks as this have some of the grace left. */
function graceOf(looks: number): { readonly left: () => number; readonly used: () => number } {
  let used = 0;
  return {
    left() {
      used += 1;
      return used > looks ? 0 : 1;
    },
    used: () => used,
  };
}

verifies("TERM-4", "where all that is to end ignores SIGTERM, the grace is not waited for", async () => {
  const deaf = await family(`trap '' TERM; sleep 600 & ${settled}; wait`);
  // Longer than a test may take.
  const killed = await killFamily(deaf, fixedGrace(600_000));
  expect(killed.ended.map((name) => name.split(" ")[0]).sort()).toEqual(["bash", "sleep"]);
  expect(killed.left).toEqual([]);
});

verifies("TERM-4", "where one of them hears SIGTERM and goes on, all have the whole grace", async () => {
  const grace = graceOf(5);
  const killed = await killFamily(
    await family(`trap : TERM; (trap '' TERM; exec sleep 600) & ${settled}; while :; do wait; done`),
    grace.left,
  );
  expect(killed.ended.map((name) => name.split(" ")[0]).sort()).toEqual(["bash", "sleep"]);
  expect(grace.used()).toBeGreaterThan(5);
});

verifies("TERM-4", "what ignores SIGTERM has the time that another needs to end because of it", async () => {
  const grace = graceOf(1_000);
  await killFamily(
    await family("trap '' TERM; (trap 'exit 0' TERM; while :; do sleep 0.02; done) & echo ready; wait; exit 3"),
    grace.left,
  );
  expect(grace.used()).toBeLessThan(1_000);
});
