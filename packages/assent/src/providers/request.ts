import {
  Agent,
  type ClientRequest,
  globalAgent,
  type IncomingMessage,
  request as overHttp,
  type RequestOptions,
} from "node:http";
import type { Socket } from "node:net";
import { urlToHttpOptions } from "node:url";
import { codeOf, looseRecord, messageOf } from "../wire/index.ts";
import { readErrorBody } from "./error-body.ts";
import type { Fault } from "./errors.ts";
import type { Sign, StreamEvent } from "./format.ts";
import { mostErrorBody, openEventStream, unexpectedBody } from "./stream.ts";

export type Times = {
  /** Until the socket is connected, encryption and all. */
  readonly connectMs: number;
  /** From the request being sent until something of the reply comes. */
  readonly firstEventMs: number;
  /** Between two events that bring something of the reply: bytes, comments and pings are none. */
  readonly idleMs: number;
};

/** Whom requests are for. */
export type Recipient = {
  readonly isSecure: boolean;
  /** Host and port. */
  readonly place: string;
  /** The same as Node wants it: to take a URL apart for each request costs a part of each. */
  readonly options: RequestOptions;
};

export function recipientAt(url: URL): Recipient {
  return { isSecure: url.protocol === "https:", place: url.host, options: urlToHttpOptions(url) };
}

export type Outgoing = {
  readonly to: Recipient;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly times: Times;
  readonly signal: AbortSignal;
  readonly read: (event: StreamEvent) => Sign;
  readonly onText: (text: string) => void;
  /** All of it has been handed to the system. */
  readonly onSent: () => void;
};

export type Ended =
  /** The reader has said so. */
  | { readonly type: "whole" }
  /** Nothing more will come; whether it was whole the reader knows. */
  | { readonly type: "closed"; readonly message: string }
  | { readonly type: "fault"; readonly fault: Fault }
  | { readonly type: "abandoned" };

/** Sends requests and keeps connections for the next ones. Rejects only when a callback throws. */
export type Transport = { send(outgoing: Outgoing): Promise<Ended> };

/** One kind of connection: an agent and what makes requests by it. */
type Line = { readonly agent: Agent; readonly request: typeof overHttp };

/** A kept socket on which nothing came back was closed by the server meanwhile: that is no failure of the request. */
type Attempted = Ended | { readonly type: "stale"; readonly fault: Fault };

/** How long a server may take to close a stream whose reply is whole, before it is dropped. */
const lingerMs = 250;
/** The words of an error that is already known are not worth more. */
const errorBodyMs = 5_000;
/** A connection is kept while tools run between two requests. */
const keptMs = 60_000;

export function openTransport(): Transport {
  const lines = new Map<boolean, Promise<Line>>();
  return {
    async send(outgoing) {
      const { isSecure } = outgoing.to;
      const opening = lines.get(isSecure) ?? openLine(isSecure);
      lines.set(isSecure, opening);
      const line = await opening;
      const ended = await attempt(line, outgoing);
      if (ended.type !== "stale") return ended;
      dropIdle(line.agent);
      const again = await attempt(line, outgoing);
      return again.type === "stale" ? { type: "fault", fault: again.fault } : again;
    },
  };
}

async function openLine(isSecure: boolean): Promise<Line> {
  // An agent of our own knows of no proxy; what Node has decided for its own one counts here too.
  const proxied = looseRecord(looseRecord(globalAgent)["options"])["proxyEnv"] !== undefined;
  const options = { keepAlive: true, timeout: keptMs, proxyEnv: proxied ? process.env : undefined };
  if (!isSecure) return { agent: new Agent(options), request: overHttp };
  const secure = await import("node:https");
  return { agent: new secure.Agent(options), request: secure.request };
}

function dropIdle(agent: Agent): void {
  for (const sockets of Object.values(agent.freeSockets)) for (const socket of sockets ?? []) socket.destroy();
}

