import type { Draft, Evolvers } from "./draft.ts";
import type { EventOf, Purpose, Resolution, Unanswered, Unasked, Withdrawal } from "./events.ts";
import { bindToEnd, endExchange, markRefused, setHushed, setStatus, updateExchange, updateRun } from "./exchange.ts";
import { markGranting } from "./grant.ts";
import { addNote, addUserText } from "./history.ts";
import { flowCancel, type InteractionRequest, recordedSecret, recordedText, stepAbort } from "./interaction/index.ts";
import { append } from "./log.ts";
import {
  asksForRunning,
  type Interaction,
  isRunning,
  type KillReason,
  openInteraction,
  type ResolvedInteraction,
  type Session,
} from "./state.ts";

/** The life of an interaction: open → answered | declined | cancelled | expired | aborted | withdrawn (INT-11). */
export const questionEvolvers: Evolvers<
  "interaction.requested" | "interaction.rejected" | "interaction.resolved" | "interaction.expired"
> = {
  "interaction.requested": (session, event) => ({
    ...setHushed(session, false),
    counted: { ...session.counted, interactions: session.counted.interactions + 1 },
    interactions: [
      ...session.interactions,
      {
        request: event.request,
        purpose: event.purpose,
        attempts: 0,
        rejected: [],
        openedAt: session.interactions.length === 0 ? event.at : null,
      },
    ],
  }),
  "interaction.rejected": (session, event) => ({
    ...session,
    interactions: session.interactions.map((interaction) =>
      interaction.request.interaction_id === event.interaction ? countAttempt(interaction, event) : interaction,
    ),
  }),
  "interaction.resolved": (session, event) => {
    const { type: _type, at, interaction, ...how } = event;
    return close(session, interaction, { at, how });
  },
  "interaction.expired": (session, event) =>
    close(session, event.interaction, { at: event.at, how: { state: "expired" } }),
};

export function requestInteraction(draft: Draft, purpose: Purpose, make: (id: string) => InteractionRequest): void {
  const id = `${draft.session.id}-${draft.session.counted.interactions + 1}`;
  draft.emit({ type: "interaction.requested", request: make(id), purpose });
}

/** Expiry is decided before anything else at that moment, so a late answer can never win (INT-8). */
export function expireDue(draft: Draft): void {
  for (;;) {
    const interaction = openInteraction(draft.session);
    const deadline = interaction === null ? null : deadlineOf(interaction);
    if (interaction === null || deadline === null || draft.at < deadline) return;
    draft.emit({ type: "interaction.expired", interaction: interaction.request.interaction_id });
    consequences(draft, interaction, "expired");
  }
}

export function deadlineOf(interaction: Interaction): number | null {
  const { timeout_ms } = interaction.request;
  return interaction.openedAt === null || timeout_ms === undefined ? null : interaction.openedAt + timeout_ms;
}

export function withdraw(draft: Draft, interaction: Interaction, why: Withdrawal): void {
  resolve(draft, interaction, { state: "withdrawn", ...why });
  if (why.reason === "stopped" || why.reason === "nobody") consequences(draft, interaction, why.reason);
}

/** Nobody waits any more for what a running call asks. */
export function withdrawOfRunning(draft: Draft, call: string, reason: Unasked = "call-ended"): void {
  for (const interaction of draft.session.interactions) {
    const { purpose } = interaction;
    const isMeant = reason === "call-ended" || purpose.type === "flow";
    const isOfCall =
      isMeant && "call" in purpose && purpose.call === call && asksForRunning(draft.session, interaction);
    if (isOfCall) withdraw(draft, interaction, { reason });
  }
  endFlow(draft, call, reason);
}

export function resolve(draft: Draft, interaction: Interaction, how: Resolution): void {
  draft.emit({ type: "interaction.resolved", interaction: interaction.request.interaction_id, ...how });
}

/** What follows for the call or the session when a question ends without an answer: the table ANS-7. */
export function consequences(draft: Draft, { purpose }: Interaction, end: Unanswered): void {
  switch (purpose.type) {
    case "question":
      endUnanswered(draft, purpose.call, end);
      break;
    case "flow":
      endFlow(draft, purpose.call, end);
      // A call that runs takes the end and goes on.
      if (!isRunning(draft.session, purpose.call)) endUnanswered(draft, purpose.call, end);
      break;
    case "final-text": {
      // With nothing under way, an exchange that is bound to end ends here; otherwise the model is told.
      const { exchange } = draft.session;
      if (exchange?.ending != null) endExchange(draft, exchange.ending, exchange.lastText);
      break;
    }
    case "approval":
      refuseUnanswered(draft, purpose.call, end);
      break;
    case "grant":
      endRule(draft, purpose.call, end);
      break;
    case "turn-limit":
      endExchange(draft, { outcome: "turn-limit", bound: "turns" }, draft.session.exchange?.lastText ?? "");
      break;
    case "terminal-input":
      break; // The transition itself marks the command to be killed; its own result follows.
    default:
      purpose satisfies never;
  }
}

/** The call has its yes, only the rule has none: it runs once, unless there was an end to all of it (APPR-7). */
function endRule(draft: Draft, call: string, end: Unanswered): void {
  const runs = end !== "cancelled" && end !== "stopped" && draft.session.exchange?.ending === null;
  if (runs) draft.emit({ type: "call.cleared", call });
  else refuseUnanswered(draft, call, end);
}

function refuseUnanswered(draft: Draft, call: string, end: Unanswered): void {
  draft.emit({ type: "call.refused", call, why: end, reason: unansweredText[end] });
}

