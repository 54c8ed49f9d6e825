import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { makeList } from "../../src/tools/files/list.ts";
import { policy } from "../policy/cautious.ts";
import { verifies } from "../requirements/verifies.ts";
import { folderWith, makeFifo, placeAt, planOf, removeFolders, runPlan, use } from "./fixture.ts";

removeFolders();

verifies("TERM-8a", "list_files shows a tree of two levels with sizes and links", async () => {
  const cwd = folderWith({ "b.txt": "x".repeat(2_000), "a/one.ts": "1", "a/deep/two.ts": "2", ".env": "s", "é\n": "" });
  symlinkSync("a/one.ts", join(cwd, "link"));
  symlinkSync("/etc", join(cwd, "out"));
  makeFifo(cwd, "pipe");
  expect(await use("list_files", {}, cwd)).toEqual({
    type: "output",
    text: [
      ...[
        "./",
        "  .env 1 B",
        "  a/",
        "    deep/",
        "    one.ts 1 B",
        "  b.txt 2.0 KB",
        "  link -> a/one.ts",
        "  out -> /etc",
      ],
      ...["  pipe (a FIFO)", '  "é\\n" 0 B'],
    ].join("\n"),
  });
  expect((await use("list_files", { path: "a", depth: 1 }, cwd)).text).toBe("a/\n  deep/\n  one.ts 1 B");
  expect((await use("list_files", { path: "a/deep", depth: 5 }, cwd)).text).toBe("a/deep/\n  two.ts 1 B");
});

test("what .gitignore names and .git are left out unless all is asked for", async () => {
  const cwd = folderWith({ ".gitignore": "out/\n", "out/x": "", "a.ts": "", ".git/config": "" });
  expect((await use("list_files", {}, cwd)).text).toBe("./\n  .gitignore 5 B\n  a.ts 0 B");
  expect((await use("list_files", { all: true }, cwd)).text).toBe(
    "./\n  .git/\n    config 0 B\n  .gitignore 5 B\n  a.ts 0 B\n  out/\n    x 0 B",
  );
});

test("more than 1,000 entries are counted, not shown", async () => {
  const cwd = folderWith();
  for (let at = 0; at < 1_007; at += 1) writeFileSync(join(cwd, `f${String(at).padStart(4, "0")}`), "");
  const lines = (await use("list_files", {}, cwd)).text.split("\n");
  expect([lines.length, lines[1000], lines[1001]]).toEqual([
    ...[1_002, "  f0999 0 B", "[7 more entries are not shown; name a folder in it, or a smaller depth]"],
  ]);
  expect((await use(makeList(1_003), {}, cwd)).text.split("\n").at(-1)).toBe(
    "[3 more entries, and more, are not shown; name a folder in it, or a smaller depth]",
  );
});

test("an empty folder, a file and nothing at all are told apart", async () => {
  const cwd = folderWith({ a: "" });
  mkdirSync(join(cwd, "empty"));
  expect(await use("list_files", { path: "empty" }, cwd)).toEqual({
    type: "output",
    text: "empty has nothing to show",
  });
  expect(await use("list_files", { path: "a" }, cwd)).toEqual({
    type: "error",
    text: "cannot list a: expected a folder, came a file: use read_file",
  });
  expect((await use("list_files", { path: "b" }, cwd)).text).toMatch(/^cannot find b: no such file or folder/);
});

verifies("TERM-8b", "reading in the project is allowed, outside of it and where it is hidden it is asked about", () => {
  const outside = folderWith({ x: "" });
  const cwd = folderWith({ "a/x": "", ".ssh/id": "" });
  symlinkSync(outside, join(cwd, "out"));
  const judged = (tool: string, given: unknown) => policy.judge(planOf(tool, given, placeAt(cwd))).rule;
  const rules = (path: string) => [judged("list_files", { path }), judged("search_files", { pattern: "x", path })];
  expect([rules("."), rules("a")].flat()).toEqual(Array.from({ length: 4 }, () => "reads-project"));
  expect([rules("out"), rules(".."), rules(outside)].flat()).toEqual(
    Array.from({ length: 6 }, () => "outside-project"),
  );
  expect(rules(".ssh")).toEqual(["hidden-file", "hidden-file"]);
  expect(judged("read_file", { path: "out/x" })).toBe("outside-project");
  expect(judged("read_file", { path: "a/x" })).toBe("reads-project");
});

test("a person who is asked sees the arguments and where they lead", () => {
  const cwd = folderWith({ ".env": "" });
  const more = (tool: string, given: unknown) => planOf(tool, given, placeAt(cwd)).more;
  expect(more("read_file", { path: ".env" })).toEqual({
    path: ".env",
    offset: 1,
    limit: 2_000,
    real: join(cwd, ".env"),
  });
  expect(more("list_files", {})).toEqual({ path: ".", depth: 2, all: false, real: cwd });
  expect(more("search_files", { pattern: "x", path: ".env" })).toEqual({
    ...{
      path: ".env",
      pattern: "x",
      ignore_case: false,
      literal: false,
      context: 0,
      all: false,
      real: join(cwd, ".env"),
    },
  });
});

test("a folder that became a link since it was judged is not listed", async () => {
  const cwd = folderWith({ "a/x": "" });
  const plan = planOf("list_files", { path: "a" }, placeAt(cwd));
  execFileSync("mv", [join(cwd, "a"), join(cwd, "b")]);
  symlinkSync("/etc", join(cwd, "a"));
  expect((await runPlan("list_files", plan)).text).toBe("cannot list a: it changed since it was judged");
});
