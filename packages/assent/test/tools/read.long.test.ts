import { execFileSync } from "node:child_process";
import { hash } from "node:crypto";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { folderWith, makeFifo, placeAt, planOf, removeFolders, runPlan, toolNamed, use } from "./fixture.ts";

removeFolders();

const digest = (content: string | Buffer): string => `sha256:${hash("sha256", content)}`;

verifies("TERM-8a", "read_file shows numbered lines and remembers what it saw", async () => {
  const cwd = folderWith({ "a.ts": "one\n\ttwo\nthree" });
  expect(await use("read_file", { path: "a.ts" }, cwd)).toEqual({
    type: "output",
    text: "     1\tone\n     2\t\ttwo\n     3\tthree",
    seen: [{ path: join(cwd, "a.ts"), digest: digest("one\n\ttwo\nthree") }],
  });
});

test("offset and limit choose lines, and the note says how to go on", async () => {
  const content = Array.from({ length: 10 }, (_, index) => `l${index + 1}\n`).join("");
  const cwd = folderWith({ a: content });
  const { text, seen } = await use("read_file", { path: "a", offset: 4, limit: 2 }, cwd);
  expect(text).toBe("     4\tl4\n     5\tl5\n[lines 4-5 of 10; go on with offset 6]");
  expect(seen).toEqual([{ path: join(cwd, "a"), digest: digest(content) }]);
  expect((await use("read_file", { path: "a", offset: 9 }, cwd)).text).toBe("     9\tl9\n    10\tl10");
});

test("more than 2,000 lines are cut, and so is the limit", async () => {
  const cwd = folderWith({ a: "x\n".repeat(5_321) });
  const { text } = await use("read_file", { path: "a" }, cwd);
  expect(text.split("\n").slice(-2)).toEqual(["  2000\tx", "[lines 1-2000 of 5321; go on with offset 2001]"]);
  expect(toolNamed("read_file").read('{"path":"a","limit":2001}')).toEqual({
    type: "invalid",
    reason: "the arguments are wrong: limit: expected <=2000, found 2001",
  });
});

test("the output is at most 50 KB, and goes on where it stopped", async () => {
  const cwd = folderWith({ a: `${"é".repeat(500)}\n`.repeat(100) });
  const { text } = await use("read_file", { path: "a" }, cwd);
  const note = /\n\[lines 1-(\d+) of 100; go on with offset (\d+)\]$/.exec(text);
  expect([Number(note?.[1]), Number(note?.[2])]).toEqual([50, 51]);
  expect(Buffer.byteLength(text.replace(note?.[0] ?? "", ""))).toBeLessThanOrEqual(50 * 1024);
});

test("a huge line is cut at whole characters and says by how much", async () => {
  const cwd = folderWith({ a: `x${"😀".repeat(1_000_000)}\nlast\n` });
  const { text } = await use("read_file", { path: "a" }, cwd);
  expect(text).toBe(`     1\tx${"😀".repeat(999)} [cut: ${(1_000_000 - 999) * 4} more bytes]\n     2\tlast`);
});

test("a line of exactly 2,000 characters is whole", async () => {
  const cwd = folderWith({ a: "é".repeat(2_000), b: "é".repeat(2_001) });
  expect((await use("read_file", { path: "a" }, cwd)).text).toBe(`     1\t${"é".repeat(2_000)}`);
  expect((await use("read_file", { path: "b" }, cwd)).text).toBe(`     1\t${"é".repeat(2_000)} [cut: 2 more bytes]`);
});

test("an empty file and an offset beyond the end are told apart", async () => {
  const cwd = folderWith({ empty: "", three: "1\n2\n3\n" });
  expect(await use("read_file", { path: "empty" }, cwd)).toEqual({
    type: "output",
    text: "[the file is empty]",
    seen: [{ path: join(cwd, "empty"), digest: digest("") }],
  });
  expect(await use("read_file", { path: "three", offset: 4 }, cwd)).toEqual({
    type: "error",
    text: "cannot read three from line 4: it has 3 lines",
  });
});

