import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { chop, fit, widthOf, wrap } from "../../../src/adapters/shell/width.ts";

const red = "\u001b[31m";
const bold = "\u001b[1m";
const reset = "\u001b[0m";
const link = (text: string) => `\u001b]8;;https://a.example/\u0007${text}\u001b]8;;\u0007`;

describe("the width of a line", () => {
  test.each([
    ["", 0],
    ["ls -la", 6],
    ["Größe", 5],
    ["e\u0301tude", 5],
    ["日本語", 6],
    ["한글", 4],
    ["\u1112\u1161\u11ab", 2],
    ["👍🏽", 2],
    [`${bold}${red}red${reset}`, 3],
    [link("here"), 4],
    ["a\tb", 9],
    ["日本語日\tb", 17],
  ])("of %j is %i", (text, width) => {
    expect(widthOf(text)).toBe(width);
  });
});

describe("wrapping", () => {
  test("breaks between words, and drops the blanks there", () => {
    expect(wrap("the quick brown   fox", 9)).toEqual(["the quick", "brown", "fox"]);
    expect(wrap("aaa   bbb", 4)).toEqual(["aaa", "bbb"]);
  });

  test("keeps lines and their indentation", () => {
    expect(wrap("  one two\n\n    three", 7)).toEqual(["  one", "two", "", "    thr", "ee"]);
  });

  test("cuts a word that is longer than a row", () => {
    expect(wrap("ab abcdefghij", 4)).toEqual(["ab", "abcd", "efgh", "ij"]);
  });

  test("puts a wide character that does not fit into the next row", () => {
    expect(wrap("日本語", 5)).toEqual(["日本", "語"]);
    expect(wrap("a日本 語", 4)).toEqual(["a日", "本", "語"]);
    expect(wrap("日本", 1)).toEqual(["日", "本"]);
  });

  test("never parts a character from its marks", () => {
    expect(wrap("abce\u0301", 4)).toEqual(["abce\u0301"]);
    expect(wrap("abcde\u0301", 4)).toEqual(["abcd", "e\u0301"]);
  });

  test("opens a style again where a row begins", () => {
    expect(wrap(`${red}one two${reset} three`, 4)).toEqual([`${red}one${reset}`, `${red}two${reset}`, "thre", "e"]);
  });

  test("makes spaces of tabs", () => {
    expect(wrap("a\tb", 20)).toEqual(["a       b"]);
    expect(chop("a\tb", 5)).toEqual(["a    ", "   b"]);
  });

  test("loses nothing but blanks, and no row is too wide", () => {
    const text = fc.string({ unit: "grapheme" }).map((each) => each.replace(/[\p{C}\p{Z}]/gu, " "));
    fc.assert(
      fc.property(text, fc.integer({ min: 2, max: 20 }), (line, columns) => {
        const rows = wrap(line, columns);
        expect(rows.join("").replaceAll(" ", "")).toBe(line.replaceAll(" ", ""));
        expect(chop(line, columns).join("")).toBe(line);
        for (const row of [...rows, ...chop(line, columns)]) expect(widthOf(row)).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

test("what is laid out already is cut where a row is full", () => {
  expect(chop("ab  cdef\ngh", 4)).toEqual(["ab  ", "cdef", "gh"]);
});

describe("fitting into one row", () => {
  test.each([
    ["abcdef", 6, "abcdef"],
    ["abcdefg", 6, "abcde…"],
    ["日本語", 6, "日本語"],
    ["日本語", 5, "日本…"],
    ["日本語", 4, "日…"],
    ["a\nb", 6, "a b"],
    ["abc", 1, "…"],
    ["abc", 0, ""],
    [`${red}abcdef${reset}`, 4, `${red}abc…${reset}`],
  ])("%j in %i columns", (text, columns, shown) => {
    expect(fit(text, columns)).toBe(shown);
  });

  test("with a mark of one's own", () => {
    expect(fit("abcdef", 5, "...")).toBe("ab...");
  });
});
