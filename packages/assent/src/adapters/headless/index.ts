export { exitCode, exitCodes } from "./exit-code.ts";
export { follow } from "./follow.ts";
export { showText } from "./show.ts";
export { openSink } from "./sink.ts";
export { type Asked, findTerminal, PersonTerminal } from "./terminal.ts";
