import type { RecordedEvent } from "../wire/index.ts";
import type { OpenSession } from "./open-session.ts";
import type { Live } from "./ports.ts";
import type { Watched } from "./session-host.ts";

/** How many events are fetched at once for someone who is behind. */
const mostFetched = 256;
/** How much of what is live waits for someone slow; beyond it the oldest is dropped, and that is told. */
const mostLive = 256;

export type Watching = { readonly after: number; readonly onClose: (watcher: Watcher) => void };

/**
 * A place in the journal and no queue: recorded events are fetched when asked for, so however slow a watcher is, it
 * costs nothing and misses nothing.
 */
export class Watcher implements AsyncIterable<Watched> {
  readonly #session: OpenSession;
  readonly #watching: Watching;
  #place: number;
  #fetched: RecordedEvent[] = [];
  #live: { readonly at: number; readonly live: Live }[] = [];
  #dropped = 0;
  #end: { readonly error: unknown } | "open" | "finishing" | "closed" = "open";
  #wakeUp: (() => void) | null = null;

  constructor(session: OpenSession, watching: Watching) {
    this.#session = session;
    this.#watching = watching;
    this.#place = watching.after;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Watched, void, undefined> {
    try {
      while (this.#end !== "closed") {
        const watched = this.#next();
        if (watched !== null) yield watched;
        else if (typeof this.#end === "object") throw this.#end.error;
        else if (this.#end === "finishing") return;
        else await this.#change();
      }
    } finally {
      this.close();
    }
  }

  /** Ends the watch after all that is recorded by now. */
  finish(): void {
    if (this.#end === "open") this.#end = "finishing";
    this.wake();
  }

  close(): void {
    if (this.#end === "closed") return;
    this.#end = "closed";
    this.#watching.onClose(this);
    this.wake();
  }

  /** Something new is recorded. */
  wake(): void {
    this.#wakeUp?.();
    this.#wakeUp = null;
  }

  show(live: Live): void {
    this.#live.push({ at: this.#session.state.seq, live });
    if (this.#live.length > mostLive) {
      this.#live.shift();
      this.#dropped += 1;
    }
    this.wake();
  }

  /** The journal failed: who watches is told by an exception, after all that was recorded. */
  fail(error: unknown): void {
    if (this.#end === "open" || this.#end === "finishing") this.#end = { error };
    this.wake();
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wakeUp = resolve;
    });
  }

  #next(): Watched | null {
    const next = this.#live[0];
    // What is live belongs where it came: after the events that were recorded by then.
    if (next !== undefined && next.at <= this.#place) return this.#nextLive(next.live);
    if (this.#fetched.length === 0) this.#fetched = [...this.#session.recorded(this.#place, mostFetched)].reverse();
    const event = this.#fetched.pop();
    if (event === undefined) return null;
    this.#place = event.seq;
    return { ...event, type: "recorded", newest: event.seq >= this.#session.state.seq };
  }

  #nextLive(live: Live): Watched {
    const count = this.#dropped;
    this.#dropped = 0;
    if (count > 0) return { type: "dropped", count };
    this.#live.shift();
    return { type: "live", live };
  }
}
