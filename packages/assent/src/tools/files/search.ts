import { lstatSync } from "node:fs";
import { join, resolve } from "node:path";
import * as v from "valibot";
import type { ToolResult } from "../../core/index.ts";
import type { Hands, Place, Plan } from "../../runtime/ports.ts";
import { messageOf, readArguments } from "../../wire/index.ts";
import { programOnPath } from "../on-path.ts";
import { searchSchema } from "./arguments.ts";
import { foundSchema, planFound } from "./found.ts";
import { Matches, mostFileBytes, type SearchEnd, type Wanted } from "./matches.ts";
import { leadsTo, shownName } from "./paths.ts";

const noted = v.object({
  ...foundSchema.entries,
  pattern: v.string(),
  glob: v.exactOptional(v.string()),
  ignore_case: v.boolean(),
  literal: v.boolean(),
  context: v.number(),
  all: v.boolean(),
});

export type Searching = {
  /** Where ripgrep is, if it is anywhere: it is much faster. */
  readonly ripgrep: () => string | null;
  readonly timeLimitMs: number;
};

export const searchHands = makeSearch({ ripgrep: () => programOnPath("rg"), timeLimitMs: 10_000 });

export function makeSearch(searching: Searching): Hands {
  return {
    plan: planSearch,
    run: ({ more, cwd }, { signal }) => {
      return v.is(noted, more) ? run({ ...more, cwd }, searching, signal) : Promise.resolve(nothingPlanned);
    },
  };
}

const nothingPlanned: ToolResult = { type: "error", text: "the plan names nothing to search" };

function planSearch(given: string, place: Place): Plan {
  const read = readArguments(searchSchema, given);
  if (read.type === "invalid") return { tool: "search_files", cwd: place.cwd, fails: read.reason };
  const { path, ...more } = read.value;
  const plan = planFound({ tool: "search_files", path, wanted: "either", more }, place);
  const [planned] = plan.paths ?? [];
  if (!more.all || planned === undefined) return plan;
  // Hidden files are where secrets are: the policy must know that it is about them too.
  const hidden = { ...planned, path: join(planned.path, ".*"), real: join(planned.real, ".*") };
  return { ...plan, paths: [planned, hidden] };
}

type Noted = v.InferOutput<typeof noted> & { readonly cwd: string };

async function run(more: Noted, searching: Searching, signal: AbortSignal): Promise<ToolResult> {
  const { path, cwd, real, ignore_case: ignoreCase, glob = null } = more;
  const stats = leadsTo(resolve(cwd, path), real) ? lstatSync(real, { throwIfNoEntry: false }) : undefined;
  if (stats === undefined)
    return { type: "error", text: `cannot search ${shownName(path)}: it changed since it was judged` };
  const wanted: Wanted = { ...more, given: path, glob, ignoreCase, isFolder: stats.isDirectory() };
  const matches = new Matches(wanted);
  return resultOf(wanted, matches, await search(wanted, matches, searching, signal));
}

async function search(wanted: Wanted, matches: Matches, searching: Searching, signal: AbortSignal): Promise<SearchEnd> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), searching.timeLimitMs);
  const both = AbortSignal.any([signal, late.signal]);
  try {
    const ended =
      (await withRipgrep(searching.ripgrep(), wanted, matches, both)) ?? (await here(wanted, matches, both));
    return ended.type === "too-long" && signal.aborted ? { type: "aborted" } : ended;
  } catch (error) {
    return { type: "failed", reason: messageOf(error) };
  } finally {
    clearTimeout(timer);
  }
}

// Loaded when needed: most starts of the product never search.
async function withRipgrep(program: string | null, ...given: Parameters<typeof here>): Promise<SearchEnd | null> {
  if (program === null) return null;
  return (await import("./search-ripgrep.ts")).searchRipgrep(program, ...given);
}

async function here(wanted: Wanted, matches: Matches, signal: AbortSignal): Promise<SearchEnd> {
  return (await import("./search-here.ts")).searchHere(wanted, matches, signal);
}

function resultOf({ pattern, given, isFolder }: Wanted, { lines, skipped }: Matches, end: SearchEnd): ToolResult {
  const asked = JSON.stringify(pattern);
  if (end.type === "invalid") return { type: "error", text: `cannot search for ${asked}: ${end.reason}` };
  if (end.type === "failed") return { type: "error", text: `cannot search ${shownName(given)}: ${end.reason}` };
  if (!isFolder && skipped.binary + skipped.large + skipped.unread > 0) {
    const [why = ""] = saySkipped(skipped);
    return { type: "error", text: `${shownName(given)} was not searched ${why}: use the terminal` };
  }
  const notes = [...sayEnd(end), ...saySkipped(skipped)];
  const nothing = lines.length === 0;
  const first = nothing ? [`no match for ${asked} in ${shownName(given)}`] : lines;
  const unfinished = nothing && end.type !== "done";
  return { type: unfinished ? "error" : "output", text: [...first, ...notes].join("\n") };
}

function sayEnd(end: Exclude<SearchEnd, { type: "invalid" | "failed" }>): string[] {
  const narrow = "narrow the pattern, the path or the glob";
  switch (end.type) {
    case "done":
      return [];
    case "enough":
      return [`[there are more matches: ${narrow}]`];
    case "aborted":
      return ["[the search was stopped before its end]"];
    case "too-long":
      return [`[the search took too long and was stopped${end.at === null ? "" : ` at ${end.at}`}: ${narrow}]`];
    default:
      return end satisfies never;
  }
}

function saySkipped({ binary, large, unread }: Matches["skipped"]): string[] {
  const parts = [
    ...(binary > 0 ? [`${binary} binary`] : []),
    ...(large > 0 ? [`${large} over ${mostFileBytes / 1024 / 1024} MB`] : []),
    ...(unread > 0 ? [`${unread} that cannot be read`] : []),
  ];
  return parts.length === 0 ? [] : [`[files left out: ${parts.join(", ")}]`];
}
