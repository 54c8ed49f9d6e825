import { blindTo, causesOf } from "./causes.ts";
import type { SessionEvent } from "./events.ts";
import type { ModelRequest } from "./history.ts";
import type { InputBody, InputType } from "./inputs.ts";
import { decide, evolve } from "./session.ts";
import { type HistoryMessage, newSession, type Session } from "./state.ts";
import { nextWork } from "./work.ts";

/** What the core does not know: how an event is written down, and how a text is hashed. */
export type ReplayPorts = {
  readonly encode: (event: SessionEvent, seq: number) => string;
  readonly digest: (text: string) => string;
};

/** A recorded session, decided again from the inputs that its events tell of (SESS-6). */
export type Replayed = {
  /** How many events came out as they were recorded, from the first on. */
  readonly events: number;
  /** The inputs that led to them, in order. */
  readonly inputs: readonly InputType[];
  /** Each request to the model that followed, as it stood when its answer came, by a digest of all that is in it. */
  readonly requests: readonly ReplayedRequest[];
  /** `null`: all of it is the same, byte for byte. */
  readonly difference: ReplayDifference | null;
};

export type ReplayedRequest = { readonly number: number; readonly digest: string };

/** The first place where something else comes out: what is recorded there, what comes instead, and of which input. */
export type ReplayDifference = {
  readonly seq: number;
  /** `null`: nothing, for the record ends here. */
  readonly recorded: string | null;
  /** `null`: nothing, for no input leads to what is recorded. */
  readonly derived: string | null;
  readonly input: InputType | null;
};

/** A number of events that a whole number of inputs led to. */
type Reached = { readonly session: Session; readonly from: number; readonly input: InputType | null };

export function replay(events: readonly SessionEvent[], ports: ReplayPorts): Replayed {
  const lines = events.map((event, index) => ports.encode(event, index + 1));
  const search = new Search(events, lines, ports);
  search.run();
  const path = search.path();
  const { requests, difference: unlike } = requestsAlong(path, events, ports);
  const inputs = path.flatMap(({ input }) => (input === null ? [] : [input]));
  return { events: search.same, inputs, requests, difference: search.difference ?? unlike };
}

/**
 * The state after so many events is the same whichever inputs led there; so it is enough to know which numbers of events can
 * be reached, and nothing that was tried has to be taken back.
 */
class Search {
  readonly #events: readonly SessionEvent[];
  readonly #lines: readonly string[];
  readonly #encode: ReplayPorts["encode"];
  readonly #reached = new Map<number, Reached>([[0, { session: newSession(), from: 0, input: null }]]);
  /** The most events that could be reached. */
  #end = 0;
  /** The furthest that anything agreed with the record. */
  #furthest: ReplayDifference = { seq: 1, recorded: null, derived: null, input: null };

  constructor(events: readonly SessionEvent[], lines: readonly string[], { encode }: ReplayPorts) {
    this.#events = events;
    this.#lines = lines;
    this.#encode = encode;
  }

  run(): void {
    for (let at = 0; at < this.#events.length; at++) {
      const reached = this.#reached.get(at);
      if (reached !== undefined) this.#goOn(reached.session, at);
    }
  }

  get difference(): ReplayDifference | null {
    return this.#reached.has(this.#events.length) ? null : this.#furthest;
  }

  /** How many events are as they were recorded. */
  get same(): number {
    return this.difference === null ? this.#events.length : this.#furthest.seq - 1;
  }

  /** What was reached on the way to the furthest place that could be. */
  path(): readonly (Reached & { readonly at: number })[] {
    const path: (Reached & { readonly at: number })[] = [];
    for (let at = this.#end; ; ) {
      const reached = this.#reached.get(at);
      if (reached === undefined) break;
      path.push({ ...reached, at });
      if (at === 0) break;
      at = reached.from;
    }
    return path.reverse();
  }

