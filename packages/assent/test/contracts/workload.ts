import type { SessionEvent } from "../../src/core/index.ts";
import type { Holder, Journal } from "../../src/runtime/ports.ts";
import { seeded } from "../simulation/random.ts";

/**
 * A plan of what a process does to a journal, the same for the same seed. So whoever has counted the acknowledgements
 * knows what the store must hold: the first n steps, or one more that was under way.
 */
export type Step =
  | Append
  | { readonly type: "take" | "release"; readonly session: string }
  | { readonly type: "reopen" };

type Append = {
  readonly type: "append";
  readonly session: string;
  readonly after: number;
  readonly count: number;
  readonly size: number;
};

export type Plan = {
  readonly seed: number;
  readonly steps: number;
  /** The most characters of an event's text. */
  readonly size: number;
  /** One step in so many closes the journal and opens it again; 0 for never. */
  readonly reopenEvery: number;
};

const sessions = ["alpha", "beta", "gamma"] as const;

export function plannedSteps({ seed, steps, size, reopenEvery }: Plan): readonly Step[] {
  const random = seeded(seed);
  const newest = new Map<string, number>();
  const held = new Set<string>();
  return Array.from({ length: steps }, (_, index): Step => {
    const session = sessions[Math.floor(random() * sessions.length)] ?? sessions[0];
    if (reopenEvery > 0 && index % reopenEvery === reopenEvery - 1) return { type: "reopen" };
    if (random() < 0.1) {
      const type = held.has(session) ? "release" : "take";
      if (type === "take") held.add(session);
      else held.delete(session);
      return { type, session };
    }
    const after = newest.get(session) ?? 0;
    const count = 1 + Math.floor(random() * 5);
    newest.set(session, after + count);
    return { type: "append", session, after, count, size: Math.floor(random() ** 3 * size) };
  });
}

/** The events of one step; each says which step and which of how many it is, so a torn or foreign one shows. */
function eventsOf(step: Append): readonly SessionEvent[] {
  return Array.from({ length: step.count }, (_, index) => {
    const seq = step.after + index + 1;
    const text = `${step.session} ${seq} (${index + 1} of ${step.count}) `.padEnd(step.size, "0123456789abcdef");
    return seq % 5 === 1
      ? { type: "exchange.started", at: seq, exchange: seq, prompt: text, by: { name: "ann", adapter: "test" } }
      : { type: "context.changed", at: seq, text };
  });
}

export function perform(journal: Journal, step: Exclude<Step, { type: "reopen" }>, holder: Holder): void {
  if (step.type === "append") performAppend(journal, step);
  else if (step.type === "release") journal.releaseLease(step.session, holder);
  else {
    const taken = journal.takeLease(step.session, holder);
    if (taken.pid !== holder.pid) throw new Error(`${step.session}: expected the lease, it is with ${taken.pid}`);
  }
}

/** One that is found done already was recorded by an attempt that ended without a word. */
function performAppend(journal: Journal, step: Append): void {
  const appended = journal.append(step.session, step.after, eventsOf(step));
  if (appended.type === "stale" && appended.newest !== step.after + step.count) {
    throw new Error(`${step.session}: expected ${step.after} events, the journal says ${appended.newest}`);
  }
}

export type Verdict =
  | { readonly type: "holds"; readonly steps: number }
  | { readonly type: "broken"; readonly why: string };

/**
 * Whether the journal holds exactly the first `acknowledged` steps, or those and the next one, whole. After a power cut there is
 * no process that could have a lease, so it does not matter which are found: none is waited for on the disk.
 */
export function judge(
  journal: Journal,
  steps: readonly Step[],
  { acknowledged, holder, isPowerCut = false }: Judging,
): Verdict {
  const found = whatIsThere(journal);
  if (typeof found === "string") return { type: "broken", why: found };
  const differences: string[] = [];
  for (const count of [acknowledged + 1, acknowledged].filter((some) => some <= steps.length)) {
    const difference = differenceOf(found, steps.slice(0, count), isPowerCut ? null : holder);
    if (difference === null) return { type: "holds", steps: count };
    differences.push(difference);
  }
  return { type: "broken", why: `after ${acknowledged} steps: ${differences.join("; with one more: ")}` };
}

export type Judging = { readonly acknowledged: number; readonly holder: Holder; readonly isPowerCut?: boolean };

type Found = {
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly holders: ReadonlyMap<string, Holder | null>;
};

function whatIsThere(journal: Journal): Found | string {
  const outline = journal.outline();
  const [damage] = outline.damage;
  if (damage !== undefined) return `outline: ${damage.session} ${damage.seq}: ${damage.reason}`;
  const [broken] = journal.verify(null).filter(({ breaks }) => breaks.length > 0);
  if (broken !== undefined) return `the chain of ${broken.session}: ${JSON.stringify(broken.breaks[0])}`;
  const newest = new Map(outline.sessions.map((one) => [one.session, one.newest]));
  const texts = new Map<string, readonly string[]>();
  for (const session of sessions) {
    const reading = journal.read(session, 0);
    if (reading.damage !== null) return `${session} ${reading.damage.seq}: ${reading.damage.reason}`;
    const gap = reading.events.findIndex(({ seq }, index) => seq !== index + 1);
    if (gap >= 0) return `${session}: event ${gap + 1} is missing`;
    if (reading.events.length !== (newest.get(session) ?? 0)) return `${session}: the outline has another newest event`;
    texts.set(
      session,
      reading.events.map(({ event }) => textOf(event)),
    );
  }
  return { texts, holders: new Map(sessions.map((session) => [session, journal.leaseHolder(session)])) };
}

function textOf(event: SessionEvent): string {
  return event.type === "exchange.started" ? event.prompt : event.type === "context.changed" ? event.text : event.type;
}

function differenceOf(found: Found, steps: readonly Step[], holder: Holder | null): string | null {
  for (const session of sessions) {
    const own = steps.filter((step) => step.type !== "reopen").filter((step) => step.session === session);
    const appends = own.filter((step) => step.type === "append");
    const texts = found.texts.get(session) ?? [];
    const last = appends.at(-1);
    const expected = last === undefined ? 0 : last.after + last.count;
    if (texts.length !== expected) return `${session}: expected ${expected} events, found ${texts.length}`;
    const wrong = appends.find((step) =>
      eventsOf(step).some((event, index) => textOf(event) !== texts[step.after + index]),
    );
    if (wrong !== undefined) return `${session}: expected other events after ${wrong.after}`;
    const leases = own.filter((step) => step.type !== "append");
    const held = leases.at(-1)?.type === "take" ? holder?.pid : undefined;
    if (holder !== null && found.holders.get(session)?.pid !== held) {
      return `${session}: expected the lease with ${held}, found ${found.holders.get(session)?.pid}`;
    }
  }
  return null;
}
