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
    expect(ran("task a", "Taskfile.yml", `cmds:\n - x${middle}y\n - "ls"] `)).toEqual([[`\nx${middle}y\nls`]]);
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
