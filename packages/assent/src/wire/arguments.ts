import * as v from "valibot";
import { parseJson } from "./json.ts";
import { describeIssue } from "./schema.ts";

export type ReadArguments<T> =
  | { readonly type: "read"; readonly value: T }
  | { readonly type: "invalid"; readonly reason: string };

/** The arguments of a tool call, as the model wrote them: checked, never repaired (SEL-3). */
export function readArguments<const S extends v.GenericSchema>(
  schema: S,
  given: string,
): ReadArguments<v.InferOutput<S>> {
  const parsed = parseJson(given);
  if (parsed.type === "broken") return { type: "invalid", reason: `the arguments are not JSON: ${parsed.reason}` };
  // To the schema library a list is an object, too: an empty one would be no arguments at all.
  if (Array.isArray(parsed.value)) {
    return { type: "invalid", reason: "the arguments are wrong: value: expected Object, found Array" };
  }
  const checked = v.safeParse(schema, parsed.value);
  if (checked.success) return { type: "read", value: checked.output };
  return { type: "invalid", reason: `the arguments are wrong: ${describeIssue(checked.issues)}` };
}
