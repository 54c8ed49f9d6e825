import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type {
  ApiAudit,
  ApiGrants,
  ApiInteraction,
  ApiSession,
  ApiSessionDetail,
  InteractionRequest,
  Role,
} from "../../src/assent.ts";

const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const types: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  js: "text/javascript",
  css: "text/css",
  svg: "image/svg+xml",
};

const noEvents: ApiAudit["chain"] = { events: 0, before: 0, head: null, breaks: [], more: 0 };

type Recorded = { readonly seq: number; readonly at: number; readonly session: string; readonly type: string };
type FakeSession = { detail: ApiSessionDetail; events: Recorded[] };
type Stream = { readonly session: string | null; readonly response: ServerResponse };
type Body = { readonly [name: string]: unknown };
export type Received = { readonly method: string; readonly path: string; readonly body: Body };

/** Speaks the HTTP API as the page knows it, without any agent: what happens is what a test says. It can go away and come back. */
export class FakeServer {
  readonly sessions = new Map<string, FakeSession>();
  readonly interactions = new Map<string, ApiInteraction>();
  readonly received: Received[] = [];
  grants: ApiGrants = { grants: [], damage: [] };
  audits = new Map<string, ApiAudit>();
  name = "ada";
  role: Role = "admin";
  /** Whether the cookie counts. */
  signedIn = true;
  /** What the next answers are answered with instead. */
  refusals: { status: number; error: Body }[] = [];
  /** How long an answer takes. */
  delayMs = 0;
  readonly #files: string;
  readonly #streams = new Set<Stream>();
  #server: Server | null = null;
  #port = 0;

