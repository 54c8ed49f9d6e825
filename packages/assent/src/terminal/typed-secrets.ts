import { leastHidden } from "../runtime/ports.ts";
import type { ByteRedactor, Redacting } from "../runtime/redacting.ts";

/**
 * What people have typed as secrets in a session: no output, name or question of it shows them from then on, nor anything else
 * that must not be seen (INTG-4).
 */
export class TypedSecrets {
  readonly #redacting: Redacting;
  #all: readonly string[] = [];

  constructor(redacting: Redacting) {
    this.#redacting = redacting;
  }

  add(secret: string): void {
    if (secret.length < leastHidden || this.#all.includes(secret)) return;
    this.#all = [...this.#all, secret];
  }

  hide(text: string): string {
    return this.#redacting.now(this.#all)?.(text) ?? text;
  }

  /** For one output of a command; also of what is typed while it comes. */
  redactor(): ByteRedactor {
    return this.#redacting.bytes(() => this.#all);
  }
}
