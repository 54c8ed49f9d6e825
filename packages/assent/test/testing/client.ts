import { once } from "node:events";
import { type ClientRequest, request } from "node:http";
import { onTestFinished } from "vitest";
import {
  type ModelServer,
  type ModelServerOptions,
  openModelServer,
  type ScriptEntry,
} from "../../src/testing/index.ts";
import { parseJson } from "../../src/wire/index.ts";

/** A server that is closed with its test. */
export async function open(
  script: readonly ScriptEntry[],
  options: Partial<ModelServerOptions> = {},
): Promise<ModelServer> {
  const server = await openModelServer({ script, ...options });
  onTestFinished(() => server.close());
  return server;
}

export const paths = {
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
  anthropic: "/v1/messages",
} as const;

export type Format = keyof typeof paths;

export const formats: readonly Format[] = ["openai-chat", "openai-responses", "anthropic"];

/** The least that each API takes. */
export const least = {
  "openai-chat": { model: "m", messages: [{ role: "user", content: "hello" }] },
  "openai-responses": { model: "m", input: [{ role: "user", content: "hello" }] },
  anthropic: { model: "m", max_tokens: 100, messages: [{ role: "user", content: "hello" }] },
} as const;

const version = { "anthropic-version": "2023-06-01" };

export function post(server: ModelServer, format: Format, body: object, init: RequestInit = {}): Promise<Response> {
  return fetch(`${server.url}${paths[format]}`, {
    method: "POST",
    body: JSON.stringify(body),
    ...init,
    headers: { "content-type": "application/json", ...(format === "anthropic" ? version : {}), ...init.headers },
  });
}

/** A streamed reply to the least request. */
export function ask(server: ModelServer, format: Format, more: object = {}, init: RequestInit = {}): Promise<Response> {
  return post(server, format, { ...least[format], stream: true, ...more }, init);
}

export type Event = { readonly name: string; readonly data: string };

/** The events of a stream, read by hand; comments are passed over. */
export function eventsIn(stream: string): readonly Event[] {
  return stream
    .split("\n\n")
    .slice(0, -1)
    .filter((block) => !block.startsWith(":"))
    .map((block) => ({
      name: /^event: (.*)$/m.exec(block)?.[1] ?? "",
      data: /^data: (.*)$/m.exec(block)?.[1] ?? "",
    }));
}

/** Any JSON, as a test looks into it. */
// biome-ignore lint/suspicious/noExplicitAny: what a server sends is compared as a whole
export function json(text: string): any {
  const parsed = parseJson(text);
  return parsed.type === "parsed" ? parsed.value : parsed;
}

type Came = { readonly text: string; readonly broke: boolean };

/** What came of a body before it broke off, and how it ended. */
export async function readAll(response: Response): Promise<Came> {
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const part of response.body ?? []) text += decoder.decode(part, { stream: true });
    return { text, broke: false };
  } catch {
    return { text, broke: true };
  }
}

/** The same by node:http, which gives out everything that came before a connection broke. */
export async function askByNode(server: ModelServer, format: Format, more: object = { stream: true }): Promise<Came> {
  const [response] = await once(sendByNode(server, format, more), "response");
  let text = "";
  response.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  return new Promise((resolve) => {
    response.on("end", () => resolve({ text, broke: false })).on("error", () => resolve({ text, broke: true }));
  });
}

export function sendByNode(server: ModelServer, format: Format, more: object): ClientRequest {
  const headers = { "content-type": "application/json", ...version };
  const sent = request(`${server.url}${paths[format]}`, { method: "POST", headers, agent: false });
  sent.on("error", () => undefined);
  return sent.end(JSON.stringify({ ...least[format], ...more }));
}
