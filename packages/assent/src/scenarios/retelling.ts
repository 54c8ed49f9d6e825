import {
  type EventOf,
  type Flow,
  readCommandLine,
  readFinalText,
  type SessionEvent,
  type Usage,
} from "../core/index.ts";
import { looseRecord, parseJson } from "../wire/index.ts";
import { type AskedQuestion, answerLine, rejectedLine } from "./answers.ts";
import { interruptKey } from "./scenario.ts";
import { limitsLine } from "./settings.ts";
import { deedOf, planOf } from "./stand-ins.ts";

export type Told =
  | { readonly lines: readonly string[]; readonly notes: readonly string[] }
  | { readonly reason: string };

type Command = { readonly line: string; readonly meanwhile: string[]; result: string | null };
type Line = string | Command;

/** After so many discarded replies the next one is kept, whatever it says. */
const mostDiscards = 3;
/** Stands where somebody waits until a question has expired. */
const untilExpired = "later";
/** As time is not real, a question may stay open for longer than it did; too short a time is over before it is answered. */
const leastExpiry = 10;
/** What a script can wait at most. */
const mostDelayMs = 3_600_000;

/** Commands of the shell that a play can do as they were done: they reach no further than the session. */
const playable = ["compact", "context", "grants", "help", "queue", "rename", "status", "stop", "tools", "turn-limit"];

/** The lines of a scenario that made these events happen, without what they show. */
export class Retelling {
  readonly #events: readonly SessionEvent[];
  readonly #head: string[] = [];
  readonly #lines: Line[] = [];
  readonly #notes = new Set<string>();
  readonly #running = new Map<string, Command>();
  readonly #calls = new Map<string, { readonly tool: string; readonly given: string }>();
  readonly #asked = new Map<string, AskedQuestion>();
  /** Typed while the model was asked: its line comes first. */
  #meanwhile: string[] = [];
  #flow: Flow | null = null;
  #cwd = "/";
  #isOpen = false;
  /** A command of the shell whose doing is recorded next. */
  #entered: string | null = null;
  #reason: string | null = null;
  /** Replies that were discarded since the last one that was kept. */
  #discards = 0;
  /** Whether it matters how long something takes, and how long what was recorded last took. */
  #isTimed = false;
  #took = 0;
  /** For how many seconds questions stay open, where one expired. */
  #expires = 0;

  constructor(events: readonly SessionEvent[]) {
    this.#events = events;
  }

