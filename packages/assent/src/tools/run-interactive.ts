import * as v from "valibot";
import type { Json } from "../core/index.ts";
import type { Tool } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";
import type { SlashPort } from "./slash.ts";

export const interactiveSchema = v.strictObject({ command: v.string() });

const parameters: Json = {
  type: "object",
  properties: { command: { type: "string", description: "The line." } },
  required: ["command"],
  additionalProperties: false,
};

/** One name behind it, with nothing in it that anybody would obey: where a server is, a person says. */
const launchable = /^\/(?:integrations setup|mcp connect) [A-Za-z0-9][\w.@-]*$/;

/**
 * Begins a set-up for the person instead of telling them what to type (HAND-1). It asks nothing itself: all that the set-up
 * does is asked there. Where there is no shell but somebody can be asked, it begins when the exchange ends; where there is
 * nobody, the person is told the command (HAND-3).
 */
export function runInteractive(whyNotLaunched: SlashPort["whyNotLaunched"]): Tool {
  return {
    name: "run_interactive",
    description:
      "Begin a set-up: /integrations setup <service> or /mcp connect <server>. Use it when asked to set up, " +
      "connect or add one. Not for others.",
    parameters,
    tier: "safe",
    read(given) {
      const read = readArguments(interactiveSchema, given);
      if (read.type === "invalid") return read;
      const { command } = read.value;
      const expected = "/integrations setup <service> or /mcp connect <server>";
      const found = `expected ${expected}, found ${JSON.stringify(command)}`;
      const reason = launchable.test(command) ? whyNotLaunched(command) : found;
      return reason === null ? { type: "tool", parallel: false } : { type: "invalid", reason };
    },
    hands: {
      plan(given, { cwd }) {
        const read = readArguments(interactiveSchema, given);
        if (read.type === "invalid") return { tool: "run_interactive", cwd, fails: read.reason };
        return { tool: "run_interactive", cwd, more: read.value, tier: "safe" };
      },
      async run({ more }, { lend, attended }) {
        const { command } = v.parse(interactiveSchema, more);
        if (lend !== null)
          return { type: "output", text: `launched when the shell is idle: ${command}`, launch: command };
        if (attended) return { type: "output", text: `begins when this exchange ends: ${command}`, launch: command };
        const outside = command.startsWith("/mcp") ? "" : `, or to run assent ${command.slice(1)}`;
        return {
          type: "output",
          text: `there is no shell here; tell the person to type in theirs: ${command}${outside}`,
        };
      },
    },
  };
}
