export { type Ended, runCommand } from "./ephemeral.ts";
export { isMarked, killMarked } from "./kill.ts";
