import type { ModelFailure } from "../core/index.ts";
import type { Clock, ModelAnswer, ModelQuestion, Provider, WatchedRequest } from "../runtime/ports.ts";
import { wait } from "./wait.ts";

/** What one request came to; a failure says whether another may do better. */
export type Tried = Exclude<ModelAnswer, { readonly type: "failed" }> | Failed;

type Failed = {
  readonly type: "failed";
  readonly failure: ModelFailure;
  readonly again: boolean;
  /** How long the server wants to be left alone before. */
  readonly retryAfterMs: number | null;
};

export type Retrying = {
  /** How often a request is sent again, at most. */
  readonly retries: number;
  readonly clock: Clock;
  /** From 0 up to, not including, 1. */
  readonly random: () => number;
};

const firstDelayMs = 500;
const longestDelayMs = 8_000;

/** The one place where a request is sent again: bounded, told to whoever watches, and ended at once by a stop (SEL-10). */
export function withRetries(
  once: (question: ModelQuestion, watched: WatchedRequest) => Promise<Tried>,
  retrying: Retrying,
): Provider["ask"] {
  return async (question, watched) => {
    let partial = "";
    for (let tries = 1; ; tries++) {
      const tried = await once(question, watched);
      if (tried.type === "replied" || tried.type === "overflow") return tried;
      partial = longer(partial, tried);
      const next = tried.type === "failed" ? await afterFailure(tried, { ...retrying, tries, watched }) : tried.type;
      if (next !== "again") return lastAnswer(next, partial);
    }
  };
}

type Cut = Extract<Tried, { readonly type: "failed" | "abandoned" }>;

function longer(partial: string, tried: Cut): string {
  const came = tried.type === "failed" ? tried.failure.partial : (tried.partial ?? "");
  return came.length > partial.length ? came : partial;
}

/** With the most that had come of it in any try. */
function lastAnswer(next: "abandoned" | ModelFailure, partial: string): ModelAnswer {
  if (next !== "abandoned") return { type: "failed", failure: { ...next, partial } };
  return { type: next, ...(partial === "" ? {} : { partial }) };
}

type Pausing = Retrying & { readonly tries: number; readonly watched: WatchedRequest };

/** What comes next, after a while; the failure where it was the last try. */
async function afterFailure(tried: Failed, pausing: Pausing): Promise<"again" | "abandoned" | ModelFailure> {
  const { retries, tries, watched } = pausing;
  const failure = counted(tried.failure, tries);
  if (!tried.again || tries > retries) return failure;
  await pause(tried, pausing);
  if (watched.signal.aborted) return "abandoned";
  return watched.stopping?.aborted ? failure : "again";
}

async function pause({ failure, retryAfterMs }: Failed, pausing: Pausing): Promise<void> {
  const { retries, clock, random, tries, watched } = pausing;
  const ends = AbortSignal.any([watched.signal, ...(watched.stopping === undefined ? [] : [watched.stopping])]);
  if (ends.aborted) return;
  const delay_ms = retryAfterMs ?? delay(tries - 1, random());
  watched.onRetry({ attempt: tries + 1, most: retries + 1, delay_ms, failure });
  await wait(clock, delay_ms, ends);
}

function counted(failure: ModelFailure, tries: number): ModelFailure {
  return tries === 1 ? failure : { ...failure, detail: `${failure.detail}; tried ${tries} times` };
}

/** Spread over the upper half: many that failed together must not come back together. */
function delay(retry: number, random: number): number {
  return Math.round(Math.min(longestDelayMs, firstDelayMs * 2 ** retry) * (0.5 + random / 2));
}
