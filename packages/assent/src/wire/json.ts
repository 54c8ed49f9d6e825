import * as v from "valibot";
import { describeIssue } from "./schema.ts";
import { messageOf } from "./thrown.ts";

export type ParsedJson =
  | { readonly type: "parsed"; readonly value: unknown }
  | { readonly type: "broken"; readonly reason: string };

export function parseJson(text: string): ParsedJson {
  try {
    return { type: "parsed", value: JSON.parse(text) };
  } catch (error) {
    return { type: "broken", reason: messageOf(error) };
  }
}

export type ReadJson<T> =
  | { readonly type: "read"; readonly value: T }
  | { readonly type: "broken"; readonly reason: string };

/** A text that is to be one JSON object, as its schema has it. */
export function readJson<const S extends v.GenericSchema>(schema: S, given: string): ReadJson<v.InferOutput<S>> {
  const parsed = parseJson(given);
  if (parsed.type === "broken") return { type: "broken", reason: `expected JSON: ${parsed.reason}` };
  const checked = v.safeParse(schema, parsed.value);
  if (checked.success) return { type: "read", value: checked.output };
  return { type: "broken", reason: describeIssue(checked.issues) };
}
