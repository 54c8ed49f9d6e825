import type {
  Bound,
  Ending,
  EventOf,
  GrantScope,
  InteractionResponse,
  ModelFailure,
  Person,
  ReplyViolation,
  SessionEvent,
  ToolResult,
  Usage,
} from "../core/index.ts";
import { describeViolation, flowCancel, stepAbort, visibleLine } from "../core/interaction/index.ts";
import type { Retry } from "../runtime/index.ts";
import { isRecord } from "./approval.ts";
import { forkFor, lastRemedy, remedyFor, roomierFor, summaryRemedy } from "./going-on.ts";
import { type Said, saidSystem, saidTool } from "./said.ts";

/** That it goes on, and when: a request may be tried for minutes. */
export function saidRetry({ failure, attempt, most, delay_ms }: Retry): readonly Said[] {
  const seconds = (delay_ms / 1_000).toFixed(1);
  return saidSystem(
    `the model failed (${failure.class}): ${failure.detail}; try ${attempt} of ${most} in ${seconds} s`,
  );
}

/** A failure that an exchange ended with. */
export function saidLastFailure(failure: ModelFailure, session: string): readonly Said[] {
  return saidFailure({ ...failure, remedy: lastRemedy(failure) }, session);
}

/** A failure where nothing but a summary was wanted. */
export function saidFailedSummary(failure: ModelFailure, session: string): readonly Said[] {
  return saidFailure({ ...failure, remedy: summaryRemedy(failure) }, session);
}

/** What had come of the answer, what was wrong, and what to do about it. */
export function saidFailure(failure: ModelFailure, session: string): readonly Said[] {
  const { class: kind, detail, remedy, partial } = failure;
  const told = saidSystem(`the model failed (${kind}): ${detail}; ${remedyFor(session, remedy)}`);
  return partial === "" ? told : [{ channel: "agent", form: "output", text: partial }, ...told];
}

/** Whose eyes the session is under from here on, when they are others than before. */
export function saidMove({ address, before }: EventOf<"context.changed">): readonly Said[] {
  if (address === undefined || before === undefined) return [];
  return saidSystem(`this session and its history now go to ${visibleLine(address)}; until now ${visibleLine(before)}`);
}

export function saidPrompt(text: string): readonly Said[] {
  return [{ channel: "prompt", form: "text", text }];
}

/** What came of a call, and how it ended where it did not end well. */
export function saidResult(call: string, { text, diff = "", exit = 0, signal }: ToolResult): readonly Said[] {
  return [
    ...(text === "" ? [] : [{ channel: "tool", form: "output", text, call } as const]),
    ...(diff === "" ? [] : [{ channel: "tool", form: "diff", text: diff, call } as const]),
    ...(exit === 0 ? [] : saidTool(`exit code ${exit}`)),
    ...(signal === undefined ? [] : saidTool(`ended by ${signal}`)),
  ];
}

/** How a question ended; the codes stand alone (ANS-5). */
export function saidResolution(event: SessionEvent): readonly Said[] {
  const told = describeResolution(event);
  if (told === null) return [];
  return told === stepAbort || told === flowCancel
    ? [{ channel: "system", form: "code", text: told }]
    : saidSystem(told);
}

function describeResolution(event: SessionEvent): string | null {
  if (event.type === "interaction.expired") return "expired without an answer";
  if (event.type !== "interaction.resolved") return null;
  if (event.state === "cancelled") return flowCancel;
  if ("response" in event) return describeAnswer(event);
  if (event.state === "aborted") return stepAbort;
  if (event.reason === "secret-lost") return "a secret is no longer kept; its step is asked again";
  return event.reason === "nobody" ? `nobody to answer (${event.unattended})` : `withdrawn: ${event.reason}`;
}

/** An answer as it was recorded: who gave it, from where, and what it was taken for. */
export function describeAnswer({ state, by, response }: Answered): string {
  const { confirmed, free_text, selected_option_id, selected_option_ids } = response;
  const chosen = free_text ?? selected_option_ids?.join(",") ?? selected_option_id ?? confirmed;
  const what = chosen === undefined ? compactPairs(response) : `: ${visibleLine(String(chosen))}`;
  return `${state} by ${by.name} in ${by.adapter}${what}`;
}

type Answered = { readonly state: string; readonly by: Person; readonly response: InteractionResponse };

/** Of several answers in one line: which were taken, and which were not (FLOW-4). */
function compactPairs(response: InteractionResponse): string {
  const applied = pairsIn(response, "applied");
  const rejected = pairsIn(response, "rejected");
  if (applied.length + rejected.length === 0) return "";
  const refused = rejected.length === 0 ? "" : `; not taken: ${rejected.join(", ")}`;
  return `: ${applied.join(", ")}${refused}`;
}

/** Whether some of the answers in one line were not taken: then whoever typed it is told, too. */
export function isPartlyTaken(response: InteractionResponse): boolean {
  return pairsIn(response, "rejected").length > 0;
}

