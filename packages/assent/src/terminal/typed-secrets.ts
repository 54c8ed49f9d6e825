import { leastHidden, secretMark } from "../runtime/ports.ts";

/** What people have typed as secrets in a session: no output, name or question of it shows them from then on. */
export class TypedSecrets {
  #all: readonly string[] = [];

  /** The longest first: one may be part of another. */
  get all(): readonly string[] {
    return this.#all;
  }

  add(secret: string): void {
    if (secret.length < leastHidden || this.#all.includes(secret)) return;
    this.#all = [...this.#all, secret].sort((one, other) => other.length - one.length);
  }

  hide(text: string): string {
    return this.#all.reduce((shown, secret) => shown.replaceAll(secret, secretMark), text);
  }
}
