import { asksForRunning, nextDeadline, nextWork, openInteraction, runningCalls, type Session } from "../core/index.ts";
import { messageOf } from "../wire/index.ts";
import type { Clock } from "./ports.ts";
import type { Hold, HoldOptions, Overview, SessionHost } from "./session-host.ts";

/** So many sessions are worked on at once; the others wait for their turn. */
const mostHeld = 256;
/** How often the sessions are looked at that are left to others. */
const lookMs = 250;
/** Whoever has changed a session may be about to work on it: for so long it is left to them. */
const othersMs = 500;
/** A session that fails again and again is tried again ever later, but at least so often. */
const mostFailedMs = 60_000;
/** Sessions are taken up for so long at a stretch; then whatever else this process has to do gets its turn. */
const mostLookingMs = 4;
/** How often, while it closes, what still runs is looked at. */
const endLookMs = 50;

/** What a dispatch works on, and whom it tells. */
export type Dispatching = {
  readonly host: SessionHost;
  readonly clock: Clock;
  /** How a session is held. */
  readonly options: (session: Session) => HoldOptions;
  /** A session is taken up that another process had left in the middle of something. */
  readonly onTakenUp?: (session: string) => void;
  /** Nothing is left to do in a session that was worked on here. */
  readonly onRest?: (session: string) => void;
  /** A session cannot be worked on; told once for the same reason, until it works again. */
  readonly onFailure: (session: string, error: unknown) => void;
};

/** A dispatch that is under way. */
export type Dispatch = {
  /** How many sessions this process works on. */
  readonly held: () => number;
  /** Leaves all sessions as they are: whoever comes next goes on with them. What runs has so long to come to its end. */
  close(patienceMs: number): Promise<void>;
};

/** Works on every session that has something to do and nobody who does it, and leaves it as soon as it rests (SESS-4, SRV-4). */
export function openDispatch(dispatching: Dispatching): Dispatch {
  return new Dispatcher(dispatching);
}

class Dispatcher implements Dispatch {
  readonly #dispatching: Dispatching;
  readonly #overview: Overview;
  readonly #held = new Map<string, Hold>();
  /** Of those the ones that only wait for a person, and are held for what their commands have left running. */
  readonly #resting = new Set<string>();
  /** Those that have changed, in their order: none waits longer than those before it. */
  readonly #due = new Set<string>();
  /** Those that this process has worked on. */
  readonly #known = new Set<string>();
  /** Another process works on these, or may be about to; since when that is known. */
  readonly #others = new Map<string, number>();
  /** These have failed here: how often in a row, until when they wait, and what was told of it last. */
  readonly #failures = new Map<string, { readonly times: number; readonly until: number; readonly told: string }>();
  readonly #endListening: () => void;
  #cancel: () => void;
  #looking = false;
  #closed = false;

