import * as v from "valibot";
import type { Role } from "./api-types.ts";
import { readJson } from "./json.ts";
import { amount, optional, type Same, text } from "./schema.ts";

/** What a token lets its bearer do: look; also answer and stop; everything (SRV-3). */
export const roles = ["viewer", "answerer", "admin"] as const;
export const role = v.picklist(roles);
true satisfies Same<v.InferOutput<typeof role>, Role>;

export type { Role } from "./api-types.ts";

const version = 1;
/** Of the token itself only a hash is kept. */
const token = { id: text, name: text, role, hash: text, created: amount, expires: optional(amount) };
const saved = v.strictObject({ v: v.literal(version), ...token });
const savedToken = v.object(token);

export type SavedToken = Readonly<v.InferOutput<typeof savedToken>>;

export function encodeToken(given: SavedToken): string {
  return `${JSON.stringify({ v: version, ...given }, null, 2)}\n`;
}

/** What cannot be read whole opens nothing. */
export function decodeToken(given: string): SavedToken | { readonly reason: string } {
  const read = readJson(saved, given);
  if (read.type === "broken") return { reason: read.reason };
  const { v: _version, ...known } = read.value;
  return known;
}

/** Where a server is and how it is spoken to: written for the programs of its owner. */
const clientFile = v.object({ url: text, socket: optional(text), pid: amount, token: optional(text) });
export type ClientFile = Readonly<v.InferOutput<typeof clientFile>>;

export function encodeClientFile(file: ClientFile): string {
  return `${JSON.stringify(file, null, 2)}\n`;
}

export function decodeClientFile(given: string): ClientFile | { readonly reason: string } {
  const read = readJson(clientFile, given);
  return read.type === "broken" ? { reason: read.reason } : read.value;
}
