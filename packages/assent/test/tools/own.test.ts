import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { filesHands } from "../../src/tools/files/hands.ts";
import { marking } from "../../src/tools/files/own.ts";
import { policy } from "../policy/cautious.ts";
import { verifies } from "../requirements/verifies.ts";
import { folderWith, placeAt, planOf, removeFolders } from "./fixture.ts";

removeFolders();

const top = folderWith({
  "work/a.txt": "a",
  ".data/assent/journal.db": "all",
  "cache/assent/code/x.js": "code",
  "cache/assent/output/s1/c1.stdout.txt": "long",
  "cache/assent/output/s2/c1.stdout.txt": "another's",
});
const work = join(top, "work");
mkdirSync(join(work, "links"));
symlinkSync(join(top, ".data", "assent"), join(work, "links", "home"));
symlinkSync(join(top, ".data", "assent", "journal.db"), join(top, "cache", "assent", "output", "s1", "planted"));
const own = {
  self: [join(top, ".data", "assent"), join(top, "cache", "assent")],
  folder: join(top, "cache", "assent", "output"),
};

verifies("APPR-10c", "what the host itself keeps is known from where the call is made", () => {
  const place = placeAt(work, { own: [join(top, "work", "links", "home")] });
  const hands = marking(filesHands.read_file, { ...own, self: [] });
  expect(planOf(hands, { path: "../.data/assent/journal.db" }, place).paths).toMatchObject([{ self: true }]);
  expect(planOf(hands, { path: "a.txt" }, place).paths).not.toMatchObject([{ self: true }]);
});

type Marks = { readonly self?: true; readonly own?: "output" };
type Row = readonly [tool: keyof typeof filesHands, given: object, marks: Marks, rule: string];

const self = { self: true } as const;
const output = { own: "output" } as const;
const text = "c1.stdout.txt";

const rows: readonly Row[] = [
  ["read_file", { path: "a.txt" }, {}, "reads-project"],
  ["read_file", { path: "../.data/assent/journal.db" }, self, "assents-own"],
  ["read_file", { path: "links/home/journal.db" }, self, "assents-own"],
  ["list_files", { path: "links/home" }, self, "assents-own"],
  ["search_files", { path: "links/home", pattern: "a" }, self, "assents-own"],
  ["write_file", { path: "../.data/assent/new", content: "x" }, self, "assents-own"],
  ["edit_file", { path: "../cache/assent/code/x.js", old_text: "code", new_text: "evil" }, self, "assents-own"],
  ["read_file", { path: `../cache/assent/output/s1/${text}` }, output, "own-output"],
  ["search_files", { path: `../cache/assent/output/s1/${text}`, pattern: "l" }, output, "own-output"],
  ["write_file", { path: `../cache/assent/output/s1/${text}`, content: "x" }, self, "assents-own"],
  ["read_file", { path: "../cache/assent/output/s1/planted" }, self, "assents-own"],
  ["read_file", { path: `../cache/assent/output/s2/${text}` }, self, "assents-own"],
  ["search_files", { path: "..", pattern: "a" }, self, "assents-own"],
  ["search_files", { path: "../.data", pattern: "a" }, self, "assents-own"],
  ["list_files", { path: ".." }, {}, "outside-project"],
];

for (const [tool, given, marks, rule] of rows) {
  verifies("APPR-10c", `${tool} of ${JSON.stringify(given)} is ${Object.keys(marks).join() || "as any other"}`, () => {
    const plan = planOf(marking(filesHands[tool], own), given, placeAt(work));
    const [path] = plan.paths ?? [];
    expect({ self: path?.self, own: path?.own }).toEqual({ self: undefined, own: undefined, ...marks });
    expect(policy.judge(plan).rule).toBe(rule);
  });
}
