import { expect, test } from "vitest";
import { loadMarkdown } from "../../../src/adapters/shell/markdown.ts";
import { renderSaid } from "../../../src/adapters/shell/render.ts";

const markdown = await loadMarkdown();

function shown(text: string, columns = 60, color = false): readonly string[] {
  const { lines } = renderSaid(
    { channel: "agent", form: "markdown", text },
    { columns, color, utf8: true },
    { markdown },
  );
  // The gutter is held elsewhere.
  return color ? lines : lines.map((line) => line.slice(2));
}

test("headings keep their marks, so that they are seen without colours", () => {
  expect(shown("# One\nText\n\n### Three *more*\n\nTwo\n---")).toEqual([
    "# One",
    "",
    "Text",
    "",
    "### Three more",
    "",
    "## Two",
  ]);
});

test("lists are nested, numbered as they begin, and have boxes", () => {
  expect(shown("- a\n- b\n  - c\n    goes on\n  - [x] d\n  - [ ] e\n\n9. nine\n10. ten")).toEqual([
    "• a",
    "• b",
    "  • c",
    "    goes on",
    "  • [x] d",
    "  • [ ] e",
    "",
    " 9. nine",
    "10. ten",
  ]);
});

test("what belongs to an item stands under its text, also where it wraps", () => {
  expect(shown("1. one two three four five\n\n   more\n\n2. six", 20)).toEqual([
    "1. one two three",
    "   four five",
    "   ",
    "   more",
    "",
    "2. six",
  ]);
});

test("code is set in and keeps its blanks; spans of it have their marks where there are no colours", () => {
  expect(shown("```ts\nif (a) {\n\n  b();\n}\n```\nUse `b  c`.")).toEqual([
    "  if (a) {",
    "  ",
    "    b();",
    "  }",
    "",
    "Use `b  c`.",
  ]);
  expect(shown("Use `b` **now** ~~or~~ *then*.", 60, true)).toEqual([
    "\u001b[32m● \u001b[0mUse \u001b[36mb\u001b[0m \u001b[1mnow\u001b[0m \u001b[9mor\u001b[0m \u001b[3mthen\u001b[0m.",
  ]);
  expect(shown("```diff\n-a\n+b\n```", 60, true)).toEqual([
    "\u001b[32m● \u001b[0m  \u001b[31m-a\u001b[0m",
    "    \u001b[32m+b\u001b[0m",
  ]);
});

test("a link shows its address, and only once where that is its text", () => {
  expect(shown("[text](https://a.example/x) and https://b.example and <c@d.example>", 80)).toEqual([
    "text (https://a.example/x) and https://b.example and c@d.example",
  ]);
  expect(shown("[ref], ![alt](pic.png)\n\n[ref]: https://e.example 'title'")).toEqual([
    "ref (https://e.example), image: alt (pic.png)",
    "",
    "[ref]: https://e.example 'title'",
  ]);
});

test("a link whose text looks like another address shows where it goes", () => {
  expect(shown("[https://bank.example](https://evil.example)")).toEqual([
    "https://bank.example (https://evil.example)",
  ]);
  expect(shown("[bank.example](https://bank.example.evil.example)")).toEqual([
    "bank.example (https://bank.example.evil.example)",
  ]);
  expect(shown("[https://b&#97;nk.example](https://evil.example)")).toEqual([
    "https://bank.example (https://evil.example)",
  ]);
  expect(shown("[https&#58;//a.example](https&#58;//a.example)")).toEqual(["https://a.example"]);
});

test("quotations have their mark before every line", () => {
  expect(shown("> a b c d e f g h i j k\n>\n> > deep", 22)).toEqual(["> a b c d e f g h i", "> j k", "> ", "> > deep"]);
});

const table = "| Name | What it is | N |\n|:--|:-:|--:|\n| 日本 | a **long** text that goes on | 1 |\n| b | c | 20 |";

test("a table is as wide as it needs to be, by what its characters take", () => {
  expect(shown(table, 60)).toEqual([
    "Name │        What it is        │  N",
    "─────┼──────────────────────────┼───",
    "日本 │ a long text that goes on │  1",
    "b    │            c             │ 20",
  ]);
});

test("a table that is too wide has its cells wrapped", () => {
  expect(shown(table, 30)).toEqual([
    "Name │    What it is    │  N",
    "─────┼──────────────────┼───",
    "日本 │ a long text that │  1",
    "     │     goes on      │",
    "b    │        c         │ 20",
  ]);
});

test("a table that does not fit even so is turned into lines", () => {
  expect(shown(table, 20)).toEqual([
    "Name: 日本",
    "What it is: a long",
    "text that goes on",
    "N: 1",
    "",
    "Name: b",
    "What it is: c",
    "N: 20",
  ]);
});

test("lines of a paragraph stay lines, and named characters are shown as what they are", () => {
  expect(shown("a\nb &lt;c&gt; &amp;amp; `&lt;` \\*d\\*<br>e")).toEqual(["a", "b <c> &amp; `&lt;` *d*", "e"]);
});

test("HTML and rules are shown as such", () => {
  expect(shown("<details>\n<b>x</b>\n</details>\n\n---\n\nan <i>i</i>")).toEqual([
    "<details>",
    "<b>x</b>",
    "</details>",
    "",
    "─".repeat(24),
    "",
    "an <i>i</i>",
  ]);
});

test("what is nested deeper than the window is wide stays inside of it", () => {
  expect(shown(`${"> ".repeat(40)}end`, 20)).toEqual(["> > > end"]);
  const set = "      ";
  const deeper = Array(6).fill(`${set}• `);
  expect(shown(`- a\n  ${"- ".repeat(9)}end`, 20)).toEqual(["• a", "  • • • ", ...deeper, `${set}end`]);
});

test("nested so deeply that it cannot be read, a text is shown as it is", () => {
  expect(shown(`${"1. ".repeat(20_000)}`, 20)[0]).toBe("1. 1. 1. 1. 1. 1.");
});
