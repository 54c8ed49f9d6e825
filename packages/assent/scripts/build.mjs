// Makes dist: the library as tsc emits it (index.js, with types), the interaction contract and the policy as one file each with
// what they need of others (interaction.js, policy.js), and the command as one bundle (cli.js, and chunks/ for what it imports
// only when needed).
import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";

const root = dirname(import.meta.dirname);
const dist = join(root, "dist");
const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin", "tsc");

const common = {
  absWorkingDir: root,
  outdir: dist,
  bundle: true,
  format: "esm",
  target: "node24",
  // Names stay whole, for the sake of stack traces.
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: "none",
  charset: "utf8",
};

rmSync(dist, { recursive: true, force: true });
try {
  buildLibrary();
  await buildAlone();
  await buildCommand();
} catch (error) {
  // The launcher prefers dist to the source; half a build there would hide the source.
  rmSync(dist, { recursive: true, force: true });
  // Both compilers have reported by now; only what neither of them said is left to say.
  if (!("status" in error || "errors" in error)) throw error;
  process.exitCode = 1;
}

function buildLibrary() {
  execFileSync(process.execPath, [tsc, "--project", join(root, "tsconfig.build.json")], { stdio: "inherit" });
}

/** In the place of those that tsc wrote: a program that wants only one of them loads one file. */
async function buildAlone() {
  await build({ ...common, entryPoints: { interaction: "src/interaction.ts", policy: "src/policy.ts" } });
}

async function buildCommand() {
  for (const taken of ["cli.js", "chunks"]) {
    if (existsSync(join(dist, taken))) throw new Error(`dist/${taken} is the bundle's name, but tsc wrote it too`);
  }
  await build({
    ...common,
    entryPoints: { cli: "src/cli/main.ts" },
    chunkNames: "chunks/[name]-[hash]",
    splitting: true,
    platform: "node",
    // It finds its native file by its own place.
    external: ["@lydell/node-pty"],
  });
}
