import type { ToolResult } from "../core/index.ts";
import { plainLines } from "../show/index.ts";
import {
  type Errand,
  modelAdapter,
  type SlashCommand,
  type SlashPlace,
  type SlashResult,
  type Tier,
} from "./command.ts";
import { readSlash, slashCommands, tierOf } from "./registry.ts";

/** As much of what a command tells as is worth a model's window. */
const mostCharacters = 20_000;

/** A command as a model is told of it. */
export type OfferedCommand = Pick<SlashCommand, "name" | "usage" | "does"> & { readonly tier: Tier };

/** Those that a model may run; one that may change something is told of as such. */
export const offeredCommands: readonly OfferedCommand[] = slashCommands
  .filter(({ who }) => who === "anyone")
  .flatMap((command) => {
    const { name, usage, modelUsage, modelAsks, does, tier } = command;
    const told = typeof tier === "function" && modelUsage === undefined ? "elevated" : tierOf(command, "");
    const asks = modelAsks === undefined ? [] : [{ name, usage: modelAsks, does, tier: "elevated" } as const];
    return [{ name, usage: modelUsage ?? usage, does, tier: told }, ...asks];
  });

export type CommandAsked = { readonly tier: Tier } | { readonly refused: string };

/** Whether a model may run a line, and whether that asks first. */
export function readModelLine(line: string): CommandAsked {
  const read = readSlash(line.trim());
  const there = [...new Set(offeredCommands.map(({ name }) => `/${name}`))].join(", ");
  if (read === null) return { refused: `expected a command such as /status, found ${JSON.stringify(line)}` };
  if (!("command" in read)) {
    const meant = read.nearest === null ? `there are ${there}` : `did you mean /${read.nearest}?`;
    return { refused: `no command is named /${read.unknown}; ${meant}` };
  }
  const { command, given } = read;
  if (command.who === "person")
    return { refused: `/${command.name} is a person's alone: they type it; there are ${there}` };
  const withheld = command.withheld?.(given) ?? null;
  return withheld === null ? { tier: tierOf(command, given) } : { refused: `/${command.name}: ${withheld}` };
}

/** Runs a line for a model. What would happen in a shell is told instead. */
export async function runModelLine(line: string, place: Omit<SlashPlace, "by">): Promise<ToolResult> {
  const asked = readModelLine(line);
  const read = readSlash(line.trim());
  if ("refused" in asked) return { type: "error", text: asked.refused };
  if (read === null || !("command" in read)) return { type: "error", text: "no such command" };
  const by = { name: "model", adapter: modelAdapter };
  return resultOf(await read.command.run(read.given, { ...place, by }), read.command);
}

function resultOf(result: SlashResult, { usage, modelUsage = usage, modelAsks }: SlashCommand): ToolResult {
  switch (result.type) {
    case "told":
      return { type: "output", text: cut(result.text) };
    case "wrong":
      return {
        type: "error",
        text: [`${result.problem}\nusage: ${modelUsage}`, ...(modelAsks === undefined ? [] : [modelAsks])].join(", "),
      };
    case "errand":
      return { type: "output", text: cut(describeErrand(result.errand)) };
    default:
      return result satisfies never;
  }
}

function describeErrand(errand: Errand): string {
  switch (errand.type) {
    case "show":
      // As texts they are not cut a first time.
      return plainLines(errand.said.map((said) => ({ ...said, form: "text" })));
    case "open":
      return `session ${errand.session} is made; the person opens it with /resume ${errand.session}`;
    case "leave":
    case "clear":
    case "pick":
    case "begin":
    case "child":
      return `this is done in the person's shell: ${errand.type}`;
    default:
      return errand satisfies never;
  }
}

function cut(text: string): string {
  if (text.length <= mostCharacters) return text;
  const head = text.slice(0, mostCharacters).toWellFormed();
  return `${head}\n[… ${text.length - head.length} characters more …]`;
}
