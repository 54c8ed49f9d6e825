import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { asJson, isLooseRecord, looseRecord, looseText, parseJson } from "../../wire/index.ts";
import { type Answer, answerOf, errorAnswer, jsonAnswer } from "./answer.ts";
import { madeAt, type ServerFormat } from "./format.ts";
import { completions } from "./formats/completions.ts";
import { messages } from "./formats/messages.ts";
import { responses } from "./formats/responses.ts";
import { perform } from "./perform.ts";
import { hasKey, maskHeaders, type RecordedRequest } from "./record.ts";
import type { ScriptEntry } from "./script.ts";

/** What a server is opened with; each has a default. */
export type ModelServerOptions = {
  /** The n-th model request gets the n-th entry, after the last the one that repeats, else the text `done`. */
  readonly script: readonly ScriptEntry[];
  /** Any free one unless given. */
  readonly port?: number;
  /** Where it is given, a request without it is answered 401. */
  readonly key?: string;
  /** The ids that `GET /v1/models` names; `scripted` unless given. */
  readonly models?: readonly string[];
  /** `false`: a request that the API would refuse is recorded with its problems and gets its entry all the same. */
  readonly strict?: boolean;
  /** Told of each request when it has come. */
  readonly onRequest?: (request: RecordedRequest) => void;
};

/** A server that runs. */
export type ModelServer = {
  /** `http://127.0.0.1:<port>`; the paths of the APIs begin with `/v1` behind it. */
  readonly url: string;
  /** Grows while requests come. */
  readonly requests: readonly RecordedRequest[];
  /** The first so many model requests, once they have come; rejects when the server closes before. */
  waitFor(count: number): Promise<readonly RecordedRequest[]>;
  /** Ends every connection and frees the port. */
  close(): Promise<void>;
};

const formats: readonly ServerFormat[] = [completions, responses, messages];

/** A server on this machine that speaks the APIs of models and plays a script. */
export async function openModelServer(options: ModelServerOptions): Promise<ModelServer> {
  const desk = openDesk(options);
  const server = createServer((request, response) => void serve(request, response, desk));
  server.listen(options.port ?? 0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${portOf(server)}`,
    requests: desk.requests,
    waitFor: desk.waitFor,
    async close() {
      desk.close();
      if (!server.listening) return;
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}

/** Where requests are written down, and where one asks whether they have come. */
type Desk = {
  readonly options: ModelServerOptions;
  readonly requests: readonly RecordedRequest[];
  take(request: Mutable): void;
  waitFor(count: number): Promise<readonly RecordedRequest[]>;
  close(): void;
};

type Mutable = { -readonly [Name in keyof RecordedRequest]: RecordedRequest[Name] };

type Waiter = { readonly count: number; readonly resolve: () => void; readonly reject: (error: Error) => void };

function openDesk(options: ModelServerOptions): Desk {
  const requests: RecordedRequest[] = [];
  let waiters: readonly Waiter[] = [];
  let closed = false;
  const modelRequests = () => requests.filter(({ entry }) => entry !== null);
  return {
    options,
    requests,
    take(request) {
      request.number = requests.length + 1;
      if (request.format !== null) request.entry = modelRequests().length + 1;
      requests.push(request);
      const { length } = modelRequests();
      const done = waiters.filter(({ count }) => count <= length);
      waiters = waiters.filter(({ count }) => count > length);
      for (const { resolve } of done) resolve();
      options.onRequest?.(request);
    },
    async waitFor(count) {
      if (modelRequests().length < count) {
        if (closed) throw closedTooEarly(count, modelRequests().length);
        const { promise, resolve, reject } = Promise.withResolvers<void>();
        waiters = [...waiters, { count, resolve, reject }];
        await promise;
      }
      return modelRequests().slice(0, count);
    },
    close() {
      closed = true;
      for (const { count, reject } of waiters) reject(closedTooEarly(count, modelRequests().length));
      waiters = [];
    },
  };
}

function closedTooEarly(expected: number, came: number): Error {
  return new Error(`the model server has closed: expected ${expected} model requests, ${came} came`);
}

async function serve(request: IncomingMessage, response: ServerResponse, desk: Desk): Promise<void> {
  // A client that leaves is no error of the server.
  request.on("error", () => undefined);
  response.on("error", () => undefined);
  const body = await bodyOf(request);
  if (body === null) return;
  const record = recordOf(request, body, desk.options);
  response.once("close", () => {
    record.state = response.writableFinished ? "answered" : "left";
  });
  desk.take(record);
  await perform(chooseAnswer(request, record, desk.options), response);
}

/** `null` when the client has gone before it was whole. */
async function bodyOf(request: IncomingMessage): Promise<string | null> {
  const parts: Buffer[] = [];
  try {
    for await (const part of request) parts.push(Buffer.from(part));
  } catch {
    return null;
  }
  return Buffer.concat(parts).toString("utf8");
}

function recordOf(request: IncomingMessage, body: string, options: ModelServerOptions): Mutable {
  const { method = "", url = "" } = request;
  const format = formatOf(method, url);
  const headers = maskHeaders(request.headers, options.key ?? null);
  const parsed = parseJson(body);
  const json = parsed.type === "parsed" ? asJson(parsed.value) : null;
  const problems = format === null ? [] : problemsOf(format, json, headers);
  const known = { method, path: url, headers, body, json, format: format?.name ?? null, problems };
  return { number: 0, entry: null, ...known, state: "open" };
}

function problemsOf(format: ServerFormat, json: unknown, headers: Readonly<Record<string, string>>): readonly string[] {
  const type = headers["content-type"] ?? "";
  const untold = type.includes("application/json") ? [] : [`content-type: expected application/json, found ${type}`];
  if (!isLooseRecord(json)) return [...untold, "body: expected a JSON object"];
  return [...untold, ...format.check(json, headers)];
}

function formatOf(method: string, url: string): ServerFormat | null {
  return formats.find(({ path }) => method === "POST" && pathOf(url) === path) ?? null;
}

function pathOf(url: string): string {
  return url.replace(/\?.*$/, "");
}

function chooseAnswer(request: IncomingMessage, record: RecordedRequest, options: ModelServerOptions): Answer {
  const { method = "", url = "" } = request;
  const format = formatOf(method, url);
  const speaks = format ?? ("anthropic-version" in record.headers ? messages : completions);
  if (options.key !== undefined && !hasKey(request.headers, options.key)) {
    return errorAnswer(speaks, 401, "the key is wrong or missing");
  }
  if (method === "GET" && pathOf(url) === "/v1/models") return jsonAnswer(200, modelList(speaks, options));
  if (format === null || record.entry === null) return errorAnswer(speaks, 404, `there is no ${method} ${url}`);
  const [problem] = record.problems;
  if (problem !== undefined && options.strict !== false) return errorAnswer(format, 400, problem);
  const body = looseRecord(record.json);
  const asked = { number: record.entry, model: looseText(body["model"]), body };
  return answerOf(entryFor(record.entry, options.script), format, asked);
}

function entryFor(number: number, script: readonly ScriptEntry[]): ScriptEntry {
  return script[number - 1] ?? script.findLast(({ repeat }) => repeat === true) ?? { text: "done" };
}

function modelList({ name }: ServerFormat, { models = ["scripted"] }: ModelServerOptions): unknown {
  if (name !== "anthropic") {
    const data = models.map((id) => ({ id, object: "model", created: madeAt, owned_by: "assent" }));
    return { object: "list", data };
  }
  const created_at = "2023-11-14T22:13:20Z";
  const data = models.map((id) => ({ type: "model", id, display_name: id, created_at }));
  return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
}