  tell(): Told {
    for (const [index, event] of this.#events.entries()) {
      this.#took = event.at - (this.#events[index - 1]?.at ?? event.at);
      this.#take(event, this.#events[index + 1]);
    }
    if (this.#reason !== null) return { reason: this.#reason };
    if (this.#lines.length === 0) return { reason: "nothing was typed in it" };
    this.#lines.push("events turn.closed");
    const { head, later } = this.#expiring();
    const lines = this.#lines.flatMap(spread).map((line) => (line === untilExpired ? later : line));
    return { lines: [...new Set([...this.#head, ...head]), ...lines], notes: [...this.#notes] };
  }

  #take(event: SessionEvent, next: SessionEvent | undefined): void {
    switch (event.type) {
      case "session.created":
        this.#create(event);
        break;
      case "session.forked":
        this.#reason = "it is a fork, and begins with what was said elsewhere";
        break;
      case "context.changed":
        this.#window(event);
        break;
      case "exchange.started":
        this.#start(event, next);
        break;
      case "exchange.ended":
        this.#isOpen = false;
        break;
      case "command.entered":
        this.#enter(event);
        break;
      case "steering.received":
      case "prompt.queued":
        this.#wait(event);
        break;
      case "stop.requested":
        this.#stop(event);
        break;
      case "limit.changed":
        if (!this.#isDoneBy("turn-limit") && event.turns !== undefined) this.#type(`/turn-limit ${event.turns}`);
        break;
      case "session.renamed":
        if (!this.#isDoneBy("rename")) this.#type(`/rename ${event.name}`);
        break;
      default:
        this.#takeMore(event, next);
        break;
    }
  }

  #takeMore(event: SessionEvent, next: SessionEvent | undefined): void {
    switch (event.type) {
      case "model.replied":
      case "reply.discarded":
        this.#reply(event);
        break;
      case "model.failed":
      case "model.abandoned":
        this.#fail(event);
        break;
      case "history.compacted":
        if ("summary" in event) this.#model({ text: event.summary, ...usageOf(event.usage) });
        break;
      case "call.judged":
        this.#judge(event, next);
        break;
      case "call.started":
        this.#run(event);
        break;
      case "call.finished":
        this.#finish(event.call, event.result);
        break;
      case "call.unknown":
        this.#notes.add("A process died while a command ran; its result is not known.");
        this.#finish(event.call, { type: "error", text: "its process died" });
        break;
      default:
        this.#takeQuestion(event, next);
        break;
    }
  }

  #takeQuestion(event: SessionEvent, next: SessionEvent | undefined): void {
    switch (event.type) {
      case "interaction.requested":
        this.#ask(event);
        break;
      case "interaction.rejected": {
        const asked = this.#asked.get(event.interaction);
        if (asked !== undefined) this.#type(rejectedLine(asked, event));
        break;
      }
      case "interaction.resolved":
        this.#resolve(event, next);
        break;
      case "interaction.expired":
        this.#expire(event);
        break;
      default:
        // What follows from the others by itself.
        break;
    }
  }

  #create({ cwd, limits }: EventOf<"session.created">): void {
    this.#cwd = cwd;
    this.#isTimed = limits.clock_ms !== null;
    this.#head.push(`folder ${cwd}`);
    const line = limitsLine(limits);
    if (line !== null) this.#head.push(line);
  }

  /** One window for the whole session: the first that was known. */
  #window({ window = null }: EventOf<"context.changed">): void {
    const isKnown = this.#head.some((line) => line.startsWith("limits window="));
    if (window !== null && !isKnown) this.#head.push(`limits window=${window}`);
  }

  #start(event: EventOf<"exchange.started">, next: SessionEvent | undefined): void {
    const { prompt, waiting, resumes, compacts } = event;
    this.#isOpen = true;
    // It was typed before.
    if (waiting !== undefined || (compacts && this.#follows("compact"))) return;
    const entered = next?.type === "command.entered" && "call" in next ? next : null;
    const runs = entered?.asks.type === "flow" && entered.asks.runs === true;
    if (runs) this.#reason = `what was answered to ${prompt} reached further than the session`;
    else if (resumes !== undefined) this.#begin("resume");
    else if (entered?.asks.type === "flow") this.#begin(flowLine(entered.arguments));
    else this.#type(prompt);
  }

  #enter(event: EventOf<"command.entered">): void {
    if ("call" in event) {
      this.#calls.set(event.call, { tool: event.tool, given: event.arguments });
      if (event.asks.type === "flow") this.#flow = event.asks.flow;
      return;
    }
    const name = nameOf(event.command);
    this.#entered = name;
    if (isLeftOut(event)) {
      this.#notes.add(`A command that reaches further than the session is left out: /${name}.`);
      return;
    }
    const isAsked = this.#asked.size > 0;
    if (this.#isOpen && !isAsked) this.#typeMeanwhile(event.command);
    else this.#type(event.command);
  }

  #follows(command: string): boolean {
    const follows = this.#entered === command;
    this.#entered = null;
    return follows;
  }

  /** Of a command that was typed, or that the model runs just now. */
  #isDoneBy(command: string): boolean {
    return this.#follows(command) || this.#running.size > 0;
  }

  #wait(event: EventOf<"steering.received" | "prompt.queued">): void {
    if (event.type === "prompt.queued" && this.#follows("queue")) return;
    const isCommand = event.type === "steering.received" || event.command !== undefined;
    this.#typeMeanwhile(isCommand ? event.text : `/queue ${event.text}`);
  }

  #stop({ mode }: EventOf<"stop.requested">): void {
    if (this.#follows("stop")) return;
    const line = mode === "kill" ? interruptKey : "stop";
    if (this.#asked.size > 0) this.#type(line);
    else this.#typeMeanwhile(line);
  }

  #reply({ reply, ...event }: EventOf<"model.replied" | "reply.discarded">): void {
    for (const { id, tool, arguments: given, asks } of reply.calls) {
      this.#calls.set(id, { tool, given });
      if (asks.type === "flow") this.#flow = asks.flow;
    }
    const isKept = event.type === "model.replied";
    const isShown = isKept && event.offer !== undefined && this.#discards < mostDiscards;
    if (isShown) this.#head.push("offers warn");
    this.#discards = isKept ? 0 : this.#discards + 1;
    const calls = reply.calls.map(({ tool, arguments: given, original }) => {
      return { tool, arguments: plainArguments(given), ...(original === "" ? {} : { id: original }) };
    });
    // That it was a refusal is not recorded, only that such a text was let through.
    const isFree = isKept && event.offer === undefined && calls.length === 0 && asksInProse(reply.text);
    const refusal = isFree ? { refusal: true } : {};
    const text = reply.text === "" && calls.length > 0 ? {} : { text: reply.text };
    this.#model({ ...text, ...(calls.length === 0 ? {} : { calls }), ...usageOf(reply.usage), ...refusal });
  }

  #fail(event: EventOf<"model.failed" | "model.abandoned">): void {
    // A summary without a word is a failure of which only that is recorded.
    const isBlank = event.type === "model.abandoned" || event.failure.class === "no-summary";
    if (isBlank) this.#model({ text: "" });
    else if (event.failure.class === "overflow") this.#model({ overflow: event.failure.detail });
    else this.#model({ failure: event.failure });
  }

  #model(reply: Readonly<Record<string, unknown>>): void {
    const delay = this.#isTimed && this.#took > 0 ? { delay_ms: Math.min(this.#took, mostDelayMs) } : {};
    this.#lines.push(`model ${JSON.stringify({ ...reply, ...delay })}`, ...this.#meanwhile);
    this.#meanwhile = [];
  }

