import * as v from "valibot";
import type { EventData } from "../core/index.ts";
import { interactionRequest, interactionResponse, questionDraft } from "./interaction.ts";
import { amount, count, flag, json, list, optional, type Same, text } from "./schema.ts";

const person = v.strictObject({ name: text, adapter: text });
const turnLimit = v.union([count, v.literal("unlimited")]);
const off = v.nullable(amount);
const limits = v.strictObject({
  turns: turnLimit,
  iterations: count,
  failures: count,
  silent: count,
  repeats: count,
  clock: off,
  calls: off,
  tokens: off,
  iteration_tokens: off,
  cost: off,
});

const violation = v.picklist([
  "instruction-empty",
  "instruction-not-one-line",
  "instruction-too-long",
  "too-many-options",
  "no-way-to-answer",
  "option-empty",
  "option-too-long",
  "options-alike",
]);
const bound = v.picklist([
  "iterations",
  "turns",
  "clock",
  "calls",
  "tokens",
  "iteration-tokens",
  "cost",
  "failed-calls",
  "silent-replies",
  "repeated-calls",
]);
const completeStatus = v.picklist(["success", "failure", "partial"]);

/** The endings of a run or exchange, each with the fields that stand beside it in its event. */
function ending<const E extends v.ObjectEntries>(beside: E) {
  return v.variant("outcome", [
    v.strictObject({ ...beside, outcome: v.literal("answered"), fallback: optional(v.literal("overflow")) }),
    v.strictObject({ ...beside, outcome: v.literal("completed"), status: completeStatus }),
    v.strictObject({
      ...beside,
      outcome: v.picklist(["iteration-limit", "turn-limit", "budget", "stalled"]),
      bound,
    }),
    v.strictObject({ ...beside, outcome: v.picklist(["stopped", "cancelled"]) }),
    v.strictObject({ ...beside, outcome: v.literal("contract-violation"), violations: list(violation) }),
    v.strictObject({
      ...beside,
      outcome: v.literal("failed"),
      reason: v.picklist(["model", "overflow", "failed-calls", "nobody"]),
      detail: text,
      bound: optional(bound),
    }),
  ]);
}

const usage = v.strictObject({ input: count, output: count, cached: count, cost: optional(amount) });
const asks = v.variant("type", [
  v.strictObject({ type: v.literal("tool"), parallel: flag, command: optional(text) }),
  v.strictObject({ type: v.literal("agentic"), objective: text }),
  v.strictObject({ type: v.literal("complete"), result: text, status: completeStatus }),
  v.strictObject({ type: v.literal("ask"), draft: questionDraft }),
  v.strictObject({ type: v.literal("invalid"), reason: text }),
]);
const call = v.strictObject({ id: text, original: text, tool: text, arguments: text, asks });
const reply = v.strictObject({ text, calls: list(call), usage });
const failure = v.strictObject({ class: text, detail: text, remedy: text, partial: text });
const toolResult = v.strictObject({
  type: v.picklist(["output", "error"]),
  text,
  exit: optional(v.number()),
  cwd: optional(text),
  files: optional(list(text)),
  more_files: optional(flag),
});
const purpose = v.variant("type", [
  v.strictObject({ type: v.picklist(["question", "approval", "terminal-input"]), call: text }),
  v.strictObject({ type: v.literal("turn-limit") }),
]);
const answered = { interaction: text, response: interactionResponse, by: person, shown: v.nullable(text) };
const withdrawn = { interaction: text, state: v.literal("withdrawn") };

/** What each event carries beside type and time. */
export const eventData = {
  "session.created": v.strictObject({ session: text, cwd: text, limits }),
  "session.renamed": v.strictObject({ name: text, by: person }),
  "session.aborted": v.strictObject({ reason: v.picklist(["turn-limit", "nobody"]) }),
  "limit.changed": v.strictObject({ turns: turnLimit, by: person }),
  "context.changed": v.strictObject({ text }),
  "prompt.queued": v.strictObject({ waiting: text, text, by: person }),
  "prompt.withdrawn": v.strictObject({ waiting: text, by: person }),
  "steering.received": v.strictObject({ waiting: text, text, by: person }),
  "steering.delivered": v.strictObject({ waiting: list(text) }),
  "steering.withdrawn": v.strictObject({ waiting: text, by: person }),
  "exchange.started": v.strictObject({ exchange: count, prompt: text, by: person, waiting: optional(text) }),
  "exchange.ended": ending({ exchange: count, text }),
  "turn.closed": v.strictObject({ turn: count, counted: flag }),
  "run.started": v.strictObject({ call: text, objective: text }),
  "run.ended": ending({}),
  "stop.requested": v.strictObject({ mode: v.picklist(["graceful", "kill"]), by: person }),
  "model.replied": v.strictObject({ request: count, turn: count, reply }),
  "model.failed": v.strictObject({ request: count, failure, next: v.picklist(["compact", "converse", "end"]) }),
  "reply.discarded": v.strictObject({ request: count, reply, violations: list(violation) }),
  "history.compacted": v.strictObject({ request: count, summary: text, usage }),
  "call.judged": v.strictObject({
    call: text,
    verdict: v.picklist(["allow", "ask", "deny"]),
    rule: text,
    reason: text,
    digest: text,
    facts: json,
  }),
  "call.cleared": v.strictObject({ call: text }),
  "call.refused": v.strictObject({ call: text, reason: text }),
  "call.skipped": v.strictObject({ call: text, reason: text }),
  "call.invalid": v.strictObject({ call: text, reason: text }),
  "call.started": v.strictObject({ call: text, digest: text }),
  "call.finished": v.strictObject({ call: text, result: toolResult }),
  "call.unknown": v.strictObject({ call: text }),
  "interaction.requested": v.strictObject({ request: interactionRequest, purpose }),
  "interaction.rejected": v.strictObject({
    interaction: text,
    attempt: count,
    code: v.picklist(["invalid_option", "free_text_not_allowed", "cancel_not_allowed", "invalid_response"]),
    detail: text,
    by: person,
  }),
  "interaction.resolved": v.variant("state", [
    v.strictObject({ ...answered, state: v.picklist(["answered", "declined", "cancelled"]) }),
    v.strictObject({ interaction: text, state: v.literal("aborted"), by: person }),
    v.variant("reason", [
      v.strictObject({ ...withdrawn, reason: v.picklist(["stopped", "limit-changed", "call-ended"]) }),
      v.strictObject({
        ...withdrawn,
        reason: v.literal("nobody"),
        unattended: v.picklist(["deny", "park", "abort"]),
      }),
    ]),
  ]),
  "interaction.expired": v.strictObject({ interaction: text }),
  "terminal.opened": v.strictObject({ cwd: text }),
  "terminal.closed": v.strictObject({ cwd: text }),
  "process.started": v.strictObject({ pid: count, command: text }),
  "process.ended": v.strictObject({ pid: count }),
};

type Schemas = typeof eventData;
/** The events whose type and schema differ, so that the compiler names them. */
type Drifted = {
  [K in keyof EventData | keyof Schemas]: K extends keyof EventData & keyof Schemas
    ? Same<v.InferOutput<Schemas[K]>, EventData[K]> extends true
      ? never
      : K
    : K;
}[keyof EventData | keyof Schemas];
true satisfies [Drifted] extends [never] ? true : Drifted;
