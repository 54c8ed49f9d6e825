import { expect, test } from "vitest";
import { type Plan, rules } from "../../src/policy/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { command, policy } from "./places.ts";

verifies(
  "APPR-8c",
  "every rule asks about its examples by its own name, and does not ask about its look-alikes",
  () => {
    const wrong = Object.entries(rules).flatMap(([name, { about, asks, allows }]) => [
      ...(about === "" || asks.length === 0 || allows.length === 0 ? [`${name} says too little`] : []),
      ...asks.flatMap((text) => {
        const { verdict, findings = [] } = policy.judge(command(text));
        const found = findings.map(({ rule }) => rule);
        return verdict === "ask" && found.some((rule) => rule === name)
          ? []
          : [`${name}: ${text}: ${verdict} ${found}`];
      }),
      ...allows.flatMap((text) => {
        const { verdict, rule } = policy.judge(command(text));
        return verdict === "allow" ? [] : [`not ${name}: ${text}: ${verdict} ${rule}`];
      }),
    ]);
    expect(wrong).toEqual([]);
  },
);

test.each<[Plan, string, string]>([
  [command("ls"), "nothing-found", "nothing in it needs a person"],
  [
    command("ls", { shell: null }),
    "persistent-shell",
    "it is not known what the names in the persistent shell mean by now",
  ],
  [command("sudo ls"), "privilege-escalation", "it runs with another user's rights"],
])("the reason is told: %o", (plan, rule, reason) => {
  expect(policy.judge(plan)).toMatchObject({ rule, reason });
});
