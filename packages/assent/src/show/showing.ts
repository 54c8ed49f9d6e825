import type { Asks, EventOf, InteractionRequest, Session, SessionEvent } from "../core/index.ts";
import { ladderLine, mostAttempts } from "../core/interaction/index.ts";
import { type Said, saidSystem } from "./said.ts";
import {
  describeEnding,
  describeGrantEvent,
  describeOutgrown,
  saidAborted,
  saidFailedSummary,
  saidFailure,
  saidLastFailure,
  saidMove,
  saidPrompt,
  saidResolution,
  saidResult,
  saidUnrun,
  saidVerdict,
} from "./told.ts";

/** How much of a call's arguments is shown. */
const mostArguments = 120;
/** Whatever could be done about a failure otherwise. */
const stoppedRemedy = "it was stopped: a new prompt goes on";

/** What a person reads of the events of a session, one after the other (PROG-1). */
export class Showing {
  #iteration: number | null;
  readonly #session: string;
  /** What the calls of tools are, as they are shown. */
  readonly #calls = new Map<string, string>();
  /** What a person entered or filled in by a command of the shell: what came of it is told, and no call is shown. */
  readonly #filled = new Set<string>();
  /** The question that is open. */
  #asked: InteractionRequest | null;
  /** The agent's text or the result that was shown last in this exchange, and the agent's text that was. */
  #told = "";
  #spoken = "";
  /** The agent's last reply has neither text nor calls. */
  #silent = false;
  /** A person's own command is run: no agent speaks. */
  #entered: boolean;
  /** A person wants a summary and nothing else: what is not gone on with is asked for again. */
  #compacts: boolean;
  /** A person has stopped it: no failure can be gone on with. */
  #stopped: boolean;
  /** It does not fit, and the model was asked for what can be said without what came before. */
  #lastWord: boolean;

  /** Begins in the middle of an exchange, or at its start. */
  constructor({ id, exchange, interactions }: Pick<Session, "id" | "exchange" | "interactions">) {
    this.#session = id;
    this.#iteration = iterationOf(exchange);
    this.#asked = interactions[0]?.request ?? null;
    this.#entered = exchange?.entered ?? false;
    this.#compacts = exchange?.compacts ?? false;
    this.#stopped = exchange !== null && exchange.stop !== null;
    this.#lastWord = exchange?.overflow === "conversational";
    const calls = exchange?.phase.type === "turn" ? exchange.phase.calls : [];
    for (const call of calls) this.#remember(call.id, call);
  }

