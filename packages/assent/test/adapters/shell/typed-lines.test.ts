import { appendFileSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { looksSecret } from "../../../src/adapters/shell/secret-looks.ts";
import { typedLines } from "../../../src/adapters/shell/typed-lines.ts";

const home = () => mkdtempSync(join(tmpdir(), "assent-typed-"));
const fileIn = (place: string) => {
  const [name = ""] = readdirSync(join(place, "history"));
  return join(place, "history", name);
};

describe("typed lines", () => {
  test("are there again in the next shell, in their order and with all their rows", () => {
    const place = home();
    const typed = typedLines(place, "/project");
    for (const line of ["first", "two\nrows", "日本"]) typed.add(line);
    expect(typedLines(place, "/project").lines()).toEqual(["first", "two\nrows", "日本"]);
  });

  test("belong to their project", () => {
    const place = home();
    typedLines(place, "/one").add("here");
    expect(typedLines(place, "/other").lines()).toEqual([]);
  });

  test("are for their owner's eyes only", () => {
    const place = home();
    typedLines(place, "/project").add("here");
    expect(statSync(fileIn(place)).mode & 0o777).toBe(0o600);
    expect(statSync(join(place, "history")).mode & 0o777).toBe(0o700);
  });

  test("count once where they were typed in a row, and blank ones never", () => {
    const typed = typedLines(home(), "/project");
    for (const line of ["a", "a", " ", "b", "a"]) typed.add(line);
    expect(typed.lines()).toEqual(["a", "b", "a"]);
  });

  test("that look like a secret are recalled in this shell and never written", () => {
    const place = home();
    const typed = typedLines(place, "/project");
    typed.add("export API_KEY=hello");
    typed.add("plain");
    expect(typed.lines()).toEqual(["export API_KEY=hello", "plain"]);
    expect(readFileSync(fileIn(place), "utf8")).toBe('"plain"\n');
  });

  test("that hold a known secret are not written either", () => {
    const place = home();
    const typed = typedLines(place, "/project", (line) => line.includes("hunter2"));
    for (const line of ["it is hunter2", "plain"]) typed.add(line);
    expect(typed.lines()).toEqual(["it is hunter2", "plain"]);
    expect(readFileSync(fileIn(place), "utf8")).toBe('"plain"\n');
  });

  test("are the last thousand, and the file does not grow for ever", () => {
    const place = home();
    typedLines(place, "/project").add("0");
    const file = fileIn(place);
    writeFileSync(file, Array.from({ length: 2_500 }, (_, index) => `"${index}"\n`).join(""));
    const lines = typedLines(place, "/project").lines();
    expect([lines.length, lines[0], lines.at(-1)]).toEqual([1_000, "1500", "2499"]);
    expect(readFileSync(file, "utf8").split("\n").length).toBe(1_001);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(join(place, "history")).length).toBe(1);
  });

  test("that were written in part, or by something else, are passed over", () => {
    const place = home();
    typedLines(place, "/project").add("good");
    appendFileSync(fileIn(place), '{"a":1}\n\n"half');
    expect(typedLines(place, "/project").lines()).toEqual(["good"]);
  });

  test("that cannot be kept fail nothing", () => {
    const place = home();
    writeFileSync(join(place, "history"), "a file where a folder should be");
    const typed = typedLines(place, "/project");
    typed.add("here");
    expect(typed.lines()).toEqual(["here"]);
  });

  test("of a huge size are not written", () => {
    const place = home();
    const typed = typedLines(place, "/project");
    typed.add("short");
    typed.add("x ".repeat(100_000));
    expect(typed.lines().length).toBe(2);
    expect(readFileSync(fileIn(place), "utf8")).toBe('"short"\n');
  });
});

describe("what looks like a secret", () => {
  test.each([
    `use ${"sk-"}ant-${"a1".repeat(12)}`,
    `gh auth login --with-token ghp${"_"}${"a1B2".repeat(9)}`,
    `AKIA${"IOSFODNN7EXAMPLE"} it is`,
    `curl -H "Authorization: Bearer ${"abc".repeat(4)}"`,
    "psql postgres://me:hunter2@db.example/app",
    "export DB_PASSWORD=hunter2",
    '{"token": "abc"}',
    "mysql --password hunter2",
    "--api-key=abc",
    "my password is hunter2",
    "the token abc123def456",
    "-----BEGIN OPENSSH PRIVATE KEY-----",
    `look at ${"aB3".repeat(12)}`,
  ])("%j", (line) => {
    expect(looksSecret(line)).toBe(true);
  });

  test.each([
    "fix the login page",
    "how many tokens does the window have?",
    "the token limit is reached",
    "write a password generator",
    "!git show 3f2a9c1d4e5b6a7f8091a2b3c4d5e6f708192a3b",
    "explain src/adapters/shell/typed-lines.ts",
    "open https://example.com/a:b/c",
    "rename skip-the-first-entry-of-the-list to skipFirst",
  ])("not %j", (line) => {
    expect(looksSecret(line)).toBe(false);
  });
});
