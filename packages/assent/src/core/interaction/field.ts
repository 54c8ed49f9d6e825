import type { Json } from "../json.ts";

/** A field of data that others may have written; `undefined` where there is none. */
export function fieldOf(data: Json | undefined, name: string): Json | undefined {
  if (typeof data !== "object" || data === null || Array.isArray(data)) return undefined;
  return Object.entries(data).find(([key]) => key === name)?.[1];
}
