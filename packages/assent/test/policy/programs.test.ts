import { expect, test } from "vitest";
import { called } from "../../src/policy/shell/programs/called.fixture.ts";
import { families } from "../../src/policy/shell/programs/families.ts";
import { tablesIn } from "./tables.ts";

/** By single names, so that of two families that have one the later counts, as in the product. */
const programs = Object.fromEntries(
  families.flatMap((family) =>
    Object.entries(family).flatMap(([names, entry]) => names.split(" ").map((name) => [name, entry] as const)),
  ),
);

// What programs do when they are called so: `_` is a blank inside a word, `$X` what is not known before it runs.
test.each(tablesIn(`${import.meta.dirname}/programs`))("it is known what calls of $name do", ({ rows }) => {
  expect(rows.map(({ line }) => ({ line, told: called(programs, line) }))).toEqual(rows);
});

test("every program that is named is described", () => {
  const without = families.flatMap((family) =>
    Object.entries(family).flatMap(([names, describe]) => (typeof describe() === "object" ? [] : [names])),
  );
  expect(without).toEqual([]);
});
