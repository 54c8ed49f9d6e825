export { type Entered, type Entering, enterLine } from "./entering.ts";
export type { Guide } from "./guide.ts";
export { loadMarkdown } from "./markdown.ts";
export { route } from "./router.ts";
export { Shell } from "./shell.ts";
export { shortModel } from "./status.ts";
export { keepModes } from "./terminal.ts";
export { typedLines } from "./typed-lines.ts";
export { wantsTerminal } from "./wants-terminal.ts";
