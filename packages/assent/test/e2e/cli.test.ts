import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, test } from "vitest";

const launcher = join(import.meta.dirname, "..", "..", "bin", "assent.cjs");

function assent(...argv: readonly string[]): { status: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...argv], { encoding: "utf8" });
  return { status, stdout, stderr };
}

test("the demo says that it is a recording, plays it and ends with the fold of its events", () => {
  const { status, stdout, stderr } = assent("demo");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.split("\n")[0]).toBe("A recorded session of Assent; the model in it was scripted. Nothing is run.");
  expect(stdout).toContain("\nApprove command: rm -rf build? (yes/no)\n\n1) Yes\n2) No\n");
  expect(stdout).toContain(
    "The fold of its 26 events: session demo, active, turn 3 of 25, no exchange open; next work: rest.",
  );
});

test.each([[[]], [["--help"]], [["help"]]])("%j prints the commands there are", (argv) => {
  const { status, stdout } = assent(...argv);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^usage: assent <command>\n/);
});

test("the version is the package's", () => {
  expect(assent("--version")).toEqual({ status: 0, stdout: "0.1.0\n", stderr: "" });
});

test("an unknown command is named and ends with the code for misuse", () => {
  const { status, stdout, stderr } = assent("dance");
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^assent: unknown command dance\nusage: /);
});

test("an argument too many is named", () => {
  const { status, stderr } = assent("demo", "--fast");
  expect(status).toBe(2);
  expect(stderr).toMatch(/^assent: demo takes no arguments, found --fast\n/);
});
