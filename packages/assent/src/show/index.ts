export { chainLines, chainMark } from "./chain.ts";
export {
  adviceIn,
  describeBreaks,
  failureFor,
  forkFor,
  inShellWords,
  modelRemedy,
  promptFor,
  refusedFor,
} from "./going-on.ts";
export { type Channel, leftOutLine, plainLines, type Said, saidSystem } from "./said.ts";
export { Showing } from "./showing.ts";
export { saidSubject } from "./subject.ts";
export {
  describeAnswer,
  describeOutcome,
  grouped,
  isPartlyTaken,
  saidAborted,
  saidFailure,
  saidLastFailure,
  saidPrompt,
  saidResolution,
  saidRetry,
  saidTokens,
} from "./told.ts";
