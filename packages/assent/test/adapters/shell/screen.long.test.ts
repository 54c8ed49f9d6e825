import { setImmediate as turn } from "node:timers/promises";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Editing, edit, newEditing } from "../../../src/adapters/shell/editor.ts";
import type { Key } from "../../../src/adapters/shell/keys.ts";
import { reflowOf } from "../../../src/adapters/shell/reflow.ts";
import { Screen } from "../../../src/adapters/shell/screen.ts";
import { bottom, Window } from "./window.ts";

/** `WALKS=30000 npx vitest run screen.long --testTimeout 0` takes more walks. */
const numRuns = Number(process.env["WALKS"] ?? 60);
const around = { history: ["an earlier line"], complete: () => ({ start: 0, words: [] }) };

function press(editing: Editing, ...names: Extract<Key, { type: "key" }>["name"][]): Editing {
  return names.reduce<Editing>((before, name) => edit(before, { type: "key", name }, around), editing);
}

const typing = (text: string, parts: Parameters<typeof bottom>[0] = {}) =>
  bottom({ editing: newEditing(text), ...parts });

describe("printing", () => {
  test("goes above the bottom, which stays", async () => {
    const window = new Window();
    window.screen.show(typing("abc", { status: "ready" }));
    expect(await window.seen()).toEqual(["> abc", "ready"]);
    window.screen.print(["one", "two"]);
    expect(await window.seen()).toEqual(["one", "two", "> abc", "ready"]);
    expect(await window.cursor()).toEqual([2, 5]);
  });

  test("scrolls what was printed before out of the window, and loses none of it", async () => {
    const window = new Window({ rows: 5 });
    window.screen.show(typing("abc", { above: ["working"], status: "ready" }));
    const lines = Array.from({ length: 12 }, (_, index) => `line ${index}`);
    for (const line of lines) {
      window.screen.print([line]);
      await window.settled();
    }
    expect(await window.seen()).toEqual(["line 10", "line 11", "working", "> abc", "ready"]);
    expect(await window.all()).toEqual([...lines, "working", "> abc", "ready"]);
  });

  test("of a line that is wider than the window leaves it whole", async () => {
    const window = new Window({ columns: 10 });
    window.screen.show(typing("abc"));
    await window.settled();
    window.screen.print(["0123456789abc", "0123456789", "日本語日本語"]);
    expect(await window.all()).toEqual(["0123456789abc", "0123456789", "日本語日本語", "> abc"]);
  });

  test("many things in one turn are one write, shown at once", async () => {
    const window = new Window();
    for (let index = 0; index < 50; index++) {
      window.screen.print([`line ${index}`]);
      window.screen.show(typing(`${index}`));
    }
    await window.settled();
    expect(window.writes.length).toBe(1);
    expect(window.writes[0]?.startsWith("\x1b[?2026h")).toBe(true);
    expect(window.writes[0]?.endsWith("\x1b[?2026l")).toBe(true);
    expect((await window.all()).length).toBe(51);
  });

  test("of nothing writes nothing", async () => {
    const window = new Window();
    window.screen.print([]);
    await window.settled();
    expect(window.writes).toEqual([]);
  });
});

