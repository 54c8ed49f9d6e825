import * as v from "valibot";
import type { AuditRecord } from "../core/index.ts";
import type {
  ApiAccepted,
  ApiAnswered,
  ApiAudit,
  ApiCreated,
  ApiCreation,
  ApiError,
  ApiGrants,
  ApiInteraction,
  ApiInteractions,
  ApiLogin,
  ApiMe,
  ApiPrompt,
  ApiReply,
  ApiSession,
  ApiSessionDetail,
  ApiSessions,
  ApiSignedIn,
  ApiStop,
} from "./api-types.ts";
import { person, turnLimit, usage } from "./event-data.ts";
import { grant } from "./grant.ts";
import { interactionRequest, interactionResponse } from "./interaction.ts";
import { amount, count, describeField, flag, json, list, optional, type Same, text } from "./schema.ts";
import { role } from "./token.ts";

export type * from "./api-types.ts";

/**
 * What goes over HTTP (SRV-1): the server checks what comes in by these, and its OpenAPI document is made from them. What each
 * field means stands at its type, in `api-types.ts`, which is also the client's; the end of this file holds the two together.
 */
const nullable = v.nullable;
const outcome = v.picklist([
  ...(["answered", "completed", "iteration-limit", "turn-limit", "budget", "stalled"] as const),
  ...(["stopped", "cancelled", "failed", "contract-violation"] as const),
]);
const limits = { turns: optional(turnLimit), iterations: optional(count) };

export const apiMe = v.object({ name: text, role });

export const apiLogin = v.union([
  v.strictObject({ token: text, bind: optional(flag) }),
  v.strictObject({ ticket: text, bind: optional(flag) }),
]);
export const apiSignedIn = v.object({ name: text, role, key: optional(text) });

const summary = {
  session: text,
  name: nullable(text),
  cwd: text,
  status: v.picklist(["active", "aborted"]),
  created: amount,
  changed: amount,
  events: count,
  prompt: nullable(text),
  outcome: nullable(outcome),
  open: flag,
  interaction: nullable(text),
  holder: nullable(v.object({ pid: count })),
};
const apiSession = v.object(summary);
export const apiSessions = v.object({ sessions: list(apiSession), total: count, damage: list(text) });

const exchange = v.object({
  ordinal: count,
  prompt: text,
  by: person,
  replies: count,
  run: nullable(v.object({ objective: text, iterations: count })),
  stop: nullable(v.picklist(["graceful", "kill"])),
});
const waiting = v.object({ id: text, type: v.picklist(["steering", "prompt", "command"]), text, held: flag });
export const apiSessionDetail = v.object({
  ...summary,
  model: nullable(text),
  limits: v.object({ turns: turnLimit, iterations: count }),
  turns: count,
  usage,
  exchange: nullable(exchange),
  waiting: list(waiting),
  grants: list(grant),
});

export const apiCreation = v.strictObject({
  cwd: optional(text),
  model: optional(text),
  name: optional(text),
  limits: optional(v.strictObject(limits)),
  prompt: optional(text),
});
export const apiCreated = v.object({ session: text });

export const apiPrompt = v.strictObject({ text, delivery: optional(v.picklist(["now", "next"])) });
export const apiStop = v.strictObject({ mode: optional(v.picklist(["graceful", "kill"])) });
export const apiAccepted = v.object({ accepted: v.literal(true), seq: count });

/** Events as `--json` prints them. */
export const apiEvents = v.object({ events: list(json), newest: count });

const interactionStates = [
  ...(["open", "waiting", "answered", "declined", "cancelled"] as const),
  ...(["expired", "aborted", "withdrawn"] as const),
] as const;
const winner = v.object({
  state: text,
  at: amount,
  by: optional(person),
  response: optional(interactionResponse),
  reason: optional(text),
});
export const apiInteraction = v.object({
  session: text,
  session_name: nullable(text),
  cwd: text,
  at: amount,
  state: v.picklist(interactionStates),
  request: interactionRequest,
  attempts: optional(count),
  resolution: optional(winner),
});
export const apiInteractions = v.object({ interactions: list(apiInteraction), total: count, damage: list(text) });

