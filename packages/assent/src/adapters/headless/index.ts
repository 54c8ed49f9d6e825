export { exitCodes } from "./exit-code.ts";
export { type Following, follow } from "./follow.ts";
export { findTerminal } from "./terminal.ts";
