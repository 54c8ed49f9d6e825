import type { Json } from "../json.ts";
import { isBlank } from "./blank.ts";
import { expectedText, wholeText } from "./expected-text.ts";
import { fieldOf } from "./field.ts";
import type { InteractionRequest } from "./request.ts";

/** One answer as it comes from an adapter (INT-1, INT-2), spelled as on the wire. */
export type InteractionResponse = {
  readonly interaction_id: string;
  readonly selected_option_id?: string;
  readonly selected_option_ids?: readonly string[];
  readonly free_text?: string;
  readonly confirmed?: boolean;
  readonly cancelled: boolean;
  readonly answer_id?: string;
  readonly metadata?: Json;
};

/** An answer that has passed every check, reduced to what it means. */
export type Answer =
  | { readonly type: "selected"; readonly options: readonly string[] }
  | { readonly type: "free-text"; readonly text: string }
  | { readonly type: "confirmed"; readonly confirmed: boolean; readonly options: readonly string[] }
  | { readonly type: "cancelled" };

/** What is wrong with a response, in one word. */
export type InvalidCode = "invalid_option" | "free_text_not_allowed" | "cancel_not_allowed" | "invalid_response";

/** `malformed` is the adapter's fault and costs no attempt; `invalid` is the person's and does (INT-4). */
export type Checked =
  | { readonly type: "valid"; readonly answer: Answer }
  | { readonly type: "invalid"; readonly code: InvalidCode; readonly detail: string }
  | { readonly type: "malformed"; readonly detail: string };

/** Whether a response answers a request, and what it then means. */
export function checkResponse(request: InteractionRequest, response: InteractionResponse): Checked {
  if (response.interaction_id !== request.interaction_id) return malformed("the response is for another interaction");
  const selected = selectedIds(response);
  if (selected === null) return malformed("selected_option_id and selected_option_ids disagree");
  const given = [
    selected.length > 0 && response.confirmed === undefined,
    response.free_text !== undefined,
    response.confirmed !== undefined,
    response.cancelled,
  ].filter(Boolean).length;
  if (given !== 1) return malformed(`expected exactly one answer field, found ${given}`);
  if (response.cancelled) {
    if (!request.allow_cancel) return invalid("cancel_not_allowed", "this interaction cannot be cancelled here");
    return { type: "valid", answer: { type: "cancelled" } };
  }
  if (response.free_text !== undefined) return checkFreeText(request, response.free_text);
  if (response.confirmed !== undefined) return checkConfirmed(request, response.confirmed, selected);
  return checkSelection(request, selected);
}

/** Whether choosing this option of a confirmation says yes, no, or neither (APPR-7). */
export function confirmedBy(option: string): boolean | undefined {
  if (["yes", "session", "project", "user", "confirm"].includes(option)) return true;
  return option === "no" ? false : undefined;
}

/**
 * The answer in the one form in which it is recorded, whatever spelling it came in: a single choice as one id, a list only
 * where several may be chosen, a yes or no with its option (INT-2, ANS-11). The value of a sensitive answer is left out:
 * it goes to the secret store before this is recorded.
 */
export function recordedResponse(
  request: InteractionRequest,
  answer: Answer,
  given: InteractionResponse,
  secret = "",
): InteractionResponse {
  const { selected_option_id, selected_option_ids, free_text, confirmed, cancelled, metadata, ...rest } = given;
  const all = { ...rest, cancelled: answer.type === "cancelled", ...(metadata === undefined ? {} : { metadata }) };
  if (request.sensitive) return withoutSecret(all, secret);
  if (answer.type === "cancelled") return all;
  if (answer.type === "free-text") return { ...all, free_text: answer.text };
  const [only, ...more] = answer.options;
  const one = only === undefined || more.length > 0 ? {} : { selected_option_id: only };
  const many = takesMany(request) ? { selected_option_ids: answer.options } : {};
  return { ...all, ...one, ...many, ...(answer.type === "confirmed" ? { confirmed: answer.confirmed } : {}) };
}

/** Whether two responses mean the same. */
export function sameAnswer(one: InteractionResponse, other: InteractionResponse): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** What the model reads as the person's words: labels in option order, or the text as typed. */
export function answerText(request: InteractionRequest, answer: Answer): string {
  if (answer.type === "free-text") return answer.text;
  if (answer.type === "cancelled") return "cancelled";
  if (answer.type === "confirmed" && answer.options.length === 0) return answer.confirmed ? "Yes" : "No";
  return request.options
    .filter((option) => answer.options.includes(option.id))
    .map((option) => option.label)
    .join(", ");
}

/** What was recorded, as the model reads it. */
export function recordedText(request: InteractionRequest, response: InteractionResponse): string {
  const { free_text, selected_option_id, selected_option_ids } = response;
  if (free_text !== undefined) return free_text;
  const options = selected_option_ids ?? (selected_option_id === undefined ? [] : [selected_option_id]);
  return answerText(request, { type: "selected", options });
}

