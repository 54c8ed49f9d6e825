export type { Grant, GrantRule } from "./core/index.ts";
export type {
  Category,
  ConfiguredRule,
  Finding,
  Plan,
  Policy,
  PolicyOptions,
  Rule,
  RuleName,
  ShellFacts,
  Verdict,
} from "./policy/index.ts";
export { judgeCommand, openPolicy, rules } from "./policy/index.ts";
