import type { InteractionResponse } from "../core/index.ts";
import type { ApiAnswered } from "../wire/api-types.ts";
import { pause, pauseBefore } from "./pause.ts";
import { ask, type Place, type Result } from "./result.ts";

/** An answer: whose it is and which question it answers is said elsewhere. */
export type GivenAnswer = Omit<InteractionResponse, "interaction_id" | "cancelled"> & { readonly cancelled?: boolean };

/** How an answer is sent. */
export type RespondOptions = {
  readonly signal?: AbortSignal;
  /** How often it is sent at most. */
  readonly tries?: number;
};

const defaultTries = 5;

/** So that the same answer, sent again, counts once (INT-6). Also where a page was not loaded in a secure way. */
export function newAnswerId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** What got lost on its way, there or back, is sent again under the same id: it counts once whatever had arrived. */
export async function respond(
  place: Place,
  interaction: string,
  answer: GivenAnswer,
  { signal, tries = defaultTries }: RespondOptions = {},
): Promise<Result<ApiAnswered>> {
  const answer_id = answer.answer_id ?? newAnswerId();
  const body = { cancelled: false, ...answer, interaction_id: interaction, answer_id };
  const call = { method: "POST", body, headers: { "idempotency-key": answer_id }, signal } as const;
  for (let attempt = 0; ; attempt++) {
    const result = await ask<ApiAnswered>(place, `/v1/interactions/${encodeURIComponent(interaction)}/response`, call);
    if (result.type !== "unreachable" || attempt + 1 >= tries) return result;
    if (!(await pause(pauseBefore(attempt), signal))) return result;
  }
}