/** Only where a command reads what is typed: there Enter alone is an answer, and the request says so (ADR 12). */
export function takesBlank({ response_schema }: InteractionRequest): boolean {
  const schema = response_schema;
  return typeof schema === "object" && schema !== null && "minLength" in schema && schema["minLength"] === 0;
}

function checkFreeText(request: InteractionRequest, text: string): Checked {
  if (!request.allow_free_text && !request.sensitive)
    return invalid("free_text_not_allowed", "one of the options is expected");
  if (isBlank(text) && !takesBlank(request)) return invalid("invalid_response", "free text is never blank");
  const expected = expectedText(request.response_schema);
  // The text itself is not told: it may be a secret. A pattern that is none matches nothing.
  if (expected !== null && !wholeText(expected.pattern)?.test(text))
    return invalid("invalid_response", `expected ${expected.told}`);
  return { type: "valid", answer: { type: "free-text", text } };
}

function checkConfirmed(request: InteractionRequest, confirmed: boolean, selected: readonly string[]): Checked {
  if (request.kind !== "confirmation") return invalid("invalid_response", "only a confirmation can be confirmed");
  const option = selected[0];
  if (option === undefined) {
    const options = plainOption(request, confirmed);
    return { type: "valid", answer: { type: "confirmed", confirmed, options } };
  }
  const checked = checkSelection(request, selected);
  if (checked.type !== "valid") return checked;
  if (confirmedBy(option) !== confirmed) return malformed(`option ${option} disagrees with confirmed: ${confirmed}`);
  return { type: "valid", answer: { type: "confirmed", confirmed, options: [option] } };
}

function checkSelection(request: InteractionRequest, selected: readonly string[]): Checked {
  if (request.sensitive) return invalid("invalid_option", "a sensitive question takes a text, not an option");
  const known = new Set(request.options.map((option) => option.id));
  const unknown = selected.find((id) => !known.has(id));
  if (unknown !== undefined) return invalid("invalid_option", `no option has the id ${unknown}`);
  if (new Set(selected).size !== selected.length) return invalid("invalid_option", "an option is chosen twice");
  const many = takesMany(request);
  const least = many ? (request.min_selected ?? 1) : 1;
  const most = many ? (request.max_selected ?? request.options.length) : 1;
  if (selected.length < least || selected.length > most) {
    return invalid("invalid_option", `expected ${least} to ${most} options, found ${selected.length}`);
  }
  const chosen = new Set(selected);
  const ordered = request.options.map((option) => option.id).filter((id) => chosen.has(id));
  const confirmed = request.kind === "confirmation" ? confirmedBy(ordered[0] ?? "") : undefined;
  if (confirmed !== undefined) return { type: "valid", answer: { type: "confirmed", confirmed, options: ordered } };
  return { type: "valid", answer: { type: "selected", options: ordered } };
}

/** A bare yes names the option that says no more than yes; typed in a flow it is its confirm (APPR-7, ANS-11). */
function plainOption(request: InteractionRequest, confirmed: boolean): readonly string[] {
  const plain = confirmed ? ["yes", "confirm"] : ["no"];
  return plain.filter((id) => request.options.some((option) => option.id === id)).slice(0, 1);
}

/** Yes and no together would be neither: a confirmation takes one option, whatever it says. */
function takesMany(request: InteractionRequest): boolean {
  return request.multi_select === true && request.kind === "question";
}

/** A secret may have come in any field: only those that are the contract's own are kept. */
function withoutSecret(given: InteractionResponse, secret: string): InteractionResponse {
  const { interaction_id, cancelled, answer_id } = given;
  return {
    interaction_id,
    cancelled,
    ...(answer_id === undefined ? {} : { answer_id }),
    ...(cancelled ? {} : { metadata: { set: true, ...(secret === "" ? {} : { secret }) } }),
  };
}

/** What a recorded sensitive answer is kept under, if it is one. */
export function recordedSecret({ metadata }: InteractionResponse): string | null {
  const secret = fieldOf(metadata, "secret");
  return typeof secret === "string" ? secret : null;
}

/** The two spellings of a selection as one list; `null` when they contradict each other. */
function selectedIds(response: InteractionResponse): readonly string[] | null {
  const many = response.selected_option_ids;
  const one = response.selected_option_id;
  if (many === undefined || many.length === 0) return one === undefined ? [] : [one];
  if (one !== undefined && (many.length !== 1 || many[0] !== one)) return null;
  return many;
}

function sorted(response: InteractionResponse): readonly (readonly [string, Json])[] {
  return Object.entries(response).sort(([one], [other]) => (one < other ? -1 : 1));
}

function invalid(code: InvalidCode, detail: string): Checked {
  return { type: "invalid", code, detail };
}

function malformed(detail: string): Checked {
  return { type: "malformed", detail };
}
