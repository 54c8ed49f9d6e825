import {
  type ApiError,
  type ApiInteraction,
  type InteractionRequest,
  mostAttempts,
  type Result,
  refusedFor,
  visibleLine,
} from "../assent.ts";

/** Why a call came to nothing. */
export function failureLine(result: Exclude<Result<unknown>, { type: "ok" }>): string {
  return result.type === "refused" ? visibleLine(result.error.detail) : "The server cannot be reached.";
}

type Winner = NonNullable<ApiInteraction["resolution"]>;

/** How a question ended, in a line: who answered, from where, and what (INT-6). */
export function endLine(request: InteractionRequest, winner: Winner | undefined): string {
  if (winner === undefined) return "It is no longer open.";
  const { state, by, reason } = winner;
  if (state === "expired") return "Expired without an answer.";
  if (state === "withdrawn") return `Withdrawn${reason === undefined ? "" : `: ${visibleLine(reason)}`}.`;
  const who = by === undefined ? "" : ` by ${visibleLine(by.name)} in ${visibleLine(by.adapter)}`;
  if (state === "aborted") return `Given up after ${mostAttempts} invalid answers${who}.`;
  const what = saidBy(request, winner.response);
  return `${state.charAt(0).toUpperCase()}${state.slice(1)}${who}${what === "" ? "" : `: ${what}`}`;
}

function saidBy(request: InteractionRequest, response: Winner["response"]): string {
  if (response === undefined || response.cancelled) return "";
  const { free_text, selected_option_id, selected_option_ids, confirmed } = response;
  if (free_text !== undefined) return visibleLine(free_text);
  const ids = selected_option_ids ?? (selected_option_id === undefined ? [] : [selected_option_id]);
  const labels = ids.map((id) => request.options.find((option) => option.id === id)?.label ?? id);
  if (labels.length > 0) return visibleLine(labels.join(", "));
  return confirmed === undefined ? "" : confirmed ? "Yes" : "No";
}

/** What became of an answer that was not taken: the question is over, or it is as open as before. */
export type NotTaken = { readonly over: boolean; readonly told: string };

export function notTaken(request: InteractionRequest, status: number, error: ApiError["error"]): NotTaken {
  const { detail, attempt, aborted, winner } = error;
  switch (status) {
    case 404:
      return { over: true, told: "The server does not know this question any more." };
    case 409:
      return { over: true, told: `Your answer came too late. ${endLine(request, winner)}` };
    case 410:
      return { over: true, told: "Expired before your answer came." };
    case 422: {
      if (aborted)
        return { over: true, told: `Given up after ${mostAttempts} invalid answers: ${visibleLine(detail)}` };
      const which = attempt === undefined ? "" : ` (invalid answer ${attempt} of ${mostAttempts})`;
      return { over: false, told: `Not an answer: ${visibleLine(detail)}${which}` };
    }
    default: {
      const session = request.interaction_id.replace(/-[^-]*$/, "");
      return { over: false, told: visibleLine(refusedFor(session, error)) };
    }
  }
}