async function attempt(line: Line, outgoing: Outgoing): Promise<Attempted> {
  const { to, headers, body, signal } = outgoing;
  if (signal.aborted) return { type: "abandoned" };
  const bytes = Buffer.from(body);
  const complete = {
    // JSON goes there, and events come back.
    ...{ "content-type": "application/json", accept: "text/event-stream" },
    ...headers,
    "accept-encoding": "identity",
    "content-length": bytes.length,
  };
  try {
    const request = line.request({ ...to.options, method: "POST", agent: line.agent, headers: complete });
    const { promise } = new Attempt(request, outgoing);
    request.end(bytes);
    return await promise;
  } catch (error) {
    // A header with a line break in it, and the like: Node says so before anything is sent.
    if (!/^ERR_(?:INVALID|UNESCAPED)/.test(codeOf(error) ?? "")) throw error;
    return { type: "fault", fault: { type: "unsendable", message: messageOf(error) } };
  }
}

/** One request until it has ended, which it does once; then there is no timer and no listener of it any more. */
class Attempt {
  readonly promise: Promise<Attempted>;
  readonly #resolve: (attempted: Attempted) => void;
  readonly #reject: (error: unknown) => void;
  readonly #request: ClientRequest;
  readonly #outgoing: Outgoing;
  readonly #abandon = () => this.#drop({ type: "abandoned" });
  #timer: NodeJS.Timeout | undefined;
  #phase: "connecting" | "sent" | "answered" | "whole" | "over" = "connecting";
  #streaming = false;
  #socket: Socket | null = null;
  #receivedBefore = 0;

