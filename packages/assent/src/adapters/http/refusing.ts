import type { Context } from "hono";
import type { Refusal, RefusalCode } from "../../core/index.ts";
import type { ApiError } from "../../wire/api.ts";
import type { Env } from "./env.ts";

/** The statuses of a refusal (SRV-2). */
export type Status = 400 | 401 | 403 | 404 | 408 | 409 | 410 | 413 | 415 | 422 | 423 | 429 | 500 | 503;
type More = Omit<ApiError["error"], "code" | "detail">;

/** Every refusal has one shape, whoever refuses. */
export function refuse(c: Context<Env>, status: Status, code: string, detail: string, more: More = {}): Response {
  return c.json({ error: { code, detail, ...more } } satisfies ApiError, status);
}

/** A word of the core as a status; what is not here is a state that does not go with the request: 409. */
const statuses: Partial<Readonly<Record<RefusalCode, Status>>> = {
  unknown_interaction: 404,
  no_session: 404,
  unknown_grant: 404,
  unknown_waiting: 404,
  expired: 410,
  // Nothing has ended: the question stands, and nothing is taken for it.
  not_as_recorded: 423,
  not_authorized: 403,
  blank_prompt: 400,
  invalid_limit: 400,
  invalid_name: 400,
  invalid_command: 400,
  invalid_flow: 400,
};

const ofAnswers: readonly RefusalCode[] = [
  "invalid_option",
  "free_text_not_allowed",
  "cancel_not_allowed",
  "invalid_response",
];

/** An answer that cost an attempt was understood and is wrong; one that cost none was not understood (INT-4). */
export function refuseAs(c: Context<Env>, refusal: Refusal): Response {
  const { code, detail, attempt, aborted, winner } = refusal;
  const ofAnswer = attempt === undefined ? 400 : 422;
  const status = ofAnswers.includes(code) ? ofAnswer : (statuses[code] ?? 409);
  return refuse(c, status, code, detail, {
    ...(attempt === undefined ? {} : { attempt }),
    ...(aborted === undefined ? {} : { aborted }),
    ...(winner === undefined ? {} : { winner }),
  });
}

/** What went wrong inside names files and lines, which is for the log. */
export function refuseFailed(c: Context<Env>, { name }: Error): Response {
  return name === "JournalError"
    ? refuse(c, 503, "journal_failed", "the journal could not do it; the server's log tells why")
    : refuse(c, 500, "internal", "something went wrong here; the server's log tells what");
}
