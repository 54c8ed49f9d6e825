import { Random } from "../../simulation/random.ts";

/** What happened so far in the part of the sequence that is being checked. */
export type Told = { lines: unknown[]; readonly met: Map<string, number> };

class Broken extends Error {}

export function holds(condition: boolean, promise: string): asserts condition {
  if (!condition) throw new Broken(promise);
}

export function equal(promise: string, found: unknown, expected: unknown): void {
  if (found === expected) return;
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Broken(`${promise}: expected ${shortened(other)}, found ${shortened(one)}`);
}

export function shortened(text: string | undefined): string {
  const whole = text ?? "undefined";
  return whole.length > 3_000 ? `${whole.slice(0, 3_000)}… (${whole.length} characters)` : whole;
}

export function meet({ met }: Told, name: string): void {
  met.set(name, (met.get(name) ?? 0) + 1);
}

export function begin(told: Told, what: unknown): void {
  told.lines = [what];
}

export class Dice extends Random {
  /** One of the values. */
  pick<T>(values: readonly T[]): T {
    const index = this.below(values.length);
    holds(index < values.length, "nothing to pick from");
    return values[index] as T;
  }

  /** From the least to the most, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  shuffled<T>(values: readonly T[]): readonly T[] {
    const left = [...values];
    return values.flatMap(() => left.splice(this.below(left.length), 1));
  }

  some<T>(values: readonly T[], count: number): readonly T[] {
    return this.shuffled(values).slice(0, count);
  }
}

export function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).map(frozen);
  }
  return value;
}
