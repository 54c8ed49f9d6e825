import * as v from "valibot";
import type { Grant, GrantRule, GrantUsed, SavedScope } from "../core/index.ts";
import { readJson } from "./json.ts";
import { amount, count, list, optional, type Same, text } from "./schema.ts";

const rule = {
  tool: text,
  match: v.picklist(["exact", "prefix"]),
  signature: text,
  display: text,
  root: text,
  categories: list(text),
};
const limits = { created: amount, expires: optional(amount), uses: optional(count) };

export const grantRule = v.object(rule);
export const savedScope = v.picklist(["project", "user"]);
const grantScope = v.picklist(["session", "project", "user"]);
export const grantUsed = v.object({ id: text, scope: grantScope });
export const grant = v.object({ ...rule, id: text, scope: grantScope, ...limits });

/** The version of a saved grant. */
const version = 1;
/** Strict: a field that this Assent does not know may well narrow what is granted. */
const saved = v.strictObject({ v: v.literal(version), id: text, scope: savedScope, ...rule, ...limits });

export type DecodedGrant =
  | { readonly type: "grant"; readonly grant: Grant }
  | { readonly type: "unreadable"; readonly reason: string };

/** As it is saved, for people to read, too. */
export function encodeGrant({ id, scope, display, match, root, categories, ...more }: Grant): string {
  return `${JSON.stringify({ v: version, id, scope, display, match, root, categories, ...more }, null, 2)}\n`;
}

/** What cannot be read whole grants nothing. */
export function decodeGrant(given: string): DecodedGrant {
  const read = readJson(saved, given);
  if (read.type === "broken") return { type: "unreadable", reason: read.reason };
  const { v: _version, ...known } = read.value;
  return { type: "grant", grant: known };
}

true satisfies Same<v.InferOutput<typeof grantRule>, GrantRule>;
true satisfies Same<v.InferOutput<typeof savedScope>, SavedScope>;
true satisfies Same<v.InferOutput<typeof grantUsed>, GrantUsed>;
true satisfies Same<v.InferOutput<typeof grant>, Grant>;
