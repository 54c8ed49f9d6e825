import * as v from "valibot";
import { parseJson } from "./json.ts";
import { describeIssue, flag, list, optional, text } from "./schema.ts";

const name = v.pipe(text, v.regex(/^[a-z0-9][a-z0-9-]{0,23}$/, "lower-case letters, digits and dashes, at most 24"));
const key = v.pipe(text, v.regex(/^[a-z][a-z0-9_]{0,39}$/, "lower-case letters, digits and _"));
const said = v.pipe(text, v.regex(/\S/, "a text"));
const texts = v.record(text, text);

const field = v.strictObject({
  key,
  question: said,
  secret: optional(flag, false),
  pattern: optional(said),
  expected: optional(said),
  find: optional(said),
  usual: optional(said),
  optional: optional(v.literal(true)),
});

const verify = v.strictObject({
  method: optional(v.picklist(["GET", "POST"]), "GET"),
  url: said,
  headers: optional(texts, {}),
  body: optional(text),
  expect: optional(
    v.strictObject({ status: v.pipe(list(v.pipe(v.number(), v.integer())), v.minLength(1)), contains: optional(said) }),
    { status: [200] },
  ),
});

const httpTool = v.strictObject({
  name: v.pipe(text, v.regex(/^[a-z][a-z0-9_]{0,31}$/, "lower-case letters, digits and _, at most 32")),
  description: said,
  url: said,
  parameters: optional(v.record(key, v.strictObject({ description: said, optional: optional(v.literal(true)) })), {}),
});

const tools = v.variant("type", [
  v.strictObject({ type: v.literal("none") }),
  v.strictObject({
    type: v.literal("mcp-command"),
    command: v.pipe(list(said), v.minLength(1)),
    env: optional(texts, {}),
  }),
  v.strictObject({ type: v.literal("mcp-url"), url: said, headers: optional(texts, {}) }),
  v.strictObject({ type: v.literal("mcp-given"), address: key, token: key }),
  v.strictObject({
    type: v.literal("http"),
    headers: optional(texts, {}),
    tools: v.pipe(list(httpTool), v.minLength(1), v.maxLength(20)),
  }),
]);

/** Strict: a misspelt field is told, for left out it may make an open question of a secret one. */
const entry = v.strictObject({
  name,
  title: said,
  aliases: optional(list(name), []),
  about: said,
  fields: optional(v.pipe(list(field), v.maxLength(7)), []),
  verify: optional(v.nullable(verify), null),
  tools: optional(tools, { type: "none" }),
  named: optional(flag, false),
});

export type WrittenEntry = v.InferOutput<typeof entry>;

export type ReadEntry =
  | { readonly type: "read"; readonly entry: WrittenEntry }
  | { readonly type: "broken"; readonly reason: string };

/** An entry of the catalogue as a person writes it in a file (INTG-1). Its templates are not judged here. */
export function readCatalogueEntry(content: string): ReadEntry {
  const parsed = parseJson(content.replace(/^\ufeff/, ""));
  if (parsed.type === "broken") return { type: "broken", reason: `expected JSON: ${parsed.reason}` };
  if (Array.isArray(parsed.value)) return { type: "broken", reason: "value: expected Object, found Array" };
  const checked = v.safeParse(entry, parsed.value);
  if (checked.success) return { type: "read", entry: checked.output };
  return { type: "broken", reason: describeIssue(checked.issues) };
}
