import type { EventOf, EventType, ModelRequest, SessionEvent, Work } from "../../src/core/index.ts";

/** The one address that nobody chooses in a walk. */
export const unnamedAddress = "https://unasked.example";

/** How a call's life may go, written down apart from the core: what it is → the events that may come next. */
const lives: Readonly<Record<string, readonly string[]>> = {
  asked: ["call.judged", "call.invalid", "call.skipped", "call.finished", "call.refused"],
  "call.judged": ["call.cleared", "call.refused", "call.skipped"],
  "call.cleared": ["call.started", "call.refused", "call.skipped"],
  "call.started": ["call.finished", "call.unknown"],
};
/** The core's own calls have no hands. */
const onlyForTools = ["call.judged", "call.cleared", "call.started", "call.unknown"];
const onlyAfterVerdict = ["call.finished", "call.refused"];

type Handlers = { readonly [K in EventType]?: (event: EventOf<K>) => void };
type Call = {
  readonly turn: number;
  readonly tool: boolean;
  /** It is a tool's as soon as a person has filled in a flow for it. */
  readonly fills?: boolean;
  readonly parallel: boolean;
  readonly life: string;
  readonly verdict: string;
  readonly digest: string;
  readonly approved: boolean;
  /** Whether it was judged to be grantable, and how the person said yes to it. */
  readonly offers: boolean;
  readonly word: string;
  /** What became of the rule that would be saved. */
  readonly rule: "none" | "asked" | "confirmed" | "dropped" | "done";
};
const unjudged: Omit<Call, "turn" | "tool" | "parallel"> = {
  ...{ life: "asked", verdict: "none", digest: "", approved: false },
  ...{ offers: false, word: "", rule: "none" },
};
type Asked = {
  readonly purpose: string;
  readonly call: string;
  readonly state: string;
  readonly rejected: number;
  readonly timeout: number | undefined;
  readonly openedAt: number | undefined;
};

/**
 * Reads the events as a stranger would and complains about whatever the promises forbid. It shares no code with the core:
 * its own count of turns, its own life of a call, its own clock for a question, its own view of who may start.
 */
export class Oracle {
  readonly complaints: string[] = [];
  readonly seen = new Map<string, number>();
  turns = 0;
  iterations: number | null = null;
  aborted = false;
  private limit: number | "unlimited" = 25;
  private limitMoved = false;
  private exchange: { readonly ordinal: number; readonly prompt: string } | null = null;
  private resumed = false;
  /** How far the last run came. */
  private iterated: number | undefined;
  /** The exchange is a person's own command, or a summary that a person wants. */
  private entered = false;
  private compacts = false;
  /** What waits, and whether it is a person's command. */
  private readonly waits = new Map<string, { readonly command: boolean }>();
  /** The one call of the last reply that only looked something up and went well: its exchange ends with the next reply. */
  private looksUp: string | null = null;
  private began: { readonly command: boolean } | null = null;
  private readonly launches = new Set<string>();
  /** The last exchange, where the model's failure ended it. */
  private failed: number | null = null;
  /** What did not fit is to be answered without tools. */
  private lastWord = false;
  private replies = 0;
  private discarded = 0;
  private requests = 0;
  private opensRun = false;
  private flow: string | null = null;
  /** What first bound the exchange to end. */
  private bound: string | null = null;
  /** What the session has granted, by id; and every grant there ever was. */
  readonly grants = new Set<string>();
  private readonly granted = new Set<string>();
  private readonly calls = new Map<string, Call>();
  private readonly interactions = new Map<string, Asked>();
  private readonly sent = new Map<string, number>();
  private lastMessages: readonly string[] = [];
  /** Where the history went, the last one last. */
  private addresses: readonly string[] = [];
  /** Whether there is more in the session than prompts. */
  private isPrivate = false;

