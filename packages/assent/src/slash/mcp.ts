import type { Accepted, CatalogueEntry, Configured, Failed, Integrations, Known } from "../integrations/index.ts";
import {
  modelAdapter,
  quoted,
  type SlashCommand,
  type SlashPlace,
  type SlashResult,
  submit,
  told,
  unlessRefused,
  type Wrong,
  wrong,
} from "./command.ts";
import { beginSetUp, type Part, type Parted, readParts, refusedInside, runPart } from "./connecting.ts";
import { withoutKeys } from "./integrations-told.ts";
import { listedServers, listedTools, mcpServers } from "./mcp-told.ts";
import { nearest, suggestion } from "./names.ts";

/** The tool whose hands connect, and ask whether to use what the server offers. */
const connectTool = "mcp_connect";

const server = { what: "a server", least: 1, most: 1 };
const parts: Readonly<Record<string, Part>> = {
  list: { what: "no argument", least: 0, most: 0, run: list },
  connect: { what: "a server", least: 0, most: Number.POSITIVE_INFINITY, run: connect },
  disconnect: { ...server, run: disconnect },
  tools: { ...server, run: tools },
  mark: { what: "<server> <tool> safe|asks", least: 3, most: 3, run: mark },
  sampling: { what: "<server> allow|refuse", least: 2, most: 2, run: sampling },
};
const marks = ["safe", "asks"] as const;
const samplings = ["allow", "refuse"] as const;

/** What changes something, and so is a person's. */
const theirs: readonly string[] = ["connect", "disconnect", "mark", "sampling"];

export const mcp: SlashCommand = {
  name: "mcp",
  usage:
    "/mcp [list | connect <server> [command or URL] | disconnect <server> | tools <server> | mark <server> <tool> safe|asks | " +
    "sampling <server> allow|refuse] [--json]",
  modelUsage: "/mcp [tools <s>]",
  does: "lists MCP servers and their tools, connects one, or says which of its tools need not ask",
  more:
    "connect shows what a server offers, and uses nothing of it before you say so; for a name that is not set up yet it\n" +
    "begins the set-up. mark … safe lets a tool run without being asked about. sampling … allow lets a server\n" +
    "ask your model something, each time when you say so. --json lists one object a line.",
  examples: ["/mcp", "/mcp connect files npx -y @modelcontextprotocol/server-filesystem /tmp", "/mcp tools files"],
  tier: (given) => (theirs.includes(readParts(given).part) ? "elevated" : "safe"),
  who: "anyone",
  withheld(given) {
    const { part } = readParts(given);
    if (part === "connect") return "connecting is a person's; run_interactive begins it for them";
    return theirs.includes(part) ? "what a server may do is a person's to decide" : null;
  },
  complete: (typed, { around }) => completed(typed, around.integrations),
  // A command may be typed with a secret in it: what it says is refused, and recorded without it.
  recorded: withoutKeys,
  run: (given, place) => runPart(parts, given, place),
};

function completed(typed: string, all: Integrations): readonly string[] {
  const [part = "", ...more] = typed.trimStart().split(/\s+/u);
  const [server = ""] = more;
  switch (more.length) {
    case 0:
      return Object.keys(parts);
    case 1:
      return firstWords(part, all);
    case 2:
      if (part === "mark") return toolsOf(server, all);
      return part === "tools" ? ["--json"] : part === "sampling" ? samplings : [];
    default:
      return part === "mark" && more.length === 3 ? marks : [];
  }
}

function firstWords(part: string, all: Integrations): readonly string[] {
  const names = mcpServers(all).map(({ name }) => name);
  if (part === "list") return ["--json"];
  if (part !== "connect") return Object.hasOwn(parts, part) ? names : [];
  const services = all.catalogue.entries().filter(all.hasServer);
  return [...names, ...services.map(({ name }) => name)];
}

function toolsOf(server: string, all: Integrations): readonly string[] {
  return (all.find(server)?.accepted?.tools ?? []).map(({ name }) => name);
}

