import { isDeepStrictEqual } from "node:util";
import { evolve, fold, newSession, type Session, type SessionEvent } from "../../src/core/index.ts";
import { JournalError } from "../../src/runtime/index.ts";
import type { RecordedEvent } from "../../src/wire/index.ts";
import { Oracle } from "../core/oracle.ts";
import { replayedRead, requestDigest } from "../core/replaying.ts";
import { eventOf, lineOf } from "./lines.ts";
import { actOn, type Deed, interrupt } from "./people.ts";
import { Random } from "./random.ts";
import { settled } from "./virtual-clock.ts";
import { Crash, given, type Process, World } from "./world.ts";

/** More steps than any of these sessions needs: one that takes them all goes nowhere. */
const mostSteps = 1_500;
const session = "s";
const prompts = ["clean the build", "and now the tests"];

export type Simulated = {
  readonly complaints: readonly string[];
  readonly points: readonly string[];
  readonly events: readonly SessionEvent[];
};

/** One session from beginning to end, with crashes at these points of I/O; what went wrong is told, not thrown. */
export async function simulate(seed: number, crashAt: readonly number[]): Promise<Simulated> {
  const simulation = new Simulation(new World(seed, crashAt));
  await simulation.play();
  return simulation.verdict();
}

class Simulation {
  readonly #world: World;
  readonly #random: Random;
  readonly #complaints: string[] = [];
  /** What somebody was told is recorded. */
  readonly #acknowledged: RecordedEvent[] = [];
  readonly #events: SessionEvent[] = [];
  #folded = newSession();
  #processes: Process[] = [];
  #prompted = 0;

  constructor(world: World) {
    this.#world = world;
    this.#random = new Random(world.seed, 4);
  }

  async play(): Promise<void> {
    for (let step = 0; step < mostSteps; step++) {
      await settled();
      this.#processes = this.#processes.filter((process) => !process.dead);
      if (this.#processes.length < (this.#world.seed % 4 === 0 ? 2 : 1)) this.#startProcess();
      else if (this.#isDone()) return this.#leave();
      else this.#step(step);
    }
    this.#complaints.push(`the session does not come to an end: ${JSON.stringify(this.#state().exchange?.phase)}`);
  }

  verdict(): Simulated {
    const events = this.#events;
    if (!isDeepStrictEqual(fold(events), this.#state())) this.#complaints.push("folding twice gives another state");
    const complaints = [...this.#complaints, ...this.#lost(), ...this.#twice(), ...judge(events, this.#world)];
    complaints.push(...unlikeSaved(events, this.#world), ...untold(events, this.#world));
    // All of them would take half as long again.
    if (this.#world.seed % 3 === 0) complaints.push(...unlikeReplay(events, this.#rows(), this.#world));
    return { complaints, points: this.#world.points, events };
  }

  #step(step: number): void {
    const state = this.#state();
    const [process] = this.#processes;
    if (process === undefined) return;
    if (state.status === "new") this.#created(process);
    else if (state.exchange === null && state.status === "active" && this.#prompted < prompts.length)
      this.#prompt(process);
    else {
      const open = state.interactions[0];
      const willing = step > mostSteps / 2;
      const deed = open === undefined ? interrupt(this.#random, willing) : actOn(open.request, this.#random, willing);
      this.#do(deed, process);
      this.#world.clock.advance();
    }
  }

  #do(deed: Deed, process: Process): void {
    if (deed.type === "sleep") this.#world.clock.skip(deed.ms);
    if (deed.type !== "submit") return;
    // Some answers come from another process, which is there for a moment only.
    const by = this.#random.chance(0.3) ? this.#world.start() : process;
    this.#attempt(() => this.#acknowledged.push(...by.host.submit(session, deed.body).events));
    if (by !== process) by.kill();
  }

  #startProcess(): void {
    const process = this.#world.start();
    this.#processes.push(process);
    const opened = this.#attempt(() => {
      void this.#watch(process);
      process.host.hold(session, { unattended: () => (this.#world.seed % 5 === 1 ? "deny" : null) });
      this.#compare(process);
    });
    if (!opened) process.kill();
  }

  /** Watches as a surface does: from the beginning, without gap or repetition. */
  async #watch(process: Process): Promise<void> {
    let last = 0;
    try {
      for await (const watched of process.host.watch(session, { after: 0 })) {
        if (watched.type !== "recorded") continue;
        if (watched.seq !== last + 1) this.#complaints.push(`event ${watched.seq} shown after ${last}`);
        last = watched.seq;
        this.#acknowledged.push(watched);
      }
    } catch (error) {
      if (!isExpected(error)) this.#complaints.push(`the watch broke: ${String(error)}`);
      // As a command does whose journal failed: it leaves.
      process.kill();
    }
  }

  #created(process: Process): void {
    this.#attempt(() => {
      const limits = this.#random.chance(0.2) ? { turns: 3 } : {};
      process.host.create({ cwd: "/work", limits });
    });
  }

  #prompt(process: Process): void {
    const text = prompts[this.#prompted] ?? "";
    const by = { by: { name: "ada", adapter: "simulation" }, authority: "act" } as const;
    this.#attempt(() => {
      process.host.submit(session, { type: "prompt", text, delivery: "now", entry: "submitted", ...by });
    });
    // It may be recorded though its process died before it could tell.
    this.#prompted = this.#state().counted.exchanges;
  }

  #attempt(body: () => void): boolean {
    try {
      body();
      return true;
    } catch (error) {
      if (!isExpected(error)) throw error;
      return false;
    }
  }

  async #leave(): Promise<void> {
    for (const process of this.#processes) {
      this.#attempt(() => this.#compare(process));
      void process.host.close().catch(() => {});
    }
    await settled();
  }

  #isDone(): boolean {
    const state = this.#state();
    if (state.status === "aborted") return true;
    return state.status === "active" && state.exchange === null && this.#prompted >= prompts.length;
  }