  see(event: SessionEvent): void {
    this.count(event.type);
    if ("outcome" in event) this.count(`${event.type} ${event.outcome}`);
    const mayFollow = /^(terminal|process|session\.renamed|command\.entered)/.test(event.type);
    if (this.aborted && !mayFollow) this.complain(`${event.type} after the abort`);
    if ("call" in event && event.type.startsWith("call.")) this.seeCall(event.type, event.call);
    this.handle(event);
    this.openNext(event.at);
  }

  /** What must hold whenever an input has been dealt with. */
  rest(at: number, work: Work): void {
    const [open] = this.open;
    const due = open?.openedAt !== undefined && open.timeout !== undefined && at >= open.openedAt + open.timeout;
    if (due) this.complain("a question is open past its deadline");
    if (open !== undefined && this.bound === "stopped") this.complain("a question is open after a stop");
    if (open !== undefined && open.rejected >= 4) this.complain("a question is open after four invalid replies");
    if (this.discarded > 3) this.complain("more than three replies discarded, and the exchange goes on");
    const full = this.limit !== "unlimited" && this.turns >= this.limit && !this.limitMoved;
    if (work.type === "call-model" && full) this.complain("a model call past the turn limit");
    if (work.type === "call-model") this.seeRequest(work.request);
  }

  get open(): readonly Asked[] {
    return [...this.interactions.values()].filter(({ state }) => state === "open");
  }

  get running(): number {
    return [...this.calls.values()].filter(({ life }) => life === "call.started").length;
  }

