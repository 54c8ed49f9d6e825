// Makes dist: the library (index.js, client.js and testing.js, with what they share in chunks/), the interaction contract and the
// policy as one file each with what they need of others (interaction.js, policy.js), the types of all of them, the command as
// one bundle (cli.cjs), the page that it serves (web/), and the licences of what is bundled. With --out, elsewhere.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { emitDeclarations } from "./api/emit.ts";
import { command, inAscii, library, smallest } from "./bundle.ts";
import { noticesOf } from "./notices.ts";
import { reachable } from "./reachable.ts";

const root = dirname(import.meta.dirname);
const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "dist") } } });
const dist = values.out;
/** The page is made of it, by another bundler. */
const pageLibrary = "../../node_modules/preact/package.json";
/** The files that went into the bundles. */
const bundled = new Set();

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
  buildTypes();
  await bundle({ ...common, ...library });
  // In one file each: a program that wants only one of them loads no other.
  await bundle({ ...common, entryPoints: { interaction: "src/interaction.ts", policy: "src/policy.ts" } });
  await bundle({ ...common, ...command, ...smallest });
  const program = join(dist, "cli.cjs");
  writeFileSync(program, inAscii(readFileSync(program, "utf8")));
  buildPage();
  writeFileSync(join(dist, "THIRD-PARTY.txt"), noticesOf([...bundled, pageLibrary], root));
} catch (error) {
  // The launcher prefers dist to the source; half a build there would hide the source.
  rmSync(dist, { recursive: true, force: true });
  // Both compilers have reported by now; only what neither of them said is left to say.
  if (!("status" in error || "errors" in error)) throw error;
  process.exitCode = 1;
}

/** Without those that no path of the package leads to. */
function buildTypes() {
  emitDeclarations(dist);
  const entries = ["index", "client", "interaction", "policy", "testing"];
  const needed = reachable(entries.map((entry) => join(dist, `${entry}.d.ts`)));
  const all = globSync("**/*.d.ts", { cwd: dist }).map((file) => join(dist, file));
  for (const file of all) if (!needed.has(file)) rmSync(file);
}

async function bundle(options) {
  const { metafile } = await build({ ...options, metafile: true });
  for (const file of Object.keys(metafile.inputs)) bundled.add(file);
}

/** The page that the server serves, from its own package. */
function buildPage() {
  const build = join(root, "..", "web", "scripts", "build.mjs");
  execFileSync(process.execPath, [build, "--out", join(dist, "web")], { stdio: ["ignore", "ignore", "inherit"] });
}
