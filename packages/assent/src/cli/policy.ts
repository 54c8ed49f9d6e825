import { resolve } from "node:path";
import { visibleLine } from "../core/index.ts";
import { type Finding, type Policy, rules, type Verdict } from "../policy/index.ts";
import { machinePolicy } from "../runtime/machine-policy.ts";
import { readCheckLine } from "../wire/index.ts";
import { type Given, partOf, readFlags, UsageError } from "./flags.ts";
import { filterLines } from "./lines.ts";
import { stdout } from "./output.ts";
import { homeOf } from "./places.ts";
import { openJudge } from "./policy-judged.ts";
import { policySpec } from "./specs/policy.ts";

/** `assent policy …`: the policy by itself. */
export async function policy(argv: readonly string[]): Promise<number> {
  const [part, ...rest] = argv;
  switch (partOf("policy", part, policySpec.parts)) {
    case "explain":
      return explain(rest);
    case "check":
      return check(rest);
    case "rules":
      return listRules(rest);
    case "grants":
      return (await import("./policy-grants.ts")).policyGrants(rest);
    case "replay":
      return (await import("./policy-replay.ts")).policyReplay(rest);
  }
}

/** What the policy says of one command, and why. */
async function explain(argv: readonly string[]): Promise<number> {
  const given = explainFlags(argv);
  const cwd = resolve(given.text("cwd") ?? ".");
  const command = given.arguments[0] ?? "";
  const verdict = await verdictOn(command, cwd, given.text("home"));
  stdout.write(`${given.has("json") ? JSON.stringify(verdict) : described(command, verdict)}\n`);
  return 0;
}

/** A command without quotes comes as several words, whose options seem to be meant for this. */
function explainFlags(argv: readonly string[]): Given {
  try {
    return readFlags(argv, policySpec.parts.explain);
  } catch (error) {
    const mayBeCommand = error instanceof UsageError && argv.length > 1 && !error.message.includes("did you mean");
    throw mayBeCommand ? new UsageError(`${error.message}; the command is one argument: put it in quotes`) : error;
  }
}

/** The same as a text. */
export async function explainText(command: string, cwd: string): Promise<string> {
  return described(command, await verdictOn(command, cwd));
}

async function verdictOn(command: string, cwd: string, home = homeOf()): Promise<Verdict> {
  const judge = await openJudge();
  return judge(machinePolicy({ home }), command, cwd);
}

function described(command: string, { verdict, rule, reason, findings = [] }: Verdict): string {
  const lines = [
    `${verdict}: ${reason} (${rule})`,
    ...findings.flatMap((finding) => describedFinding(command, finding)),
  ];
  return lines.map(visibleLine).join("\n");
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
  readFlags(argv, policySpec.parts.check);
  const policies = new Map<string | null, Policy>();
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
    const { command, cwd, home = homeOf() } = asked;
    const known = policies.get(home) ?? machinePolicy({ home });
    policies.set(home, known);
    const { verdict, rule, reason, findings = [] } = judge(known, command, cwd);
    return JSON.stringify({ needs_approval: verdict !== "allow", verdict, rule, reason, findings });
  });
}

function listRules(argv: readonly string[]): number {
  const json = readFlags(argv, policySpec.parts.rules).has("json");
  const objects = Object.entries(rules).map(([name, { about, asks, allows }]) => ({ name, about, asks, allows }));
  stdout.write(json ? objects.map((each) => `${JSON.stringify(each)}\n`).join("") : `${rulesText()}\n`);
  return 0;
}

/** Every rule with its examples. */
export function rulesText(): string {
  return Object.entries(rules)
    .flatMap(([name, { about, asks, allows }]) => [
      `${name}: ${about}`,
      ...asks.map((command) => `  asks    ${shortened(command)}`),
      ...allows.map((command) => `  allows  ${shortened(command)}`),
    ])
    .join("\n");
}

function shortened(command: string): string {
  const line = visibleLine(command);
  return line.length > 100 ? `${line.slice(0, 100)}…` : line;
}