  private readonly handlers: Handlers = {
    "session.created": ({ limits }) => {
      this.limit = limits.turns;
    },
    "session.aborted": () => {
      this.aborted = true;
      if (this.exchange !== null || this.open.length > 0) this.complain("aborted with something open");
    },
    "limit.changed": ({ turns }) => {
      if (turns === undefined) return;
      if (this.limit === "unlimited" && turns !== "unlimited") this.turns = 0;
      this.limit = turns;
      // A request may be under way: the new limit holds from the next one on.
      this.limitMoved = true;
    },
    "prompt.queued": ({ waiting, command }) => {
      if (command !== undefined) this.count("prompt.queued by its call");
      this.waits.set(waiting, { command: command !== undefined });
    },
    "steering.received": ({ waiting }) => void this.waits.set(waiting, { command: false }),
    "prompt.withdrawn": ({ waiting }) => void this.waits.delete(waiting),
    "exchange.started": ({ exchange, prompt, resumes, waiting, compacts }) => {
      if (this.exchange !== null) this.complain("a second exchange while one is open");
      this.compacts = compacts === true;
      this.began = waiting === undefined ? null : (this.waits.get(waiting) ?? null);
      if (waiting !== undefined && !this.waits.delete(waiting)) this.complain(`${waiting} began, and did not wait`);
      this.looksUp = null;
      this.exchange = { ordinal: exchange, prompt };
      this.resumed = resumes !== undefined;
      if (this.resumed && resumes !== this.failed) this.complain(`${resumes} goes on, which did not fail by the model`);
      this.entered = false;
      this.opensRun = false;
      this.lastWord = false;
      this.replies = 0;
      this.limitMoved = false;
      this.bound = null;
    },
    "exchange.ended": ({ exchange, outcome, ...ending }) => {
      // What a person did without the model leaves what failed as it was.
      const byPerson = this.entered || this.compacts;
      const byModel = "reason" in ending && (ending.reason === "model" || ending.reason === "overflow");
      if (!byPerson) this.failed = byModel ? exchange : null;
      if (this.began?.command && !this.entered) this.complain("a command that waited began as a prompt");
      if (this.exchange?.ordinal !== exchange) this.complain(`the end of ${exchange}, which is not open`);
      if (this.open.length > 0) this.complain("an exchange ended with a question open");
      if (this.flow !== null) this.complain("an exchange ended with a flow open");
      if ([...this.calls.values()].some(({ life }) => life in lives))
        this.complain("an exchange ended with an open call");
      if ([...this.calls.values()].some(({ rule }) => rule === "confirmed"))
        this.complain("an exchange ended with a confirmed rule that was not saved");
      const expected = this.bound === null || [this.bound, "turn-limit"].includes(outcome);
      if (!expected) this.complain(`${outcome}, though it was bound to be ${this.bound}`);
      this.seeLastWord(outcome, ending);
      this.exchange = null;
      this.iterations = null;
      this.discarded = 0;
    },
    "run.started": ({ iterations }) => {
      if (this.iterations !== null) this.complain("a run inside a run");
      if (iterations !== undefined) this.count("run.started again");
      const goesOn = this.resumed && this.replies === 0;
      if (iterations !== (goesOn ? this.iterated : undefined)) this.complain("a run goes on with another count");
      this.iterations = iterations ?? 0;
      // The run of an exchange that goes on was opened by a turn of the one before.
      this.opensRun = this.replies > 0;
    },
    "run.ended": () => {
      this.iterated = this.iterations ?? undefined;
    },
    "turn.closed": ({ counted }) => {
      if (counted === this.opensRun) this.complain(`counted: ${counted}, though it opened a run: ${this.opensRun}`);
      this.turns += counted ? 1 : 0;
      this.limitMoved = false;
      if (this.iterations !== null && counted) this.iterations += 1;
    },
    "steering.sent": ({ request, waiting }) => {
      if (request !== this.requests + 1) this.complain(`steering sent with request ${request}, which is not due`);
      for (const id of waiting) this.sent.set(id, request);
    },
    "steering.withdrawn": ({ waiting }) => {
      this.waits.delete(waiting);
      if (this.sent.get(waiting) === this.requests + 1) this.complain(`${waiting} taken back after it was sent`);
    },
    "stop.requested": () => {
      this.bound ??= "stopped";
    },
    "model.replied": ({ reply, request }) => {
      this.nextRequest(request);
      this.isPrivate = true;
      if (this.entered || this.compacts) this.complain("a reply in an exchange that has no model");
      for (const [id, sent] of this.sent) if (sent === request) this.waits.delete(id);
      const [only] = reply.calls;
      const observes = only?.asks.type === "tool" && only.asks.observes === true;
      this.looksUp = observes && reply.calls.length === 1 && this.iterations === null ? (only?.id ?? null) : null;
      this.opensRun = false;
      this.replies += 1;
      this.discarded = 0;
      for (const { id, asks } of reply.calls) {
        if (this.calls.has(id)) this.complain(`the call id ${id} twice`);
        const parallel = asks.type === "tool" && asks.parallel;
        this.calls.set(id, { ...unjudged, turn: request, parallel, tool: asks.type === "tool" });
      }
    },
    "model.failed": ({ request, failure, next }) => {
      if (next === "send") this.count("model.failed before anything was refused");
      if (next === "converse") this.lastWord = true;
      if (failure.class === "moved") this.count("model.failed because it moved");
      if (failure.class === "moved" && this.addresses.length === 0) this.complain("moved, and was nowhere before");
      this.nextRequest(request);
    },
    "session.forked": ({ addresses = [], unworked }) => {
      this.addresses = addresses;
      this.isPrivate = !unworked;
    },
    "context.changed": ({ address, before }) => {
      if (address === undefined) return;
      this.count(`context.changed with an address${before === undefined ? "" : " that is another"}`);
      if (before !== this.addresses.at(-1)) this.complain(`${address} is told to come after ${before}`);
      // The moves never choose it: it is the first address of a session, or one that it has been to.
      const isUnasked = address === unnamedAddress && before !== undefined && this.isPrivate;
      if (isUnasked && !this.addresses.includes(address)) this.complain("the history goes where nobody sent it");
      this.addresses = [...this.addresses, address];
    },
    "model.abandoned": ({ request }) => this.nextRequest(request),
    "reply.discarded": ({ request }) => {
      this.nextRequest(request);
      this.discarded += 1;
    },
    "history.compacted": (event) => {
      if ("request" in event) this.isPrivate = true;
      if ("request" in event) this.nextRequest(event.request);
      else this.count("history.compacted by shortening");
      this.lastMessages = [];
    },
    "command.entered": (event) => {
      this.isPrivate ||= "call" in event;
      if (!("call" in event)) {
        this.count("command.entered by its line");
        return;
      }
      const { call, asks } = event;
      if (asks.type === "tool") this.count("command.entered by its call");
      this.entered = true;
      const runs = asks.type === "flow" && asks.runs === true;
      this.calls.set(call, { ...unjudged, turn: 0, parallel: false, tool: asks.type === "tool", fills: runs });
    },
    "flow.started": ({ call, flow }) => {
      if (this.flow !== null) this.complain("a flow inside a flow");
      this.flow = call;
      const runs = this.calls.get(call)?.life === "call.started";
      if (runs !== (flow !== undefined)) this.complain(`a flow of ${call}, which runs: ${runs}`);
      if (this.bound !== null) this.complain(`a flow of ${call}, though the exchange is bound to be ${this.bound}`);
    },
    "flow.ended": ({ call, end }) => {
      if (this.flow !== call) this.complain(`the end of the flow ${call}, which is not open`);
      this.flow = null;
      if (this.calls.get(call)?.life === "call.started") {
        this.count(`flow.ended to a running call ${end}`);
        return;
      }
      if (end === "call-ended" || end === "taken-back") this.complain(`the end of ${call}, which did not run`);
      if (end === "confirmed" && this.calls.get(call)?.fills) {
        this.update(call, { tool: true });
        this.count("flow.ended for a tool");
      }
    },
    "call.judged": ({ call, verdict, digest, grant, granted }) => {
      this.update(call, { verdict, digest, offers: grant !== undefined });
      const lost = granted !== undefined && granted.scope === "session" && !this.grants.has(granted.id);
      if (lost) this.complain(`${call} allowed by the grant ${granted.id}, which is gone`);
      this.inOrder(call, verdict);
    },
    "call.unknown": ({ call }) => this.asksNothing(call),
    "call.finished": ({ call, result }) => {
      this.asksNothing(call);
      if (result.launch !== undefined) this.launches.add(call);
      if (call === this.looksUp && result.type === "output") this.count("call.finished and observed");
    },
    "command.launched": ({ call }) => {
      if (!this.launches.delete(call)) this.complain(`${call} launched, which asked for nothing`);
    },
    "call.cleared": ({ call }) => {
      const { word = "", rule = "none" } = this.calls.get(call) ?? {};
      const unsaid = rule === "asked" || rule === "confirmed" || (rule === "none" && word !== "" && word !== "yes");
      if (unsaid) this.complain(`${call} cleared with the yes "${word}" and its rule ${rule}`);
    },
    "grant.added": ({ grant, call }) => {
      const { word, rule } = this.calls.get(call) ?? unjudged;
      const said = grant.scope === "session" ? word === "session" && rule === "none" : rule === "confirmed";
      if (!said || word !== grant.scope) this.complain(`${grant.id} for the ${grant.scope}, which nobody granted`);
      if (this.granted.has(grant.id)) this.complain(`${grant.id} added twice`);
      this.granted.add(grant.id);
      if (grant.scope === "session") this.grants.add(grant.id);
      this.update(call, { rule: "done" });
    },
    "grant.failed": ({ call }) => {
      if (this.calls.get(call)?.rule !== "confirmed") this.complain(`${call} has no rule that could fail`);
      this.update(call, { rule: "done" });
    },
    "grant.removed": ({ grant }) => {
      if (!this.grants.delete(grant)) this.complain(`${grant} removed, which is not there`);
    },
    "call.started": ({ call, digest }) => {
      const judged = this.calls.get(call);
      const may = judged?.verdict === "allow" || (judged?.verdict === "ask" && judged.approved);
      if (!may) this.complain(`${call} started with the verdict ${judged?.verdict} and no approval`);
      if (judged?.digest !== digest) this.complain(`${call} started with another digest than it was judged with`);
      if (this.bound !== null) this.complain(`${call} started in an exchange that is bound to be ${this.bound}`);
    },
    "interaction.requested": ({ request, purpose }) => {
      if (this.interactions.has(request.interaction_id)) this.complain(`${request.interaction_id} asked twice`);
      const call = "call" in purpose ? purpose.call : "";
      const fresh = { state: "open", rejected: 0, openedAt: undefined, timeout: request.timeout_ms };
      this.interactions.set(request.interaction_id, { ...fresh, purpose: purpose.type, call });
      const asked = this.calls.get(call) ?? unjudged;
      const wrong = purpose.type === "approval" && (request.options.length === 5) !== asked.offers;
      if (wrong) this.complain(`${call} has ${request.options.length} options, offered: ${asked.offers}`);
      if (purpose.type !== "grant") return;
      const meant = asked.word === purpose.scope && asked.rule === "none";
      if (!meant) this.complain(`a rule for the ${purpose.scope} after the yes "${asked.word}", rule ${asked.rule}`);
      this.update(call, { rule: "asked" });
    },
    "interaction.rejected": ({ interaction, attempt, at }) => {
      const asked = this.answerable(interaction, at);
      if (asked === undefined) return;
      if (attempt !== asked.rejected + 1) this.complain(`attempt ${attempt} after ${asked.rejected}`);
      this.interactions.set(interaction, { ...asked, rejected: attempt });
    },
    "interaction.resolved": (event) => {
      if (event.state !== "withdrawn") this.answerable(event.interaction, event.at);
      else if (event.reason === "nobody" && event.unattended === "abort") this.bound ??= "failed";
      const asked = this.interactions.get(event.interaction);
      const said = asked?.purpose === "approval" && event.state === "answered";
      if (said) this.update(asked.call, { word: event.response.selected_option_id ?? "yes" });
      this.close(event.interaction, event.state);
    },
    "interaction.expired": ({ interaction }) => this.close(interaction, "expired"),
  };

