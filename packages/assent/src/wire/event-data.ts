import * as v from "valibot";
import { type EventData, violations } from "../core/index.ts";
import { grant, grantRule, grantUsed, savedScope } from "./grant.ts";
import { flow, interactionRequest, interactionResponse, questionDraft } from "./interaction.ts";
import { amount, count, flag, json, list, optional, type Same, text } from "./schema.ts";

export const person = v.object({ name: text, adapter: text });
export const turnLimit = v.union([count, v.literal("unlimited")]);
const off = v.nullable(amount);
const limits = v.object({
  turns: turnLimit,
  iterations: count,
  failures: count,
  silent: count,
  repeats: count,
  clock_ms: off,
  calls: off,
  tokens: off,
  iteration_tokens: off,
  cost: off,
});

const violation = v.picklist([...violations, "soft-offer"]);
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
    v.object({ ...beside, outcome: v.literal("answered"), fallback: optional(v.literal("overflow")) }),
    v.object({ ...beside, outcome: v.literal("completed"), status: completeStatus }),
    v.object({
      ...beside,
      outcome: v.picklist(["iteration-limit", "turn-limit", "budget", "stalled"]),
      bound,
    }),
    v.object({ ...beside, outcome: v.picklist(["stopped", "cancelled"]) }),
    v.object({ ...beside, outcome: v.literal("contract-violation"), violations: list(violation) }),
    v.object({
      ...beside,
      outcome: v.literal("failed"),
      reason: v.picklist(["model", "overflow", "failed-calls", "nobody"]),
      detail: text,
      bound: optional(bound),
    }),
  ]);
}

export const usage = v.object({ input: count, output: count, cached: count, cost: optional(amount) });
export const asks = v.variant("type", [
  v.object({
    type: v.literal("tool"),
    parallel: flag,
    command: optional(text),
    observes: optional(v.literal(true)),
  }),
  v.object({ type: v.literal("agentic"), objective: text }),
  v.object({ type: v.literal("complete"), result: text, status: completeStatus }),
  v.object({ type: v.literal("ask"), draft: questionDraft }),
  v.object({ type: v.literal("flow"), flow, runs: optional(v.literal(true)) }),
  v.object({ type: v.literal("invalid"), reason: text }),
]);
const call = v.object({ id: text, original: text, tool: text, arguments: text, asks });
const enteredCall = { tool: text, arguments: text, asks };
const reasoning = optional(v.object({ model: text, content: json }));
const historyMessage = v.variant("role", [
  v.object({ role: v.literal("user"), text }),
  v.object({
    role: v.literal("assistant"),
    text,
    calls: list(v.object({ id: text, original: text, tool: text, arguments: text })),
    reasoning,
  }),
  v.object({ role: v.literal("tool"), call: text, original: text, text, failed: flag }),
]);
const reply = v.object({
  text,
  calls: list(call),
  usage,
  reasoning,
  cut: optional(v.literal(true)),
});
export const failure = v.object({ class: text, detail: text, remedy: text, partial: text });
export const toolResult = v.object({
  type: v.picklist(["output", "error"]),
  text,
  exit: optional(amount),
  signal: optional(text),
  duration_ms: optional(amount),
  cwd: optional(text),
  files: optional(list(text)),
  more_files: optional(flag),
  diff: optional(text),
  seen: optional(list(v.object({ path: text, digest: text }))),
  launch: optional(text),
});
const offer = v.object({ part: text, rule: text });
const stepAnswer = v.variant("type", [
  v.object({ type: v.literal("selected"), options: list(text) }),
  v.object({ type: v.literal("free-text"), text }),
  v.object({ type: v.literal("set"), secret: text }),
]);
const purpose = v.variant("type", [
  v.object({ type: v.picklist(["question", "approval", "terminal-input"]), call: text }),
  v.object({ type: v.literal("grant"), call: text, scope: savedScope }),
  v.object({ type: v.literal("flow"), call: text, place: text }),
  v.object({ type: v.picklist(["final-text", "turn-limit"]) }),
]);
const answered = { interaction: text, response: interactionResponse, by: person, shown: v.nullable(text) };
const withdrawn = { interaction: text, state: v.literal("withdrawn") };

