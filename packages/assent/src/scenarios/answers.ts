import type { EventOf, Flow, FlowState, InteractionRequest, InteractionResponse } from "../core/index.ts";
import { compactLine, parseReply, recordedSecret } from "../core/index.ts";

/** What stands in a scenario for a secret that was typed. */
export const secretTyped = "***";

/** A question as it was asked, with the flow that it belongs to. */
export type AskedQuestion = { readonly request: InteractionRequest; readonly flow: Flow | null };

/** The line that would have given that answer; the line that was typed is not recorded. `after`: what the flow knew then. */
export function answerLine(
  { request, flow }: AskedQuestion,
  event: EventOf<"interaction.resolved">,
  after: FlowState | null,
): string | null {
  if (!("response" in event)) return null;
  const { response } = event;
  // A secret is in no journal, and stays so (INT-2).
  if (request.sensitive || recordedSecret(response) !== null)
    return event.state === "cancelled" ? "cancel" : secretTyped;
  if (event.state === "cancelled") return "cancel";
  return compactLine(flow, response, after) ?? responseLine(request, response);
}

function responseLine(request: InteractionRequest, response: InteractionResponse): string {
  const { free_text, selected_option_id, selected_option_ids, confirmed } = response;
  if (free_text !== undefined) return textLine(request, free_text);
  const chosen = selected_option_ids ?? (selected_option_id === undefined ? [] : [selected_option_id]);
  const numbers = chosen.map((id) => request.options.findIndex((option) => option.id === id) + 1);
  return numbers.length === 0 ? (confirmed ? "yes" : "no") : numbers.join(",");
}

/** What would mean something else when it is typed alone is typed as text. */
function textLine(request: InteractionRequest, text: string): string {
  const reply = parseReply(request, text);
  const isPlain = reply.type === "response" && reply.response.free_text === text && !text.startsWith("/");
  return isPlain ? text : `/text ${text}`;
}

const wrongLines: readonly string[] = [
  "0",
  "99",
  "1 2",
  "1,1",
  "1,2",
  "option 1",
  "yes!",
  "Cancel",
  "neither",
  "=",
  "",
];

/** A line that is refused for the same reason; if none is known, one that is refused at all. */
export function rejectedLine({ request, flow }: AskedQuestion, { detail }: EventOf<"interaction.rejected">): string {
  const refused = wrongLines.map((line) => ({ line, reply: parseReply(request, line, { flow }) }));
  const same = refused.find(({ reply }) => reply.type === "invalid" && reply.detail === detail);
  return (same ?? refused.find(({ reply }) => reply.type === "invalid"))?.line ?? "";
}
