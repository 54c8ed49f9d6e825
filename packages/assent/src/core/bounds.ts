import type { Bound, Ending } from "./events.ts";
import type { Limits } from "./limits.ts";
import type { Run } from "./state.ts";

/** The first bound that a run has reached, in a fixed order (LOOP-4, LOOP-5). */
export function endingByBound(run: Run, limits: Limits, at: number): Ending | null {
  if (run.iterations >= limits.iterations) return { outcome: "iteration-limit", bound: "iterations" };
  if (run.failures >= limits.failures) {
    const detail = `${run.failures} calls failed in a row`;
    return { outcome: "failed", reason: "failed-calls", detail, bound: "failed-calls" };
  }
  if (run.silent >= limits.silent) return { outcome: "stalled", bound: "silent-replies" };
  if (mostRepeats(run) >= limits.repeats) return { outcome: "stalled", bound: "repeated-calls" };
  const spent = overspent(run, limits, at);
  return spent === null ? null : { outcome: "budget", bound: spent };
}

/** How often the most repeated call has given the same result since anything new was learnt. */
export function mostRepeats({ repeats }: Run): number {
  return Math.max(0, ...repeats.map(({ times }) => times));
}

function overspent(run: Run, limits: Limits, at: number): Bound | null {
  const tokens = run.usage.input + run.usage.output;
  const spending: readonly (readonly [Bound, number, number | null])[] = [
    ["clock", at - run.startedAt - run.personTime, limits.clock_ms],
    ["calls", run.calls, limits.calls],
    ["tokens", tokens, limits.tokens],
    ["iteration-tokens", run.lastIterationTokens, limits.iteration_tokens],
    ["cost", run.usage.cost ?? 0, limits.cost],
  ];
  return spending.find(([, spent, limit]) => limit !== null && spent >= limit)?.[0] ?? null;
}
