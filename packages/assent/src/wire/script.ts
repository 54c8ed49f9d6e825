import * as v from "valibot";
import type { Usage } from "../core/index.ts";
import { parseJson } from "./json.ts";
import { amount, count, describeIssue, type Issues, list, optional, type Same, text } from "./schema.ts";

/** One line of a script: what the scripted model does with one request. One of the first four must be there. */
export type ScriptedReply = {
  readonly text?: string;
  /** `arguments` is an object as a model means it, or a text as it may really come; an id is made up where none is given. */
  readonly calls?: readonly {
    readonly tool: string;
    readonly arguments: string | Readonly<Record<string, unknown>>;
    readonly id?: string;
  }[];
  /** The model fails. */
  readonly failure?: {
    readonly class: string;
    readonly detail: string;
    readonly remedy?: string;
    readonly partial?: string;
  };
  /** The request is too long, in these words. */
  readonly overflow?: string;
  readonly usage?: Usage;
  /** The text is the model's own refusal. */
  readonly refusal?: true;
  /** So long it takes to answer. */
  readonly delay_ms?: number;
};

const call = v.strictObject({
  tool: text,
  arguments: v.union([text, v.record(text, v.unknown())]),
  id: optional(text),
});
const usage = v.strictObject({ input: count, output: count, cached: count, cost: optional(amount) });
const failure = v.strictObject({ class: text, detail: text, remedy: optional(text), partial: optional(text) });

const scriptedReply = v.pipe(
  v.strictObject({
    text: optional(text),
    calls: optional(list(call)),
    usage: optional(usage),
    failure: optional(failure),
    overflow: optional(text),
    refusal: optional(v.literal(true)),
    delay_ms: optional(v.pipe(count, v.maxValue(3_600_000))),
  }),
  v.check(
    (reply) => "text" in reply || "calls" in reply || "failure" in reply || "overflow" in reply,
    "one of text, calls, failure, overflow",
  ),
);

true satisfies Same<v.InferOutput<typeof scriptedReply>, ScriptedReply>;

/** A script, or the first line that is wrong and why. */
export type ReadScript =
  | { readonly type: "script"; readonly replies: readonly ScriptedReply[] }
  | { readonly type: "broken"; readonly line: number; readonly reason: string };

/** A script is JSON lines, one a request; blank lines and lines that begin with # are passed over. */
export function readScript(script: string): ReadScript {
  const replies: ScriptedReply[] = [];
  for (const [index, line] of script.split("\n").entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue;
    const parsed = parseJson(line);
    if (parsed.type === "broken") return { type: "broken", line: index + 1, reason: `expected JSON: ${parsed.reason}` };
    const checked = v.safeParse(scriptedReply, parsed.value);
    if (!checked.success) return { type: "broken", line: index + 1, reason: describeReply(checked.issues) };
    replies.push(checked.output);
  }
  return { type: "script", replies };
}

function describeReply(issues: Issues): string {
  const [issue] = issues;
  return issue.type === "check" ? `expected ${issue.message}, found none` : describeIssue(issues);
}
