import type { Ending, SessionEvent } from "../../core/index.ts";

/** What of an exchange decides the exit code. */
export type Tally = { readonly ending: Ending | null; readonly refused: boolean };

export const noTally: Tally = { ending: null, refused: false };

export function tally(so: Tally, event: SessionEvent): Tally {
  switch (event.type) {
    case "exchange.started":
      return noTally;
    case "exchange.ended":
      return { ...so, ending: event };
    case "call.refused":
    case "interaction.expired":
      return { ...so, refused: true };
    case "interaction.resolved": {
      const unanswered = event.state === "aborted" || (event.state === "withdrawn" && event.reason === "nobody");
      return unanswered ? { ...so, refused: true } : so;
    }
    default:
      return so;
  }
}

export const exitCodes = { done: 0, failed: 1, usage: 2, refused: 3, parked: 4, limit: 5, stopped: 130 } as const;

/** The first that fits, in the order of CLI-2; usage and parking are decided before an exchange has an end. */
export function exitCode({ ending, refused }: Tally): number {
  if (ending === null) return exitCodes.failed;
  switch (ending.outcome) {
    case "stopped":
      return exitCodes.stopped;
    case "iteration-limit":
    case "turn-limit":
    case "budget":
    case "stalled":
      return exitCodes.limit;
    case "failed":
    case "contract-violation":
      return exitCodes.failed;
    case "completed":
      if (ending.status !== "success") return exitCodes.failed;
      return refused ? exitCodes.refused : exitCodes.done;
    case "cancelled":
      return exitCodes.refused;
    case "answered":
      return refused ? exitCodes.refused : exitCodes.done;
    default:
      return ending satisfies never;
  }
}
