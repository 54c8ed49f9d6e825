import { measure, shortenAll, shorteningFor } from "./budget.ts";
import { type Deciders, type Draft, type Evolvers, refuse } from "./draft.ts";
import type { AfterFailure, Asks, CallRequest, EventOf, ModelFailure, Shortening, Usage } from "./events.ts";
import { addUsage, endExchange, updateExchange, updateRun } from "./exchange.ts";
import { addReply, addUserText, compactHistory, shortenHistory } from "./history.ts";
import type { InputOf, ModelAddress, ModelResult, ReceivedCall, Refusal } from "./inputs.ts";
import {
  isBlank,
  lintQuestion,
  type QuestionDraft,
  readFinalText,
  type SoftOffer,
  type Violation,
} from "./interaction/index.ts";
import { type Exchange, openInteraction, type Session } from "./state.ts";

/** A reply that breaks the contract is asked for again at most this often (TXT-4). */
const mostRegenerations = 3;

const noSummary = { class: "no-summary", partial: "" };

const noSummaryWanted: ModelFailure = {
  ...noSummary,
  detail: "the model gave no summary; the history stays as it is",
  remedy: "try again, or go on without one",
};

/** What came back from the model, kept, discarded or failed. */
export const modelEvolvers: Evolvers<
  "model.replied" | "model.failed" | "model.abandoned" | "reply.discarded" | "history.outgrown" | "history.compacted"
> = {
  "model.replied": (session, event) => {
    const { reply, request } = event;
    const counted = deliver(countRequest(session, request, reply.usage), request);
    const calls = reply.calls.map((call) => ({ ...call, status: { type: "asked" as const } }));
    const history = addReply(counted.history, reply);
    const measured = measure(counted, reply) ?? session.measured;
    return updateExchange({ ...counted, history, measured, worked: true }, (exchange) => ({
      ...exchange,
      since: session.seq + 1,
      replies: exchange.replies + 1,
      lastText: keepsLastText(exchange, event) ? exchange.lastText : reply.text,
      observation: null,
      discards: 0,
      question: event.question ?? null,
      overflow: exchange.overflow === "conversational" ? "conversational" : "none",
      phase: { type: "turn", ordinal: request, calls },
    }));
  },
  "model.failed": (session, event) =>
    updateExchange(countRequest({ ...session, ...unsummarisedAfter[event.next] }, event.request), (exchange) => ({
      ...exchange,
      lastText: textWith(exchange, event.failure.partial),
      phase: { type: event.next === "compact" || exchange.compacts ? "compaction" : "model" },
      overflow: overflowAfter[event.next] ?? exchange.overflow,
      failure: failureAfter(event),
    })),
  "model.abandoned": (session, { request, partial = "" }) =>
    updateExchange(countRequest(session, request), (exchange) => ({
      ...exchange,
      lastText: textWith(exchange, partial),
    })),
  "reply.discarded": (session, event) =>
    updateExchange(countRequest(session, event.request, event.reply.usage), (exchange) => ({
      ...exchange,
      discards: exchange.discards + 1,
    })),
  "history.outgrown": (session) =>
    updateExchange(session, (exchange) => ({ ...exchange, phase: { type: "compaction", foreseen: true } })),
  "history.compacted": (session, event) => {
    if ("shortened" in event) return { ...session, history: shortenHistory(session.history, event.shortened) };
    const counted = countRequest(session, event.request, event.usage);
    const history = compactHistory(event.summary, keptWords(session));
    return updateExchange({ ...counted, history, measured: null, unsummarised: false, worked: true }, (exchange) => ({
      ...exchange,
      phase: { type: "model" },
      overflow: "compacted",
    }));
  },
};

/** What an exchange has to show for itself; what was looked up stands, whatever there is of a text about it (SEL-8). */
function textWith({ lastText, observing }: Exchange, partial: string): string {
  return isBlank(partial) || observing ? lastText : partial;
}

/** What people said that a summary must not lose: in the exchange that goes on, or in the failed one that could. */
function keptWords({ exchange, failed }: Session): readonly string[] {
  const goesOn = exchange?.compacts ? failed : exchange;
  return goesOn == null ? [] : [goesOn.prompt, ...goesOn.said];
}

