export { exitCode, exitCodes } from "./exit-code.ts";
export { follow } from "./follow.ts";
export { showSubject } from "./show.ts";
export { findTerminal } from "./terminal.ts";
