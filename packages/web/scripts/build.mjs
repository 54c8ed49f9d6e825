// Makes the page: node packages/web/scripts/build.mjs --out <dir>. Prints how much a browser has to load, and fails above the bound.
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "vite";

/** Of all files together, as they travel. */
const mostBytes = 60_000;
const root = resolve(import.meta.dirname, "..");
const { values } = parseArgs({ options: { out: { type: "string", default: join(root, "dist") } } });
const outDir = resolve(values.out);

// Started where this says "test", the page would have the paths of this machine in it.
process.env.NODE_ENV = "production";

await build({
  root,
  configFile: false,
  logLevel: "warn",
  // The rest of Assent is read as source: nothing needs to be built before.
  resolve: { conditions: ["assent-source", "module", "browser", "production"] },
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    outDir,
    emptyOutDir: true,
    target: "es2023",
    // The colours are written for both themes at once, as these browsers read them.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // The page may load nothing that stands in a page itself: no inline scripts, no data in addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});

const files = readdirSync(outDir, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath, entry.name));
const total = files.reduce((sum, file) => sum + gzipSync(readFileSync(file), { level: 9 }).length, 0);
process.stdout.write(`page: ${files.length} files, ${total} bytes of gzip (at most ${mostBytes}) in ${outDir}\n`);
if (total > mostBytes) {
  process.stderr.write(`the page is too large: expected at most ${mostBytes} bytes of gzip, found ${total}\n`);
  process.exitCode = 1;
}