/** A reply that shows nothing is no text to end with; after a look-up neither is a blank one, for what was found stands. */
function keepsLastText({ observing }: Exchange, { reply, hidden, question }: EventOf<"model.replied">): boolean {
  return reply.text === "" || hidden === true || question !== undefined || (observing && isBlank(reply.text));
}

/** What a run can be gone on with after, though the model had a last word in it: it did not fit, whatever came of a summary. */
function failureAfter({ next, failure }: EventOf<"model.failed">): ModelFailure | null {
  if (next === "converse") return { ...failure, class: "overflow", remedy: overflowRemedy.end };
  return next === "end" ? failure : null;
}

const overflowAfter: Partial<Record<AfterFailure, Exchange["overflow"]>> = {
  shorten: "shortened",
  converse: "conversational",
};

/** Once a provider refuses, a summary is worth a request again, whatever came of one before. */
const unsummarisedAfter: Partial<Record<AfterFailure, Pick<Session, "unsummarised">>> = {
  send: { unsummarised: true },
  ...{ shorten: { unsummarised: false }, compact: { unsummarised: false }, converse: { unsummarised: false } },
};

export const modelDeciders: Deciders<"model-result"> = {
  "model-result": (draft, input) => {
    const exchange = draft.session.exchange;
    const expected = draft.session.counted.requests + 1;
    const waits = exchange !== null && exchange.phase.type !== "turn" && openInteraction(draft.session) === null;
    if (!waits || input.request !== expected) {
      return refuse("stale_result", `no model request ${input.request} is awaited`);
    }
    return exchange.phase.type === "compaction"
      ? decideSummary(draft, exchange, input)
      : decideReply(draft, exchange, input);
  },
};

function decideReply(draft: Draft, exchange: Exchange, input: InputOf<"model-result">): Refusal | null {
  const { request, result } = input;
  switch (result.type) {
    case "replied":
      takeReply(draft, exchange, input, result);
      return null;
    case "failed":
      failModel(draft, exchange, request, result.failure);
      return null;
    case "overflow":
      overflow(draft, exchange, request, result.detail);
      return null;
    case "abandoned":
      return abandon(draft, exchange, request, result.partial);
    case "summarised":
      return refuse("stale_result", "a reply is awaited, not a summary");
    default:
      return result satisfies never;
  }
}

function decideSummary(draft: Draft, exchange: Exchange, { request, result }: InputOf<"model-result">): Refusal | null {
  switch (result.type) {
    case "summarised":
      if (isBlank(result.summary)) {
        missSummary(draft, exchange, request);
        return null;
      }
      draft.emit({ type: "history.compacted", request, summary: result.summary, usage: result.usage });
      if (exchange.ending !== null) endExchange(draft, exchange.ending, exchange.lastText);
      else if (exchange.compacts) endExchange(draft, { outcome: "answered" }, "");
      return null;
    case "failed":
      failModel(draft, exchange, request, result.failure);
      return null;
    case "overflow":
      overflow(draft, exchange.compacts ? exchange : { ...exchange, overflow: "compacted" }, request, result.detail);
      return null;
    case "abandoned":
      return abandon(draft, exchange, request);
    case "replied":
      return refuse("stale_result", "a summary is awaited, not a reply");
    default:
      return result satisfies never;
  }
}

/**
 * Nothing would be left of the history, so it stays. Where a provider has refused it, this prompt is answered without it; where
 * that was only foreseen, the provider has its say first (SEL-9).
 */
function missSummary(draft: Draft, exchange: Exchange, request: number): void {
  const { compacts, ending, phase } = exchange;
  if (compacts) {
    failModel(draft, exchange, request, noSummaryWanted);
    return;
  }
  const isForeseen = phase.type === "compaction" && phase.foreseen === true;
  const next = ending !== null ? "end" : isForeseen ? "send" : "converse";
  const why = isForeseen ? "is about to outgrow the window" : "does not fit";
  const detail = `the history ${why}, and the model gave no summary of it`;
  draft.emit({ type: "model.failed", request, failure: { ...noSummary, detail, remedy: overflowRemedy[next] }, next });
  if (ending !== null) endExchange(draft, ending, exchange.lastText);
}

type Replied = Extract<ModelResult, { type: "replied" }>;

