import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Limits, stateBlock, type ToolResult } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { agentic, person, read, running, type Story, story, terminal } from "./story.ts";

const acted = { by: person, authority: "act" } as const;
const block = (told: Story) => stateBlock(told.session);
const lines = (...inner: readonly string[]) => ["<state>", ...inner, "</state>"].join("\n");
const bytes = (text: string) => Buffer.byteLength(text, "utf8");

function openRun(prompt: string, objective: string, limits: Partial<Limits> = {}): Story {
  return story(limits).prompt(prompt).model("", agentic(objective));
}

/** One iteration: one command and its result. */
function command(told: Story, line: string, result: Partial<ToolResult> = {}): Story {
  told.model("", terminal(line)).judge().start();
  const [call = "none"] = told.running;
  return told.give({ type: "tool-result", call, result: { type: "output", text: "", ...result } });
}

const queue = (told: Story, text: string) =>
  told.give({ type: "prompt", text, delivery: "next", entry: "typed", ...acted });
const opened = (told: Story, cwd: string) => told.give({ type: "terminal", state: "opened", cwd });
const closed = (told: Story, cwd: string) => told.give({ type: "terminal", state: "closed", cwd });
const started = (told: Story, pid: number, line: string) =>
  told.give({ type: "process", state: "started", process: `p${pid}`, pid, since: 1, command: line });
const ended = (told: Story, pid: number) => told.give({ type: "process", state: "ended", process: `p${pid}` });

describe("what the block says", () => {
  verifies("STATE-2a", "that a run is active, the prompt, the objective and the iteration of its most", () => {
    const told = openRun("tidy the build", "no warnings", { iterations: 9 });
    const first = ["Prompt: tidy the build", "Objective: no warnings"];
    expect(block(told)).toBe(lines("A run is active: iteration 1 of 9.", ...first));
    told.model("hm").model("", read());
    expect(block(told)).toBe(lines("A run is active: iteration 2 of 9.", ...first));
    expect(block(told.runTools())).toBe(lines("A run is active: iteration 3 of 9.", ...first));
  });

  verifies("STATE-2a", "nothing at all when no run is active", () => {
    expect(block(story())).toBe("");
    expect(block(story().prompt())).toBe("");
    expect(block(command(story().prompt(), "ls"))).toBe("");
    expect(block(running().modelFails())).toBe("");
  });

  verifies(["STATE-2a", "STATE-2c", "STATE-2d"], "all of it together, each in one line", () => {
    const told = openRun("tidy\n  the build\r\n", "no\nwarnings");
    opened(told, "/project");
    command(told, "cd sub\nmake", { text: "\nno rule\n\nto make\n", exit: 2, cwd: "/project/sub", files: ["a", "b"] });
    started(started(told, 41, "npm run dev"), 42, "tail -f log");
    queue(queue(told, "then deploy"), "then rest");
    expect(block(told)).toBe(
      lines(
        "A run is active: iteration 2 of 25.",
        "Prompt: tidy ⏎ the build ⏎ ",
        "Objective: no ⏎ warnings",
        "Terminal: open in /project/sub",
        "Last command (exit 2): cd sub ⏎ make",
        "Its output: no rule ⏎ to make",
        "Background processes (2): 41 npm run dev; 42 tail -f log",
        "Prompts that wait for the next exchange: 2",
        "Files modified: a, b",
      ),
    );
  });
});

