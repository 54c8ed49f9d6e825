import * as v from "valibot";
import type { EventType, Flow, ToolResult } from "../core/index.ts";
import { parseJson } from "./arguments.ts";
import { eventData } from "./event-data.ts";
import { readFlow } from "./foreign.ts";
import { grantRule } from "./grant.ts";
import { describeIssue, optional, text } from "./schema.ts";

/** The policy's word on one call, as a scenario has it: with the change it was about, since no file is there to tell. */
export type JudgedLine = v.InferOutput<typeof judgedLine>;

export type ReadScenarioLine<T> =
  | { readonly type: "read"; readonly value: T }
  | { readonly type: "broken"; readonly reason: string };

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

export function readJudgedLine(given: string): ReadScenarioLine<JudgedLine> {
  return read(judgedLine, given);
}

export function readResultLine(given: string): ReadScenarioLine<ToolResult> {
  return read(resultLine, given);
}

/** The questions of a file, on one line. */
export function readFlowLine(given: string): ReadScenarioLine<Flow> {
  const parsed = parseJson(given);
  if (parsed.type === "broken") return { type: "broken", reason: `expected JSON: ${parsed.reason}` };
  const flow = readFlow(parsed.value);
  return flow.type === "read" ? flow : { type: "broken", reason: flow.refusal.detail };
}

function read<const S extends v.GenericSchema>(schema: S, given: string): ReadScenarioLine<v.InferOutput<S>> {
  const parsed = parseJson(given);
  if (parsed.type === "broken") return { type: "broken", reason: `expected JSON: ${parsed.reason}` };
  const checked = v.safeParse(schema, parsed.value);
  if (checked.success) return { type: "read", value: checked.output };
  return { type: "broken", reason: describeIssue(checked.issues) };
}

/** Whether events of that type are recorded. */
export function isEventName(name: string): name is EventType {
  return Object.hasOwn(eventData, name);
}
