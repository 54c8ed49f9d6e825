import { type Deciders, type Draft, type Evolvers, refuse } from "./draft.ts";
import { startExchange, updateExchange } from "./exchange.ts";
import type { InputOf, Refusal } from "./inputs.ts";
import {
  type Answer,
  answerFlow,
  type Compact,
  checkFlow,
  type FlowMove,
  flowPlace,
  flowRequest,
  flowResult,
  isBlank,
  lintFlow,
  placeName,
  unansweredFlow,
} from "./interaction/index.ts";
import { requestInteraction, withdraw, withdrawOfRunning } from "./questions.ts";
import { type Call, findCall, isRunning, type OpenFlow, type Session } from "./state.ts";

/** The life of a flow in a session: its questions are interactions, its answers are here (FLOW-2). */
export const flowEvolvers: Evolvers<"flow.started" | "flow.changed" | "flow.ended"> = {
  "flow.started": (session, event) => {
    const asks = findCall(session, event.call)?.asks;
    const flow = event.flow ?? (asks?.type === "flow" ? asks.flow : null);
    if (asks === undefined || flow === null) return session;
    return { ...session, flow: { call: event.call, flow, state: unansweredFlow } };
  },
  "flow.changed": (session, { call, answers, choosing }) => {
    if (session.flow?.call !== call) return session;
    const next = { ...session, flow: { ...session.flow, state: { answers, choosing } } };
    // Who comes to a call that runs wants to see what runs.
    if (isRunning(session, call)) return next;
    return updateExchange(next, (exchange) => ({ ...exchange, since: session.seq + 1 }));
  },
  "flow.ended": (session, { call: id, end }) => {
    const { flow } = session;
    if (flow?.call !== id) return session;
    if (end === "call-ended" || end === "taken-back") return { ...session, flow: null };
    if (isRunning(session, id)) return { ...session, flow: null, returned: { ...flow, end } };
    return { ...session, flow: null, filled: end === "confirmed" && runsFlow(session, id) ? flow : session.filled };
  },
};

export const flowDeciders: Deciders<"flow" | "form-request" | "form-withdrawal"> = {
  flow: enterFlow,
  "form-request": (draft, { call, flow }) => {
    const refusal = refuseAsking(draft.session, call);
    if (refusal !== null) return refusal;
    if (draft.session.flow !== null) return refuse("flow_open", "another flow is open; its end comes first");
    // What an outside server says is no text of this program's: it need not keep to the contract of texts (TXT-7).
    const wrong = checkFlow(flow)[0];
    if (wrong !== undefined) return refuse("invalid_flow", wrong.detail);
    draft.emit({ type: "flow.started", call, flow });
    askNext(draft);
    return null;
  },
  "form-withdrawal": (draft, { call }) => {
    const asks = draft.session.flow?.call === call && isRunning(draft.session, call);
    if (!asks) return refuse("unknown_call", `call ${call} asks for nothing`);
    withdrawOfRunning(draft, call, "taken-back");
    return null;
  },
};

/** Only a call that runs and may go on can put anything to a person. */
export function refuseAsking(session: Session, id: string): Refusal | null {
  const status = findCall(session, id)?.status;
  if (status?.type !== "started") return refuse("unknown_call", `call ${id} is not running`);
  const ends = status.kill !== null || session.exchange?.ending != null;
  return ends ? refuse("unknown_call", `call ${id} is bound to end and gets no more answers`) : null;
}

/** The secrets that flows and running calls still need, by the names they are kept under. */
export function secretsOf({ flow, filled, returned, secrets }: Session): readonly string[] {
  return [...setIn(flow), ...setIn(filled), ...setIn(returned), ...secrets.map(({ name }) => name)];
}

function setIn(flow: OpenFlow | null): readonly string[] {
  return (flow?.state.answers ?? []).flatMap(({ answer }) => (answer.type === "set" ? [answer.secret] : []));
}

/** Whether the hands of the call's tool make something of the answers. */
function runsFlow(session: Session, id: string): boolean {
  const asks = findCall(session, id)?.asks;
  return asks?.type === "flow" && asks.runs === true;
}

/** A person has filled in all that this call needs: it goes on like any call of a tool. */
export function isFilled({ filled }: Session, { id }: Call): boolean {
  return filled?.call === id;
}

/** A call that asks for a flow: its first question, then as the answers lead. */
export function beginFlow(draft: Draft, call: Call): boolean {
  if (draft.session.flow?.call === call.id || isFilled(draft.session, call)) return false;
  draft.emit({ type: "flow.started", call: call.id });
  askNext(draft);
  return true;
}

/** Where a valid reply to one of the flow's questions leads. */
export function flowMove(
  { flow: open }: Session,
  reply: { readonly answer: Answer | Compact; readonly secret: string },
): FlowMove {
  return open === null ? { type: "cancelled" } : answerFlow(open.flow, open.state, reply);
}

/** Goes there; the question is resolved by now. One that cancels ends like any other cancel. */
export function advanceFlow(draft: Draft, move: Exclude<FlowMove, { type: "cancelled" }>): void {
  const { flow: open } = draft.session;
  if (open === null) return;
  draft.emit({ type: "flow.changed", call: open.call, ...move.state });
  if (move.type === "asks") {
    askNext(draft);
    return;
  }
  const text = JSON.stringify(flowResult(open.flow, move.state));
  draft.emit({ type: "flow.ended", call: open.call, end: "confirmed" });
  // What was filled in for a tool is judged and run next, by its hands; a call that runs goes on with the answers.
  if (draft.session.filled?.call === open.call || isRunning(draft.session, open.call)) return;
  draft.emit({ type: "call.finished", call: open.call, result: { type: "output", text } });
}

/** A step whose secret is gone is asked again, as a new question (INT-2). */
export function askLost(draft: Draft, lost: readonly string[]): void {
  const { flow: open, interactions } = draft.session;
  if (open === null || !setIn(open).some((secret) => lost.includes(secret))) return;
  const answers = open.state.answers.filter(({ answer }) => answer.type !== "set" || !lost.includes(answer.secret));
  for (const interaction of interactions) {
    const { purpose } = interaction;
    if (purpose.type === "flow" && purpose.call === open.call) withdraw(draft, interaction, { reason: "secret-lost" });
  }
  draft.emit({ type: "flow.changed", call: open.call, answers, choosing: false });
  askNext(draft);
}

function askNext(draft: Draft): void {
  const { flow: open } = draft.session;
  if (open !== null) requestInteraction(draft, purposeOf(open), (id) => nextQuestion(draft.session, open, id));
}

function purposeOf({ call, flow, state }: OpenFlow) {
  return { type: "flow", call, place: placeName(flowPlace(flow, state)) } as const;
}

function nextQuestion(session: Session, { call, flow, state }: OpenFlow, id: string) {
  return flowRequest(flow, state, { interaction_id: id, continuation_id: `${session.id}-${call}` });
}

function enterFlow(draft: Draft, input: InputOf<"flow">): Refusal | null {
  const { flow, name, tool, arguments: given, by } = input;
  const wrong = lintFlow(flow)[0];
  if (wrong !== undefined) return refuse("invalid_flow", wrong.detail);
  if (isBlank(name)) return refuse("invalid_name", "a name has at least one visible character");
  if (draft.session.exchange !== null) return refuse("exchange_open", "an exchange is open; its end comes first");
  const asks = { type: "flow", flow } as const;
  const command = tool === undefined ? { tool: "flow", asks } : { tool, asks: { ...asks, runs: true } as const };
  startExchange(draft, { text: name, by, command: { ...command, arguments: given } });
  return null;
}