  constructor(request: ClientRequest, outgoing: Outgoing) {
    const { promise, resolve, reject } = Promise.withResolvers<Attempted>();
    this.promise = promise;
    this.#resolve = resolve;
    this.#reject = reject;
    this.#request = request;
    this.#outgoing = outgoing;
    outgoing.signal.addEventListener("abort", this.#abandon);
    this.#expect("connection", outgoing.times.connectMs);
    request.on("socket", (socket) => this.#onSocket(socket));
    request.on("finish", () => this.#onSent());
    request.on("response", (response) => this.#guarded(() => this.#onResponse(response)));
    request.on("error", (error) => this.#onError(error));
    // A connection may also go without an error, as at a change of protocol that nobody asked for.
    request.on("close", () => this.#onError(new Error("closed")));
  }

  #onSocket(socket: Socket): void {
    this.#socket = socket;
    this.#receivedBefore = socket.bytesRead;
    const securing = looseRecord(socket)["secureConnecting"] === true;
    if (this.#request.reusedSocket || !(socket.connecting || securing)) this.#onConnected();
    else socket.once(this.#outgoing.to.isSecure ? "secureConnect" : "connect", () => this.#onConnected());
  }

  #onConnected(): void {
    if (this.#phase !== "connecting") return;
    this.#phase = "sent";
    this.#expect("first event", this.#outgoing.times.firstEventMs);
  }

  /** A server that does not take the request is waited for no longer than one that does not answer it. */
  #onSent(): void {
    this.#guarded(this.#outgoing.onSent);
    if (this.#phase === "sent") this.#expect("first event", this.#outgoing.times.firstEventMs);
  }

  #onError(error: Error): void {
    if (this.#phase !== "connecting" && this.#phase !== "sent") return;
    const code = codeOf(error) ?? "ECONNRESET";
    const fault: Fault = { type: "connection", code, message: messageOf(error), place: this.#outgoing.to.place };
    const untouched = this.#socket?.bytesRead === this.#receivedBefore;
    const stale = this.#request.reusedSocket && untouched && /^(?:ECONNRESET|EPIPE)$/.test(code);
    this.#drop(stale ? { type: "stale", fault } : { type: "fault", fault });
  }

  #onResponse(response: IncomingMessage): void {
    if (this.#phase === "over") return;
    this.#phase = "answered";
    response.on("error", () => {});
    const { statusCode: status = 0, headers } = response;
    const { "content-type": type = "", "content-encoding": coding = "identity", location = "" } = headers;
    if (status >= 300 && status < 400) this.#fault({ type: "redirect", status, location });
    else if (status >= 400) {
      this.#readBody(response, (body) => ({ type: "server", error: readErrorBody(status, body), headers }));
    } else if (coding !== "identity") {
      this.#fault({ type: "malformed", detail: `expected an event stream as it is, found it in ${coding}` });
    } else if (type !== "" && !/^text\/event-stream\b/i.test(type)) {
      this.#readBody(response, (body) => unexpectedBody(body, type));
    } else this.#readEvents(response);
  }

  #readBody(response: IncomingMessage, faultOf: (body: string) => Fault): void {
    const parts: Buffer[] = [];
    let size = 0;
    const known = () =>
      ({ type: "fault", fault: faultOf(Buffer.concat(parts).toString("utf8", 0, mostErrorBody)) }) as const;
    this.#arm(Math.min(errorBodyMs, this.#outgoing.times.firstEventMs), () => this.#drop(known()));
    response.on("data", (bytes: Buffer) => {
      if (this.#phase === "over") return;
      parts.push(bytes);
      size += bytes.length;
      if (size > mostErrorBody) this.#drop(known());
    });
    response.on("end", () => this.#end(known()));
    response.on("close", () => this.#drop(known()));
  }

  #readEvents(response: IncomingMessage): void {
    let closing = false;
    const stream = openEventStream((event) => this.#onEvent(event, closing));
    response.on("data", (bytes: Buffer) =>
      this.#guarded(() => {
        const fault = this.#phase === "over" ? null : stream.feed(bytes);
        if (fault !== null) this.#fault(fault);
      }),
    );
    response.on("end", () =>
      this.#guarded(() => {
        closing = true;
        if (this.#phase !== "over") stream.close();
        const fault = stream.insteadOfEvents();
        this.#end(fault === null ? this.#closed("the server closed the stream") : { type: "fault", fault });
      }),
    );
    response.on("close", () => this.#drop(this.#closed("the connection was lost")));
  }

  #onEvent(event: StreamEvent, closing: boolean): void {
    if (this.#phase === "over") return;
    const sign = this.#outgoing.read(event);
    // What comes behind the end is the reader's to judge.
    if (this.#phase === "whole") return;
    switch (sign.type) {
      case "idle":
        return;
      case "progress":
        this.#onProgress();
        if (sign.text !== "") this.#outgoing.onText(sign.text);
        return;
      case "end":
        this.#phase = "whole";
        this.#arm(lingerMs, () => this.#drop({ type: "whole" }));
        return;
      case "error":
        this.#fault({ type: "server", error: sign.error, headers: {} });
        return;
      case "malformed":
        // The last event of a stream that was cut off is not malformed: it is half.
        if (!closing) this.#fault({ type: "malformed", detail: sign.detail });
        return;
      default:
        sign satisfies never;
    }
  }

  #onProgress(): void {
    if (this.#streaming) this.#timer?.refresh();
    else this.#expect("next event", this.#outgoing.times.idleMs);
    this.#streaming = true;
  }

  #closed(message: string): Ended {
    return this.#phase === "whole" ? { type: "whole" } : { type: "closed", message };
  }

  #expect(awaited: Extract<Fault, { readonly type: "timeout" }>["awaited"], ms: number): void {
    this.#arm(ms, () => this.#fault({ type: "timeout", awaited, ms }));
  }

  #arm(ms: number, then: () => void): void {
    clearTimeout(this.#timer);
    if (this.#phase !== "over") this.#timer = setTimeout(then, ms);
  }

  #fault(fault: Fault): void {
    this.#drop({ type: "fault", fault });
  }

  /** Ends without waiting for what else may come: the connection cannot be used again. */
  #drop(attempted: Attempted): void {
    if (this.#phase === "over") return;
    this.#end(attempted);
    this.#request.destroy();
  }

  #end(attempted: Attempted): void {
    this.#phase = "over";
    clearTimeout(this.#timer);
    this.#outgoing.signal.removeEventListener("abort", this.#abandon);
    this.#resolve(attempted);
  }

  /** What throws in a callback of a socket would end the process. */
  #guarded(run: () => void): void {
    try {
      run();
    } catch (error) {
      this.#reject(error);
      this.#drop({ type: "abandoned" });
    }
  }
}
