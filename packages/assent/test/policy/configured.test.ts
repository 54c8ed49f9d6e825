import { describe, expect, test } from "vitest";
import { type ConfiguredRule, prefixGrant } from "../../src/policy/index.ts";
import { readRules } from "../../src/wire/index.ts";
import { saved } from "./grants.ts";
import { command, policy } from "./places.ts";
import { world } from "./world.ts";

const deploy: ConfiguredRule = {
  name: "no-deploy",
  command: ["npm", "run", ["deploy", "release"]],
  verdict: "deny",
  reason: "ask in the channel",
  examples: { match: ["npm run deploy"], differ: ["npm test", "npm run build"] },
};
const asksFirst: ConfiguredRule = {
  name: "asks-first",
  command: ["npm", "run"],
  verdict: "ask",
  reason: "scripts are looked at",
  examples: { match: ["npm run x"], differ: ["npm test"] },
};

const judged = (text: string, rules: readonly ConfiguredRule[]) => {
  const { verdict, rule, reason } = policy.judge(command(text, { rules }));
  return { verdict, rule, reason };
};
const denied = { verdict: "deny", rule: "no-deploy", reason: "ask in the channel" };

describe("a rule that somebody has written", () => {
  test.each([
    "npm run deploy",
    "npm run release",
    "npm run deploy -- --force",
    "/usr/bin/npm run deploy",
    "'npm' run \"deploy\"",
    "cd packages && npm run deploy",
    "ls | npm run deploy",
    "env A=1 npm run deploy",
    "bash -c 'npm run deploy'",
    "x=deploy; npm run $x",
    "f() { npm run deploy; }; f",
    "timeout 60 npm run deploy > log 2>&1",
    "sudo npm run deploy",
  ])("denies %j", (text) => {
    expect(judged(text, [deploy])).toEqual(denied);
  });

  test.each(["npm test", "npm run build", "npm run deployment", "echo npm run deploy", "npm deploy run", "npx deploy"])(
    "leaves %j alone",
    (text) => {
      expect(judged(text, [deploy])).toMatchObject({ verdict: "allow", rule: "nothing-found" });
    },
  );

  test("that denies wins over one that asks, in whatever order", () => {
    expect(judged("npm run deploy", [asksFirst, deploy])).toEqual(denied);
    expect(judged("npm run deploy", [deploy, asksFirst])).toEqual(denied);
    expect(judged("npm run build", [deploy, asksFirst])).toEqual({
      ...{ verdict: "ask", rule: "asks-first", reason: "scripts are looked at" },
    });
  });

  test("is not turned around by any grant, and nothing can be granted where it asks", () => {
    const prefix = prefixGrant(["git", "push"], { root: world.root, categories: ["network"] });
    if ("refused" in prefix) throw new Error(prefix.refused);
    const rule: ConfiguredRule = {
      ...{ name: "no-push", command: ["git", "push"], verdict: "deny", reason: "never" },
      examples: { match: ["git push"], differ: ["git pull"] },
    };
    const plan = command("git push origin main");
    expect(policy.judge(plan, [saved(prefix, "user")])).toMatchObject({ verdict: "allow" });
    for (const verdict of ["ask", "deny"] as const) {
      const strict = policy.judge({ ...plan, rules: [{ ...rule, verdict }] }, [saved(prefix, "user")]);
      expect(strict).toMatchObject({ verdict, rule: "no-push" });
      expect("grantable" in strict).toBe(false);
    }
  });

  test("never lets anything run that would be asked about without it", () => {
    const rule: ConfiguredRule = {
      ...{ name: "calm", command: ["ls"], verdict: "ask", reason: "x" },
      examples: { match: ["ls"], differ: ["cat x"] },
    };
    expect(judged("rm -rf build", [rule])).toMatchObject({ verdict: "ask", rule: "delete-recursive" });
  });

  test.each<[string, Partial<ConfiguredRule>, string]>([
    [
      "does not match what it should",
      { examples: { match: ["npm run deploy", "yarn deploy"], differ: ["ls"] } },
      'does not match "yarn deploy"',
    ],
    [
      "matches what it should not",
      { examples: { match: [], differ: ["npm run release"] } },
      'matches "npm run release"',
    ],
  ])("that %s makes everything ask", (_what, change, wrong) => {
    const broken = { ...deploy, ...change };
    const reason = `the rule "no-deploy" ${wrong}, against its examples; until it is mended everything asks`;
    for (const text of ["ls", "npm test", "npm run deploy", "rm -rf build"]) {
      expect(judged(text, [broken])).toEqual({ verdict: "ask", rule: "policy-file", reason });
    }
    expect(judged("npm run x", [broken, { ...asksFirst, verdict: "deny" }])).toMatchObject({ verdict: "deny" });
  });
});

describe("a file of rules", () => {
  test("is read as it stands", () => {
    expect(readRules(JSON.stringify({ rules: [deploy, asksFirst] }))).toEqual({
      type: "read",
      rules: [deploy, asksFirst],
    });
  });

  test.each<[string, string]>([
    ["that is no JSON", "{"],
    ["that is empty", ""],
    ["without rules", "{}"],
    ["with something else in it", JSON.stringify({ rules: [], allow: ["rm"] })],
    ["that allows", JSON.stringify({ rules: [{ ...deploy, verdict: "allow" }] })],
    ["with a rule for every command", JSON.stringify({ rules: [{ ...deploy, command: [] }] })],
    ["without examples", JSON.stringify({ rules: [{ ...deploy, examples: { match: [], differ: [] } }] })],
    ["with a word that is none", JSON.stringify({ rules: [{ ...deploy, command: ["npm", 1] }] })],
    ["with no word to choose from", JSON.stringify({ rules: [{ ...deploy, command: ["npm", []] }] })],
    ["with more in a rule", JSON.stringify({ rules: [{ ...deploy, also: 1 }] })],
  ])("%s cannot be read, and says why", (_what, content) => {
    expect(readRules(content)).toEqual({ type: "broken", reason: expect.stringMatching(/./) });
  });
});
