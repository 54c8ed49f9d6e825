import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { expect, onTestFinished, test } from "vitest";
import type { Flow } from "../../../src/core/index.ts";
import { openMcpServers } from "../../../src/integrations/mcp/servers.ts";
import type { FormEnd, McpWatch } from "../../../src/integrations/types.ts";
import { systemClock } from "../../../src/runtime/index.ts";
import { verifies } from "../../requirements/verifies.ts";

type Message = { readonly id?: number | string; readonly method: string; readonly params: Record<string, unknown> };
type Answer = (message: Message, request: IncomingMessage) => object | null;

/** A server of the newer revision, which has no sessions: each message is a request of its own. */
async function serve(answer: Answer) {
  const seen: string[] = [];
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (request.method !== "POST") return void response.writeHead(405).end();
    const message: Message = JSON.parse(Buffer.concat(chunks).toString());
    seen.push(message.method);
    const result = answer(message, request);
    if (message.id === undefined) return void response.writeHead(202).end();
    if (result === null) return void response.destroy();
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify({ jsonrpc: "2.0", id: message.id, result: { resultType: "complete", ...result } }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { seen, server, url: `http://127.0.0.1:${port}/mcp` };
}

const discovered = {
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {} },
  ttlMs: 0,
  cacheScope: "private",
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "newer", version: "2.0" } },
};
const inputSchema = { type: "object", properties: { id: { type: "string", "x-mcp-header": "Id" } } };

function newer({ method, params }: Message, request: IncomingMessage): object {
  if (method === "server/discover") return discovered;
  if (method === "tools/list") {
    return { tools: [{ name: "greet", inputSchema }], ttlMs: 0, cacheScope: "private" };
  }
  const name = (params["inputResponses"] as { name?: { content?: { name?: string } } } | undefined)?.name;
  if (name === undefined) {
    const requestedSchema = { type: "object", properties: { name: { type: "string" } }, required: ["name"] };
    const asked = { method: "elicitation/create", params: { mode: "form", message: "Who?", requestedSchema } };
    return { resultType: "input_required", inputRequests: { name: asked }, requestState: "state" };
  }
  return { content: [{ type: "text", text: `Hello ${name.content?.name}, ${request.headers["mcp-param-id"]}` }] };
}

function watch(more: Partial<McpWatch> = {}): McpWatch {
  const ask = async (): Promise<FormEnd> => ({ type: "unanswered", why: "nobody" });
  return { session: "s", signal: new AbortController().signal, onProgress: () => undefined, ask, ...more };
}

function open(limits = {}) {
  const servers = openMcpServers({ log: () => undefined, clock: systemClock, version: "0.1.0", cwd: tmpdir(), limits });
  onTestFinished(() => servers.closeAll());
  return servers;
}

const at = (url: string) => ({ name: "newer", address: { type: "url", url, headers: {} }, sampling: false }) as const;

verifies(
  "BRG-1b",
  "a server of the newer revision is spoken to in its way, also when it wants to know something",
  async () => {
    const { url, seen } = await serve(newer);
    const servers = open();
    expect(servers.state("newer")).toBe("not connected");
    const offers = await servers.open(at(url), watch());
    expect(offers).toMatchObject({
      title: "newer",
      version: "2.0",
      protocol: "2026-07-28",
      tools: [{ offered: "newer__greet" }],
    });
    const asked: Flow[] = [];
    const ask = async (flow: Flow): Promise<FormEnd> => {
      asked.push(flow);
      return { type: "filled", answers: { name: { text: "Ada" } } };
    };
    const greet = { tool: "greet", arguments: { id: "seven" } };
    expect(await servers.call(at(url), greet, watch({ ask }))).toEqual({ text: "Hello Ada, seven", isError: false });
    expect(asked.map(({ steps }) => steps.map(({ question }) => question))).toEqual([["What does newer get as name?"]]);
    expect(seen).toEqual(["server/discover", "tools/list", "tools/call", "tools/call"]);
    expect(servers.state("newer")).toBe("connected");
  },
);

test("a tool that was accepted otherwise, or is not there, is not called", async () => {
  const { url, seen } = await serve(newer);
  const servers = open();
  const call = (tool: string, digest: string) => servers.call(at(url), { tool, digest, arguments: {} }, watch());
  expect(await call("greet", "other")).toEqual({
    failed: "newer has changed what it says of greet since it was accepted: it was not called",
  });
  expect(await call("gone", "other")).toEqual({ failed: "newer does not offer gone" });
  expect(seen).toEqual(["server/discover", "tools/list"]);
});

test("a server that is not there is tried again at once, then later, and says when", async () => {
  const { url, server } = await serve(newer);
  server.close();
  await once(server, "close");
  const servers = open({ backOffMs: 60_000 });
  const refused = "newer could not be reached: the connection was refused";
  expect(await servers.open(at(url), watch())).toEqual({ failed: refused });
  expect(servers.state("newer")).toBe("stopped");
  expect(await servers.open(at(url), watch())).toEqual({ failed: refused });
  expect(await servers.open(at(url), watch())).toEqual({ failed: `${refused}; it is tried again in 60 s` });
  expect(servers.state("newer")).toBe("stopped; tried again in 60 s");
  await servers.close("newer");
  expect(await servers.open(at(url), watch())).toEqual({ failed: refused });
});

test("a call whose connection is cut fails, and the next one connects again", async () => {
  let cuts = 1;
  const { url } = await serve((message, request) => {
    if (message.method !== "tools/call") return newer(message, request);
    cuts -= 1;
    return cuts === 0 ? null : { content: [{ type: "text", text: "here" }] };
  });
  const servers = open();
  const call = () => servers.call(at(url), { tool: "greet", arguments: {} }, watch());
  expect(await call()).toEqual({ failed: "newer could not be reached: the connection was cut" });
  expect(servers.state("newer")).toBe("stopped");
  expect(await call()).toEqual({ text: "here", isError: false });
});

test("what is stopped while it connects does not stop it for others; the last session that leaves closes it", async () => {
  const { url } = await serve(newer);
  const servers = open();
  const controller = new AbortController();
  const stopped = servers.open(at(url), watch({ session: "a", signal: controller.signal }));
  const other = servers.open(at(url), watch({ session: "b" }));
  controller.abort();
  expect(await stopped).toEqual({ failed: "newer was not waited for any longer" });
  expect(await other).toMatchObject({ protocol: "2026-07-28" });
  await servers.leave("a");
  expect(servers.state("newer")).toBe("connected");
  await servers.leave("b");
  expect([servers.state("newer"), servers.offers("newer")]).toEqual(["not connected", null]);
});
