import type { RuleName, Violation } from "./violation.ts";

/** `file` or `file#function` → why it may break the rule. */
export type Exceptions = Readonly<Record<string, string>>;

export type Excused = {
  /** True when one of these places is excused; each that is counts as needed. */
  has(...places: string[]): boolean;
  /** An exception nothing needs any more would hide the next violation, so it is one itself. */
  unneeded(): Violation[];
};

export function excusedBy(rule: RuleName, exceptions: Exceptions): Excused {
  const needed = new Set<string>();
  return {
    has(...places) {
      const excused = places.filter((place) => Object.hasOwn(exceptions, place));
      for (const place of excused) needed.add(place);
      return excused.length > 0;
    },
    unneeded: () =>
      Object.keys(exceptions)
        .filter((place) => !needed.has(place))
        .map((place) => ({
          rule,
          file: place.split("#")[0] ?? place,
          line: 1,
          message: `exception "${place}": expected something that needs it, came nothing; remove it from rules.ts`,
        })),
  };
}
