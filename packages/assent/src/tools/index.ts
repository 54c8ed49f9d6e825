import type { Tool } from "../runtime/ports.ts";
import { agentic } from "./agentic.ts";
import { ask } from "./ask.ts";
import { complete } from "./complete.ts";
import { flow } from "./flow.ts";
import { terminal } from "./terminal.ts";

/** The catalogue: a new tool is a file and its name here. */
export const tools: readonly Tool[] = [agentic, complete, ask, flow, terminal];