test("CRLF, a byte order mark and wrong bytes are shown plainly and told", async () => {
  const cwd = folderWith({
    crlf: "\uFEFFa\r\nb\r\n",
    latin: Buffer.from("caf\xe9 and a good deal of plain text\n", "latin1"),
    real: "the \uFFFD is in the file\n",
  });
  expect((await use("read_file", { path: "crlf" }, cwd)).text).toBe("     1\ta\n     2\tb\n[its lines end with CRLF]");
  expect((await use("read_file", { path: "latin" }, cwd)).text).toBe(
    "     1\tcaf\uFFFD and a good deal of plain text\n[bytes that are no UTF-8 are shown as \uFFFD]",
  );
  expect((await use("read_file", { path: "real" }, cwd)).text).toBe("     1\tthe \uFFFD is in the file");
});

test("a binary file is named and not shown", async () => {
  const noise = Buffer.from(Array.from({ length: 3_000 }, (_, index) => 128 + ((index * 7) % 64)));
  const cwd = folderWith({ nul: Buffer.from("ab\0cd"), noise });
  expect((await use("read_file", { path: "nul" }, cwd)).text).toBe("[nul is binary, 5 B: not shown]");
  expect((await use("read_file", { path: "noise" }, cwd)).text).toBe("[noise is binary, 2.9 KB: not shown]");
});

test("a file of 10 GB, of NULs or of text, is read only as far as it is shown", async () => {
  const cwd = folderWith({ text: "line\n".repeat(20_000), nuls: "" });
  truncateSync(join(cwd, "text"), 10 * 1024 ** 3);
  truncateSync(join(cwd, "nuls"), 10 * 1024 ** 3);
  const { text, seen } = await use("read_file", { path: "text", limit: 1 }, cwd);
  expect(text).toBe("     1\tline\n[lines 1-1 of a file of 10.0 GB; go on with offset 2]");
  expect(seen?.[0]?.digest).toMatch(/^stat:10737418240-\d+-\d+$/);
  expect((await use("read_file", { path: "nuls" }, cwd)).text).toBe("[nuls is binary, 10.0 GB: not shown]");
  // One line that never ends.
  expect(await use("read_file", { path: "text", offset: 30_000 }, cwd)).toEqual({
    type: "error",
    text: "cannot read text: line 30000 is beyond its first 256.0 MB",
  });
});

test("a reader is stopped by its signal", async () => {
  const cwd = folderWith({ text: "line\n".repeat(20_000) });
  truncateSync(join(cwd, "text"), 10 * 1024 ** 3);
  const plan = planOf("read_file", { path: "text", offset: 30_000 }, placeAt(cwd));
  expect(await runPlan("read_file", plan, AbortSignal.abort())).toEqual({
    type: "error",
    text: "cannot read text: it was stopped",
  });
});

test("only regular files are opened", async () => {
  const cwd = folderWith({ "sub/a": "" });
  makeFifo(cwd, "fifo");
  symlinkSync("/dev/zero", join(cwd, "zero"));
  expect(planOf("read_file", { path: "fifo" }, placeAt(cwd)).fails).toBe(
    "cannot read fifo: expected a regular file, came a FIFO",
  );
  expect(planOf("read_file", { path: "zero" }, placeAt(cwd)).fails).toBe(
    "cannot read zero: expected a regular file, came a device",
  );
  expect(await use("read_file", { path: "sub" }, cwd)).toEqual({
    type: "error",
    text: "cannot read sub: expected a regular file, came a folder: use list_files",
  });
});

test("a FIFO that took the place of the file that was judged does not hang the reader", async () => {
  const cwd = folderWith({ a: "text" });
  const plan = planOf("read_file", { path: "a" }, placeAt(cwd));
  execFileSync("rm", [join(cwd, "a")]);
  makeFifo(cwd, "a");
  expect((await runPlan("read_file", plan)).text).toBe("cannot read a: expected a regular file, came a FIFO");
});

test("what is missing is said with the nearest folder and similar names", async () => {
  const cwd = folderWith({ "src/config.ts": "", "src/other.md": "" });
  expect(planOf("read_file", { path: "src/Config.js" }, placeAt(cwd)).fails).toBe(
    "cannot find src/Config.js: no such file or folder; the nearest folder that exists is " +
      `${cwd}/src; similar there: ${cwd}/src/config.ts`,
  );
  expect(planOf("read_file", { path: "scr/config.ts" }, placeAt(cwd)).fails).toBe(
    `cannot find scr/config.ts: no such file or folder; the nearest folder that exists is ${cwd}`,
  );
});