function list({ json }: Parted, { around }: SlashPlace): SlashResult {
  const lines = listedServers(around.integrations, { json });
  const none = json ? "" : "no MCP server is set up; /mcp connect <name> <command or URL> connects one";
  return told(lines.length === 0 ? none : lines.join("\n"));
}

function serverNamed(typed: string, all: Integrations): Configured | Wrong {
  const found = all.find(typed);
  if (found !== null && all.hasServer(found)) return found;
  if (found !== null) return wrong(`${found.name} has no MCP server`);
  const known = mcpServers(all).map(({ name }) => name);
  return wrong(`no MCP server is named ${quoted(typed)}${suggestion(typed, known)}`);
}

/** What stands behind the name is the server's own, also what looks like an option. */
function connect({ rest, json }: Parted, place: SlashPlace): SlashResult {
  const typed = json ? `${rest} --json`.trim() : rest;
  const [name = ""] = typed.split(/\s+/u, 1);
  const address = typed.slice(name.length).trim();
  if (name === "") return wrong("connect: expected the name of a server, found none");
  const { integrations: all } = place.around;
  const found = all.find(name);
  const line = `/mcp connect ${withoutKeys(typed)}`;
  const refused = refusedInside();
  if (refused !== null) return refused;
  if (found === null) return setUp({ name, address, typed }, line, place);
  if (!all.hasServer(found)) return wrong(`${found.name} has no MCP server; its tools are offered already`);
  if (address === "") return connectConfigured(found.name, line, place);
  const other = `/integrations setup ${found.name} gives it another address`;
  return wrong(`${found.name} is set up already: expected no address, found ${quoted(withoutKeys(address))}; ${other}`);
}

function connectConfigured(server: string, text: string, place: SlashPlace): SlashResult {
  const call = { tool: connectTool, arguments: JSON.stringify({ server }) };
  const asks = { type: "tool", parallel: false } as const;
  const { refusal } = submit(place, { type: "command", text, ...call, asks });
  return unlessRefused(place, refusal, told(`connecting ${server}; you are asked before anything new of it is used`));
}

type Typed = { readonly name: string; readonly address: string; readonly typed: string };

/** A service of the catalogue that has a server, or else any server, under that name. */
function setUp({ name, address, typed }: Typed, line: string, place: SlashPlace): SlashResult {
  const { catalogue, hasServer } = place.around.integrations;
  const entry = catalogue.find(name);
  if (entry !== null && !hasServer(entry)) {
    return wrong(`${entry.name} has no MCP server; /integrations setup ${entry.name} sets it up`);
  }
  if (entry !== null) {
    if (address === "" || entry.tools.type === "mcp-given") return beginSetUp(withAddress(entry, address), line, place);
    return wrong(`${entry.name}: expected no address, for the catalogue has it; found ${quoted(withoutKeys(address))}`);
  }
  const any = catalogue.entries().find(({ named, tools: { type } }) => named && type === "mcp-given");
  if (any === undefined) return wrong(`no service is named ${quoted(name)}${suggestion(name, catalogue.names())}`);
  // An address alone: its name is asked for.
  if (name.includes("://")) return beginSetUp(withAddress(any, typed), line, place);
  if (!/^[a-z0-9][a-z0-9-]{0,23}$/u.test(name)) {
    return wrong(`expected a name of at most 24 lower-case letters, digits and dashes, found ${quoted(name)}`);
  }
  // Who says where it is means a new one.
  const slip = address === "" ? nearName(name, place) : null;
  const begun = beginSetUp(withAddress(any, address, { name }), line, place);
  if (begun.type !== "told" || slip === null) return begun;
  return told(`${begun.text}\n${name} is new here; if you meant ${slip}: cancel, then /mcp connect ${slip}`);
}

function withAddress(entry: CatalogueEntry, address: string, known: Known = {}) {
  const key = entry.tools.type === "mcp-given" ? entry.tools.address : "";
  return { entry, known: address === "" || key === "" ? known : { ...known, [key]: address } };
}

