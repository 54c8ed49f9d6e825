import {
  type Decision,
  decide,
  evolve,
  type InputBody,
  newSession,
  openInteraction,
  type Purpose,
  type Refusal,
  resolvedSecret,
  type Secret,
  type Session,
  type SessionEvent,
  type SessionInput,
} from "../core/index.ts";
import { type RecordedEvent, unrecordable } from "../wire/index.ts";
import {
  type ChainBreak,
  type ChainPlace,
  type Clock,
  type Damage,
  describeDamage,
  type Journal,
  JournalError,
  leastHidden,
  type Secrets,
} from "./ports.ts";
import { redactedInput, refusedInput } from "./redacted-input.ts";
import type { Redacting, TextRedactor } from "./redacting.ts";
import type { Submitted } from "./session-host.ts";

/** How many of the newest events are kept at hand for those who follow. */
const mostRecent = 256;
/** An input is decided again when another process was faster; this many times in a row is no coincidence. */
const mostRetries = 1_000;
/** What people type where a secret may be left out. */
const noSecret = "none";

/** The input that follows by itself from a state, if one does. */
export type Next = (session: Session) => InputBody | null;
const nothing: Next = () => null;

export type Opening = {
  readonly journal: Journal;
  readonly secrets: Secrets;
  readonly clock: Clock;
  readonly newId: () => string;
  /** What must not be seen is in no event (INTG-4). */
  readonly redacting: Redacting;
  /** Called after each change, whoever made it; what it is told of is durable. */
  readonly onChange: () => void;
};

/** What was looked at of a session, and what of that is not as it was recorded. */
type Looked = {
  /** The newest event that was looked at. */
  readonly seq: number;
  /** From here on it is gone on with; `null` where all is looked at again. */
  readonly place: ChainPlace | null;
  readonly breaks: readonly ChainBreak[];
  /** There are more than these, all of them behind the last one. */
  readonly more: boolean;
};
const unlooked: Looked = { seq: 0, place: null, breaks: [], more: false };

/** What programs have said comes by these. */
const ofPrograms: readonly InputBody["type"][] = ["tool-result", "input-request", "form-request", "process"];

/** One session as this process knows it: the fold of its journal, kept up with what any process appends. */
export class OpenSession {
  readonly id: string;
  readonly #opening: Opening;
  #state = newSession();
  #damage: Damage | null = null;
  #recent: readonly RecordedEvent[] = [];
  /** The newest event that was read, not recorded here. */
  #read = 0;
  #looked = unlooked;
  /** What was read is not as it was recorded, and may have been put right since: it is read again. */
  #doubted = false;
  #told = false;
  /** What people typed unseen in this session, as long as this process knows it. */
  #typed: readonly string[] = [];

  constructor(id: string, opening: Opening) {
    this.id = id;
    this.#opening = opening;
  }

  get state(): Session {
    return this.#state;
  }

  /** From where on the journal cannot be read, if that is so. */
  get damage(): Damage | null {
    return this.#damage;
  }