describe("the last command", () => {
  const about = (told: Story) => block(told).split("\n").slice(4, -1);

  test("it appears once one ran, and is always the latest", () => {
    const told = running().model("", read()).runTools("text of a file");
    expect(about(told)).toEqual([]);
    const shown = ["Terminal: none open", "Last command (exit 0): make", "Its output: made"];
    expect(about(command(told, "make", { text: "made", exit: 0 }))).toEqual(shown);
    expect(about(told.model("", read()).runTools("text of a file"))).toEqual(shown);
    expect(about(command(told, "true"))).toEqual(["Terminal: none open", "Last command: true"]);
  });

  for (const letter of ["я", "漢"]) {
    verifies("STATE-2b", `500 characters of its output are there in any script: ${letter}`, () => {
      const whole = letter.repeat(500);
      const cut = "… [cut; 900 characters in all]";
      expect(about(command(running(), "c", { text: letter.repeat(900) }))[2]).toBe(`Its output: ${whole}${cut}`);
    });
  }

  verifies("STATE-2b", "its output is cut after 500 characters, and the cut is marked", () => {
    const whole = "x".repeat(500);
    expect(about(command(running(), "c", { text: whole }))[2]).toBe(`Its output: ${whole}`);
    expect(about(command(running(), "c", { text: `${whole}y` }))[2]).toBe(
      `Its output: ${whole}… [cut; 501 characters in all]`,
    );
    const flood = `${whole}${"y".repeat(5_000_000)}`;
    expect(about(command(running(), "c", { text: flood }))[2]).toBe(
      `Its output: ${whole}… [cut; 5000500 characters in all]`,
    );
  });

  test("a line that is no output is cut after 160 bytes", () => {
    const whole = "x".repeat(160);
    expect(about(command(running(), whole))[1]).toBe(`Last command: ${whole}`);
    expect(about(command(running(), `${whole}y`))[1]).toBe(`Last command: ${whole}… [cut; 161 characters in all]`);
  });

  for (const [character, size] of [
    ["y", 1],
    ["\u0080", 2],
    ["й", 2],
    ["\u0800", 3],
    ["目", 3],
    ["\u{10000}", 4],
  ] as const) {
    test(`a cut is never inside a character: ${size} bytes of U+${character.codePointAt(0)?.toString(16)}`, () => {
      const whole = character.repeat(Math.floor(160 / size));
      const length = whole.length + character.length;
      const told = command(openRun("p", whole), whole + character);
      expect(block(told)).toContain(`\nObjective: ${whole}\n`);
      expect(block(told)).toContain(`\nLast command: ${whole}… [cut; ${length} characters in all]\n`);
    });
  }

  test("no text can add a line of its own or leave half a character", () => {
    const told = command(running(), `a${"\n".repeat(318)}😀😀`, { files: ["a\nObjective: other", "b\rc"] });
    expect(block(told).isWellFormed()).toBe(true);
    expect(block(told).match(/^Objective: /gm)).toHaveLength(1);
    expect(block(told)).toContain("\nFiles modified: a ⏎ Objective: other, b ⏎ c\n");
  });

  test("an output of nothing but empty lines still says that it was cut", () => {
    const text = `a${"\n".repeat(90_000)}b`;
    expect(about(command(running(), "c", { text }))[2]).toBe("Its output: a ⏎ … [cut; 90002 characters in all]");
  });

  verifies("STATE-2c", "with the terminal open its directory and the exit code are there", () => {
    const told = command(opened(running(), "/project"), "cd sub && false", { exit: 1, cwd: "/project/sub" });
    expect(about(told)).toEqual(["Terminal: open in /project/sub", "Last command (exit 1): cd sub && false"]);
    expect(about(command(told, "true", { exit: 0 }))[0]).toBe("Terminal: open in /project/sub");
  });

  verifies("STATE-2c", "without it one line says so", () => {
    const told = command(running(), "false", { exit: 1, cwd: "/elsewhere" });
    expect(about(told)[0]).toBe("Terminal: none open");
    expect(about(closed(opened(told, "/project"), "/project/sub"))[0]).toBe("Terminal: closed, was in /project/sub");
    expect(about(opened(told, "/again"))[0]).toBe("Terminal: open in /again");
    expect(about(told.crash())[0]).toBe("Terminal: closed, was in /again");
  });
});

describe("files, processes and what waits", () => {
  const last = (told: Story) => block(told).split("\n").at(-2);

  verifies("STATE-2d", "files of the whole session are listed once each, also those of earlier exchanges", () => {
    const told = command(story().prompt(), "a", { files: ["one", "two"] })
      .model("done")
      .prompt()
      .model("", agentic());
    expect(last(told)).toBe("Files modified: one, two");
    expect(last(command(told, "b", { files: ["two", "three"] }))).toBe("Files modified: one, two, three");
    const more: ToolResult = { type: "output", text: "", more_files: true };
    expect(last(command(told, "c", more))).toBe("Files modified: one, two, three, and maybe more");
    expect(last(command(told, "d"))).toBe("Files modified: one, two, three, and maybe more");
  });

  verifies("STATE-2d", "two hundred names are remembered, beyond them only that there may be more", () => {
    const names = Array.from({ length: 201 }, (_, index) => `${index}`);
    const line = (count: number) => last(command(running(), "a", { files: names.slice(0, count) }));
    expect(line(200)).toBe(`Files modified: ${names.slice(0, 200).join(", ")}`);
    expect(line(201)).toBe(`Files modified: ${names.slice(0, 200).join(", ")}, and maybe more`);
  });

  verifies("STATE-2d", "files that do not fit are counted", () => {
    const paths = Array.from({ length: 150 }, (_, index) => `/project/source/file-${index}.ts`);
    const line = last(command(running(), "a", { files: paths })) ?? "";
    const shown = line.match(/file-\d+\.ts/g)?.length ?? 0;
    expect(line).toBe(`Files modified: ${paths.slice(0, shown).join(", ")}, ${150 - shown} not shown`);
    expect(shown).toBeGreaterThan(30);
  });

  verifies("STATE-2d", "a file name that is too long for the block is counted", () => {
    expect(last(command(running(), "a", { files: ["x".repeat(3000)] }))).toBe("Files modified: 1 not shown");
    const one = command(running(), "a", { files: ["a", "x".repeat(3000), "b"] });
    expect(last(one)).toBe("Files modified: a, 2 not shown");
  });

  verifies("STATE-2d", "background processes are listed while they run", () => {
    const told = started(started(running(), 7, "serve"), 8, "watch");
    expect(last(told)).toBe("Background processes (2): 7 serve; 8 watch");
    expect(ended(told, 9).last.events).toEqual([]);
    ended(told, 7);
    expect(last(told)).toBe("Background processes (1): 8 watch");
    expect(last(told.crash())).toBe("Objective: reach the goal");
  });

  verifies("STATE-2d", "what is waiting is counted until it is taken back", () => {
    const told = queue(running(), "later");
    expect(last(told)).toBe("Prompts that wait for the next exchange: 1");
    told.give({ type: "withdrawal", waiting: "w1", ...acted });
    expect(last(told)).toBe("Objective: reach the goal");
  });
});

