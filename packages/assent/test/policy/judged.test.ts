import { expect, test } from "vitest";
import type { Plan } from "../../src/policy/index.ts";
import { own, policy } from "./places.ts";
import { tablesIn } from "./tables.ts";
import { world } from "./world.ts";

/** A line as the plan of a tool: `read path`, `write path -> where it really is`, or a command. */
function planOf(line: string): Plan {
  const { cwd } = world;
  const [, use, path = "", real = path] = /^(read|write) (\S+)(?: -> (\S+))?$/.exec(line) ?? [];
  if (use !== "read" && use !== "write") return { tool: "terminal", cwd, command: line };
  const self = own.some((place) => real.startsWith(place)) ? ({ self: true } as const) : {};
  return { tool: `${use}_file`, cwd, paths: [{ path, real, use, outside: real.startsWith("/"), ...self }] };
}

function told(line: string): string[] {
  const judged = policy.judge(planOf(line));
  const { verdict, rule, reason } = judged;
  const grantable = judged.verdict === "ask" ? judged.grantable : undefined;
  return [`${verdict} ${rule}: ${reason}`, ...(grantable == null ? [] : [JSON.stringify(grantable)])];
}

// What is said of plans: the verdict, and the rule by which a person could allow it for longer.
test.each(tablesIn(`${import.meta.dirname}/judged`))("all that is said of $name is as it should be", ({ rows }) => {
  expect(rows.map(({ line }) => ({ line, told: told(line) }))).toEqual(rows);
});
