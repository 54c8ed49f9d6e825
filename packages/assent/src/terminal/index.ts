export { type Ended, runCommand } from "./ephemeral.ts";
