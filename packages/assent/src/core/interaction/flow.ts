import { type InteractionRequest, questionRequest, type ShownDraft } from "./request.ts";
import type { Answer } from "./response.ts";
import { visibleLine } from "./visible.ts";

/** Ordered questions, closed by a confirmation when there are two or more (FLOW-1, FLOW-3). Data, the same for everyone. */
export type Flow = {
  readonly steps: readonly FlowStep[];
  /** How long each of its questions stays open, if the step does not say otherwise. */
  readonly timeout_ms?: number;
};
/** A key names what is asked for; it has no space and no `=` (FLOW-6). */
export type FlowStep = { readonly key: string } & ShownDraft;

/** A flow has no more steps than this. */
export const mostSteps = 7;
/** The key of a step is no longer than this. */
export const mostKeyLength = 40;

/** What a step was answered with. Of a sensitive one only that it is known, and what it is kept under. */
export type StepAnswer =
  | { readonly type: "selected"; readonly options: readonly string[] }
  | { readonly type: "free-text"; readonly text: string }
  | { readonly type: "set"; readonly secret: string };

/**
 * All that a flow knows of itself (FLOW-2). An answer that is to be changed is taken out, so the next question is always
 * the first one without an answer; only the choice of what to change stands beside that.
 */
export type FlowState = {
  readonly answers: readonly { readonly key: string; readonly answer: StepAnswer }[];
  readonly choosing: boolean;
};

/** A flow of which nothing is answered yet. */
export const unansweredFlow: FlowState = { answers: [], choosing: false };

/** Where a flow is: at a step, at the choice of a step to change, at its confirmation, or done. */
export type FlowPlace =
  | { readonly type: "step"; readonly step: FlowStep }
  | { readonly type: "edit" }
  | { readonly type: "confirm" }
  | { readonly type: "done" };

/** Several answers in one line (FLOW-4). */
export type Compact = { readonly type: "compact"; readonly applied: readonly Applied[] };
/** A step that a compact line answers, with the options that it chose. */
export type Applied = { readonly key: string; readonly options: readonly string[] };

/** Where an answer leads to: on in the flow, or to its end. */
export type FlowMove =
  | { readonly type: "asks"; readonly state: FlowState }
  | { readonly type: "confirmed"; readonly state: FlowState }
  | { readonly type: "cancelled" };

/** What a flow asks next; a flow of one step is done without a confirmation. */
export function flowPlace({ steps }: Flow, { answers, choosing }: FlowState): FlowPlace {
  if (choosing) return { type: "edit" };
  const step = steps.find(({ key }) => !answers.some((each) => each.key === key));
  if (step !== undefined) return { type: "step", step };
  return steps.length === 1 ? { type: "done" } : { type: "confirm" };
}

/** How a question of a flow is called among the answers and in what was asked: a step by its key. */
export function placeName(place: FlowPlace): string {
  return place.type === "step" ? place.step.key : `@${place.type}`;
}

/** The flow's next question. The summary and the choice of a step are the flow's own words, in every session the same. */
export function flowRequest(flow: Flow, state: FlowState, ids: FlowIds): InteractionRequest {
  const request = requestAt(flow, state, ids);
  return flow.timeout_ms === undefined ? request : { timeout_ms: flow.timeout_ms, ...request };
}

function requestAt(flow: Flow, state: FlowState, ids: FlowIds): InteractionRequest {
  const { interaction_id, continuation_id } = ids;
  const place = flowPlace(flow, state);
  if (place.type === "step") {
    const { key: _key, ...draft } = place.step;
    return { ...questionRequest(interaction_id, draft), continuation_id };
  }
  if (place.type === "edit") {
    const options = flow.steps.map(({ key }) => ({ id: key, label: key }));
    const draft = { question: "Which step should change?", options, allow_free_text: false };
    return { ...questionRequest(interaction_id, draft), continuation_id };
  }
  return {
    interaction_id,
    kind: "confirmation",
    question: flowSummary(flow, state),
    options: [
      { id: "confirm", label: "Confirm" },
      { id: "restart", label: "Restart" },
      { id: "edit", label: "Edit specific step" },
    ],
    allow_free_text: false,
    allow_cancel: true,
    continuation_id,
  };
}

/** The ids by which a question of a flow is known. */
export type FlowIds = Pick<InteractionRequest, "interaction_id"> & { readonly continuation_id: string };

