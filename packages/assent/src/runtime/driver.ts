import {
  type BackgroundProcess,
  type Call,
  type Flow,
  type Grant,
  type InputBody,
  type InputDraft,
  type InteractionRequest,
  nextWork,
  runningCalls,
  type Session,
  systemPrompt,
  type Unattended,
  type Work,
} from "../core/index.ts";
import { Asking } from "./asking.ts";
import { CallTime, runPlan, SessionHands, type ToolHands, toolsNow } from "./hands.ts";
import { expiry, judgeCall, type Prepared, prepareCall } from "./judging.ts";
import { type LiveText, liveText } from "./live-text.ts";
import type { OpenSession } from "./open-session.ts";
import { type Fact, GrantsError, type Lend, type Live, type Ports } from "./ports.ts";
import { listeningTo, modelResult, offeredTools } from "./replies.ts";
import type { Submitted } from "./session-host.ts";
import { addressOf, allEnded, answerOf, callResult, readTold, settled } from "./sound.ts";

export type Driving = Pick<
  Ports,
  | "provider"
  | "tools"
  | "joined"
  | "runs"
  | "rules"
  | "own"
  | "served"
  | "clock"
  | "context"
  | "expiryMs"
  | "softOffers"
  | "secrets"
  | "grants"
> & {
  readonly session: OpenSession;
  readonly hands: ToolHands;
  /** What becomes of a question: nothing while someone can be asked here, otherwise this (APPR-9). */
  readonly unattended: (request: InteractionRequest) => Unattended | null;
  /** Whether a person can be asked here at this moment. */
  readonly attended: () => boolean;
  /** Whether every call that could change something is denied. */
  readonly readOnly: boolean;
  readonly lend: Lend | null;
  readonly onLive: (live: Live) => void;
  /** The session cannot be worked on any more; what was under way has been told to end. */
  readonly onFailure: (error: unknown) => void;
};

type Started = { readonly controller: AbortController; readonly done: Promise<void> };

/**
 * Does the work of one session, in the process that has its lease. It records before it acts, and keeps no promise for
 * a person: when only a person or a clock can move things on, it rests, and a change wakes it (SESS-1, SESS-2).
 */
