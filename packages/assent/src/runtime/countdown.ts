import type { Clock } from "./ports.ts";

/** Calls back once when its time is over. It can begin anew, and stands still while a person is asked. */
export class Countdown {
  readonly #clock: Clock;
  readonly #ms: number;
  readonly #over: () => void;
  #left: number;
  #since = 0;
  #stop: (() => void) | null = null;

  constructor(clock: Clock, ms: number, over: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#over = over;
    this.#left = ms;
    this.resume();
  }

  /** As if it began now. */
  renew(): void {
    this.#left = this.#ms;
    if (this.#stop === null) return;
    this.end();
    this.resume();
  }

  pause(): void {
    if (this.#stop === null) return;
    this.end();
    this.#left = Math.max(0, this.#left - (this.#clock.now() - this.#since));
  }

  resume(): void {
    if (this.#stop !== null) return;
    this.#since = this.#clock.now();
    this.#stop = this.#clock.after(this.#left, this.#over);
  }

  end(): void {
    this.#stop?.();
    this.#stop = null;
  }
}
