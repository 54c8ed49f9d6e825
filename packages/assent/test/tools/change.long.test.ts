import { spawnSync } from "node:child_process";
import { hash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { approvalDraft } from "../../src/core/index.ts";
import { replaceFile } from "../../src/tools/files/replace.ts";
import { policy } from "../policy/cautious.ts";
import { verifies } from "../requirements/verifies.ts";
import { folderWith, makeFifo, placeAt, planOf, removeFolders, runPlan, use } from "./fixture.ts";

removeFolders();

const digest = (content: string): string => `sha256:${hash("sha256", content)}`;
const contentOf = (...path: string[]): string => readFileSync(join(...path), "utf8");

describe("write_file", () => {
  verifies(["TERM-8a", "STATE-4a"], "a new file gets its folders, its content and a diff", async () => {
    const cwd = folderWith();
    const plan = planOf("write_file", { path: "x/y/a.ts", content: "one\ntwo\n" }, placeAt(cwd));
    const diff = "--- /dev/null\n+++ x/y/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n";
    expect(plan.change).toEqual({ path: "x/y/a.ts", diff });
    expect(readdirSync(cwd)).toEqual([]);
    expect(await runPlan("write_file", plan)).toEqual({
      ...{ type: "output", text: "wrote x/y/a.ts (2 lines)", files: ["x/y/a.ts"], diff },
      seen: [{ path: join(cwd, "x/y/a.ts"), digest: digest("one\ntwo\n") }],
    });
    expect(contentOf(cwd, "x/y/a.ts")).toBe("one\ntwo\n");
    expect(readdirSync(join(cwd, "x/y"))).toEqual(["a.ts"]);
  });

  verifies("TERM-8c", "a change of a file is planned and given as a diff with three lines around it", async () => {
    const lines = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`);
    const cwd = folderWith({ a: lines.join("") });
    const content = lines.with(9, "ten\n").join("");
    const plan = planOf("write_file", { path: "a", content }, placeAt(cwd));
    const diff = "--- a\n+++ a\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n";
    expect(plan.change).toEqual({ path: "a", diff });
    expect(approvalDraft(plan)).toEqual({
      question: "Approve command: write_file a? (yes/no)",
      subject: { tool: "write_file", path: "a", cwd, diff: diff.trimEnd().split("\n") },
    });
    expect((await runPlan("write_file", plan)).diff).toBe(diff);
  });

  test("what was there and is no text is named, not shown", () => {
    const cwd = folderWith({ a: Buffer.from([0xff, 0x00, 0x01]) });
    expect(planOf("write_file", { path: "a", content: "x\n" }, placeAt(cwd)).change?.diff).toBe(
      "[in place of a binary file of 3 B]\n--- /dev/null\n+++ a\n@@ -0,0 +1 @@\n+x\n",
    );
  });

  test("the number of lines is told as people count them", async () => {
    const cwd = folderWith();
    const said = async (content: string) =>
      (await use("write_file", { path: `f${content.length}`, content }, cwd)).text;
    expect([await said(""), await said("a"), await said("a\n"), await said("a\nb")]).toEqual([
      ...["wrote f0 (0 lines)", "wrote f1 (1 line)", "wrote f2 (1 line)", "wrote f3 (2 lines)"],
    ]);
  });

  test("what is there already is not written again, and needs no approval", async () => {
    const cwd = folderWith({ a: "same" });
    const before = lstatSync(join(cwd, "a"), { bigint: true });
    const plan = planOf("write_file", { path: "a", content: "same" }, placeAt(cwd));
    expect([plan.change, policy.judge(plan).verdict]).toEqual([undefined, "allow"]);
    expect(await runPlan("write_file", plan)).toEqual({
      ...{ type: "output", text: "no change: a has this content already" },
      seen: [{ path: join(cwd, "a"), digest: digest("same") }],
    });
    const after = lstatSync(join(cwd, "a"), { bigint: true });
    expect([after.ino, after.mtimeNs]).toEqual([before.ino, before.mtimeNs]);
  });

  verifies("TERM-8b", "every change is asked about, whatever it changes", () => {
    const cwd = folderWith({ a: "a", ".env": "K=v" });
    const judged = (tool: string, given: unknown) => policy.judge(planOf(tool, given, placeAt(cwd))).rule;
    expect(judged("write_file", { path: "a", content: "b" })).toBe("changes-file");
    expect(judged("write_file", { path: "new", content: "b" })).toBe("changes-file");
    expect(judged("edit_file", { path: "a", old_text: "a", new_text: "b" })).toBe("changes-file");
    expect(judged("write_file", { path: ".env", content: "K=v" })).toBe("hidden-file");
  });

  test("mode and owner stay; a new file has the mode that the process gives to files", async () => {
    const cwd = folderWith({ "run.sh": "old", "own.txt": "old" });
    chmodSync(join(cwd, "run.sh"), 0o4751);
    chmodSync(join(cwd, "own.txt"), 0o600);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) chownSync(join(cwd, "own.txt"), 1234, 1235);
    for (const path of ["run.sh", "own.txt", "new.txt"]) await use("write_file", { path, content: "new" }, cwd);
    const modes = ["run.sh", "own.txt", "new.txt"].map((path) => statSync(join(cwd, path)).mode & 0o7777);
    writeFileSync(join(cwd, "compare"), "");
    expect(modes).toEqual([0o4751, 0o600, statSync(join(cwd, "compare")).mode & 0o7777]);
    if (isRoot) expect(statSync(join(cwd, "own.txt"))).toMatchObject({ uid: 1234, gid: 1235 });
  });

  test("a link stays a link: what it leads to is written", async () => {
    const other = folderWith({ target: "old" });
    const cwd = folderWith();
    symlinkSync(join(other, "target"), join(cwd, "link"));
    symlinkSync("link", join(cwd, "chain"));
    symlinkSync("later", join(cwd, "dangling"));
    const result = await use("write_file", { path: "chain", content: "new" }, cwd);
    expect(result.files).toEqual([join(other, "target")]);
    expect(result.seen?.map(({ path }) => path)).toEqual([join(other, "target")]);
    expect((await use("write_file", { path: "dangling", content: "made" }, cwd)).files).toEqual(["later"]);
    expect([contentOf(other, "target"), contentOf(cwd, "later")]).toEqual(["new", "made"]);
    expect(["link", "chain", "dangling"].map((name) => lstatSync(join(cwd, name)).isSymbolicLink())).toEqual([
      ...[true, true, true],
    ]);
  });

  test("what is no regular file is left alone", async () => {
    const cwd = folderWith({ "sub/a": "" });
    makeFifo(cwd, "fifo");
    symlinkSync("/dev/full", join(cwd, "full"));
    const fails = (path: string) => planOf("write_file", { path, content: "x" }, placeAt(cwd)).fails;
    expect(fails("sub")).toBe("cannot write sub: expected a regular file, came a folder");
    expect(fails("fifo")).toBe("cannot write fifo: expected a regular file, came a FIFO");
    expect(fails("full")).toBe("cannot write full: expected a regular file, came a device");
    expect((await use("write_file", { path: "fifo", content: "x" }, cwd)).type).toBe("error");
  });

  test("a file too large to compare is left alone", () => {
    const cwd = folderWith({ big: Buffer.alloc(16 * 1024 * 1024 + 1, "x") });
    expect(planOf("write_file", { path: "big", content: "x" }, placeAt(cwd)).fails).toBe(
      "cannot write big: expected at most 16.0 MB, came 16.0 MB: use the terminal",
    );
  });

  test("who has the old file open keeps it whole: the new one takes its place in one step", async () => {
    const cwd = folderWith({ a: "old content" });
    const file = openSync(join(cwd, "a"), "r");
    await use("write_file", { path: "a", content: "new" }, cwd);
    expect([readFileSync(file, "utf8"), contentOf(cwd, "a")]).toEqual(["old content", "new"]);
    closeSync(file);
  });

  test("a reader never sees half a file", async () => {
    const cwd = folderWith({ a: "0".repeat(2_000_000) });
    let writing = true;
    const sizes = new Set<string>();
    const reader = (async () => {
      while (writing) {
        const text = await readFile(join(cwd, "a"), "utf8");
        sizes.add(`${text.length}:${text.at(0)}${text.at(-1)}`);
      }
    })();
    for (let round = 1; round < 10; round += 1) {
      const content = String(round).repeat(2_000_000 + round);
      expect((await use("write_file", { path: "a", content }, cwd)).type).toBe("output");
    }
    writing = false;
    await reader;
    const allowed = Array.from({ length: 10 }, (_, round) => `${2_000_000 + round}:${round}${round}`);
    expect([...sizes].filter((seen) => !allowed.includes(seen))).toEqual([]);
  });
});

describe("a file that changed", () => {
  for (const [tool, given] of [
    ["write_file", { path: "a", content: "mine" }],
    ["edit_file", { path: "a", old_text: "one", new_text: "two" }],
  ] as const) {
    verifies("TERM-8d", `${tool} refuses a file that changed since it was read`, async () => {
      const cwd = folderWith({ a: "one" });
      const { seen = [] } = await use("read_file", { path: "a" }, cwd);
      expect(planOf(tool, given, placeAt(cwd, { seen })).fails).toBe(undefined);
      writeFileSync(join(cwd, "a"), "one and theirs");
      expect(await use(tool, given, cwd, seen)).toEqual({
        type: "error",
        text: "cannot write a: it changed since it was read; read it again with read_file first",
      });
      expect(contentOf(cwd, "a")).toBe("one and theirs");
    });

    verifies("TERM-8d", `${tool} refuses a file that changed since it was judged`, async () => {
      const cwd = folderWith({ a: "one" });
      const plan = planOf(tool, given, placeAt(cwd));
      writeFileSync(join(cwd, "a"), "one and theirs");
      expect(await runPlan(tool, plan)).toEqual({
        type: "error",
        text: "cannot write a: it changed since it was judged; read it again with read_file",
      });
      expect(contentOf(cwd, "a")).toBe("one and theirs");
      expect(readdirSync(cwd)).toEqual(["a"]);
    });
  }

  verifies("TERM-8d", "what the model wrote itself, it may write again", async () => {
    const cwd = folderWith({ a: "one" });
    const { seen = [] } = await use("write_file", { path: "a", content: "two" }, cwd);
    expect((await use("edit_file", { path: "a", old_text: "two", new_text: "three" }, cwd, seen)).type).toBe("output");
    expect(contentOf(cwd, "a")).toBe("three");
  });

  verifies("TERM-8d", "it is known under all its names", async () => {
    const cwd = folderWith({ a: "one" });
    symlinkSync("a", join(cwd, "link"));
    const { seen = [] } = await use("read_file", { path: "link" }, cwd);
    writeFileSync(join(cwd, "a"), "theirs");
    expect(planOf("write_file", { path: "a", content: "x" }, placeAt(cwd, { seen })).fails).toMatch(/changed since/);
  });

  test("a file that is gone since it was read can be written anew", async () => {
    const cwd = folderWith({ a: "one" });
    const { seen = [] } = await use("read_file", { path: "a" }, cwd);
    rmSync(join(cwd, "a"));
    expect((await use("write_file", { path: "a", content: "two" }, cwd, seen)).text).toBe("wrote a (1 line)");
  });

  test("a file made where none was judged to be stays", async () => {
    const cwd = folderWith();
    const plan = planOf("write_file", { path: "a", content: "mine" }, placeAt(cwd));
    writeFileSync(join(cwd, "a"), "theirs");
    expect((await runPlan("write_file", plan)).text).toMatch(/changed since it was judged/);
    expect(contentOf(cwd, "a")).toBe("theirs");
  });

  test("a folder that became a link since it was judged is not followed", async () => {
    const other = folderWith();
    const cwd = folderWith({ "sub/a": "one" });
    const plan = planOf("write_file", { path: "sub/new", content: "mine" }, placeAt(cwd));
    renameSync(join(cwd, "sub"), join(cwd, "moved"));
    symlinkSync(other, join(cwd, "sub"));
    expect((await runPlan("write_file", plan)).text).toMatch(/changed since it was judged/);
    expect([readdirSync(other), readdirSync(join(cwd, "moved"))]).toEqual([[], ["a"]]);
  });

  test("what the approval is bound to is different when the file is", () => {
    const cwd = folderWith({ a: "one\n" });
    const plan = () => JSON.stringify(planOf("write_file", { path: "a", content: "mine" }, placeAt(cwd)));
    const before = plan();
    expect(plan()).toBe(before);
    writeFileSync(join(cwd, "a"), "one");
    expect(plan()).not.toBe(before);
  });
});

describe("a write that fails", () => {
  /** In a process of its own, whose files may have 64 KB. */
  const limited = (cwd: string) => {
    const tools = pathToFileURL(join(import.meta.dirname, "../../src/tools/files/index.ts")).href;
    const script = `
      process.on("SIGXFSZ", () => {});
      const { filesTools } = await import(${JSON.stringify(tools)});
      const hands = await filesTools.find(({ name }) => name === "write_file").hands();
      const place = { session: "s", cwd: ${JSON.stringify(cwd)}, terminal: { state: "never" }, seen: [] };
      const given = JSON.stringify({ path: "a", content: "x".repeat(1_000_000) });
      const result = await hands.run(hands.plan(given, place), { signal: new AbortController().signal });
      process.stdout.write(JSON.stringify(result));
    `;
    const flags = ["--conditions=assent-source", "--input-type=module", "-e", script];
    const command = 'ulimit -f 64; exec "$0" "$@"';
    return spawnSync("bash", ["-c", command, process.execPath, ...flags], { encoding: "utf8" });
  };

  test("half-way leaves the old content and nothing beside it", () => {
    const cwd = folderWith({ a: "old" });
    const { stdout, stderr } = limited(cwd);
    expect(stdout, stderr).toBe(JSON.stringify({ type: "error", text: "cannot write a: EFBIG: file too large" }));
    expect([readdirSync(cwd), contentOf(cwd, "a")]).toEqual([["a"], "old"]);
  });

  test("at the last step leaves nothing beside what is there", async () => {
    const cwd = folderWith();
    const plan = planOf("write_file", { path: "new/a", content: "x" }, placeAt(cwd));
    writeFileSync(join(cwd, "new"), "a file where the folder should be");
    const { type, text } = await runPlan("write_file", plan);
    expect([type, text]).toEqual([
      ...["error", "cannot write new/a: it changed since it was judged; read it again with read_file"],
    ]);
    expect(readdirSync(cwd)).toEqual(["new"]);
  });

  test("because another was quicker leaves what that one wrote", async () => {
    const cwd = folderWith({ a: "theirs" });
    const real = join(cwd, "a");
    expect(await replaceFile({ real, content: "mine", isAsJudged: () => false })).toBe("changed");
    expect([readdirSync(cwd), contentOf(real)]).toEqual([["a"], "theirs"]);
  });

  test("where nothing can be written says what the system says", async () => {
    const { type, text } = await use("write_file", { path: "/proc/assent-test", content: "x" }, folderWith());
    expect([type, text]).toEqual(["error", expect.stringMatching(/^cannot write \/proc\/assent-test: E[A-Z]+: /)]);
  });

  test("a plan that nobody made is an error, not a crash", async () => {
    for (const tool of ["read_file", "write_file", "edit_file", "list_files", "search_files"]) {
      expect((await runPlan(tool, { tool, cwd: "/", more: { real: 1 } })).type).toBe("error");
    }
  });
});

describe("edit_file", () => {
  const edit = async (content: string | Buffer, given: Record<string, unknown>) => {
    const cwd = folderWith({ a: content });
    const result = await use("edit_file", { path: "a", ...given }, cwd);
    return { ...result, content: contentOf(cwd, "a"), cwd };
  };

  verifies(["TERM-8a", "TERM-8c"], "replaces a text that is there once, and gives a diff", async () => {
    const { cwd, ...result } = await edit("one\ntwo\nthree\n", { old_text: "two", new_text: "2\n2b" });
    expect(result).toEqual({
      ...{ type: "output", text: "edited a: 1 replacement, line 2", content: "one\n2\n2b\nthree\n", files: ["a"] },
      diff: "--- a\n+++ a\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2b\n three\n",
      seen: [{ path: join(cwd, "a"), digest: digest("one\n2\n2b\nthree\n") }],
    });
  });

  verifies("TERM-8a", "a text that is there more than once is not guessed at", async () => {
    const { text, content } = await edit("x\ny\nx\n", { old_text: "x", new_text: "z" });
    expect(text).toBe(
      "cannot edit a: old_text matches 2 times, on lines 1, 3: expected one match; give more lines around it, or replace_all",
    );
    expect(content).toBe("x\ny\nx\n");
    expect((await edit("aaa", { old_text: "aa", new_text: "b" })).text).toMatch(/matches 2 times, on line 1:/);
    expect((await edit("x\n".repeat(50), { old_text: "x", new_text: "b" })).text).toMatch(
      /matches 50 times, on lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and more:/,
    );
  });

  test("replace_all replaces each, taking the text as it stands", async () => {
    const { text, content } = await edit("x x\nx", { old_text: "x", new_text: "$&$1x", replace_all: true });
    expect([text, content]).toEqual(["edited a: 3 replacements", "$&$1x $&$1x\n$&$1x"]);
    expect((await edit("x", { old_text: "x", new_text: "$&$`" })).content).toBe("$&$`");
  });

  test("bytes that were not meant stay: byte order mark, missing last line end, odd white space", async () => {
    expect((await edit("\uFEFFa\tb \n\n c", { old_text: "b", new_text: "B" })).content).toBe("\uFEFFa\tB \n\n c");
  });

  test("in a file with CRLF, LF means CRLF", async () => {
    const crlf = "a\r\nb\r\nc\r\n";
    expect((await edit(crlf, { old_text: "a\nb", new_text: "1\n2\n3" })).content).toBe("1\r\n2\r\n3\r\nc\r\n");
    expect((await edit(crlf, { old_text: "b", new_text: "x\ny" })).content).toBe("a\r\nx\r\ny\r\nc\r\n");
    expect((await edit(crlf, { old_text: "a\r\nb", new_text: "x" })).content).toBe("x\r\nc\r\n");
  });

  test("in a file with both line ends, what matches as it is stays as it is", async () => {
    const mixed = "a\nb\nc\r\nd\r\n";
    expect((await edit(mixed, { old_text: "a\nb", new_text: "x\ny" })).content).toBe("x\ny\nc\r\nd\r\n");
    expect((await edit(mixed, { old_text: "c\nd", new_text: "x\ny" })).content).toBe("a\nb\nx\r\ny\r\n");
  });

  test("a text that differs in white space only is shown as it stands there", async () => {
    const { text } = await edit("a\n\tif (x) {\n\t\ty();\n", { old_text: "  if (x) {\n    y();\n", new_text: "z" });
    expect(text).toBe(
      "cannot edit a: old_text is not in it; only white space differs from lines 2-3:\n  \tif (x) {\n  \t\ty();",
    );
  });

  test("a text that begins well is told where it goes wrong", async () => {
    const { text } = await edit("start\nmiddle\nend\n", { old_text: "start\nmidle\nend", new_text: "z" });
    expect(text).toBe(
      "cannot edit a: old_text is not in it; it begins as line 1, but line 2 is\n  middle\nexpected\n  midle",
    );
  });

  test("a text that is nowhere is told the line most like it, or that there is none", async () => {
    expect((await edit("x\nconst total = 1;\n", { old_text: "const totals = 2;", new_text: "z" })).text).toBe(
      "cannot edit a: old_text is not in it; the closest is line 2:\n  const total = 1;",
    );
    expect((await edit("x\n", { old_text: "quite another", new_text: "z" })).text).toBe(
      "cannot edit a: old_text is not in it, nor a line like it",
    );
  });

  test("what is not UTF-8, or not there, is left alone", async () => {
    const { text } = await edit(Buffer.from([0x61, 0xff]), { old_text: "a", new_text: "b" });
    expect(text).toBe("cannot edit a: expected text in UTF-8, came other bytes");
    const cwd = folderWith({ "near.ts": "" });
    expect((await use("edit_file", { path: "neer.ts", old_text: "a", new_text: "b" }, cwd)).text).toBe(
      `cannot find neer.ts: no such file or folder; the nearest folder that exists is ${cwd}; similar there: ${cwd}/near.ts`,
    );
  });

  verifies("TERM-8b", "what a guarded file holds is not told by a failure before a person was asked", async () => {
    const outside = folderWith({ x: "password=hunter2\n" });
    const cwd = folderWith({ ".env": "API_KEY=secret\n", open: "API_KEY=known\n" });
    for (const path of [".env", join(outside, "x")]) {
      const plan = planOf("edit_file", { path, old_text: "API_KEY=sec\npassword=", new_text: "x" }, placeAt(cwd));
      expect([plan.fails, policy.judge(plan).verdict]).toEqual([undefined, "ask"]);
      expect((await runPlan("edit_file", plan)).type).toBe("error");
    }
    const plan = planOf("edit_file", { path: "open", old_text: "API_KEYS", new_text: "x" }, placeAt(cwd));
    expect(plan.fails).toMatch(/^cannot edit open: old_text is not in it/);
  });
});

test("a write beside a folder of the same name as a parent makes only what is missing", async () => {
  const cwd = folderWith();
  mkdirSync(join(cwd, "x"));
  await use("write_file", { path: "x/y/z", content: "1" }, cwd);
  expect(contentOf(cwd, "x/y/z")).toBe("1");
});

test("the mark of a hidden value is not written over the value, by neither tool; what had the mark may keep it", () => {
  const cwd = folderWith({ env: "TOKEN=unmistakable\nA=1\n", docs: "It is shown as [secret].\n" });
  const place = placeAt(cwd);
  const lost =
    "cannot write env: [secret] stands for a value that is hidden from you and would be lost; leave that line as it is, with edit_file";
  expect(planOf("write_file", { path: "env", content: "TOKEN=[secret]\nA=2\n" }, place).fails).toBe(lost);
  const over = { path: "env", old_text: "A=1", new_text: "A=[secret]" };
  expect(planOf("edit_file", over, place).fails).toBe(lost);
  expect(planOf("edit_file", { path: "env", old_text: "A=1", new_text: "A=2" }, place).fails).toBeUndefined();
  expect(planOf("write_file", { path: "docs", content: "Shown as [secret].\n" }, place).fails).toBeUndefined();
  expect(planOf("write_file", { path: "new", content: "make [secret]\n" }, place).fails).toBe(
    "cannot write new: [secret] stands for a value that is hidden from you and would not be in it; have a command make the file from what has the value",
  );
});
