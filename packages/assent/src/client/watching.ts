import type { Live } from "../runtime/ports.ts";
import type { ApiSession } from "../wire/api-types.ts";
import type { RecordedEvent } from "../wire/events.ts";
import { readReceived, receivedEvent } from "../wire/received.ts";
import type { Place } from "./result.ts";
import { type Connection, type Ended, type StreamOptions, streamed } from "./stream.ts";

/** What comes of a session that is watched. */
export type Watched =
  | Connection
  | ({ readonly type: "event" } & RecordedEvent)
  /** All that was recorded by now has come. */
  | { readonly type: "caught-up"; readonly seq: number }
  | { readonly type: "live"; readonly live: Live }
  /** So much of what is seen live was left out, because it came too fast. */
  | { readonly type: "dropped"; readonly count: number }
  | Ended;

/** What comes of all sessions that are watched. */
export type Changed =
  | Connection
  | { readonly type: "session"; readonly session: ApiSession }
  /** It was deleted. */
  | { readonly type: "gone"; readonly session: string }
  | Ended;

/** From where on a session is watched, and how. */
export type WatchOptions = StreamOptions & {
  /** The last event that is known already. */
  readonly after?: number;
};

/** Every event of a session after `after`, each once and in order, over as many connections as it takes. */
export async function* watchSession(
  place: Place,
  session: string,
  options: WatchOptions = {},
): AsyncGenerator<Watched> {
  const { after = 0, ...streaming } = options;
  const known = new Known(after);
  for (;;) {
    // A gap begins anew from the last that is known.
    const gap = yield* watchOnce(place, session, { ...streaming, known });
    if (!gap) return;
  }
}

type Once = StreamOptions & { readonly known: Known };

async function* watchOnce(
  place: Place,
  session: string,
  { known, ...streaming }: Once,
): AsyncGenerator<Watched, boolean> {
  const from = (): { path: string; headers: Record<string, string> } => ({
    path: `/v1/sessions/${encodeURIComponent(session)}/events?after=${known.last}`,
    headers: known.last === 0 ? {} : { "last-event-id": String(known.last) },
  });
  for await (const each of streamed(place, { ...streaming, from })) {
    if (each.type !== "message") {
      yield each;
      continue;
    }
    const watched = watchedBy(each.message);
    if (watched === null) continue;
    if (watched.type !== "event") {
      yield watched;
      continue;
    }
    const step = known.take(watched.seq);
    if (step === "gap") return true;
    if (step === "next") yield watched;
  }
  return false;
}

/** Which events have come: none twice, and none left out. */
class Known {
  last: number;
  #missed: number | null = null;

  constructor(last: number) {
    this.last = last;
  }

  take(seq: number): "next" | "known" | "gap" {
    if (seq <= this.last) return "known";
    // What is missing twice is not there.
    if (seq > this.last + 1 && this.#missed !== this.last) {
      this.#missed = this.last;
      return "gap";
    }
    this.last = seq;
    return "next";
  }
}

function watchedBy({ event, data }: { readonly event?: string | undefined; readonly data: string }): Watched | null {
  switch (event) {
    case undefined:
    case "message":
      return recorded(data);
    case "caught-up": {
      const seq = read<{ seq: number }>(data)?.seq;
      return seq === undefined ? null : { type: "caught-up", seq };
    }
    case "live": {
      const live = read<Live>(data);
      return live === null ? null : { type: "live", live };
    }
    case "dropped":
      return { type: "dropped", count: read<{ count: number }>(data)?.count ?? 1 };
    default:
      return null;
  }
}

function recorded(data: string): Watched | null {
  const event = receivedEvent(read<unknown>(data));
  return event === null ? null : { type: "event", ...event };
}

function read<T>(data: string): T | null {
  const received = readReceived<T | null>(data);
  return received.type === "json" ? received.value : null;
}

/** Sessions as they come to a milestone. Nothing is sent again: whoever connects, or connects again, fetches the lists. */
export async function* watchChanges(place: Place, options: StreamOptions = {}): AsyncGenerator<Changed> {
  const from = (): { path: string } => ({ path: "/v1/changes" });
  for await (const each of streamed(place, { ...options, from })) {
    if (each.type !== "message") {
      yield each;
      continue;
    }
    const { event, data } = each.message;
    const session = event === "session" ? read<ApiSession>(data) : null;
    if (session !== null) yield { type: "session", session };
    const gone = event === "gone" ? read<{ session: string }>(data) : null;
    if (gone !== null) yield { type: "gone", session: gone.session };
  }
}