  show(event: SessionEvent): readonly Said[] {
    switch (event.type) {
      case "exchange.started":
        return this.#begin(event);
      case "command.entered":
        return this.#enter(event);
      case "run.started":
        this.#iteration = (event.iterations ?? 0) + 1;
        return saidSystem(`run opened: ${event.objective}`);
      case "turn.closed":
        if (this.#iteration !== null && event.counted) this.#iteration += 1;
        return [];
      case "model.replied":
        return this.#reply(event);
      case "call.started":
        return this.#filled.has(event.call) ? [] : saidStart(event.call, this.#calls.get(event.call) ?? event.call);
      case "call.finished":
        return this.#finished(event);
      case "model.failed":
        return this.#failed(event);
      case "stop.requested":
        this.#stopped = true;
        return saidSystem(`stop requested by ${event.by.name} in ${event.by.adapter}`);
      case "call.refused":
        return this.#refused(event);
      case "call.unknown":
        return saidUnknown(this.#calls.get(event.call) ?? event.call);
      case "interaction.requested":
        this.#asked = event.request;
        return [];
      case "interaction.rejected":
        return this.saidRejection(event);
      case "exchange.ended":
        this.#iteration = null;
        // The code has said it, and stands alone (ANS-5).
        return event.outcome === "cancelled" ? [] : saidSystem(this.#describeEnding(event));
      default:
        return saidOther(event, this.#session);
    }
  }

  /** The text that an exchange ended with, for a surface that has no other place for it; what was just shown is not said twice. */
  saidText({ text }: EventOf<"exchange.ended">): readonly Said[] {
    if (text === "" || text === this.#told || text === this.#spoken) return [];
    // Of a command there is no more to tell than how it ended, which was shown as well.
    if (this.#entered && this.#told !== "" && text.startsWith(this.#told)) return [];
    return this.#entered ? saidSystem(text) : [{ channel: "agent", form: "markdown", text }];
  }

  /** The text that an exchange ended with, as its result: what was said before an answer without a word is not the answer. */
  resultText({ outcome, text }: EventOf<"exchange.ended">): string {
    return outcome === "answered" && this.#silent && text === this.#spoken ? "" : text;
  }

  /** What is told after an invalid reply; of the last one the end of the question tells (ANS-4). */
  saidRejection({ attempt, detail }: EventOf<"interaction.rejected">): readonly Said[] {
    if (attempt >= mostAttempts || this.#asked === null) return [];
    return saidSystem(ladderLine(this.#asked, attempt, detail));
  }

  #begin({ resumes, prompt, compacts }: EventOf<"exchange.started">): readonly Said[] {
    this.#told = "";
    this.#spoken = "";
    this.#entered = false;
    this.#compacts = compacts === true;
    this.#stopped = false;
    this.#lastWord = false;
    return resumes === undefined ? saidPrompt(prompt) : saidSystem("going on where it failed");
  }

  #enter(event: EventOf<"command.entered">): readonly Said[] {
    if (!("call" in event)) return [];
    this.#entered = true;
    this.#remember(event.call, event);
    return [];
  }

  #remember(call: string, { tool, arguments: given, asks }: Asked): void {
    // What a command of the shell has done by a tool is told as the shell's.
    const byShell = this.#entered && asks.type === "tool" && asks.command === undefined;
    if (byShell || (asks.type === "flow" && asks.runs)) this.#filled.add(call);
    if (asks.type !== "tool") return;
    this.#calls.set(call, asks.command === undefined ? shortened(`${tool} ${given}`) : `$ ${asks.command}`);
  }

  #finished({ call, result }: EventOf<"call.finished">): readonly Said[] {
    if (this.#filled.has(call)) {
      this.#told = result.text;
      return saidSystem(result.text);
    }
    // The core's own calls show in what follows from them.
    if (!this.#calls.has(call)) return [];
    this.#told = result.text;
    return saidResult(call, result);
  }

  #failed({ failure, next }: EventOf<"model.failed">): readonly Said[] {
    this.#spoken = failure.partial || this.#spoken;
    this.#lastWord = next === "converse";
    if (this.#stopped) return saidFailure({ ...failure, remedy: stoppedRemedy }, this.#session);
    if (next !== "end") return saidFailure(failure, this.#session);
    return (this.#compacts ? saidFailedSummary : saidLastFailure)(failure, this.#session);
  }

  #describeEnding(event: EventOf<"exchange.ended">): string {
    const isOutgrown = this.#lastWord && event.outcome === "failed" && event.reason === "overflow";
    return isOutgrown ? describeOutgrown(event, this.#session) : describeEnding(event);
  }

  /** Where nobody was asked, nobody has seen what it was about. */
  #refused(event: EventOf<"call.refused">): readonly Said[] {
    const unseen = event.why === "nobody" || event.why === "policy";
    const what = unseen ? this.#calls.get(event.call) : undefined;
    const { call } = event;
    const told = { channel: "tool", form: "output", text: `not run: ${what}`, call } as const;
    return [...(what === undefined ? [] : [told]), ...saidUnrun(event)];
  }

  /** The text that ends an exchange is the result, and is shown as that; one that is a question is asked. */
  #reply({ reply, hidden, question, offer }: EventOf<"model.replied">): readonly Said[] {
    const { text, calls, cut } = reply;
    for (const call of calls) this.#remember(call.id, call);
    const isLast = this.#iteration === null && calls.length === 0;
    this.#silent = isLast && text === "";
    const isShown = text !== "" && !hidden && question === undefined && !isLast;
    if (isShown) this.#told = this.#spoken = text;
    return [
      ...(this.#iteration === null ? [] : saidSystem(`iteration ${this.#iteration}`)),
      ...(isShown ? [{ channel: "agent", form: "markdown", text } as const] : []),
      ...(cut ? saidSystem("the reply was cut off at its output limit (ASSENT_MODEL_MAX_OUTPUT allows more)") : []),
      ...(this.#silent ? saidSystem("the model answered with nothing") : []),
      ...(offer === undefined ? [] : saidSystem(`the text asks or offers in prose: ${offer.part} (${offer.rule})`)),
    ];
  }
}

type Asked = { readonly tool: string; readonly arguments: string; readonly asks: Asks };

function saidStart(call: string, text: string): readonly Said[] {
  return [{ channel: "tool", form: "start", text, call }];
}

function saidUnknown(what: string): readonly Said[] {
  return saidSystem(`outcome unknown: ${what}\nIts process died. It may still run; it is not run again.`);
}

/** Arguments as a reminder: what they mean was asked or comes with the result. */
function shortened(call: string): string {
  return call.length <= mostArguments ? call : `${call.slice(0, mostArguments)} …`;
}

function saidOther(event: SessionEvent, session: string): readonly Said[] {
  switch (event.type) {
    case "context.changed":
      return saidMove(event);
    case "call.judged":
      return saidVerdict(event);
    case "grant.added":
    case "grant.removed":
    case "grant.failed":
      return saidSystem(describeGrantEvent(event));
    case "call.skipped":
      return saidUnrun(event);
    case "call.invalid":
      return saidSystem(`the model's call is invalid: ${event.reason}`);
    case "interaction.resolved":
    case "interaction.expired":
      return saidResolution(event);
    case "history.outgrown":
      return saidSystem(
        `about ${event.tokens} tokens of ${event.window}, in which the reply needs room, too: the history is being summarised`,
      );
    case "history.compacted":
      return saidSystem(saidCompaction(event));
    case "session.aborted":
      return saidAborted(session, event.reason);
    default:
      return [];
  }
}

function saidCompaction(event: EventOf<"history.compacted">): string {
  if (!("shortened" in event)) return "the history was summarised";
  return `${event.shortened.keep === 0 ? "" : "old "}results were shortened to make room`;
}

/** The turn that is told first: one that has not closed is not counted yet. */
function iterationOf(exchange: Session["exchange"]): number | null {
  const run = exchange?.run ?? null;
  if (exchange === null || run === null) return null;
  const { phase } = exchange;
  if (phase.type === "turn") return run.openedIn === phase.ordinal ? null : run.iterations + 1;
  return run.iterations === 0 ? null : run.iterations;
}
