import type { Json, ToolResult } from "../core/index.ts";
import { visibleLine } from "../core/interaction/index.ts";
import type {
  Accepted,
  AcceptedTool,
  Configured,
  HttpTool,
  Integrations,
  OfferedDefinition,
} from "../integrations/index.ts";
import type { Hands, Plan, Tool, WatchedCall } from "../runtime/ports.ts";
import { asJson, isLooseRecord, parseJson } from "../wire/index.ts";
import { resultOf, watchOf } from "./mcp-calls.ts";
import { resourceTool } from "./mcp-resource.ts";

/**
 * The tools of what a person has connected: those of MCP servers as they were accepted, never as a server tells of them now
 * (INTG-5), and the look-ups of the catalogue. The same list while nothing has changed, so that requests keep their beginning.
 */
export function outsideTools(integrations: Integrations): () => readonly Tool[] {
  let made: { readonly of: readonly Configured[]; readonly tools: readonly Tool[] } = { of: [], tools: [] };
  return () => {
    const configured = integrations.configured();
    if (configured === made.of) return made.tools;
    // Whoever removed it may have been another process: what this one has started for it goes, too.
    const gone = made.of.filter(({ name }) => !configured.some((each) => each.name === name));
    for (const { name } of gone) void integrations.servers.close(name);
    made = { of: configured, tools: toolsOf(configured, integrations) };
    return made.tools;
  };
}

function toolsOf(all: readonly Configured[], integrations: Integrations): readonly Tool[] {
  const tools = all.flatMap((configured) => [
    ...acceptedOf(configured).map((tool) => mcpTool(tool, configured.name, integrations)),
    ...lookUpsOf(configured, integrations),
  ]);
  const resources = resourceTool(all, integrations);
  const names = new Set<string>();
  // Names of two servers may come out alike; no model may be told of two tools with one name.
  return [...tools, ...(resources === null ? [] : [resources])].filter(({ name }) => {
    const isFirst = !names.has(name);
    names.add(name);
    return isFirst;
  });
}

function acceptedOf({ accepted }: Configured): readonly AcceptedTool[] {
  return accepted?.connected ? accepted.tools : [];
}

/** Of the arguments only their kind is known here: the rest is the server's to check. */
const readsObject: Tool["read"] = (given) => {
  const read = objectOf(given);
  return "invalid" in read ? { type: "invalid", reason: read.invalid } : { type: "tool", parallel: false };
};

function objectOf(given: string): { readonly value: Json } | { readonly invalid: string } {
  const parsed = parseJson(given);
  if (parsed.type === "broken") return { invalid: `the arguments are not JSON: ${parsed.reason}` };
  if (!isLooseRecord(parsed.value)) return { invalid: "the arguments are wrong: expected a JSON object" };
  return { value: asJson(parsed.value) };
}

function mcpTool(tool: AcceptedTool, server: string, integrations: Integrations): Tool {
  const { offered, description, parameters, safe } = tool;
  return {
    name: offered,
    description: `Tool of the server ${server}, which says of it: ${description}`,
    parameters: withoutDialect(parameters),
    tier: safe ? "safe" : "elevated",
    read: readsObject,
    hands: {
      plan: (given, { cwd }) => planCall(given, { tool, server, integrations, cwd }),
      run: (plan, watched) => runCall(plan, { tool, server, integrations, watched }),
    },
  };
}

/** Which JSON Schema it is helps no model. */
function withoutDialect(parameters: Json): Json {
  if (!isLooseRecord(parameters) || !("$schema" in parameters)) return parameters;
  const { $schema: _, ...rest } = parameters;
  return asJson(rest);
}

type Owned = { readonly tool: AcceptedTool; readonly server: string; readonly integrations: Integrations };

/** What the server says of itself now is looked at only where it is connected already: to plan starts nothing. */
function planCall(given: string, { tool, server, integrations, cwd }: Owned & { readonly cwd: string }): Plan {
  const { name, offered, claims, digest, safe } = tool;
  const read = objectOf(given);
  if ("invalid" in read) return { tool: offered, cwd, fails: read.invalid };
  const offers = integrations.servers.offers(server);
  const now = offers === null ? tool : offers.tools.find((each) => each.name === name);
  if (now === undefined) return { tool: offered, cwd, fails: gone(tool, server) };
  const changed =
    now.digest === digest ? {} : { changed: { was: describeDefinition(tool), now: describeDefinition(now) } };
  return {
    tool: offered,
    cwd,
    more: read.value,
    // That it changes nothing was said of what it was.
    tier: safe && now.digest === digest ? "safe" : "elevated",
    outside: { server, definition: digest, claims, ...changed },
  };
}

