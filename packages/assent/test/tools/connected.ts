import { join } from "node:path";
import type { Flow, ToolResult } from "../../src/core/index.ts";
import {
  type Accepted,
  type Configured,
  type Integrations,
  type McpServers,
  type OfferedDefinition,
  type Offers,
  openIntegrations,
} from "../../src/integrations/index.ts";
import { runPlan } from "../../src/runtime/hands.ts";
import { openVolatileSecrets, removeQuietly, systemClock, writePrivate } from "../../src/runtime/index.ts";
import type { FormEnd, Hands, Place, Plan, Tool, WatchedCall } from "../../src/runtime/ports.ts";
import { connectingTools } from "../../src/tools/connecting.ts";
import { removeHands } from "../../src/tools/integration-remove.ts";
import { setUpHands } from "../../src/tools/integration-setup.ts";
import { connectHands } from "../../src/tools/mcp-connect.ts";
import { nobodyAnswers } from "../fixtures/nobody.ts";
import { folderWith, placeAt } from "./fixture.ts";

export function definition(name: string, more: Partial<OfferedDefinition> = {}): OfferedDefinition {
  const parameters = { type: "object", properties: { city: { type: "string" } } };
  const whole = { name, offered: `weather__${name}`, description: `Tells ${name}.`, parameters, claims: [] };
  return { ...whole, digest: `sha256:${name}-${JSON.stringify(more)}`, ...more };
}

export function offersOf(tools: readonly OfferedDefinition[], more: Partial<Offers> = {}): Offers {
  return {
    ...{ title: "Weather", version: "1.0", protocol: "2025-11-25" },
    ...{ tools, prompts: [], resources: [], problems: [], ...more },
  };
}

export function acceptedOf({ tools, prompts, resources }: Offers, more: Partial<Accepted> = {}): Accepted {
  const whole = { connected: true, prompts, resources: resources.length > 0, sampling: false };
  return { ...whole, tools: tools.map((tool) => ({ ...tool, safe: false })), ...more };
}

/** A server that is there when it is reached, with what it offers now and a note of all that it was asked. */
export class StandInServer {
  offers: Offers;
  isOpen = false;
  readonly asked: unknown[] = [];
  readonly left: string[] = [];

  constructor(offers: Offers) {
    this.offers = offers;
  }

  readonly servers: McpServers = {
    open: async ({ name }) => {
      this.isOpen = true;
      this.asked.push(`open ${name}`);
      return this.offers;
    },
    offers: () => (this.isOpen ? this.offers : null),
    call: async (_server, call, { onProgress }) => {
      onProgress("half way");
      this.asked.push(call);
      return { text: "rain", isError: call.tool === "broken" };
    },
    read: async (_server, uri) => {
      this.asked.push(uri);
      return { text: `the text of ${uri}`, isError: false };
    },
    prompt: async () => ({ failed: "weather has no prompts" }),
    state: () => (this.isOpen ? "connected" : "not connected"),
    close: async () => {
      this.isOpen = false;
    },
    leave: async (session) => void this.left.push(session),
    closeAll: async () => {},
  };
}

/** Real integrations in a folder of their own, whose servers are one stand-in. */
export function integrationsWith(server: StandInServer, files: Readonly<Record<string, string>> = {}): Integrations {
  const folder = folderWith(files);
  return openIntegrations({
    folders: { configured: join(folder, "integrations"), catalogue: join(folder, "catalogue") },
    ...{ secrets: openVolatileSecrets(), write: writePrivate, remove: removeQuietly, log: () => {} },
    ...{ version: "0", clock: systemClock, cwd: folder, servers: async () => server.servers },
  });
}

/** The server set up as `weather`, as a person would have done it. */
export async function setUpWeather(integrations: Integrations, accepted: Accepted | null): Promise<Configured> {
  const fields = { address: "weather-server --stdio" };
  const saved = await integrations.save({ name: "weather", service: "mcp", fields, secrets: {} }, () => null);
  if ("failed" in saved) throw new Error(saved.failed);
  if (accepted !== null) integrations.accept("weather", accepted);
  return saved;
}

type Watching = { readonly ends?: readonly FormEnd[]; readonly told?: string[]; readonly asked?: Flow[] };

/** A call in which a person ends the flows that are put to them like this, one after the other. */
export function watchedBy({ ends = [], told = [], asked = [] }: Watching = {}): WatchedCall {
  const left = [...ends];
  return {
    ...{ session: "s1", call: "c1", signal: new AbortController().signal, attended: false, lend: null },
    ...{ tell: () => {}, ...nobodyAnswers, onOutput: (_stream, text) => void told.push(text) },
    form: async (flow) => {
      asked.push(flow);
      return left.shift() ?? { type: "unanswered", why: "nobody" };
    },
  };
}

export function chooses(key: string, option: string): FormEnd {
  return { type: "filled", answers: { [key]: { options: [option] } } };
}

export function planFor(tool: Tool | Hands, given: unknown, more: Partial<Place> = {}): Plan {
  const written = typeof given === "string" ? given : JSON.stringify(given);
  return handsOf(tool).plan(written, placeAt("/work", more));
}

export async function runFor(tool: Tool | Hands, plan: Plan, watched = watchedBy()): Promise<ToolResult> {
  return runPlan(plan, handsOf(tool), watched);
}

function handsOf(tool: Tool | Hands): Hands {
  if ("plan" in tool) return tool;
  if (typeof tool.hands !== "object") throw new Error(`${tool.name} has no hands`);
  return tool.hands;
}

/** The tools that are people's alone, with their hands. */
export function peoplesTools(integrations: Integrations, secret: (name: string) => string | null = () => null) {
  const tools = connectingTools({ integrations, secret });
  return {
    tools,
    setUp: setUpHands({ integrations, secret }),
    connect: connectHands(integrations),
    remove: removeHands(integrations),
  };
}
