import { text } from "node:stream/consumers";
import { exitCodes } from "../adapters/headless/index.ts";
import { flowCancel, type InteractionResponse, mostAttempts, type Refusal, stepAbort } from "../core/index.ts";
import { describeAnswer } from "../show/index.ts";
import type { ApiError, ApiResolution } from "../wire/api-types.ts";
import { readLine, readResponse } from "../wire/index.ts";
import { stderr, stdout } from "./output.ts";

/** The response on stdin; `null` for what is none, which has then been told as JSON. */
export async function responseOnStdin(): Promise<InteractionResponse | null> {
  const json = readLine(await text(process.stdin));
  const read = json.type === "refused" ? json : readResponse(json.value);
  if (read.type === "read") return read.value;
  // What came may be a secret that should have been inside: it is not repeated.
  const { code, detail } = read.refusal;
  const told = code === "malformed_json" ? "expected a response as JSON" : detail;
  stdout.write(`${JSON.stringify({ accepted: false, code, detail: told })}\n`);
  return null;
}

/** What a reply was taken for, here or by a server: a line that is no yes may have been a no. The codes stand alone (ANS-5). */
export function tellAnswered({ state, by, response }: Partial<ApiResolution>, then: string): void {
  if (state === "cancelled") stdout.write(`${flowCancel}\n`);
  const isTold = state !== undefined && state !== "cancelled" && by !== undefined && response !== undefined;
  const told = [...(isTold ? [describeAnswer({ state, by, response })] : []), ...(then === "" ? [] : [then])];
  if (told.length > 0) stderr.write(`assent: ${told.join("; ")}\n`);
}

/** Why a reply was not taken, here or by a server. */
export function tellRefused({ code, detail, attempt, aborted, winner }: Refusal | ApiError["error"]): number {
  const left = attempt === undefined ? "" : ` (attempt ${attempt} of ${mostAttempts})`;
  const when = winner === undefined ? "" : ` at ${new Date(winner.at).toISOString()}`;
  // The code stands alone (ANS-5).
  if (aborted) stdout.write(`${stepAbort}\n`);
  else stderr.write(`assent: ${code}: ${detail}${when}${left}\n`);
  return exitCodes.refused;
}