describe("the bottom", () => {
  test("grows and shrinks, and leaves nothing behind", async () => {
    const window = new Window();
    window.screen.print(["printed"]);
    window.screen.show(typing("abc", { above: ["one", "two", "three"], status: "ready" }));
    expect(await window.seen()).toEqual(["printed", "one", "two", "three", "> abc", "ready"]);
    window.screen.show(typing("abc", { above: ["two"] }));
    expect(await window.seen()).toEqual(["printed", "two", "> abc"]);
    expect(await window.cursor()).toEqual([2, 5]);
    window.screen.show(typing("abc\ndef", { above: ["two", "four"], status: "busy" }));
    expect(await window.seen()).toEqual(["printed", "two", "four", "> abc", "  def", "busy"]);
    expect(await window.cursor()).toEqual([4, 5]);
    window.screen.show(bottom({}));
    expect(await window.seen()).toEqual(["printed"]);
    expect(await window.cursor()).toEqual([1, 0]);
  });

  test("grows at the window's end too", async () => {
    const window = new Window({ rows: 5 });
    window.screen.print(["a", "b", "c", "d"]);
    window.screen.show(typing("x"));
    await window.settled();
    window.screen.show(typing("x", { status: "ready" }));
    expect(await window.all()).toEqual(["a", "b", "c", "d", "> x", "ready"]);
    window.screen.show(typing("x\ny", { above: ["on it"], status: "ready" }));
    expect(await window.seen()).toEqual(["d", "on it", "> x", "  y", "ready"]);
    window.screen.show(typing("x"));
    expect(await window.all()).toEqual(["a", "b", "c", "d", "> x"]);
  });

  test("redraws only the rows that differ", async () => {
    const window = new Window();
    window.screen.show(typing("abc", { above: ["spinning 1"], status: "ready" }));
    await window.settled();
    window.screen.show(typing("abc", { above: ["spinning 2"], status: "ready" }));
    expect(await window.seen()).toEqual(["spinning 2", "> abc", "ready"]);
    expect(window.writes[1]).not.toMatch(/abc|ready/);
  });

  test("that is the same again is not written again", async () => {
    const window = new Window();
    window.screen.show(typing("abc"));
    await window.settled();
    window.screen.show(typing("abc"));
    await window.settled();
    expect(window.writes.length).toBe(1);
  });

  test("shows the newest of what is above, when there is more than room", async () => {
    const window = new Window({ rows: 6 });
    window.screen.print(["printed"]);
    const above = Array.from({ length: 20 }, (_, index) => `out ${index}`);
    window.screen.show(typing("abc", { above, status: "ready" }));
    expect(await window.seen()).toEqual(["printed", "out 17", "out 18", "out 19", "> abc", "ready"]);
  });

  test("cuts what is wider than the window, or would be where the mark of that takes two columns", async () => {
    const window = new Window({ columns: 10 });
    window.screen.show(typing("abc", { above: ["0123456789abc"], status: "日本語日本語" }));
    expect(await window.seen()).toEqual(["01234567…", "> abc", "日本語日…"]);
  });

  test("without a text to edit has no cursor to be seen", async () => {
    const window = new Window();
    window.screen.show(bottom({ above: ["working"] }));
    await window.settled();
    expect(window.writes.join("")).toContain("\x1b[?25l");
    window.screen.show(typing(""));
    await window.settled();
    expect(window.writes.at(-1)).toContain("\x1b[?25h");
  });
});

