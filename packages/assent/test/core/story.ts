import {
  type Asks,
  decide,
  evolve,
  type Flow,
  fold,
  type GrantRule,
  type InputBody,
  type InputOf,
  type InteractionRequest,
  type JudgedCall,
  type Limits,
  newSession,
  nextWork,
  openInteraction,
  type QuestionDraft,
  type ReceivedCall,
  type Refusal,
  type Session,
  type SessionEvent,
  type Usage,
  type Work,
} from "../../src/core/index.ts";

export const person = { name: "ada", adapter: "test" } as const;
const acted = { by: person, authority: "act" } as const;
export const usage: Usage = { input: 10, output: 5, cached: 0 };

/** One session driven by hand, input by input, on a clock that only the test moves. */
export class Story {
  session: Session = newSession();
  readonly events: SessionEvent[] = [];
  /** What the last input led to. */
  last: { events: readonly SessionEvent[]; refusal: Refusal | null } = { events: [], refusal: null };
  at = 1_000;

  constructor(limits: Partial<Limits> = {}) {
    this.give({ type: "creation", session: "s", cwd: "/project", limits });
  }

  give(input: InputBody): this {
    const decision = decide(this.session, { ...input, at: this.at });
    for (const event of decision.events) {
      this.events.push(event);
      this.session = evolve(this.session, event);
    }
    this.last = { events: decision.events, refusal: decision.refusal };
    return this;
  }

  prompt(text = "do it"): this {
    return this.give({ type: "prompt", text, delivery: "now", entry: "typed", ...acted });
  }

  /** The model answers the pending request with text and calls. */
  model(text: string, ...calls: readonly ReceivedCall[]): this {
    const result = { type: "replied", text, calls, usage } as const;
    return this.give({ type: "model-result", request: this.request, result });
  }

  modelFails(): this {
    const failure = { class: "server-error", detail: "the server said 500", remedy: "try again later", partial: "" };
    return this.give({ type: "model-result", request: this.request, result: { type: "failed", failure } });
  }

  overflow(): this {
    return this.give({ type: "model-result", request: this.request, result: { type: "overflow", detail: "too long" } });
  }

  summarise(summary = "what was done"): this {
    const result = { type: "summarised", summary, usage } as const;
    return this.give({ type: "model-result", request: this.request, result });
  }

  abandon(partial?: string): this {
    const result = { type: "abandoned", ...(partial === undefined ? {} : { partial }) } as const;
    return this.give({ type: "model-result", request: this.request, result });
  }

  /** The policy's word on every call that waits for one. */
  judge(verdict: "allow" | "ask" | "deny" = "allow", given: { timeout_ms?: number; grant?: GrantRule } = {}): this {
    const { work } = this;
    if (work.type !== "judge-calls") throw new Error(`no call waits for a verdict: ${work.type}`);
    const { grant, ...approval } = given;
    const rule = grant === undefined ? {} : { grant };
    const verdicts = work.calls.map(({ id, arguments: text }): JudgedCall => {
      const judged = {
        call: id,
        rule: "test",
        reason: `${verdict} by the test`,
        digest: `digest of ${text}`,
        facts: null,
      };
      if (verdict !== "ask") return { ...judged, verdict };
      const question = `Approve command: ${text}? (yes/no)`;
      return { ...judged, verdict, approval: { question, subject: text, ...approval }, ...rule };
    });
    return this.give({ type: "verdicts", verdicts });
  }

  /** Starts every cleared call. */
  start(): this {
    const { work } = this;
    if (work.type !== "run-tools") throw new Error(`no call is cleared: ${work.type}`);
    for (const { id, arguments: given } of work.calls) {
      this.give({ type: "tool-start", call: id, digest: `digest of ${given}` });
    }
    return this;
  }

  finish(
    call: string,
    text = "ok",
    more: { type?: "error"; exit?: number; files?: string[]; cwd?: string } = {},
  ): this {
    return this.give({ type: "tool-result", call, result: { type: "output", text, ...more } });
  }

  /** Judges, starts and finishes every tool call of the turn, one after another. */
  runTools(text = "ok", more: { type?: "error"; exit?: number } = {}): this {
    while (this.work.type === "judge-calls") {
      this.judge().start();
      for (const call of this.running) this.finish(call, text, more);
    }
    return this;
  }

  /** A typed line at the open question. */
  reply(line: string): this {
    return this.give({ type: "reply", interaction: this.asked, line, shown: "digest of the block", ...acted });
  }

  respond(response: Partial<InputOf<"response">["response"]>): this {
    const whole = { interaction_id: this.asked, cancelled: false, ...response };
    return this.give({ type: "response", response: whole, shown: null, ...acted });
  }

