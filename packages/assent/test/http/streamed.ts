import { createParser, type EventSourceMessage } from "eventsource-parser";
import { until } from "../e2e/product.ts";
import type { Served } from "./served.ts";

/** A stream as it comes in, event by event. */
export class Streamed {
  readonly messages: EventSourceMessage[] = [];
  comments = 0;
  /** How it ended, once it has. */
  ended: "closed" | "broken" | null = null;
  readonly #ending = new AbortController();

  static async of(served: Served, path: string, headers: Readonly<Record<string, string>> = {}): Promise<Streamed> {
    const streamed = new Streamed();
    const response = await fetch(`${served.url}${path}`, {
      headers: { authorization: `Bearer ${served.token}`, accept: "text/event-stream", ...headers },
      signal: streamed.#ending.signal,
    });
    if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
    void streamed.#read(response);
    return streamed;
  }

  async #read({ body }: Response): Promise<void> {
    const parser = createParser({
      onEvent: (message) => this.messages.push(message),
      onComment: () => {
        this.comments += 1;
      },
    });
    const decoder = new TextDecoder();
    try {
      for await (const part of body ?? []) parser.feed(decoder.decode(part, { stream: true }));
      this.ended = "closed";
    } catch {
      this.ended = "broken";
    }
  }

  /** The numbers of the recorded events, as they came. */
  get numbers(): readonly number[] {
    return this.messages.flatMap(({ id, event }) => (event === undefined ? [Number(id)] : []));
  }

  named(name: string): readonly EventSourceMessage[] {
    return this.messages.filter(({ event }) => event === name);
  }

  has(what: string, look: () => boolean): Promise<true> {
    return until(
      what,
      () => look() || undefined,
      () => JSON.stringify(this.messages.slice(-5)),
    );
  }

  close(): void {
    this.#ending.abort();
  }
}
