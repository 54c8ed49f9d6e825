import { expect, test } from "vitest";
import { madeScripts } from "./made-scripts.ts";
import type { ShellState } from "./state.ts";
import { nowhere } from "./text.ts";

/** What the command runs of a file that was just made. */
function ran(command: string, file: string, text: string): readonly unknown[] {
  const [name = "", ...words] = command.split(" ");
  const state: ShellState = {
    cwd: ["/p"],
    variables: new Map(),
    functions: new Map(),
    aliases: new Map(),
    parameters: null,
    files: new Map([[`/p/${file}`, { type: "content", text: [text] }]]),
    search: null,
  };
  const given = words.map((word) => ({ text: [word], splits: false, span: nowhere }));
  return madeScripts(name, given, state).map((made) => made.text);
}

const long = 60_000;
/** Each takes milliseconds; in time that grows with the square of the length, longer than this. */
const timeout = 3000;

test("a long list of commands with quotes in the middle is read in time that grows with its length", {
  timeout,
}, () => {
  for (const unit of ['"', "'", "]", " ", "\t"]) {
    const middle = unit.repeat(long);
    const text = `tasks:\n a:\n  cmds:\n   - x${middle}y\n   - "ls"\n   - [${middle}`;
    expect(ran("task a", "Taskfile.yml", text)).toEqual([[`"$a_taskfile_that_is_not_followed"`]]);
    expect(ran("task a", "Taskfile.yml", text.slice(0, text.lastIndexOf("\n")))).toEqual([[`x${middle}y\nls`]]);
  }
});

test("a text of code that is not closed is passed over in time that grows with its length", { timeout }, () => {
  for (const unit of ['\\"', "\\\\", '\\"a']) {
    const open = `"${unit.repeat(long / unit.length)}`;
    const code = `exec.Command("ls", ${open}\nexec.Command("rm", "x y") "z"`;
    expect(ran("go run .", "main.go", code)).toEqual([["ls\nrm 'x y' z"]]);
    expect(ran("cargo build", "build.rs", code)).toEqual([["ls\nrm 'x y' z"]]);
  }
});

test("quotes at the end of a command stay, those around the whole do not", () => {
  for (const [line, expected] of [
    ['echo "it is done"', 'echo "it is done"'],
    ["echo 'a b'", "echo 'a b'"],
    ['"echo a"', "echo a"],
    ["'echo \"it''s\"'", 'echo "it\'s"'],
  ])
    expect(ran("task a", "Taskfile.yml", `tasks:\n a:\n  - ${line}`)).toEqual([[expected]]);
});

test("a justfile is read in time that grows with its length", { timeout }, () => {
  for (const unit of [
    "`",
    "'",
    '"',
    "{{",
    "}}",
    "\\",
    ":",
    " a",
    "a=",
    "a=''",
    "end_",
    "```",
    "shell(",
    "\n ",
    "\na:\n b",
  ]) {
    const middle = unit.repeat(long / unit.length);
    for (const text of [
      `a:\n ${middle}`,
      `a := ${middle}`,
      `a ${middle}:\n ls`,
      `[script("x")]\na:\n ${middle}`,
      middle,
    ])
      ran("just a", "justfile", text);
  }
});

test("scripts of a package are read in time that grows with their length", { timeout }, () => {
  for (const unit of ['"', '\\"', '"a":', '"a":"', " ", "\\"])
    ran("npm test", "package.json", unit.repeat(long / unit.length));
});
