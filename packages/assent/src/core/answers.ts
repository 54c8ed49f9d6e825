import { type Deciders, type Draft, refuse } from "./draft.ts";
import type { Person } from "./events.ts";
import { advanceFlow, flowMove, refuseAsking } from "./flows.ts";
import { approve } from "./granting.ts";
import type { InputOf, Refusal } from "./inputs.ts";
import {
  type Answer,
  answerText,
  checkResponse,
  type InteractionResponse,
  type InvalidCode,
  mostAttempts,
  parseReply,
  questionRequest,
  type Reply,
  recordedResponse,
  recordedSecret,
  sameAnswer,
} from "./interaction/index.ts";
import { findLast } from "./log.ts";
import { consequences, requestInteraction, resolve, withdraw } from "./questions.ts";
import { asksForRunning, type Interaction, openInteraction, type ResolvedInteraction, type Session } from "./state.ts";
import { requestStop } from "./stop.ts";

export const answerDeciders: Deciders<"reply" | "response" | "nobody" | "input-request"> = {
  reply: decideReply,
  response: decideResponse,
  nobody: (draft, input) => {
    const interaction = openInteraction(draft.session);
    // Someone may have answered meanwhile: then the next question is not meant.
    if (interaction?.request.interaction_id !== input.interaction) return null;
    // A call that runs and waits for an answer cannot be parked: it would hold its process for ever.
    if (input.unattended === "park" && !asksForRunning(draft.session, interaction)) return null;
    withdraw(draft, interaction, { reason: "nobody", unattended: input.unattended });
    return null;
  },
  "input-request": (draft, input) => {
    const { call, draft: asked } = input;
    const refusal = refuseAsking(draft.session, call);
    if (refusal !== null) return refusal;
    requestInteraction(draft, { type: "terminal-input", call }, (id) => questionRequest(id, asked));
    return null;
  },
};

function decideReply(draft: Draft, input: InputOf<"reply">): Refusal | null {
  const found = findOpen(draft.session, input.interaction);
  if (found.type === "refused") return found.refusal;
  const { interaction } = found;
  const flow = interaction.purpose.type === "flow" ? (draft.session.flow?.flow ?? null) : null;
  const reply = parseReply(interaction.request, input.line, { flow });
  switch (reply.type) {
    case "stop":
      return requestStop(draft, "graceful", input.by);
    case "flow-cancel":
      return accept(draft, interaction, { type: "cancelled" }, { ...input, response: cancellation(interaction) });
    case "invalid":
      return reject(draft, interaction, input, { code: "invalid_response", detail: reply.detail });
    case "response":
      return check(draft, interaction, { ...input, response: reply.response });
    case "compact":
      return acceptCompact(draft, interaction, reply, input);
    case "command":
      // It is run by who knows how to; here it is no answer, and costs no attempt (ANS-0, ANS-10).
      return refuse("invalid_response", commandTold(reply.name));
    default:
      return reply satisfies never;
  }
}

function decideResponse(draft: Draft, input: InputOf<"response">): Refusal | null {
  if (isRepeat(draft.session, input)) return null;
  const found = findOpen(draft.session, input.response.interaction_id);
  if (found.type === "refused") return found.refusal;
  return check(draft, found.interaction, input);
}

function commandTold(name: string): string {
  return name === "text"
    ? "usage: /text <text>"
    : `/${name} is a command of the shell, not an answer; /text takes it as one`;
}

type Given = {
  readonly response: InteractionResponse;
  readonly by: Person;
  readonly shown: string | null;
  readonly secret?: string;
};

function check(draft: Draft, interaction: Interaction, given: Given): Refusal | null {
  const checked = checkResponse(interaction.request, given.response);
  if (checked.type === "malformed") return refuse("invalid_response", checked.detail);
  if (checked.type === "invalid") return reject(draft, interaction, given, checked);
  return accept(draft, interaction, checked.answer, given);
}

