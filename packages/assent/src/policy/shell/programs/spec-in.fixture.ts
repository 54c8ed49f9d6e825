import type { Programs, Spec } from "../spec.ts";

/** What one table alone says of a program. */
export function specIn(programs: Programs, name: string): Spec | undefined {
  const key = Object.keys(programs).findLast((names) => names.includes(name) && names.split(" ").includes(name));
  return key === undefined ? undefined : programs[key]?.();
}