  /** What a process believes is what the journal says (invariant 1). */
  #compare(process: Process): void {
    if (!isDeepStrictEqual(process.host.view(session), this.#state()))
      this.#complaints.push("the state is not the fold");
  }

  /** The fold of the journal, read from its bytes; what was read before is not read again. */
  #state(): Session {
    const rows = this.#rows();
    for (let next = this.#events.length; next < rows.length; next++) {
      const decoded = eventOf(rows[next]?.line ?? "");
      if (decoded.type === "unreadable") throw new Error(decoded.reason);
      this.#events.push(decoded.event);
      this.#folded = evolve(this.#folded, decoded.event);
    }
    return this.#folded;
  }

  #rows(): readonly { readonly line: string }[] {
    return this.#world.store.sessions.get(session) ?? [];
  }

  #lost(): string[] {
    const rows = this.#rows();
    // Who submitted and who watched were often told by the same object.
    const told = new Map(this.#acknowledged.map((recorded) => [recorded.event, recorded]));
    const others = this.#acknowledged.filter(({ seq, event }) => told.get(event)?.seq !== seq);
    return [...told.values(), ...others]
      .filter(({ seq, event }) => rows[seq - 1]?.line !== lineOf({ seq, session, event }))
      .map(({ seq, event }) => `acknowledged and lost: ${seq} ${event.type}`);
  }

  #twice(): string[] {
    return [...this.#world.starts].filter(([, times]) => times > 1).map(([call]) => `${call} was started twice`);
  }
}

/** Reads the whole history as a stranger would, with the requests as they really went out. */
function judge(events: readonly SessionEvent[], { questions, starts }: World): readonly string[] {
  const oracle = new Oracle();
  const asked = new Map(questions.map(({ question }) => [question.number, question]));
  const started = new Set<string>();
  for (const event of events) {
    const answers = event.type === "model.replied" || event.type === "model.failed";
    const question = answers ? asked.get(event.request) : undefined;
    if (question?.wanted === "reply") oracle.rest(event.at, { type: "call-model", ...question });
    if (event.type === "call.started") started.add(event.call);
    oracle.see(event);
  }
  const complaints = [...oracle.complaints, ...changedRequests(questions)];
  if (oracle.open.length > 0) complaints.push("a question is open after the end");
  for (const call of starts.keys()) if (!started.has(call)) complaints.push(`${call} ran without being recorded first`);
  return complaints;
}

/** What is in the store is what people said, once, whatever was tried again; and what was there was asked no more. */
function unlikeSaved(events: readonly SessionEvent[], { grants, saved }: World): readonly string[] {
  const added = events.flatMap((event) =>
    event.type === "grant.added" && event.grant.scope !== "session" ? [event.grant] : [],
  );
  const failed = events.flatMap((event) => (event.type === "grant.failed" ? [event.grant] : []));
  const missing = added.filter(({ id }) => !grants.has(id)).map(({ id }) => `${id} was added and is not saved`);
  const unsaid = [...grants.keys()].filter((id) => id !== given.id && added.every((grant) => grant.id !== id));
  const uses = events.filter((event) => event.type === "call.judged" && event.granted?.id === given.id).length;
  const kept = saved.filter(({ id }) => !failed.includes(id));
  const other = kept.filter((grant) => !isDeepStrictEqual(grant, grants.get(grant.id)));
  return [
    ...missing,
    ...(uses > (given.uses ?? 0) ? [`${uses} calls by a grant for ${given.uses}`] : []),
    ...unsaid.map((id) => `${id} is saved, and no event says so`),
    ...other.map(({ id }) => `${id} was saved twice, each time otherwise`),
  ];
}

/** What a command was told of its questions is what the journal says; one that is told to end is told no more. */
function untold(events: readonly SessionEvent[], { forms }: World): readonly string[] {
  const ends = events.flatMap((event) => (event.type === "flow.ended" ? [`${event.call} ${event.end}`] : []));
  return forms
    .filter(({ call, end }) => end !== "stopped" && !ends.includes(`${call} ${end}`))
    .map(({ call, end }) => `${call} was told ${end}, which the journal does not say`);
}

/** Decided again from the record, it is the same session and asks the model the same (SESS-6). */
function unlikeReplay(
  events: readonly SessionEvent[],
  rows: readonly { readonly line: string }[],
  { questions }: World,
): readonly string[] {
  const lines = rows.map(({ line }) => line);
  const { difference, requests } = replayedRead(events, lines, session);
  if (difference !== null) return [`the replay differs: ${JSON.stringify(difference)}`];
  const last = new Map(questions.map(({ question }) => [question.number, question]));
  return requests.flatMap(({ number, digest }) => {
    const question = last.get(number);
    // Its process may have died before it was made.
    const isSame = question === undefined || requestDigest(question) === digest;
    return isSame ? [] : [`the replay asks something else in request ${number}`];
  });
}

/** A request that is made again after a crash is the same to the byte, but for the closing part. */
function changedRequests(questions: World["questions"]): readonly string[] {
  const first = new Map<number, string>();
  const asked = new Set<string>();
  return questions.flatMap(({ process, question: { number, request } }) => {
    const messages = JSON.stringify(request.messages);
    const before = first.get(number) ?? messages;
    first.set(number, before);
    const twice = asked.has(`${process} ${number}`) ? [`request ${number} was made twice by one process`] : [];
    asked.add(`${process} ${number}`);
    return before === messages ? twice : [...twice, `request ${number} was made again with other messages`];
  });
}

function isExpected(error: unknown): boolean {
  return error instanceof Crash || error instanceof JournalError;
}
