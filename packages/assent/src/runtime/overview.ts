import type { RecordedEvent } from "../wire/index.ts";
import { advance, newStanding, type Standing } from "./outline.ts";
import type { Damage, Journal } from "./ports.ts";
import type { OnSession, Overview } from "./session-host.ts";

export type Following = {
  /** Somebody begins to listen, or listens no more. */
  readonly onFollowed: () => void;
  /** There is no such session any more. */
  readonly onForgotten: (session: string) => void;
};

/** How much of a prompt is kept for lists. */
const mostPrompt = 500;

/** After a look at all sessions there is none for so many times as long as it took: looking must not be all that is done. */
const restFactor = 10;

/**
 * Where all sessions stand, kept in step with what any process does. Each session is a few fields and no fold, so ten thousand
 * of them are little; what changed is read, and nothing else.
 */
export class KeptOverview implements Overview {
  readonly #journal: Journal;
  readonly #standing = new Map<string, Standing>();
  readonly #damage = new Map<string, Damage>();
  readonly #listeners = new Set<OnSession>();
  readonly #onFollowed: () => void;
  readonly #onForgotten: (session: string) => void;
  #revision: number;
  #lookAgain = 0;

  constructor(journal: Journal, { onFollowed, onForgotten }: Following) {
    this.#journal = journal;
    this.#onFollowed = onFollowed;
    this.#onForgotten = onForgotten;
    this.#revision = journal.revision();
    const { sessions, damage } = journal.outline();
    for (const { session, newest, milestones } of sessions) {
      const standing = milestones.reduce(advance, newStanding(session));
      this.#standing.set(session, withShortPrompt({ ...standing, events: newest }));
    }
    for (const each of damage) this.#damage.set(each.session, each);
  }

  /** In the order in which they were made. */
  get sessions(): Iterable<Standing> {
    return this.#standing.values();
  }

  get size(): number {
    return this.#standing.size;
  }

  get damage(): readonly Damage[] {
    return [...this.#damage.values()];
  }

  session(id: string): Standing | null {
    return this.#standing.get(id) ?? null;
  }

  /** Ends when what it returns is called. */
  listen(listener: OnSession): () => void {
    this.#listeners.add(listener);
    this.#onFollowed();
    return () => {
      this.#listeners.delete(listener);
      this.#onFollowed();
    };
  }

  get followed(): boolean {
    return this.#listeners.size > 0;
  }

  /** Takes what was recorded of a session since it was last known: by this process, unless said otherwise. */
  take(session: string, recorded: (after: number) => readonly RecordedEvent[], by: "own" | "other" = "own"): void {
    const known = this.#standing.get(session) ?? newStanding(session);
    const events = recorded(known.events);
    if (events.length === 0) return;
    this.#standing.set(session, withShortPrompt(events.reduce(advance, known)));
    for (const listener of this.#listeners) listener(session, by);
  }

  /** Other processes may have changed some. */
  look(now: number): void {
    if (now >= this.#lookAgain) this.refresh(now);
  }

  /** The same at once. */
  refresh(now: number): void {
    const revision = this.#journal.revision();
    if (revision === this.#revision) return;
    const began = performance.now();
    const heads = this.#journal.heads();
    for (const [session, newest] of heads) {
      const known = this.#standing.get(session);
      // One that cannot be read further has been told.
      if ((known === undefined || newest > known.events) && !this.#damage.has(session)) {
        this.take(session, (after) => this.#read(session, after), "other");
      }
    }
    for (const session of this.#standing.keys()) if (!heads.has(session)) this.#forget(session);
    // Only now: what could not be read is looked for again.
    this.#revision = revision;
    this.#lookAgain = now + (performance.now() - began) * restFactor;
  }

  #forget(session: string): void {
    this.#standing.delete(session);
    this.#damage.delete(session);
    this.#onForgotten(session);
    for (const listener of this.#listeners) listener(session, "other");
  }

  #read(session: string, after: number): readonly RecordedEvent[] {
    const { events, damage } = this.#journal.read(session, after);
    if (damage !== null) this.#damage.set(session, damage);
    return events;
  }
}

function withShortPrompt(standing: Standing): Standing {
  const { prompt } = standing;
  return prompt === null || prompt.length <= mostPrompt
    ? standing
    : { ...standing, prompt: prompt.slice(0, mostPrompt) };
}
