import { homedir } from "node:os";
import { resolve } from "node:path";
import { visibleLine } from "../core/index.ts";
import { type Finding, type Policy, rules, type Verdict } from "../policy/index.ts";
import { readCheckLine } from "../wire/index.ts";
import { oneOf, readFlags } from "./flags.ts";
import { filterLines } from "./lines.ts";
import { stdout } from "./output.ts";
import { openJudge } from "./policy-judged.ts";
import { machinePolicy } from "./policy-open.ts";

const parts = ["explain", "check", "rules", "grants"] as const;

/** `assent policy …`: the policy by itself. */
export async function policy(argv: readonly string[]): Promise<number> {
  const [part = "", ...rest] = argv;
  switch (oneOf("policy", part, parts)) {
    case "explain":
      return explain(rest);
    case "check":
      return check(rest);
    case "rules":
      return listRules(rest);
    case "grants":
      return (await import("./policy-grants.ts")).policyGrants(rest);
  }
}

/** What the policy says of one command, and why. */
async function explain(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, {
    options: { cwd: "string", home: "string", json: "boolean" },
    arguments: ["<command>"],
  });
  const cwd = resolve(given.text("cwd") ?? ".");
  const command = given.arguments[0] ?? "";
  const judge = await openJudge();
  const verdict = judge(machinePolicy(given.text("home") ?? homedir()), command, cwd);
  stdout.write(given.has("json") ? `${JSON.stringify(verdict)}\n` : described(command, verdict));
  return 0;
}

function described(command: string, { verdict, rule, reason, findings = [] }: Verdict): string {
  const lines = [
    `${verdict}: ${reason} (${rule})`,
    ...findings.flatMap((finding) => describedFinding(command, finding)),
  ];
  return `${lines.map(visibleLine).join("\n")}\n`;
}

function describedFinding(command: string, { category, rule, reason, span, effective }: Finding): readonly string[] {
  const part = command.slice(span.start, span.end);
  return [
    `  ${category}: it ${reason} (${rule})`,
    ...(part === "" ? [] : [`    part: ${part}`]),
    ...(effective === null ? [] : [`    runs: ${effective}`]),
  ];
}

/** One answer a line, as soon as it is known; what cannot be read needs a person. */
async function check(argv: readonly string[]): Promise<number> {
  readFlags(argv, { options: {}, arguments: [] });
  const policies = new Map<string, Policy>();
  const judge = await openJudge();
  return filterLines((line) => {
    const asked = readCheckLine(line);
    if (asked.type === "broken") {
      return JSON.stringify({
        needs_approval: true,
        verdict: "ask",
        rule: "not-read",
        reason: asked.reason,
        findings: [],
      });
    }
    const { command, cwd, home = homedir() } = asked;
    const known = policies.get(home) ?? machinePolicy(home);
    policies.set(home, known);
    const { verdict, rule, reason, findings = [] } = judge(known, command, cwd);
    return JSON.stringify({ needs_approval: verdict !== "allow", verdict, rule, reason, findings });
  });
}

function listRules(argv: readonly string[]): number {
  const json = readFlags(argv, { options: { json: "boolean" }, arguments: [] }).has("json");
  for (const [name, { about, asks, allows }] of Object.entries(rules)) {
    if (json) stdout.write(`${JSON.stringify({ name, about, asks, allows })}\n`);
    else {
      stdout.write(`${name}: ${about}\n`);
      for (const command of asks) stdout.write(`  asks    ${shortened(command)}\n`);
      for (const command of allows) stdout.write(`  allows  ${shortened(command)}\n`);
    }
  }
  return 0;
}

function shortened(command: string): string {
  const line = visibleLine(command);
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}
