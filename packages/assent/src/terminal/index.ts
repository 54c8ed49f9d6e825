export { changedFiles } from "./changed-files.ts";
export { expectPipes } from "./channel.ts";
export type { Ended, Finished } from "./ephemeral.ts";
export { endLeftovers, type Killed } from "./kill.ts";
export type { LentEnded } from "./lent.ts";
export { SessionTerminal, type ShellEnded, type TerminalOptions } from "./session.ts";
export { removeSpills, spillFolder } from "./spill.ts";
