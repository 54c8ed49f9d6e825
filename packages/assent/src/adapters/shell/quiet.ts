/** Keys that are pressed before this much quiet after a question appeared were not meant for it (ANS-6). */
const quietMs = 250;

/** Waits until nothing has been typed for a while; each key begins the wait anew. */
export class Quiet {
  readonly #then: () => void;
  readonly #isTyped: () => boolean;
  #timer: NodeJS.Timeout | null = null;
  #last: NodeJS.Immediate | null = null;

  /** `isTyped` tells that something is being typed of which no key has come yet. */
  constructor(then: () => void, isTyped: () => boolean) {
    this.#then = then;
    this.#isTyped = isTyped;
  }

  begin(): void {
    this.cancel();
    this.#timer = setTimeout(() => {
      // A process that had no time for a while sees its timers before its keys: those that came meanwhile count first.
      this.#last = setImmediate(() => this.#end());
    }, quietMs);
  }

  disturb(): void {
    if (this.#timer !== null) this.begin();
  }

  cancel(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    if (this.#last !== null) clearImmediate(this.#last);
    this.#timer = null;
    this.#last = null;
  }

  #end(): void {
    if (this.#isTyped()) {
      this.begin();
      return;
    }
    this.cancel();
    this.#then();
  }
}
