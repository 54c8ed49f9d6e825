import type { Draft } from "./draft.ts";
import type { ModelReply, Shortening } from "./events.ts";
import { shortenHistory } from "./history.ts";
import type { History, Measured, Session } from "./state.ts";

/** From this part of the window on, the history must become shorter; the rest is for the reply and for what is not foreseen. */
const fullAt = 0.85;
/** Beyond this a summary of it would not fit either. */
const fullest = 0.95;
/** Making it shorter begins a new prefix: it should last for a while. */
const enough = 0.6;
/** Of system prompt, tools and closing part, about: every request has them. */
const constantCharacters = 14_000;
/** As long as no model has told what something cost. */
const usualPerToken = 3.5;
/** Whatever a provider counts, a token is between half a character and eight. */
const perTokenBounds = { least: 0.5, most: 8 };
/** A summary is worth its request where it can free this part of the window; what people said in the exchange stays. */
const leastGain = 0.2;
/** Less than this is no gain worth a new prefix. */
const leastSaved = 2_000;

/** Gentle first: the newest messages matter most. What came last may be cut only to a part of the window. */
const shortenings: readonly Shortening[] = [
  { keep: 6, most: 600 },
  { keep: 2, most: 600 },
];
/** Of the newest results, this part of the window may stay each; where nobody knows it, so many characters. */
const newestPart = 0.2;
const newestUnknown = 4_000;
/** Before a summary: what is cut now will be left out then anyway. */
const strictest: Shortening = { keep: 0, most: 600, all: true };
/** Where no estimate can tell what is enough, this part of the history must go, or a request more is for nothing. */
const leastPart = 0.25;

/** What the history costs by now, from what a model said that it did cost, and from its length since then. */
export function measure({ history }: Session, { usage }: ModelReply): Measured | null {
  if (usage.input === 0) return null;
  const characters = weight(history);
  const perToken = (characters + constantCharacters) / usage.input;
  const { least, most } = perTokenBounds;
  return { tokens: usage.input, characters, perToken: Math.min(most, Math.max(least, perToken)) };
}

function estimate({ history, measured }: Session): number {
  if (measured === null) return (weight(history) + constantCharacters) / usualPerToken;
  return measured.tokens + (weight(history) - measured.characters) / measured.perToken;
}

/** Before a request: what will not fit is made to, old results first, then by a summary (SEL-9). */
export function fitHistory(draft: Draft): void {
  const { window, exchange } = draft.session;
  if (window === null || exchange === null || exchange.overflow !== "none") return;
  if (estimate(draft.session) <= window * fullAt) return;
  const shortened = shorteningFor(draft.session);
  if (shortened !== null) draft.emit({ type: "history.compacted", shortened });
  if (estimate(draft.session) <= window * enough || summable(draft.session) < window * leastGain) return;
  if (draft.session.unsummarised) return;
  if (estimate(draft.session) > window * fullest) shortenAll(draft);
  draft.emit({ type: "history.outgrown", tokens: Math.round(estimate(draft.session)), window });
}

/** How many tokens of the history a summary could stand for. */
function summable({ history, exchange, measured }: Session): number {
  const { prompt = "", said = [] } = exchange ?? {};
  const kept = [prompt, ...said].reduce((sum, text) => sum + text.length, 0);
  return (weight(history) - kept) / (measured?.perToken ?? usualPerToken);
}

/** The gentlest that is enough, or else the one that gains most; `null` when none gains anything. */
export function shorteningFor(session: Session): Shortening | null {
  const { window, history } = session;
  const most = window === null ? newestUnknown : Math.max(600, Math.round(window * newestPart * usualPerToken));
  let best: { readonly shortening: Shortening; readonly saved: number } | null = null;
  for (const shortening of [...shortenings, { keep: 0, most, all: true } as const]) {
    const saved = savedBy(history, shortening);
    if (saved < leastSaved) continue;
    if (isEnough(session, saved)) return shortening;
    if (best === null || saved > best.saved) best = { shortening, saved };
  }
  return best?.shortening ?? null;
}

/** A provider that refuses what should fit, or has a window that nobody knows, makes an estimate worthless. */
function isEnough(session: Session, saved: number): boolean {
  const { window, history, measured } = session;
  const before = estimate(session);
  if (window === null || before <= window * enough) return saved >= weight(history) * leastPart;
  return before - saved / (measured?.perToken ?? usualPerToken) <= window * enough;
}

/** The newest results, too: a summary is asked for with the whole history, and that has to fit. */
export function shortenAll(draft: Draft): void {
  if (savedBy(draft.session.history, strictest) < leastSaved) return;
  draft.emit({ type: "history.compacted", shortened: strictest });
}

function savedBy(history: History, shortening: Shortening): number {
  return weight(history) - weight(shortenHistory(history, shortening));
}

function weight(history: History): number {
  return history?.weight ?? 0;
}
