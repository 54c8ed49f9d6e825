/** How long a stop by a signal waits for what runs to end. */
export const mostPatienceMs = 3_000;

/** Between two presses of Ctrl-C where nothing runs. */
const againMs = 2_000;

/**
 * What a press of Ctrl-C means: once stops, twice kills what runs, a third time leaves (STOP-3). Where nothing runs it
 * clears the line, and leaves when it is pressed twice.
 */
export class Interrupts {
  #presses = 0;
  #pressedAt = Number.NEGATIVE_INFINITY;

  /** The exchange is over. */
  reset(): void {
    this.#presses = 0;
  }

  /** `stopping`: a stop was asked for already, by a press or by a word. */
  press(during: {
    readonly exchange: boolean;
    readonly stopping?: boolean;
    readonly text: boolean;
    readonly now: number;
  }) {
    if (during.exchange) {
      this.#presses = Math.max(this.#presses, during.stopping ? 1 : 0) + 1;
      return this.#presses === 1 ? "stop" : this.#presses === 2 ? "kill" : "leave";
    }
    if (during.text) return "clear";
    const again = during.now - this.#pressedAt < againMs;
    this.#pressedAt = during.now;
    return again ? "quit" : "tell";
  }
}

/** What is said at once, before anything has ended. */
export const acknowledged = {
  stop: "stopping: what runs finishes first; Ctrl-C again kills it",
  kill: "killing what runs; Ctrl-C again leaves",
};
