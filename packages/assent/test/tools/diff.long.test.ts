import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { unifiedDiff } from "../../src/tools/files/diff.ts";
import { folderWith, removeFolders } from "./fixture.ts";

removeFolders();

const text = fc
  .array(fc.constantFrom("a\n", "b\n", "c\n", "\n", "a"), { maxLength: 30 })
  .map((lines) => lines.join(""));

test("any diff, applied by patch, makes the new text of the old one", () => {
  const cwd = folderWith();
  fc.assert(
    fc.property(text, text, (before, after) => {
      fc.pre(before !== after);
      writeFileSync(join(cwd, "f"), before);
      const input = unifiedDiff("f", before, after);
      const { stdout, stderr } = spawnSync("env", ["patch", "--silent", "-p0", "-o", "-", "f"], {
        cwd,
        input,
        encoding: "utf8",
      });
      expect({ stdout, stderr, input }).toEqual({ stdout: after, stderr: "", input });
    }),
    { numRuns: 150 },
  );
});

test("no diff is longer than it needs to be", () => {
  const changed = (diff: string): number => diff.split("\n").filter((line) => /^[-+](?![-+]{2} )/.test(line)).length;
  const before = "a\nb\nc\na\nb\nb\na\n";
  expect(changed(unifiedDiff("f", before, "c\nb\na\nb\na\nc\n"))).toBe(5);
});

test("a missing last line end is told as diff does", () => {
  expect(unifiedDiff("f", "a\nb", "a\nb\n")).toBe(
    "--- f\n+++ f\n@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+b\n",
  );
});

test("changes far apart are hunks of their own, near ones share one", () => {
  const lines = Array.from({ length: 30 }, (_, index) => `${index}\n`);
  const hunks = (...at: number[]): number => {
    const after = lines.map((line, index) => (at.includes(index) ? "x\n" : line)).join("");
    return unifiedDiff("f", lines.join(""), after).split("@@ -").length - 1;
  };
  expect([hunks(5, 12), hunks(5, 13)]).toEqual([1, 2]);
});

test("a long diff is cut at 64 KB and says how much is left", () => {
  const diff = unifiedDiff("f", null, "é1234567\n".repeat(20_000));
  const cut = /\n\[the diff is cut here: (\d+) more lines, (\d+) more bytes\]\n$/.exec(diff);
  const kept = diff.slice(0, cut?.index);
  expect(Buffer.byteLength(kept)).toBeLessThanOrEqual(64 * 1024);
  expect(Number(cut?.[1])).toBe(20_000 + 3 - kept.split("\n").length);
});

test("texts that share nothing are one whole replacement", () => {
  const [before, after] = ["a", "b"].map((kind) => Array.from({ length: 3_000 }, (_, at) => `${kind}${at}\n`).join(""));
  const lines = unifiedDiff("f", before ?? "", after ?? "").split("\n");
  expect(lines.slice(2, 4)).toEqual(["@@ -1,3000 +1,3000 @@", "-a0"]);
});
