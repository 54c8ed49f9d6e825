import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { Place, type Scripted, terminal } from "./product.ts";

const source = join(import.meta.dirname, "..", "..", "src");

/** What `assent run` loads from start to end, from source: files by their path in src, and modules of Node. */
function loaded(replies: readonly Scripted[]): readonly string[] {
  const place = new Place(replies);
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
     process.exitCode = await main(["run", "hi"], { root: "" });`,
  );
  const argv = ["--import", pathToFileURL(hook).href, start];
  const { status, stderr } = spawnSync(process.execPath, argv, { env: place.env, cwd: place.folder, encoding: "utf8" });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return readFileSync(list, "utf8")
    .split("\n")
    .map((url) => (url.startsWith("file:") ? relative(source, fileURLToPath(url)) : url))
    .sort();
}

const heavy = /^(?:terminal|tools)\/|^node:(?:child_process|net)$/;

test("A model that answers at once is answered without what only calls need: only the tools' definitions are loaded.", () => {
  expect(loaded([{ text: "Hello." }]).filter((each) => heavy.test(each))).toEqual([
    "tools/agentic.ts",
    "tools/ask.ts",
    "tools/complete.ts",
    "tools/files/arguments.ts",
    "tools/files/index.ts",
    "tools/flow.ts",
    "tools/index.ts",
    "tools/process.ts",
    "tools/terminal-arguments.ts",
    "tools/terminal.ts",
  ]);
});

test("A call has what it needs.", () => {
  expect(loaded([terminal("echo a"), { text: "Hello." }])).toEqual(
    expect.arrayContaining(["node:child_process", "terminal/session.ts", "tools/files/hands.ts"]),
  );
});
