export { type Ended, runCommand } from "./ephemeral.ts";
export { killMarked, markerName } from "./kill.ts";
