import type { Context } from "hono";
import type { Env } from "./env.ts";

type Reason = { readonly reason: string };

const usualPart = 100;
const mostPart = 1_000;

/** Which part of a list is wanted. */
export function partOf(c: Context<Env>): { readonly offset: number; readonly most: number } | Reason {
  const offset = numberIn(c, "offset", { usual: 0 });
  const most = numberIn(c, "limit", { usual: usualPart, most: mostPart });
  if (typeof offset === "object") return offset;
  return typeof most === "object" ? most : { offset, most };
}

/** A whole number of the query; the usual one where there is none. */
export function numberIn(
  c: Context<Env>,
  name: string,
  { usual, most = Number.POSITIVE_INFINITY }: { readonly usual: number; readonly most?: number },
): number | Reason {
  const given = c.req.query(name);
  if (given === undefined) return usual;
  if (/^\d{1,15}$/.test(given) && Number(given) <= most) return Number(given);
  const range = most === Number.POSITIVE_INFINITY ? "from 0 on" : `up to ${most}`;
  return { reason: `${name}: expected a whole number ${range}, found ${JSON.stringify(given)}` };
}
