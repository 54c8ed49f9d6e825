import type { InputData } from "../core/index.ts";
import type { CatalogueEntry, Integrations, Known, McpWatch } from "../integrations/index.ts";
import { isInsideRun } from "../runtime/index.ts";
import { quoted, type SlashPlace, type SlashResult, submit, told, unlessRefused, wordsOf, wrong } from "./command.ts";
import { suggestion } from "./names.ts";

/** The tool whose hands save and verify what was filled in. */
const setUpTool = "integration_setup";

/** What was typed behind a command whose first word is one of its parts. */
export type Parted = {
  readonly part: string;
  /** As it was typed, without the part and without `--json`. */
  readonly rest: string;
  readonly words: readonly string[];
  readonly json: boolean;
};

/** `json` counts at the end alone: what stands behind a name may be a command with options of its own. */
export function readParts(given: string): Parted {
  const json = /(?:^|\s)--json\s*$/u.test(given);
  const typed = (json ? given.replace(/--json\s*$/u, "") : given).trim();
  const [part = "", ...words] = wordsOf(typed);
  return { part, rest: typed.slice(part.length).trim(), words, json };
}

/** Those that list something. */
const listing = ["", "list", "show", "verify", "tools"];

/** One part of a command: how many words it takes, that in words, and what it does. */
export type Part = {
  readonly what: string;
  readonly least: number;
  readonly most: number;
  readonly run: (parted: Parted, place: SlashPlace) => SlashResult | Promise<SlashResult>;
};

/** The part that was typed, and without one the listing. */
export function runPart(
  parts: Readonly<Record<string, Part>>,
  given: string,
  place: SlashPlace,
): SlashResult | Promise<SlashResult> {
  const parted = readParts(given);
  const name = parted.part === "" ? "list" : parted.part;
  const part = Object.hasOwn(parts, name) ? parts[name] : undefined;
  if (part === undefined) return unknownPart(parted, Object.keys(parts));
  return whyNotTaken(parted, part) ?? part.run(parted, place);
}

/** What is wrong with the words behind a part that takes so many; `null` where nothing is. */
function whyNotTaken({ part, words, rest, json }: Parted, { what, least, most }: Part): SlashResult | null {
  // What stands behind it may be a command with options of its own.
  if (most === Number.POSITIVE_INFINITY) return null;
  const named = part === "" ? "" : `${part}: `;
  if (json && !listing.includes(part)) return wrong(`${named}it lists nothing, and takes no --json`);
  const option = words.find((word) => word.startsWith("--"));
  if (option !== undefined) return wrong(`${named}unknown option ${quoted(option)}${suggestion(option, ["--json"])}`);
  if (words.length >= least && words.length <= most) return null;
  return wrong(`${named}expected ${what}, found ${rest === "" ? "none" : quoted(rest)}`);
}

function unknownPart({ part }: Parted, known: readonly string[]): SlashResult {
  return wrong(`expected ${known.join(", ")}, found ${quoted(part)}${suggestion(part, known)}`);
}

/** Whoever types here may be what a call has started: what is connected is not its to change (APPR-10). */
export function refusedInside(): SlashResult | null {
  return isInsideRun() ? wrong("a command that an agent runs cannot change what is connected") : null;
}

/** What can be set up under a word: a service, or what is set up under a name of its own. */
export function setUpNamed(integrations: Integrations, typed: string): SetUp | null {
  const { catalogue } = integrations;
  const entry = catalogue.find(typed);
  if (entry !== null) return { entry, known: {} };
  const configured = integrations.find(typed);
  const service = configured === null ? null : catalogue.find(configured.service);
  if (configured === null || service === null) return null;
  return { entry: service, known: service.named ? { name: configured.name } : {} };
}

/** Why a set-up that a model would begin cannot be begun; `null` where it can, or where the person will see. */
export function whyNotLaunched(command: string, integrations: Integrations): string | null {
  const service = /^\/integrations setup (\S+)$/u.exec(command)?.[1];
  if (service === undefined || setUpNamed(integrations, service) !== null) return null;
  const known = integrations.catalogue.entries().map(({ name }) => name);
  return `no service is named ${quoted(service)}; there are ${known.join(", ")}. An MCP server: /mcp connect <name>`;
}

type SetUp = { readonly entry: CatalogueEntry; readonly known: Known };

/** What begins a set-up: its questions, or the call itself where none is left. */
export function setUpInput(
  { entry, known }: SetUp,
  { line, integrations }: { readonly line: string; readonly integrations: Integrations },
): Unacted<"flow"> | Unacted<"command"> {
  const flow = integrations.setUpFlow(entry, known);
  const call = { tool: setUpTool, arguments: JSON.stringify({ service: entry.name, known }) };
  if (flow !== null) return { type: "flow", flow, name: line, ...call };
  return { type: "command", text: line, ...call, asks: { type: "tool", parallel: false } };
}

type Unacted<T extends "flow" | "command"> = { readonly type: T } & Omit<InputData[T], "by" | "authority">;

/** What a person begins is theirs: its answers need no approval, and no model sees a secret of it (INT-2). */
export function beginSetUp(wanted: SetUp, line: string, place: SlashPlace): SlashResult {
  const { integrations } = place.around;
  const fault = integrations.knownFault(wanted.entry, wanted.known);
  if (fault !== null) return wrong(fault);
  const input = setUpInput(wanted, { line, integrations });
  const begun = `setting up ${wanted.entry.title}${input.type === "flow" ? "; cancel leaves all as it is" : ""}`;
  return unlessRefused(place, submit(place, input).refusal, told(begun));
}

/** For what is looked up outside of an exchange: there, a server can ask nobody. */
export function unasked(session: string, signal?: AbortSignal): McpWatch {
  return {
    session,
    signal: signal ?? new AbortController().signal,
    onProgress: () => {},
    ask: async () => ({ type: "unanswered", why: "nobody" }),
  };
}