test("names next to what is missing outside the project are not told before anybody was asked", () => {
  const other = folderWith({ "secret-plans.txt": "" });
  expect(planOf("read_file", { path: `${other}/secret-plan.txt` }, placeAt(folderWith())).fails).toBe(
    `cannot find ${other}/secret-plan.txt: no such file or folder`,
  );
});

describe("paths", () => {
  const outside = folderWith({ "secret.txt": "s", "deep/x.txt": "x" });
  const cwd = folderWith({ "src/a.ts": "a", "ünï/日本.txt": "u", "two\nlines": "n" });
  symlinkSync(join(outside, "secret.txt"), join(cwd, "file-link"));
  symlinkSync(outside, join(cwd, "folder-link"));
  symlinkSync("file-link", join(cwd, "chain"));
  symlinkSync("src/a.ts", join(cwd, "inner-link"));
  symlinkSync(join(outside, "nowhere"), join(cwd, "dangling"));
  symlinkSync("loop-b", join(cwd, "loop-a"));
  symlinkSync("loop-a", join(cwd, "loop-b"));
  const planned = (path: string, tool = "read_file") => {
    const more = tool === "write_file" ? { content: "new" } : {};
    return planOf(tool, { path, ...more }, placeAt(cwd)).paths?.[0];
  };

  const read = "read" as const;
  verifies("TERM-8b", "a plan names where links really lead, and whether that is outside", () => {
    const secret = join(outside, "secret.txt");
    expect(planned("src/../src/a.ts")).toEqual({ path: "src/a.ts", real: "src/a.ts", use: read, outside: false });
    expect(planned(join(cwd, "src/a.ts"))).toEqual({ path: "src/a.ts", real: "src/a.ts", use: read, outside: false });
    expect(planned("inner-link")).toEqual({ path: "inner-link", real: "src/a.ts", use: read, outside: false });
    expect(planned("file-link")).toEqual({ path: "file-link", real: secret, use: read, outside: true });
    expect(planned("chain")).toEqual({ path: "chain", real: secret, use: read, outside: true });
    expect(planned("folder-link/deep/x.txt")).toEqual({
      ...{ path: "folder-link/deep/x.txt", real: join(outside, "deep/x.txt"), use: read, outside: true },
    });
    expect(planned("../x")).toEqual({ path: join(cwd, "../x"), real: join(cwd, "../x"), use: read, outside: true });
    expect(planned("..x")).toEqual({ path: "..x", real: "..x", use: read, outside: false });
  });

  verifies("TERM-8b", "also for what does not exist yet", () => {
    const use = "write" as const;
    expect(planned("new/b.ts", "write_file")).toEqual({ path: "new/b.ts", real: "new/b.ts", use, outside: false });
    expect(planned("folder-link/new/b.ts", "write_file")).toEqual({
      ...{ path: "folder-link/new/b.ts", real: join(outside, "new/b.ts"), use, outside: true },
    });
    const real = join(outside, "nowhere");
    expect(planned("dangling", "write_file")).toEqual({ path: "dangling", real, use, outside: true });
  });

  test("links in a ring are told, not followed for ever", () => {
    expect(planOf("read_file", { path: "loop-a" }, placeAt(cwd)).fails).toMatch(/^cannot read loop-a: ELOOP: /);
    expect(planOf("write_file", { path: "loop-a/x", content: "" }, placeAt(cwd)).fails).toMatch(/ELOOP/);
  });

  test("the session's folder may itself be reached by a link", () => {
    symlinkSync(cwd, join(outside, "project"));
    const place = placeAt(join(outside, "project"));
    const expected = { path: "src/a.ts", real: "src/a.ts", use: "read", outside: false };
    expect(planOf("read_file", { path: "src/a.ts" }, place).paths).toEqual([expected]);
    expect(planOf("read_file", { path: join(cwd, "src/a.ts") }, place).paths).toEqual([expected]);
  });

  test("paths start from the persistent shell's folder while it is open, and are told from the session's", () => {
    const terminal = { state: "open", cwd: join(cwd, "src") } as const;
    const plan = planOf("read_file", { path: "a.ts" }, placeAt(cwd, { terminal }));
    expect(plan.cwd).toBe(join(cwd, "src"));
    expect(plan.paths).toEqual([{ path: "src/a.ts", real: "src/a.ts", use: "read", outside: false }]);
  });

  test("a link that leads elsewhere since it was judged is not followed", async () => {
    const folder = folderWith({ a: "a", b: "b" });
    symlinkSync("a", join(folder, "link"));
    const plan = planOf("read_file", { path: "link" }, placeAt(folder));
    execFileSync("ln", ["-sfn", "b", join(folder, "link")]);
    expect((await runPlan("read_file", plan)).text).toBe("cannot read link: it changed since it was judged");
  });

  test("names in any letters and with line ends work, and are quoted where they would break a line", async () => {
    expect((await use("read_file", { path: "ünï/日本.txt" }, cwd)).text).toBe("     1\tu");
    expect((await use("read_file", { path: "two\nlines" }, cwd)).text).toBe("     1\tn");
    expect(planOf("read_file", { path: "no\nsuch" }, placeAt(cwd)).fails).toContain('cannot find "no\\nsuch": no such');
  });

  test("a name that is too long, and a file in the place of a folder, are told", () => {
    const long = "x".repeat(300);
    expect(planOf("read_file", { path: long }, placeAt(cwd)).fails).toMatch(/ENAMETOOLONG: name too long$/);
    expect(planOf("write_file", { path: long, content: "" }, placeAt(cwd)).fails).toMatch(/ENAMETOOLONG/);
    expect(planOf("write_file", { path: "src/a.ts/x", content: "" }, placeAt(cwd)).fails).toMatch(/ENOTDIR/);
  });
});