  #goOn(session: Session, at: number): void {
    this.#differs(at, null, null);
    const ahead = this.#momentOf(at);
    // What time brings comes before the input that it came with.
    const passed = this.#try(session, at, { type: "clock" });
    let later = session;
    for (let before = 0; before <= passed; before++) {
      for (const cause of causesOf(later, ahead.slice(before))) this.#try(session, at, cause);
      const event = ahead[before];
      if (event !== undefined) later = evolve(later, event);
    }
  }

  /** All that was recorded at the same time: what one input led to has no other. */
  #momentOf(at: number): readonly SessionEvent[] {
    const time = this.#events[at]?.at;
    let end = at;
    while (this.#events[end]?.at === time && end < this.#events.length) end++;
    return this.#events.slice(at, end);
  }

  /** Returns how many events it agrees in; where it agrees in all of its own, that is a place reached. */
  #try(session: Session, at: number, body: InputBody): number {
    const time = this.#events[at]?.at ?? 0;
    const decided = decide(blindTo(session), { ...body, at: time }).events.map((event, index) =>
      asRecorded(event, this.#events[at + index]),
    );
    for (const [index, event] of decided.entries()) {
      const line = this.#encode(event, at + index + 1);
      if (line === this.#lines[at + index]) continue;
      this.#differs(at + index, line, body.type);
      return index;
    }
    const to = at + decided.length;
    if (to > at && !this.#reached.has(to)) {
      this.#end = Math.max(this.#end, to);
      this.#reached.set(to, { session: decided.reduce(evolveOne, session), from: at, input: body.type });
    }
    return decided.length;
  }

  /** At the same place, something is more telling than nothing, and the same kind of event more than another. */
  #differs(at: number, derived: string | null, input: InputType | null): void {
    const { seq, derived: before } = this.#furthest;
    if (at + 1 < seq) return;
    const kind = this.#events[at]?.type;
    const isKind = (line: string | null) => line?.includes(`"type":"${kind}"`) ?? false;
    const better = before === null || (isKind(derived) && !isKind(before));
    if (at + 1 === seq && (derived === null || !better)) return;
    this.#furthest = { seq: at + 1, recorded: this.#lines[at] ?? null, derived, input };
  }
}

function evolveOne(session: Session, event: SessionEvent): Session {
  return evolve(session, event);
}

/** What is not kept is taken as it was recorded: why a reply was none, for nobody knows what was typed. */
function asRecorded(decided: SessionEvent, recorded: SessionEvent | undefined): SessionEvent {
  if (decided.type !== "interaction.rejected" || recorded?.type !== "interaction.rejected") return decided;
  const { code, detail } = recorded;
  return { ...decided, code, detail };
}

/**
 * The requests as the replayed session makes them; a session folded from the record must make the same, or a resume would not
 * go on as before. Both are made here: the journal keeps what came of a request, not the request.
 */
function requestsAlong(
  path: readonly { readonly session: Session; readonly at: number }[],
  events: readonly SessionEvent[],
  ports: ReplayPorts,
): { readonly requests: readonly ReplayedRequest[]; readonly difference: ReplayDifference | null } {
  const digests = new Map<number, string>();
  const written = new RequestText(ports.digest);
  let folded = newSession();
  for (const { session, at } of path) {
    folded = events.slice(folded.seq, at).reduce(evolveOne, folded);
    const [derived, recorded] = [written.of(session), written.of(folded)];
    if (derived?.text !== recorded?.text) {
      const difference = { seq: at, recorded: recorded?.text ?? null, derived: derived?.text ?? null, input: null };
      return { requests: listed(digests), difference };
    }
    if (derived !== null) digests.set(derived.number, ports.digest(derived.text));
  }
  return { requests: listed(digests), difference: null };
}

function listed(digests: ReadonlyMap<number, string>): readonly ReplayedRequest[] {
  return [...digests].map(([number, digest]) => ({ number, digest }));
}

/** A request as a text, each message by its digest. That is made once: a message is in all the requests that come after it. */
class RequestText {
  readonly #digest: ReplayPorts["digest"];
  readonly #messages = new WeakMap<HistoryMessage, string>();

  constructor(digest: ReplayPorts["digest"]) {
    this.#digest = digest;
  }

  of(session: Session): { readonly number: number; readonly text: string } | null {
    const work = nextWork(session);
    if (work.type !== "call-model" && work.type !== "compact-history") return null;
    return { number: work.number, text: JSON.stringify([work.type, work.number, this.#parts(work.request)]) };
  }

  #parts({ messages, ...rest }: ModelRequest): object {
    return { messages: messages.map((message) => this.#message(message)), ...rest };
  }

  #message(message: HistoryMessage): string {
    const known = this.#messages.get(message) ?? this.#digest(JSON.stringify(message));
    this.#messages.set(message, known);
    return known;
  }
}