export class Driver {
  readonly #driving: Driving;
  readonly #session: OpenSession;
  readonly #hands: SessionHands;
  readonly #started = new Map<string, Started>();
  /** What was planned for the calls that are about to start. */
  readonly #prepared = new Map<string, Prepared | null>();
  readonly #asking: Asking;
  #request: {
    readonly number: number;
    readonly controller: AbortController;
    readonly stopping: AbortController;
  } | null = null;
  #state: "open" | "closing" | "closed" = "open";
  #moving = false;
  /** The request for which the facts of the context were looked at. */
  #contextFor: number | null = null;
  /** The question of which it was said already that nobody is there. */
  #unasked: string | null = null;
  #endsProcesses = false;

  constructor(driving: Driving) {
    this.#driving = driving;
    this.#session = driving.session;
    this.#hands = new SessionHands({
      ...{ session: driving.session.id, hands: driving.hands, clock: driving.clock, tell: this.#tell },
      onReady: () => this.move(),
      // Who is about to leave has no use for them.
      onFailure: (error) => this.#state === "open" && this.#fail(error),
    });
    const record = (body: InputBody) => this.#recordAsked(body);
    this.#asking = new Asking({ ...driving, record, move: () => this.move() });
  }

  /** Does what is due now. To be called after every change of the session. */
  move(): void {
    if (this.#moving || this.#state !== "open") return;
    this.#undisturbed(() => {
      // Each step changes the session or leaves something under way; one that does not change it is the last.
      for (let seq = -1; seq !== this.#session.state.seq && this.#state === "open"; ) {
        seq = this.#session.state.seq;
        this.#perform(nextWork(this.#session.state));
      }
    });
    this.#asking.deliver();
  }

  /** Which of the processes that the session left in the background still run. */
  adopt(): readonly string[] {
    const { state } = this.#session;
    const { processes } = state;
    // A session that was left in order has left nothing.
    if (processes.length === 0 && state.terminal.state !== "open" && runningCalls(state).length === 0) return [];
    const alive = processes.filter((each) => this.#driving.runs(each));
    // Also when none of them runs: a call that nobody saw end may have started some that nobody knows of.
    this.#hands.adopt(alive);
    return alive.map(({ process }) => process);
  }

  /** Ends what is under way, records how calls ended, and does nothing from then on. */
  async close(): Promise<void> {
    if (this.#state === "open") this.#state = "closing";
    const ends = [...this.#started.values()].map(({ done }) => done);
    this.#abort("closed");
    try {
      await allEnded([...ends, this.#hands.close(this.#kept().map(({ process }) => process))]);
    } finally {
      this.#state = "closed";
    }
  }

  #perform(work: Work): void {
    switch (work.type) {
      case "call-model":
      case "compact-history":
        this.#askModel(work);
        return;
      case "stop-model":
        this.#stopModel(work);
        return;
      case "judge-calls":
      case "run-tools": {
        this.#hands.need();
        this.#prepared.clear();
        const body = this.#follows(this.#session.state);
        if (body !== null) this.#submit(body);
        return;
      }
      case "save-grant":
        this.#submit({ type: "grant-result", call: work.call, ...this.#save(work.grant) });
        return;
      case "kill-tools":
        for (const { call, reason } of work.calls) this.#started.get(call.id)?.controller.abort(reason);
        return;
      case "ask-person":
        this.#tellNobody(work.request);
        return;
      case "end-processes":
        if (!this.#endsProcesses) void this.#endProcesses();
        return;
      case "rest":
        return;
      default:
        work satisfies never;
    }
  }

  /**
   * What needs no hands, a verdict and the leave to start, is recorded together with what led to it: one append instead
   * of three between a model's reply and its command.
   */
  #follows(session: Session): InputBody | null {
    // Only calls are such; a request to the model need not be made up to see that.
    if (session.exchange?.phase.type !== "turn" || !this.#hands.ready) return null;
    const work = nextWork(session);
    if (work.type === "judge-calls") {
      const judging = { ...this.#driving, session, policy: this.#hands.policy };
      return { type: "verdicts", verdicts: work.calls.map((call) => judgeCall(call, this.#prepare(call), judging)) };
    }
    const call = work.type === "run-tools" ? work.calls[0] : undefined;
    if (call === undefined) return null;
    return { type: "tool-start", call: call.id, digest: this.#prepare(call)?.digest ?? "" };
  }

  /** Made once for what is recorded together; at any later time it is made anew, for the world may have changed. */
  #prepare(call: Call): Prepared | null {
    const known = this.#prepared.get(call.id);
    if (known !== undefined) return known;
    const prepared = prepareCall(call, { ...this.#driving, hands: this.#hands });
    this.#prepared.set(call.id, prepared);
    return prepared;
  }

  /** Records, then acts: a command is started by the one process that put its `call.started` into the journal (SESS-2). */
  #submit(body: InputBody): void {
    const next = this.#state === "open" ? (session: Session) => this.#follows(session) : undefined;
    const { events } = this.#session.submit(body, next);
    for (const { event } of events) if (event.type === "call.started") this.#run(event.call);
    this.#prepared.clear();
  }

  #askModel(work: Extract<Work, { type: "call-model" | "compact-history" }>): void {
    const { number, request } = work;
    if (this.#request?.number === number) return;
    const { id, cwd, context, window, addresses, terminal, seen } = this.#session.state;
    if (this.#contextFor !== number) {
      // Facts that changed are recorded first, once, and the request is made anew with them.
      this.#contextFor = number;
      const text = this.#driving.context({ session: id, cwd, terminal, seen });
      const size = this.#driving.provider.window ?? null;
      const address = addressOf(this.#driving.provider);
      const moved = address !== null && address.origin !== addresses.at(-1);
      const changed = text !== context || size !== window || moved;
      if (changed && this.#tellContext({ type: "context", text, window: size, address })) return;
    }
    const [controller, stopping] = [new AbortController(), new AbortController()];
    this.#request = { number, controller, stopping };
    const wanted = work.type === "call-model" ? "reply" : "summary";
    const { end: endListening, ...listening } = listeningTo(number, this.#driving);
    const now = toolsNow(this.#driving);
    const tools = offeredTools(now, this.#session.state);
    const question = { session: id, number, wanted, system: systemPrompt, tools, request } as const;
    // While the model thinks there is time to load the hands. One that answers at once may need none.
    const onSent = () => this.#hands.expect();
    const { signal } = controller;
    const ask = () => this.#driving.provider.ask(question, { signal, stopping: stopping.signal, onSent, ...listening });
    void settled(ask, { signal, clock: this.#driving.clock }).then((answer) => {
      endListening();
      this.#request = null;
      this.#hands.forgo();
      // What comes after the end is nobody's; the request is made again by whoever takes the session over.
      if (this.#state !== "open") return;
      const reading = { ...this.#driving, tools: now, offered: tools };
      const result = answerOf(answer, (given) => modelResult(given, wanted, reading));
      const checks = { soft_offers: this.#driving.softOffers, ...expiry(this.#driving) };
      this.#record({ type: "model-result", request: number, result, ...checks });
    });
  }

  /** Whether the session is another now: by these facts, or by what another process recorded meanwhile. */
  #tellContext(facts: InputBody): boolean {
    const { seq } = this.#session.state;
    // Where others did it, they have not been recorded: what is due now may not be what was, and they are looked at again.
    if (this.#session.submit(facts).events.length === 0) this.#contextFor = null;
    return this.#session.state.seq !== seq;
  }

  #stopModel({ number, mode }: Extract<Work, { type: "stop-model" }>): void {
    if (this.#request?.number !== number) {
      this.#session.submit({ type: "model-result", request: number, result: { type: "abandoned" } });
    } else this.#request[mode === "kill" ? "controller" : "stopping"].abort("stopped");
  }

  #run(id: string): void {
    const prepared = this.#prepared.get(id);
    if (prepared === undefined || prepared === null) throw new Error(`call ${id} was started without a plan`);
    const { tool } = prepared.plan;
    const controller = new AbortController();
    const time = new CallTime(tool, controller, this.#driving);
    const live = { stdout: this.#liveOutput(id, "stdout"), stderr: this.#liveOutput(id, "stderr") };
    let flaw: string | null = null;
    const watched = {
      session: this.#session.id,
      call: id,
      signal: controller.signal,
      // Another name or no text is nothing that could be shown; an exception here could end the process.
      onOutput: (stream: "stdout" | "stderr", text: string) =>
        typeof text === "string" ? live[stream === "stderr" ? stream : "stdout"].add(text) : undefined,
      attended: this.#driving.attended(),
      tell: (fact: Fact) => {
        const wrong = this.#tell(fact);
        flaw ??= wrong;
      },
      ask: (draft: InputDraft) => time.without(this.#asking.input(id, draft)),
      form: (flow: Flow, takenBack?: AbortSignal) =>
        time.without(this.#asking.form(id, flow, { ends: controller.signal, takenBack })),
      lend: this.#driving.lend,
    };
    const run = () => runPlan(prepared.plan, prepared.hands, watched);
    const { signal } = controller;
    const done = settled(run, { signal, clock: this.#driving.clock }).then((answer) => {
      time.end();
      this.#started.delete(id);
      live.stdout.end();
      live.stderr.end();
      this.#record({
        type: "tool-result",
        call: id,
        result: callResult(tool, flaw === null ? answer : { threw: flaw }),
      });
    });
    this.#started.set(id, { controller, done });
  }

  #liveOutput(call: string, stream: "stdout" | "stderr"): LiveText {
    const { clock, onLive } = this.#driving;
    return liveText(this.#session.redactor(), clock, (text) => onLive({ type: "output", call, stream, text }));
  }

  /** A rule that cannot be saved is told, and its call has its yes all the same. */
  #save(grant: Grant): { readonly failure?: string } {
    try {
      this.#driving.grants.put(grant);
      return {};
    } catch (error) {
      if (error instanceof GrantsError) return { failure: error.message };
      throw error;
    }
  }

  /** In a step of its own: whoever tells may do so in the middle of another. What is wrong with what is told is returned. */
  readonly #tell = (fact: Fact): string | null => {
    const read = readTold(fact);
    if (read.type === "invalid") return read.reason;
    queueMicrotask(() => this.#record(read.value));
    return null;
  };

  /** The session is over: what it left running ends, and what did not say so has ended, too; but not what a person keeps. */
  async #endProcesses(): Promise<void> {
    this.#endsProcesses = true;
    const kept = this.#kept();
    try {
      await this.#hands.close(kept.map(({ process }) => process));
    } catch (error) {
      this.#fail(error);
    }
    const alive = kept.filter((each) => this.#driving.runs(each)).map(({ process }) => process);
    this.#record({ type: "recovery", alive });
  }

  #kept(): readonly BackgroundProcess[] {
    return this.#session.state.processes.filter(({ kept }) => kept);
  }

  #tellNobody(request: InteractionRequest): void {
    const { interaction_id: interaction } = request;
    if (this.#unasked === interaction) return;
    const unattended = this.#driving.unattended(request);
    if (unattended === null) return;
    this.#unasked = interaction;
    const { events } = this.#session.submit({ type: "nobody", interaction, unattended });
    // A question that is parked is left, and the session with it: what its answer leads to is somebody else's to do.
    if (unattended === "park" && events.length === 0) this.#state = "closing";
  }

  /** What a call that runs asks; what follows is done by whoever asks. */
  #recordAsked(body: InputBody): Submitted | null {
    let submitted: Submitted | null = null;
    this.#undisturbed(() => {
      submitted = this.#session.submit(body);
    });
    return submitted;
  }

  /** Records how something ended, then goes on. */
  #record(body: InputBody): void {
    if (this.#state === "closed") return;
    this.#undisturbed(() => this.#submit(body));
    this.move();
  }

  /**
   * One thing at a time: recording may first bring in what another process recorded, and what follows from that must
   * not be done while this is half done.
   */
  #undisturbed(body: () => void): void {
    this.#moving = true;
    try {
      body();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#moving = false;
    }
  }

  /** Without a journal nothing may go on: what runs is ended, and what it did stays unknown. */
  #fail(error: unknown): void {
    if (this.#state === "closed") return;
    this.#state = "closed";
    this.#abort("failed");
    this.#driving.onFailure(error);
  }

  #abort(reason: string): void {
    this.#request?.controller.abort(reason);
    for (const { controller } of this.#started.values()) controller.abort(reason);
  }
}
