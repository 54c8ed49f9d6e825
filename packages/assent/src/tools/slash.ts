import * as v from "valibot";
import type { Json, ToolResult } from "../core/index.ts";
import type { Tool } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";

/** The commands of the shell, as far as a model may run them; given by whoever has them. */
export type SlashPort = {
  readonly commands: readonly {
    readonly name: string;
    readonly usage: string;
    readonly does: string;
    readonly tier: Tool["tier"];
  }[];
  /** Whether there is anything that a person can set up or connect by them. */
  readonly setsUp: boolean;
  /** What keeps a set-up from being begun, so that the model hears of it; `null` where nothing is known to. */
  whyNotLaunched(command: string): string | null;
  /** Whether a line may be run, and whether it can change something. */
  read(line: string): { readonly tier: Tool["tier"] } | { readonly refused: string };
  run(line: string, place: { readonly session: string; readonly signal: AbortSignal }): Promise<ToolResult>;
};

export const slashSchema = v.strictObject({ command: v.string() });

const parameters: Json = {
  type: "object",
  properties: { command: { type: "string", description: "The line." } },
  required: ["command"],
  additionalProperties: false,
};

/** Lets the model run commands of the shell: what only looks something up at once, the rest when it is approved (SEL-7). */
export function slashTool(port: SlashPort): Tool {
  return {
    name: "slash_invoke",
    description: describe(port),
    parameters,
    // Whether a line can change something is the plan's to say: where nothing may be changed, the others still run.
    tier: "safe",
    read(given) {
      const read = readArguments(slashSchema, given);
      if (read.type === "invalid") return read;
      const asked = port.read(read.value.command);
      const observes = "tier" in asked && asked.tier === "safe";
      return { type: "tool", parallel: false, ...(observes ? { observes } : {}) };
    },
    hands: {
      plan(given, { cwd }) {
        const read = readArguments(slashSchema, given);
        if (read.type === "invalid") return { tool: "slash_invoke", cwd, fails: read.reason };
        const asked = port.read(read.value.command);
        if ("refused" in asked) return { tool: "slash_invoke", cwd, fails: asked.refused };
        return { tool: "slash_invoke", cwd, more: read.value, tier: asked.tier };
      },
      async run({ more }, { session, signal }) {
        return port.run(v.parse(slashSchema, more).command, { session, signal });
      },
    },
  };
}

/** From the commands themselves: one that is added is told of. */
function describe({ commands }: SlashPort): string {
  const usages = (tier: Tool["tier"]) =>
    commands.flatMap((command) => (command.tier === tier ? [command.usage] : [])).join(", ");
  return (
    "Run a command of Assent. Use it for what concerns Assent. Not for programs (terminal). " +
    `At once: ${usages("safe")}. Asked first: ${usages("elevated")}.`
  );
}
