import { checkArchitecture, type Rules } from "./check.ts";
import { productRules } from "./rules.ts";
import type { RuleName, Violation } from "./violation.ts";

const avoid = new Map([
  ["conversation", "session"],
  ["permission", "grant"],
  ["tool use", "call"],
]);
export const rules: Rules = withoutExceptions(productRules(avoid));

function withoutExceptions(all: Rules): Rules {
  return { ...all, sizes: { ...all.sizes, exceptions: {} }, casts: { ...all.casts, exceptions: {} } };
}

/** What breaks a rule in fixture sources (path → text), under the product's rules without its exceptions. */
export function found(rule: RuleName, sources: Record<string, string>, changes: Partial<Rules> = {}): string[] {
  return only(rule, checkArchitecture(new Map(Object.entries(sources)), { ...rules, ...changes }));
}

/** The violations of one rule, as people read them. */
export function only(rule: RuleName, violations: readonly Violation[]): string[] {
  return violations.filter((each) => each.rule === rule).map((each) => `${each.file}:${each.line} ${each.message}`);
}
