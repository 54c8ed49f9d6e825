import { expect, test } from "vitest";
import { judgeCommand } from "../../../src/policy/shell/index.ts";
import { world } from "../world.ts";
import { allCases } from "./cases.ts";

/** What they do was seen when they were run; `execution.long.test.ts` runs them again. */
const judged = allCases().map((each) => {
  const { findings } = judgeCommand(each.command, world);
  return { ...each, asked: new Set<string>(findings.map(({ category }) => category)) };
});

test("the policy asks about whatever a command was seen to do", () => {
  const missed = judged.flatMap(({ command, does, unseen, asked }) => {
    const isCovered = unseen && (asked.has("exec") || asked.has("obfuscated"));
    const not = isCovered ? [] : does.filter((each) => !asked.has(each));
    return not.length === 0 ? [] : [{ command, did: not.join(), asked: [...asked].join() }];
  });
  expect(missed).toEqual([]);
});

test("the policy allows a harmless command that was seen to do nothing", () => {
  const harmless = judged.filter(({ does, cautious }) => does.length === 0 && !cautious);
  const nagging = harmless.filter(({ asked }) => asked.size > 0);
  expect(nagging.map(({ command, asked }) => ({ command, asked: [...asked].join() }))).toEqual([]);
});
