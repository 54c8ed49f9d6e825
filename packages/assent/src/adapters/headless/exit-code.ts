import type { Ending, EventOf } from "../../core/index.ts";

export const exitCodes = {
  ...{ done: 0, failed: 1, usage: 2, refused: 3, parked: 4, limit: 5, stopped: 130 },
  /** Not of an exchange: a replay gives something else than was recorded. */
  differs: 6,
} as const;

/** How an exchange ended, as its event says it. */
type Ended = Omit<EventOf<"exchange.ended">, "type" | "at" | "exchange" | "text"> & Ending;

/** The first that fits, in the order of CLI-2; wrong usage and parking come before an exchange has an end. */
export function exitCode(ended: Ended): number {
  switch (ended.outcome) {
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
      if (ended.status !== "success") return exitCodes.failed;
      return ended.refused ? exitCodes.refused : exitCodes.done;
    case "cancelled":
      return exitCodes.refused;
    case "answered":
      return ended.refused ? exitCodes.refused : exitCodes.done;
    default:
      return ended satisfies never;
  }
}
