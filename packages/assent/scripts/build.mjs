// Makes dist: the library as tsc emits it (index.js and testing.js, with types), the interaction contract and the policy as
// one file each with what they need of others (interaction.js, policy.js), the command as one bundle (cli.cjs), and the page
// that it serves (web/).
import { execFileSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { build } from "esbuild";
import { command } from "./bundle.ts";

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
  buildPage();
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

/** The page that the server serves, from its own package. */
function buildPage() {
  const build = join(root, "..", "web", "scripts", "build.mjs");
  execFileSync(process.execPath, [build, "--out", join(dist, "web")], { stdio: ["ignore", "ignore", "inherit"] });
}

/** In the place of those that tsc wrote: a program that wants only one of them loads one file. */
async function buildAlone() {
  await build({ ...common, entryPoints: { interaction: "src/interaction.ts", policy: "src/policy.ts" } });
}

async function buildCommand() {
  if (existsSync(join(dist, "cli.cjs"))) throw new Error("dist/cli.cjs is the bundle's name, but tsc wrote it too");
  // As small as it can be, and in ASCII, of which Node keeps a byte for a character: every command that is started costs the
  // time to copy what this process has for itself (ADR 19).
  await build({ ...common, ...command, minifyIdentifiers: true, charset: "ascii" });
}
