import { randomBytes } from "node:crypto";
import type { Grant, GrantRule } from "../core/index.ts";
import { prefixGrant, type Verdict } from "../policy/index.ts";
import { machinePolicy } from "../runtime/machine-policy.ts";
import { type Given, oneOf, readFlags, UsageError } from "./flags.ts";
import type { Judge } from "./policy-judged.ts";
import { grantableCategories, policySpec, scopeWords } from "./specs/policy.ts";

const hour = 3_600_000;
const mostHours = 24 * 366;
const mostUses = 1_000_000;

/** The grant that the words after `assent policy grants add` ask for. */
export function grantFrom(argv: readonly string[], judge: Judge): Grant {
  const given = read(argv);
  const exact = given.text("exact");
  const scope = oneOf("--scope", given.text("scope") ?? "project", scopeWords);
  const expires = whole(given, "expires", { of: "hours", most: mostHours });
  const uses = whole(given, "uses", { of: "calls", most: mostUses });
  const created = Date.now();
  return {
    ...(exact === undefined ? prefixRule(given, judge) : exactRule(exact, given, judge)),
    ...{ id: `g-${randomBytes(5).toString("hex")}`, scope, created },
    ...(expires === undefined ? {} : { expires: created + expires * hour }),
    ...(uses === undefined ? {} : { uses }),
  };
}

/** What follows `--` are the command's words, whatever they begin with. */
function read(argv: readonly string[]): Given {
  try {
    return readFlags(argv, policySpec.parts.grants.parts.add);
  } catch (error) {
    if (!(error instanceof UsageError) || argv.includes("--") || !error.message.startsWith("unknown option"))
      throw error;
    throw new UsageError(`${error.message}; words of the command that begin with - come after --`);
  }
}

function prefixRule(given: Given, judge: Judge): GrantRule {
  const { arguments: words } = given;
  const root = process.cwd();
  const command = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const rule = prefixGrant(words, { root, categories: [] });
  if ("refused" in rule) throw new UsageError(rule.refused);
  return { ...rule, categories: categoriesOf(given, () => judge(machinePolicy(), command, root)) };
}

/** As they are named, or else what is found in the words by themselves. */
function categoriesOf(given: Given, found: () => Verdict): readonly string[] {
  const named = given.text("categories");
  if (named !== undefined) {
    return [...new Set(named.split(",").map((each) => oneOf("--categories", each.trim(), grantableCategories)))].sort();
  }
  const categories = (found().findings ?? []).map(({ category }) => category).filter((each) => each !== "self");
  if (categories.length > 0) return [...new Set(categories)].sort();
  const words = JSON.stringify(given.arguments.join(" "));
  throw new UsageError(`--categories: expected what may be found in commands that begin with ${words}, found none`);
}

/** The rule that the question about this command would offer. */
function exactRule(command: string, given: Given, judge: Judge): GrantRule {
  const [word] = given.arguments;
  if (word !== undefined)
    throw new UsageError(`--exact: expected no words beside the command, found ${JSON.stringify(word)}`);
  if (given.has("categories"))
    throw new UsageError("--exact: expected no --categories, for they are those of the command");
  const verdict = judge(machinePolicy(), command, process.cwd());
  const named = JSON.stringify(command);
  if (verdict.verdict === "allow") throw new UsageError(`--exact: expected what needs approval; ${named} runs without`);
  const rule = verdict.verdict === "ask" ? (verdict.grantable ?? null) : null;
  if (rule === null) throw new UsageError(`nothing can be granted for ${named}: ${verdict.reason} (${verdict.rule})`);
  return rule;
}

function whole(
  given: Given,
  name: string,
  { of, most }: { readonly of: string; readonly most: number },
): number | undefined {
  const text = given.text(name);
  if (text === undefined) return undefined;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= most) return value;
  throw new UsageError(`--${name}: expected a whole number of ${of} from 1 to ${most}, found ${JSON.stringify(text)}`);
}
