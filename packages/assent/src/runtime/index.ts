export { asksForRunning } from "../core/index.ts";
export { type AuditFileCheck, auditLines, checkAuditFile } from "./audit-file.ts";
export { checkDefinition, checkNames, checkPaths } from "./check-options.ts";
export { systemClock } from "./clock.ts";
export { digestOf } from "./digest.ts";
export { type Dispatch, type Dispatching, openDispatch } from "./dispatch.ts";
export { removeQuietly, writePrivate } from "./durable-file.ts";
export { openGrants, openVolatileGrants } from "./grants.ts";
export { openHost } from "./host.ts";
export { type HostOptions, openMachinePolicy, usualContext } from "./host-options.ts";
export * from "./journal/index.ts";
export { type JudgedAgain, type JudgingAgain, judgeAgain } from "./judged-again.ts";
export {
  type AskedQuestion,
  byLastChange,
  describeSession,
  newestIn,
  type SessionSummary,
  type Standing,
} from "./outline.ts";
export { homeOf, type OwnPlaces } from "./own-folders.ts";
export * from "./ports.ts";
export { isForeground, isInsideRun, isRunning, terminalName, thisProcess } from "./process.ts";
export type { Closed, FoundQuestion, OpenQuestion, Part } from "./questions.ts";
export { openSecrets, openVolatileSecrets } from "./secrets.ts";
export type * from "./session-host.ts";
export { sha256 } from "./sha256.ts";
export type { SignIns } from "./sign-ins.ts";
export type { Tokens } from "./tokens.ts";
