// What starting costs on this machine: a bare node, the command from where it is (bundle or source), the schema library; and
// what importing the interaction contract costs a program, as it is published.
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
};
for (const [what, time] of Object.entries(rows)) {
  const over = time === bare ? "" : `${(time - bare).toFixed(1)} ms over a bare node`;
  process.stdout.write(`${what.padEnd(16)} ${`${time.toFixed(1)} ms`.padEnd(12)} ${over}\n`);
}

const interaction = join(root, "packages", "assent", "dist", "interaction.js");
if (existsSync(interaction)) {
  const answer = "I fixed the parser and added three tests. All 210 tests pass now, and the lint is clean.";
  const text = JSON.stringify(`${answer} `.repeat(6).trim());
  const { imported, used } = importing(interaction, `found.findSoftOffer(${text})`);
  process.stdout.write(
    `import assent/interaction  ${imported.toFixed(1)} ms; its first check of a text ${used.toFixed(1)} ms\n`,
  );
} else process.stdout.write("import assent/interaction: not measured; npm run build makes what is published\n");
