export { exitCode, exitCodes } from "./exit-code.ts";
export { follow } from "./follow.ts";
export { showFailure, showPrompt, showSubject, showText } from "./show.ts";
export { openSink } from "./sink.ts";
export { findTerminal } from "./terminal.ts";
