import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A server whose every answer the test gives itself; it can go away and come back on the same port. */
export type TestServer = {
  readonly url: string;
  readonly seen: { method: string; path: string; headers: IncomingMessage["headers"]; body: string }[];
  /** Breaks every connection and listens no more. */
  down(): Promise<void>;
  up(): Promise<void>;
};

export type Answering = (request: IncomingMessage, response: ServerResponse, body: string) => void;

export async function testServer(answering: Answering): Promise<TestServer> {
  const seen: TestServer["seen"] = [];
  let server: Server;
  let port = 0;
  const up = async (): Promise<void> => {
    server = createServer(async (request, response) => {
      let body = "";
      for await (const part of request) body += part;
      seen.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body });
      answering(request, response, body);
    });
    await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  };
  const down = (): Promise<void> =>
    new Promise((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await up();
  return { url: `http://127.0.0.1:${port}`, seen, down, up };
}

export function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(value));
}

export function stream(response: ServerResponse): ServerResponse {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.flushHeaders();
  return response;
}

/** One recorded event as it stands on the wire. */
export function line(seq: number): string {
  const record = { seq, at: seq, session: "s1", type: "turn.closed", v: 1, turn: seq, counted: true };
  return `id: ${seq}\ndata: ${JSON.stringify(record)}\n\n`;
}