/** A name that is nearly one that is there may be a slip: then the person is told before they have filled in anything. */
function nearName(typed: string, { around }: SlashPlace): string | null {
  const { catalogue, hasServer } = around.integrations;
  const there = [...mcpServers(around.integrations), ...catalogue.entries().filter(hasServer)];
  return (
    nearest(
      typed,
      there.map(({ name }) => name),
    ) ?? null
  );
}

async function disconnect({ words: [typed = ""] }: Parted, { around }: SlashPlace): Promise<SlashResult> {
  const { integrations: all } = around;
  const server = serverNamed(typed, all);
  if ("type" in server) return server;
  const { name, accepted } = server;
  if (accepted === null || !accepted.connected) return wrong(`${name} is not connected`);
  const failed = refusedInside() ?? wrongWhere(all.accept(name, { ...accepted, connected: false }));
  if (failed !== null) return failed;
  await all.servers.close(name);
  return told(`${name} is disconnected: its tools are not offered any more; /mcp connect ${name} uses it again`);
}

function wrongWhere(failed: Failed | null): SlashResult | null {
  return failed === null ? null : wrong(failed.failed);
}

/** What a server says now is for people: a model hears of what was accepted, and nothing else (INTG-5). */
function tools({ words: [typed = ""], json }: Parted, { around, by }: SlashPlace): SlashResult {
  const { integrations: all } = around;
  const found = serverNamed(typed, all);
  if ("type" in found) return found;
  const now = by.adapter === modelAdapter ? null : all.servers.offers(found.name);
  return told(listedTools(all, found, { now, json }).join("\n"));
}

function mark({ words: [typed = "", toolTyped = "", word = ""] }: Parted, { around }: SlashPlace): SlashResult {
  const { integrations: all } = around;
  const server = acceptedServer(typed, all);
  if ("type" in server) return server;
  const { name, accepted } = server;
  const known = accepted.tools.map((tool) => tool.name);
  const found = accepted.tools.find((tool) => tool.name === toolTyped || tool.offered === toolTyped);
  if (found === undefined) return wrong(`${name} has no tool ${quoted(toolTyped)}${suggestion(toolTyped, known)}`);
  const chosen = marks.find((each) => each === word);
  if (chosen === undefined)
    return wrong(`mark: expected safe or asks, found ${quoted(word)}${suggestion(word, marks)}`);
  const safe = chosen === "safe";
  const marked = accepted.tools.map((tool) => (tool === found ? { ...tool, safe } : tool));
  const failed = refusedInside() ?? wrongWhere(all.accept(name, { ...accepted, tools: marked }));
  return failed ?? told(`${found.name} of ${name} ${safe ? "runs without being asked about" : "is asked about"}`);
}

/** What it may ask for is told when it connects: so it does that again. */
async function sampling({ words: [typed = "", word = ""] }: Parted, { around }: SlashPlace): Promise<SlashResult> {
  const { integrations: all } = around;
  const server = acceptedServer(typed, all);
  if ("type" in server) return server;
  const { name, accepted } = server;
  const chosen = samplings.find((each) => each === word);
  if (chosen === undefined) {
    return wrong(`sampling: expected allow or refuse, found ${quoted(word)}${suggestion(word, samplings)}`);
  }
  const allowed = chosen === "allow";
  const failed = refusedInside() ?? wrongWhere(all.accept(name, { ...accepted, sampling: allowed }));
  if (failed !== null) return failed;
  await all.servers.close(name);
  return told(allowed ? `${name} may ask your model, each time when you say so` : `${name} may not ask your model`);
}

type AcceptedServer = { readonly name: string; readonly accepted: Accepted };

function acceptedServer(typed: string, all: Integrations): AcceptedServer | Wrong {
  const server = serverNamed(typed, all);
  if ("type" in server) return server;
  const { name, accepted } = server;
  if (accepted !== null) return { name, accepted };
  return wrong(`nothing of ${name} is accepted yet; /mcp connect ${name} shows what it offers`);
}
