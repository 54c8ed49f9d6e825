import { type Deciders, type Draft, type Evolvers, refuse } from "./draft.ts";
import type { EventOf, SkippedWhy, ToolResult } from "./events.ts";
import { markRefused, setHushed, setStatus, updateExchange, updateRun } from "./exchange.ts";
import { noteResult } from "./facts.ts";
import { beginFlow, isFilled } from "./flows.ts";
import { countUse } from "./grant.ts";
import { refuseLost } from "./granting.ts";
import { addNote, addToolResult, resultText } from "./history.ts";
import type { JudgedCall } from "./inputs.ts";
import { approvalRequest, grantableRequest, type QuestionDraft, questionRequest } from "./interaction/index.ts";
import { requestInteraction, withdrawOfRunning } from "./questions.ts";
import { type Call, type CallStatus, findCall, type Repeat, type Session, type Settled, turnCalls } from "./state.ts";

/** How many distinct calls are remembered to see that they repeat. */
const mostRemembered = 8;
const changedText = "what would run is not what was judged";

/**
 * The life of a call:
 * asked → invalid | skipped | judged → cleared | refused | skipped; cleared → started | skipped; started → finished | unknown.
 * Between judged and cleared a rule may have to be saved.
 * The core's own calls (agentic, complete, ask, flow) have no hands: they are never judged or started, only finished or invalid.
 */
export const callEvolvers: Evolvers<
  | "call.judged"
  | "call.cleared"
  | "call.refused"
  | "call.skipped"
  | "call.invalid"
  | "call.started"
  | "call.finished"
  | "call.unknown"
> = {
  "call.judged": (session, { call, digest, grant = null, granted = null }) =>
    setStatus(session, call, () => ({ type: "judged", digest, grant, granted })),
  "call.cleared": (session, event) => {
    const call = findCall(session, event.call);
    if (call === undefined) return session;
    const digest = call.status.type === "judged" || call.status.type === "granting" ? call.status.digest : "";
    return setStatus(countUse(session, call), event.call, () => ({ type: "cleared", digest }));
  },
  "call.started": (session, event) => {
    if (findCall(session, event.call)?.status.type !== "cleared") return session;
    const started = setStatus(session, event.call, () => ({ type: "started", kill: null }));
    return updateRun(started, (run) => ({ ...run, calls: run.calls + 1 }));
  },
  "call.finished": (session, event) => finish(session, event),
  "call.refused": (session, { call, reason }) => settle(session, call, "refused", `not approved: ${reason}`),
  "call.skipped": (session, { call, reason }) => settle(session, call, "skipped", `skipped: ${reason}`),
  "call.invalid": (session, { call, reason }) => settle(session, call, "invalid", `error: ${reason}`),
  "call.unknown": (session, { call }) =>
    settle(session, call, "unknown", "outcome unknown: the process that ran this call died; it is not run again"),
};

export const callDeciders: Deciders<"verdicts" | "tool-start" | "tool-result"> = {
  verdicts: (draft, input) => {
    const judgeable = judgeableCalls(draft.session).map((call) => call.id);
    for (const [index, verdict] of input.verdicts.entries()) {
      if (judgeable[index] !== verdict.call) {
        return refuse("unknown_call", `call ${verdict.call} is not the next that waits for a verdict`);
      }
      const lost = verdict.verdict === "allow" ? refuseLost(draft.session, verdict.granted) : null;
      if (lost !== null) return lost;
      if (!recordVerdict(draft, verdict)) break;
    }
    return null;
  },
  "tool-start": (draft, input) => {
    const call = findCall(draft.session, input.call);
    if (call?.status.type !== "cleared") return refuse("unknown_call", `call ${input.call} is not cleared to start`);
    if (call.status.digest === input.digest) draft.emit({ type: "call.started", call: call.id, digest: input.digest });
    else draft.emit({ type: "call.refused", call: call.id, why: "changed", reason: changedText });
    return null;
  },
  "tool-result": (draft, input) => {
    const call = findCall(draft.session, input.call);
    if (call?.status.type !== "started") return refuse("unknown_call", `call ${input.call} is not running`);
    withdrawOfRunning(draft, call.id);
    draft.emit({ type: "call.finished", call: call.id, result: input.result });
    return null;
  },
};

/**
 * The calls that can be judged now: the first unsettled one and, while they are parallel-safe, its neighbours (SEL-4).
 * Anything else is judged in the state that the call before it left.
 */