describe("typing", () => {
  test("a character at the end is one small write, at once", async () => {
    const window = new Window();
    window.screen.show(typing("a日", { status: "ready" }));
    await window.settled();
    window.screen.show(typing("a日b", { status: "ready" }));
    expect(window.writes.slice(1)).toEqual(["b"]);
    window.screen.show(typing("a日b本", { status: "ready" }));
    expect(window.writes.slice(2)).toEqual(["本"]);
    expect(await window.seen()).toEqual(["> a日b本", "ready"]);
    expect(await window.cursor()).toEqual([0, 8]);
  });

  test("the cursor stands where the next character goes", async () => {
    const window = new Window();
    const editing = press(newEditing("日本e\u0301x"), "left", "left");
    window.screen.show(bottom({ editing }));
    expect(await window.cursor()).toEqual([0, 6]);
    window.screen.show(bottom({ editing: press(editing, "home") }));
    expect(await window.cursor()).toEqual([0, 2]);
  });

  test("a text that is wider than the window goes on in the next row, below its first character", async () => {
    const window = new Window({ columns: 10 });
    window.screen.show(typing("0123456789", { status: "ready" }));
    expect(await window.seen()).toEqual(["> 01234567", "  89", "ready"]);
    expect(await window.cursor()).toEqual([1, 4]);
    window.screen.show(typing("01234567", { status: "ready" }));
    expect(await window.cursor()).toEqual([1, 2]);
    expect(await window.seen()).toEqual(["> 01234567", "", "ready"]);
  });

  test("a wide character that does not fit goes into the next row whole", async () => {
    const window = new Window({ columns: 9 });
    window.screen.show(typing("日本語日本"));
    expect(await window.seen()).toEqual(["> 日本語", "  日本"]);
    expect(await window.cursor()).toEqual([1, 6]);
  });

  test("marks at the border stay with their letter", async () => {
    const window = new Window({ columns: 9 });
    window.screen.show(typing("abcdefe\u0301x"));
    expect(await window.seen()).toEqual(["> abcdefe\u0301", "  x"]);
  });

  test("letter by letter is the same as all at once", async () => {
    const text = "the quick 日本 brown e\u0301tude\nfox jumps over 日 it";
    const slow = new Window({ columns: 11 });
    const fast = new Window({ columns: 11 });
    for (let length = 0; length <= text.length; length++) {
      slow.screen.show(typing(text.slice(0, length), { status: "ready" }));
      await slow.settled();
    }
    fast.screen.show(typing(text, { status: "ready" }));
    expect([await slow.seen(), await slow.cursor()]).toEqual([await fast.seen(), await fast.cursor()]);
  });

  test("what would be obeyed or not be seen is spelled out, a tab is its blanks", async () => {
    const window = new Window({ columns: 40 });
    window.screen.show(typing("a\tb\u001b[31mc\u202ed"));
    expect(await window.seen()).toEqual(["> a       b\\u{1b}[31mc\\u{202e}d"]);
  });

  test("where a terminal takes characters for wider or narrower, the next one still stands behind them", async () => {
    const window = new Window({ columns: 20 });
    const text = "👩‍👧‍👦 🇩🇪 👍🏽";
    window.screen.show(typing(text, { status: "ready" }));
    await window.settled();
    window.screen.show(typing(`${text}!`, { status: "ready" }));
    expect(await window.seen()).toEqual([`> ${text}!`, "ready"]);
  });

  test("a long paste is seen by its label", async () => {
    const window = new Window({ columns: 40 });
    const editing = edit(newEditing("see "), { type: "paste", text: "x\n".repeat(1_234) }, around);
    window.screen.show(bottom({ editing: edit(editing, { type: "text", text: " end" }, around) }));
    expect(await window.seen()).toEqual(["> see [pasted 1,234 lines] end"]);
    expect(await window.cursor()).toEqual([0, 30]);
  });

  test("a search shows what it looks for", async () => {
    const window = new Window({ columns: 60 });
    const search = edit(press(newEditing("draft"), "search"), { type: "text", text: "earl" }, around);
    window.screen.show(bottom({ editing: search }));
    expect(await window.seen()).toEqual(["(search: earl) an earlier line"]);
    window.screen.show(bottom({ editing: edit(search, { type: "text", text: "x" }, around) }));
    expect(await window.seen()).toEqual(["(nothing found: earlx) an earlier line"]);
  });

  test("nothing is seen of what is hidden, not even while something is searched", async () => {
    const window = new Window({ columns: 80 });
    const searching = { ...newEditing(""), search: { typed: "hunter2", found: false, index: 0, from: newEditing("") } };
    window.screen.show(bottom({ prompt: "password: ", hidden: true, editing: searching }));
    expect((await window.seen()).join("")).not.toContain("hunter2");
  });

  test("nothing is seen of what is hidden, not even its length", async () => {
    const window = new Window();
    for (const text of ["", "s", "secret", "secret\nsecret", "secret ".repeat(40)]) {
      window.screen.show(typing(text, { prompt: "password: ", hidden: true }));
      expect(await window.seen()).toEqual(["password:"]);
      expect(await window.cursor()).toEqual([0, 10]);
    }
    expect(window.writes.join("")).not.toContain("secret");
  });
});

describe("a text that is higher than half of the window", () => {
  const text = Array.from({ length: 30 }, (_, index) => `row ${index}`).join("\n");

  test("scrolls in itself, with the cursor in sight", async () => {
    const window = new Window({ rows: 8 });
    window.screen.print(["printed"]);
    let editing = newEditing(text);
    window.screen.show(bottom({ editing, status: "ready" }));
    expect(await window.seen()).toEqual(["printed", "  row 26", "  row 27", "  row 28", "  row 29", "ready"]);
    editing = press(editing, "up", "up", "up");
    window.screen.show(bottom({ editing, status: "ready" }));
    expect(await window.seen()).toEqual(["printed", "  row 26", "  row 27", "  row 28", "  row 29", "ready"]);
    expect(await window.cursor()).toEqual([1, 8]);
    editing = press(editing, "up", "up");
    window.screen.show(bottom({ editing, status: "ready" }));
    expect(await window.seen()).toEqual(["printed", "  row 24", "  row 25", "  row 26", "  row 27", "ready"]);
    expect(await window.cursor()).toEqual([1, 8]);
    editing = press(editing, ...Array.from({ length: 24 }, () => "up" as const));
    window.screen.show(bottom({ editing, status: "ready" }));
    expect(await window.seen()).toEqual(["printed", "> row 0", "  row 1", "  row 2", "  row 3", "ready"]);
    expect(await window.all()).toHaveLength(6);
  });

  test("does so in one long line too", async () => {
    const window = new Window({ columns: 12, rows: 6 });
    window.screen.show(typing("abcdefghij".repeat(9)));
    expect(await window.seen()).toEqual(["  abcdefghij", "  abcdefghij"]);
    expect(await window.cursor()).toEqual([2, 2]);
  });

  test("and in the smallest of windows", async () => {
    const window = new Window({ columns: 2, rows: 1 });
    window.screen.print(["printed"]);
    window.screen.show(typing("日本語 abc\ndef", { above: ["one"], status: "ready" }));
    await window.settled();
    expect(await window.cursor()).toEqual([0, 1]);
  });
});

