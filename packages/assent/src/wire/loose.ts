import type { Json } from "../core/index.ts";

/**
 * Looks into JSON of which nothing is promised: what a server sends may lack any field or have it in another shape. Nothing
 * here throws; what is not there, or is something else, is the empty value of its kind.
 */
export type Loose = { readonly [name: string]: unknown };

export function isLooseRecord(value: unknown): value is Loose {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function looseRecord(value: unknown): Loose {
  return isLooseRecord(value) ? value : {};
}

export function looseList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function looseText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function looseCount(value: unknown): number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}

/** A value that came out of JSON is JSON. */
export function asJson(value: unknown): Json {
  return (value ?? null) as Json;
}