export function judgeableCalls(session: Session): readonly Call[] {
  const unsettled = turnCalls(session).filter((call) => call.status.type !== "settled");
  // While a call of an earlier group runs, the others wait: a verdict on them would come too early.
  if (unsettled[0]?.status.type !== "asked") return [];
  const group: Call[] = [];
  for (const [index, call] of unsettled.entries()) {
    const parallel = call.asks.type === "tool" && call.asks.parallel;
    const judgeable = call.asks.type === "tool" || isFilled(session, call);
    if (!judgeable || (index > 0 && !parallel)) break;
    group.push(call);
    if (!parallel) break;
  }
  return group;
}

/** The calls of the open turn whose life has reached this point. */
export function callsWith(session: Session, status: CallStatus["type"]): readonly Call[] {
  return turnCalls(session).filter((call) => call.status.type === status);
}

/** Settles what needs nobody: the core's own calls, invalid ones, and everything once the exchange is ending. */
export function settleNext(draft: Draft): boolean {
  const exchange = draft.session.exchange;
  if (exchange === null) return false;
  if (exchange.ending !== null)
    return skipUnstarted(draft, "ending", `the exchange is ending (${exchange.ending.outcome})`);
  // What was looked up is to be told of, not to be added to (SEL-8).
  if (exchange.observing)
    return skipUnstarted(draft, "ending", "the exchange is ending (answered): text was asked for");
  const call = turnCalls(draft.session).find((candidate) => candidate.status.type !== "settled");
  if (call?.status.type !== "asked") return false;
  if (exchange.overflow === "conversational") return invalidate(draft, call, "no tool was offered");
  switch (call.asks.type) {
    case "tool":
      return false;
    case "invalid":
      return invalidate(draft, call, call.asks.reason);
    case "agentic":
      return openRun(draft, call, call.asks.objective);
    case "complete":
      return complete(draft, call);
    case "ask":
      return ask(draft, call, call.asks.draft);
    case "flow":
      return beginFlow(draft, call);
    default:
      return call.asks satisfies never;
  }
}

function isFailure(how: Settled): boolean {
  return how === "failed" || how === "refused" || how === "invalid" || how === "unknown";
}

/** Returns whether the neighbours judged with it may be recorded too. */
function recordVerdict(draft: Draft, judged: JudgedCall): boolean {
  const first = turnCalls(draft.session).find((call) => call.status.type !== "settled");
  // Only what runs at once may overtake its neighbours; the rest is judged again when its turn has come.
  if (judged.verdict !== "allow" && first?.id !== judged.call) return false;
  const { call, verdict, rule, reason, digest, facts } = judged;
  draft.emit({ type: "call.judged", call, verdict, rule, reason, digest, facts, ...grantPart(judged) });
  switch (judged.verdict) {
    case "allow":
      draft.emit({ type: "call.cleared", call });
      return true;
    case "deny":
      draft.emit({ type: "call.refused", call, why: "policy", reason });
      return true;
    case "ask": {
      const { approval, grant } = judged;
      const request = grant == null ? approvalRequest : grantableRequest;
      requestInteraction(draft, { type: "approval", call }, (id) => request(id, approval, digest));
      return false;
    }
    default:
      return judged satisfies never;
  }
}

function grantPart(judged: JudgedCall): Pick<EventOf<"call.judged">, "grant" | "granted"> {
  if (judged.verdict === "ask") return judged.grant == null ? {} : { grant: judged.grant };
  return judged.verdict === "deny" || judged.granted === undefined ? {} : { granted: judged.granted };
}

function skipUnstarted(draft: Draft, why: SkippedWhy, reason: string): boolean {
  // A rule that a person has confirmed is saved first.
  const stays = ["settled", "started", "granting"];
  const skipped = turnCalls(draft.session).filter(({ status }) => !stays.includes(status.type));
  for (const call of skipped) draft.emit({ type: "call.skipped", call: call.id, why, reason });
  return skipped.length > 0;
}

function openRun(draft: Draft, call: Call, objective: string): boolean {
  if (draft.session.exchange?.run != null) return invalidate(draft, call, "a run is already open; runs do not nest");
  draft.emit({ type: "run.started", call: call.id, objective });
  draft.emit({ type: "call.finished", call: call.id, result: { type: "output", text: "run opened" } });
  skipUnstarted(draft, "run-opened", "a run was opened; ask for this again in it");
  return true;
}

