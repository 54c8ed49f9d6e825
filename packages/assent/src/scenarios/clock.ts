import type { Clock } from "../runtime/index.ts";

type Timer = { readonly at: number; readonly order: number; readonly then: () => void };

/** Time that passes only when the play lets it: a scenario takes no time, and no two plays of it differ. */
export class PlayClock implements Clock {
  #now = 1_000_000;
  #order = 0;
  #timers: readonly Timer[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, then: () => void): () => void {
    const timer = { at: this.#now + ms, order: this.#order++, then };
    this.#timers = [...this.#timers, timer];
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** To the next moment at which something is due; with none, a little further. */
  advance(): void {
    const next = this.#next();
    if (next === null) this.#now += 50;
    else this.#ring(next);
  }

  /** To that moment, through all that is due on the way; whether something was. */
  advanceTo(end: number): boolean {
    const next = this.#next();
    if (next !== null && next.at <= end) {
      this.#ring(next);
      return true;
    }
    this.#now = Math.max(this.#now, end);
    return false;
  }

  #next(): Timer | null {
    const [next] = this.#timers.toSorted((one, other) => one.at - other.at || one.order - other.order);
    return next ?? null;
  }

  #ring(timer: Timer): void {
    this.#timers = this.#timers.filter((other) => other !== timer);
    this.#now = Math.max(this.#now, timer.at);
    timer.then();
  }
}
