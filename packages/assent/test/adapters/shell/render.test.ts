import fc from "fast-check";
import { expect, test } from "vitest";
import { loadMarkdown } from "../../../src/adapters/shell/markdown.ts";
import { type Look, renderSaid } from "../../../src/adapters/shell/render.ts";
import { widthOf } from "../../../src/adapters/shell/width.ts";
import type { Said } from "../../../src/show/index.ts";

const markdown = await loadMarkdown();
const plain: Look = { columns: 60, color: false, utf8: true };
const render = (said: Said, look: Look = plain) => renderSaid(said, look, { markdown });
const count = (most: number) => Array.from({ length: most }, (_, index) => `line ${index + 1}`);

const each: readonly Said[] = [
  { channel: "prompt", form: "text", text: "do it\nwell" },
  { channel: "agent", form: "markdown", text: "I **will**.\n\nNow." },
  { channel: "tool", form: "start", text: "$ make all\nmake test", call: "t1c1" },
  { channel: "tool", form: "output", text: "made\nall\n", call: "t1c1" },
  { channel: "tool", form: "text", text: "exit code 2" },
  { channel: "system", form: "text", text: "iteration 2" },
  { channel: "system", form: "code", text: "STEP_ABORT" },
];

test("every channel has its own beginning of lines, with colours and without, and a code has none", () => {
  expect(each.map((said) => render(said).lines)).toEqual([
    ["❯ do it", "┊ well"],
    ["● I will.", "  ", "  Now."],
    ["▸ make all", "┊ make test"],
    ["│ made", "│ all"],
    ["│ exit code 2"],
    ["· iteration 2"],
    ["STEP_ABORT"],
  ]);
  expect(each.map((said) => render(said, { ...plain, utf8: false }).lines)).toEqual([
    ["> do it", ": well"],
    ["* I will.", "  ", "  Now."],
    ["+ make all", ": make test"],
    ["| made", "| all"],
    ["| exit code 2"],
    ["- iteration 2"],
    ["STEP_ABORT"],
  ]);
  expect(each.map((said) => render(said, { ...plain, color: true }).lines[0])).toEqual([
    "\u001b[1m\u001b[36m❯ \u001b[0mdo it",
    "\u001b[32m● \u001b[0mI \u001b[1mwill\u001b[0m.",
    "\u001b[1m\u001b[33m▸ \u001b[0m\u001b[1mmake all\u001b[0m",
    "\u001b[2m│ \u001b[0mmade",
    "\u001b[2m│ \u001b[0mexit code 2",
    "\u001b[2m· \u001b[0m\u001b[2miteration 2\u001b[0m",
    "STEP_ABORT",
  ]);
});

test("an output of twenty lines is shown, of a longer one its ends and how to see all of it", () => {
  const output = (lines: readonly string[]): Said => ({
    channel: "tool",
    form: "output",
    text: lines.join("\n"),
    call: "t1c2",
  });
  expect(render(output(count(20)))).toEqual({ lines: count(20).map((line) => `│ ${line}`), folded: false });
  const long = output(count(1_250));
  expect(render(long)).toEqual({
    lines: [
      ...count(8).map((line) => `│ ${line}`),
      "│ … 1,234 lines more (Ctrl-O or /history t1c2 shows all)",
      ...count(1_250)
        .slice(-8)
        .map((line) => `│ ${line}`),
    ],
    folded: true,
  });
  expect(renderSaid(long, plain, { markdown, whole: true })).toEqual({
    lines: count(1_250).map((line) => `│ ${line}`),
    folded: false,
  });
});

test("where all of an output is kept stays in sight when the line that says so is folded away", () => {
  const kept = "[… 9,000 bytes left out; all of it is in /tmp/out.txt …]";
  const text = [...count(30), kept, ...count(30)].join("\n");
  expect(render({ channel: "tool", form: "output", text, call: "t1c1" }).lines.slice(8, 10)).toEqual([
    "│ … 45 lines more (Ctrl-O or /history t1c1 shows all)",
    `│ ${kept}`,
  ]);
});

test("of a line that fills the window its beginning is shown, and how long it is", () => {
  const { lines, folded } = render({ channel: "tool", form: "output", text: "x".repeat(1_000_000) });
  expect({ lines, folded }).toEqual({
    lines: [...Array(4).fill(`│ ${"x".repeat(58)}`), "│ … 1,000,000 characters in this line"],
    folded: true,
  });
});

