export { callNamed } from "./audit.ts";
export { auditTable } from "./audit-told.ts";
export { whyLines } from "./audit-why.ts";
export type {
  Errand,
  SlashCommand,
  SlashPlace,
  SlashResult,
  Surroundings,
} from "./command.ts";
export { setUpInput, setUpNamed, unasked, whyNotLaunched } from "./connecting.ts";
export { describeGrant } from "./grants.ts";
export { unknownService, verifiable } from "./integrations.ts";
export { findListed, listedIntegrations, shownIntegration, verifiedLines } from "./integrations-told.ts";
export { offeredCommands, readModelLine, runModelLine } from "./model-side.ts";
export { slashPage } from "./page.ts";
export { promptCommands } from "./prompts.ts";
export { completeSlash, readSlash, slashCommands } from "./registry.ts";
export { sessionLine, sessionState } from "./sessions.ts";
