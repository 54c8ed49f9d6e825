import type { Clock } from "../../src/runtime/ports.ts";

type Timer = { readonly at: number; readonly order: number; readonly then: () => void };

/** Time that passes only when it is told to. */
export class VirtualClock implements Clock {
  #now = 1_000_000;
  #order = 0;
  #timers: Timer[] = [];

  now(): number {
    return this.#now;
  }

  after(ms: number, then: () => void): () => void {
    const timer = { at: this.#now + ms, order: this.#order++, then };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    };
  }

  /** Goes to the next moment at which something is due. */
  advance(): void {
    const [next] = this.#timers.toSorted((one, other) => one.at - other.at || one.order - other.order);
    if (next === undefined) {
      this.#now += 50;
      return;
    }
    this.#timers = this.#timers.filter((timer) => timer !== next);
    this.#now = Math.max(this.#now, next.at);
    next.then();
  }

  /** Goes to that moment, through all that is due on the way and nothing that is due later. */
  advanceTo(end: number): boolean {
    const due = this.#timers.some(({ at }) => at <= end);
    if (due) this.advance();
    else this.#now = Math.max(this.#now, end);
    return due;
  }

  /** Time passes without anyone being there. */
  skip(ms: number): void {
    this.#now += ms;
  }
}

/** Everything that can happen without time passing has happened. */
export async function settled(): Promise<void> {
  for (let turn = 0; turn < 40; turn++) await null;
}