/** What each event carries beside type and time. */
export const eventData = {
  "session.created": v.object({ session: text, cwd: text, limits, model: optional(text) }),
  "session.forked": v.object({
    from: text,
    until: count,
    name: optional(text),
    history: list(historyMessage),
    addresses: optional(list(text)),
    unworked: optional(v.literal(true)),
  }),
  "session.renamed": v.object({ name: text, by: person }),
  "session.aborted": v.object({ reason: v.picklist(["turn-limit", "nobody"]) }),
  "limit.changed": v.object({ turns: optional(turnLimit), iterations: optional(count), by: person }),
  "context.changed": v.object({
    text,
    window: optional(v.nullable(count)),
    address: optional(text),
    before: optional(text),
  }),
  "prompt.queued": v.object({ waiting: text, text, by: person, command: optional(v.object(enteredCall)) }),
  "prompt.withdrawn": v.object({ waiting: text, by: person }),
  "steering.received": v.object({ waiting: text, text, by: person }),
  "steering.sent": v.object({ request: count, waiting: list(text) }),
  "steering.withdrawn": v.object({ waiting: text, by: person }),
  "exchange.started": v.object({
    exchange: count,
    prompt: text,
    by: person,
    waiting: optional(text),
    resumes: optional(count),
    compacts: optional(v.literal(true)),
  }),
  "exchange.ended": ending({ exchange: count, text, refused: optional(v.literal(true)) }),
  "turn.closed": v.object({ turn: count, counted: flag }),
  "run.started": v.object({ call: text, objective: text, iterations: optional(count) }),
  "run.ended": ending({}),
  "stop.requested": v.object({ exchange: count, mode: v.picklist(["graceful", "kill"]), by: person }),
  "model.replied": v.object({
    request: count,
    reply,
    hidden: optional(v.literal(true)),
    question: optional(questionDraft),
    offer: optional(offer),
  }),
  "model.abandoned": v.object({ request: count, partial: optional(text) }),
  "model.failed": v.object({
    request: count,
    failure,
    next: v.picklist(["shorten", "compact", "converse", "send", "end"]),
  }),
  "reply.discarded": v.object({ request: count, reply, violations: list(violation), offer: optional(offer) }),
  "history.outgrown": v.object({ tokens: count, window: count }),
  "history.compacted": v.union([
    v.object({ request: count, summary: text, usage }),
    v.object({ shortened: v.object({ keep: count, most: count, all: optional(v.literal(true)) }) }),
  ]),
  "command.entered": v.union([
    v.object({ exchange: count, call: text, ...enteredCall }),
    v.object({ command: text, by: person }),
  ]),
  "command.launched": v.object({ call: text, by: person }),
  "flow.started": v.object({ call: text, flow: optional(flow) }),
  "flow.changed": v.object({ call: text, answers: list(v.object({ key: text, answer: stepAnswer })), choosing: flag }),
  "flow.ended": v.object({
    call: text,
    end: v.picklist(["confirmed", "cancelled", "aborted", "expired", "stopped", "nobody", "call-ended", "taken-back"]),
  }),
  "call.judged": v.object({
    call: text,
    verdict: v.picklist(["allow", "ask", "deny"]),
    rule: text,
    reason: text,
    digest: text,
    facts: json,
    grant: optional(grantRule),
    granted: optional(grantUsed),
  }),
  "call.cleared": v.object({ call: text }),
  "call.refused": v.object({
    call: text,
    why: v.picklist(["policy", "person", "cancelled", "aborted", "expired", "stopped", "nobody", "changed"]),
    reason: text,
  }),
  "call.skipped": v.object({
    call: text,
    why: v.picklist(["ending", "run-opened", "after-complete", "cancelled", "stopped"]),
    reason: text,
  }),
  "call.invalid": v.object({ call: text, reason: text }),
  "call.started": v.object({ call: text, digest: text }),
  "call.finished": v.object({ call: text, result: toolResult }),
  "call.unknown": v.object({ call: text }),
  "interaction.requested": v.object({ request: interactionRequest, purpose }),
  "interaction.rejected": v.object({
    interaction: text,
    attempt: count,
    code: v.picklist(["invalid_option", "free_text_not_allowed", "cancel_not_allowed", "invalid_response"]),
    detail: text,
    answer_id: optional(text),
    by: person,
  }),
  "interaction.resolved": v.variant("state", [
    v.object({ ...answered, state: v.picklist(["answered", "declined", "cancelled"]) }),
    v.object({ interaction: text, state: v.literal("aborted"), by: person }),
    v.variant("reason", [
      v.object({
        ...withdrawn,
        reason: v.picklist(["stopped", "limit-changed", "call-ended", "taken-back", "secret-lost"]),
      }),
      v.object({
        ...withdrawn,
        reason: v.literal("nobody"),
        unattended: v.picklist(["deny", "park", "abort"]),
      }),
    ]),
  ]),
  "interaction.expired": v.object({ interaction: text }),
  "grant.added": v.object({ grant, call: text, by: person }),
  "grant.removed": v.object({ grant: text, by: person }),
  "grant.failed": v.object({ grant: text, call: text, reason: text }),
  "terminal.opened": v.object({ cwd: text }),
  "terminal.closed": v.object({ cwd: text, lost: optional(v.literal(true)) }),
  "process.started": v.object({ process: text, pid: count, since: amount, command: text }),
  "process.ended": v.object({ process: text, exit: optional(amount) }),
  "process.kept": v.object({ process: text, by: person }),
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