  constructor(files: string) {
    this.#files = files;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async up(): Promise<void> {
    const server = createServer((request, response) => void this.#serve(request, response));
    await new Promise<void>((resolve) => server.listen(this.#port, "127.0.0.1", resolve));
    this.#port = (server.address() as AddressInfo).port;
    this.#server = server;
  }

  async down(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    await new Promise<void>((resolve) => {
      server?.close(() => resolve());
      server?.closeAllConnections();
    });
  }

  session(id: string, change: Partial<ApiSessionDetail> = {}): void {
    const now = Date.now();
    const detail: ApiSessionDetail = {
      session: id,
      name: null,
      cwd: "/home/ada/shop",
      status: "active",
      created: now - 60_000,
      changed: now,
      events: 0,
      prompt: null,
      outcome: null,
      open: false,
      interaction: null,
      holder: null,
      model: "scripted:demo",
      limits: { turns: 25, iterations: 25 },
      turns: 0,
      usage: { input: 0, output: 0, cached: 0 },
      exchange: null,
      waiting: [],
      grants: [],
      ...change,
    };
    this.sessions.set(id, { detail, events: [] });
  }

  change(id: string, change: Partial<ApiSessionDetail>): void {
    const session = this.#of(id);
    session.detail = { ...session.detail, ...change, changed: Date.now() };
    this.#send({ session: null, text: `event: session\ndata: ${JSON.stringify(summary(session.detail))}\n\n` });
  }

  record(id: string, type: string, data: Body = {}): void {
    const session = this.#of(id);
    const event = { seq: session.events.length + 1, at: Date.now(), session: id, type, v: 1, ...data };
    session.events.push(event);
    session.detail = { ...session.detail, events: event.seq };
    this.#send({ session: id, text: line(event) });
  }

  live(id: string, live: Body): void {
    this.#send({ session: id, text: `event: live\ndata: ${JSON.stringify(live)}\n\n` });
  }

  ask(id: string, given: Partial<InteractionRequest> & { interaction_id: string }, at: number = Date.now()): void {
    const request: InteractionRequest = {
      kind: "question",
      question: "Which environment?",
      options: [
        { id: "1", label: "Staging" },
        { id: "2", label: "Production" },
      ],
      allow_free_text: true,
      allow_cancel: true,
      ...given,
    };
    const { name, cwd } = this.#of(id).detail;
    this.interactions.set(request.interaction_id, {
      session: id,
      session_name: name,
      cwd,
      at,
      state: "open",
      request,
      attempts: 0,
    });
    this.record(id, "interaction.requested", { request, purpose: { type: "final-text" } });
    this.change(id, { interaction: request.interaction_id });
  }

  resolve(id: string, resolution: NonNullable<ApiInteraction["resolution"]>): void {
    const interaction = this.interactions.get(id);
    if (interaction === undefined) throw new Error(`no interaction ${id}`);
    const state = resolution.state as ApiInteraction["state"];
    this.interactions.set(id, { ...interaction, state, resolution });
    const { at: _at, ...told } = resolution;
    this.record(interaction.session, "interaction.resolved", { interaction: id, shown: null, ...told });
    this.change(interaction.session, { interaction: null });
  }

  /** The answers that came, as they were sent. */
  answers(): readonly Body[] {
    return this.received.filter(({ path }) => path.endsWith("/response")).map(({ body }) => body);
  }

  #of(id: string): FakeSession {
    const session = this.sessions.get(id);
    if (session === undefined) throw new Error(`no session ${id}`);
    return session;
  }

  #send({ session, text }: { session: string | null; text: string }): void {
    for (const stream of this.#streams) if (stream.session === session) stream.response.write(text);
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let given = "";
    for await (const part of request) given += part;
    const url = new URL(request.url ?? "/", this.url);
    const method = request.method ?? "GET";
    const body: Body = given === "" ? {} : JSON.parse(given);
    if (!url.pathname.startsWith("/v1/")) {
      this.#file(url.pathname, response);
      return;
    }
    this.received.push({ method, path: url.pathname, body });
    if (method === "POST" && this.delayMs > 0) await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    if (url.pathname === "/v1/login") {
      this.signedIn = body["token"] === "good" || body["ticket"] === "once";
      if (this.signedIn) json(response, 200, { name: this.name, role: this.role });
      else refuse(response, 401, "not_authorized");
      return;
    }
    if (!this.signedIn) {
      refuse(response, 401, "not_authorized");
      return;
    }
    const refusal = method === "POST" ? this.refusals.shift() : undefined;
    if (refusal !== undefined) {
      json(response, refusal.status, { error: refusal.error });
      return;
    }
    this.#answer({ method, url, body, request, response });
  }

  #answer(call: Call): void {
    const { method, url, response } = call;
    const [, , what = "", id = "", part = ""] = url.pathname.split("/").map(decodeURIComponent);
    switch (`${method} ${what}${id === "" ? "" : "/:id"}${part === "" ? "" : `/${part}`}`) {
      case "GET me":
        json(response, 200, { name: this.name, role: this.role });
        return;
      case "POST logout":
        this.signedIn = false;
        json(response, 200, {});
        return;
      case "GET changes":
        this.#stream(null, response);
        return;
      case "GET interactions":
        this.#list(url, response);
        return;
      case "GET interactions/:id":
        found(response, this.interactions.get(id));
        return;
      case "POST interactions/:id/response":
        this.#respond(id, call.body, response);
        return;
      case "GET grants":
        json(response, 200, this.grants);
        return;
      case "DELETE grants/:id":
        this.grants = { ...this.grants, grants: this.grants.grants.filter((grant) => grant.id !== id) };
        json(response, 200, {});
        return;
      default:
        this.#session(call, { what, id, part });
        return;
    }
  }

  #session(
    { method, url, body, request, response }: Call,
    { what, id, part }: { what: string; id: string; part: string },
  ): void {
    if (what !== "sessions") {
      refuse(response, 404, "unknown");
      return;
    }
    if (id === "" && method === "GET") {
      this.#sessions(url, response);
      return;
    }
    if (id === "") {
      this.session("new1", { prompt: String(body["prompt"]), cwd: String(body["cwd"] ?? "/") });
      json(response, 200, { session: "new1" });
      return;
    }
    const session = this.sessions.get(id);
    if (session === undefined) {
      refuse(response, 404, "unknown_session");
      return;
    }
    switch (`${method} ${part}`) {
      case "GET ":
        json(response, 200, session.detail);
        return;
      case "GET audit":
        json(response, 200, this.audits.get(id) ?? { session: id, records: [], chain: noEvents });
        return;
      case "GET events":
        this.#events(session, url, { request, response });
        return;
      default:
        json(response, 200, { accepted: true, seq: session.events.length });
        return;
    }
  }