test.each([
  ["read_file", { path: "~/x" }, 'path: expected the home folder written out (~ is not expanded), found "~/x"'],
  ["read_file", { path: "a\0b" }, 'path: expected a path without NUL, found "a\\u0000b"'],
  ["read_file", { path: "" }, "path: expected !0, found 0"],
  ["read_file", {}, "path: is missing"],
  ["read_file", { path: "a", offset: 0 }, "offset: expected >=1, found 0"],
  ["read_file", { path: "a", mode: 1 }, "mode: no such field"],
  ["write_file", { path: "a", content: 1 }, "content: expected string, found 1"],
  [
    "write_file",
    { path: "a", content: "\ud800" },
    "content: expected whole characters, found half of a surrogate pair",
  ],
  ["edit_file", { path: "a", old_text: "", new_text: "b" }, "old_text: expected !0, found 0"],
  [
    "edit_file",
    { path: "a", old_text: "b", new_text: "b" },
    "new_text: expected another text than old_text, found the same",
  ],
  ["list_files", { depth: 0 }, "depth: expected >=1, found 0"],
  ["search_files", { pattern: "" }, "pattern: expected !0, found 0"],
  ["search_files", { pattern: "a", context: 1.5 }, "context: expected integer, found 1.5"],
])("%s of %j is invalid: %s", (tool, given, reason) => {
  const full = `the arguments are wrong: ${reason}`;
  expect(toolNamed(tool).read(JSON.stringify(given))).toEqual({ type: "invalid", reason: full });
  expect(planOf(tool, given, placeAt("/")).fails).toBe(full);
});

test("what reads may run beside others, what writes may not", () => {
  const parallel = (tool: string, given: unknown) => toolNamed(tool).read(JSON.stringify(given));
  expect(parallel("read_file", { path: "a" })).toEqual({ type: "tool", parallel: true });
  expect(parallel("list_files", {})).toEqual({ type: "tool", parallel: true });
  expect(parallel("search_files", { pattern: "a" })).toEqual({ type: "tool", parallel: true });
  expect(parallel("write_file", { path: "a", content: "" })).toEqual({ type: "tool", parallel: false });
  expect(parallel("edit_file", { path: "a", old_text: "a", new_text: "b" })).toEqual({ type: "tool", parallel: false });
});

test("a name beginning with ~ is a name", async () => {
  const cwd = folderWith();
  mkdirSync(join(cwd, "d"));
  writeFileSync(join(cwd, "~x"), "tilde");
  expect((await use("read_file", { path: "~x" }, cwd)).text).toBe("     1\ttilde");
});
