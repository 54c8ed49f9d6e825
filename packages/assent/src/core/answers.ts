import { type Deciders, type Draft, refuse } from "./draft.ts";
import type { Person } from "./events.ts";
import type { InputOf, Refusal } from "./inputs.ts";
import {
  type Answer,
  answerText,
  checkResponse,
  type InteractionResponse,
  type InvalidCode,
  parseReply,
  questionRequest,
  sameAnswer,
} from "./interaction/index.ts";
import { findLast } from "./log.ts";
import { consequences, requestInteraction, resolve, withdraw } from "./questions.ts";
import { type Interaction, openInteraction, type ResolvedInteraction, type Session, turnCalls } from "./state.ts";
import { requestStop } from "./stop.ts";

/** At the fourth invalid reply the interaction is aborted (ANS-4). */
const mostAttempts = 4;

export const answerDeciders: Deciders<"reply" | "response" | "nobody" | "input-request"> = {
  reply: decideReply,
  response: decideResponse,
  nobody: (draft, input) => {
    const interaction = openInteraction(draft.session);
    if (interaction === null) return null;
    // A command that waits for its input cannot be parked: it would hold its process for ever.
    if (input.unattended === "park" && interaction.purpose.type !== "terminal-input") return null;
    withdraw(draft, interaction, { reason: "nobody", unattended: input.unattended });
    return null;
  },
  "input-request": (draft, input) => {
    const call = turnCalls(draft.session).find((candidate) => candidate.id === input.call);
    if (call?.status.type !== "started") return refuse("unknown_call", `call ${input.call} is not running`);
    requestInteraction(draft, { type: "terminal-input", call: call.id }, (id) => questionRequest(id, input.draft));
    // A call that is already bound to end gets no more answers.
    if (draft.session.exchange?.ending != null) {
      for (const interaction of draft.session.interactions) withdraw(draft, interaction, { reason: "stopped" });
    }
    return null;
  },
};

function decideReply(draft: Draft, input: InputOf<"reply">): Refusal | null {
  const found = findOpen(draft.session, input.interaction);
  if (found.type === "refused") return found.refusal;
  const { interaction } = found;
  const reply = parseReply(interaction.request, input.line);
  switch (reply.type) {
    case "stop":
      return requestStop(draft, "graceful", input.by);
    case "flow-cancel":
      return accept(draft, interaction, { type: "cancelled" }, { ...input, response: cancellation(interaction) });
    case "invalid":
      return reject(draft, interaction, input.by, { code: "invalid_response", detail: reply.detail });
    case "response":
      return check(draft, interaction, { ...input, response: reply.response });
    default:
      return reply satisfies never;
  }
}

function decideResponse(draft: Draft, input: InputOf<"response">): Refusal | null {
  if (isRepeat(draft.session, input.response)) return null;
  const found = findOpen(draft.session, input.response.interaction_id);
  if (found.type === "refused") return found.refusal;
  return check(draft, found.interaction, input);
}

type Given = { readonly response: InteractionResponse; readonly by: Person; readonly shown: string | null };

function check(draft: Draft, interaction: Interaction, given: Given): Refusal | null {
  const checked = checkResponse(interaction.request, given.response);
  if (checked.type === "malformed") return refuse("invalid_response", checked.detail);
  if (checked.type === "invalid") return reject(draft, interaction, given.by, checked);
  return accept(draft, interaction, checked.answer, given);
}

function accept(draft: Draft, interaction: Interaction, answer: Answer, given: Given): null {
  const { by, shown } = given;
  const response = interaction.request.sensitive ? withoutSecret(given.response) : given.response;
  if (answer.type === "cancelled") {
    resolve(draft, interaction, { state: "cancelled", response, by, shown });
    consequences(draft, interaction, "cancelled");
    return null;
  }
  const no = declines(interaction, answer);
  resolve(draft, interaction, { state: no === null ? "answered" : "declined", response, by, shown });
  const { purpose } = interaction;
  if (purpose.type === "question") {
    const text = interaction.request.sensitive ? "set" : answerText(interaction.request, answer);
    draft.emit({ type: "call.finished", call: purpose.call, result: { type: "output", text } });
  }
  if (purpose.type === "approval") {
    if (no === null) draft.emit({ type: "call.cleared", call: purpose.call });
    else draft.emit({ type: "call.refused", call: purpose.call, reason: no });
  }
  if (purpose.type === "turn-limit" && no !== null) consequences(draft, interaction, "cancelled");
  return null;
}

/** The words of a no, or `null` for anything else. At an approval free text is a no that says why (ANS-3). */
function declines({ purpose }: Interaction, answer: Answer): string | null {
  if (answer.type === "confirmed") return answer.confirmed ? null : "the person said no";
  return answer.type === "free-text" && purpose.type === "approval" ? answer.text : null;
}

/** An invalid answer costs an attempt, whatever adapter it came from (INT-4, ANS-4). */
function reject(
  draft: Draft,
  interaction: Interaction,
  by: Person,
  { code, detail }: { readonly code: InvalidCode; readonly detail: string },
): Refusal {
  const attempt = interaction.attempts + 1;
  draft.emit({
    type: "interaction.rejected",
    interaction: interaction.request.interaction_id,
    attempt,
    code,
    detail,
    by,
  });
  if (attempt >= mostAttempts) {
    resolve(draft, interaction, { state: "aborted", by });
    consequences(draft, interaction, "aborted");
  }
  return refuse(code, detail);
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
function isRepeat(session: Session, response: InteractionResponse): boolean {
  const how = findResolved(session, response.interaction_id)?.how;
  if (how === undefined || !("response" in how) || response.answer_id === undefined) return false;
  return how.response.answer_id === response.answer_id && sameAnswer(how.response, response);
}

function findResolved(session: Session, id: string): ResolvedInteraction | undefined {
  return findLast(session.resolved, (candidate) => candidate.id === id);
}

function lateRefusal(resolved: ResolvedInteraction): Refusal {
  const { id, at, how } = resolved;
  if (how.state === "expired") return refuse("expired", `interaction ${id} expired`);
  if (how.state === "withdrawn") {
    return {
      ...refuse("already_resolved", `interaction ${id} was withdrawn: ${how.reason}`),
      winner: { state: how.state, reason: how.reason, at },
    };
  }
  const { by, state } = how;
  const detail = `interaction ${id} was ${state} by ${by.name} in ${by.adapter}`;
  const response = "response" in how ? { ...how.response } : null;
  return { ...refuse("already_resolved", detail), winner: { state, name: by.name, adapter: by.adapter, at, response } };
}

function cancellation({ request }: Interaction): InteractionResponse {
  return { interaction_id: request.interaction_id, cancelled: true };
}

/** The value itself goes to the secret store before this is recorded (INT-2). */
function withoutSecret(response: InteractionResponse): InteractionResponse {
  const { free_text: _secret, ...rest } = response;
  return { ...rest, metadata: { set: true } };
}
