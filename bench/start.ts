// What starting costs on this machine: a bare node, the command from where it is (bundle or source), the schema library.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { median } from "./median.ts";

const root = join(import.meta.dirname, "..");
const launcher = join(root, "packages", "assent", "bin", "assent.cjs");
const rounds = 21;

function medianOf(argv: readonly string[]): number {
  const times = Array.from({ length: rounds }, () => {
    const begin = performance.now();
    const { status } = spawnSync(process.execPath, argv, { cwd: root });
    if (status !== 0) throw new Error(`node ${argv.join(" ")} ended with ${status}`);
    return performance.now() - begin;
  });
  return median(times);
}

const bare = medianOf(["-e", "0"]);
const rows = {
  "node -e 0": bare,
  "assent --version": medianOf([launcher, "--version"]),
  "import valibot": medianOf(["--input-type=module", "-e", "await import('valibot')"]),
};
for (const [what, time] of Object.entries(rows)) {
  const over = time === bare ? "" : `${(time - bare).toFixed(1)} ms over a bare node`;
  process.stdout.write(`${what.padEnd(16)} ${`${time.toFixed(1)} ms`.padEnd(12)} ${over}\n`);
}
