export { type GivenInput, givenInput, resolvedSecret } from "./answers.ts";
export { type AuditAnswer, type AuditMoment, type AuditRecord, type AuditStep, auditOf, auditSteps } from "./audit.ts";
export type { Secret } from "./draft.ts";
export * from "./events.ts";
export { secretsOf } from "./flows.ts";
export { forkedFrom } from "./fork.ts";
export {
  type Grant,
  type GrantRule,
  type GrantScope,
  type GrantUsed,
  liveGrants,
  type SavedScope,
} from "./grant.ts";
export { continuationLine, type ModelRequest } from "./history.ts";
export * from "./inputs.ts";
export * from "./interaction/index.ts";
export type { Json } from "./json.ts";
export { defaultLimits, type Limits, parseCount, parseTurnLimit, type TurnLimit } from "./limits.ts";
export { entries, type Log } from "./log.ts";
export { type ReplayDifference, type Replayed, type ReplayPorts, replay } from "./replay.ts";
export { type Decision, decide, evolve, fold, inputTypes } from "./session.ts";
export {
  asksForRunning,
  type BackgroundProcess,
  type Call,
  type CallStatus,
  type Exchange,
  type FailedExchange,
  type History,
  type HistoryCall,
  type HistoryMessage,
  type Interaction,
  type KillReason,
  type LastCommand,
  type Launch,
  type Measured,
  type ModifiedFiles,
  newSession,
  type OpenFlow,
  type Ordinals,
  type Overflow,
  openInteraction,
  type Phase,
  type RejectedAnswer,
  type Repeat,
  type ResolvedInteraction,
  type ReturnedFlow,
  type Run,
  type Session,
  type Settled,
  type Terminal,
  turnCalls,
  type Waiting,
} from "./state.ts";
export { stateBlock } from "./state-block.ts";
export { systemPrompt } from "./system-prompt.ts";
export { type KilledCall, nextDeadline, nextWork, runningCalls, type Work } from "./work.ts";
