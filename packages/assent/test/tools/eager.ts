import type { Hands, Tool } from "../../src/runtime/ports.ts";
import { openRedacting } from "../../src/runtime/redaction.ts";
import type { TerminalOptions } from "../../src/terminal/index.ts";
import { filesHands } from "../../src/tools/files/hands.ts";
import { openTools } from "../../src/tools/index.ts";
import { terminalHands } from "../../src/tools/terminal-hands.ts";

export type EagerTool = Omit<Tool, "hands"> & { readonly hands?: Hands };

/** The tools with their hands at once, for tests that are not about when these come. */
export function eagerTools(options: Partial<TerminalOptions> = {}): readonly EagerTool[] {
  const redacting = openRedacting(() => []);
  const whole = { shell: "bash", folder: "/nowhere", hidden: [], pty: false, redacting, ...options };
  const made = new Map<string, Hands>(Object.entries({ ...terminalHands(whole), ...filesHands }));
  return openTools(whole).map(({ hands: _later, ...tool }) => {
    const hands = made.get(tool.name);
    return hands === undefined ? tool : { ...tool, hands };
  });
}

export type ActingTool = EagerTool & { readonly hands: Hands };

export function actingTool(tools: readonly EagerTool[], wanted: string): ActingTool {
  const tool = tools.find(({ name }) => name === wanted);
  if (tool?.hands === undefined) throw new Error(`expected a tool ${wanted} that acts, came ${tool?.name ?? "none"}`);
  return { ...tool, hands: tool.hands };
}
