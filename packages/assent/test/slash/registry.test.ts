import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shellCommands } from "../../src/core/interaction/commands.ts";
import { completeSlash, readSlash, slashCommands, slashPage } from "../../src/slash/index.ts";
import { TestPlace } from "./place.ts";

const names = slashCommands.map(({ name }) => name);

describe("the registry", () => {
  test("has every command once", () => {
    const all = slashCommands.flatMap(({ name, also = [] }) => [name, ...also]);
    expect(new Set(all).size).toBe(all.length);
  });

  test("each tells how it is used, what it does in one line, and an example that is itself", () => {
    const wrong = slashCommands.filter(({ name, usage, does, examples }) => {
      const own = examples.every((line) => {
        const read = readSlash(line);
        return read !== null && "command" in read && read.command.name === name;
      });
      return (
        !(usage === `/${name}` || usage.startsWith(`/${name} `)) || /\n|\.$/.test(does) || !own || examples.length === 0
      );
    });
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  test("what only looks something up is safe and for anyone, what a person alone decides is theirs", () => {
    const groups = Object.groupBy(slashCommands, ({ who, tier }) =>
      who === "person" ? "person" : typeof tier === "function" ? "by its arguments" : tier,
    );
    const told = Object.fromEntries(Object.entries(groups).map(([key, list]) => [key, list.map(({ name }) => name)]));
    expect(told).toEqual({
      safe: ["help", "status", "sessions", "context", "tools", "policy", "history", "audit", "doctor"],
      elevated: ["fork", "rename", "compact"],
      "by its arguments": ["model", "integrations", "mcp", "turn-limit", "grants"],
      person: ["stop", "queue", "resume", "new", "export", "flow", "keep", "clear", "demo", "exit", "text"],
    });
  });
});

describe("a line", () => {
  test.each(["hello", "/", "//", "/ help", "!ls", " /help", "/Help", "/1", "/a:", "/a:/b", "/https://x"])(
    "%j is not a command",
    (line) => {
      expect(readSlash(line)).toBeNull();
    },
  );

  test("is a command by its exact name, with all that stands behind it", () => {
    const read = readSlash("/rename  a name\nof two lines ");
    expect(read).toEqual({
      command: slashCommands.find(({ name }) => name === "rename"),
      given: " a name\nof two lines ",
    });
    expect(readSlash("/quit")).toEqual({ command: slashCommands.find(({ name }) => name === "exit"), given: "" });
  });

  test.each([
    ["/staus", { unknown: "staus", nearest: "status" }],
    ["/sessoins now", { unknown: "sessoins", nearest: "sessions" }],
    ["/stat", { unknown: "stat", nearest: "status" }],
    ["/s", { unknown: "s", nearest: null }],
    ["/statuses", { unknown: "statuses", nearest: "status" }],
  ])("%s is unknown, and the nearest command is named", (line, read) => {
    expect(readSlash(line)).toEqual(read);
  });
});

test("a name of any length is read at once", () => {
  const name = "x".repeat(100_000);
  expect(readSlash(`/${name}`)).toEqual({ unknown: name, nearest: null });
});

describe("completion", () => {
  const { place } = new TestPlace();
  test.each([
    ["/", 1, { from: 0, choices: names.map((name) => `/${name}`).sort() }],
    ["/st", 3, { from: 0, choices: ["/status", "/stop"] }],
    ["/stop k", 7, { from: 6, choices: ["kill"] }],
    ["/stop k and more", 7, { from: 6, choices: ["kill"] }],
    ["/policy ", 8, { from: 8, choices: ["explain", "rules"] }],
    ["/model o", 8, { from: 7, choices: ["ollama:qwen3", "openai:gpt-5"] }],
    ["/help tu", 8, { from: 6, choices: ["turn-limit"] }],
    ["/nothing x", 10, { from: 9, choices: [] }],
    ["/clear x", 8, { from: 7, choices: [] }],
    ["words", 5, { from: 0, choices: [] }],
  ])("of %j at %i", async (line, cursor, completion) => {
    expect(await completeSlash(line, cursor, place)).toEqual(completion);
  });
});

test("docs/guide/commands.md is what the commands say now", () => {
  const file = join(import.meta.dirname, "..", "..", "..", "..", "docs", "guide", "commands.md");
  expect(readFileSync(file, "utf8"), "npm run commands-page makes it anew").toBe(slashPage());
});

test("no command of the shell is an answer to a question, whatever surface it is typed at", () => {
  const names = slashCommands.flatMap(({ name, also = [] }) => [name, ...also]);
  expect(names.filter((name) => !shellCommands.includes(name))).toEqual([]);
});