export const apiAnswered = v.object({ accepted: v.literal(true), replayed: flag, seq: count });
export const apiReply = v.strictObject({ line: text });

const purpose = v.picklist([
  ...(["question", "approval", "terminal-input", "grant", "flow", "final-text", "turn-limit"] as const),
]);

const recorded = { at: amount, event: count };
const auditRecord = v.object({
  call: text,
  at: amount,
  by: nullable(person),
  tool: text,
  what: text,
  judged: nullable(v.object(recorded)),
  verdict: nullable(v.picklist(["allow", "ask", "deny"])),
  rule: nullable(text),
  reason: nullable(text),
  digest: nullable(text),
  grant: nullable(text),
  answers: list(
    v.object({
      ...{ interaction: text, about: purpose, state: text, by: nullable(person) },
      ...{ shown: nullable(text), subject: nullable(text), said: text, ...recorded },
    }),
  ),
  started: nullable(v.object({ ...recorded, digest: text })),
  end: v.picklist(["finished", "failed", "refused", "skipped", "invalid", "unknown", "open"]),
  ended: nullable(v.object(recorded)),
  exit: nullable(amount),
  signal: nullable(text),
  events: list(count),
});
const chainBreak = v.object({
  seq: v.number(),
  what: v.picklist(["changed", "hash", "misplaced", "missing", "unhashed", "unreadable", "cut", "noted", "unlisted"]),
  reason: text,
  type: nullable(text),
  call: nullable(text),
});
export const apiAudit = v.object({
  session: text,
  records: list(auditRecord),
  chain: v.object({ events: count, before: count, head: nullable(text), breaks: list(chainBreak), more: count }),
});
true satisfies Same<v.InferOutput<typeof auditRecord>, AuditRecord>;

export const apiGrants = v.object({ grants: list(grant), damage: list(text) });

export const apiError = v.object({
  error: v.object({
    code: text,
    detail: text,
    attempt: optional(count),
    aborted: optional(flag),
    winner: optional(winner),
  }),
});

export type ReadApi<S extends v.GenericSchema> = v.InferOutput<S>;

/** A body as its schema has it, or what is wrong with it; what came is not repeated, it may be a secret. */
export function readApi<const S extends v.GenericSchema>(
  schema: S,
  value: unknown,
): { readonly value: ReadApi<S> } | { readonly reason: string } {
  const checked = v.safeParse(schema, value);
  return checked.success ? { value: checked.output } : { reason: describeField(checked.issues) };
}

true satisfies Same<v.InferOutput<typeof apiMe>, ApiMe>;
true satisfies Same<v.InferOutput<typeof apiLogin>, ApiLogin>;
true satisfies Same<v.InferOutput<typeof apiSignedIn>, ApiSignedIn>;
true satisfies Same<v.InferOutput<typeof apiSession>, ApiSession>;
true satisfies Same<v.InferOutput<typeof apiSessions>, ApiSessions>;
true satisfies Same<v.InferOutput<typeof apiSessionDetail>, ApiSessionDetail>;
true satisfies Same<v.InferOutput<typeof apiCreation>, ApiCreation>;
true satisfies Same<v.InferOutput<typeof apiCreated>, ApiCreated>;
true satisfies Same<v.InferOutput<typeof apiPrompt>, ApiPrompt>;
true satisfies Same<v.InferOutput<typeof apiStop>, ApiStop>;
true satisfies Same<v.InferOutput<typeof apiAccepted>, ApiAccepted>;
true satisfies Same<v.InferOutput<typeof apiInteraction>, ApiInteraction>;
true satisfies Same<v.InferOutput<typeof apiInteractions>, ApiInteractions>;
true satisfies Same<v.InferOutput<typeof apiAnswered>, ApiAnswered>;
true satisfies Same<v.InferOutput<typeof apiReply>, ApiReply>;
true satisfies Same<v.InferOutput<typeof apiAudit>, ApiAudit>;
true satisfies Same<v.InferOutput<typeof apiGrants>, ApiGrants>;
true satisfies Same<v.InferOutput<typeof apiError>, ApiError>;
