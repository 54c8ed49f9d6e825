import { createParser, type EventSourceMessage } from "eventsource-parser";
import { pause, pauseBefore } from "./pause.ts";
import { bodyOf, type Place, type Refused, refusal, send } from "./result.ts";

/** Whether what is shown is what is: a surface says so when it may not be. */
export type Connection = { readonly type: "connection"; readonly state: "connected" | "lost" };

/** The server will not let it be watched: who asks, or what for, must change first. */
export type Ended = { readonly type: "ended"; readonly status: number; readonly error: Refused["error"] };

export type Streamed = Connection | Ended | { readonly type: "message"; readonly message: EventSourceMessage };

/** How a stream is followed. */
export type StreamOptions = {
  readonly signal?: AbortSignal | undefined;
  /** After so long without a byte, not even of a heartbeat, the connection counts as lost. */
  readonly idleMs?: number;
};

export type Streaming = StreamOptions & {
  /** Asked before each connection: where to go on. */
  readonly from: () => { readonly path: string; readonly headers?: Readonly<Record<string, string>> };
};

const defaultIdleMs = 45_000;
/** A connection that lasted so long was a good one: the next pause is a short one again. */
const goodMs = 2_000;

/** A stream that connects again by itself for as long as it is wanted and the server lets it. */
export async function* streamed(
  place: Place,
  { from, signal, idleMs = defaultIdleMs }: Streaming,
): AsyncGenerator<Streamed> {
  let attempt = 0;
  let told: Connection["state"] | null = null;
  const news = (state: Connection["state"]): readonly Connection[] => {
    if (told === state) return [];
    told = state;
    return [{ type: "connection", state }];
  };
  while (!signal?.aborted) {
    const began = Date.now();
    for await (const each of connected(place, from(), { signal, idleMs })) {
      yield* each.type === "connection" ? news(each.state) : [each];
      if (each.type === "ended") return;
    }
    if (signal?.aborted) return;
    yield* news("lost");
    if (Date.now() - began >= goodMs) attempt = 0;
    if (!(await pause(pauseBefore(attempt++), signal))) return;
  }
}

/** One connection, until it breaks, falls silent, or nobody wants it any more. */
async function* connected(
  place: Place,
  { path, headers = {} }: ReturnType<Streaming["from"]>,
  { signal, idleMs }: { readonly signal: AbortSignal | undefined; readonly idleMs: number },
): AsyncGenerator<Streamed> {
  const own = new AbortController();
  const leave = (): void => own.abort();
  signal?.addEventListener("abort", leave);
  let timer = setTimeout(leave, idleMs);
  const heard = (): void => {
    clearTimeout(timer);
    timer = setTimeout(leave, idleMs);
  };
  try {
    const sent = await send(place, path, {
      headers: { accept: "text/event-stream", ...headers },
      signal: own.signal,
    });
    if (sent.type === "unreachable") return;
    const { response } = sent;
    if (!response.ok) return yield* endedBy(response);
    yield { type: "connection", state: "connected" };
    yield* messagesOf(response, heard);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", leave);
    own.abort();
  }
}

/** To try again would not help these; everything else may pass. */
async function* endedBy(response: Response): AsyncGenerator<Ended> {
  const refused = refusal(response.status, (await bodyOf(response)) ?? "");
  if (refused.type !== "refused" || ![401, 403, 404].includes(refused.status)) return;
  yield { type: "ended", status: refused.status, error: refused.error };
}

async function* messagesOf({ body }: Response, heard: () => void): AsyncGenerator<Streamed> {
  if (body === null) return;
  const messages: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (message) => messages.push(message) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  for (;;) {
    const part = await reader.read().catch(() => null);
    if (part === null || part.done) return;
    heard();
    parser.feed(decoder.decode(part.value, { stream: true }));
    for (const message of messages.splice(0)) yield { type: "message", message };
  }
}
