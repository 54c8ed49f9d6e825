import type { Tool } from "../runtime/ports.ts";
import type { TerminalOptions } from "../terminal/index.ts";
import { agentic } from "./agentic.ts";
import { ask } from "./ask.ts";
import { complete } from "./complete.ts";
import { connectingTools, type IntegrationTools } from "./connecting.ts";
import { openFilesTools } from "./files/index.ts";
import { flow } from "./flow.ts";
import { type ModelSetUp, modelSetUpTool } from "./model-setup.ts";
import { runInteractive } from "./run-interactive.ts";
import { type SlashPort, slashTool } from "./slash.ts";
import { terminalTools } from "./terminal.ts";

export { leftOpen, type ModelGiven, type ModelSetUp, setUpKeys } from "./model-setup.ts";
export { outsideTools } from "./outside.ts";
export type { SlashPort } from "./slash.ts";
export { enteredCommand } from "./terminal.ts";

export type ToolOptions = TerminalOptions & {
  /** Folders that are Assent's own: what is in them is never read or written without a person. */
  readonly self?: readonly string[];
  /** The commands of the shell, where there are any: without them, no model is told of them. */
  readonly slash?: SlashPort;
  /** Where people set up models. */
  readonly modelSetUp?: ModelSetUp;
  /** Where people connect services. The tools of these come and go, and are no part of this list. */
  readonly integrations?: IntegrationTools;
};

type RealPlaces = (paths: readonly string[], cwd: string) => Readonly<Record<string, string>>;

/** Loaded by who asks for it alone: a model that answers at once needs no paths. */
export async function loadRealPlaces(): Promise<RealPlaces> {
  return (await import("./real.ts")).realPlaces;
}

/** Where a program is; loaded by who asks for it alone, too. */
export async function findProgram(name: string): Promise<string | null> {
  return (await import("./on-path.ts")).programOnPath(name);
}

/** The catalogue: a new tool is a file and its name here. */
export function openTools({ self = [], slash, modelSetUp, integrations, ...options }: ToolOptions): readonly Tool[] {
  const files = openFilesTools({ self, folder: options.folder });
  return [
    ...[agentic, complete, ask, flow, ...terminalTools(options), ...files],
    ...(slash === undefined ? [] : [slashTool(slash)]),
    // What would launch nothing is not offered.
    ...(slash?.setsUp ? [runInteractive(slash.whyNotLaunched)] : []),
    ...(modelSetUp === undefined ? [] : [modelSetUpTool(modelSetUp)]),
    ...(integrations === undefined ? [] : connectingTools(integrations)),
  ];
}
