import { endingByBound } from "./bounds.ts";
import type { Draft, Evolvers } from "./draft.ts";
import type { Ending, EnteredCall, EventOf, Person, Usage } from "./events.ts";
import { addNote, addUserText } from "./history.ts";
import {
  type Call,
  type CallStatus,
  type Exchange,
  type FailedExchange,
  type History,
  noUsage,
  type Run,
  type Session,
  turnCalls,
} from "./state.ts";

/** The life of exchanges, turns and runs: how they begin, close and end. */
export const exchangeEvolvers: Evolvers<
  "exchange.started" | "exchange.ended" | "turn.closed" | "run.started" | "run.ended"
> = {
  "exchange.started": (session, event) => ({
    ...session,
    counted: { ...session.counted, exchanges: event.exchange },
    waiting: session.waiting.filter((text) => text.id !== event.waiting),
    history: begunHistory(session.history, event),
    exchange: {
      ordinal: event.exchange,
      since: session.seq + 1,
      began: (event.resumes === undefined ? null : session.failed?.began) ?? session.seq + 1,
      prompt: event.prompt,
      by: event.by,
      replies: 0,
      lastText: "",
      phase: { type: event.compacts ? "compaction" : "model" },
      run: null,
      ending: null,
      stop: null,
      refused: false,
      discards: 0,
      overflow: "none",
      entered: false,
      compacts: event.compacts === true,
      observation: null,
      observing: false,
      hushed: false,
      said: event.resumes === undefined ? [] : (session.failed?.said ?? []),
      question: null,
      usage: noUsage,
      failure: null,
    },
  }),
  "exchange.ended": (session, event) => {
    const { type: _type, at: _at, exchange: _exchange, text, refused, ...ending } = event;
    const well = endedWell(ending);
    return {
      ...session,
      exchange: null,
      // What a person did without the model, perhaps because it was gone, has nothing to do with it.
      failed: byPerson(session.exchange) ? session.failed : failedExchange(session.exchange, ending, event.at),
      lastEnding: ending,
      lastResult: { text, refused: refused === true, usage: session.exchange?.usage ?? noUsage },
      // Steering that came too late for its exchange is the next prompt, or is kept until a person sends it (SEL-11).
      waiting: session.waiting.map((text) => ({
        ...text,
        type: text.type === "command" ? "command" : "prompt",
        held: text.held || !well,
      })),
      // A summary that came to nothing is nothing that was said.
      history:
        well || session.exchange?.compacts
          ? session.history
          : addNote(session.history, `the exchange ended: ${ending.outcome}`),
    };
  },
  "turn.closed": (session, event) => {
    const closed = updateExchange(session, (exchange) => ({
      ...exchange,
      phase: { type: "model" },
      question: null,
      ...observed(session, exchange),
    }));
    const next = updateRun(closed, (run) => ({ ...run, iterationTokens: 0, lastIterationTokens: run.iterationTokens }));
    if (!event.counted) return next;
    return updateRun({ ...next, turns: session.turns + 1 }, (run) => ({
      ...run,
      iterations: run.iterations + 1,
      silent: silentAfter(session, run),
    }));
  },
  "run.started": (session, event) =>
    updateExchange(session, (exchange) => ({ ...exchange, run: runAgain(session, event) ?? newRun(exchange, event) })),
  // What it was about is wanted at the end of its exchange, which comes next.
  "run.ended": (session) => session,
};

function newRun({ phase }: Exchange, { call, objective, at }: EventOf<"run.started">): Run {
  return {
    call,
    objective,
    openedIn: phase.type === "turn" ? phase.ordinal : 0,
    iterations: 0,
    startedAt: at,
    personTime: 0,
    calls: 0,
    usage: noUsage,
    iterationTokens: 0,
    lastIterationTokens: 0,
    failures: 0,
    silent: 0,
    repeats: [],
  };
}