test("a difference is coloured by line, and nothing else is said of it", () => {
  const text = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n-old\n+new\n";
  const said = { channel: "tool", form: "diff", text, call: "t1c1" } as const;
  expect(render(said).lines).toEqual(["│ --- a/x", "│ +++ b/x", "│ @@ -1,2 +1,2 @@", "│  same", "│ -old", "│ +new"]);
  const gutter = "\u001b[2m│ \u001b[0m";
  expect(render(said, { ...plain, color: true }).lines).toEqual([
    `${gutter}\u001b[1m--- a/x\u001b[0m`,
    `${gutter}\u001b[1m+++ b/x\u001b[0m`,
    `${gutter}\u001b[36m@@ -1,2 +1,2 @@\u001b[0m`,
    `${gutter} same`,
    `${gutter}\u001b[31m-old\u001b[0m`,
    `${gutter}\u001b[32m+new\u001b[0m`,
  ]);
});

test("a subject is shown in full, its fields beside their names, a difference below its name", () => {
  const text = count(100).join("\n");
  const field = (form: "text" | "diff", name: string): Said => ({ channel: "tool", form, text, field: name });
  expect(render(field("text", "command"))).toEqual({
    lines: count(100).map((line, index) => `│ ${index === 0 ? "command: " : "         "}${line}`),
    folded: false,
  });
  expect(render(field("diff", "diff"))).toEqual({
    lines: ["│ diff:", ...count(100).map((line) => `│   ${line}`)],
    folded: false,
  });
});

test("the end of a line elsewhere is not shown in an output, but in what is decided on", () => {
  const text = "a\r\nb\r\n";
  expect(render({ channel: "tool", form: "output", text }).lines).toEqual(["│ a", "│ b"]);
  expect(render({ channel: "tool", form: "text", text: "a\r\nb\r", field: "path" }).lines).toEqual([
    "│ path: a\\u{d}",
    "│       b\\u{d}",
  ]);
});

test("without markdown, or where there is too much of it, the agent's text is shown as it is", () => {
  const said = { channel: "agent", form: "markdown", text: "# A\n\n- **b**" } as const;
  expect(renderSaid(said, plain, { markdown: null }).lines).toEqual(["● # A", "  ", "  - **b**"]);
  const long = `**b** ${"word ".repeat(30_000)}`;
  expect(render({ ...said, text: long }).lines[0]).toBe(`● **b** ${"word ".repeat(10).trimEnd()}`);
});

const snippets = fc.constantFrom(
  ..."# ,- ,1. ,> ,```\n,| a | b |\n|--|--|\n|,**,*,`,~~,[a](b),![i](u),<b>,---\n,\n,\n\n,    ,\t,日本語,한국,👩‍👩‍👧,🇩🇪,é,e\u0301,ﷺ,\u001b[31m,\r,שלום,word word".split(
    ",",
  ),
);
const text = fc
  .array(fc.oneof(snippets, fc.string({ unit: "grapheme" }), fc.string({ unit: "binary", maxLength: 20 })), {
    maxLength: 20,
  })
  .map((parts) => parts.join(""));
const shape = fc.constantFrom<Omit<Said, "text">>(
  { channel: "agent", form: "markdown" },
  { channel: "agent", form: "output" },
  { channel: "tool", form: "output", call: "t1c1" },
  { channel: "tool", form: "diff", call: "t1c1" },
  { channel: "tool", form: "start", call: "t1c1" },
  { channel: "tool", form: "text", field: "command" },
  { channel: "tool", form: "diff", field: "diff" },
  { channel: "system", form: "text" },
  { channel: "system", form: "code" },
  { channel: "prompt", form: "text" },
);

test("no line is wider than the window, whatever is in it", () => {
  const look = fc.record({ columns: fc.integer({ min: 20, max: 120 }), color: fc.boolean(), utf8: fc.boolean() });
  fc.assert(
    fc.property(text, shape, look, fc.boolean(), (given, said, window, whole) => {
      const { lines } = renderSaid({ ...said, text: given }, window, { markdown, whole });
      expect(lines.filter((line) => line.includes("\n") || widthOf(line) > window.columns)).toEqual([]);
    }),
    { numRuns: 400 },
  );
});

test("nothing of a subject or of a whole output is lost, however it is broken into lines", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "grapheme-ascii", maxLength: 300 }),
      fc.integer({ min: 20, max: 80 }),
      (given, columns) => {
        const look = { columns, color: false, utf8: true };
        const { lines } = renderSaid({ channel: "tool", form: "text", text: given, field: "a" }, look, { markdown });
        expect(lines.map((line) => line.slice(5)).join("")).toBe(given);
      },
    ),
  );
});