  /** The rule that is to be saved is, or cannot be. */
  save(failure?: string): this {
    const { work } = this;
    if (work.type !== "save-grant") throw new Error(`no rule is to be saved: ${work.type}`);
    return this.give({ type: "grant-result", call: work.call, ...(failure === undefined ? {} : { failure }) });
  }

  stop(mode: "graceful" | "kill" = "graceful"): this {
    return this.give({ type: "stop", mode, ...acted });
  }

  nobody(unattended: "deny" | "park" | "abort"): this {
    return this.give({ type: "nobody", interaction: this.asked, unattended });
  }

  limit(turns: unknown): this {
    return this.give({ type: "limit", turns, ...acted });
  }

  /** Lets so many milliseconds pass, and tells. */
  wait(milliseconds: number): this {
    this.at += milliseconds;
    return this.give({ type: "clock" });
  }

  /** The process dies and another one takes over: nothing is left but the events. */
  crash(): this {
    this.session = fold(this.events);
    return this.give({ type: "recovery", alive: [] });
  }

  get work(): Work {
    return nextWork(this.session);
  }

  /** The number of the model request that is awaited. */
  get request(): number {
    return this.session.counted.requests + 1;
  }

  /** The id of the open interaction. */
  get asked(): string {
    return openInteraction(this.session)?.request.interaction_id ?? "none";
  }

  get running(): readonly string[] {
    return this.calls("call.started").filter((id) => !this.settled.includes(id));
  }

  get settled(): readonly string[] {
    return this.calls("call.finished", "call.unknown");
  }

  get types(): readonly string[] {
    return this.events.map((event) => event.type);
  }

  get lastTypes(): readonly string[] {
    return this.last.events.map((event) => event.type);
  }

  /** The last event of a type, or a failure that says so. */
  find<T extends SessionEvent["type"]>(type: T): Extract<SessionEvent, { type: T }> {
    const found = this.events.findLast((event): event is Extract<SessionEvent, { type: T }> => event.type === type);
    if (found === undefined) throw new Error(`no ${type} among ${this.types.join(", ")}`);
    return found;
  }

  private calls(...types: readonly string[]): readonly string[] {
    return this.events.flatMap((event) => ("call" in event && types.includes(event.type) ? [event.call] : []));
  }
}

export function story(limits: Partial<Limits> = {}): Story {
  return new Story(limits);
}

/** A session with an open run. */
export function running(limits: Partial<Limits> = {}): Story {
  return story(limits).prompt().model("", agentic());
}

/** The events without their time. */
export function bodies(events: readonly SessionEvent[]) {
  return events.map(({ at: _at, ...body }) => body);
}

export function stopRequested(mode: "graceful" | "kill" = "graceful", at = 1_000): SessionEvent {
  return { type: "stop.requested", at, exchange: 1, mode, by: person };
}

export function stoppedWith(text: string, exchange = 1): SessionEvent {
  return { type: "exchange.ended", at: 1_000, exchange, text, outcome: "stopped" };
}

/** As if the request had been recorded with other fields: what is stored is what counts. */
export function stored(told: Story, change: Partial<InteractionRequest>): Story {
  const index = told.events.findLastIndex(({ type }) => type === "interaction.requested");
  const event = told.events[index];
  if (event?.type !== "interaction.requested") throw new Error("no interaction was requested");
  told.events[index] = { ...event, request: { ...event.request, ...change } };
  told.session = fold(told.events);
  return told;
}

let made = 0;

function received(tool: string, given: string, asks: Asks): ReceivedCall {
  made += 1;
  return { id: `original-${made}`, tool, arguments: given, asks };
}

export function terminal(command = "ls"): ReceivedCall {
  return received("terminal", command, { type: "tool", parallel: false, command });
}

/** A call that may run beside its neighbours. */
export function read(path = "a.txt"): ReceivedCall {
  return received("read_file", path, { type: "tool", parallel: true });
}

/** A call that only looks something up (SEL-8). */
export function looksUp(command = "/status"): ReceivedCall {
  return received("slash_invoke", command, { type: "tool", parallel: false, observes: true });
}

export function agentic(objective = "reach the goal"): ReceivedCall {
  return received("agentic", objective, { type: "agentic", objective });
}

export function complete(status: "success" | "failure" | "partial" = "success", result = "all done"): ReceivedCall {
  return received("complete", result, { type: "complete", result, status });
}

export function ask(draft: Partial<QuestionDraft> = {}): ReceivedCall {
  const options = [
    { id: "red", label: "Red" },
    { id: "blue", label: "Blue" },
  ];
  return received("ask", "{}", {
    type: "ask",
    draft: { question: "Which colour?", options, allow_free_text: true, ...draft },
  });
}

export function flowCall(flow: Flow): ReceivedCall {
  return received("flow", "{}", { type: "flow", flow });
}

export function broken(reason = "unknown tool"): ReceivedCall {
  return received("no_such_tool", "{", { type: "invalid", reason });
}
