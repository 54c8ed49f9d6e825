import { visibleLine } from "../core/interaction/index.ts";
import type {
  Accepted,
  AcceptedTool,
  Configured,
  Integrations,
  OfferedDefinition,
  Offers,
} from "../integrations/index.ts";
import { withoutKeys } from "./integrations-told.ts";
import { aligned, counted } from "./listing.ts";

/** As much of a description as a line of a listing has room for. */
const mostDescription = 80;

/** What is set up and has an MCP server. */
export function mcpServers(integrations: Integrations): readonly Configured[] {
  return integrations.configured().filter(integrations.hasServer);
}

/** The form of a line is a promise (docs/guide/mcp.md). */
export function listedServers(integrations: Integrations, { json }: { readonly json: boolean }): readonly string[] {
  const all = mcpServers(integrations).map((each) => serverLine(integrations, each));
  if (json) return all.map((line) => JSON.stringify(line));
  return aligned(
    all.map(({ name, state, address, ...line }) => [name, state, describeOffers(line), visibleLine(address)]),
  );
}

function serverLine(integrations: Integrations, { name, service, accepted, ...configured }: Configured) {
  const { tools = [], prompts = [], resources = false, sampling = false, connected = false } = accepted ?? {};
  return {
    name,
    service,
    address: addressOf(integrations, { name, service, accepted, ...configured }),
    accepted: accepted !== null,
    connected,
    state: stateOf(integrations, name, accepted),
    tools: tools.length,
    safe_tools: tools.filter(({ safe }) => safe).length,
    prompts: prompts.length,
    resources,
    sampling,
  };
}

/** As it was set up, without the secrets. */
function addressOf(integrations: Integrations, configured: Configured): string {
  const source = integrations.source(configured);
  switch (source.type) {
    case "mcp-given":
      return withoutKeys(configured.fields[source.address] ?? "");
    case "mcp-command":
      return source.command.map((word) => filledIn(word, configured)).join(" ");
    case "mcp-url":
      return withoutKeys(filledIn(source.url, configured));
    case "http":
    case "none":
      return "";
    default:
      return source satisfies never;
  }
}

/** What stands for a secret stays as it is. */
function filledIn(template: string, { fields }: Configured): string {
  return template.replace(/\{([a-z0-9_]+)\}/gu, (whole, key: string) => fields[key] ?? whole);
}

function stateOf(integrations: Integrations, name: string, accepted: Accepted | null): string {
  if (accepted === null) return "nothing accepted yet";
  return accepted.connected ? visibleLine(integrations.servers.state(name)) : "disconnected";
}

type Counts = Pick<ReturnType<typeof serverLine>, "tools" | "safe_tools" | "prompts" | "resources" | "sampling">;

function describeOffers({ tools, safe_tools, prompts, resources, sampling }: Counts): string {
  return [
    `${counted(tools, "tool")}${safe_tools === 0 ? "" : ` (${safe_tools} safe)`}`,
    ...(prompts === 0 ? [] : [counted(prompts, "prompt")]),
    ...(resources ? ["resources"] : []),
    ...(sampling ? ["sampling"] : []),
  ].join(", ");
}

/** A tool as it was accepted, beside what its server says of it now. */
type ToolState = "accepted" | "new" | "changed" | "gone";
type ListedTool = { readonly tool: AcceptedTool | OfferedDefinition; readonly state: ToolState };

/** Where no connection is open, what was accepted is all that is known. */
function everyTool(accepted: Accepted | null, now: readonly OfferedDefinition[] | null): readonly ListedTool[] {
  const before = accepted?.tools ?? [];
  const known = before.map((tool): ListedTool => {
    const live = now?.find(({ name }) => name === tool.name);
    if (now === null || live?.digest === tool.digest) return { tool, state: "accepted" };
    return { tool, state: live === undefined ? "gone" : "changed" };
  });
  const added = (now ?? []).filter(({ name }) => !before.some((tool) => tool.name === name));
  return [...known, ...added.map((tool): ListedTool => ({ tool, state: "new" }))];
}

/** Each with its mark, what its server claims of it, and where it is known what it offers `now`, whether it is still that. */
export function listedTools(
  integrations: Integrations,
  { name, accepted }: Configured,
  { now: offers, json }: { readonly now: Offers | null; readonly json: boolean },
): readonly string[] {
  const all = everyTool(accepted, offers?.tools ?? null);
  if (json) {
    return all.map(({ tool, state }) => {
      const { name: own, offered, claims, description } = tool;
      return JSON.stringify({ server: name, tool: own, offered, state, safe: isSafe(tool), claims, description });
    });
  }
  const rows = all.map(({ tool, state }) => {
    const mark = state === "accepted" ? (isSafe(tool) ? "safe" : "asks") : state;
    return [mark, tool.name, tool.claims.join(", "), cut(tool.description)].map(visibleLine);
  });
  const problems = (offers?.problems ?? []).map((problem) => `left out: ${visibleLine(problem)}`);
  const more = all.some(({ state }) => state !== "accepted")
    ? [`/mcp connect ${name} shows what is new, changed or gone, and asks whether to use it`]
    : [];
  const first = `${name}: ${counted(accepted?.tools.length ?? 0, "tool")} accepted; ${stateOf(integrations, name, accepted)}`;
  return [first, ...aligned(rows).map((row) => `  ${row}`), ...problems, ...more];
}

function isSafe(tool: AcceptedTool | OfferedDefinition): boolean {
  return "safe" in tool && tool.safe;
}

function cut(text: string): string {
  const [line = ""] = text.trim().split("\n", 1);
  return line.length <= mostDescription ? line : `${line.slice(0, mostDescription - 1).toWellFormed()}…`;
}