  #events({ events, detail }: FakeSession, url: URL, { request, response }: Pick<Call, "request" | "response">): void {
    const after = Number(request.headers["last-event-id"] ?? url.searchParams.get("after") ?? 0);
    if (request.headers.accept !== "text/event-stream") {
      const limit = Number(url.searchParams.get("limit") ?? 100);
      json(response, 200, { events: events.slice(after, after + limit), newest: events.length });
      return;
    }
    this.#stream(detail.session, response);
    for (const event of events.slice(after)) response.write(line(event));
    response.write(`event: caught-up\ndata: {"seq":${events.length}}\n\n`);
  }

  #list(url: URL, response: ServerResponse): void {
    const open = [...this.interactions.values()].filter(({ state }) => state === "open").sort((a, b) => a.at - b.at);
    const offset = Number(url.searchParams.get("offset") ?? 0);
    json(response, 200, { interactions: open.slice(offset, offset + 100), total: open.length, damage: [] });
  }

  #sessions(url: URL, response: ServerResponse): void {
    const all = [...this.sessions.values()].map(({ detail }) => summary(detail)).sort((a, b) => b.changed - a.changed);
    const offset = Number(url.searchParams.get("offset") ?? 0);
    const limit = Number(url.searchParams.get("limit") ?? 100);
    json(response, 200, { sessions: all.slice(offset, offset + limit), total: all.length, damage: [] });
  }

  #respond(id: string, body: Body, response: ServerResponse): void {
    const interaction = this.interactions.get(id);
    if (interaction === undefined) {
      refuse(response, 404, "unknown_interaction");
      return;
    }
    if (interaction.state !== "open") {
      const winner = interaction.resolution;
      if (winner?.response?.answer_id === body["answer_id"])
        json(response, 200, { accepted: true, replayed: true, seq: 1 });
      else json(response, 409, { error: { code: "already_resolved", detail: "it is answered", winner } });
      return;
    }
    const { answer_id, selected_option_id, selected_option_ids, free_text, cancelled } = body as unknown as Answered;
    const given = { answer_id, selected_option_id, selected_option_ids, free_text };
    this.resolve(id, {
      state: cancelled ? "cancelled" : "answered",
      at: Date.now(),
      by: { name: "ada", adapter: "page" },
      response: JSON.parse(JSON.stringify({ interaction_id: id, cancelled, ...given })),
    });
    json(response, 200, { accepted: true, replayed: false, seq: 1 });
  }

  #stream(session: string | null, response: ServerResponse): void {
    response.writeHead(200, { "content-type": "text/event-stream", "cache-control": "no-store" });
    response.flushHeaders();
    const stream = { session, response };
    this.#streams.add(stream);
    response.on("close", () => this.#streams.delete(stream));
  }

  #file(path: string, response: ServerResponse): void {
    const name = path === "/" ? "/index.html" : path;
    try {
      const content = readFileSync(join(this.#files, name));
      const type = types[name.split(".").at(-1) ?? ""] ?? "application/octet-stream";
      response.writeHead(200, { "content-type": type, "content-security-policy": policy }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  }
}

type Call = {
  readonly method: string;
  readonly url: URL;
  readonly body: Body;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
};
type Answered = {
  readonly answer_id: string;
  readonly selected_option_id?: string;
  readonly selected_option_ids?: readonly string[];
  readonly free_text?: string;
  readonly cancelled: boolean;
};

function summary(detail: ApiSessionDetail): ApiSession {
  const { model, limits, turns, usage, exchange, waiting, grants, ...rest } = detail;
  return rest;
}

function line(event: Recorded): string {
  return `id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`;
}

function json(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(JSON.stringify(value));
}

function found(response: ServerResponse, value: unknown): void {
  if (value === undefined) refuse(response, 404, "unknown_interaction");
  else json(response, 200, value);
}

function refuse(response: ServerResponse, status: number, code: string): void {
  json(response, status, { error: { code, detail: `refused: ${code}` } });
}
