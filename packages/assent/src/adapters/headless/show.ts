import type {
  Ending,
  EventOf,
  GrantScope,
  InteractionRequest,
  InteractionResponse,
  Json,
  ModelFailure,
  ReplyViolation,
  Session,
  SessionEvent,
  ToolResult,
  Usage,
} from "../../core/index.ts";
import {
  describeViolation,
  flowCancel,
  ladderLine,
  mostAttempts,
  stepAbort,
  visibleLine,
  visibleText,
} from "../../core/interaction/index.ts";
import type { Retry } from "../../runtime/index.ts";
import { type AskedPart, askedParts, isRecord, markedLines, reasonLines } from "./approval.ts";

/** How many lines of a text are shown; of a longer one the first and the last of them. */
const mostLines = { prompt: 10, tool: 40 };
/** How much of one line is shown. */
const mostCharacters = 2_000;
/** What a tool says of an output that it did not keep whole. */
const leftOut = /^\[… .* bytes left out.* …\]$/m;
/** How much of a call's arguments. */
const mostArguments = 120;

/** What a person reads of an event, each line with its channel before it; nothing in it that a terminal would obey. */
export class Showing {
  #iteration: number | null;
  readonly #session: string;
  /** What the calls of tools are, as they are shown. */
  readonly #calls = new Map<string, string>();

  /** The question that is open. */
  #asked: InteractionRequest | null;

  /** Begins in the middle of an exchange, or at its start. */
  constructor({ id, exchange, interactions }: Session) {
    this.#session = id;
    this.#iteration = iterationOf(exchange);
    this.#asked = interactions[0]?.request ?? null;
  }

