/** Numbers that look random and are the same for the same seed, on any machine. */
export class Random {
  #state: number;

  constructor(...seed: readonly number[]) {
    this.#state = seed.reduce((state, part) => Math.imul(state ^ part, 0x9e3779b1) ^ (state >>> 15), 0x2545f491);
  }

  /** From 0 up to, not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(limit: number): number {
    return Math.floor(this.next() * limit);
  }

  chance(share: number): boolean {
    return this.next() < share;
  }

  /** One of the names, each as likely as its weight says. */
  weighted<const T extends string>(weights: Readonly<Record<T, number>>): T {
    const names: readonly [T, number][] = Object.entries(weights) as [T, number][];
    let left = this.next() * names.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [name, weight] of names) {
      left -= weight;
      if (left < 0) return name;
    }
    return names[0]?.[0] as T;
  }
}