  private handle<T extends EventType>(event: EventOf<T>): void {
    this.handlers[event.type]?.(event);
  }

  /** What a run could not do is not held against it: it can be gone on with. */
  private seeLastWord(outcome: string, ending: object): void {
    if (!this.lastWord || this.iterations === null) return;
    this.count(`a last word in a run, and ${outcome}`);
    const blamed = outcome === "stalled" || ("bound" in ending && ending.bound === "failed-calls");
    if (blamed) this.complain(`${outcome} by a reply that could have no calls`);
  }

  private nextRequest(request: number): void {
    this.requests += 1;
    if (request !== this.requests) this.complain(`request ${request} where ${this.requests} was due`);
  }

  /** A question or a flow of a call that has ended would be answered to nobody. */
  private asksNothing(id: string): void {
    if (this.open.some(({ call }) => call === id)) this.complain(`${id} ended with a question open`);
    if (this.flow === id) this.complain(`${id} ended with a flow open`);
  }

  /** The first open question is the open one; its time runs from when it became that. */
  private openNext(at: number): void {
    for (const [id, asked] of this.interactions) {
      if (asked.state !== "open") continue;
      if (asked.openedAt === undefined) this.interactions.set(id, { ...asked, openedAt: at });
      return;
    }
  }

  private answerable(id: string, at: number): Asked | undefined {
    const asked = this.interactions.get(id);
    if (asked?.state !== "open") this.complain(`a reply counted at ${id}, which is ${asked?.state}`);
    if (asked?.openedAt === undefined) this.complain(`a reply counted at ${id}, which waits`);
    else if (asked.timeout !== undefined && at >= asked.openedAt + asked.timeout)
      this.complain(`a late reply counted at ${id}`);
    return asked;
  }

