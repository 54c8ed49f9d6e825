import type { Session } from "./state.ts";

/** What bounds a session (turns) and each of its runs (everything else). `null` is off. */
export type Limits = {
  readonly turns: TurnLimit;
  readonly iterations: number;
  readonly failures: number;
  readonly silent: number;
  readonly repeats: number;
  /** Of the run, in milliseconds; the time people take to answer is left out (INT-13). */
  readonly clock_ms: number | null;
  readonly calls: number | null;
  readonly tokens: number | null;
  readonly iteration_tokens: number | null;
  readonly cost: number | null;
};

/** How many turns a session may have. */
export type TurnLimit = number | "unlimited";

/** The limits of a session that is given none. */
export const defaultLimits: Limits = {
  turns: 25,
  iterations: 25,
  failures: 5,
  silent: 3,
  repeats: 6,
  clock_ms: null,
  calls: null,
  tokens: null,
  iteration_tokens: null,
  cost: null,
};

/** From this many equal calls with equal results on, the state block tells the model (LOOP-5). */
export const repeatsTold = 3;

/** Reads a turn limit as a person or a file spells it; `null` means it is none (LIM-2). */
export function parseTurnLimit(value: unknown): TurnLimit | null {
  return value === "unlimited" ? "unlimited" : parseCount(value);
}

/** Reads a positive whole number; `null` means it is none. */
export function parseCount(value: unknown): number | null {
  if (typeof value === "number") return Number.isSafeInteger(value) && value > 0 ? value : null;
  return typeof value === "string" && /^[1-9][0-9]{0,14}$/.test(value) ? Number(value) : null;
}

/** True when the next model call needs the person's word first (LIM-1). */
export function turnLimitReached(session: Session): boolean {
  return session.limits.turns !== "unlimited" && session.turns >= session.limits.turns;
}
