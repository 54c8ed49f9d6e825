import type { Failed, McpCalled, McpServer, McpServers, McpWatch, Offers } from "../types.ts";
import type { Asking } from "./client.ts";
import { Connection, keyOf, type Ready, type Shared } from "./connection.ts";
import { promptAnswer, resourceAnswer, toolAnswer } from "./content.ts";
import { type McpOptions, usualLimits } from "./limits.ts";

/** The connections of this process to outside servers (BRG-1). Nothing is started or loaded before it is needed. */
export function openMcpServers(options: McpOptions): McpServers {
  return new Servers({ ...options, limits: { ...usualLimits, ...options.limits }, older: new Set() });
}

class Servers implements McpServers {
  readonly #shared: Shared;
  readonly #connections = new Map<string, Connection>();
  /** What was replaced and still ends. */
  readonly #replaced = new Set<Promise<void>>();

  constructor(shared: Shared) {
    this.#shared = shared;
  }

  open(server: McpServer, watch: McpWatch): Promise<Offers | Failed> {
    return this.#connection(server).open(watch);
  }

  offers(name: string): Offers | null {
    return this.#connections.get(name)?.offers ?? null;
  }

  async call(server: McpServer, call: Call, watch: McpWatch): Promise<McpCalled | Failed> {
    const connection = this.#connection(server);
    const ready = await connection.connected(watch);
    if ("failed" in ready) return ready;
    const found = definitionOf(server.name, ready, call);
    if ("failed" in found) return found;
    const given = { tool: call.tool, arguments: call.arguments, schema: found.parameters };
    const ran = await connection.request(ready, watch, (asking) => ready.link.call(given, asking));
    return answered(server, ran, toolAnswer);
  }

  async read(server: McpServer, uri: string, watch: McpWatch): Promise<McpCalled | Failed> {
    const connection = this.#connection(server);
    const ready = await connection.connected(watch);
    if ("failed" in ready) return ready;
    const ran = await connection.request(ready, watch, (asking) => ready.link.read(uri, asking));
    return answered(server, ran, resourceAnswer);
  }

  async prompt(server: McpServer, prompt: Prompt, watch: McpWatch): Promise<McpCalled | Failed> {
    const connection = this.#connection(server);
    const ready = await connection.connected(watch);
    if ("failed" in ready) return ready;
    const start = (asking: Asking) => ready.link.prompt(prompt.name, prompt.arguments, asking);
    return answered(server, await connection.request(ready, watch, start), promptAnswer);
  }

  state(name: string): string {
    return this.#connections.get(name)?.state ?? "not connected";
  }

  async close(name: string): Promise<void> {
    const connection = this.#connections.get(name);
    this.#connections.delete(name);
    await connection?.close();
  }

  async leave(session: string): Promise<void> {
    const used = [...this.#connections.values()].filter(({ sessions }) => sessions.delete(session));
    await Promise.all(used.filter(({ sessions }) => sessions.size === 0).map(({ server }) => this.close(server.name)));
  }

  async closeAll(): Promise<void> {
    await Promise.all([...[...this.#connections.keys()].map((name) => this.close(name)), ...this.#replaced]);
  }

  /** The one that is there, unless the server is started or reached in another way by now. */
  #connection(server: McpServer): Connection {
    const known = this.#connections.get(server.name);
    if (known !== undefined && known.key === keyOf(server)) return known;
    const made = new Connection(server, this.#shared);
    this.#connections.set(server.name, made);
    if (known === undefined) return made;
    for (const session of known.sessions) made.sessions.add(session);
    const closed = known.close().finally(() => this.#replaced.delete(closed));
    this.#replaced.add(closed);
    return made;
  }
}

type Call = Parameters<McpServers["call"]>[1];
type Prompt = Parameters<McpServers["prompt"]>[1];

/** What is called must be what was accepted; a server that was started anew may offer something else by the same name. */
function definitionOf(server: string, { offers }: Ready, call: { readonly tool: string; readonly digest?: string }) {
  const found = offers.tools.find(({ name }) => name === call.tool);
  if (found === undefined) return { failed: `${server} does not offer ${call.tool}` };
  if (call.digest !== undefined && call.digest !== found.digest) {
    return { failed: `${server} has changed what it says of ${call.tool} since it was accepted: it was not called` };
  }
  return found;
}

function answered(server: McpServer, ran: { readonly value: unknown } | Failed, read: (value: unknown) => McpCalled) {
  if ("failed" in ran) return ran;
  try {
    return read(ran.value);
  } catch {
    return { failed: `${server.name} answered with something that is nested too deep` };
  }
}