function accept(draft: Draft, interaction: Interaction, answer: Answer, given: Given): null {
  const { by, shown } = given;
  const { purpose, request } = interaction;
  const secret = keepSecret(draft, interaction, answer, given);
  const response = recordedResponse(request, answer, given.response, secret);
  const move = purpose.type === "flow" ? flowMove(draft.session, { answer, secret }) : null;
  if (answer.type === "cancelled" || move?.type === "cancelled") {
    resolve(draft, interaction, { state: "cancelled", response, by, shown });
    consequences(draft, interaction, "cancelled");
    return null;
  }
  const no = declines(interaction, answer);
  resolve(draft, interaction, { state: no === null ? "answered" : "declined", response, by, shown });
  if (move !== null) advanceFlow(draft, move);
  release(draft, interaction, { answer, by, no });
  return null;
}

/** What an answer lets happen, or not, beside a flow's next question. */
function release(
  draft: Draft,
  interaction: Interaction,
  { answer, by, no }: { readonly answer: Answer; readonly by: Person; readonly no: string | null },
): void {
  const { purpose, request } = interaction;
  if (purpose.type === "question") {
    const text = request.sensitive ? "set" : answerText(request, answer);
    draft.emit({ type: "call.finished", call: purpose.call, result: { type: "output", text } });
  }
  if (purpose.type === "approval") {
    if (no === null) approve(draft, interaction, { answer, by });
    else draft.emit({ type: "call.refused", call: purpose.call, why: "person", reason: no });
  }
  // Without the rule, the call has its yes all the same.
  if (purpose.type === "grant" && no !== null) draft.emit({ type: "call.cleared", call: purpose.call });
  if (purpose.type === "turn-limit" && no !== null) consequences(draft, interaction, "cancelled");
}

/** Several steps of a flow in one line: it answers the open question, whichever of them that is (FLOW-4). */
function acceptCompact(
  draft: Draft,
  interaction: Interaction,
  { applied, rejected }: Extract<Reply, { type: "compact" }>,
  { by, shown }: InputOf<"reply">,
): null {
  const compact = { applied: applied.map(({ key }) => key), rejected };
  const { interaction_id } = interaction.request;
  const response = { interaction_id, cancelled: false, metadata: { compact } };
  resolve(draft, interaction, { state: "answered", response, by, shown });
  const move = flowMove(draft.session, { answer: { type: "compact", applied }, secret: "" });
  if (move.type !== "cancelled") advanceFlow(draft, move);
  return null;
}

/**
 * The value goes to the secret store, its name there to the journal (INT-2). A call that only asks ends with its answer, and
 * nothing is left that could want the value: it is not kept at all.
 */
function keepSecret(draft: Draft, { request, purpose }: Interaction, answer: Answer, { secret = "0" }: Given): string {
  const wanted = purpose.type === "flow" || purpose.type === "terminal-input";
  if (!request.sensitive || !wanted || answer.type !== "free-text") return "";
  const name = `${request.interaction_id}.${secret}`;
  draft.keep({ name, value: answer.text });
  return name;
}

/**
 * The words of a no, or `null`. Where a yes lets something happen, only an explicit yes is one: free text at an approval
 * is a no that says why (ANS-3), and so is any option that does not say yes.
 */
function declines({ purpose, request }: Interaction, answer: Answer): string | null {
  if (!["approval", "grant", "turn-limit"].includes(purpose.type)) return null;
  if (answer.type === "confirmed" && answer.confirmed) return null;
  if (answer.type === "free-text") return answer.text;
  return answer.type === "selected" ? `the person chose ${answerText(request, answer)}` : "the person said no";
}

