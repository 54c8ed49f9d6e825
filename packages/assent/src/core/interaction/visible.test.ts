import { expect, test } from "vitest";
import { visibleLine, visibleParts } from "./visible.ts";

test("what hides is a part of its own, told from an escape that somebody typed", () => {
  expect(visibleParts("a\u202eb \\u{202e}")).toEqual([
    { text: "a", hidden: false },
    { text: "\\u{202e}", hidden: true },
    { text: "b \\u{202e}", hidden: false },
  ]);
});

test("line ends and tabs are left to the surface, and nothing is left out", () => {
  const text = "\u0007one\n\ttwo\u200b\u2028";
  expect(visibleParts(text).map((part) => part.text)).toEqual(["\\u{7}", "one\n\ttwo", "\\u{200b}", "\\u{2028}"]);
  const whole = visibleParts(text).map((part) => part.text);
  expect(whole.join("").replace("\n", "\\n").replace("\t", "\\t")).toBe(visibleLine(text));
  expect(visibleParts("")).toEqual([]);
});
