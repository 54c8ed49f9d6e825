import {
  asksForRunning,
  type InteractionRequest,
  nextDeadline,
  openInteraction,
  type Resolution,
  type Session,
} from "../core/index.ts";
import type { AskedQuestion, Standing } from "./outline.ts";
import type { Journal } from "./ports.ts";
import type { Overview } from "./session-host.ts";

/** A question and where it stands; `waiting` is one behind another of its session, which comes first (INT-14). */
export type FoundQuestion = {
  readonly session: string;
  /** When it was asked. */
  readonly at: number;
  readonly request: InteractionRequest;
} & (
  | { readonly state: "open" | "waiting"; readonly attempts: number | null }
  | { readonly state: Closed["state"]; readonly closed: Closed }
);
/** How a question was closed, and when. */
export type Closed = (Resolution | { readonly state: "expired" }) & { readonly at: number };

/** A question that waits for an answer. */
export type OpenQuestion = { readonly session: string; readonly at: number; readonly request: InteractionRequest };

/** The question of a session that waits for an answer, if there is one. */
export function openQuestion(
  session: Session,
  { now, isHeld }: { readonly now: number; readonly isHeld: () => boolean },
): readonly OpenQuestion[] {
  const asked = openInteraction(session);
  const deadline = nextDeadline(session);
  // One whose time has passed is not open, though nobody has been there to record it (INT-8).
  if (asked === null || (deadline !== null && deadline <= now)) return [];
  // A call whose process has died waits for nothing any more.
  if (asksForRunning(session, asked) && !isHeld()) return [];
  return [{ session: session.id, at: asked.openedAt ?? now, request: asked.request }];
}

/** A part of a long list. */
export type Part = { readonly offset: number; readonly most: number };

/** Every question that is not closed, the oldest first, without a fold of any session. */
export function askedQuestions(
  overview: Overview,
  journal: Journal,
  { offset, most, now }: Part & { readonly now: number },
): { readonly questions: readonly FoundQuestion[]; readonly total: number } {
  const all = [...overview.sessions].flatMap((standing) => askedIn(standing, now));
  all.sort((one, other) => one.asked.at - other.asked.at);
  const questions = all.slice(offset, offset + most).flatMap(({ session, asked, isFirst }) => {
    const { event } = journal.read(session, asked.seq - 1, 1).events[0] ?? {};
    if (event?.type !== "interaction.requested") return [];
    return [{ session, at: asked.at, request: event.request, state: stateOf(isFirst), attempts: null }];
  });
  return { questions, total: all.length };
}

type Asked = { readonly session: string; readonly asked: AskedQuestion; readonly isFirst: boolean };

function askedIn({ session, asked }: Standing, now: number): readonly Asked[] {
  // Of one whose time has passed it need not be recorded yet (INT-8). The time of the others begins when theirs comes.
  const open = asked.filter(({ deadline }, index) => index > 0 || deadline > now);
  return open.map((each, index) => ({ session, asked: each, isFirst: index === 0 }));
}

function stateOf(isFirst: boolean): "open" | "waiting" {
  return isFirst ? "open" : "waiting";
}

/** One question of a session, whatever became of it. When one that is closed was asked only a journal can tell. */
export function questionIn(
  session: Session,
  interaction: string,
  { journal, asked }: { readonly journal: Journal | null; readonly asked: readonly AskedQuestion[] },
): FoundQuestion | null {
  const unresolved = session.interactions.find(({ request }) => request.interaction_id === interaction);
  const { id } = session;
  if (unresolved !== undefined) {
    const { request, attempts, openedAt } = unresolved;
    const state = stateOf(unresolved === openInteraction(session));
    // The time of one that waits has not begun, but it was asked.
    const at = asked.find((each) => each.interaction === interaction)?.at ?? openedAt ?? 0;
    return { session: id, at, request, state, attempts };
  }
  for (let rest = session.resolved; rest !== null; rest = rest.older) {
    const { request, at, how } = rest.newest;
    if (request.interaction_id !== interaction) continue;
    return {
      session: id,
      at: (journal === null ? null : askedAt(id, interaction, journal)) ?? at,
      request,
      state: how.state,
      closed: { ...how, at },
    };
  }
  return null;
}

/** When it was asked is not in the state: nothing that happens depends on it. */
function askedAt(session: string, interaction: string, journal: Journal): number | null {
  for (const { event } of journal.read(session, 0).events) {
    if (event.type === "interaction.requested" && event.request.interaction_id === interaction) return event.at;
  }
  return null;
}
