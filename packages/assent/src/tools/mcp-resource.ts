import * as v from "valibot";
import type { Json, ToolResult } from "../core/index.ts";
import { visibleLine } from "../core/interaction/index.ts";
import type { Configured, Integrations, Offers } from "../integrations/index.ts";
import type { Tool, WatchedCall } from "../runtime/ports.ts";
import { readArguments } from "../wire/index.ts";
import { resultOf, watchOf } from "./mcp-calls.ts";

const resourceSchema = v.strictObject({ server: v.string(), uri: v.exactOptional(v.string()) });
/** As many as are worth a model's window. */
const mostListed = 200;

type Asked = v.InferOutput<typeof resourceSchema>;

/** Reads what servers have to read; `null` where no server that a person accepted has anything. */
export function resourceTool(all: readonly Configured[], integrations: Integrations): Tool | null {
  const servers = all.filter(({ accepted }) => accepted?.connected && accepted.resources).map(({ name }) => name);
  if (servers.length === 0) return null;
  return {
    name: "mcp_resource",
    description: "List what an MCP server has to read, or with a uri read it. Not for files (read_file).",
    parameters: parametersFor(servers),
    // Whether it may be read unasked is the plan's to say.
    tier: "safe",
    read(given) {
      const read = readArguments(resourceSchema, given);
      if (read.type === "invalid") return read;
      const problem = unknownServer(read.value, servers);
      return problem === null ? { type: "tool", parallel: false } : { type: "invalid", reason: problem };
    },
    hands: {
      plan(given, { cwd }) {
        const read = readArguments(resourceSchema, given);
        if (read.type === "invalid") return { tool: "mcp_resource", cwd, fails: read.reason };
        const fails = unknownServer(read.value, servers);
        if (fails !== null) return { tool: "mcp_resource", cwd, fails };
        const tier = isListed(read.value, integrations) ? "safe" : "elevated";
        return { tool: "mcp_resource", cwd, more: read.value, tier };
      },
      async run({ more }, watched) {
        return runAsked(v.parse(resourceSchema, more), integrations, watched);
      },
    },
  };
}

function parametersFor(servers: readonly string[]): Json {
  return {
    type: "object",
    properties: {
      server: { type: "string", enum: servers, description: "Its name." },
      uri: { type: "string", description: "What to read, as the list names it. Left out: the list." },
    },
    required: ["server"],
    additionalProperties: false,
  };
}

function unknownServer({ server }: Asked, servers: readonly string[]): string | null {
  if (servers.includes(server)) return null;
  return `no server with resources is called ${JSON.stringify(server)}; there are ${servers.join(", ")}`;
}

/** What the server itself lists may be read; what else a URI could make it fetch, a person decides (INTG-5). */
function isListed({ server, uri }: Asked, { servers }: Integrations): boolean {
  if (uri === undefined) return true;
  return servers.offers(server)?.resources.some((each) => each.uri === uri) ?? false;
}

async function runAsked(
  { server: name, uri }: Asked,
  integrations: Integrations,
  watched: WatchedCall,
): Promise<ToolResult> {
  const server = integrations.server(name);
  if ("failed" in server) return { type: "error", text: server.failed };
  const watch = watchOf(watched);
  if (uri !== undefined) return resultOf(await integrations.servers.read(server, uri, watch));
  const offers = await integrations.servers.open(server, watch);
  if ("failed" in offers) return { type: "error", text: offers.failed };
  return { type: "output", text: listOf(offers) };
}

function listOf({ resources }: Offers): string {
  if (resources.length === 0) return "it has nothing to read";
  const lines = resources
    .slice(0, mostListed)
    .map(({ uri, name, description }) => visibleLine([uri, name, description.slice(0, 200)].join("  ")));
  const more = resources.length > mostListed ? [`[… ${resources.length - mostListed} more …]`] : [];
  return [...lines, ...more].join("\n");
}
