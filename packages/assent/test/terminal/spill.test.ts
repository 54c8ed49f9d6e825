import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import {
  openSpill,
  removeSpills,
  SpillFile,
  type SpillPlace,
  spillsKeptMs,
  sweepSpills,
  touchSpills,
} from "../../src/terminal/spill.ts";
import { verifies } from "../requirements/verifies.ts";

let top = "";
let folder = "";
beforeEach(() => {
  top = mkdtempSync(join(tmpdir(), "assent-spill-"));
  folder = join(top, "made", "output");
});
afterEach(() => rmSync(top, { recursive: true, force: true }));

const open = (more: Partial<SpillPlace> = {}) => openSpill({ folder, session: "s1", name: "c1.stdout.txt", ...more });
const modeOf = (path: string) => (lstatSync(path).mode & 0o777).toString(8);

function spilled(text: string, more: Partial<SpillPlace> = {}) {
  const spill = open(more);
  spill.write(Buffer.from(text));
  spill.end();
  return spill;
}

function daysAgo(path: string, days: number): void {
  const at = new Date(Date.now() - days * 24 * 60 * 60 * 1_000);
  utimesSync(path, at, at);
}

describe("a file for an output", () => {
  test("is for its owner alone, and so are its folders", () => {
    const spill = open();
    spill.write(Buffer.from("one "));
    spill.write(Buffer.from("two"));
    spill.end();
    expect(spill.path).toBe(join(folder, "s1", "c1.stdout.txt"));
    expect(readFileSync(spill.path, "utf8")).toBe("one two");
    expect([spill.state, spill.bytes, spill.reason]).toEqual(["whole", 7, null]);
    expect([modeOf(spill.path), ...["s1", "", ".."].map((path) => modeOf(join(folder, path)))]).toEqual([
      ...["600", "700", "700", "700"],
    ]);
  });

  test("never takes the place of another, or of a link", () => {
    expect(spilled("one").path).toBe(join(folder, "s1", "c1.stdout.txt"));
    symlinkSync(join(top, "elsewhere"), join(folder, "s1", "c1.stdout-2.txt"));
    expect(spilled("three").path).toBe(join(folder, "s1", "c1.stdout-3.txt"));
    expect(readFileSync(join(folder, "s1", "c1.stdout.txt"), "utf8")).toBe("one");
    expect(existsSync(join(top, "elsewhere"))).toBe(false);
  });

  test("is no longer than it may be", () => {
    const spill = open({ most: 5 });
    spill.write(Buffer.from("abcde"));
    expect(spill.state).toBe("whole");
    spill.write(Buffer.from("f"));
    spill.write(Buffer.from("g"));
    expect([spill.state, spill.bytes, readFileSync(spill.path, "utf8")]).toEqual(["capped", 5, "abcde"]);
    expect(readFileSync(spilled("abcdef", { most: 3 }).path, "utf8")).toBe("abc");
  });

  test("stays in its folder, whatever a call is called", () => {
    const names = ["../../../etc/x.txt", "..", "", "/a\0b\n", "x".repeat(5_000)];
    for (const name of names) expect(spilled("text", { name }).state).toBe("whole");
    expect(readdirSync(join(folder, "s1"))).toHaveLength(names.length);
    expect(spilled("text", { session: "../../up" }).path).toBe(join(folder, "__.._up", "c1.stdout.txt"));
    expect(readdirSync(top)).toEqual(["made"]);
  });

  test("takes nothing after its end", () => {
    const spill = spilled("text");
    spill.write(Buffer.from("more"));
    spill.end();
    expect([spill.state, spill.bytes, readFileSync(spill.path, "utf8")]).toEqual(["whole", 4, "text"]);
  });
});

