import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";

const product = join(import.meta.dirname, "..", "..");
const scratch = mkdtempSync(join(tmpdir(), "assent-cli-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** The source, also where a bundle lies beside it: an old one would hide what is being tested. */
function assent(argv: readonly string[], root = product) {
  const entry = JSON.stringify(join(product, "src", "cli", "main.ts"));
  const launch = `${JSON.stringify(argv)}, { root: ${JSON.stringify(root)} }`;
  const program = `const { main } = await import(${entry}); process.exitCode = await main(${launch});`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

/** The demo with another recording. */
function demoOf(recording: (lines: readonly string[]) => readonly string[]) {
  const root = mkdtempSync(join(scratch, "root-"));
  cpSync(join(product, "demo"), join(root, "demo"), { recursive: true });
  const file = join(root, "demo", "session.jsonl");
  writeFileSync(file, recording(readFileSync(file, "utf8").trimEnd().split("\n")).join("\n"));
  const ran = assent(["demo"], root);
  return { ...ran, stderr: ran.stderr.replace(file, "<file>") };
}

test("the demo says that it is a recording, plays it and ends with what its events say", () => {
  const { status, stdout, stderr } = assent(["demo"]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.split("\n")[0]).toBe("A recorded session of Assent; the model in it was scripted. Nothing is run.");
  expect(stdout).toContain("\nApprove command: rm -rf build? (yes/no)\n\n1) Yes\n2) No\n");
  expect(stdout).toMatch(
    /\nThe recording has 26 events; folded, they say: turn 3 of 25, and what is due next is to rest\.\n$/,
  );
});

test.each<[string, (lines: readonly string[]) => readonly string[], string]>([
  ["damaged", ([first = "", ...rest]) => [first, "garbage", ...rest], "<file>, event 2: expected JSON: "],
  ["incomplete", (lines) => lines.slice(1), "<file>, event 1: seq: expected 1, found 2"],
  ["empty", () => [], "<file>, event 1: expected JSON: "],
])("a recording that is %s is told in one line, and nothing else is printed", (_what, recording, problem) => {
  const { status, stdout, stderr } = demoOf(recording);
  expect({ status, stdout }).toEqual({ status: 1, stdout: "" });
  expect(stderr.startsWith(`assent: ${problem}`)).toBe(true);
  expect(stderr.match(/\n/g)).toHaveLength(1);
});

test("a recording that is not there is told in one line", () => {
  const { status, stderr } = assent(["demo"], scratch);
  expect(status).toBe(1);
  expect(stderr).toMatch(/^assent: cannot read the recording: ENOENT.*\n$/);
});

test.each([[[]], [["--help"]], [["help"]], [["-h"]], [["demo", "--help"]]])(
  "%j prints the commands there are",
  (argv) => {
    const { status, stdout } = assent(argv);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^usage: assent <command>\n/);
  },
);

test.each(["--version", "version", "-v"])("%s prints the package's version", (argument) => {
  expect(assent([argument])).toEqual({ status: 0, stdout: "0.1.0\n", stderr: "" });
});

test("an unknown command is named, with what a terminal would obey made visible, and ends with the code for misuse", () => {
  const { status, stdout, stderr } = assent(["\u001b[31mdance", "now"]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr.split("\n")[0]).toBe('assent: unknown command "\\u001b[31mdance"');
});

test("an argument too many is named", () => {
  const { status, stderr } = assent(["demo", "--fast"]);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^assent: demo takes no arguments, found --fast\n/);
});

test("a reader that has seen enough ends it without a word", () => {
  const launcher = join(product, "bin", "assent.cjs");
  const pipe = `"${process.execPath}" "${launcher}" demo 2>"${scratch}/stderr" | true; cat "${scratch}/stderr"`;
  expect(spawnSync("sh", ["-c", pipe], { encoding: "utf8" })).toMatchObject({ status: 0, stdout: "" });
});
