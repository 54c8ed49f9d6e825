import { expectedText } from "./expected-text.ts";
import type { InteractionRequest } from "./request.ts";

/** At the fourth invalid reply the interaction is aborted (ANS-4). */
export const mostAttempts = 4;

/** Emitted as they are, with nothing around them (ANS-5). */
export const stepAbort = "STEP_ABORT";
/** What a flow ends with when a person cancels it. */
export const flowCancel = "FLOW_CANCEL";

/**
 * What a person is told after an invalid reply, before the same block is shown again: what was wrong, then also the
 * format, then no more than a hint, then that it is over. Nothing becomes easier on the way (ANS-4).
 */
export function ladderLine(request: Told, attempt: number, detail: string): string {
  if (attempt >= mostAttempts) return stepAbort;
  if (attempt === 3) return hint(request);
  const error = `Not an answer: ${detail}.`;
  return attempt === 1 || request.options.length === 0 ? error : `${error} Format: 1 / 2 / 1,3`;
}

/** Of a request: what it takes as an answer. */
export type Told = Pick<InteractionRequest, "kind" | "options" | "response_schema">;

function hint({ kind, options, response_schema }: Told): string {
  const words = kind === "confirmation" ? ["yes", "no"] : [];
  const numbers = options.length > 2 ? [`1 to ${options.length}`] : ["1", "2"].slice(0, options.length);
  const ways = [...numbers, ...words];
  if (ways.length === 0) return `Type ${expectedText(response_schema)?.told ?? "some text"}.`;
  return `Type ${ways.join(", ").replace(/, (\w+)$/, " or $1")}.`;
}
