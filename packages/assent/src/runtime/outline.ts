import type { Outcome, SessionEvent } from "../core/index.ts";
import type { RecordedEvent } from "../wire/index.ts";
import type { Holder, SessionOutline } from "./ports.ts";

/** Where a session stands, read from its milestones without folding it. */
export type SessionSummary = {
  readonly session: string;
  readonly name: string | null;
  readonly cwd: string;
  readonly status: "active" | "aborted";
  readonly created: number;
  /** When it last came to a milestone. */
  readonly changed: number;
  readonly events: number;
  readonly prompt: string | null;
  /** Of the last exchange; `null` while one is open or none was. */
  readonly outcome: Outcome | null;
  /** An exchange is open. */
  readonly open: boolean;
  /** A question waits for an answer. */
  readonly asks: boolean;
  readonly holder: Holder | null;
};

/** A summary as the milestones so far tell it, with the questions that are asked and not closed, in their order. */
export type Standing = Omit<SessionSummary, "asks" | "holder"> & { readonly asked: readonly AskedQuestion[] };

/** Where a question stands in the journal, and until when it can be answered, as far as its milestones tell. */
export type AskedQuestion = {
  readonly interaction: string;
  readonly seq: number;
  readonly at: number;
  readonly deadline: number;
};

/** Who works on it, and what time it is: a question whose time has passed is not open. */
export type Seen = { readonly holder: Holder | null; readonly now: number };

export function describeSession(outline: SessionOutline, { holder, now }: Seen): SessionSummary {
  const { asked, ...standing } = outline.milestones.reduce(advance, newStanding(outline.session));
  return { ...standing, events: outline.newest, asks: asked.some(({ deadline }) => deadline > now), holder };
}

/** By their last change; of those that changed at the same moment the one that was made later comes later. */
export function byLastChange(sessions: readonly SessionSummary[]): readonly SessionSummary[] {
  return sessions.toSorted((one, other) => one.changed - other.changed);
}

/** The session of that folder in which something happened last; one that was just made only where there is no other. */
export function newestIn(sessions: readonly SessionSummary[], folder: string): SessionSummary | undefined {
  const here = sessions.filter(({ cwd }) => cwd === folder).toSorted((one, other) => other.changed - one.changed);
  return here.find(({ events }) => events > 1) ?? here[0];
}

export function newStanding(session: string): Standing {
  return {
    ...{ session, name: null, cwd: "", status: "active", created: 0, changed: 0, events: 0 },
    ...{ prompt: null, outcome: null, open: false, asked: [] },
  };
}

/** What an event makes of it; one that is no milestone changes nothing but the count. */
export function advance(before: Standing, { seq, event }: RecordedEvent): Standing {
  const changes = changesBy(before, seq, event);
  return changes === null ? { ...before, events: seq } : { ...before, ...changes, changed: event.at, events: seq };
}

function changesBy({ asked }: Standing, seq: number, event: SessionEvent): Partial<Standing> | null {
  switch (event.type) {
    case "session.created":
      return { cwd: event.cwd, created: event.at };
    case "session.renamed":
      return { name: event.name };
    case "session.aborted":
      return { status: "aborted" };
    case "exchange.started":
      return { prompt: event.prompt, open: true, outcome: null };
    case "exchange.ended":
      return { open: false, outcome: event.outcome };
    case "interaction.requested": {
      const { interaction_id: interaction, timeout_ms = Number.POSITIVE_INFINITY } = event.request;
      return { asked: [...asked, { interaction, seq, at: event.at, deadline: event.at + timeout_ms }] };
    }
    case "interaction.resolved":
    case "interaction.expired":
      return { asked: withNext(asked, event) };
    default:
      return null;
  }
}

/** Without the one that has ended; the time of the next begins when its turn comes. */
function withNext(
  asked: readonly AskedQuestion[],
  ended: { readonly interaction: string; readonly at: number },
): readonly AskedQuestion[] {
  const left = asked.filter(({ interaction }) => interaction !== ended.interaction);
  const [next, ...rest] = left;
  if (next === undefined || next === asked[0]) return left;
  return [{ ...next, deadline: ended.at + (next.deadline - next.at) }, ...rest];
}
