// Assent beside other agents: `npm run beside -- <folder of the harness> [peer...]` measures, then writes bench/RESULTS.md and
// its plots. The harness plays the model; it is not part of this repository. BENCH_PEERS and BENCH_OUT say where peers are
// installed and results kept, BENCH_RUNS how often. Results are added to those of before: `--report` only writes them down.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { machine, resultsPage } from "./page.ts";
import { linesOf, plotBars, plotLines } from "./plot.ts";
import { readResults } from "./results.ts";

const root = join(import.meta.dirname, "..", "..");
const args = process.argv.slice(2);
const reportOnly = args.includes("--report");
const [harness = "", ...peers] = args.filter((each) => each !== "--report");
const program = join(harness, "run");
if (harness === "" || !existsSync(program)) {
  process.stderr.write(
    `expected the folder of the harness, with a program "run" in it; came ${JSON.stringify(harness)}\n`,
  );
  process.exit(2);
}
const kept = join(homedir(), ".cache", "assent-beside");
const out = process.env["BENCH_OUT"] ?? join(kept, "out");
const env = {
  ...process.env,
  BENCH_PEERS: process.env["BENCH_PEERS"] ?? join(kept, "peers"),
  BENCH_OUT: out,
  BENCH_NODE: process.env["BENCH_NODE"] ?? process.execPath,
  ASSENT_BIN: join(root, "node_modules", ".bin", "assent"),
};

/** What is measured, in the order in which it is: the machine's own limits first. */
const steps = ["floor", "loop25", "loop200", "shell", "interrupt", "size"];
/** Each in a run of its own: what is left of a stop when the command had left its session. */
const escapes = join(import.meta.dirname, "escapes.ts");

function run(argv: readonly [string, ...string[]]): void {
  process.stdout.write(`\n== ${argv.join(" ")}\n`);
  const { status } = spawnSync(argv[0], argv.slice(1), { env, stdio: "inherit" });
  if (status !== 0) process.stdout.write(`(ended with ${status}; what was measured is kept)\n`);
}

/** All that the harness knows. */
function listed(): readonly string[] {
  const lines = execFileSync(program, ["list"], { env, encoding: "utf8" }).trim().split("\n");
  return lines.map((line) => line.split(" ")[0] ?? "");
}

const dist = join(root, "packages", "assent", "dist");
const built = existsSync(dist);

if (!reportOnly) {
  mkdirSync(out, { recursive: true });
  // What is shipped is measured. The command prefers it to the source: whoever had none does not want it to stay.
  run([process.execPath, join(root, "packages", "assent", "scripts", "build.mjs")]);
  // One by one: a release that cannot be installed on the day keeps no other from being measured.
  for (const peer of peers.length > 0 ? peers : listed()) run([program, "install", peer]);
  for (const step of steps) run([program, step, ...(step === "floor" ? [] : peers)]);
  // With nothing but loopback, as the harness does it.
  const shut = 'ip link set lo up; exec "$@"';
  run(["unshare", "-n", "bash", "-c", shut, "_", env.BENCH_NODE, escapes, harness, ...peers]);
  if (!built) rmSync(dist, { recursive: true, force: true });
}

const results = readResults(readFileSync(join(out, "results.jsonl"), "utf8"));
const plots = join(root, "bench", "plots");
rmSync(plots, { recursive: true, force: true });
mkdirSync(plots, { recursive: true });
writeFileSync(join(plots, "turns.svg"), plotLines("Cost of a turn over 200 turns", "ms", linesOf(results, "gaps")));
writeFileSync(
  join(plots, "requests.svg"),
  plotLines("Size of the request over 200 turns", "kB", linesOf(results, "bytes")),
);
writeFileSync(join(plots, "memory.svg"), plotBars("Most memory over 200 turns", "MB", results));
writeFileSync(join(root, "bench", "RESULTS.md"), resultsPage(results, machine(env.BENCH_NODE)));
process.stdout.write("wrote bench/RESULTS.md and bench/plots\n");
