/** The policy alone: what a plan would do, and whether a person must be asked first. Nothing of Node, nothing is run. */
export type { Grant, GrantRule, GrantScope } from "./core/index.ts";
export type {
  Category,
  ConfiguredRule,
  Finding,
  OutsideTool,
  Plan,
  PlannedChange,
  PlannedPath,
  Policy,
  PolicyOptions,
  Rule,
  RuleName,
  ShellFacts,
  Span,
  Verdict,
} from "./policy/index.ts";
export { judgeCommand, openPolicy, rules } from "./policy/index.ts";
