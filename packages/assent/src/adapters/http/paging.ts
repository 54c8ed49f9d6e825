import type { Context } from "hono";
import type { Env } from "./env.ts";

const defaultPart = 100;
const mostPart = 1_000;

/** Which part of a list is wanted. */
export function partOf(
  c: Context<Env>,
): { readonly offset: number; readonly most: number } | { readonly reason: string } {
  const offset = numberIn(c, "offset", 0);
  const most = numberIn(c, "limit", defaultPart);
  if (offset === null) return { reason: "offset: expected a whole number from 0 on" };
  if (most === null || most > mostPart) return { reason: `limit: expected a whole number up to ${mostPart}` };
  return { offset, most };
}

/** A whole number of the query, the default where there is none, `null` where it is no such number. */
export function numberIn(c: Context<Env>, name: string, byDefault: number): number | null {
  const given = c.req.query(name);
  if (given === undefined) return byDefault;
  return /^\d{1,15}$/.test(given) ? Number(given) : null;
}
