import { answerDeciders } from "./answers.ts";
import { fitHistory } from "./budget.ts";
import { callDeciders, callEvolvers, settleNext } from "./calls.ts";
import { type Deciders, type Draft, type Evolvers, refuse, type Secret } from "./draft.ts";
import { enteredDeciders, enteredEvolvers } from "./entered.ts";
import type { EventOf, EventType, SessionEvent } from "./events.ts";
import { closeTurn, exchangeEvolvers } from "./exchange.ts";
import { factDeciders, factEvolvers } from "./facts.ts";
import { flowDeciders, flowEvolvers } from "./flows.ts";
import { grantEvolvers } from "./grant.ts";
import { grantDeciders } from "./granting.ts";
import type { InputOf, InputType, Refusal, SessionInput } from "./inputs.ts";
import { questionRequest, turnLimitRequest } from "./interaction/index.ts";
import { lifecycleDeciders, lifecycleEvolvers } from "./lifecycle.ts";
import { turnLimitReached } from "./limits.ts";
import { modelDeciders, modelEvolvers } from "./model.ts";
import { expireDue, questionEvolvers, requestInteraction } from "./questions.ts";
import { newSession, type Session } from "./state.ts";
import { stopDeciders, stopEvolvers } from "./stop.ts";
import { sendSteering, startWaiting, waitingDeciders, waitingEvolvers } from "./waiting.ts";

/** Events to record (maybe none), the session they lead to and, when the input was not taken as meant, why. */
export type Decision = {
  readonly events: readonly SessionEvent[];
  readonly session: Session;
  readonly refusal: Refusal | null;
  /** What must be in the secret store before the events are recorded (INT-2). */
  readonly secret: Secret | null;
};

const evolvers: Evolvers<EventType> = {
  ...lifecycleEvolvers,
  ...waitingEvolvers,
  ...enteredEvolvers,
  ...exchangeEvolvers,
  ...stopEvolvers,
  ...modelEvolvers,
  ...callEvolvers,
  ...questionEvolvers,
  ...flowEvolvers,
  ...grantEvolvers,
  ...factEvolvers,
};

const deciders: Deciders<InputType> = {
  ...lifecycleDeciders,
  ...waitingDeciders,
  ...enteredDeciders,
  ...stopDeciders,
  ...modelDeciders,
  ...callDeciders,
  ...answerDeciders,
  ...flowDeciders,
  ...grantDeciders,
  ...factDeciders,
};

/** The names of all inputs, for whoever has to tell that something is none. */
export const inputTypes: readonly string[] = Object.keys(deciders);

/** (session, event) → session. Total: an event that does not fit the session changes nothing but the count. */
export function evolve<T extends EventType>(session: Session, event: EventOf<T>): Session {
  const next = evolvers[event.type](session, event);
  return { ...next, seq: session.seq + 1 };
}

/** The session that these events make. */
export function fold(events: Iterable<SessionEvent>): Session {
  let session = newSession();
  for (const event of events) session = evolve(session, event);
  return session;
}

/** (session, input) → events, maybe a refusal. Never throws, for any session that events lead to and any input. */
export function decide(session: Session, input: SessionInput): Decision {
  const events: SessionEvent[] = [];
  let secret: Secret | null = null;
  const draft: { session: Session } & Omit<Draft, "session"> = {
    session,
    at: input.at,
    emit(body) {
      const event: SessionEvent = { ...body, at: input.at };
      events.push(event);
      draft.session = evolve(draft.session, event);
    },
    keep(given) {
      secret = given;
    },
  };
  const refusal = unauthorised(input) ?? take(draft, input);
  return { events, session: draft.session, refusal, secret };
}

function take(draft: Draft, input: SessionInput): Refusal | null {
  const before = dueRequest(draft.session);
  expireDue(draft);
  advance(draft);
  // What time brought may have ended the session.
  const refusal = notNow(draft.session, input) ?? dispatch(draft, input);
  advance(draft);
  // A request that was due before may be under way; one that has become due, or was lost in a crash, is not.
  const due = dueRequest(draft.session);
  if (due !== null && (due !== before || input.type === "recovery")) prepareRequest(draft, due);
  return refusal;
}

/** The model request that nothing stands before, by its number. */
function dueRequest({ exchange, interactions, counted }: Session): number | null {
  if (exchange === null || exchange.phase.type === "turn") return null;
  return exchange.ending === null && interactions.length === 0 ? counted.requests + 1 : null;
}

/** At the turn limit a person decides first (LIM-1); otherwise what waits goes with the request. */
function prepareRequest(draft: Draft, request: number): void {
  if (turnLimitReached(draft.session)) requestInteraction(draft, { type: "turn-limit" }, turnLimitRequest);
  else if (draft.session.exchange?.phase.type === "model") {
    fitHistory(draft);
    // The request that comes next may now be for a summary, and bring nothing else.
    if (draft.session.exchange.phase.type === "model") sendSteering(draft, request);
  }
}

function dispatch<T extends InputType>(draft: Draft, input: InputOf<T>): Refusal | null {
  return deciders[input.type](draft, input);
}

function unauthorised(input: SessionInput): Refusal | null {
  if (!("authority" in input) || input.authority === "act") return null;
  return refuse("not_authorized", `${input.by.name} may view this session, not act on it`);
}

/**
 * What an aborted session still takes: a name, what was typed, what has become of its processes, and answers, so that who comes
 * too late is told who was faster.
 */
const takenWhenAborted: readonly InputType[] = [
  "terminal",
  "process",
  "name",
  "entry",
  "recovery",
  "clock",
  "reply",
  "response",
];

/** A session that is new takes only its creation. */
function notNow(session: Session, input: SessionInput): Refusal | null {
  if (session.status === "new") {
    return input.type === "creation"
      ? null
      : refuse("no_session", `a session begins with its creation, not ${input.type}`);
  }
  if (session.status === "active" || takenWhenAborted.includes(input.type)) return null;
  return refuse("session_aborted", `session ${session.id} is aborted; a fork of it can go on`);
}

/** Does all that needs nobody, until only the driver, a person or the clock can move the session on. */
function advance(draft: Draft): void {
  while (draft.session.status === "active" && moveOn(draft));
}

function moveOn(draft: Draft): boolean {
  const { exchange } = draft.session;
  if (exchange === null) return startWaiting(draft);
  if (exchange.phase.type !== "turn") return false;
  if (settleNext(draft)) return true;
  if (exchange.phase.calls.some((call) => call.status.type !== "settled")) return false;
  closeTurn(draft);
  const { question } = exchange;
  // The text was a question: the exchange waits for its answer (TXT-10).
  if (question !== null && draft.session.exchange !== null) {
    requestInteraction(draft, { type: "final-text" }, (id) => questionRequest(id, question));
  }
  return true;
}
