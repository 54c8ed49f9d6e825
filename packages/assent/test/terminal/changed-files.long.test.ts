import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { changedFiles } from "../../src/terminal/changed-files.ts";

let root = "";
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "assent-changed-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), path);
  }
}

/** A time after everything that was done: later than any tick, by the file system's clock. */
async function later(): Promise<number> {
  await new Promise((resume) => setTimeout(resume, 60));
  return Date.now();
}

const changed = (since: number, more: { readonly roots?: readonly string[]; readonly signal?: AbortSignal } = {}) =>
  changedFiles({ roots: [root], since, ...more });

test("nothing has changed in an empty folder, and in one that is none", async () => {
  expect(await changed(0)).toEqual({ files: [], more: false });
  write("file");
  const roots = [join(root, "nowhere"), join(root, "file")];
  expect(await changed(0, { roots })).toEqual({ files: [], more: false });
});

test("files that were made, written, renamed or linked since then are named, the others not", async () => {
  write("old", "src/old.ts", "src/written.ts", "renamed-from");
  const since = await later();
  write("new", "src/deep/er/new.ts", "src/written.ts");
  renameSync(join(root, "renamed-from"), join(root, "renamed-to"));
  expect(await changed(since)).toEqual({
    files: ["new", "renamed-to", "src/deep/er/new.ts", "src/written.ts"],
    more: false,
  });
});

test("a file that got an old time is one that has changed", async () => {
  const since = await later();
  write("unpacked");
  utimesSync(join(root, "unpacked"), 1, 1);
  expect(await changed(since)).toEqual({ files: ["unpacked"], more: false });
});

test("a file's time may be a tick before the clock's, and no more", async () => {
  write("file");
  const { mtimeMs, ctimeMs } = statSync(join(root, "file"));
  const at = Math.max(mtimeMs, ctimeMs);
  expect((await changed(at + 19)).files).toEqual(["file"]);
  expect((await changed(at + 21)).files).toEqual([]);
});

test("links are neither named nor followed", async () => {
  write("there/file", "here/file");
  symlinkSync(join(root, "there"), join(root, "here", "folder-link"));
  symlinkSync(join(root, "there", "file"), join(root, "here", "file-link"));
  symlinkSync(join(root, "here"), join(root, "here", "circle"));
  expect(await changed(0, { roots: [join(root, "here")] })).toEqual({ files: ["file"], more: false });
});

test("a root may be a link", async () => {
  write("there/file");
  symlinkSync(join(root, "there"), join(root, "link"));
  expect(await changed(0, { roots: [join(root, "link")] })).toEqual({ files: ["file"], more: false });
});

test("a repository's own files are not looked at, folders of dependencies only from outside", async () => {
  write(".git/config", "node_modules/one/index.js", "app/.venv/lib", "app/target/debug", ".gitignore");
  const since = await later();
  write(".git/index", ".git/objects/new", "node_modules/two/index.js", "app/.venv/lib", ".gitignore");
  expect(await changed(since)).toEqual({ files: [".gitignore", "node_modules/"], more: false });
  expect((await changed(0)).files).toEqual([".gitignore", "app/.venv/", "app/target/", "node_modules/"]);
});

test("a root is entered whatever it is called", async () => {
  write("node_modules/one/index.js");
  expect((await changed(0, { roots: [join(root, "node_modules")] })).files).toEqual(["one/index.js"]);
});

test("a path is relative to the first root that contains it, and named once", async () => {
  write("a/one", "a/b/two", "..c/three");
  const roots = ["a/b", "a", "..c", "a", "a/b/"].map((path) => join(root, path));
  expect(await changed(0, { roots })).toEqual({ files: ["one", "three", "two"], more: false });
  expect((await changed(0, { roots: [join(root, "a"), root] })).files).toEqual(["..c/three", "b/two", "one"]);
});

test("at most 200 names are given, the nearest first", async () => {
  write("deep/0", ...Array.from({ length: 200 }, (_, index) => `file-${index}`));
  const { files, more } = await changed(0);
  expect([files.length, files.includes("deep/0"), more]).toEqual([200, false, true]);
  rmSync(join(root, "deep/0"));
  expect(await changed(0)).toMatchObject({ more: false, files: { length: 200 } });
});

test("at most 4,000 entries are looked at", async () => {
  write("file");
  mkdirSync(join(root, "many"));
  // Long names make the folder itself large, so that it is read bit by bit.
  const linked = (index: number) => linkSync(join(root, "file"), join(root, "many", `${"name".repeat(20)}-${index}`));
  for (let index = 0; index < 3_998; index += 1) linked(index);
  const since = await later();
  expect(await changed(since)).toEqual({ files: [], more: false });
  linked(3_998);
  expect((await changed(since + 100_000)).more).toBe(true);
});

test("who waits for it can stop it, and others get their turn", async () => {
  write(...Array.from({ length: 500 }, (_, index) => `deep/er/${index}`));
  const stop = new AbortController();
  const found = changed(Date.now() + 100_000, { signal: stop.signal });
  stop.abort();
  expect(await found).toEqual({ files: [], more: true });
  let passed = 0;
  const count = () => {
    passed += 1;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  expect((await changed(Date.now() + 100_000)).more).toBe(false);
  clearImmediate(next);
  expect(passed).toBeGreaterThanOrEqual(2);
});