function endFlow(draft: Draft, call: string, end: Unanswered | Unasked): void {
  if (draft.session.flow?.call === call) draft.emit({ type: "flow.ended", call, end });
}

function endUnanswered(draft: Draft, call: string, end: Unanswered): void {
  const text = unansweredText[end];
  if (end === "cancelled" || end === "stopped") {
    draft.emit({ type: "call.skipped", call, why: end, reason: text });
  } else draft.emit({ type: "call.finished", call, result: { type: "error", text } });
}

/** What the model reads; the codes are part of the contract (ANS-5, ANS-7). */
const unansweredText: Record<Unanswered, string> = {
  cancelled: flowCancel,
  aborted: stepAbort,
  expired: "expired",
  stopped: "the person stopped the exchange",
  nobody: "nobody-to-answer",
};

type Closed = Omit<ResolvedInteraction, "request">;

function close(session: Session, id: string, resolved: Closed): Session {
  const closed = session.interactions.find(({ request }) => request.interaction_id === id);
  if (closed === undefined) return session;
  const rest = session.interactions.filter((interaction) => interaction !== closed);
  const [head, ...others] = rest;
  const opened = head === undefined ? rest : [{ ...head, openedAt: head.openedAt ?? resolved.at }, ...others];
  // A clock may be set back meanwhile.
  const took = closed.openedAt === null ? 0 : Math.max(0, resolved.at - closed.openedAt);
  const next = {
    ...session,
    interactions: opened,
    resolved: append(session.resolved, { ...resolved, request: closed.request }),
  };
  const timed = updateRun(next, (run) => ({ ...run, personTime: run.personTime + took }));
  const told = closed.purpose.type === "final-text" ? addAnswer(timed, closed.request, resolved.how) : timed;
  const hushed = "response" in resolved.how && closed.purpose.type !== "turn-limit" ? setHushed(told, true) : told;
  // A command that got no input is killed, and the exchange goes on: it had something unanswered.
  const unanswered = unansweredOf(resolved.how) !== null || isInputCancelled(closed.purpose, resolved.how);
  const noted = unanswered ? markRefused(hushed) : hushed;
  const kept = keepName(noted, closed.purpose, resolved.how);
  return afterClose(confirmed(kept, closed, resolved), closed.purpose, resolved.how);
}

function confirmed(session: Session, { purpose, request }: Interaction, { at, how }: Closed): Session {
  if (purpose.type !== "grant" || how.state !== "answered") return session;
  return markGranting(session, purpose, { interaction: request.interaction_id, at, by: how.by });
}

/** A running call gets its answer from the secret store; until it ends, the name is known. */
function keepName(session: Session, purpose: Purpose, how: ResolvedInteraction["how"]): Session {
  const name = "response" in how ? recordedSecret(how.response) : null;
  if (name === null || purpose.type !== "terminal-input") return session;
  return { ...session, secrets: [...session.secrets, { call: purpose.call, name }] };
}

/** The answer to a question that stood in a text is what the person says next (TXT-10). */
function addAnswer(session: Session, request: InteractionRequest, how: ResolvedInteraction["how"]): Session {
  if (how.state === "answered" || how.state === "declined") {
    const text = recordedText(request, how.response);
    const next = { ...session, history: addUserText(session.history, text) };
    return updateExchange(next, (exchange) => ({ ...exchange, said: [...exchange.said, text] }));
  }
  const end = unansweredOf(how);
  return end === null ? session : { ...session, history: addNote(session.history, unansweredText[end]) };
}

/** How a question ended without an answer of which the model is to hear. */
function unansweredOf(how: ResolvedInteraction["how"]): Unanswered | null {
  if (how.state === "expired" || how.state === "aborted") return how.state;
  return how.state === "withdrawn" && how.reason === "nobody" ? "nobody" : null;
}

function isInputCancelled(purpose: Purpose, how: ResolvedInteraction["how"]): boolean {
  return purpose.type === "terminal-input" && how.state === "cancelled";
}

function countAttempt(interaction: Interaction, event: EventOf<"interaction.rejected">): Interaction {
  const { attempt, answer_id, code, detail } = event;
  const rejected = answer_id === undefined ? [] : [{ answer_id, code, detail }];
  return { ...interaction, attempts: attempt, rejected: [...interaction.rejected, ...rejected] };
}

function afterClose(session: Session, purpose: Purpose, how: ResolvedInteraction["how"]): Session {
  if (purpose.type === "turn-limit") return how.state === "answered" ? { ...session, turns: 0 } : session;
  const nobodyAborts = how.state === "withdrawn" && how.reason === "nobody" && how.unattended === "abort";
  const bound = nobodyAborts
    ? bindToEnd(session, { outcome: "failed", reason: "nobody", detail: "nobody could be asked (--unattended=abort)" })
    : session;
  if (purpose.type === "terminal-input") {
    const kill = killReason(how);
    if (kill === null) return bound;
    return setStatus(bound, purpose.call, ({ status }) =>
      status.type === "started" ? { type: "started", kill: status.kill ?? kill } : status,
    );
  }
  return how.state === "cancelled" ? bindToEnd(bound, { outcome: "cancelled" }) : bound;
}

/** A command that waits for input it will not get is killed. */
function killReason(how: ResolvedInteraction["how"]): KillReason | null {
  switch (how.state) {
    case "answered":
    case "declined":
      return null;
    case "withdrawn":
      return how.reason === "stopped" || how.reason === "nobody" ? how.reason : null;
    case "cancelled":
    case "aborted":
    case "expired":
      return "cancelled";
    default:
      return how satisfies never;
  }
}
