import { leastHidden } from "../runtime/ports.ts";
import {
  type ClassRow,
  classRows,
  connectionWords,
  type FailureClass,
  inputAndOutput,
  overflowLookAlikes,
  overflowWordings,
  remedies,
  usualOverflowStatuses,
  type Wording,
} from "./errors-data.ts";
import type { ServerError } from "./format.ts";

/** Everything that can come between a request and its whole reply. */
export type Fault =
  /** Before any answer; `place` is host and port. */
  | { readonly type: "connection"; readonly code: string; readonly message: string; readonly place: string }
  | { readonly type: "timeout"; readonly awaited: "connection" | "first event" | "next event"; readonly ms: number }
  | { readonly type: "server"; readonly error: ServerError; readonly headers: AnswerHeaders }
  /** The stream ended before the reply was whole. */
  | { readonly type: "half"; readonly message: string }
  /** `final` where another try would get the same. */
  | { readonly type: "malformed"; readonly detail: string; readonly final?: true }
  | { readonly type: "redirect"; readonly status: number; readonly location: string }
  | { readonly type: "filtered" }
  /** The output limit ended the reply before anything of it could be used. */
  | { readonly type: "cut" }
  /** The request cannot be made at all, such as to an address that is none. */
  | { readonly type: "unsendable"; readonly message: string }
  | { readonly type: "internal"; readonly message: string };

export type AnswerHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

export type Failure =
  | {
      readonly type: "failed";
      readonly class: FailureClass;
      readonly detail: string;
      readonly remedy: string;
      /** Whether the same request may do better. */
      readonly again: boolean;
      /** How long the server wants to be left alone before. */
      readonly retryAfterMs: number | null;
    }
  | { readonly type: "overflow"; readonly detail: string };

export type Circumstances = {
  /** What must not be seen anywhere. */
  readonly secrets: readonly string[];
  /** The variable that holds the key, or would hold it; `null` where none is sent. */
  readonly keyName: string | null;
  readonly now: number;
};

/** With what the retry layer adds, 500 at most. */
const mostDetail = 480;
const mostRetryAfterMs = 60_000;
const retried: readonly FailureClass[] = [
  "refused",
  "rate-limited",
  "overloaded",
  "server-error",
  "timeout",
  "half-stream",
  "malformed-stream",
];

/** What a fault means to a person, and whether to try again (SEL-10); or that the request does not fit (SEL-9). */
export function failureOf(fault: Fault, circumstances: Circumstances): Failure {
  if (fault.type === "server") return serverFailure(fault, circumstances);
  const { class: kind, detail, again = retried.includes(kind) } = localFailure(fault);
  const failed = failure({ class: kind, detail, again, retryAfterMs: null }, circumstances);
  if (fault.type !== "timeout" || failed.type !== "failed") return failed;
  return { ...failed, remedy: `${failed.remedy}; ${patience[fault.awaited]} gives it more time` };
}

/** What lets it take longer. */
const patience: Readonly<Record<Extract<Fault, { readonly type: "timeout" }>["awaited"], string>> = {
  connection: "ASSENT_MODEL_CONNECT_TIMEOUT_MS",
  "first event": "ASSENT_MODEL_FIRST_EVENT_TIMEOUT_MS",
  "next event": "ASSENT_MODEL_IDLE_TIMEOUT_MS",
};

type Judged = { readonly class: FailureClass; readonly detail: string; readonly again?: boolean };

function localFailure(fault: Exclude<Fault, { readonly type: "server" }>): Judged {
  switch (fault.type) {
    case "connection":
      return connectionFailure(fault);
    case "timeout":
      return { class: "timeout", detail: `no ${fault.awaited} within ${seconds(fault.ms)}` };
    case "half":
      return { class: "half-stream", detail: `the reply broke off before its end${tail(fault.message)}` };
    case "malformed":
      return { class: "malformed-stream", detail: fault.detail, again: fault.final !== true };
    case "redirect":
      return { class: "redirected", detail: `the server points elsewhere (${fault.status})${tail(fault.location)}` };
    case "filtered":
      return { class: "content-refused", detail: "a filter of the provider ended the reply" };
    case "cut":
      return { class: "cut-off", detail: "the model's output limit was reached before it said anything" };
    case "unsendable":
      return { class: "rejected", detail: `the request cannot be sent: ${fault.message}` };
    case "internal":
      return { class: "internal", detail: fault.message };
    default:
      return fault satisfies never;
  }
}

function connectionFailure({ code, message, place }: Extract<Fault, { readonly type: "connection" }>): Judged {
  const detail = `${place} ${connectionWords[code] ?? `cannot be talked to: ${message || code}`}`;
  if (code === "ETIMEDOUT") return { class: "timeout", detail };
  if (/^(?:ECONNRESET|ECONNABORTED|EPIPE)$/.test(code)) return { class: "half-stream", detail };
  if (code.startsWith("HPE_")) return { class: "malformed-stream", detail: `${place} does not speak HTTP: ${message}` };
  // A certificate does not become better by being looked at again.
  return { class: "refused", detail, again: !/CERT|SSL|TLS|EPROTO|SIGNATURE|SELF_SIGNED/.test(code) };
}