describe("an aborted session", () => {
  test("has nothing to do but end its terminal and its processes", () => {
    const told = started(opened(command(running({ turns: 1 }), "ls"), "/project"), 7, "serve").reply("no");
    expect(told.session.status).toBe("aborted");
    expect(told.work).toEqual({ type: "end-processes" });
    closed(told, "/project");
    expect(told.work).toEqual({ type: "end-processes" });
    ended(told, 7);
    expect(told.work).toEqual({ type: "rest", waiting: "nothing" });
  });
});

const hostile: Readonly<Record<string, string>> = {
  Latin: "x".repeat(10_000),
  Chinese: "漢".repeat(10_000),
  emoji: "👩‍👩‍👧‍👦".repeat(2_000),
  "two-byte letters": "й".repeat(10_000),
  "empty lines": "\n".repeat(10_000),
  "lines of one letter": "a\n".repeat(5_000),
  "half an emoji each": "\ud83d".repeat(10_000),
  "control characters": "\u0000\u001b[2J".repeat(2_000),
};

/** Everything as large as a person, a model and a machine can make it. */
function swollen(text: string, limits: Partial<Limits> = {}): Story {
  const told = openRun(`p${text}`, text, { iterations: Number.MAX_SAFE_INTEGER, repeats: 1e15, ...limits });
  opened(told, text);
  for (let pid = 4_000_000; pid < 4_000_300; pid++) started(told, pid, text);
  for (let count = 0; count < 120; count++) queue(told, `q${text}`);
  const path = text.replaceAll("\n", "_");
  const files = Array.from({ length: 10_000 }, (_, index) => `${path.slice(0, index)}${index}`);
  for (let time = 0; time < 4; time++)
    command(told, text, { text: `o${text}`, exit: -2_147_483_648, files, cwd: text });
  return told;
}

describe("the size of the block", () => {
  for (const [name, text] of Object.entries(hostile)) {
    verifies("STATE-3a", `it is at most 2048 bytes with ${name} everywhere`, () => {
      const shown = block(swollen(text));
      expect(bytes(shown)).toBeLessThanOrEqual(2048);
      expect(shown).toMatch(/^<state>\nA run is active: iteration 5 of 9007199254740991\.\nPrompt: /);
      expect(shown).toContain("\nPrompts that wait for the next exchange: 120\n");
      expect(shown).toContain("\nThe same call gave the same result 4 times");
      expect(shown).toMatch(/\nFiles modified: .*\d+ not shown, and maybe more\n<\/state>$/);
    });
  }

  verifies(
    "STATE-3a",
    "a long prompt and a long list of files are cut until it fits, what is short stays whole",
    () => {
      const paths = Array.from({ length: 200 }, (_, index) => `/project/packages/assent/source-${index}.ts`);
      const told = command(openRun("prompt ".repeat(1000), "goal"), "make", { text: "fine", files: paths });
      expect(bytes(block(told))).toBeLessThanOrEqual(2048);
      expect(bytes(block(told))).toBeGreaterThan(2048 - 50);
      expect(block(told)).toContain(`\nPrompt: ${"prompt ".repeat(86).slice(0, 600)}… [cut; 7000 characters in all]\n`);
      expect(block(told)).toContain("\nObjective: goal\nTerminal: none open\nLast command: make\nIts output: fine\n");
    },
  );

  verifies("STATE-3a", "its room is used to the last byte and no further", () => {
    const paths = Array.from({ length: 200 }, (_, index) => `/project/packages/assent/source-${index}.ts`);
    const sizes = Array.from({ length: 60 }, (_, length) =>
      bytes(block(command(openRun("p", "o"), "x".repeat(length + 1), { files: paths }))),
    );
    expect(Math.max(...sizes)).toBe(2048);
  });

  verifies("STATE-3a", "it is at most 2048 bytes whatever texts meet", () => {
    const text = fc.string({ unit: "binary", maxLength: 900, size: "max" });
    const parts = fc.record({
      prompt: text,
      objective: text,
      line: text,
      output: text,
      cwd: text,
      files: fc.array(text, { maxLength: 60 }),
    });
    const property = fc.property(parts, ({ prompt, objective, line, output, cwd, files }) => {
      const told = opened(openRun(`p${prompt}`, objective), cwd);
      started(queue(told, "x"), 1, line);
      command(told, line, { text: output, exit: 1, files });
      expect(bytes(block(told))).toBeLessThanOrEqual(2048);
    });
    fc.assert(property, { numRuns: 300 });
  });
});
