import { describe, expect, test } from "vitest";
import { judgeCommand } from "../../src/policy/index.ts";
import { tablesIn } from "./tables.ts";
import { world } from "./world.ts";

// Commands of a shell, and what is found in each: the rule, with what would run in the end, or else the reason.
describe.each(tablesIn(`${import.meta.dirname}/followed`))("$name", ({ rows }) => {
  test.each(rows)("$line", ({ line, told }) => {
    const { findings } = judgeCommand(line, world);
    expect(findings.map(({ rule, reason, effective }) => `${rule}: ${effective ?? reason}`)).toEqual(told);
  });
});
