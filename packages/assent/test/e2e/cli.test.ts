import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { Place } from "./product.ts";

const product = join(import.meta.dirname, "..", "..");
const scratch = mkdtempSync(join(tmpdir(), "assent-cli-"));
afterAll(() => rmSync(scratch, { recursive: true }));

/** The source, also where a bundle lies beside it: an old one would hide what is being tested. */
function assent(argv: readonly string[]) {
  const entry = JSON.stringify(join(product, "src", "cli", "main.ts"));
  const launch = `${JSON.stringify(argv)}, { root: ${JSON.stringify(product)} }`;
  const program = `const { main } = await import(${entry}); process.exitCode = await main(${launch});`;
  const ran = spawnSync(process.execPath, ["--input-type=module", "-e", program], { encoding: "utf8" });
  return { status: ran.status, stdout: ran.stdout, stderr: ran.stderr };
}

test("the demo says that its model is scripted, works in a folder of its own, and leaves nothing behind", () => {
  const { status, stdout, stderr } = assent(["demo", "--unattended=deny"]);
  expect(status).toBe(0);
  expect(stderr).toMatch(/^The model is scripted; the commands are real, in \S+\.\n/);
  expect(stderr).toContain("system  not approved: nobody-to-answer\n");
  expect(stderr).toContain(
    "tool    $ ls\ntool    README.md\ntool    build\ntool    notes\ntool    src\ntool    test\n",
  );
  expect(stdout).toBe("That is what is left; the list above is from the real folder.\n");
  expect(existsSync(/in (\S+)\/project\./.exec(stderr)?.[1] ?? "")).toBe(false);
});

test.each([[["--help"]], [["help"]], [["-h"]], [["help", "version"]]])("%j prints the commands there are", (argv) => {
  const { status, stdout } = assent(argv);
  expect(status).toBe(0);
  expect(stdout).toMatch(/^usage: assent \[command\]\n/);
});

test.each(["run", "resume", "sessions", "pending", "answer", "stop", "demo"])(
  "%s --help tells of that command",
  (command) => {
    const { status, stdout } = assent([command, "--help"]);
    expect(status).toBe(0);
    expect(stdout.startsWith(`usage: assent ${command}`)).toBe(true);
    expect(assent(["help", command]).stdout).toBe(stdout);
  },
);

test.each(["--version", "version", "-v"])("%s prints the package's version", (argument) => {
  expect(assent([argument])).toEqual({ status: 0, stdout: "0.1.0\n", stderr: "" });
});

test("a shell into which nothing is piped says that there was nothing to do", () => {
  expect(new Place([]).assent([], "")).toEqual({
    ...{ status: 0, stdout: "" },
    stderr: "assent: nothing was piped in, so there was nothing to do\n",
  });
});

test("a prompt where a command is expected, and a command without quotes, are told as that", () => {
  expect(assent(["what is here"])).toEqual({
    ...{ status: 2, stdout: "" },
    stderr: 'assent: unknown command "what is here"; a prompt is given as assent run "what is here"\n',
  });
  expect(assent(["policy", "explain", "rm", "-rf", "build"])).toEqual({
    ...{ status: 2, stdout: "" },
    stderr: 'assent: unknown option "-r"; the command is one argument: put it in quotes\n',
  });
  expect(assent(["policy", "explain", "--jsn", "ls"]).stderr).toBe(
    'assent: unknown option "--jsn"; did you mean --json?\n',
  );
});

test("an unknown command is named, with what a terminal would obey made visible, and ends with the code for misuse", () => {
  const { status, stdout, stderr } = assent(["\u001b[31mdance", "now"]);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr.split("\n")[0]).toBe('assent: unknown command "\\u001b[31mdance"');
});

test("help of what is not there is an error", () => {
  expect(assent(["help", "polcy"])).toEqual({
    status: 2,
    stdout: "",
    stderr: 'assent: unknown command "polcy"; did you mean policy?\n',
  });
});

test("an argument too many is named", () => {
  const { status, stderr } = assent(["sessions", "--json", "all"]);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^assent: expected no argument, found "all"\n/);
});

test("a reader that has seen enough ends it without a word", () => {
  const launcher = join(product, "bin", "assent.cjs");
  const pipe = `"${process.execPath}" "${launcher}" help 2>"${scratch}/stderr" | true; cat "${scratch}/stderr"`;
  expect(spawnSync("sh", ["-c", pipe], { encoding: "utf8" })).toMatchObject({ status: 0, stdout: "" });
});
