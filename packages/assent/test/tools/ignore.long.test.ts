import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { readGlob, readPatterns } from "../../src/tools/files/ignore.ts";
import { walk } from "../../src/tools/files/walk.ts";
import { folderWith, removeFolders } from "./fixture.ts";

removeFolders();

const names = ["a", "b", "ab", "a.b", "#a", "!a", "a b", "x]", ".h"];
const folders = ["", "a/", "b/", "a/b/", "ab/a/"];
const files = folders.flatMap((folder) => names.map((name) => `${folder}f${name}`));

const piece = fc.constantFrom(
  ..."ab.f*?/!#\\[] -^".split(""),
  "**",
  "[a-f]",
  "[!a]",
  "[^.]",
  "f",
  "[[:alpha:]]",
  "/**/",
);
const pattern = fc
  .array(piece, { minLength: 1, maxLength: 6 })
  .map((pieces) => pieces.join(""))
  // git cuts off what is plain at the beginning and so takes `a**/b` for `a` and `**/b`: not what it documents. Nor does it
  // say what an escaped slash is.
  .filter((joined) => !/[^/*]\*\*|\\\//.test(joined));
const patterns = fc.array(pattern, { minLength: 1, maxLength: 4 });

/** git's own word: what it would show of a repository with these files. */
function shownByGit(cwd: string): string[] {
  const listed = execFileSync("git", ["ls-files", "-z", "--others", "--exclude-standard"], { cwd, encoding: "utf8" });
  return listed.split("\0").filter((path) => path !== "");
}

async function shownHere(cwd: string): Promise<string[]> {
  const shown: string[] = [];
  const signal = new AbortController().signal;
  for await (const { path, entry } of walk(cwd, { depth: 99, all: false, hidden: true, signal })) {
    if (!entry.isDirectory()) shown.push(path);
  }
  return shown;
}

function repository(content: Readonly<Record<string, string>>): string {
  const cwd = folderWith(content);
  const made = spawnSync("git", ["init", "--quiet", "--template=", cwd]);
  expect(made.status).toBe(0);
  for (const key of ["core.excludesFile", "core.ignoreCase"]) {
    execFileSync("git", ["config", key, key === "core.ignoreCase" ? "false" : "/dev/null"], { cwd });
  }
  return cwd;
}

test("any patterns, at any depth, ignore what git ignores", async () => {
  const cwd = repository(Object.fromEntries(files.map((path) => [path, ""])));
  await fc.assert(
    fc.asyncProperty(patterns, patterns, async (upper, lower) => {
      writeFileSync(join(cwd, ".gitignore"), upper.join("\n"));
      writeFileSync(join(cwd, "a/.gitignore"), lower.join("\r\n"));
      expect((await shownHere(cwd)).sort()).toEqual(shownByGit(cwd).sort());
    }),
    { numRuns: 150, seed: 8 },
  );
});

test("negation, nesting, anchors and .git/info/exclude do what they do in git", async () => {
  const cwd = repository({
    ".gitignore":
      "\uFEFF# comment\n*.log\n!keep.log\n/only-here\nbuild/\ndocs/**/draft\n\\#odd\nspace\\ \ntrailing   \n",
    "sub/.gitignore": "!sub.log\n/deep/*\n!/deep/kept\n",
    ...Object.fromEntries(
      [
        ...["x.log", "keep.log", "sub/sub.log", "sub/x.log", "only-here", "sub/only-here", "build/a", "sub/build/a"],
        ...[
          "docs/draft",
          "docs/a/b/draft",
          "docs/a/b/text",
          "#odd",
          "space ",
          "trailing",
          "sub/deep/gone",
          "sub/deep/kept",
        ],
        ...["excluded", "sub/excluded", "file/build"],
      ].map((path) => [path, ""]),
    ),
  });
  mkdirSync(join(cwd, ".git/info"), { recursive: true });
  writeFileSync(join(cwd, ".git/info/exclude"), "excluded\n");
  const shown = (await shownHere(cwd)).sort();
  expect(shown).toEqual(shownByGit(cwd).sort());
  expect(shown).toEqual([
    ...[".gitignore", "docs/a/b/text", "file/build", "keep.log", "sub/.gitignore", "sub/deep/kept", "sub/only-here"],
    "sub/sub.log",
  ]);
});

test("the patterns of folders above hold, up to the repository; a folder that is ignored can still be asked for", async () => {
  const cwd = folderWith({
    ".gitignore": "*",
    "repo/.gitignore": "*.log\nvendor/\n",
    "repo/src/a.log": "",
    "repo/src/a.ts": "",
    "repo/vendor/v.log": "",
  });
  mkdirSync(join(cwd, "repo/.git"));
  expect(await shownHere(join(cwd, "repo/src"))).toEqual(["a.ts"]);
  expect(await shownHere(join(cwd, "repo/vendor"))).toEqual(["v.log"]);
  rmSync(join(cwd, "repo/.git"), { recursive: true });
});

test("patterns made to take for ever do not", () => {
  const { ignores } = readPatterns(`${"*a".repeat(120)}b\n${"**/a/".repeat(60)}b`);
  expect(ignores("a".repeat(255), false)).toBe(null);
  expect(ignores(`${"a/".repeat(1_000)}a`, false)).toBe(null);
});

test.each([
  ["*.ts", ["a.ts", "x/a.ts"], ["a.tsx", "ts"]],
  ["src/**", ["src/a", "src/x/y"], ["a", "x/src/a"]],
  ["*.{ts,tsx}", ["a.ts", "x/a.tsx"], ["a.js"]],
  ["{a,b}/{c,d}.x", ["a/c.x", "b/d.x"], ["a/b.x", "x/a/c.x"]],
  ["!*.md", ["a.ts", "x/y"], ["a.md", "x/a.md"]],
  ["**/test/*.ts", ["test/a.ts", "x/test/a.ts"], ["test/x/a.ts"]],
  ["#a", ["#a"], ["a"]],
])("the glob %s takes %j and not %j", (glob, taken, left) => {
  const isWanted = readGlob(glob);
  expect([taken.filter(isWanted), left.filter(isWanted)]).toEqual([taken, []]);
});

test("a glob with more alternatives than anybody means ends all the same", () => {
  expect(readGlob("{a,b}".repeat(40))(dirname("x/y"))).toBe(false);
});