describe("resizing", () => {
  const printed = ["a line that was printed and is long", "日本語日本語日本語日本語", "short", ""];

  test.each([
    ["narrower", 14, 12],
    ["much narrower", 7, 12],
    ["wider", 60, 12],
    ["lower", 30, 6],
    ["higher", 30, 20],
    ["narrower and lower", 13, 7],
  ])("%s leaves what was printed, and one bottom", async (_, columns, rows) => {
    const window = new Window({ columns: 30, rows: 12 });
    window.screen.print([...printed, "last"]);
    const shown = typing("what is being typed now", { above: ["live output that is long"], status: "status of it" });
    window.screen.show(shown);
    await window.settled();
    await window.resize(columns, rows);
    const fresh = new Window({ columns, rows });
    fresh.screen.print([...printed, "last"]);
    fresh.screen.show(shown);
    expect(await window.all()).toEqual(await fresh.all());
    window.screen.print(["more"]);
    fresh.screen.print(["more"]);
    expect(await window.all()).toEqual(await fresh.all());
  });

  test("from a single row, which was the text's, loses nothing", async () => {
    const window = new Window({ columns: 13, rows: 1 });
    window.screen.show(typing("", { status: "the status" }));
    window.screen.print(["one", "two"]);
    expect(await window.seen()).toEqual([">"]);
    await window.resize(4, 10);
    window.screen.leave();
    expect(await window.all()).toEqual(["one", "two"]);
  });

  const several = bottom({
    ...{ editing: press(newEditing("the first row\nthe second row of it\nthe third row of it"), "up", "up") },
    ...{ above: ["live output that is long"], status: "status of it, which is long" },
  });

  test.each([11, 10, 9, 8])("narrower and lower, by however many of the rows below the cursor: to %i", async (rows) => {
    const window = new Window({ columns: 30, rows: 12 });
    window.screen.print(["a", "b", "c", "d", "e", "f", "g"]);
    window.screen.show(several);
    await window.settled();
    await window.resize(16, rows);
    const fresh = new Window({ columns: 16, rows });
    fresh.screen.print(["a", "b", "c", "d", "e", "f", "g"]);
    fresh.screen.show(several);
    expect(await window.all()).toEqual(await fresh.all());
  });

  /** Rows of the bottom may stay where a window gets narrower and lower at once with room below it, of which nobody can tell. */
  async function resize(window: Window, { columns, rows }: { readonly columns: number; readonly rows: number }) {
    const hasRoom = (await window.seen()).length < window.rows;
    if (hasRoom && columns < window.columns && rows < window.rows) await window.resize(columns, window.rows);
    await window.resize(columns, rows);
  }

  test("in the middle of things, with the cursor anywhere", async () => {
    const printed = fc.constantFrom("printed", "日本語", "a longer line of several words", "");
    const move = fc.oneof(
      fc.record({ columns: fc.integer({ min: 12, max: 50 }), rows: fc.integer({ min: 14, max: 24 }) }),
      fc.record({ print: fc.array(printed, { minLength: 1, maxLength: 4 }) }),
      fc.constantFrom("typed text ", "日本", "e\u0301").map((text) => ({ type: "text" as const, text })),
      fc
        .constantFrom("left", "home", "backspace", "end", "up", "newline")
        .map((name) => ({ type: "key" as const, name })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(move, { maxLength: 12 }), async (moves) => {
        const window = new Window({ columns: 30, rows: 20 });
        let editing: Editing = newEditing("");
        for (const each of moves) {
          if ("print" in each) window.screen.print(each.print);
          else if ("columns" in each) await resize(window, each);
          else editing = edit(editing, each, around);
          window.screen.show(bottom({ editing, above: ["live output here"], status: "the status" }));
          await window.settled();
        }
        window.screen.leave();
        const lines = moves.flatMap((each) => ("print" in each ? each.print : []));
        expect(await window.all()).toEqual(lines.slice(0, lines.findLastIndex((line) => line !== "") + 1));
      }),
      { numRuns },
    );
  });
});

