import * as v from "valibot";
import {
  type CheckedReply,
  type Flow,
  type FlowPlay,
  isBlank,
  lintRequest,
  optionNumbers,
  playedAnswers,
  readFinalText,
  readReply,
  renderBlock,
  replyToFlow,
  startFlow,
  type Violation,
} from "../core/interaction/index.ts";
import { type Read, readDraft, readForeignFlow, readLine, readQuestion, type WireRefusal } from "./foreign.ts";
import { describeIssue, optional, text } from "./schema.ts";

/**
 * The contract as filters: a line of JSON in, a line of JSON out, whatever comes in. What cannot be read is answered with
 * its `refusal`, in the place of its result; `null` stands for a line that was too long to be kept.
 */
export type LineFilter = (line: string | null) => string;

/** A request → whether it keeps the text contract, which rules it breaks, and how it would be shown. */
export const lintLine: LineFilter = (line) => {
  const json = readLine(line);
  const request = json.type === "refused" ? json : readDraft(json.value);
  if (request.type === "refused") {
    const { refusal } = request;
    return JSON.stringify({ valid: false, violations: [refusal.code], rendered: null, refusal });
  }
  const violations: readonly Violation[] = lintRequest(request.value);
  return JSON.stringify({ valid: violations.length === 0, violations, rendered: renderBlock(request.value) });
};

const replyShape = v.object({ request: v.unknown(), flow: optional(v.unknown()), input: text });

/** A request and a typed line, maybe with the flow that is open → what the line means there. */
export const replyLine: LineFilter = (line) => {
  const given = shaped(readLine(line), replyShape);
  if (given.type === "refused") return refusedReply(given.refusal);
  const request = readQuestion(given.value.request);
  if (request.type === "refused") return refusedReply(request.refusal);
  const flow = given.value.flow == null ? null : readForeignFlow(given.value.flow);
  if (flow?.type === "refused") return refusedReply(flow.refusal);
  const context = { flow: flow?.value ?? null };
  return JSON.stringify(describeReply(readReply(request.value, given.value.input, context), context.flow));
};

/** Far more lines than any flow has replies. */
const mostInputs = 10_000;
const flowShape = v.object({ flow: v.unknown(), inputs: v.pipe(v.array(text), v.maxLength(mostInputs)) });

/** A flow and typed lines → how far they lead. */
export const flowLine: LineFilter = (line) => {
  const given = shaped(readLine(line), flowShape);
  if (given.type === "refused") return refusedFlow(given.refusal);
  const flow = readForeignFlow(given.value.flow);
  if (flow.type === "refused") return refusedFlow(flow.refusal);
  const play = given.value.inputs.reduce((before, line) => replyToFlow(before, line), startFlow(flow.value));
  const { asked, codes } = play;
  return JSON.stringify({ final: finalOf(play), answers: playedAnswers(play), asked, codes });
};

const purityShape = v.object({ text });

/** A final text → whether it asks or offers in prose, where, and by which rule. */
export const purityLine: LineFilter = (line) => {
  const given = shaped(readLine(line), purityShape);
  if (given.type === "refused") {
    return JSON.stringify({ soft_offer: null, part: null, rule: null, refusal: given.refusal });
  }
  const read = readFinalText(given.value.text);
  const found = read.type === "soft-offer" ? read.offer : null;
  return JSON.stringify({ soft_offer: found !== null, part: found?.part ?? null, rule: found?.rule ?? null });
};

/** A stop is no end of its own here: it leaves a flow as a cancel does, without the code. */
function finalOf({ final }: FlowPlay): string {
  return final === "stopped" ? "cancelled" : final;
}

function describeReply(reply: CheckedReply, flow: Flow | null): Record<string, unknown> {
  switch (reply.type) {
    case "selected":
      return { type: "selected", option_ids: reply.options };
    case "free-text":
      return { type: "free_text", text: reply.text };
    case "confirmed":
      return { type: "confirmed", confirmed: reply.confirmed, option_ids: reply.options };
    case "flow-cancel":
      return { type: "flow_cancel" };
    case "compact":
      return { type: "compact", applied: appliedNumbers(flow, reply), rejected: reply.rejected };
    case "stop":
      return { type: "stop" };
    case "command":
      return { type: "command", name: reply.name, rest: isBlank(reply.rest) ? "" : reply.rest };
    case "invalid":
      return { type: "invalid", detail: reply.detail };
    default:
      return reply satisfies never;
  }
}

function appliedNumbers(flow: Flow | null, { applied }: Extract<CheckedReply, { type: "compact" }>) {
  return flow === null ? {} : Object.fromEntries(applied.map((each) => [each.key, optionNumbers(flow, each)]));
}

function refusedReply(refusal: WireRefusal): string {
  return JSON.stringify({ type: "refused", refusal });
}

function refusedFlow(refusal: WireRefusal): string {
  return JSON.stringify({ final: "refused", answers: {}, asked: [], codes: [], refusal });
}

function shaped<const S extends v.GenericSchema>(read: Read<unknown>, schema: S): Read<v.InferOutput<S>> {
  if (read.type === "refused") return read;
  const checked = v.safeParse(schema, read.value);
  if (checked.success) return { type: "read", value: checked.output };
  return { type: "refused", refusal: { code: "invalid_value", detail: describeIssue(checked.issues) } };
}
