import * as v from "valibot";
import type { Flow, ToolResult } from "../core/index.ts";
import { eventData } from "./event-data.ts";
import { readFlow } from "./foreign.ts";
import { grantRule } from "./grant.ts";
import { parseJson, type ReadJson, readJson } from "./json.ts";
import { optional, text } from "./schema.ts";

/** The policy's word on one call, as a scenario has it: with the change it was about, since no file is there to tell. */
export type JudgedLine = v.InferOutput<typeof judgedLine>;

const judgedLine = v.strictObject({
  verdict: v.picklist(["allow", "ask", "deny"]),
  rule: text,
  reason: text,
  /** By what rule a person could allow it for longer. */
  grant: optional(grantRule),
  change: optional(v.strictObject({ path: text, diff: text })),
});

/** A field that is misspelled in a file must not pass for one that is left out. */
const resultLine = v.strictObject(eventData["call.finished"].entries.result.entries);

export function readJudgedLine(given: string): ReadJson<JudgedLine> {
  return readJson(judgedLine, given);
}

export function readResultLine(given: string): ReadJson<ToolResult> {
  return readJson(resultLine, given);
}

/** The questions of a file, on one line. */
export function readFlowLine(given: string): ReadJson<Flow> {
  const parsed = parseJson(given);
  if (parsed.type === "broken") return { type: "broken", reason: `expected JSON: ${parsed.reason}` };
  const flow = readFlow(parsed.value);
  return flow.type === "read" ? flow : { type: "broken", reason: flow.refusal.detail };
}