describe("where no file can be, that is said and nothing else happens", () => {
  function expectFailure(reason: RegExp): void {
    const spill = spilled("text");
    expect([spill.state, spill.bytes]).toEqual(["failed", 0]);
    expect(spill.reason).toMatch(reason);
  }

  test("the folder is a link", () => {
    mkdirSync(join(top, "elsewhere"), { mode: 0o700 });
    mkdirSync(join(top, "made"));
    symlinkSync(join(top, "elsewhere"), folder);
    expectFailure(/output is a link$/);
    expect(readdirSync(join(top, "elsewhere"))).toEqual([]);
  });

  test("the session's folder is a link", () => {
    mkdirSync(join(top, "elsewhere"), { mode: 0o700 });
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    symlinkSync(join(top, "elsewhere"), join(folder, "s1"));
    expectFailure(/s1 is a link$/);
    expect(readdirSync(join(top, "elsewhere"))).toEqual([]);
  });

  test.runIf(process.getuid?.() === 0)("the folder belongs to somebody else", () => {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    chownSync(folder, 12_345, 12_345);
    expectFailure(/output belongs to user 12345, not to 0$/);
    removeSpills(folder, "s1");
    expect(readdirSync(folder)).toEqual([]);
  });

  test("others can write to the folder", () => {
    mkdirSync(folder, { recursive: true });
    chmodSync(folder, 0o770);
    expectFailure(/output can be written to by others$/);
  });

  test("there is a file in the way", () => {
    writeFileSync(join(top, "made"), "");
    expectFailure(/ENOTDIR|EEXIST/);
  });

  test.runIf(existsSync("/dev/full"))("the disk is full", () => {
    const spill = new SpillFile({ file: openSync("/dev/full", "w"), path: "/dev/full", most: 100 });
    spill.write(Buffer.from("text"));
    spill.write(Buffer.from("text"));
    spill.end();
    expect([spill.state, spill.bytes, spill.reason]).toEqual(["failed", 0, expect.stringMatching(/^ENOSPC/)]);
  });
});

describe("what sessions leave behind", () => {
  test("goes with the session, and only with it", () => {
    spilled("one");
    const other = spilled("two", { session: "s2" });
    removeSpills(folder, "s1");
    removeSpills(folder, "..");
    removeSpills(folder, "never");
    removeSpills(join(top, "nowhere"), "s1");
    expect(readdirSync(folder)).toEqual(["s2"]);
    expect(readFileSync(other.path, "utf8")).toBe("two");
  });

  verifies("TERM-3b", "goes seven days after its closing", () => {
    for (const session of ["s6", "s8", "closed"]) spilled("text", { session });
    daysAgo(join(folder, "s6"), 6);
    daysAgo(join(folder, "s8"), 8);
    daysAgo(join(folder, "closed"), 8);
    touchSpills(folder, "closed");
    sweepSpills(folder);
    expect(readdirSync(folder)).toEqual(["closed", "s6"]);
    sweepSpills(folder, 5 * (spillsKeptMs / 7));
    expect(readdirSync(folder)).toEqual(["closed"]);
  });

  test("is looked for through no link, and what is not a session's stays", () => {
    mkdirSync(join(top, "elsewhere"), { mode: 0o700 });
    writeFileSync(join(top, "elsewhere", "kept"), "");
    spilled("text");
    symlinkSync(join(top, "elsewhere"), join(folder, "s2"));
    symlinkSync(join(top, "elsewhere"), join(folder, "s1", "inner"));
    writeFileSync(join(folder, "file"), "");
    daysAgo(join(top, "elsewhere"), 9);
    daysAgo(join(folder, "s1"), 9);
    daysAgo(join(folder, "file"), 9);
    touchSpills(folder, "s2");
    expect(lstatSync(join(top, "elsewhere")).mtimeMs).toBeLessThan(Date.now() - spillsKeptMs);
    sweepSpills(folder);
    expect(readdirSync(folder)).toEqual(["file", "s2"]);
    expect(readdirSync(join(top, "elsewhere"))).toEqual(["kept"]);
  });

  test("is no business of ours in a folder that is a link, or is none", () => {
    spilled("text");
    daysAgo(join(folder, "s1"), 9);
    symlinkSync(folder, join(top, "link"));
    for (const wrong of [join(top, "link"), join(top, "nowhere"), join(folder, "s1", "c1.stdout.txt")]) {
      sweepSpills(wrong);
      removeSpills(wrong, "s1");
      touchSpills(wrong, "s1");
    }
    expect(readdirSync(folder)).toEqual(["s1"]);
  });
});
