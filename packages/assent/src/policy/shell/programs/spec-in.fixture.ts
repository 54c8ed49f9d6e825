import type { Programs, Spec } from "../spec.ts";

/** What one table alone says of a program. */
export function specIn(programs: Programs, name: string): Spec | undefined {
  return Object.entries(programs).findLast(([names]) => names.split(" ").includes(name))?.[1]();
}