/** (flow, state, valid reply) → what follows. `secret` is what a sensitive answer is kept under. */
export function answerFlow(
  flow: Flow,
  state: FlowState,
  reply: { readonly answer: Answer | Compact; readonly secret: string },
): FlowMove {
  const { answer, secret } = reply;
  if (answer.type === "cancelled") return { type: "cancelled" };
  if (answer.type === "compact") {
    let next = state;
    for (const { key, options } of answer.applied) next = withAnswer(flow, next, key, { type: "selected", options });
    return moveTo(flow, next);
  }
  const place = flowPlace(flow, state);
  switch (place.type) {
    case "step": {
      const given = stepAnswer(place.step, answer, secret);
      return given === null ? { type: "asks", state } : moveTo(flow, withAnswer(flow, state, place.step.key, given));
    }
    case "edit":
      return moveTo(flow, answer.type === "selected" ? withoutAnswer(state, answer.options[0]) : state);
    case "confirm":
      return atConfirmation(state, answer);
    case "done":
      return { type: "confirmed", state };
    default:
      return place satisfies never;
  }
}

/** What a person reads before they confirm; no value can pass for another field. */
export function flowSummary(flow: Flow, state: FlowState): string {
  return ["Summary:", ...flowValues(flow, state).map(([key, value]) => `- ${key}: ${visibleLine(value)}`)].join("\n");
}

/** Each answered step with its value in words: the labels of its options, or the text. */
export function flowValues(flow: Flow, { answers }: FlowState): readonly (readonly [key: string, value: string])[] {
  return answers.map(({ key, answer }) => {
    if (answer.type === "set") return [key, "set"];
    if (answer.type === "free-text") return [key, answer.text];
    return [key, labelsOf(flow, key, answer.options).join(", ")];
  });
}

/** What a flow has found out, by key: a value, or a list where several may be chosen. */
export function flowResult(flow: Flow, state: FlowState): Readonly<Record<string, string | readonly string[]>> {
  return Object.fromEntries(
    flowValues(flow, state).map(([key, value]) => {
      const step = flow.steps.find((each) => each.key === key);
      const given = state.answers.find((each) => each.key === key)?.answer;
      return [key, step?.multi_select && given?.type === "selected" ? labelsOf(flow, key, given.options) : value];
    }),
  );
}

function labelsOf({ steps }: Flow, key: string, chosen: readonly string[]): readonly string[] {
  const options = steps.find((step) => step.key === key)?.options ?? [];
  return options.filter(({ id }) => chosen.includes(id)).map(({ label }) => label);
}

/** One where one may be chosen, a list where several may be. */
export type OptionNumbers = number | readonly number[];

/** The options of a step as a person would number them. */
export function optionNumbers({ steps }: Flow, { key, options }: Applied): OptionNumbers {
  const step = steps.find((each) => each.key === key);
  const numbers = options.map((id) => (step?.options ?? []).findIndex((option) => option.id === id) + 1);
  return step?.multi_select ? numbers : (numbers[0] ?? 0);
}

function atConfirmation(state: FlowState, answer: Answer): FlowMove {
  if (answer.type === "confirmed") return answer.confirmed ? { type: "confirmed", state } : { type: "cancelled" };
  if (answer.type === "selected" && answer.options[0] === "restart") return { type: "asks", state: unansweredFlow };
  if (answer.type === "selected" && answer.options[0] === "edit") {
    return { type: "asks", state: { ...state, choosing: true } };
  }
  return { type: "asks", state };
}

function moveTo(flow: Flow, state: FlowState): FlowMove {
  return { type: flowPlace(flow, state).type === "done" ? "confirmed" : "asks", state };
}

function stepAnswer(step: FlowStep, answer: Answer, secret: string): StepAnswer | null {
  if (step.sensitive) return { type: "set", secret };
  if (answer.type === "selected") return { type: "selected", options: answer.options };
  return answer.type === "free-text" ? { type: "free-text", text: answer.text } : null;
}

/** Answers stand in the order of the steps, however they came. */
function withAnswer({ steps }: Flow, { answers }: FlowState, key: string, answer: StepAnswer): FlowState {
  const given = (step: FlowStep) =>
    step.key === key ? [{ key, answer }] : answers.filter((each) => each.key === step.key);
  return { answers: steps.flatMap(given), choosing: false };
}

function withoutAnswer({ answers }: FlowState, key: string | undefined): FlowState {
  return { answers: answers.filter((each) => each.key !== key), choosing: false };
}
