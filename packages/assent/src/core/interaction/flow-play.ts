import {
  answerFlow,
  type Flow,
  type FlowMove,
  type FlowState,
  flowPlace,
  flowRequest,
  flowValues,
  type OptionNumbers,
  optionNumbers,
  placeName,
  unansweredFlow,
} from "./flow.ts";
import { flowCancel, ladderLine, mostAttempts, stepAbort } from "./ladder.ts";
import { type CheckedReply, type ReplyContext, readReply } from "./reply.ts";
import type { InteractionRequest } from "./request.ts";

/** A flow being played line by line, with nothing around it: no session, no journal, no model. A value: keep it anywhere. */
export type FlowPlay = {
  readonly flow: Flow;
  readonly state: FlowState;
  /** The open question; after the end, the last one. */
  readonly request: InteractionRequest;
  readonly attempts: number;
  /** What to say before the question is shown again: why the last line was no answer, or which pairs were not taken. */
  readonly notice: string | null;
  readonly final: "open" | "confirmed" | "cancelled" | "step_abort" | "stopped";
  /** Every question that was asked, in order: steps by their keys, `@confirm` and `@edit`. */
  readonly asked: readonly string[];
  /** The codes that were emitted. */
  readonly codes: readonly string[];
};

/** Begins a flow; `id` is what its questions are named after. */
export function startFlow(flow: Flow, id = "flow"): FlowPlay {
  return open({ flow, state: unansweredFlow, attempts: 0, notice: null, final: "open", asked: [], codes: [] }, id);
}

/** Takes one typed line. Total: every line leads to exactly one next play, and after the end none changes anything. */
export function replyToFlow(play: FlowPlay, line: string, context: Pick<ReplyContext, "commands"> = {}): FlowPlay {
  if (play.final !== "open") return play;
  const { flow, state, request } = play;
  const reply = readReply(request, line, { ...context, flow });
  switch (reply.type) {
    case "command":
      return { ...play, notice: reply.name === "text" ? "Usage: /text <text>" : null };
    case "stop":
      return { ...play, notice: null, final: "stopped" };
    case "flow-cancel":
      return end(play, "cancelled");
    case "invalid":
      return reject(play, reply.detail);
    case "selected":
    case "free-text":
    case "confirmed":
    case "compact": {
      // The play keeps no secret: the line is the caller's, and the caller knows that it was one.
      const secret = request.interaction_id;
      return follow({ ...play, notice: refusedPairs(reply) }, answerFlow(flow, state, { answer: reply, secret }));
    }
    default:
      return reply satisfies never;
  }
}

/** What was answered, by key: an option's number, several of them, the text, or that a sensitive value is set. */
export function playedAnswers({ flow, state }: FlowPlay): Readonly<Record<string, OptionNumbers | string>> {
  const texts = new Map(flowValues(flow, state));
  return Object.fromEntries(
    state.answers.map(({ key, answer }) => [
      key,
      answer.type === "selected" ? optionNumbers(flow, { key, options: answer.options }) : (texts.get(key) ?? ""),
    ]),
  );
}

function follow(play: FlowPlay, move: FlowMove): FlowPlay {
  if (move.type === "cancelled") return end(play, "cancelled");
  if (move.type === "confirmed") return { ...play, state: move.state, final: "confirmed" };
  return open({ ...play, state: move.state }, play.request.continuation_id ?? "flow");
}

function open(play: Omit<FlowPlay, "request">, id: string): FlowPlay {
  const asked = [...play.asked, placeName(flowPlace(play.flow, play.state))];
  const ids = { interaction_id: `${id}-${asked.length}`, continuation_id: id };
  return { ...play, asked, attempts: 0, request: flowRequest(play.flow, play.state, ids) };
}

function reject(play: FlowPlay, detail: string): FlowPlay {
  const attempts = play.attempts + 1;
  if (attempts >= mostAttempts) return end({ ...play, attempts }, "step_abort");
  return { ...play, attempts, notice: ladderLine(play.request, attempts, detail) };
}

function end(play: FlowPlay, final: "cancelled" | "step_abort"): FlowPlay {
  const code = final === "cancelled" ? flowCancel : stepAbort;
  return { ...play, final, notice: code, codes: [...play.codes, code] };
}

function refusedPairs(reply: CheckedReply): string | null {
  if (reply.type !== "compact" || reply.rejected.length === 0) return null;
  return `Not taken: ${reply.rejected.join(", ")}.`;
}
