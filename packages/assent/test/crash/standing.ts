import type { EventOf, SessionEvent } from "../../src/core/index.ts";
import type { Line } from "./home.ts";
import type { Story } from "./kinds.ts";

export type Asked = EventOf<"interaction.requested">;

/** Where the session of a story stands. */
export type Standing = {
  readonly story: Story;
  /** `null`: it has not been made. */
  readonly session: string | null;
  /** It has got its prompt. */
  readonly began: boolean;
  readonly asks: Asked | null;
  readonly outcome: string | null;
};

export function eventsOf(lines: readonly Line[], session: string): readonly SessionEvent[] {
  return lines.flatMap((line) => (line.session === session && line.event !== null ? [line.event] : []));
}

export function sessionsIn(lines: readonly Line[]): readonly string[] {
  return [...new Set(lines.map(({ session }) => session))];
}

/** All questions that wait for an answer. */
export function openIn(lines: readonly Line[]): readonly Asked[] {
  const open = new Map<string, Asked>();
  for (const { event } of lines) {
    if (event?.type === "interaction.requested") open.set(event.request.interaction_id, event);
    if (event?.type === "interaction.resolved" || event?.type === "interaction.expired") open.delete(event.interaction);
  }
  return [...open.values()];
}

export function standings(lines: readonly Line[], stories: readonly Story[]): readonly Standing[] {
  const taken = new Set<string>();
  const found = stories.map((story) => {
    const session = sessionsIn(lines).find((each) => isOf(eventsOf(lines, each), story, stories));
    if (session !== undefined) taken.add(session);
    return session;
  });
  return stories.map((story, index) => {
    const session = found[index];
    const unprompted = sessionsIn(lines).findLast((each) => !taken.has(each)) ?? null;
    if (session === undefined) return { story, session: unprompted, began: false, asks: null, outcome: null };
    const own = lines.filter((line) => line.session === session);
    const ended = own.findLast(({ event }) => event?.type === "exchange.ended")?.event;
    const outcome = ended?.type === "exchange.ended" ? ended.outcome : null;
    return { story, session, began: true, asks: openIn(own)[0] ?? null, outcome };
  });
}

function isOf(events: readonly SessionEvent[], { prompt }: Story, stories: readonly Story[]): boolean {
  const begun = events.find(({ type }) => type === "exchange.started");
  if (begun?.type !== "exchange.started") return false;
  return stories.length === 1 || begun.prompt === prompt;
}

/** What is answered to a question of this story. */
export function answerTo({ purpose }: Asked, { answers = {} }: Story): string {
  return answers[purpose.type === "flow" ? `flow ${purpose.place}` : purpose.type] ?? "cancel";
}
