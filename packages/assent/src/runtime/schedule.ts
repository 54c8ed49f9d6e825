import type { Clock } from "./ports.ts";

/** How often a process looks for what others have done: well under the 200 ms within which it must notice (SESS-4). */
const lookMs = 50;

/** Calls again and again, on the given clock, as long as somebody wants it. */
export class Schedule {
  readonly #clock: Clock;
  readonly #look: () => void;
  #cancel: (() => void) | null = null;

  constructor(clock: Clock, look: () => void) {
    this.#clock = clock;
    this.#look = look;
  }

  /** While it runs, the process stays. */
  run(): void {
    this.#cancel ??= this.#next();
  }

  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #next(): () => void {
    return this.#clock.after(lookMs, () => {
      this.#cancel = this.#next();
      this.#look();
    });
  }
}
