import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { until } from "../e2e/product.ts";

const made: string[] = [];
const pids: number[] = [];
afterEach(() => {
  for (const pid of pids.splice(0)) end(pid);
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

function end(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // As it should be.
  }
}

function isRunning(pid: number): boolean {
  return existsSync(`/proc/${pid}`) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
}

/** Writes all the time, to where nobody may read, and counts in a file. */
const writer = (name: string) =>
  `bash -c 'n=0; while sleep 0.02; do echo out; echo err >&2; n=$((n + 1)); echo $n >${name}; done'`;

describe.each(["alone", "attended"])("what a command left behind, %s,", (attended) => {
  test.each(["once", "persistent"])(
    "runs on when a person keeps it, run %s, after its session and that process",
    async (how) => {
      const folder = mkdtempSync(join(tmpdir(), "assent-keeping-"));
      made.push(folder);
      const command = `${writer("first")} & ${writer("second")} & sleep 0.2`;
      const child = fileURLToPath(new URL("./keeping-child.ts", import.meta.url));
      const { stdout, stderr } = spawnSync(process.execPath, [child, folder, attended, how, command], {
        ...{ encoding: "utf8", timeout: 20_000 },
      });
      expect(stderr).toBe("");
      const told = JSON.parse(stdout) as { pids: string[]; ended: string[] };
      const [kept = 0, other = 0] = told.pids.map(Number);
      pids.push(kept, other);
      expect(told.ended).toEqual([String(other)]);
      expect(isRunning(other)).toBe(false);
      expect(isRunning(kept)).toBe(true);
      const count = () => Number(readFileSync(join(folder, "first"), "utf8"));
      const before = count();
      // More than a pipe holds: somebody reads.
      await until("it has written more", () => count() > before + 20 || undefined);
      end(kept);
      await until("nobody holds anything for it", () => !isHeld(kept) || undefined);
    },
    30_000,
  );
});

/** Whether somebody still holds what the process needed. */
function isHeld(pid: number): boolean {
  const { stdout } = spawnSync("ps", ["-eo", "args"], { encoding: "utf8" });
  return stdout.split("\n").some((line) => line.includes(`ready; exec`) && line.includes(` ${pid} `));
}