  /** As it was judged then, whatever the policy says by now; with the change that the approval showed. */
  #judge({ verdict, rule, reason, grant }: EventOf<"call.judged">, next: SessionEvent | undefined): void {
    const subject = next?.type === "interaction.requested" ? looseRecord(next.request.subject) : {};
    const { path, diff } = subject;
    const isChange = typeof path === "string" && Array.isArray(diff);
    const judged = {
      ...{ verdict, rule, reason },
      ...(grant === undefined ? {} : { grant }),
      ...(isChange ? { change: { path, diff: diff.join("\n") } } : {}),
    };
    this.#lines.push(`judged ${JSON.stringify(judged)}`);
  }

  #run({ call }: EventOf<"call.started">): void {
    const { tool, given } = this.#calls.get(call) ?? { tool: call, given: "{}" };
    const place = { session: "", cwd: this.#cwd, terminal: { state: "never" }, seen: [] } as const;
    const line = `executes ${deedOf(planOf(tool, given, place))}`;
    const command: Command = { line, meanwhile: [], result: null };
    this.#running.set(call, command);
    this.#lines.push(command);
  }

  #finish(call: string, result: EventOf<"call.finished">["result"]): void {
    const running = this.#running.get(call);
    this.#running.delete(call);
    if (running !== undefined) running.result = `result ${JSON.stringify(result)}`;
  }

  #ask({ request, purpose }: EventOf<"interaction.requested">): void {
    if (purpose.type === "terminal-input") {
      this.#notes.add("A command asked for input on its terminal; what was typed there is left out.");
      return;
    }
    if ("call" in purpose && this.#running.has(purpose.call)) {
      this.#notes.add("A call asked a person while it ran; what was answered there is left out.");
      return;
    }
    this.#asked.set(request.interaction_id, { request, flow: purpose.type === "flow" ? this.#flow : null });
  }

  /** What was asked while a command ran is left out, and so is that nobody answered it. */
  #expire({ interaction }: EventOf<"interaction.expired">): void {
    const asked = this.#asked.get(interaction);
    if (asked === undefined) return;
    this.#asked.delete(interaction);
    this.#expires = Math.max(this.#expires, leastExpiry, Math.ceil((asked.request.timeout_ms ?? 0) / 1_000));
    this.#begin(untilExpired);
  }

  /** One time for all of them; no other question that follows expires in it, too. */
  #expiring(): { readonly head: readonly string[]; readonly later: string } {
    return { head: this.#expires === 0 ? [] : [`expires ${this.#expires}`], later: `later ${this.#expires + 1}` };
  }

  #resolve(event: EventOf<"interaction.resolved">, next: SessionEvent | undefined): void {
    const asked = this.#asked.get(event.interaction);
    this.#asked.delete(event.interaction);
    if (event.state === "withdrawn" && event.reason === "nobody") this.#head.push(`unattended ${event.unattended}`);
    const line = asked === undefined ? null : answerLine(asked, event, next?.type === "flow.changed" ? next : null);
    if (line !== null) this.#type(line);
  }

  #type(text: string): void {
    const [first = "", ...rest] = text.split("\n");
    this.#begin(first === "" ? ">" : `> ${first}`);
    this.#lines.push(...rest.map(further));
  }

  #begin(line: string): void {
    if (this.#lines.length > 0) this.#lines.push("events turn.closed");
    this.#lines.push(line);
  }

  /** Typed while something is under way. */
  #typeMeanwhile(text: string): void {
    const [first = "", ...rest] = text.split("\n");
    const lines = [`>> ${first}`, ...rest.map(further)];
    const running = [...this.#running.values()].at(-1);
    if (running === undefined) this.#meanwhile.push(...lines);
    else running.meanwhile.push(...lines);
  }
}

function spread(line: Line): readonly string[] {
  if (typeof line === "string") return [line];
  return [line.line, ...line.meanwhile, ...(line.result === null ? [] : [line.result])];
}

function further(line: string): string {
  return line === "" ? ">|" : `>| ${line}`;
}

/** What was not counted need not be told. */
function usageOf(usage: Usage): { readonly usage?: Usage } {
  return usage.input + usage.output === 0 ? {} : { usage };
}

function asksInProse(text: string): boolean {
  return readFinalText(text).type === "soft-offer";
}

function plainArguments(given: string): unknown {
  const parsed = parseJson(given);
  const isPlain = parsed.type === "parsed" && typeof parsed.value === "object" && !Array.isArray(parsed.value);
  // Where writing it anew would change it, it stays as the model wrote it.
  return isPlain && parsed.value !== null && JSON.stringify(parsed.value) === given ? parsed.value : given;
}

function flowLine(given: string): string {
  const parsed = parseJson(given);
  return `flow ${parsed.type === "parsed" ? JSON.stringify(parsed.value) : given.replaceAll("\n", " ")}`;
}

/** Whether it is a command of the shell that reaches further than its session, and so cannot be played. */
export function isLeftOut(event: SessionEvent): boolean {
  return event.type === "command.entered" && !("call" in event) && !playable.includes(nameOf(event.command));
}

function nameOf(command: string): string {
  return readCommandLine(command)?.name ?? "";
}
