import { expect, test } from "vitest";
import { tablesIn } from "./tables.ts";
import { toldOf } from "./told.ts";

// Commands of a shell, and all that is seen in each.
test.each(tablesIn(`${import.meta.dirname}/followed`))("what a shell makes of $name is found", ({ rows }) => {
  expect(rows.map(({ line }) => ({ line, told: toldOf(line) }))).toEqual(rows);
});