function complete(draft: Draft, call: Call): boolean {
  if (draft.session.exchange?.run == null) {
    return invalidate(draft, call, "no run is open; answer in text, or open one with agentic");
  }
  const failed = turnCalls(draft.session).find(({ status }) => status.type === "settled" && isFailure(status.how));
  if (failed !== undefined)
    invalidate(draft, call, `call ${failed.tool} before it failed; see its result, then complete`);
  else draft.emit({ type: "call.finished", call: call.id, result: { type: "output", text: "run completed" } });
  skipUnstarted(draft, "after-complete", "nothing runs after complete");
  return true;
}

function ask(draft: Draft, call: Call, question: QuestionDraft): boolean {
  const asked = draft.session.interactions.some(({ purpose }) => "call" in purpose && purpose.call === call.id);
  if (asked) return false;
  requestInteraction(draft, { type: "question", call: call.id }, (id) => questionRequest(id, question));
  return true;
}

function invalidate(draft: Draft, call: Call, reason: string): boolean {
  draft.emit({ type: "call.invalid", call: call.id, reason });
  return true;
}

function finish(session: Session, event: EventOf<"call.finished">): Session {
  const call = findCall(session, event.call);
  if (call === undefined || call.status.type === "settled") return session;
  const settled = settle(
    noteResult(session, call, event.result),
    call.id,
    settledBy(call, event.result),
    resultText(event.result),
  );
  if (call.asks.type !== "tool") return settled;
  const observed = call.asks.observes && event.result.type === "output" ? observe(settled, event.result) : settled;
  return updateRun(observed, (run) => ({ ...run, repeats: countRepeat(run.repeats, call, event.result) }));
}

function observe(session: Session, { text }: ToolResult): Session {
  return updateExchange(session, (exchange) => ({ ...exchange, observation: text }));
}

function settledBy(call: Call, result: ToolResult): Settled {
  if (result.type === "error") return "failed";
  return call.asks.type === "complete" ? { completed: call.asks.status } : "finished";
}

/**
 * The same call with the same result, again and again, leads nowhere, also when two of them alternate; but a call that
 * looks at its own work between others that bring something new does lead somewhere.
 */
function countRepeat(
  repeats: readonly Repeat[],
  { tool, arguments: given }: Call,
  { type, exit, text }: ToolResult,
): readonly Repeat[] {
  const call = `${tool} ${given}`;
  const result = `${type} ${exit} ${text}`;
  const known = repeats.find((repeat) => repeat.call === call && repeat.result === result);
  if (known !== undefined) {
    return repeats.map((repeat) => (repeat === known ? { ...repeat, times: repeat.times + 1 } : repeat));
  }
  const before = repeats.slice(1 - mostRemembered).map((repeat) => ({ ...repeat, times: 1 }));
  return [...before, { call, result, times: 1 }];
}

/** Every call gets exactly one result in the history: here. */
function settle(session: Session, id: string, how: Settled, text: string): Session {
  const call = findCall(session, id);
  if (call === undefined || call.status.type === "settled") return session;
  const failed = isFailure(how);
  const done = {
    ...setStatus(session, id, () => ({ type: "settled", how })),
    filled: session.filled?.call === id ? null : session.filled,
    returned: session.returned?.call === id ? null : session.returned,
    secrets: session.secrets.filter((secret) => secret.call !== id),
  };
  const heard = call.status.type === "started" ? setHushed(done, false) : done;
  const next = how === "refused" ? markRefused(heard) : heard;
  // Where no tool was offered, that none could run says nothing of how the run does (SEL-9).
  const counts = how !== "skipped" && session.exchange?.overflow !== "conversational";
  const counted = counts ? updateRun(next, (run) => ({ ...run, failures: failed ? run.failures + 1 : 0 })) : next;
  // A person's own command has no call of a model that its result could stand behind.
  if (counted.exchange?.entered) {
    const result = how === "finished" ? setLastText(counted, text) : counted;
    const note = call.asks.type === "tool" ? `the person ran this, not you; its result:\n${text}` : text;
    return { ...result, history: addNote(counted.history, note) };
  }
  return { ...counted, history: addToolResult(counted.history, call, { text, failed }) };
}

function setLastText(session: Session, text: string): Session {
  return updateExchange(session, (exchange) => ({ ...exchange, lastText: text }));
}
