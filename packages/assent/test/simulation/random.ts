/** Numbers from 0 up to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same numbers in the forms that choices need. */
export class Random {
  /** From 0 up to, not including, 1. */
  readonly next: () => number;

  constructor(...seed: readonly number[]) {
    this.next = seeded(seed.reduce((state, part) => Math.imul(state ^ part, 0x9e3779b1) ^ (state >>> 15), 0x2545f491));
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
