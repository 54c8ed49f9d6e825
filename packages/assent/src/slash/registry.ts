import { readCommandLine } from "../core/interaction/index.ts";
import { audit } from "./audit.ts";
import type { SlashCommand, SlashPlace, Tier } from "./command.ts";
import { exportCommand } from "./export.ts";
import { flow } from "./flow.ts";
import { grants } from "./grants.ts";
import { commandNamed, help } from "./help.ts";
import { history } from "./history.ts";
import { integrations } from "./integrations.ts";
import { clear, demo, exit, text } from "./leaving.ts";
import { compact, keep, stop, turnLimit } from "./limits.ts";
import { mcp } from "./mcp.ts";
import { model } from "./model.ts";
import { nearest } from "./names.ts";
import { queue } from "./queue.ts";
import { begin, fork, rename, resume, sessions } from "./sessions.ts";
import { status } from "./status.ts";
import { context, doctor, policy, tools } from "./telling.ts";

/** Every command: what is shown, completed, documented and offered to a model comes from here and nowhere else. */
export const slashCommands: readonly SlashCommand[] = [
  help,
  status,
  model,
  integrations,
  mcp,
  turnLimit,
  stop,
  queue,
  sessions,
  resume,
  begin,
  fork,
  rename,
  exportCommand,
  compact,
  context,
  tools,
  policy,
  grants,
  flow,
  keep,
  history,
  audit,
  clear,
  doctor,
  demo,
  exit,
  text,
];

export type ReadSlash =
  | { readonly command: SlashCommand; readonly given: string }
  | { readonly unknown: string; readonly nearest: string | null };

/** A line as a command; `null` when it is not one. Names are exact (ANS-10). */
export function readSlash(line: string, commands = slashCommands): ReadSlash | null {
  const typed = readCommandLine(line);
  if (typed === null) return null;
  const { name, rest: given } = typed;
  const command = commandNamed(commands, name);
  if (command !== undefined) return { command, given };
  const known = commands.flatMap((each) => [each.name, ...(each.also ?? [])]);
  return { unknown: name, nearest: nearest(name, known) ?? only(known.filter((each) => each.startsWith(name))) };
}

/** What was begun and can be nothing else. */
function only(words: readonly string[]): string | null {
  return words.length === 1 ? (words[0] ?? null) : null;
}

/** Whether such a line can change something. */
export function tierOf({ tier }: SlashCommand, given: string): Tier {
  return typeof tier === "function" ? tier(given) : tier;
}

/** What could stand from `from` to the cursor, each whole; none where nothing is known to. */
export type SlashCompletion = { readonly from: number; readonly choices: readonly string[] };

/** The names of commands, and what each says of its arguments; the line up to the cursor counts. */
export async function completeSlash(line: string, cursor: number, place: SlashPlace): Promise<SlashCompletion> {
  const typed = line.slice(0, cursor);
  const commands = place.around.commands();
  if (/^\/\S*$/.test(typed)) {
    const names = commands.map(({ name }) => `/${name}`);
    return { from: 0, choices: beginning(typed, names) };
  }
  const from = typed.search(/\S*$/);
  const read = readSlash(typed, commands);
  if (read === null || !("command" in read)) return { from, choices: [] };
  const words = (await read.command.complete?.(read.given, place)) ?? [];
  return { from, choices: beginning(typed.slice(from), words) };
}

function beginning(typed: string, words: readonly string[]): readonly string[] {
  return [...new Set(words)].filter((word) => word.startsWith(typed)).sort();
}