  private close(id: string, state: string): void {
    const asked = this.interactions.get(id);
    if (asked?.state !== "open") this.complain(`${id} became ${state} after it was ${asked?.state}`);
    if (asked === undefined) return;
    if (asked.purpose === "approval" && state === "answered") this.update(asked.call, { approved: true });
    if (asked.purpose === "grant") this.update(asked.call, { rule: state === "answered" ? "confirmed" : "dropped" });
    if (asked.purpose === "turn-limit" && state === "answered") this.turns = 0;
    const ends = ["question", "approval", "grant", "flow", "final-text"].includes(asked.purpose);
    if (ends && state === "cancelled") this.bound ??= "cancelled";
    this.interactions.set(id, { ...asked, state });
  }

  private seeCall(type: string, id: string): void {
    const call = this.calls.get(id);
    const before = call?.life ?? "never asked";
    if (!(lives[before] ?? []).includes(type)) this.complain(`${type} after ${before} of ${id}`);
    if (!call?.tool && onlyForTools.includes(type)) this.complain(`${type} of the core's own ${id}`);
    if (call?.tool && before === "asked" && onlyAfterVerdict.includes(type)) this.complain(`${type} of ${id} unjudged`);
    this.update(id, { life: type });
  }

  /** A call is judged in the state that those before it left; only what is parallel-safe and allowed may overtake. */
  private inOrder(id: string, verdict: string): void {
    const call = this.calls.get(id);
    for (const [other, { turn, life, parallel }] of this.calls) {
      if (other === id) return;
      if (turn !== call?.turn || !(life in lives)) continue;
      const overtakes = parallel && call.parallel && verdict === "allow";
      if (!overtakes) this.complain(`${id} judged ${verdict} before ${other} was settled`);
    }
  }