  /** From now on this is not seen in the session, whatever brings it. */
  hide(typed: string): void {
    const isSecret = typed.length >= leastHidden && typed.trim().toLowerCase() !== noSecret;
    if (isSecret && !this.#typed.includes(typed)) this.#typed = [...this.#typed, typed];
  }

  /** Whether something was typed here that must not be seen. */
  get hides(): boolean {
    return this.#typed.length > 0;
  }

  /** For a text that is shown as it comes and recorded nowhere. */
  redactor(): TextRedactor {
    return this.#opening.redacting.texts(() => this.#typed);
  }

  /** Takes in what other processes have appended. */
  refresh(): void {
    const reading = this.#opening.journal.read(this.id, this.#state.seq);
    this.#damage = reading.damage;
    const { events } = reading;
    const newest = events.at(-1);
    if (newest === undefined) return;
    this.#read = newest.seq;
    this.#take(
      events,
      events.reduce((session, { event }) => evolve(session, event), this.#state),
    );
  }

  /**
   * What is not as it was recorded, as far as it was read and not recorded here: what was looked at is not looked at again, and what
   * cannot be read at all is told as that (SESS-5).
   */
  breaks(): readonly ChainBreak[] {
    return this.#look().breaks;
  }

  /**
   * For whoever is about to work on it: what is under way must be as it was recorded. What is not, and lies before that, is told
   * once, and is kept: a session in which somebody changed something is not lost (SESS-4).
   */
  check(): readonly ChainBreak[] {
    const { status, exchange } = this.#state;
    if (status !== "active") return [];
    const broken = this.#broken(exchange);
    if (broken !== null) throw new JournalError("not_as_recorded", describeBreak(this.id, broken), this.id);
    const breaks = this.#told ? [] : this.breaks();
    this.#told ||= breaks.length > 0;
    return breaks;
  }

  /** What is wrong with an exchange that others began, or added to. What is stopped goes no further. */
  #broken(exchange: { readonly began: number; readonly stop?: unknown } | null): ChainBreak | null {
    if (exchange === null || (exchange.stop ?? null) !== null || exchange.began > this.#read) return null;
    const { breaks, more } = this.#look();
    const broken = breaks.find(({ seq }) => seq >= exchange.began) ?? (more ? breaks.at(-1) : undefined);
    if (broken !== undefined) this.#doubted = true;
    return broken ?? null;
  }

  #look(): Looked {
    const { journal } = this.#opening;
    if (this.#doubted) this.#readAgain();
    const { seq: before, place } = this.#looked;
    const { seq } = this.#state;
    if (this.#read <= before || this.#damage !== null) return this.#looked;
    const [check] = place === null ? journal.verify(this.id) : journal.verify(this.id, undefined, place);
    const { events = 0, head = null, breaks = [], more = 0 } = check ?? {};
    // What has been added to it since it was read is looked at with what comes then.
    const isAll = (place?.seq ?? 0) + events === seq && head !== null;
    const known = place === null ? [] : this.#looked.breaks;
    this.#looked = {
      seq,
      place: isAll ? { seq, hash: head } : place,
      ...{ breaks: [...known, ...breaks], more: more > 0 || (place !== null && this.#looked.more) },
    };
    return this.#looked;
  }

  #readAgain(): void {
    this.#forget();
    this.refresh();
  }

  #forget(): void {
    this.#state = newSession();
    this.#recent = [];
    [this.#read, this.#looked, this.#doubted] = [0, unlooked, false];
  }

  /**
   * Decides an input on the newest state and records what follows: when it returns, that is durable (SESS-1). What
   * `next` says of the state that this would lead to is decided at once and recorded in the same append.
   */
  submit(body: InputBody, next: Next = nothing): Submitted {
    const { clock } = this.#opening;
    for (let retry = 0; retry < mostRetries; retry++) {
      const broken = this.#inTheWay(body);
      if (broken !== null) return { refusal: broken, events: [] };
      const named = this.#withSecret(body);
      const hide = this.#hiding(named);
      const refused = hide === null ? null : refusedInput(named, hide, this.#answered(named));
      if (refused !== null) return { refusal: refused, events: [] };
      const input = { ...(hide === null ? named : redactedInput(named, hide)), at: clock.now() };
      const follows: Next = (session) => this.#redactedNext(next(session));
      const { events, session, refusal, secret } = decideAll(this.#state, input, follows);
      if (events.length === 0) return { refusal, events: [] };
      const flaw = firstFlaw(events);
      if (flaw !== null) throw new TypeError(`session ${this.id}: the input ${body.type} cannot be recorded: ${flaw}`);
      const { seq } = this.#state;
      const newest = this.#append(seq, events, secret);
      if (newest === null) {
        const recorded = events.map((event, index) => ({ seq: seq + index + 1, session: this.id, event }));
        this.#take(recorded, session);
        return { refusal, events: recorded };
      }
      this.#catchUp(newest);
    }
    throw new JournalError("busy", `session ${this.id}: ${mostRetries} times in a row another process was faster`);
  }

  /** Another was faster; or it was deleted, and what is decided next is decided on what there is. */
  #catchUp(newest: number): void {
    if (newest < this.#state.seq) this.#forget();
    this.refresh();
  }

  /** `null` when they are recorded, otherwise the newest number. Whatever kept them from it, the secret put for them goes. */
  #append(seq: number, events: readonly SessionEvent[], secret: Secret | null): number | null {
    const { journal, secrets } = this.#opening;
    let appended = false;
    if (secret !== null) secrets.put(secret);
    try {
      const answer = journal.append(this.id, seq, events);
      appended = answer.type === "appended";
      return answer.type === "appended" ? null : answer.newest;
    } finally {
      if (!appended && secret !== null) secrets.remove(secret.name);
    }
  }

  /** An answer is acted upon, and so is what is gone on with; a stop, or what begins something else, is not kept from anybody. */
  #inTheWay(body: InputBody): Refusal | null {
    const { exchange, failed } = this.#state;
    const resumed = body.type === "resumption" && exchange === null ? failed : null;
    const broken = this.#broken(this.#answered(body) === null ? resumed : exchange);
    if (this.#damage !== null) throw new JournalError("damaged", describeDamage(this.#damage));
    return broken === null ? null : { code: "not_as_recorded", detail: describeBreak(this.id, broken) };
  }

  /** What the open question is asked for, if this answers it. */
  #answered(body: InputBody): Purpose["type"] | null {
    const open = openInteraction(this.#state);
    return open !== null && answers(body, open.request.interaction_id) ? open.purpose.type : null;
  }

  /**
   * How the texts of an input are hidden; `null` where nothing is to be hidden. There is no other way into a session: what must
   * not be seen stays outside (INTG-4).
   */
  #hiding(body: InputBody): ((text: string) => string) | null {
    // What a person typed for a program comes back from programs alone; elsewhere the same letters are a word like any other.
    const hide = this.#opening.redacting.now(ofPrograms.includes(body.type) ? this.#typed : []);
    // Where programs were made to show the mark, a command must not run with it: to a shell it is a pattern.
    if (hide === null && body.type === "model-result" && this.#typed.length > 0) return (text) => text;
    const open = hide === null ? undefined : openInteraction(this.#state)?.request;
    // What is typed at a question for a secret goes to the store, and no further.
    return open?.sensitive && answers(body, open.interaction_id) ? null : hide;
  }

  #redactedNext(body: InputBody | null): InputBody | null {
    const hide = body === null ? null : this.#hiding(body);
    return body === null || hide === null ? body : redactedInput(body, hide);
  }

  /** An answer that is a secret gets a name of its own, so that no other process that answers at this moment overwrites it. */
  #withSecret(body: InputBody): InputBody {
    if (body.type !== "reply" && body.type !== "response") return body;
    const { newId, secrets } = this.#opening;
    const open = openInteraction(this.#state)?.request;
    const kept = open?.sensitive ? { ...body, secret: newId() } : body;
    if (kept.type === "reply") return kept;
    const { interaction_id, free_text } = kept.response;
    const name = resolvedSecret(this.#state, interaction_id);
    return name === null ? kept : { ...kept, repeats: free_text !== undefined && secrets.read(name) === free_text };
  }

  /** Recorded events after that number, from the newest at hand or from the journal. */
  recorded(after: number, most: number): readonly RecordedEvent[] {
    const first = this.#recent[0]?.seq;
    if (first === undefined || after + 1 < first) return this.#opening.journal.read(this.id, after, most).events;
    return this.#recent.slice(after + 1 - first, after + 1 - first + most);
  }

  #take(events: readonly RecordedEvent[], session: Session): void {
    this.#state = session;
    this.#recent = events.length > mostRecent ? events.slice(-mostRecent) : [...this.#recent, ...events];
    // Cut now and then, not at every event.
    if (this.#recent.length > 2 * mostRecent) this.#recent = this.#recent.slice(-mostRecent);
    this.#opening.onChange();
  }
}

/** A program that has no types, or is wrong about them, must not leave a session that nobody can read. */
function firstFlaw(events: readonly SessionEvent[]): string | null {
  for (const event of events) {
    const flaw = unrecordable(event);
    if (flaw !== null) return flaw;
  }
  return null;
}

/** A place that is not as it was recorded, and why nothing is done that rests on it. */
function describeBreak(session: string, { seq, type, reason }: ChainBreak): string {
  const event = `event ${seq}${type === null ? "" : ` (${type})`}`;
  return `session ${session}: ${event}: ${reason}; nothing is done that rests on it`;
}

function answers(body: InputBody, interaction: string): boolean {
  if (body.type === "reply") return body.interaction === interaction;
  return body.type === "response" && body.response.interaction_id === interaction;
}

function decideAll(state: Session, input: SessionInput, next: Next): Decision {
  const first = decide(state, input);
  const events = [...first.events];
  let { session, secret } = first;
  for (let added = events.length; added > 0; ) {
    const body = next(session);
    if (body === null) break;
    const more = decide(session, { ...body, at: input.at });
    events.push(...more.events);
    session = more.session;
    secret ??= more.secret;
    added = more.events.length;
  }
  return { events, session, refusal: first.refusal, secret };
}
