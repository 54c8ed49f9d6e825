import type { InteractionRequest, Json } from "../core/index.ts";
import { visibleLine } from "../core/interaction/index.ts";
import { type AskedPart, askedParts, isRecord, markedLines, reasonLines } from "./approval.ts";
import { type Said, saidSystem, saidTool } from "./said.ts";

/** A line of so many characters fits into most terminals. */
const mostCarets = 68;

/**
 * What is decided on, in full, as it stands before the question (INT-2). Where a line of a command is longer than
 * `widest`, marks under it would be broken with it, and the part itself is shown.
 */
export function saidSubject(request: InteractionRequest, widest: number = mostCarets): readonly Said[] {
  const { subject, metadata, options } = request;
  const { reason, unread_grants: unread } = isRecord(metadata) ? metadata : {};
  const parts = askedParts(request);
  const reasons = parts.length === 0 ? [reason] : reasonLines(parts);
  return [
    ...(subject === undefined ? [] : saidFields(subject, parts, widest)),
    ...reasons.flatMap((each) => (typeof each === "string" ? saidTool(`asked because: ${each}`) : [])),
    ...(Array.isArray(unread) ? unread : []).flatMap((each) =>
      saidSystem(`a saved grant cannot be read and does not count: ${visibleLine(String(each))}`),
    ),
    ...options.flatMap(({ label, description }, index) =>
      description === undefined ? [] : saidTool(`${index + 1}) ${label}: ${description}`),
    ),
  ];
}

function saidFields(subject: Json, parts: readonly AskedPart[], widest: number): readonly Said[] {
  if (!isRecord(subject)) return saidTool(JSON.stringify(subject));
  return Object.entries(subject).map(([field, value]) => {
    const lines = Array.isArray(value) ? value.map(String) : [isRecord(value) ? JSON.stringify(value) : String(value)];
    const isCommand = field === "command" && Array.isArray(value);
    const text = (isCommand ? markedLines(lines, parts, widest) : lines).join("\n");
    return { channel: "tool", form: field === "diff" ? "diff" : "text", text, field };
  });
}
