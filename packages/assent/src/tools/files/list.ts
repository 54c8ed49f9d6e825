import { promises } from "node:fs";
import { join, resolve } from "node:path";
import * as v from "valibot";
import type { ToolResult } from "../../core/index.ts";
import type { Hands, Plan } from "../../runtime/ports.ts";
import { readArguments } from "../../wire/index.ts";
import { listSchema } from "./arguments.ts";
import { sayBytes } from "./content.ts";
import { foundSchema, planFound } from "./found.ts";
import { leadsTo, shownName } from "./paths.ts";
import { kindOf } from "./trouble.ts";
import { type Entry, type Walking, walk } from "./walk.ts";

const noted = v.object({ ...foundSchema.entries, depth: v.number(), all: v.boolean() });

const mostShown = 1_000;

export const listHands = makeList(20_000);

/** After `mostCounted` entries it only says that there are more. */
export function makeList(mostCounted: number): Hands {
  return {
    plan(given, place): Plan {
      const read = readArguments(listSchema, given);
      if (read.type === "invalid") return { tool: "list_files", cwd: place.cwd, fails: read.reason };
      const { path, depth, all } = read.value;
      return planFound({ tool: "list_files", path, wanted: "folder", more: { depth, all } }, place);
    },
    run: async ({ more, cwd }, { signal }) => {
      return v.is(noted, more) ? run({ ...more, cwd }, mostCounted, signal) : nothingPlanned;
    },
  };
}

const nothingPlanned: ToolResult = { type: "error", text: "the plan names no folder" };

type Wanted = v.InferOutput<typeof noted> & { readonly cwd: string };

async function run(
  { path, cwd, real, depth, all }: Wanted,
  mostCounted: number,
  signal: AbortSignal,
): Promise<ToolResult> {
  const name = shownName(path);
  if (!leadsTo(resolve(cwd, path), real))
    return { type: "error", text: `cannot list ${name}: it changed since it was judged` };
  const { lines, left, unread } = await listing(real, { depth, all, hidden: true, signal }, mostCounted);
  if (unread !== null && lines.length === 0) return { type: "error", text: `cannot list ${name}: ${unread}` };
  if (lines.length === 0) return { type: "output", text: `${name} has nothing to show` };
  const stopped = signal.aborted ? "the listing was stopped before its end" : null;
  const ends = [left, unread, stopped].filter((end) => end !== null).map((end) => `[${end}]`);
  return { type: "output", text: [`${name.replace(/\/$/, "")}/`, ...lines, ...ends].join("\n") };
}

type Listing = { readonly lines: readonly string[]; readonly left: string | null; readonly unread: string | null };

async function listing(real: string, walking: Walking, mostCounted: number): Promise<Listing> {
  const lines: string[] = [];
  const entries = walk(real, walking);
  for (let count = 0; ; count += 1) {
    const next = await entries.next();
    if (next.done === true) return { lines, left: count > mostShown ? sayLeft(count) : null, unread: next.value };
    if (count >= mostCounted) return { lines, left: sayLeft(count, ", and more,"), unread: null };
    if (count < mostShown) lines.push(await lineOf(real, next.value));
  }
}

function sayLeft(count: number, more = ""): string {
  return `${count - mostShown} more entries${more} are not shown; name a folder in it, or a smaller depth`;
}

async function lineOf(root: string, { path, entry, depth, unread }: Entry): Promise<string> {
  const name = `${"  ".repeat(depth)}${shownName(entry.name)}`;
  if (entry.isDirectory()) return `${name}/${unread === undefined ? "" : ` (${unread})`}`;
  try {
    if (entry.isSymbolicLink()) return `${name} -> ${shownName(await promises.readlink(join(root, path)))}`;
    if (!entry.isFile()) return `${name} (${kindOf(entry)})`;
    return `${name} ${sayBytes((await promises.lstat(join(root, path))).size)}`;
  } catch {
    // Gone since the folder was read.
    return name;
  }
}
