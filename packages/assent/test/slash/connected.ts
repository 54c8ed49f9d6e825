import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import {
  type Accepted,
  type AcceptedTool,
  type Configured,
  type Integrations,
  type McpServers,
  type OfferedDefinition,
  type Offers,
  openIntegrations,
} from "../../src/integrations/index.ts";
import { openVolatileSecrets, removeQuietly, systemClock, writePrivate } from "../../src/runtime/index.ts";
import { encodeIntegration } from "../../src/wire/index.ts";

/** What nobody may ever see. */
export const secret = "sntrys_planted_0123456789";
const since = "2026-01-31T12:00:00.000Z";

export const sentry: Configured = {
  name: "sentry",
  service: "sentry",
  fields: { organization: "acme", url: "https://sentry.example" },
  secrets: ["token"],
  since,
  checked: { status: "passed", detail: "sentry.example answered 200", at: since },
  accepted: null,
};

export const everything: Configured = {
  name: "everything",
  service: "mcp",
  fields: { address: "npx -y server-everything" },
  secrets: [],
  since,
  checked: null,
  accepted: null,
};

export function definition(name: string, more: Partial<OfferedDefinition> = {}): OfferedDefinition {
  const parameters = { type: "object", properties: {} };
  return {
    name,
    offered: `everything__${name}`,
    description: `Does ${name}.`,
    parameters,
    claims: [],
    digest: name,
    ...more,
  };
}

export function tool(name: string, more: Partial<AcceptedTool> = {}): AcceptedTool {
  return { ...definition(name), safe: false, ...more };
}

export function accepted(more: Partial<Accepted> = {}): Accepted {
  return { connected: true, tools: [], prompts: [], resources: false, sampling: false, ...more };
}

export function offers(more: Partial<Offers> = {}): Offers {
  return {
    title: "Everything",
    version: "1",
    protocol: "2025-11-25",
    tools: [],
    prompts: [],
    resources: [],
    problems: [],
    ...more,
  };
}

/** Servers that are connected as told, and answer each prompt with what was asked. */
export function fakeServers(open: Readonly<Record<string, Offers>> = {}) {
  const closed: string[] = [];
  const servers: McpServers = {
    open: async ({ name }) => open[name] ?? { failed: `${name}: it did not start` },
    offers: (name) => open[name] ?? null,
    call: async () => ({ failed: "not here" }),
    read: async () => ({ failed: "not here" }),
    prompt: async ({ name }, prompt) =>
      prompt.name === "broken"
        ? { failed: `${name}: it did not answer` }
        : { text: JSON.stringify(prompt), isError: false },
    state: (name) => (open[name] === undefined ? "not connected" : "connected"),
    close: async (name) => void closed.push(name),
    leave: async () => {},
    closeAll: async () => {},
  };
  return { servers, closed };
}

/** The real ones in a folder of their own, with these set up; the servers are not real. */
export async function connected(
  configured: readonly Configured[],
  servers: McpServers = fakeServers().servers,
): Promise<Integrations> {
  const folder = mkdtempSync(join(tmpdir(), "assent-connected-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const secrets = openVolatileSecrets();
  for (const each of configured) {
    writePrivate(join(folder, "integrations", `${each.name}.json`), encodeIntegration(each));
    for (const key of each.secrets) secrets.put({ name: `${each.name}.${key}`, value: secret });
  }
  const all = openIntegrations({
    folders: { configured: join(folder, "integrations"), catalogue: join(folder, "catalogue") },
    ...{ secrets, write: writePrivate, remove: removeQuietly, log: () => {}, version: "0.0.0" },
    ...{ clock: systemClock, cwd: folder, verifyMs: 2_000 },
    servers: async () => servers,
  });
  // What is connected is known once something has been asked of it.
  await all.servers.leave("none");
  const server = configured[0];
  if (server !== undefined) await all.servers.open({ name: server.name, address: noAddress, sampling: false }, nobody);
  return all;
}

const noAddress = { type: "command", command: ["true"], env: {} } as const;
const nobody = {
  session: "s1",
  signal: new AbortController().signal,
  onProgress: () => {},
  ask: async () => ({ type: "unanswered", why: "nobody" }) as const,
};

/** Nothing is set up, and nothing can be. */
export function nothingConnected(): Integrations {
  return openIntegrations({
    folders: { configured: "/dev/null/integrations", catalogue: "/dev/null/catalogue" },
    ...{ secrets: openVolatileSecrets(), write: () => {}, remove: () => {}, log: () => {}, version: "0.0.0" },
    ...{ clock: systemClock, cwd: "/" },
    servers: async () => fakeServers().servers,
  });
}
