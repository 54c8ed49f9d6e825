import { chmodSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { makeSearch, type Searching } from "../../src/tools/files/search.ts";
import { policy } from "../policy/cautious.ts";
import { verifies } from "../requirements/verifies.ts";
import { folderWith, placeAt, planOf, removeFolders, runPlan, use } from "./fixture.ts";

removeFolders();

const here = (more: Partial<Searching> = {}) => makeSearch({ ripgrep: () => null, timeLimitMs: 60_000, ...more });
const project = {
  "a.ts": "const one = 1;\nlet two = 2;\nconst three = 3;\n",
  "src/b.ts": "// CONST\nconst x;\r\n",
  "src/c.md": "const in prose\n",
  ".hidden": "const hidden\n",
  ".gitignore": "*.log\n",
  "x.log": "const log\n",
};

/** The real ripgrep, if there is one: it must find the same. */
const ripgrep = process.env["ASSENT_TEST_RG"];
const searchers = [
  ["without ripgrep", here()],
  ...(ripgrep === undefined ? [] : [["with ripgrep", here({ ripgrep: () => ripgrep })] as const]),
] as const;

describe.each(searchers)("search_files %s", (_name, tool) => {
  const found = async (given: unknown, files: Readonly<Record<string, string | Buffer>> = project): Promise<string[]> =>
    (await use(tool, given, folderWith(files))).text.split("\n");

  verifies("TERM-8a", "lines that match are given with file and line, what is hidden or ignored is not", async () => {
    expect(await use(tool, { pattern: "^const \\w" }, folderWith(project))).toEqual({
      type: "output",
      text: "a.ts:1: const one = 1;\na.ts:3: const three = 3;\nsrc/b.ts:2: const x;\nsrc/c.md:1: const in prose",
    });
  });

  test("a path, a glob, small and large letters, and plain text narrow or widen it", async () => {
    expect(await found({ pattern: "const", path: "src" })).toEqual([
      "src/b.ts:2: const x;",
      "src/c.md:1: const in prose",
    ]);
    expect(await found({ pattern: "const", path: "src/c.md" })).toEqual(["src/c.md:1: const in prose"]);
    expect(await found({ pattern: "const", glob: "*.md" })).toEqual(["src/c.md:1: const in prose"]);
    expect(await found({ pattern: "const", glob: "src/*.ts" })).toEqual(["src/b.ts:2: const x;"]);
    expect(await found({ pattern: "const", glob: "!*.ts" })).toEqual(["src/c.md:1: const in prose"]);
    expect(await found({ pattern: "CONST" })).toEqual(["src/b.ts:1: // CONST"]);
    expect(await found({ pattern: "CONST x", ignore_case: true })).toEqual(["src/b.ts:2: const x;"]);
    expect(await found({ pattern: "a.c(", literal: true }, { x: "abc(\na.c(\n" })).toEqual(["x:2: a.c("]);
    expect(await found({ pattern: "-e", literal: true }, { x: "a -e b\n" })).toEqual(["x:1: a -e b"]);
  });

  test("a glob does not bring back what is hidden or ignored", async () => {
    expect(await found({ pattern: "const", glob: "*.log" })).toEqual(['no match for "const" in .']);
    expect(await found({ pattern: "const", glob: ".hidden" })).toEqual(['no match for "const" in .']);
    expect(await found({ pattern: "const", glob: "/x.log" })).toEqual(['no match for "const" in .']);
  });

  test("all searches what is hidden and ignored too", async () => {
    expect(await found({ pattern: "const [hl]", all: true })).toEqual([
      ".hidden:1: const hidden",
      "x.log:1: const log",
    ]);
  });

  test("context shows lines around, with a line between groups", async () => {
    const x = "1\n2\nhit\n4\n5\n6\n7\nhit\nhit\n10\n";
    expect(await found({ pattern: "hit", context: 1 }, { x, y: "hit\n" })).toEqual([
      ...["x-2- 2", "x:3: hit", "x-4- 4", "--", "x-7- 7", "x:8: hit", "x:9: hit", "x-10- 10", "--", "y:1: hit"],
    ]);
  });

  test("at most 200 matches are shown, and that there are more is said", async () => {
    const lines = await found({ pattern: "x" }, { a: "x\n".repeat(150), b: "x\n".repeat(60) });
    expect([lines.length, lines[199], lines[200]]).toEqual([
      ...[201, "b:50: x", "[there are more matches: narrow the pattern, the path or the glob]"],
    ]);
    expect(await found({ pattern: "x" }, { a: "x\n".repeat(200) })).toHaveLength(200);
  });

  test("at most 50 KB are shown, and long lines are cut", async () => {
    const lines = await found({ pattern: "x" }, { a: `${"x".repeat(1_000)}\n`.repeat(5) });
    expect(lines[0]).toBe(`a:1: ${"x".repeat(300)} [cut]`);
    const many = await found({ pattern: "é" }, { a: `${"é".repeat(300)}\n`.repeat(150) });
    expect(many.at(-1)).toBe("[there are more matches: narrow the pattern, the path or the glob]");
    expect(Buffer.byteLength(many.slice(0, -1).join("\n"))).toBeLessThanOrEqual(50 * 1024);
  });

  test("a pattern that is none is an error that says why", async () => {
    const { type, text } = await use(tool, { pattern: "a(b" }, folderWith(project));
    expect([type, text]).toEqual([
      "error",
      expect.stringMatching(/^cannot search for "a\(b": .*(regex parse error|Unterminated group)/s),
    ]);
  });

  test("odd names, nested repositories' rules and links do what they should", async () => {
    const files = { "ü/日本.txt": "hit\n", "two\nlines": "hit\n", "sub/.gitignore": "!x.log\n", "sub/x.log": "hit\n" };
    const cwd = folderWith({ ...files, ".gitignore": "*.log\n" });
    symlinkSync(join(cwd, "sub/x.log"), join(cwd, "link"));
    symlinkSync("/etc", join(cwd, "etc"));
    expect((await use(tool, { pattern: "hit|root" }, cwd)).text.split("\n")).toEqual([
      ...["sub/x.log:1: hit", '"two\\nlines":1: hit', "ü/日本.txt:1: hit"],
    ]);
  });

  test("the rules of folders above a repository do not hold in it", async () => {
    const cwd = folderWith({ ".gitignore": "*\n", "repo/.git/HEAD": "", "repo/src/a": "hit\n" });
    expect((await use(tool, { pattern: "hit", path: "src" }, join(cwd, "repo"))).text).toBe("src/a:1: hit");
    const bare = folderWith({ ".gitignore": "*.log\n", "sub/x.log": "hit\n", "sub/a": "hit\n" });
    expect((await use(tool, { pattern: "hit", path: "sub" }, bare)).text).toBe("sub/a:1: hit");
  });

  test("a repository inside another has its own rules only", async () => {
    const files = {
      ".git/HEAD": "",
      ".gitignore": "*.log\n",
      "inner/.git/HEAD": "",
      "inner/x.log": "hit\n",
      "x.log": "hit\n",
    };
    expect(await found({ pattern: "hit" }, files)).toEqual(["inner/x.log:1: hit"]);
  });

  test("nothing found is said", async () => {
    expect(await use(tool, { pattern: "nowhere" }, folderWith(project))).toEqual({
      type: "output",
      text: 'no match for "nowhere" in .',
    });
  });

  test("a signal stops it", async () => {
    const plan = planOf(tool, { pattern: "const" }, placeAt(folderWith(project)));
    expect(await runPlan(tool, plan, AbortSignal.abort())).toEqual({
      type: "error",
      text: 'no match for "const" in .\n[the search was stopped before its end]',
    });
  });
});

describe("search_files without ripgrep", () => {
  test("binary and large files are left out, and that is said", async () => {
    const files = { a: "hit\n", b: Buffer.from("hit\0\n"), c: `hit\n${"x".repeat(5 * 1024 * 1024)}` };
    expect((await use(here(), { pattern: "hit" }, folderWith(files))).text).toBe(
      "a:1: hit\n[files left out: 1 binary, 1 over 5 MB]",
    );
  });

  test("a pattern that takes for ever is stopped, and nothing else waits for it", async () => {
    let ticks = 0;
    const ticking = setInterval(() => {
      ticks += 1;
    }, 5);
    const cwd = folderWith({ a: `${"a".repeat(60)}\n` });
    const result = await use(here({ timeLimitMs: 300 }), { pattern: "^(a+)+b$" }, cwd);
    clearInterval(ticking);
    // On a busy machine the time may be over before the file is reached.
    const stopped = /^no match for .* in \.\n\[the search took too long and was stopped( at a)?: narrow the pattern,/;
    expect(result).toEqual({ type: "error", text: expect.stringMatching(stopped) });
    expect(ticks).toBeGreaterThan(1);
  });

  test("escapes that are not needed are no error, and letters of any language are letters", async () => {
    const cwd = folderWith({ a: 'say "hi"\nÄpfel\n' });
    expect((await use(here(), { pattern: '\\"hi\\"' }, cwd)).text).toBe('a:1: say "hi"');
    expect((await use(here(), { pattern: "^\\p{Lu}" }, cwd)).text).toBe("a:2: Äpfel");
  });

  test("a pattern too large to run is told", async () => {
    const { type } = await use(
      here(),
      { pattern: "((((a{1,1000}){1,1000}){1,1000}){1,1000})b" },
      folderWith({ a: "a" }),
    );
    expect(["error", "output"]).toContain(type);
  });
});

verifies("TERM-8b", "searching hidden files too is asked about", () => {
  const cwd = folderWith(project);
  const judged = (given: unknown) => policy.judge(planOf("search_files", given, placeAt(cwd))).rule;
  expect([judged({ pattern: "x" }), judged({ pattern: "x", all: true })]).toEqual(["reads-project", "hidden-file"]);
});

describe("search_files with a program that speaks as ripgrep does", () => {
  /** Writes down how it was called and says what it is told to. */
  const fake = (script: string): { program: string; folder: string } => {
    const folder = folderWith();
    const program = join(folder, "rg");
    writeFileSync(program, `#!/bin/bash\nprintf '%s\\n' "$@" > '${folder}/flags'\n${script}\n`);
    chmodSync(program, 0o755);
    return { program, folder };
  };
  const said = (...records: unknown[]): string =>
    `cat <<'END'\n${records.map((record) => JSON.stringify(record)).join("\n")}\nEND`;
  const record = (type: string, path: unknown, line_number: number, lines: unknown) => ({
    type,
    data: { path, lines, line_number, absolute_offset: 0, submatches: [] },
  });
  const run = async (script: string, given: object = {}, more: Partial<Searching> = {}) => {
    const { program } = fake(script);
    return use(here({ ripgrep: () => program, ...more }), { pattern: "hit", ...given }, folderWith(project));
  };

  test("its records become the same lines", async () => {
    const script = said(
      { type: "begin", data: { path: { text: "./a.ts" } } },
      record("context", { text: "./a.ts" }, 1, { text: "before\n" }),
      record("match", { text: "./a.ts" }, 2, { text: "hit\r\n" }),
      record("match", { bytes: Buffer.from("./\xff.ts", "latin1").toString("base64") }, 7, { bytes: "aGl0/wo=" }),
      { type: "summary", data: {} },
    );
    expect(await run(script, { context: 1 })).toEqual({
      type: "output",
      text: 'a.ts-1- before\na.ts:2: hit\n--\n"\uFFFD.ts":7: hit\uFFFD',
    });
  });

  test("what is hidden is not shown, whatever it says", async () => {
    const hidden = ["./.env", "./src/.env", "./.ssh/id"].map((text) => record("match", { text }, 1, { text: "hit\n" }));
    expect((await run(said(...hidden))).text).toBe('no match for "hit" in .');
    expect((await run(said(...hidden), { all: true })).text).toBe(".env:1: hit\nsrc/.env:1: hit\n.ssh/id:1: hit");
  });

  test("it is found on PATH, but not in a relative folder, with no shell between", async () => {
    const { folder } = fake(said(record("match", { text: "./a.ts" }, 1, { text: "hit\n" })));
    const near = relative(process.cwd(), fake("exit 1").folder);
    const before = process.env["PATH"];
    process.env["PATH"] = `${near}:${folder}:${before}`;
    try {
      const pattern = "$(touch /tmp/x) 'hit";
      expect((await use("search_files", { pattern, literal: true }, folderWith(project))).text).toBe("a.ts:1: hit");
      expect(readFileSync(join(folder, "flags"), "utf8").split("\n").slice(-4)).toEqual([
        ...[`--regexp=${pattern}`, "--", "./", ""],
      ]);
    } finally {
      process.env["PATH"] = before;
    }
  });

  test("its complaint about the pattern is an error", async () => {
    expect(await run("echo 'regex parse error: (' >&2; exit 2")).toEqual({
      type: "error",
      text: 'cannot search for "hit": regex parse error: (',
    });
  });

  test("what it says without end is cut, and it is killed", async () => {
    const one = JSON.stringify(record("match", { text: "./a.ts" }, 1, { text: "hit\n" }));
    const { text } = await run(`while :; do echo '${one}'; done`);
    expect(text.split("\n")).toHaveLength(201);
  });

  test("a line too long to keep is left out and said", async () => {
    const { text } = await run("head -c 3000000 /dev/zero | tr '\\0' x; echo");
    expect(text).toBe('no match for "hit" in .\n[files left out: 1 over 5 MB]');
  });

  test("one that hangs is killed when the time is over", async () => {
    expect((await run("exec sleep 600", {}, { timeLimitMs: 200 })).text).toMatch(
      /took too long and was stopped: narrow/,
    );
  });

  test("one that cannot be started is done without", async () => {
    const tool = here({ ripgrep: () => "/nowhere/rg" });
    expect((await use(tool, { pattern: "prose" }, folderWith(project))).text).toBe("src/c.md:1: const in prose");
  });
});