  constructor(dispatching: Dispatching) {
    this.#dispatching = dispatching;
    this.#overview = dispatching.host.overview();
    this.#endListening = this.#overview.listen((session, by) => this.#hear(session, by));
    for (const { session, open } of this.#overview.sessions) if (open) this.#note(session);
    this.#cancel = this.#lookAtOthers();
  }

  held(): number {
    return this.#held.size;
  }

  async close(patienceMs: number): Promise<void> {
    this.#closed = true;
    this.#cancel();
    this.#endListening();
    const { host } = this.#dispatching;
    const runs = () => [...this.#held.keys()].some((session) => runningCalls(host.view(session)).length > 0);
    for (let waited = 0; waited < patienceMs && runs(); waited += endLookMs) await this.#pause(endLookMs);
    await Promise.all([...this.#held.keys()].map((session) => this.#release(session)));
  }

  #hear(session: string, by: "own" | "other"): void {
    if (by === "own" || this.#held.has(session)) this.#note(session);
    else this.#leaveToOthers(session);
  }

  #leaveToOthers(session: string): void {
    this.#others.set(session, this.#dispatching.clock.now());
  }

  #note(session: string): void {
    this.#due.add(session);
    if (this.#looking) return;
    this.#looking = true;
    // What has changed it may not be done with it.
    setImmediate(() => {
      this.#looking = false;
      this.#lookAtDue();
    });
  }

  /** Not all at once: who answers must not wait until everything that follows from the answers of others is under way. */
  #lookAtDue(): void {
    const until = performance.now() + mostLookingMs;
    for (const session of this.#due) {
      if (performance.now() > until) {
        this.#note(session);
        return;
      }
      this.#consider(session);
    }
  }

  #consider(session: string): void {
    const isHeld = this.#held.has(session);
    // It stays due until there is room for it. Those that only wait for a person take none.
    if (!isHeld && this.#held.size - this.#resting.size >= mostHeld) return;
    this.#due.delete(session);
    this.#others.delete(session);
    if (this.#closed || (!isHeld && (!this.#isOpen(session) || this.#waits(session)))) return;
    try {
      if (isHeld) this.#leaveIfResting(session);
      else this.#takeUp(session);
    } catch (error) {
      this.#fail(session, error);
    }
  }

  #isOpen(session: string): boolean {
    if (this.#overview.session(session)?.open === true) return true;
    this.#failures.delete(session);
    return false;
  }

  /** Whatever is heard of one that has failed: it is tried again when its time has come. */
  #waits(session: string): boolean {
    const { until = 0 } = this.#failures.get(session) ?? {};
    if (until <= this.#dispatching.clock.now()) return false;
    this.#leaveToOthers(session);
    return true;
  }

  #takeUp(session: string): void {
    const { host, options, clock, onTakenUp } = this.#dispatching;
    const holder = host.holder(session);
    // A lease of this very process that is not held here is one that could not be given back: it counts for nothing.
    if (holder !== null && holder.pid !== process.pid) {
      this.#leaveToOthers(session);
      return;
    }
    const state = host.view(session);
    if (!hasWork(state, clock.now())) {
      this.#failures.delete(session);
      return;
    }
    const wasLeft = (state.exchange?.replies ?? 0) > 0 && !this.#known.has(session);
    const onFailure = (error: unknown) => this.#fail(session, error);
    const hold = host.hold(session, { ...options(state), onFailure });
    this.#held.set(session, hold);
    // Another was faster.
    if (!hold.works()) {
      this.#leaveToOthers(session);
      void this.#release(session);
      return;
    }
    this.#known.add(session);
    if (wasLeft) onTakenUp?.(session);
  }

  #leaveIfResting(session: string): void {
    const { host, clock } = this.#dispatching;
    const state = host.view(session);
    const works = this.#held.get(session)?.works() ?? false;
    const rests = !hasWork(state, clock.now());
    if (!works || (rests && !isNeeded(state))) void this.#release(session);
    else if (rests) this.#resting.add(session);
    else this.#resting.delete(session);
  }

  async #release(session: string): Promise<void> {
    const hold = this.#held.get(session);
    this.#drop(session);
    const { host, onRest } = this.#dispatching;
    try {
      await hold?.release();
      this.#failures.delete(session);
      if (this.#closed) return;
      if (host.view(session).exchange === null) onRest?.(session);
      // It may have got something to do meanwhile, or another that there was no room for.
      this.#note(session);
    } catch (error) {
      this.#fail(session, error);
    }
  }

  #drop(session: string): void {
    this.#held.delete(session);
    this.#resting.delete(session);
  }

  /** Whatever it is, it is the fault of this session alone: the others go on, and it is tried again after a while. */
  #fail(session: string, error: unknown): void {
    this.#drop(session);
    const { times = 0, told } = this.#failures.get(session) ?? {};
    const now = this.#dispatching.clock.now();
    const message = messageOf(error);
    const pause = Math.min(othersMs * 2 ** times, mostFailedMs);
    this.#failures.set(session, { times: times + 1, until: now + pause, told: message });
    this.#others.set(session, now + pause - othersMs);
    // The same once more is nothing new.
    if (message !== told) this.#dispatching.onFailure(session, error);
  }

  /** What nothing is recorded of: a process that died, a time that has passed, a failure that may be over. */
  #lookAtOthers(): () => void {
    const { clock } = this.#dispatching;
    return clock.after(lookMs, () => {
      const now = clock.now();
      for (const [session, since] of this.#others) if (now - since >= othersMs) this.#note(session);
      for (const { session, open, asked } of this.#overview.sessions) {
        if (open && (asked[0]?.deadline ?? Number.POSITIVE_INFINITY) <= now) this.#note(session);
      }
      this.#cancel = this.#lookAtOthers();
    });
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#dispatching.clock.after(ms, resolve);
    });
  }
}

/** Whether something is to be done in it, or recorded, that needs no person. */
function hasWork(session: Session, now: number): boolean {
  if (runningCalls(session).length > 0) return true;
  const work = nextWork(session);
  if (work.type === "rest") return work.waiting === "tools";
  if (work.type !== "ask-person") return true;
  const asked = openInteraction(session);
  // Who waits for an answer may have died, and somebody has to see that the time for it has passed.
  const deadline = nextDeadline(session) ?? Number.POSITIVE_INFINITY;
  return (asked !== null && asksForRunning(session, asked)) || deadline <= now;
}

/** In the middle of an exchange, what its commands have left running is left running. */
function isNeeded({ exchange, terminal, processes }: Session): boolean {
  return exchange !== null && (terminal.state === "open" || processes.some(({ kept }) => kept !== true));
}
