import type { Live, Retry, SessionEvent } from "../assent.ts";

/** What is seen while it happens; what is recorded takes its place. */
export type LiveState = {
  /** The request that the model works on. */
  readonly request: number;
  readonly text: string;
  /** So much has come that is not shown before it was checked. */
  readonly characters: number;
  readonly retry: Retry | null;
  readonly outputs: readonly { readonly call: string; readonly text: string }[];
  /** Calls that are over: what still comes of them is too late. */
  readonly over: readonly string[];
};

export const noLive: LiveState = { request: 0, text: "", characters: 0, retry: null, outputs: [], over: [] };

/** Of an output no more than its end is shown while it comes. */
const mostOutput = 8_000;
const mostText = 100_000;

export function withLive(state: LiveState, live: Live): LiveState {
  if (live.type === "output") return state.over.includes(live.call) ? state : withOutput(state, live.call, live.text);
  if (live.request < state.request) return state;
  const same = live.request === state.request ? state : { ...state, ...fresh, request: live.request };
  switch (live.type) {
    case "progress":
      return { ...same, characters: live.characters, retry: null };
    case "text":
      return { ...same, text: `${same.text}${live.text}`.slice(-mostText), retry: null };
    case "retry":
      return { ...same, ...fresh, retry: live };
    default:
      return live satisfies never;
  }
}

const fresh = { text: "", characters: 0, retry: null };

function withOutput(state: LiveState, call: string, text: string): LiveState {
  const isKnown = state.outputs.some((output) => output.call === call);
  const outputs = isKnown ? state.outputs : [...state.outputs, { call, text: "" }];
  return {
    ...state,
    outputs: outputs.map((each) =>
      each.call === call ? { call, text: `${each.text}${text}`.slice(-mostOutput) } : each,
    ),
  };
}

export function afterEvent(state: LiveState, event: SessionEvent): LiveState {
  switch (event.type) {
    case "model.replied":
    case "model.failed":
    case "model.abandoned":
    case "reply.discarded":
      return { ...state, ...fresh, request: Math.max(state.request, event.request + 1) };
    case "call.finished":
    case "call.unknown":
    case "call.refused":
    case "call.skipped":
      return {
        ...state,
        outputs: state.outputs.filter(({ call }) => call !== event.call),
        over: [...state.over, event.call].slice(-50),
      };
    case "exchange.ended":
      return { ...state, ...fresh, outputs: [] };
    default:
      return state;
  }
}
