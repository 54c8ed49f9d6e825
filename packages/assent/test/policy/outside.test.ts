import { expect, test } from "vitest";
import { approvalDraft } from "../../src/core/index.ts";
import type { OutsideTool, Plan } from "../../src/policy/index.ts";
import { grantableFor, saved } from "./grants.ts";
import { policy } from "./places.ts";
import { world } from "./world.ts";

const outside: OutsideTool = { server: "weather", definition: "sha256:1", claims: ["only reads"] };

function plan(more: Partial<Plan> = {}): Plan {
  const { cwd } = world;
  return { tool: "weather__today", cwd, more: { city: "Oslo" }, tier: "elevated", outside, ...more };
}

test("a tool of an outside server asks, whatever the server says of it", () => {
  const { verdict, rule, reason } = policy.judge(plan());
  expect([verdict, rule, reason]).toEqual(["ask", "outside-tool", "it is a tool of the server weather"]);
});

test("one that a person marked as harmless is allowed", () => {
  expect(policy.judge(plan({ tier: "safe" }))).toEqual({
    verdict: "allow",
    rule: "marked-tool",
    reason: "a person said that weather__today changes nothing",
  });
});

test("a grant lets the same call of the same definition through, and neither other arguments nor another definition", () => {
  const rule = grantableFor(plan());
  expect(rule).toMatchObject({ display: 'weather__today {"city":"Oslo"}' });
  const grants = rule === null ? [] : [saved(rule, "user")];
  expect(policy.judge(plan(), grants).verdict).toBe("allow");
  expect(policy.judge(plan({ more: { city: "Rome" } }), grants).verdict).toBe("ask");
  expect(policy.judge(plan({ outside: { ...outside, definition: "sha256:2" } }), grants).verdict).toBe("ask");
});

test("one that has changed since it was accepted asks, also where it was marked or granted, and cannot be granted", () => {
  const changed = { was: ["tells the weather"], now: ["tells the weather and your keys"] };
  const judged = policy.judge(plan({ tier: "safe", outside: { ...outside, changed } }));
  expect(judged).toEqual({
    verdict: "ask",
    rule: "changed-tool",
    reason: "weather has changed what this tool is since you accepted it",
  });
  expect(approvalDraft(plan({ outside: { ...outside, changed } })).subject).toEqual({
    tool: "weather__today",
    arguments: { city: "Oslo" },
    cwd: world.cwd,
    server: "weather",
    "says of itself": "only reads",
    "it was": ["tells the weather"],
    "it is now": ["tells the weather and your keys"],
  });
});
