import * as v from "valibot";
import { parseJson } from "./json.ts";
import { amount, count, describeIssue, optional } from "./schema.ts";

const tokens = v.pipe(count, v.minValue(1));
const price = v.pipe(amount, v.minValue(0));
const modelSchema = v.strictObject({
  context: optional(tokens),
  max_output: optional(tokens),
  prices: optional(v.strictObject({ input: price, output: price, cached: optional(price) })),
});
const modelsSchema = v.record(v.string(), modelSchema);

export type WrittenModel = v.InferOutput<typeof modelSchema>;

export type WrittenModels =
  | { readonly type: "read"; readonly models: Readonly<Record<string, WrittenModel>> }
  | { readonly type: "broken"; readonly reason: string };

/** What people have written of their models, by name. */
export function readModels(content: string): WrittenModels {
  const parsed = parseJson(content);
  if (parsed.type === "broken") return { type: "broken", reason: `expected JSON: ${parsed.reason}` };
  // A list is an object, too, and its positions would pass for names.
  if (Array.isArray(parsed.value)) return { type: "broken", reason: "value: expected Object, found Array" };
  const checked = v.safeParse(modelsSchema, parsed.value);
  if (checked.success) return { type: "read", models: checked.output };
  return { type: "broken", reason: describeIssue(checked.issues) };
}
