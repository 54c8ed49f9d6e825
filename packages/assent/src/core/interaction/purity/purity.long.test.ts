import { expect, test } from "vitest";
import { findSoftOffer } from "./index.ts";

/** Time squared would be minutes: it ends the test, a busy machine does not. */
const patience = 30_000;
const long = 1 << 20;
const hostile = ["if you want ", "если нужно ", "` ", '"', '" a ', "'a ", "«", "**a ", "[", "[a](", "<!--", "please "];
const more = [
  "a? ",
  "- a\n",
  "the label is:\n\n",
  "and and , ",
  "\n",
  "_",
  "(",
  "`a` (B",
  "a.b-",
  ". ",
  "**a?**\n\nb.\n\n",
];

test.each([...hostile, ...more])(
  "a megabyte of %j is read to its last line",
  (piece) => {
    const text = piece.repeat(Math.ceil(long / piece.length));
    expect(findSoftOffer(`${text}\n\nShall I push it?`)).not.toBeNull();
  },
  patience,
);

test("a megabyte of backticks opens code that never ends", () => {
  expect(findSoftOffer(`${"`".repeat(long)}\n\nShall I push it?`)).toBeNull();
});