/** The run that failed goes on with all that it has used, but for the time in which nobody went on with it (LIM-3). */
function runAgain({ failed }: Session, { call, iterations, at }: EventOf<"run.started">): Run | null {
  if (iterations === undefined || failed?.run?.call !== call) return null;
  return { ...failed.run, personTime: failed.run.personTime + Math.max(0, at - failed.at) };
}

/** A prompt is what the person says next; one that goes on is told so, and one that only sums up says nothing. */
function begunHistory(history: History, { prompt, resumes, compacts }: EventOf<"exchange.started">): History {
  if (compacts) return history;
  if (resumes === undefined) return addUserText(history, prompt);
  return addNote(history, "the exchange goes on from here; what was done above is done");
}

function byPerson(exchange: Exchange | null): boolean {
  return exchange !== null && (exchange.entered || exchange.compacts);
}

/**
 * Observe, then answer: in standard mode, when the one call of a reply only looked something up, the next reply is about that,
 * without tools (SEL-8). What was found stands, should there be no such reply. A person who has said more meanwhile wants more.
 */
function observed(
  { waiting }: Session,
  { run, observation, phase, ending }: Exchange,
): Partial<Pick<Exchange, "observing" | "lastText">> {
  const alone = phase.type === "turn" && phase.calls.length === 1;
  const steered = waiting.some(({ type }) => type === "steering");
  if (observation === null || !alone || run !== null || ending !== null || steered) return { observing: false };
  return { observing: true, lastText: observation };
}

/** Replies without a call, in a row; one that could have none says nothing of how the run does (SEL-9). */
function silentAfter(session: Session, run: Run): number {
  if (session.exchange?.overflow === "conversational") return run.silent;
  return turnCalls(session).length === 0 ? run.silent + 1 : 0;
}

/** Only what the model's failure ended: what a person, a bound or the model itself ended is over. */
function failedExchange(exchange: Exchange | null, ending: Ending, at: number): FailedExchange | null {
  if (exchange === null || exchange.failure === null) return null;
  if (ending.outcome !== "failed" || (ending.reason !== "model" && ending.reason !== "overflow")) return null;
  const { ordinal, began, prompt, said, failure, run } = exchange;
  return { exchange: ordinal, began, prompt, said, failure, run, at };
}

export function updateExchange(session: Session, change: (exchange: Exchange) => Exchange): Session {
  return session.exchange === null ? session : { ...session, exchange: change(session.exchange) };
}

export function updateRun(session: Session, change: (run: Run) => Run): Session {
  return updateExchange(session, (exchange) =>
    exchange.run === null ? exchange : { ...exchange, run: change(exchange.run) },
  );
}

export function setStatus(session: Session, id: string, status: (call: Call) => CallStatus): Session {
  return updateExchange(session, (exchange) => {
    if (exchange.phase.type !== "turn") return exchange;
    const calls = exchange.phase.calls.map((call) => (call.id === id ? { ...call, status: status(call) } : call));
    return { ...exchange, phase: { ...exchange.phase, calls } };
  });
}

/** Something that was asked for did not happen, or nobody answered; the end of the exchange says so. */
export function markRefused(session: Session): Session {
  return updateExchange(session, (exchange) => (exchange.refused ? exchange : { ...exchange, refused: true }));
}

/** Until what an answer released has a result, the agent has nothing to say (TXT-6). */
export function setHushed(session: Session, hushed: boolean): Session {
  return updateExchange(session, (exchange) => (exchange.hushed === hushed ? exchange : { ...exchange, hushed }));
}

/** Binds an exchange to end: the first reason stands. */
export function bindToEnd(session: Session, ending: Ending): Session {
  return updateExchange(session, (exchange) => (exchange.ending === null ? { ...exchange, ending } : exchange));
}

export function addUsage(one: Usage, other: Usage): Usage {
  const cost = one.cost === undefined && other.cost === undefined ? {} : { cost: (one.cost ?? 0) + (other.cost ?? 0) };
  return {
    input: one.input + other.input,
    output: one.output + other.output,
    cached: one.cached + other.cached,
    ...cost,
  };
}