/** An invalid answer costs an attempt, whatever adapter it came from (INT-4, ANS-4); sent again, it costs no second. */
function reject(
  draft: Draft,
  interaction: Interaction,
  { by, response }: { readonly by: Person; readonly response?: InteractionResponse },
  { code, detail }: { readonly code: InvalidCode; readonly detail: string },
): Refusal {
  const { request, attempts, rejected } = interaction;
  const id = response?.answer_id;
  const again = rejected.some((one) => one.answer_id === id && one.code === code && one.detail === detail);
  if (again) return { ...refuse(code, detail), attempt: attempts };
  const attempt = attempts + 1;
  draft.emit({
    type: "interaction.rejected",
    interaction: request.interaction_id,
    attempt,
    code,
    detail,
    ...(id === undefined ? {} : { answer_id: id }),
    by,
  });
  if (attempt < mostAttempts) return { ...refuse(code, detail), attempt };
  resolve(draft, interaction, { state: "aborted", by });
  consequences(draft, interaction, "aborted");
  return { ...refuse(code, detail), attempt, aborted: true };
}

type Found =
  | { readonly type: "open"; readonly interaction: Interaction }
  | { readonly type: "refused"; readonly refusal: Refusal };

function findOpen(session: Session, id: string): Found {
  const open = openInteraction(session);
  if (open?.request.interaction_id === id) return { type: "open", interaction: open };
  if (session.interactions.some(({ request }) => request.interaction_id === id)) {
    const detail = `interaction ${id} waits for another one to be answered first`;
    return { type: "refused", refusal: refuse("unknown_interaction", detail) };
  }
  const resolved = findResolved(session, id);
  if (resolved !== undefined) return { type: "refused", refusal: lateRefusal(resolved) };
  return { type: "refused", refusal: refuse("unknown_interaction", `no interaction has the id ${id}`) };
}

/** The same answer id with the same body is the same answer, sent again (INT-6). */
function isRepeat(session: Session, { response, repeats }: InputOf<"response">): boolean {
  const resolved = findResolved(session, response.interaction_id);
  if (resolved === undefined || !("response" in resolved.how) || response.answer_id === undefined) return false;
  if (resolved.how.response.answer_id !== response.answer_id) return false;
  const checked = checkResponse(resolved.request, response);
  if (checked.type !== "valid") return false;
  if (resolved.request.sensitive && checked.answer.type !== "cancelled") return repeats === true;
  return sameAnswer(recordedResponse(resolved.request, checked.answer, response), resolved.how.response);
}

/** What a running command gets: a line, or the name of a secret that is one; `null` when it gets nothing. */
export type GivenInput = { readonly text: string } | { readonly secret: string } | null;

/** What became of the question of a running command. */
export function givenInput(session: Session, id: string): GivenInput | "open" {
  if (session.interactions.some(({ request }) => request.interaction_id === id)) return "open";
  const how = findResolved(session, id)?.how;
  if (how === undefined || !("response" in how)) return null;
  const { free_text } = how.response;
  const secret = resolvedSecret(session, id);
  if (secret !== null) return { secret };
  return free_text === undefined ? null : { text: free_text };
}

/** What the sensitive answer to a question that is closed was kept under. */
export function resolvedSecret(session: Session, id: string): string | null {
  const resolved = findResolved(session, id);
  if (resolved === undefined || !("response" in resolved.how) || !resolved.request.sensitive) return null;
  return recordedSecret(resolved.how.response);
}

function findResolved(session: Session, id: string): ResolvedInteraction | undefined {
  return findLast(session.resolved, ({ request }) => request.interaction_id === id);
}

function lateRefusal({ request, at, how }: ResolvedInteraction): Refusal {
  const id = request.interaction_id;
  if (how.state === "expired") return refuse("expired", `interaction ${id} expired`);
  const who = "by" in how ? `${how.state} by ${how.by.name} in ${how.by.adapter}` : `withdrawn: ${how.reason}`;
  return { ...refuse("already_resolved", `interaction ${id} was ${who}`), winner: { ...how, at } };
}

function cancellation({ request }: Interaction): InteractionResponse {
  return { interaction_id: request.interaction_id, cancelled: true };
}
