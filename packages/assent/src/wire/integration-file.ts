import * as v from "valibot";
import { parseJson } from "./json.ts";
import { describeField, flag, json, list, optional, text } from "./schema.ts";

const checked = v.strictObject({ status: v.picklist(["passed", "missing", "failed"]), detail: text, at: text });

const acceptedTool = v.strictObject({
  name: text,
  offered: text,
  description: text,
  parameters: json,
  claims: list(text),
  digest: text,
  safe: flag,
});

const prompt = v.strictObject({
  name: text,
  description: text,
  arguments: list(v.strictObject({ name: text, description: text, required: flag })),
});

const accepted = v.strictObject({
  connected: flag,
  tools: list(acceptedTool),
  prompts: list(prompt),
  resources: flag,
  sampling: flag,
});

const configured = {
  name: text,
  service: text,
  fields: v.record(text, text),
  secrets: list(text),
  folder: optional(text),
  since: text,
  checked: v.nullable(checked),
  accepted: v.nullable(accepted),
};

/** The version of the file. */
const version = 1;
/** Strict: what this Assent does not know of a tool may be why it must not run. */
const saved = v.strictObject({ v: v.literal(version), ...configured });

export type SavedIntegration = Omit<v.InferOutput<typeof saved>, "v">;

export type DecodedIntegration =
  | { readonly type: "read"; readonly configured: SavedIntegration }
  | { readonly type: "broken"; readonly reason: string };

/** What was set up, as it is saved: for people to read, too, and without a secret. */
export function encodeIntegration(given: Readonly<SavedIntegration>): string {
  return `${JSON.stringify({ v: version, ...given }, null, 2)}\n`;
}

/** What is wrong is told without the values. */
export function decodeIntegration(content: string): DecodedIntegration {
  const parsed = parseJson(content);
  if (parsed.type === "broken") return { type: "broken", reason: "expected JSON, found something else" };
  const read = v.safeParse(saved, parsed.value);
  if (!read.success) return { type: "broken", reason: describeField(read.issues) };
  const { v: _version, ...rest } = read.output;
  return { type: "read", configured: rest };
}
