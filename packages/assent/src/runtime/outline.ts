import type { Outcome } from "../core/index.ts";
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

/** Who works on it, and what time it is: a question whose time has passed is not open. */
export type Seen = { readonly holder: Holder | null; readonly now: number };

export function describeSession(
  { session, newest, milestones }: SessionOutline,
  { holder, now }: Seen,
): SessionSummary {
  let summary: SessionSummary = {
    ...{ session, name: null, cwd: "", status: "active", created: 0, changed: 0, events: newest },
    ...{ prompt: null, outcome: null, open: false, asks: false, holder },
  };
  const asked = new Map<string, number>();
  for (const { event } of milestones) {
    summary = { ...summary, changed: event.at };
    switch (event.type) {
      case "session.created":
        summary = { ...summary, cwd: event.cwd, created: event.at };
        break;
      case "session.renamed":
        summary = { ...summary, name: event.name };
        break;
      case "session.aborted":
        summary = { ...summary, status: "aborted" };
        break;
      case "exchange.started":
        summary = { ...summary, prompt: event.prompt, open: true, outcome: null };
        break;
      case "exchange.ended":
        summary = { ...summary, open: false, outcome: event.outcome };
        break;
      case "interaction.requested":
        asked.set(event.request.interaction_id, event.at + (event.request.timeout_ms ?? Number.POSITIVE_INFINITY));
        break;
      case "interaction.resolved":
      case "interaction.expired":
        asked.delete(event.interaction);
        break;
      default:
    }
  }
  return { ...summary, asks: [...asked.values()].some((deadline) => deadline > now) };
}
