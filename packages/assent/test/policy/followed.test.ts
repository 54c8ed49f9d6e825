import { expect, test } from "vitest";
import { judgeCommand } from "../../src/policy/index.ts";
import { tablesIn } from "./tables.ts";
import { world } from "./world.ts";

const found = (line: string) =>
  judgeCommand(line, world).findings.map(({ rule, reason, effective }) => `${rule}: ${effective ?? reason}`);

// Commands of a shell, and what is found in each: the rule, with what would run in the end, or else the reason.
test.each(tablesIn(`${import.meta.dirname}/followed`))("what a shell makes of $name is found", ({ rows }) => {
  expect(rows.map(({ line }) => ({ line, told: found(line) }))).toEqual(rows);
});
