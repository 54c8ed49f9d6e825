import { expect, test } from "vitest";
import { readYaml, type Yaml } from "./yaml.ts";

function plain(node: Yaml): unknown {
  if (typeof node === "string") return node;
  return node instanceof Map
    ? Object.fromEntries([...node].map(([key, value]) => [key, plain(value)]))
    : [...(node as readonly Yaml[])].map(plain);
}

test.each([
  ["", ""],
  ["a", "a"],
  ["---\n# c\na: b # c\nc:", { a: "b", c: "" }],
  ["a: b#c\nd: 'it''s'\ne: \"x\\ty\\u0041\\x42\\U00000043\\\"\"", { a: "b#c", d: "it's", e: 'x\tyABC"' }],
  ["a:\n- b\n-\n  c\n- - d\n  - e\nf: g", { a: ["b", "c", ["d", "e"]], f: "g" }],
  ["- a: b\n  c: d\n- e: f", [{ a: "b", c: "d" }, { e: "f" }]],
  ["- a\n  b\n\n  c # d\n- e", ["a b\n\nc", "e"]],
  ["- |\n  a\n    b\n\n  c\n- >-\n  a\n  b\n\n  c\n   d\n- e", ["a\n  b\n\nc", "a b\n\nc\n d", "e"]],
  ["- \"a\n  b\\\n  c\"\n- 'a\n\n  b'", ["a bc", "a\n\nb"]],
  ["a: [b, 'c, d', [e], {f: g, h}, i: j, ]", { a: ["b", "c, d", ["e"], { f: "g", h: "" }, { i: "j" }] }],
  ["a: [\n  b, # c\n  d:e#f\n]\ng: {}", { a: ["b", "d:e#f"], g: {} }],
  ["\"a b\": c\n'd: e' : f\n", { "a b": "c", "d: e": "f" }],
  ["- echo a:b\n- echo a: b\n- -x\n- ls # a: b", ["echo a:b", { "echo a": "b" }, "-x", "ls"]],
  ["a: b: c", { a: "b: c" }],
])("YAML is read: %j", (text, expected) => {
  const node = readYaml(text);
  expect(node === null ? null : plain(node)).toEqual(expected);
});

test.each([
  "a: &b c",
  "a: *b",
  "a: !b c",
  "- <<: x",
  "a: b\n---\nc: d",
  "a: [b",
  "a: {b: c",
  "a: [b c: d}",
  "a: {[b]: c}",
  "a: [*b]",
  'a: "b',
  'a: "b" c',
  "a:\n    b: c\n  d: e",
  "a: b\n- c",
  "a:\n\tb: c",
  "- ".repeat(40),
  `a: ${"[".repeat(40)}`,
])("what is no YAML, or more than is followed, is not: %j", (text) => {
  expect(readYaml(text)).toBeNull();
});

test("YAML is read in time that grows with its length", { timeout: 3000 }, () => {
  const long = 60_000;
  for (const unit of [
    '"',
    "'",
    "\\",
    "[",
    "]",
    ",",
    ":",
    ": ",
    " ",
    "#",
    " #",
    "- ",
    "\n",
    "\n ",
    "\n- ",
    "a\n",
    "|\n",
  ]) {
    const middle = unit.repeat(long / unit.length);
    for (const text of [middle, `a: ${middle}`, `- "${middle}`, `- [${middle}`, `a: |\n ${middle}`]) readYaml(text);
  }
});
