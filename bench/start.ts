// What starting costs on this machine: a bare node, the command from where it is (bundle or source), the schema library, the
// shell parser; and what importing the interaction contract or the policy costs a program, as they are published.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { pathToFileURL } from "node:url";
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

/** Measured inside the process: from the import to what it gives, and on to the first use. */
function importing(file: string, use: string): { readonly imported: number; readonly used: number } {
  const program = `
    const begin = performance.now();
    const found = await import(${JSON.stringify(pathToFileURL(file).href)});
    const imported = performance.now();
    ${use};
    console.log(JSON.stringify([imported - begin, performance.now() - imported]));`;
  const times = Array.from({ length: rounds }, () => {
    const { stdout } = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
    const [imported = Number.NaN, used = Number.NaN]: readonly number[] = JSON.parse(stdout);
    return { imported, used };
  });
  return { imported: median(times.map((each) => each.imported)), used: median(times.map((each) => each.used)) };
}

const bare = medianOf(["-e", "0"]);
const rows = {
  "node -e 0": bare,
  "assent --version": medianOf([launcher, "--version"]),
  "import valibot": medianOf(["--input-type=module", "-e", "await import('valibot')"]),
  "import unbash": medianOf(["--input-type=module", "-e", "await import('unbash')"]),
};
for (const [what, time] of Object.entries(rows)) {
  const over = time === bare ? "" : `${(time - bare).toFixed(1)} ms over a bare node`;
  process.stdout.write(`${what.padEnd(16)} ${`${time.toFixed(1)} ms`.padEnd(12)} ${over}\n`);
}

function published(entry: string, first: string, use: string): void {
  const file = join(root, "packages", "assent", "dist", `${entry}.js`);
  if (!existsSync(file)) {
    process.stdout.write(`import assent/${entry}: not measured; npm run build makes what is published\n`);
    return;
  }
  const { imported, used } = importing(file, use);
  process.stdout.write(`import assent/${entry}  ${imported.toFixed(1)} ms; ${first} ${used.toFixed(1)} ms\n`);
}

const answer = "I fixed the parser and added three tests. All 210 tests pass now, and the lint is clean.";
const text = JSON.stringify(`${answer} `.repeat(6).trim());
published("interaction", "its first check of a text", `found.findSoftOffer(${text})`);
const place = JSON.stringify({ cwd: "/home/ada/shop", home: "/home/ada", platform: "linux", root: "/home/ada/shop" });
published("policy", "its first verdict", `found.judgeCommand("npm test && git status --short", ${place})`);