type ServerFault = Extract<Fault, { readonly type: "server" }>;

function serverFailure({ error, headers }: ServerFault, circumstances: Circumstances): Failure {
  const said = wordsOf(error);
  if (isOverflow(error)) return { type: "overflow", detail: oneLine(said, circumstances.secrets) };
  const kind = classOf(error);
  const after = retried.includes(kind) ? retryAfterOf(headers, circumstances.now) : null;
  const tooLong = after !== null && after > mostRetryAfterMs;
  // More than a whole minute's share will not fit into the next minute either.
  const hopeless = kind === "rate-limited" && /request too large/i.test(error.message);
  const again = retried.includes(kind) && !tooLong && !hopeless;
  const detail = tooLong ? `the server wants to be asked again in ${seconds(after)}; ${said}` : said;
  return failure({ class: kind, detail, again, retryAfterMs: again ? after : null }, circumstances);
}

function wordsOf({ status, code, message }: ServerError): string {
  const named = [status === null ? "" : `HTTP ${status}`, message.includes(code) ? "" : code];
  const head = named.filter((part) => part !== "").join(" ");
  return [head, message].filter((part) => part.trim() !== "").join(": ") || "the server says nothing about it";
}

export function isOverflow(error: ServerError): boolean {
  const said = `${error.code} ${error.message}`;
  const sums = inputAndOutput.flatMap((pattern) => pattern.exec(said)?.slice(1).map(Number) ?? []);
  // Most of what is too long is the reply that was asked for: a setting is wrong, and no shorter history would help.
  if ((sums[1] ?? 0) > (sums[0] ?? 0)) return false;
  if (overflowLookAlikes.some((pattern) => pattern.test(said))) return false;
  return overflowWordings.some((wording) => fits(wording, error.status, said));
}

function fits({ pattern, statuses, not, holds }: Wording, status: number | null, said: string): boolean {
  if (!(statuses ?? usualOverflowStatuses).includes(status) || not?.test(said)) return false;
  const match = pattern.exec(said);
  return match !== null && (holds?.(match.slice(1).map(Number)) ?? true);
}

function classOf(error: ServerError): FailureClass {
  const { status } = error;
  const said = `${error.code} ${error.message}`;
  const row = classRows.find((each) => matches(each, status, said));
  if (row !== undefined) return row.class;
  return status !== null && status < 500 ? "rejected" : "server-error";
}

function matches({ statuses, pattern, not }: ClassRow, status: number | null, said: string): boolean {
  if (statuses !== undefined && !statuses.includes(status)) return false;
  return (pattern?.test(said) ?? true) && !not?.test(said);
}

/** `null` also where the moment has passed: the usual delay is better than none. */
function retryAfterOf(headers: AnswerHeaders, now: number): number | null {
  const exact = Number(headers["retry-after-ms"] ?? Number.NaN);
  if (exact > 0) return Math.ceil(exact);
  const given = headers["retry-after"];
  if (typeof given !== "string") return null;
  const ms = /^\s*\d+(?:\.\d+)?\s*$/.test(given) ? Number(given) * 1_000 : Date.parse(given) - now;
  return ms > 0 ? Math.ceil(ms) : null;
}

type Told = Omit<Extract<Failure, { readonly type: "failed" }>, "type" | "remedy">;

function failure(told: Told, { secrets, keyName }: Circumstances): Failure {
  const remedy = told.class === "unauthorised" ? keyRemedy(keyName, secrets.length > 0) : remedies[told.class];
  return { type: "failed", ...told, detail: oneLine(told.detail, secrets), remedy };
}

function keyRemedy(keyName: string | null, isSet: boolean): string {
  if (keyName === null) {
    return "the server wants a key: use it as openai-chat:<model>, with OPENAI_BASE_URL and OPENAI_API_KEY, then assent resume <session>";
  }
  return `${isSet ? "check the key in" : "the server wants a key: set"} ${keyName}, then assent resume <session>`;
}

/** Short, on one line, without what moves a cursor, and without the key: also where a server repeats what it was sent. */
function oneLine(text: string, secrets: readonly string[]): string {
  // Hidden before anything is cut off: half a key is a secret too.
  const shown = hidden(
    hidden(text, secrets)
      .slice(0, mostDetail * 8)
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, " "),
    secrets,
  );
  const line = shown.trim().toWellFormed();
  return line.length <= mostDetail ? line : `${line.slice(0, mostDetail - 1).replace(/[\ud800-\udbff]$/, "")}…`;
}

function hidden(text: string, secrets: readonly string[]): string {
  return secrets
    .filter((secret) => secret.length >= leastHidden)
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed()), JSON.stringify(secret).slice(1, -1)])
    .reduce((shown, secret) => shown.replaceAll(secret, "[key]"), text);
}

function seconds(ms: number): string {
  return ms < 1_000 ? `${ms} ms` : `${Math.round(ms / 100) / 10} s`;
}

function tail(text: string): string {
  return text === "" ? "" : `: ${text}`;
}