describe("a window that changes its size before that is heard of", () => {
  const wide = "a status of several parts · that is longer than many windows are";

  test.each([
    ["is printed", ["more", "and more"], ["live output"], 25],
    ["is printed in a window that is a little narrower", ["more", "and more"], ["live output"], 59],
    ["is shown above the text", [], ["live output", "and a longer row of it, wider than before"], 25],
    ["is shown no more", [], [], 25],
  ])("keeps every line, also where something %s meanwhile", async (_, more, above, columns) => {
    const window = new Window({ columns: 60, rows: 12 });
    const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
    window.screen.print(lines);
    window.screen.show(typing("abc", { above: ["live output"], status: wide }));
    await window.resizeUnheard(columns, 12);
    window.screen.print(more);
    window.screen.show(typing("abc", { above, status: wide }));
    await window.hear();
    const printed = [...lines, ...more];
    expect((await window.all()).filter((line) => printed.includes(line))).toEqual(printed);
  });

  test.each([
    ["lower", "down", "none", 30, 8],
    ["lower", "down", "counted", 30, 8],
    ["narrower", "up", "counted", 13, 12],
  ] as const)(
    "keeps every line where it gets %s and the cursor goes %s meanwhile",
    async (_, way, reflow, columns, rows) => {
      const window = new Window({ columns: 30, rows: 12, reflow });
      const lines = Array.from({ length: 20 }, (_, index) => `line ${index}`);
      const editing = newEditing("a first row\nand a second one that is long\nand a third that is so, too");
      const [before, after] = way === "up" ? [editing, press(editing, "up")] : [press(editing, "up", "up"), editing];
      window.screen.print(lines);
      window.screen.show(bottom({ editing: before, status: "the status" }));
      await window.resizeUnheard(columns, rows);
      window.screen.show(bottom({ editing: after, status: "the status" }));
      await window.hear();
      window.screen.leave();
      expect((await window.all()).filter((line) => line.startsWith("line"))).toEqual(lines);
    },
  );

  test("keeps every line once, whatever happens meanwhile", async () => {
    const above = fc.constantFrom("live output", "a longer line of live output, as it comes", "3 s · Ctrl-C stops");
    const move = fc.oneof(
      fc.record({
        print: fc.array(fc.constantFrom("short", "a line of several words"), { minLength: 1, maxLength: 4 }),
      }),
      fc.record({ above: fc.array(above, { maxLength: 3 }), status: fc.constantFrom("the status", wide) }),
      fc.constantFrom("typed text ", "more ").map((text) => ({ type: "text" as const, text })),
      fc.constantFrom("left", "home", "backspace", "end", "up").map((name) => ({ type: "key" as const, name })),
    );
    const round = fc.record({
      ...{ before: fc.array(move, { maxLength: 4 }), meanwhile: fc.array(move, { maxLength: 3 }) },
      ...{ columns: fc.integer({ min: 12, max: 90 }), rows: fc.integer({ min: 14, max: 24 }) },
    });
    await fc.assert(
      fc.asyncProperty(fc.nat(30), fc.array(round, { maxLength: 4 }), async (first, rounds) => {
        const window = new Window({ columns: 60, rows: 20 });
        const lines: string[] = [];
        let parts: Parameters<typeof bottom>[0] = { above: ["live output"], status: "the status" };
        let editing: Editing = newEditing("");
        const make = async (each: typeof move extends fc.Arbitrary<infer Move> ? Move : never) => {
          const fresh = "print" in each ? each.print.map((text, index) => `# ${lines.length + index} ${text}`) : [];
          lines.push(...fresh);
          window.screen.print(fresh);
          if ("above" in each) parts = each;
          if ("type" in each) editing = edit(editing, each, around);
          window.screen.show(bottom({ ...parts, editing }));
          await window.settled();
        };
        await make({ print: Array.from({ length: first }, () => "short") });
        for (const { before, columns, rows, meanwhile } of rounds) {
          for (const each of before) await make(each);
          await window.resizeUnheard(columns, rows);
          for (const each of meanwhile) await make(each);
          await window.hear();
        }
        window.screen.leave();
        expect((await window.all()).filter((line) => line.startsWith("#"))).toEqual(lines);
      }),
      { numRuns },
    );
  });
});