function takeReply(draft: Draft, exchange: Exchange, input: InputOf<"model-result">, result: Replied): void {
  const { request, soft_offers = "regenerate" } = input;
  const { type: _type, refusal: _refusal, ...given } = result;
  const reply = { ...given, calls: identify(result.calls, request) };
  const { violations, question, offer } = exchange.ending === null ? checkReply(exchange, result) : passed;
  const offered = offer === null || soft_offers === "off" ? {} : { offer };
  // The reply without tools is the last resort: it is not asked for a second time.
  const again = exchange.discards < mostRegenerations && exchange.overflow !== "conversational";
  if (violations.length > 0) {
    draft.emit({ type: "reply.discarded", request, reply, violations });
    if (!again) endExchange(draft, { outcome: "contract-violation", violations }, exchange.lastText);
  } else if ("offer" in offered && soft_offers === "regenerate" && again) {
    draft.emit({ type: "reply.discarded", request, reply, violations: ["soft-offer"], ...offered });
  } else {
    const asked = question === null ? {} : { question: { ...question, ...expiry(input) } };
    const hidden = isHidden(exchange, result) ? ({ hidden: true } as const) : {};
    draft.emit({ type: "model.replied", request, reply, ...hidden, ...asked, ...offered });
  }
}

function expiry({ timeout_ms }: InputOf<"model-result">): Pick<QuestionDraft, "timeout_ms"> {
  return timeout_ms === undefined ? {} : { timeout_ms };
}

/** Ids are unique by construction; the provider's own may be missing or used before, and is kept beside. */
function identify(calls: readonly ReceivedCall[], request: number): readonly CallRequest[] {
  return calls.map((call, index) => ({ ...call, id: `t${request}c${index + 1}`, original: call.id }));
}

type CheckOfReply = {
  readonly violations: readonly Violation[];
  readonly question: QuestionDraft | null;
  readonly offer: SoftOffer | null;
};
const passed: CheckOfReply = { violations: [], question: null, offer: null };

/** What the text contract says of a reply, before any of its calls is judged (TXT-4, TXT-10); a refusal's text is free (PRI-1). */
function checkReply(exchange: Exchange, { text, calls, refusal }: Replied): CheckOfReply {
  if (exchange.overflow === "conversational") return refusal ? passed : { ...passed, offer: offerIn(text) };
  // No call of it will be taken up: its text is the last.
  if (exchange.observing) return refusal ? passed : checkFinalText(text);
  const violations = calls.flatMap(({ asks }) => violationsOf(asks));
  if (violations.length > 0 || refusal) return { ...passed, violations };
  if (exchange.run === null) return calls.length === 0 ? checkFinalText(text) : passed;
  const results = calls.flatMap(({ asks }) => (asks.type === "complete" ? [asks.result] : []));
  return { ...passed, offer: results.map(offerIn).find((offer) => offer !== null) ?? null };
}

function violationsOf(asks: Asks): readonly Violation[] {
  if (asks.type === "ask") return lintQuestion(asks.draft);
  return asks.type === "flow" ? asks.flow.steps.flatMap((step) => lintQuestion(step)) : [];
}

function checkFinalText(text: string): CheckOfReply {
  const read = readFinalText(text);
  if (read.type === "answer") return passed;
  if (read.type === "soft-offer") return { ...passed, offer: read.offer };
  return { ...passed, violations: read.violations, question: read.draft };
}

/** A text after which nobody could answer a question in it, in whatever form. */
function offerIn(text: string): SoftOffer | null {
  const read = readFinalText(text);
  if (read.type === "answer") return null;
  return read.type === "soft-offer" ? read.offer : { part: read.draft.question, rule: "block-in-result" };
}

/** A text beside a question is never shown; nor is one between an answer and the first result of what it released. */
function isHidden(exchange: Exchange, { text, calls, refusal }: Replied): boolean {
  const { run, hushed, ending, overflow, observing } = exchange;
  // Where no call of it will be taken up, the text is all there is.
  if (text === "" || ending !== null || observing || overflow === "conversational") return false;
  const asks = calls.some((call) => call.asks.type === "ask" || call.asks.type === "flow");
  const isFinal = refusal === true || (run === null && calls.length === 0);
  return asks || (hushed && !isFinal);
}

/**
 * A history that went to one host is not sent to another because a variable has changed: a person names the model, or the
 * request that is due fails before it is sent, and can be gone on with (SEL-10). Where it has been before, it may go again.
 */
