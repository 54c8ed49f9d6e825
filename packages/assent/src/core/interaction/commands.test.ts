import { expect, test } from "vitest";
import { readCommandLine } from "./commands.ts";

test("a line that looks like a command is a name and what follows the first blank", () => {
  expect(readCommandLine("/help")).toEqual({ name: "help", rest: "" });
  expect(readCommandLine("/text  two\nlines")).toEqual({ name: "text", rest: " two\nlines" });
  expect(readCommandLine("/tracker:Open_issue.v2 now")).toEqual({ name: "tracker:Open_issue.v2", rest: "now" });
});

test("anything else is not", () => {
  const others = ["help", "/", "/Help", "/9", "/usr/bin", "//x", " /help", "/help!", "/a:", "/:b"];
  expect(others.map(readCommandLine)).toEqual(others.map(() => null));
});