  private update(id: string, change: Partial<Call>): void {
    const call = this.calls.get(id);
    if (call !== undefined) this.calls.set(id, { ...call, ...change });
  }

  /** Every request is well-formed, and only ever adds to the one before. */
  private seeRequest(request: ModelRequest): void {
    // The reply without history that an overflow leads to, unless something was looked up before.
    if (request.tools === "none" && request.messages.length === 0) return;
    if (request.tools === "none") {
      if (this.looksUp === null) this.complain("no tool is offered, and nothing was looked up");
      this.count("request without tools");
    }
    const messages = request.messages.map((message) => JSON.stringify(message));
    const kept = this.lastMessages.every((message, index) => messages[index] === message);
    if (!kept) this.complain("the request changed bytes that were sent before");
    this.lastMessages = messages;
    this.pairs(request.messages);
    const last = request.messages.at(-1);
    const same = last?.role === "user" && last.text === this.exchange?.prompt;
    const twice = this.replies === 0 && !this.resumed && same;
    if (twice) this.complain("the prompt stands in the request twice");
    if (this.replies === 0 && !this.resumed && !request.closing.includes(this.exchange?.prompt ?? "?"))
      this.complain("the prompt is missing");
  }

  /** Each call has exactly one result, directly behind its message. */
  private pairs(messages: ModelRequest["messages"]): void {
    const ids = new Set<string>();
    const awaited = new Set<string>();
    for (const message of messages) {
      if (message.role === "tool" && !awaited.delete(message.call)) this.complain(`a stray result: ${message.call}`);
      if (message.role !== "tool") this.allAnswered(awaited);
      for (const { id } of message.role === "assistant" ? message.calls : []) {
        if (ids.has(id)) this.complain(`the id ${id} twice`);
        ids.add(id);
        awaited.add(id);
      }
    }
    this.allAnswered(awaited);
  }

  private allAnswered(awaited: ReadonlySet<string>): void {
    if (awaited.size > 0) this.complain(`calls without a result: ${[...awaited].join(", ")}`);
  }

  private count(name: string): void {
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1);
  }

  private complain(what: string): void {
    this.complaints.push(what);
  }
}
