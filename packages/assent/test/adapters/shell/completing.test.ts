import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Completer } from "../../../src/adapters/shell/completing.ts";
import { verifies } from "../../requirements/verifies.ts";
import { TestPlace } from "../../slash/place.ts";

/** A busy machine fails no test. */
const patience = { timeout: 30_000 };

function completing() {
  const cwd = mkdtempSync(join(tmpdir(), "assent-completing-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  mkdirSync(join(cwd, "bin"));
  writeFileSync(join(cwd, "bin", "assemble"), "");
  writeFileSync(join(cwd, "notes.md"), "");
  const known = vi.fn();
  const { place } = new TestPlace({ cwd });
  const completer = new Completer(() => place, known);
  return { completer, known, cwd };
}

verifies("SEL-11h", "a file is completed behind an @ at the beginning of a word", () => {
  const { completer } = completing();
  expect(completer.complete("read @no", 8)).toEqual({ start: 5, words: ["@notes.md"] });
  expect(completer.complete("ada@no", 6)).toEqual({ start: 6, words: [] });
});

test("in a command of the system programs are completed where one begins, and files elsewhere", () => {
  const { completer, cwd } = completing();
  vi.stubEnv("PATH", join(cwd, "bin"));
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(completer.complete("!ass", 4)).toEqual({ start: 1, words: ["assemble"] });
  expect(completer.complete("!!ass", 5)).toEqual({ start: 2, words: ["assemble"] });
  expect(completer.complete("!cat no", 7)).toEqual({ start: 5, words: ["notes.md"] });
  expect(completer.complete("!cat a | ass", 12)).toEqual({ start: 9, words: ["assemble"] });
  expect(completer.complete("!bin/a", 6)).toEqual({ start: 1, words: ["bin/assemble"] });
});

test("commands of the shell are completed a moment later, and then at once", async () => {
  const { completer, known } = completing();
  expect(completer.complete("/turn", 5)).toEqual({ start: 5, words: [] });
  await vi.waitFor(() => expect(known).toHaveBeenCalledWith("/turn"), patience);
  expect(completer.complete("/turn", 5)).toEqual({ start: 0, words: ["/turn-limit"] });
});

test("a file's name is one word of a command, whatever is in it, and no option", () => {
  const { completer, cwd } = completing();
  for (const name of ["my file.txt", "x;touch pwned", "-rf", "new\nline"]) writeFileSync(join(cwd, name), "");
  expect(completer.complete("!rm my", 6)).toEqual({ start: 4, words: ["my\\ file.txt"] });
  expect(completer.complete("!rm my\\ f", 9)).toEqual({ start: 4, words: ["my\\ file.txt"] });
  expect(completer.complete("!cat x", 6)).toEqual({ start: 5, words: ["x\\;touch\\ pwned"] });
  expect(completer.complete("!rm ", 4).words).toEqual(["bin/", "my\\ file.txt", "notes.md", "x\\;touch\\ pwned"]);
});

verifies("SEL-11h", "a name with blanks is completed as it is read behind an @", () => {
  const { completer, cwd } = completing();
  mkdirSync(join(cwd, "my folder"));
  writeFileSync(join(cwd, "my folder", "one two"), "");
  expect(completer.complete("see @my", 7)).toEqual({ start: 4, words: ['@"my folder/'] });
  const typed = 'see @"my folder/o';
  expect(completer.complete(typed, typed.length)).toEqual({ start: 4, words: ['@"my folder/one two"'] });
});

test("what could stand there is found anew when the session has changed", async () => {
  const cwd = mkdtempSync(join(tmpdir(), "assent-completing-"));
  onTestFinished(() => rmSync(cwd, { recursive: true }));
  const { place, host } = new TestPlace({ cwd });
  const known = vi.fn();
  const completer = new Completer(() => place, known);
  completer.complete("/turn", 5);
  await vi.waitFor(() => expect(known).toHaveBeenCalledTimes(1), patience);
  host.submit("s1", { type: "name", name: "other", by: place.by, authority: "act" });
  expect(completer.complete("/turn", 5)).toEqual({ start: 5, words: [] });
  await vi.waitFor(() => expect(known).toHaveBeenCalledTimes(2), patience);
});
