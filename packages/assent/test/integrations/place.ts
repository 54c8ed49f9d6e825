import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { FlowState } from "../../src/core/index.ts";
import {
  type CatalogueEntry,
  type Configured,
  type Integrations,
  type McpServers,
  type McpWatch,
  openIntegrations,
} from "../../src/integrations/index.ts";
import { openSecrets, removeQuietly, writePrivate } from "../../src/runtime/index.ts";

export const planted = "planted-secret-0123456789";
export const at = "2026-01-02T03:04:05.000Z";

/** As a person writes it: a service that the code knows nothing of. */
export const acme = {
  name: "acme",
  title: "Acme",
  aliases: ["ac"],
  about: "Anvils.",
  fields: [
    {
      key: "token",
      question: "What is its API token?",
      secret: true,
      pattern: "\\S{8,}",
      expected: "8 characters",
      find: "its page",
    },
    { key: "url", question: "At which address is it?", usual: "https://acme.example" },
    { key: "team", question: "Which team is it?", optional: true },
  ],
  verify: {
    url: "{url}/check",
    headers: { authorization: "Bearer {token}" },
    expect: { status: [200], contains: "ok" },
  },
  tools: {
    type: "http",
    headers: { authorization: "Bearer {token}", "x-team": "{team}" },
    tools: [
      {
        name: "anvils",
        description: "Finds anvils.",
        url: "{url}/anvils/{kind}?search={search}&team={team}",
        parameters: { kind: { description: "which" }, search: { description: "what", optional: true } },
      },
    ],
  },
};

export type Home = {
  readonly folder: string;
  readonly integrations: Integrations;
  readonly logged: string[];
  /** Writes a file of the catalogue. */
  add(name: string, content: unknown): void;
  entry(name: string): CatalogueEntry;
  /** Sets it up as the tool does, from what a person typed. */
  setUp(service: string, typed: Readonly<Record<string, string>>): Promise<Configured | { readonly failed: string }>;
};

export function openHome(servers?: Partial<McpServers>): Home {
  const folder = mkdtempSync(join(tmpdir(), "assent-integrations-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const logged: string[] = [];
  const integrations = openIntegrations({
    folders: { configured: join(folder, "integrations"), catalogue: join(folder, "catalogue") },
    secrets: openSecrets(join(folder, "integrations", "secrets")),
    write: writePrivate,
    remove: removeQuietly,
    log: (name, text) => void logged.push(`${name} ${text}`),
    version: "1",
    cwd: folder,
    clock: { now: () => Date.parse(at), after: () => () => undefined },
    verifyMs: 1_500,
    servers: async () => ({ ...noServers, ...servers }),
  });
  const entry = (name: string): CatalogueEntry => {
    const found = integrations.catalogue.find(name);
    if (found === null) throw new Error(`no ${name}: ${integrations.problems().join("; ")}`);
    return found;
  };
  return {
    folder,
    integrations,
    logged,
    entry,
    add(name, content) {
      mkdirSync(join(folder, "catalogue"), { recursive: true });
      const text = typeof content === "string" ? content : JSON.stringify(content);
      writeFileSync(join(folder, "catalogue", `${name}.json`), text);
    },
    async setUp(service, typed) {
      const found = entry(service);
      const flow = integrations.setUpFlow(found, {}) ?? { steps: [] };
      const given = integrations.given(found, {}, { flow, state: answersOf(found, typed) });
      return "failed" in given ? given : integrations.save(given, (name) => typed[name.slice("kept/".length)] ?? null);
    },
  };
}

/** A secret is kept under a name, the rest is there; what is not typed is left open. */
function answersOf({ fields, named }: CatalogueEntry, typed: Readonly<Record<string, string>>): FlowState {
  const keys = [...(named ? [{ key: "name", secret: false }] : []), ...fields];
  return {
    choosing: false,
    answers: keys.map(({ key, secret }) => {
      if (secret) return { key, answer: { type: "set", secret: `kept/${key}` } };
      const text = typed[key];
      if (text === undefined) return { key, answer: { type: "selected", options: ["usual"] } };
      return { key, answer: { type: "free-text", text } };
    }),
  };
}

const noServers: McpServers = {
  open: async () => ({ failed: "none" }),
  call: async () => ({ failed: "none" }),
  read: async () => ({ failed: "none" }),
  prompt: async () => ({ failed: "none" }),
  offers: () => null,
  state: () => "not connected",
  close: async () => undefined,
  leave: async () => undefined,
  closeAll: async () => undefined,
};

export function watch(signal = new AbortController().signal): McpWatch {
  return {
    session: "s",
    signal,
    onProgress: () => undefined,
    ask: async () => ({ type: "unanswered", why: "nobody" }),
  };
}

export type Served = { readonly url: string; readonly requests: IncomingMessage[]; close(): void };

/** A service on this machine that answers as a test says. */
export async function serve(answer: (request: IncomingMessage, response: ServerResponse) => void): Promise<Served> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    answer(request, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests, close };
}
