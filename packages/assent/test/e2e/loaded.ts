import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect } from "vitest";
import type { Place } from "./product.ts";

const source = join(import.meta.dirname, "..", "..", "src");

/** What the command loads from start to end, from source: files by their path in src, and modules of Node. */
export function loaded(place: Place, argv: readonly string[]): readonly string[] {
  const [hook, start, list] = [place.file("hook.mjs"), place.file("start.mjs"), place.file("list")];
  writeFileSync(
    hook,
    `import { writeFileSync } from "node:fs";
     import { registerHooks } from "node:module";
     const found = new Set();
     registerHooks({
       resolve(specifier, context, next) {
         const resolved = next(specifier, context);
         found.add(resolved.url);
         return resolved;
       },
     });
     process.on("exit", () => writeFileSync(${JSON.stringify(list)}, [...found].join("\\n")));`,
  );
  const main = pathToFileURL(join(source, "cli", "main.ts")).href;
  writeFileSync(
    start,
    `const { main } = await import(${JSON.stringify(main)});
     process.exitCode = await main(${JSON.stringify(argv)}, { root: "" });`,
  );
  const whole = ["--import", pathToFileURL(hook).href, start];
  const { status, stderr } = spawnSync(process.execPath, whole, {
    env: place.env,
    cwd: place.folder,
    encoding: "utf8",
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return readFileSync(list, "utf8")
    .split("\n")
    .map((url) => (url.startsWith("file:") ? relative(source, fileURLToPath(url)) : url))
    .sort();
}
