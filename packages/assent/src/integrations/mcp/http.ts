import {
  type FetchLike,
  type JSONRPCMessage,
  StreamableHTTPClientTransport,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/client";
import type { Clock } from "../../runtime/ports.ts";
import { looseRecord, parseJson } from "../../wire/index.ts";
import type { ServerAddress } from "../types.ts";
import { Gate, isId, noAnswer, tooMuch } from "./gate.ts";
import type { McpLimits } from "./limits.ts";

export type HttpOptions = {
  readonly address: Extract<ServerAddress, { readonly type: "url" }>;
  readonly clock: Clock;
  readonly limits: McpLimits;
};

const eventsPerSecond = 500;
/** Answers to what the server asked that it has not taken yet; what is more is dropped, for each of them is held here. */
const mostReplies = 16;

/** A server at a URL. The client's own transport speaks to it; here is what it may bring. */
export class HttpTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly hasPerRequestStream = true;
  readonly #inner: StreamableHTTPClientTransport;
  readonly #gate: Gate;
  readonly #limits: McpLimits;
  readonly #clock: Clock;
  #replies = 0;

  constructor({ address, clock, limits }: HttpOptions) {
    this.#limits = limits;
    this.#clock = clock;
    this.#gate = new Gate(clock, limits);
    // A redirect to another origin fails the request, by the transport's own rule: the headers are for one server only.
    this.#inner = new StreamableHTTPClientTransport(new URL(address.url), {
      requestInit: { headers: { ...address.headers } },
      fetch: boundedFetch({ clock, limits, onTooMuch: (whose) => this.#discard(whose) }),
      redirectPolicy: "same-origin",
      reconnectionOptions: {
        initialReconnectionDelay: 500,
        maxReconnectionDelay: 10_000,
        reconnectionDelayGrowFactor: 2,
        maxRetries: 2,
      },
    });
    this.#inner.onclose = () => this.onclose?.();
    this.#inner.onerror = (error) => this.onerror?.(error);
    this.#inner.onmessage = (message) => {
      if (this.#gate.admits(message)) this.onmessage?.(message);
    };
  }

  get sessionId(): string | undefined {
    return this.#inner.sessionId;
  }

  setProtocolVersion(version: string): void {
    this.#inner.setProtocolVersion(version);
  }

  start(): Promise<void> {
    return this.#inner.start();
  }

  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (!("method" in message)) return this.#reply(message, options);
    const stop = new AbortController();
    // What is given up must not be asked for again, as the inner transport would when a stream ends too soon.
    this.#gate.sent(message, () => stop.abort());
    const onRequestStreamEnd = () => {
      options?.onRequestStreamEnd?.();
      if ("id" in message && this.#gate.giveUpOn(message.id)) this.onmessage?.(noAnswer(message.id));
    };
    return this.#inner.send(message, sendOptions(options, { stop, onRequestStreamEnd }));
  }

  async #reply(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this.#replies >= mostReplies) throw new Error("it does not take the answers to what it asks");
    const stop = new AbortController();
    const taken = this.#clock.after(this.#limits.callMs, () => stop.abort());
    this.#replies += 1;
    try {
      await this.#inner.send(message, sendOptions(options, { stop }));
    } finally {
      taken();
      this.#replies -= 1;
    }
  }

  /** The server is told that its session is over, if it answers soon. */
  async close(): Promise<void> {
    const told = this.#inner.sessionId === undefined ? Promise.resolve() : this.#inner.terminateSession();
    await Promise.race([
      told.catch(() => undefined),
      new Promise((done) => setTimeout(done, this.#limits.closeMs).unref()),
    ]);
    await this.#inner.close();
  }

  #discard(whose: Whose): void {
    const ids = whose === "anybody" ? this.#gate.giveUp() : [whose.id].filter((id) => this.#gate.giveUpOn(id));
    for (const id of ids) this.onmessage?.(tooMuch(id, this.#limits));
  }
}

/** As the inner transport takes them: what is not there is left out. */
function sendOptions(
  options: TransportSendOptions | undefined,
  own: { readonly stop: AbortController; readonly onRequestStreamEnd?: () => void },
) {
  const { resumptionToken, onresumptiontoken, requestSignal, headers } = options ?? {};
  const signals = requestSignal === undefined ? [own.stop.signal] : [requestSignal, own.stop.signal];
  return {
    ...(own.onRequestStreamEnd === undefined ? {} : { onRequestStreamEnd: own.onRequestStreamEnd }),
    ...(resumptionToken === undefined ? {} : { resumptionToken }),
    ...(onresumptiontoken === undefined ? {} : { onresumptiontoken }),
    requestSignal: AbortSignal.any(signals),
    ...(headers === undefined ? {} : { headers }),
  };
}

/** For which request something comes. */
type Whose = { readonly id: string | number } | "anybody";

type Bounds = { readonly clock: Clock; readonly limits: McpLimits; readonly onTooMuch: () => void };
type FetchBounds = Omit<Bounds, "onTooMuch"> & { readonly onTooMuch: (whose: Whose) => void };

/** Brings no more than a message may have, and events of a stream no faster than they can be looked at. */
function boundedFetch(given: FetchBounds): FetchLike {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (response.body === null || (response.status >= 300 && response.status < 400)) return response;
    const whose = whoseAnswer(init);
    const bounds = { ...given, onTooMuch: () => whose !== "nobody" && given.onTooMuch(whose) };
    // Events are read one by one only where a message may be among them; elsewhere all of it is read as one text.
    const streams = hasEvents(response) && (whose !== "nobody" || init?.method === "GET");
    const body = response.body.pipeThrough(streams ? boundedEvents(bounds) : boundedBody(bounds));
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}

/** Each request has a stream of its own. By one that is taken up again anybody's answer may come, by the one beside them none. */
function whoseAnswer(init: RequestInit | undefined): Whose | "nobody" {
  if (init?.method === "GET") return new Headers(init.headers).has("last-event-id") ? "anybody" : "nobody";
  const sent = typeof init?.body === "string" ? parseJson(init.body) : null;
  const { id, method } = looseRecord(sent?.type === "broken" ? null : sent?.value);
  return typeof method === "string" && isId(id) ? { id } : "nobody";
}

function hasEvents({ ok, status, headers }: Response): boolean {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  return ok && status !== 202 && type.trim().toLowerCase() === "text/event-stream";
}

function boundedBody({ limits, onTooMuch }: Bounds): TransformStream<Uint8Array, Uint8Array> {
  let length = 0;
  return new TransformStream({
    transform(chunk, controller) {
      length += chunk.length;
      if (length <= limits.messageBytes) return controller.enqueue(chunk);
      onTooMuch();
      controller.error(new Error("answered with too much"));
    },
  });
}

/** Counts what stands between empty lines: an event ends with one. */
class Events {
  /** Since the last of them ended. */
  length = 0;
  ended = 0;
  #last = 0;

  take(chunk: Uint8Array): void {
    for (const byte of chunk) {
      if (byte === 13) continue;
      const ends = byte === 10 && this.#last === 10;
      this.#last = byte;
      this.length = ends ? 0 : this.length + 1;
      if (ends) this.ended += 1;
    }
  }
}

function boundedEvents({ clock, limits, onTooMuch }: Bounds): TransformStream<Uint8Array, Uint8Array> {
  const events = new Events();
  let second = 0;
  return new TransformStream({
    async transform(chunk, controller) {
      const now = Math.floor(clock.now() / 1000);
      if (now !== second) events.ended = 0;
      second = now;
      events.take(chunk);
      if (events.length > limits.messageBytes) {
        onTooMuch();
        return controller.error(new Error("answered with too much"));
      }
      if (events.ended > eventsPerSecond) await nextSecond(clock);
      controller.enqueue(chunk);
    },
  });
}

function nextSecond(clock: Clock): Promise<void> {
  return new Promise((resume) => clock.after(1_000 - (clock.now() % 1_000), resume));
}