async function runCall(plan: Plan, owned: Owned & { readonly watched: WatchedCall }): Promise<ToolResult> {
  const { tool, server: name, integrations, watched } = owned;
  const server = integrations.server(name);
  if ("failed" in server) return { type: "error", text: server.failed };
  const watch = watchOf(watched);
  const offers = await integrations.servers.open(server, watch);
  if ("failed" in offers) return { type: "error", text: offers.failed };
  const live = offers.tools.find((each) => each.name === tool.name);
  if (live === undefined) return { type: "error", text: gone(tool, name) };
  const refused = live.digest === tool.digest ? null : takeChanged(live, plan, owned);
  if (refused !== null) return { type: "error", text: refused };
  // Between now and then it may be started anew, and be another.
  const call = { tool: tool.name, arguments: plan.more ?? {}, digest: live.digest };
  return resultOf(await integrations.servers.call(server, call, watch));
}

/** Where a person was shown exactly what it is now and said yes, that counts from now on; otherwise it is not called. */
function takeChanged(live: OfferedDefinition, { outside }: Plan, { tool, server, integrations }: Owned): string | null {
  const shown = outside?.changed?.now.join("\n");
  if (shown !== describeDefinition(live).join("\n")) {
    return `${server} has changed what ${tool.name} is since a person accepted it, so it was not called; when it is called again, the person is asked`;
  }
  const accepted = integrations.configured().find(({ name }) => name === server)?.accepted ?? null;
  if (accepted === null) return `what was accepted of ${server} is gone`;
  return integrations.accept(server, withTool(accepted, live))?.failed ?? null;
}

/** That it changes nothing was said of another definition. */
function withTool(accepted: Accepted, live: OfferedDefinition): Accepted {
  const tools = accepted.tools.map((each) => (each.name === live.name ? { ...live, safe: false } : each));
  return { ...accepted, tools };
}

/** For people, and to tell apart: the digest also covers what was cut. */
function describeDefinition({ description, claims, parameters, digest }: OfferedDefinition): readonly string[] {
  return [
    visibleLine(description),
    ...(claims.length === 0 ? [] : [`says of itself: ${visibleLine(claims.join(", "))}`]),
    `arguments: ${visibleLine(JSON.stringify(parameters))}`,
    `digest: ${digest}`,
  ];
}

function gone({ name }: OfferedDefinition, server: string): string {
  return `${server} does not offer ${name} any more; /mcp connect ${server} shows the person what it offers`;
}

function lookUpsOf(configured: Configured, integrations: Integrations): readonly Tool[] {
  const source = integrations.source(configured);
  return source.type === "http" ? source.tools.map((tool) => lookUpTool(tool, configured.name, integrations)) : [];
}

/** Declared in the catalogue, which a person chose from: it only reads. */
function lookUpTool(tool: HttpTool, integration: string, integrations: Integrations): Tool {
  const name = `${integration}__${tool.name}`.slice(0, mostName);
  const hands: Hands = {
    plan(given, { cwd }) {
      const read = objectOf(given);
      if ("invalid" in read) return { tool: name, cwd, fails: read.invalid };
      return { tool: name, cwd, more: read.value, tier: "safe" };
    },
    async run({ more }, { signal }) {
      const given = isLooseRecord(more) ? more : {};
      return resultOf(await integrations.lookUp(integration, { tool: tool.name, arguments: given, signal }));
    },
  };
  return { name, description: tool.description, parameters: schemaOf(tool), tier: "safe", read: readsObject, hands };
}

/** Longer names are refused by some models' servers. */
const mostName = 64;

function schemaOf({ parameters }: HttpTool): Json {
  const all = Object.entries(parameters);
  return {
    type: "object",
    properties: Object.fromEntries(all.map(([key, { description }]) => [key, { type: "string", description }])),
    required: all.flatMap(([key, { optional }]) => (optional ? [] : [key])),
    additionalProperties: false,
  };
}
