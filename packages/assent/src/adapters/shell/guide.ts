import type { Session } from "../../core/index.ts";
import type { Said } from "../../show/index.ts";

/** Something to read and a line to send, once; `crash` follows when it could be read. */
export type Guide = {
  readonly id: string;
  readonly said: readonly Said[];
  readonly line: string;
  readonly crash?: () => void;
};

/** Says what comes next, where somebody is led through. */
export type Guiding = (session: Session) => Guide | null;

/** How long one has to read before a crash. */
const crashMs = 2_500;

/** Each thing is said once. */
export class Guided {
  readonly #guiding: Guiding;
  #said: string | null = null;

  constructor(guiding: Guiding = () => null) {
    this.#guiding = guiding;
  }

  next(session: Session): Guide | null {
    const next = this.#guiding(session);
    if (next === null || next.id === this.#said) return null;
    this.#said = next.id;
    if (next.crash !== undefined) setTimeout(next.crash, crashMs);
    return next;
  }
}
