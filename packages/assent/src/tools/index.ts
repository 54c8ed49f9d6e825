import type { Tool } from "../runtime/ports.ts";
import type { TerminalOptions } from "../terminal/index.ts";
import { agentic } from "./agentic.ts";
import { ask } from "./ask.ts";
import { complete } from "./complete.ts";
import { filesTools } from "./files/index.ts";
import { flow } from "./flow.ts";
import { terminalTools } from "./terminal.ts";

/** The catalogue: a new tool is a file and its name here. */
export function openTools(options: TerminalOptions): readonly Tool[] {
  return [agentic, complete, ask, flow, ...terminalTools(options), ...filesTools];
}