/** What begins an exchange: a prompt or, where there is a call, a person's own command. */
type Begun = {
  readonly text: string;
  readonly by: Person;
  /** The waiting text that it was. */
  readonly waiting?: string;
  readonly command?: EnteredCall;
};

export function startExchange(draft: Draft, { text, by, waiting, command }: Begun): void {
  const exchange = draft.session.counted.exchanges + 1;
  const was = waiting === undefined ? {} : { waiting };
  draft.emit({ type: "exchange.started", exchange, prompt: text, by, ...was });
  if (command !== undefined) draft.emit({ type: "command.entered", exchange, call: `e${exchange}`, ...command });
}

/** All calls are settled: the turn counts, then the bounds are checked, here and nowhere else (LOOP-3). */
export function closeTurn(draft: Draft): void {
  const before = draft.session.exchange;
  if (before === null || before.phase.type !== "turn") return;
  const { ordinal, calls } = before.phase;
  // A person's own command is no reply of a model, and so no turn.
  if (before.entered) {
    endExchange(draft, before.ending ?? enteredEnding(calls), before.lastText);
    return;
  }
  draft.emit({ type: "turn.closed", turn: ordinal, counted: before.run?.openedIn !== ordinal });
  const ending = endingAtClose(draft, before, calls);
  if (ending !== null) endExchange(draft, ending, completedResult(calls) ?? before.lastText);
}

/** Ends the exchange and, with the same ending, its run. By now no call is open, and so no question of one. */
export function endExchange(draft: Draft, ending: Ending, text: string): void {
  const exchange = draft.session.exchange;
  if (exchange === null) return;
  if (exchange.run !== null) draft.emit({ type: "run.ended", ...ending });
  const refused = exchange.refused && endedWell(ending) ? ({ refused: true } as const) : {};
  draft.emit({ type: "exchange.ended", exchange: exchange.ordinal, text, ...refused, ...ending });
  if (ending.outcome === "turn-limit") draft.emit({ type: "session.aborted", reason: "turn-limit" });
  if (ending.outcome === "failed" && ending.reason === "nobody") {
    draft.emit({ type: "session.aborted", reason: "nobody" });
  }
}

export function endedWell(ending: Ending | null): boolean {
  return ending?.outcome === "answered" || ending?.outcome === "completed";
}

/** A `complete` that succeeded wins over a stop, a stop over any bound (LOOP-3), and a bound over what could be gone on with. */
function endingAtClose(draft: Draft, before: Exchange, calls: readonly Call[]): Ending | null {
  for (const { status } of calls) {
    if (status.type === "settled" && typeof status.how === "object") {
      return { outcome: "completed", status: status.how.completed };
    }
  }
  if (before.ending !== null) return before.ending;
  const run = draft.session.exchange?.run ?? null;
  const bound = run === null ? null : endingByBound(run, draft.session.limits, draft.at);
  if (bound !== null) return bound;
  if (before.overflow === "conversational") return conversationalEnding(run);
  if (before.observing && before.question === null) return { outcome: "answered" };
  return run === null && calls.length === 0 && before.question === null ? { outcome: "answered" } : null;
}

/** A person's command that came to nothing ends as one that was cancelled: there is no model that could make anything of it. */
function enteredEnding(calls: readonly Call[]): Ending {
  const done = calls.every(({ status }) => status.type === "settled" && status.how === "finished");
  return { outcome: done ? "answered" : "cancelled" };
}

/** The reply without tools is an answer; to a run it is no more than what could still be said (SEL-9). */
function conversationalEnding(run: Run | null): Ending {
  if (run === null) return { outcome: "answered", fallback: "overflow" };
  return { outcome: "failed", reason: "overflow", detail: "the history no longer fits the model's context window" };
}

function completedResult(calls: readonly Call[]): string | null {
  for (const { asks, status } of calls) {
    if (asks.type === "complete" && status.type === "settled" && typeof status.how === "object") return asks.result;
  }
  return null;
}
