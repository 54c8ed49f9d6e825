/** How often what is under way is shown anew. */
const tickMs = 100;

/** Calls back again and again while it is on. */
export class Ticking {
  readonly #onTick: () => void;
  #timer: NodeJS.Timeout | null = null;

  constructor(onTick: () => void) {
    this.#onTick = onTick;
  }

  turn(on: boolean): void {
    if (on) this.#timer ??= setInterval(this.#onTick, tickMs);
    else if (this.#timer !== null) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  }
}
