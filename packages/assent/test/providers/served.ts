import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from "node:net";
import { onTestFinished } from "vitest";
import type { Format, Reading, Sign } from "../../src/providers/format.ts";

/** A format of which a test can see everything: the data of an event says what it is. */
export const plainFormat: Format = {
  path: "/reply",
  headers: ({ key }) => (key === null ? {} : { authorization: `Bearer ${key}` }),
  encode: ({ request }) => JSON.stringify({ said: request.closing }),
  open() {
    let reading: Reading = {
      text: "",
      calls: [],
      usage: { input: 1, output: 2, cached: 0 },
      reasoning: null,
      refusal: false,
      filtered: false,
      cut: false,
      whole: false,
    };
    let ended = false;
    const change = (more: Partial<Reading>): Sign => {
      reading = { ...reading, ...more };
      return { type: "progress", text: more.text === undefined ? "" : "…" };
    };
    return {
      reading: () => reading,
      read({ name, data }) {
        if (name === "error") return { type: "error", error: { status: null, code: data, message: "in the stream" } };
        const [kind = "", rest = ""] = data.split(/:(.*)/s);
        switch (kind) {
          case "ping":
            return { type: "idle" };
          case "text":
            reading = { ...reading, text: reading.text + rest };
            return { type: "progress", text: rest };
          case "call": {
            const call = { id: rest, tool: "t", arguments: "{}" };
            return change({ calls: [...reading.calls, ended ? { ...call, flaw: "after the end" } : call] });
          }
          case "thought":
            return change({ reasoning: rest });
          case "cut":
          case "refusal":
          case "filtered":
          case "whole":
            return change({ [kind]: true });
          case "[DONE]":
            ended = true;
            return { type: "end" };
          default:
            return { type: "malformed", detail: `expected a known event, found ${data.slice(0, 20)}` };
        }
      },
    };
  },
};

export type Handler = (response: ServerResponse, request: IncomingMessage) => void;

export type Served = {
  readonly baseUrl: string;
  readonly connections: () => number;
  readonly requests: readonly { readonly headers: IncomingMessage["headers"]; readonly body: string }[];
};

/** A real server; each request is answered by the handler of its turn, the last one for all that follow. */
export async function serve(...handlers: readonly Handler[]): Promise<Served> {
  const requests: { headers: IncomingMessage["headers"]; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const part of request) body += part;
    requests.push({ headers: request.headers, body });
    handlers[Math.min(requests.length, handlers.length) - 1]?.(response, request);
  });
  let connections = 0;
  server.on("connection", () => connections++);
  return { baseUrl: await listen(server), connections: () => connections, requests };
}

/** A server below HTTP: it gets the bytes of each connection. */
export async function serveRaw(onSocket: (socket: Socket) => void): Promise<Served> {
  let connections = 0;
  const open = new Set<Socket>();
  const server = createTcpServer((socket) => {
    connections++;
    open.add(socket);
    socket.on("error", () => {});
    onSocket(socket);
  });
  const baseUrl = await listen(server);
  onTestFinished(() => {
    for (const socket of open) socket.destroy();
  });
  return { baseUrl, connections: () => connections, requests: [] };
}

async function listen(server: Server & { closeAllConnections?: () => void }): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections?.();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const eventStream = { "content-type": "text/event-stream; charset=utf-8" };

/** Answers with these events and closes the stream. */
export function events(...data: readonly string[]): (response: ServerResponse) => void {
  return (response) => void response.writeHead(200, eventStream).end(data.map((each) => `data: ${each}\n\n`).join(""));
}

/** Sends these events and leaves the stream open. */
export function open(...data: readonly string[]): (response: ServerResponse) => void {
  return (response) =>
    void response.writeHead(200, eventStream).write(data.map((each) => `data: ${each}\n\n`).join(""));
}

export function status(code: number, body: string, headers: Readonly<Record<string, string>> = {}) {
  return (response: ServerResponse) => void response.writeHead(code, headers).end(body);
}