  show(event: SessionEvent): string {
    switch (event.type) {
      case "exchange.started":
        return event.resumes === undefined ? showPrompt(event.prompt) : lines("system", "going on where it failed");
      case "run.started":
        this.#iteration = 1;
        return lines("system", `run opened: ${event.objective}`);
      case "turn.closed":
        if (this.#iteration !== null && event.counted) this.#iteration += 1;
        return "";
      case "model.replied":
        return this.#reply(event);
      case "call.started":
        return lines("tool", cut(this.#calls.get(event.call) ?? event.call, mostLines.tool));
      case "call.finished":
        // The core's own calls show in what follows from them.
        return this.#calls.has(event.call) ? showResult(event.result) : "";
      case "model.failed":
        return showFailure(event.failure, this.#session);
      case "call.refused":
        return this.#refused(event);
      case "call.unknown": {
        const what = this.#calls.get(event.call) ?? event.call;
        return lines("system", `outcome unknown: ${what}\nIts process died. It may still run; it is not run again.`);
      }
      case "interaction.requested":
        this.#asked = event.request;
        return "";
      case "interaction.rejected":
        return this.describeRejection(event);
      case "exchange.ended":
        this.#iteration = null;
        // The code has said it, and stands alone (ANS-5).
        return event.outcome === "cancelled" ? "" : lines("system", describeEnding(event));
      default:
        return showOther(event);
    }
  }

  /** Where nobody was asked, nobody has seen what it was about. */
  #refused(event: EventOf<"call.refused">): string {
    const unseen = event.why === "nobody" || event.why === "policy";
    const what = unseen ? this.#calls.get(event.call) : undefined;
    return `${what === undefined ? "" : lines("tool", cut(what, mostLines.tool))}${showUnrun(event)}`;
  }

  /** What is told after an invalid reply, as a line; of the last one the end of the question tells (ANS-4). */
  describeRejection({ attempt, detail }: EventOf<"interaction.rejected">): string {
    if (attempt >= mostAttempts || this.#asked === null) return "";
    return lines("system", ladderLine(this.#asked, attempt, detail));
  }

  /** The text that ends an exchange is the result, and is printed as that; one that is a question is asked. */
  #reply({ reply, hidden, question, offer }: EventOf<"model.replied">): string {
    const { text, calls, cut: isCut } = reply;
    for (const { id, tool, arguments: given, asks } of calls) {
      if (asks.type !== "tool") continue;
      this.#calls.set(id, asks.command === undefined ? shortened(`${tool} ${given}`) : `$ ${asks.command}`);
    }
    const isLast = this.#iteration === null && calls.length === 0;
    return [
      this.#iteration === null ? "" : lines("system", `iteration ${this.#iteration}`),
      text === "" || hidden || question !== undefined || isLast ? "" : lines("agent", text),
      isCut ? lines("system", "the reply was cut off at its output limit (ASSENT_MODEL_MAX_OUTPUT allows more)") : "",
      isLast && text === "" ? lines("system", "the model answered with nothing") : "",
      offer === undefined ? "" : lines("system", `the text asks or offers in prose: ${offer.part} (${offer.rule})`),
    ].join("");
  }
}

/** The text that an exchange ended with, as it is. */
export function showText(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** That it goes on, and when: a request may be tried for minutes. */
export function showRetry({ failure, attempt, most, delay_ms }: Retry): string {
  const seconds = (delay_ms / 1_000).toFixed(1);
  return lines(
    "system",
    `the model failed (${failure.class}): ${failure.detail}; try ${attempt} of ${most} in ${seconds} s`,
  );
}

/** What had come of the answer, what was wrong, and what to do about it. */
export function showFailure({ class: kind, detail, remedy, partial }: ModelFailure, session: string): string {
  const said = partial === "" ? "" : lines("agent", cut(partial, mostLines.tool));
  const named = remedy.replaceAll("<session>", session);
  return `${said}${lines("system", `the model failed (${kind}): ${detail}; ${named}`)}`;
}

export function showPrompt(prompt: string): string {
  return lines("prompt", cut(prompt, mostLines.prompt));
}

/** What is decided on, in full, as it stands before the question (INT-2). */
export function showSubject(request: InteractionRequest): string {
  const { subject, metadata, options } = request;
  const described = options.map(({ label, description }, index) =>
    description === undefined ? "" : lines("tool", `${index + 1}) ${label}: ${description}`),
  );
  const { reason, unread_grants: unread } = isRecord(metadata) ? metadata : {};
  const parts = askedParts(request);
  const reasons = parts.length === 0 ? [reason] : reasonLines(parts);
  const asked = reasons.map((each) => (typeof each === "string" ? lines("tool", `asked because: ${each}`) : ""));
  const damaged = (Array.isArray(unread) ? unread : []).map((each) =>
    lines("system", `a saved grant cannot be read and does not count: ${visibleLine(String(each))}`),
  );
  const shown = subject === undefined ? "" : showFields(subject, parts);
  return `${shown}${asked.join("")}${damaged.join("")}${described.join("")}`;
}

function showFields(subject: Json, parts: readonly AskedPart[]): string {
  if (!isRecord(subject)) return lines("tool", JSON.stringify(subject));
  return Object.entries(subject)
    .map(([name, value]) => {
      const text = fieldText(value, name === "command" ? parts : []);
      // Indented, so that no line of a command can pass for another field.
      return lines("tool", `${name}: ${text.replaceAll("\n", `\n${" ".repeat(name.length + 2)}`)}`);
    })
    .join("");
}

function fieldText(value: Json, parts: readonly AskedPart[]): string {
  if (Array.isArray(value)) return markedLines(value.map(String), parts).join("\n");
  return isRecord(value) ? JSON.stringify(value) : String(value);
}

function describeResolution(event: SessionEvent): string | null {
  if (event.type === "interaction.expired") return "expired without an answer";
  if (event.type !== "interaction.resolved") return null;
  if (event.state === "cancelled") return flowCancel;
  if ("response" in event) {
    const { confirmed, free_text, selected_option_id, selected_option_ids } = event.response;
    const chosen = free_text ?? selected_option_ids?.join(",") ?? selected_option_id ?? confirmed;
    const what = chosen === undefined ? compactPairs(event.response) : `: ${visibleLine(String(chosen))}`;
    return `${event.state} by ${event.by.name} in ${event.by.adapter}${what}`;
  }
  if (event.state === "aborted") return stepAbort;
  if (event.reason === "secret-lost") return "a secret is no longer kept; its step is asked again";
  return event.reason === "nobody" ? `nobody to answer (${event.unattended})` : `withdrawn: ${event.reason}`;
}

/** Of several answers in one line: which were taken, and which were not (FLOW-4). */
function compactPairs({ metadata }: InteractionResponse): string {
  const compact = isRecord(metadata) ? metadata["compact"] : undefined;
  if (!isRecord(compact)) return "";
  const keys = (list: Json | undefined) => (Array.isArray(list) ? list.map((key) => visibleLine(String(key))) : []);
  const rejected = keys(compact["rejected"]);
  const refused = rejected.length === 0 ? "" : `; not taken: ${rejected.join(", ")}`;
  return `: ${keys(compact["applied"]).join(", ")}${refused}`;
}

/** How a question ended, as lines; the codes stand alone (ANS-5). */
export function showResolution(event: SessionEvent): string {
  const told = describeResolution(event);
  if (told === null) return "";
  return told === stepAbort || told === flowCancel ? `${told}\n` : lines("system", told);
}

/** What an exchange cost, and the session so far (PROG-3). */
export function showTokens(exchange: Usage, session: Usage): string {
  if (exchange.input + exchange.output === 0) return "";
  const more = session.input + session.output > exchange.input + exchange.output;
  return lines("system", `tokens: ${describeUsage(exchange)}${more ? `; session: ${describeUsage(session)}` : ""}`);
}

function describeUsage({ input, output, cached, cost }: Usage): string {
  // Node's own way to write numbers loads the data of all languages first, which takes longer than all the rest.
  const count = (tokens: number) => String(tokens).replace(/\B(?=(?:\d{3})+$)/g, ",");
  const kept = cached === 0 ? "" : ` (${count(cached)} cached)`;
  return `${count(input)} in${kept}, ${count(output)} out${cost === undefined ? "" : `, cost ${cost.toFixed(4)}`}`;
}

export function lines(channel: "prompt" | "agent" | "tool" | "system", text: string): string {
  const label = channel.padEnd(8);
  return visibleText(text.replace(/\n$/, ""))
    .split("\n")
    .map((line) => `${label}${line}\n`)
    .join("");
}

function showOther(event: SessionEvent): string {
  switch (event.type) {
    case "call.judged":
      return showVerdict(event);
    case "grant.added":
    case "grant.removed":
    case "grant.failed":
      return lines("system", describeGrant(event));
    case "call.skipped":
      return showUnrun(event);
    case "call.invalid":
      return lines("system", `the model's call is invalid: ${event.reason}`);
    case "interaction.resolved":
    case "interaction.expired":
      return showResolution(event);
    case "history.outgrown":
      return lines("system", `about ${event.tokens} tokens of ${event.window}: the history is being summarised`);
    case "history.compacted":
      return lines(
        "system",
        "shortened" in event ? "old results were shortened to make room" : "the history was summarised",
      );
    case "stop.requested":
      return lines("system", `stop requested by ${event.by.name} in ${event.by.adapter}`);
    case "session.aborted":
      return lines("system", `the session is aborted: ${event.reason}`);
    default:
      return "";
  }
}

/** What is allowed goes on without a word, unless a person once gave it. */
function showVerdict({ verdict, reason, rule, granted }: EventOf<"call.judged">): string {
  if (granted !== undefined) return lines("system", `allowed by grant ${granted.id}: ${reason}`);
  return verdict === "allow" ? "" : lines("system", `${verdict}: ${reason} (${rule})`);
}

function describeGrant(event: EventOf<"grant.added" | "grant.removed" | "grant.failed">): string {
  switch (event.type) {
    case "grant.added": {
      const { id, scope, display } = event.grant;
      return `granted (${scopes[scope]}): ${visibleLine(display)} (${id})`;
    }
    case "grant.removed":
      return `grant ${event.grant} removed by ${event.by.name} in ${event.by.adapter}`;
    case "grant.failed":
      return `the rule is not saved, the command runs once: ${event.reason}`;
    default:
      return event satisfies never;
  }
}

const scopes: Readonly<Record<GrantScope, string>> = {
  session: "for this session",
  project: "in this project",
  user: "for you everywhere",
};

/** A call that does not run, and why; after a code nothing more is said of it (ANS-5). */
function showUnrun({ type, why, reason }: EventOf<"call.refused" | "call.skipped">): string {
  if (why === "cancelled" || why === "aborted") return "";
  return lines("system", `${type === "call.refused" ? "not approved" : "skipped"}: ${reason}`);
}

/** The turn that is told first: one that has not closed is not counted yet. */
function iterationOf(exchange: Session["exchange"]): number | null {
  const run = exchange?.run ?? null;
  if (exchange === null || run === null) return null;
  const { phase } = exchange;
  if (phase.type === "turn") return run.openedIn === phase.ordinal ? null : run.iterations + 1;
  return run.iterations === 0 ? null : run.iterations;
}

function showResult({ text, diff = "", exit = 0, signal }: ToolResult): string {
  const shown = cut(text, mostLines.tool);
  // Where all of it is stands in the middle of what was left out.
  const whole = leftOut.exec(text)?.[0] ?? "";
  return [
    text === "" ? "" : lines("tool", shown),
    whole === "" || shown.includes(whole) ? "" : lines("tool", whole),
    diff === "" ? "" : lines("tool", cut(diff, mostLines.tool)),
    exit === 0 ? "" : lines("tool", `exit code ${exit}`),
    signal === undefined ? "" : lines("tool", `ended by ${signal}`),
  ].join("");
}

/** Arguments as a reminder: what they mean was asked or comes with the result. */
function shortened(call: string): string {
  return call.length <= mostArguments ? call : `${call.slice(0, mostArguments)} …`;
}

/** As much as a person reads; the whole is in the journal. */
function cut(text: string, most: number): string {
  const all = text.replace(/\n$/, "").split("\n").map(cutLine);
  if (all.length <= most) return all.join("\n");
  const part = most / 2;
  const left = `… ${all.length - most} lines more …`;
  return [...all.slice(0, part), left, ...all.slice(-part)].join("\n");
}

function cutLine(line: string): string {
  return line.length <= mostCharacters ? line : `${line.slice(0, mostCharacters)} … ${line.length} characters`;
}

function describeEnding(ending: EventOf<"exchange.ended">): string {
  const refused = ending.refused ? ", with something refused or unanswered" : "";
  return `ended: ${describeOutcome(ending)}${refused}`;
}

function describeOutcome(ending: Ending): string {
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
      return `${ending.outcome}: the limit on ${ending.bound} was reached`;
    default:
      return ending.outcome;
  }
}

function describeRule(violation: ReplyViolation): string {
  return violation === "soft-offer" ? "a text that asks in prose (soft-offer)" : describeViolation(violation);
}