test.each([
  // The first row becomes two, the text two; the cursor is in the second of them, or in the first.
  ["exact", "end", 3],
  ["exact", "home", 2],
  // And the status becomes two.
  ["counted", "end", 4],
  ["counted", "home", 4],
  ["none", "end", 1],
  ["none", "home", 1],
] as const)(
  "of what is narrower, a terminal of the kind %s with the cursor at %s has as many rows",
  async (reflow, key, up) => {
    const writes: string[] = [];
    const out = { columns: 40, rows: 10, write: (text: string) => writes.push(text) > 0 };
    const screen = new Screen(out, reflow);
    const editing = press(newEditing("x".repeat(30)), key);
    screen.show(bottom({ editing, above: ["y".repeat(30)], status: "z".repeat(30) }));
    await turn();
    out.columns = 20;
    screen.leave();
    expect(writes.at(-1)).toBe(`\r\x1b[${up}A\x1b[J`);
  },
);

test.each([
  [{ TERM: "xterm-256color" }, "exact"],
  [{ TERM: "xterm-256color", XTERM_VERSION: "XTerm(390)" }, "none"],
  [{ TERM: "linux" }, "none"],
  [{ TERM: "screen-256color", TMUX: "/tmp/tmux-1/default,1,0", TERM_PROGRAM: "vscode" }, "exact"],
  [{ TERM: "screen" }, "none"],
  [{ TERM: "xterm-256color", TERM_PROGRAM: "vscode" }, "counted"],
  [{}, "exact"],
])("a terminal that tells %j is of the kind %s", (environment, reflow) => {
  expect(reflowOf(environment)).toBe(reflow);
});

describe("clearing", () => {
  test("empties the window and keeps the bottom; what stood there can be scrolled back to", async () => {
    const window = new Window({ rows: 6 });
    window.screen.print(["one", "two"]);
    window.screen.show(typing("abc", { status: "ready" }));
    await window.settled();
    window.screen.clear();
    expect(await window.seen()).toEqual(["> abc", "ready"]);
    expect(await window.all()).toEqual(["one", "two", "> abc", "ready"]);
    window.screen.print(["three"]);
    expect(await window.seen()).toEqual(["three", "> abc", "ready"]);
  });

  test("what was printed just before is cleared, what comes behind is not", async () => {
    const window = new Window({ rows: 6 });
    window.screen.print(["one"]);
    window.screen.clear();
    window.screen.show(typing("abc"));
    expect(await window.seen()).toEqual(["> abc"]);
    expect(await window.all()).toEqual(["one", "> abc"]);
  });
});

describe("leaving", () => {
  test("takes the bottom away at once, and prints what was still to be printed", async () => {
    const window = new Window();
    window.screen.show(typing("abc", { above: ["live"], status: "ready" }));
    await window.settled();
    window.screen.print(["last words"]);
    window.screen.leave();
    expect(await window.seen()).toEqual(["last words"]);
    expect(await window.cursor()).toEqual([1, 0]);
  });

  test("shows the cursor again", async () => {
    const window = new Window();
    window.screen.show(bottom({ above: ["live"] }));
    await window.settled();
    window.screen.leave();
    expect(window.writes.at(-1)).toContain("\x1b[?25h");
  });

  test("and coming back begins on a free line, wherever others stopped", async () => {
    const window = new Window();
    window.screen.show(typing("abc"));
    await window.settled();
    window.screen.leave();
    window.foreign("no line end");
    window.screen.print(["printed"]);
    window.screen.show(typing("abc"));
    expect(await window.seen()).toEqual(["no line end", "printed", "> abc"]);
    window.screen.leave();
    window.foreign("with one\r\n");
    window.screen.show(typing("abc"));
    expect(await window.seen()).toEqual(["no line end", "printed", "with one", "> abc"]);
    await window.resize(60, 10);
    expect(await window.seen()).toEqual(["no line end", "printed", "with one", "> abc"]);
  });

  test("nothing is drawn while others have the window", async () => {
    const window = new Window();
    window.screen.show(typing("abc", { status: "ready" }));
    await window.settled();
    window.screen.leave();
    window.foreign("theirs");
    await window.resize(30, 12);
    expect(await window.seen()).toEqual(["theirs"]);
    window.screen.print(["a line"]);
    expect(await window.seen()).toEqual(["theirs", "a line"]);
    window.screen.leave();
    window.screen.leave();
    expect(await window.seen()).toEqual(["theirs", "a line"]);
  });
});
