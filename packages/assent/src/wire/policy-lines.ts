import * as v from "valibot";
import { parseJson, readJson } from "./json.ts";
import { describeIssue, optional, text } from "./schema.ts";

/** A command to be judged, where it would run, and whose home is whose (APPR-8). */
const checkSchema = v.object({ command: text, cwd: text, home: optional(text) });

export type CheckLine =
  | { readonly type: "read"; readonly command: string; readonly cwd: string; readonly home?: string | undefined }
  | { readonly type: "broken"; readonly reason: string };

/** `null` stands for a line that was too long to be kept. */
export function readCheckLine(line: string | null): CheckLine {
  if (line === null) return { type: "broken", reason: "the line is too long" };
  const parsed = parseJson(line.replace(/^\ufeff/, ""));
  if (parsed.type === "broken") return { type: "broken", reason: `expected JSON: ${parsed.reason}` };
  const checked = v.safeParse(checkSchema, parsed.value);
  if (checked.success && !checked.output.cwd.startsWith("/")) {
    return { type: "broken", reason: `cwd: expected an absolute path, found ${JSON.stringify(checked.output.cwd)}` };
  }
  if (checked.success) return { type: "read", ...checked.output };
  return { type: "broken", reason: `expected {"command", "cwd"}: ${describeIssue(checked.issues)}` };
}

const words = v.pipe(v.array(v.union([text, v.pipe(v.array(text), v.minLength(1))])), v.minLength(1));
const ruleSchema = v.strictObject({
  name: text,
  command: words,
  verdict: v.picklist(["ask", "deny"]),
  reason: text,
  examples: v.strictObject({
    match: v.pipe(v.array(text), v.minLength(1)),
    differ: v.pipe(v.array(text), v.minLength(1)),
  }),
});
const rulesSchema = v.strictObject({ rules: v.array(ruleSchema) });

export type WrittenRules =
  | { readonly type: "read"; readonly rules: v.InferOutput<typeof rulesSchema>["rules"] }
  | { readonly type: "broken"; readonly reason: string };

/** A file of rules that people have written. */
export function readRules(content: string): WrittenRules {
  const read = readJson(rulesSchema, content);
  return read.type === "broken" ? read : { type: "read", rules: read.value.rules };
}