function pairsIn({ metadata }: InteractionResponse, which: "applied" | "rejected"): readonly string[] {
  const compact = isRecord(metadata) ? metadata["compact"] : undefined;
  const keys = isRecord(compact) ? compact[which] : undefined;
  return Array.isArray(keys) ? keys.map((key) => visibleLine(String(key))) : [];
}

/** What an exchange cost, and the session so far (PROG-3). */
export function saidTokens(exchange: Usage, session: Usage): readonly Said[] {
  if (exchange.input + exchange.output === 0) return [];
  const more = session.input + session.output > exchange.input + exchange.output;
  return saidSystem(`tokens: ${describeUsage(exchange)}${more ? `; session: ${describeUsage(session)}` : ""}`);
}

/** In tokens, and in money where that is known. */
export function describeUsage({ input, output, cached, cost }: Usage): string {
  const kept = cached === 0 ? "" : ` (${grouped(cached)} cached)`;
  return `${grouped(input)} in${kept}, ${grouped(output)} out${cost === undefined ? "" : `, cost ${cost.toFixed(4)}`}`;
}

/** Node's own way to write numbers loads the data of all languages first, which takes longer than all the rest. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}

/** What is allowed goes on without a word, unless a person once gave it. */
export function saidVerdict({ verdict, reason, rule, granted }: EventOf<"call.judged">): readonly Said[] {
  if (granted !== undefined) return saidSystem(`allowed by grant ${granted.id}: ${reason}`);
  return verdict === "allow" ? [] : saidSystem(`${verdict}: ${reason} (${rule})`);
}

export function describeGrantEvent(event: EventOf<"grant.added" | "grant.removed" | "grant.failed">): string {
  switch (event.type) {
    case "grant.added": {
      const { id, scope, display } = event.grant;
      return `granted (${scopeWords[scope]}): ${visibleLine(display)} (${id})`;
    }
    case "grant.removed":
      return `grant ${event.grant} removed by ${event.by.name} in ${event.by.adapter}`;
    case "grant.failed":
      return `the rule is not saved, the command runs once: ${event.reason}`;
    default:
      return event satisfies never;
  }
}

/** For whom something is granted. */
export const scopeWords: Readonly<Record<GrantScope, string>> = {
  session: "for this session",
  project: "in this project",
  user: "for you everywhere",
};

/** A call that does not run, and why; after a code nothing more is said of it (ANS-5). */
export function saidUnrun({ type, why, reason }: EventOf<"call.refused" | "call.skipped">): readonly Said[] {
  if (why === "cancelled" || why === "aborted") return [];
  return saidSystem(`${type === "call.refused" ? "not approved" : "skipped"}: ${reason}`);
}

export function describeEnding(ending: EventOf<"exchange.ended">): string {
  const refused = ending.refused ? ", with something refused or unanswered" : "";
  return `ended: ${describeOutcome(ending)}${refused}`;
}

/** A run that had a last word, for it no longer fitted: nothing before has said how it goes on. */
export function describeOutgrown(ending: EventOf<"exchange.ended">, session: string): string {
  return `${describeEnding(ending)}; ${roomierFor(session)}`;
}

const whyAborted: Readonly<Record<EventOf<"session.aborted">["reason"], string>> = {
  "turn-limit": " at its turn limit",
  nobody: ", for nobody was there to be asked",
};

/** It takes no more; for good, but what is in it is not lost. */
export function saidAborted(session: string, reason: EventOf<"session.aborted">["reason"]): readonly Said[] {
  return saidSystem(`the session is aborted${whyAborted[reason]}: it can be read; ${forkFor(session)}`);
}

/** What sets a bound, where something does. */
const setBy: Partial<Record<Bound, string>> = {
  iterations: "--max-iterations",
  turns: "--max-turns",
  clock: "--max-time",
  calls: "--max-calls",
  tokens: "--max-tokens",
  "iteration-tokens": "--max-iteration-tokens",
  cost: "--max-cost",
};

function describeBound(bound: Bound): string {
  const option = setBy[bound];
  return `${bound === "clock" ? "time" : bound}${option === undefined ? "" : ` (${option})`}`;
}

export function describeOutcome(ending: Ending): string {
  switch (ending.outcome) {
    case "answered":
      return ending.fallback === undefined ? "answered" : "answered without tools: the history does not fit the model";
    case "completed":
      return `completed: ${ending.status}`;
    case "failed":
      // What was wrong with a model was told when it was.
      return ending.reason === "model" ? "failed" : `failed: ${ending.detail}`;
    case "contract-violation":
      return `contract-violation: ${ending.violations.map(describeRule).join("; ")}`;
    case "iteration-limit":
    case "turn-limit":
    case "budget":
    case "stalled":
      return `${ending.outcome}: the limit on ${describeBound(ending.bound)} was reached`;
    default:
      return ending.outcome;
  }
}

function describeRule(violation: ReplyViolation): string {
  return violation === "soft-offer" ? "a text that asks in prose (soft-offer)" : describeViolation(violation);
}
