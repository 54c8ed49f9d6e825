import { type Clock, Countdown } from "../../runtime/ports.ts";
import type { McpWatch } from "../types.ts";
import type { Asking } from "./client.ts";

export type Times = {
  /** Without a sign of life. */
  readonly quietMs: number;
  readonly inAllMs: number;
};

export type Ran<T> =
  | { readonly type: "done"; readonly value: T }
  | { readonly type: "fault"; readonly error: unknown }
  | { readonly type: "late"; readonly ms: number }
  | { readonly type: "stopped" };

/** One request while it runs: it ends when its time is over or someone says so, whatever the server does. */
export class Running {
  readonly watch: Pick<McpWatch, "session" | "signal" | "ask">;
  /** How many questions it has led to. */
  questions = 0;
  ended = false;
  /** Comes when it has ended. */
  readonly over: Promise<void>;
  #isOver: () => void = () => undefined;
  readonly #controller = new AbortController();
  #onProgress: (line: string) => void = () => undefined;
  readonly #quiet: Countdown;
  readonly #inAll: Countdown;
  #settle: (ran: { readonly type: "late"; readonly ms: number } | { readonly type: "stopped" }) => void = () =>
    undefined;

  constructor(clock: Clock, times: Times, watch: Running["watch"]) {
    this.watch = watch;
    this.over = new Promise((resolve) => {
      this.#isOver = resolve;
    });
    const late = (ms: number) => () => this.#end({ type: "late", ms });
    this.#quiet = new Countdown(clock, times.quietMs, late(times.quietMs));
    this.#inAll = new Countdown(clock, times.inAllMs, late(times.inAllMs));
  }

  async run<T>(start: (asking: Asking) => Promise<T>, onProgress: (line: string) => void): Promise<Ran<T>> {
    this.#onProgress = onProgress;
    const stop = () => this.#end({ type: "stopped" });
    const cut = new Promise<Ran<T>>((resolve) => {
      this.#settle = resolve;
    });
    this.watch.signal.addEventListener("abort", stop, { once: true });
    if (this.watch.signal.aborted) stop();
    const asking: Asking = {
      signal: this.#controller.signal,
      onProgress: (line) => {
        if (this.ended) return;
        this.#quiet.renew();
        this.tell(line);
      },
    };
    try {
      return await Promise.race([cut, settled(start, asking)]);
    } finally {
      this.ended = true;
      this.#isOver();
      this.#quiet.end();
      this.#inAll.end();
      this.watch.signal.removeEventListener("abort", stop);
    }
  }

  /** A line for whoever watches it. */
  tell(line: string): void {
    if (!this.ended) this.#onProgress(line);
  }

  /** A person is asked: their time is not the server's. */
  pause(): void {
    this.#quiet.pause();
    this.#inAll.pause();
  }

  resume(): void {
    if (this.ended) return;
    this.#quiet.resume();
    this.#inAll.resume();
  }

  #end(ran: { readonly type: "late"; readonly ms: number } | { readonly type: "stopped" }): void {
    this.#settle(ran);
    // The server is told; it is not waited for.
    this.#controller.abort(ran.type === "late" ? "it took too long" : "it is not wanted any more");
  }
}

async function settled<T>(start: (asking: Asking) => Promise<T>, asking: Asking): Promise<Ran<T>> {
  try {
    return { type: "done", value: await start(asking) };
  } catch (error) {
    return { type: "fault", error };
  }
}