export function withholdHistory(draft: Draft, { origin, named }: ModelAddress): boolean {
  const { exchange, addresses, counted, worked } = draft.session;
  const before = addresses.at(-1);
  // Until then there is no more than what the person has typed: a wrong address can be put right.
  if (named || !worked || before === undefined || addresses.includes(origin)) return false;
  const isDue = exchange !== null && exchange.phase.type !== "turn" && exchange.ending === null;
  if (!isDue || openInteraction(draft.session) !== null) return true;
  const failure = {
    class: "moved",
    detail: `this session went to ${before} until now, and its model is at ${origin}; nothing was sent`,
    remedy: "assent resume <session> --model <provider:model> sends it there",
    partial: "",
  };
  failModel(draft, exchange, counted.requests + 1, failure);
  return true;
}

function failModel(draft: Draft, exchange: Exchange, request: number, failure: ModelFailure): void {
  draft.emit({ type: "model.failed", request, failure, next: "end" });
  const ending = exchange.ending ?? { outcome: "failed", reason: "model", detail: failure.detail };
  endExchange(draft, ending, draft.session.exchange?.lastText ?? "");
}

/** Shorter results, one compaction, one reply without tools, then the end: never a loop (SEL-9). */
function overflow(draft: Draft, exchange: Exchange, request: number, detail: string): void {
  const shortened = exchange.overflow === "none" ? shorteningFor(draft.session) : null;
  const next = exchange.ending === null ? nextRemedy(exchange, shortened) : "end";
  const remedy = next === "shorten" && shortened?.all ? allRemedy : overflowRemedy[next];
  draft.emit({ type: "model.failed", request, failure: { class: "overflow", detail, remedy, partial: "" }, next });
  if (next === "shorten" && shortened !== null) draft.emit({ type: "history.compacted", shortened });
  if (next === "compact") shortenAll(draft);
  if (next !== "end") return;
  endExchange(draft, exchange.ending ?? { outcome: "failed", reason: "overflow", detail }, exchange.lastText);
}

function nextRemedy({ overflow, compacts }: Exchange, shortened: Shortening | null): AfterFailure {
  if (shortened !== null) return "shorten";
  // Who wants a summary wants no reply.
  if (compacts || overflow === "conversational") return "end";
  return overflow === "compacted" ? "converse" : "compact";
}

const allRemedy = "results of tools are being shortened";
const overflowRemedy: Record<AfterFailure, string> = {
  shorten: `old ${allRemedy}`,
  compact: "the history is being summarised",
  converse: "a reply without tools is asked for",
  send: "the request is sent as it is",
  end: "shorten the prompt, start a new session, or name a model that takes more",
};

function abandon(draft: Draft, exchange: Exchange, request: number, partial = ""): Refusal | null {
  if (exchange.ending === null) return refuse("stale_result", "a request is abandoned only at a stop");
  // The number is used up: should the response come after all, it is nobody's.
  draft.emit({ type: "model.abandoned", request, ...(partial === "" ? {} : { partial }) });
  endExchange(draft, exchange.ending, draft.session.exchange?.lastText ?? "");
  return null;
}

/** Steering that a kept reply has seen is history. */
function deliver(session: Session, request: number): Session {
  const delivered = session.waiting.filter((text) => text.sent === request);
  if (delivered.length === 0) return session;
  const told = {
    ...session,
    waiting: session.waiting.filter((text) => text.sent !== request),
    history: delivered.reduce((history, { text }) => addUserText(history, text), session.history),
  };
  // A summary must not lose it.
  return updateExchange(told, (exchange) => ({
    ...exchange,
    said: [...exchange.said, ...delivered.map(({ text }) => text)],
  }));
}

function countRequest(session: Session, request: number, usage?: Usage): Session {
  const next = { ...session, counted: { ...session.counted, requests: request } };
  if (usage === undefined) return next;
  const spent = updateExchange({ ...next, usage: addUsage(next.usage, usage) }, (exchange) => ({
    ...exchange,
    usage: addUsage(exchange.usage, usage),
  }));
  return updateRun(spent, (run) => ({
    ...run,
    usage: addUsage(run.usage, usage),
    iterationTokens: run.iterationTokens + usage.input + usage.output,
  }));
}
