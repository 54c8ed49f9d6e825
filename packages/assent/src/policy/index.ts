export type { ConfiguredRule } from "./configured.ts";
export { covers, prefixGrant } from "./grants.ts";
export { contradiction, openPolicy, type PolicyOptions } from "./policy.ts";
export { type Rule, rules } from "./rules.ts";
export {
  type Category,
  type Finding,
  judgeCommand,
  lookInto,
  programNames,
  type RuleName,
  type Span,
} from "./shell/index.ts";
export type * from "./verdict.ts";
