import type { Asks, ModelResult, Session, Usage } from "../core/index.ts";
import { looseCount, looseRecord } from "../wire/index.ts";
import { expiry } from "./judging.ts";
import { liveText } from "./live-text.ts";
import type { OpenSession } from "./open-session.ts";
import type { Live, ModelAnswer, OfferedTool, Ports, RawCall, Tool, WatchedRequest } from "./ports.ts";
import { isAvailable, readArguments } from "./sound.ts";

/** `offered` is what the request had: a tool may have become unavailable, or have been so all along (SEL-2). */
export type ReadingReply = Pick<Ports, "tools" | "expiryMs"> & { readonly offered: readonly OfferedTool[] };

type Offer = { readonly available: readonly Tool[]; readonly offered: readonly OfferedTool[] };

const offers = new WeakMap<readonly Tool[], Offer>();

/** The tools that a session has now. As long as they are the same the list is the same one: providers write it once. */
export function offeredTools(tools: readonly Tool[], session: Session): readonly OfferedTool[] {
  const available = tools.filter((tool) => isAvailable(tool, session));
  const last = offers.get(tools);
  const isSame =
    last?.available.length === available.length && available.every((tool, at) => tool === last.available[at]);
  if (last !== undefined && isSame) return last.offered;
  const offered = available.map(({ name, description, parameters }) => ({ name, description, parameters }));
  offers.set(tools, { available, offered });
  return offered;
}

/** What a model's answer means to the session, whatever the wire brought. */
export function modelResult(answer: ModelAnswer, wanted: "reply" | "summary", reading: ReadingReply): ModelResult {
  if (answer.type !== "replied") return answer;
  const usage = soundUsage(answer.usage);
  if (wanted === "summary") return { type: "summarised", summary: summaryOf(answer), usage };
  const calls = answer.calls.map(({ id, tool, arguments: given, ...more }, index) => {
    const call = { id, tool, arguments: given };
    const isTwice = id !== "" && answer.calls.slice(0, index).some((earlier) => earlier.id === id);
    return { ...call, asks: isTwice ? toldTwice(id) : readCall({ ...call, ...more }, reading) };
  });
  return { ...answer, usage, calls: answer.cut ? calls.map(tellCut) : calls };
}

/** It may be the same call once more, and nothing may run twice; a call that has no id is one of its own. */
function toldTwice(id: string): Asks {
  const reason = `an earlier call of this reply has the id ${JSON.stringify(id)}, too: it was not run, call it again if it is another`;
  return { type: "invalid", reason };
}

/** A refusal sums nothing up; what was cut off says so. */
function summaryOf({ text, refusal, cut }: Extract<ModelAnswer, { readonly type: "replied" }>): string {
  if (refusal) return "";
  return cut && text !== "" ? `${text}\n[cut off here]` : text;
}

/** What is missing of a call that was cut off is not the model's mistake; it should know why. */
function tellCut<T extends { readonly asks: Asks }>(call: T): T {
  if (call.asks.type !== "invalid") return call;
  const reason = `${call.asks.reason} (the reply was cut off at the output limit: do it in smaller parts)`;
  return { ...call, asks: { type: "invalid", reason } };
}

/** What a call asks for; a tool that is not there is the model's mistake, and it is told (SEL-3). */
function readCall(call: RawCall, reading: ReadingReply): Asks {
  const { tools, offered } = reading;
  if (call.flaw !== undefined) return { type: "invalid", reason: call.flaw };
  const names = offered.map(({ name }) => name).join(", ");
  const tool = tools.find(({ name }) => name === call.tool);
  if (tool !== undefined && offered.every(({ name }) => name !== tool.name)) {
    return { type: "invalid", reason: `${tool.name} is not available here; there are ${names}` };
  }
  const asks = tool === undefined ? null : readArguments(tool, call);
  const lasting = expiry(reading);
  if (asks?.type === "ask") return { ...asks, draft: { ...lasting, ...asks.draft } };
  if (asks?.type === "flow") return { ...asks, flow: { ...asks.flow, ...lasting } };
  if (asks !== null) return asks;
  return { type: "invalid", reason: `no tool is named ${JSON.stringify(call.tool)}; there are ${names}` };
}

/** A provider may count in any way; what is no count is none. */
function soundUsage(usage: unknown): Usage {
  const { input, output, cached, cost } = looseRecord(usage);
  const sound = { input: looseCount(input), output: looseCount(output), cached: looseCount(cached) };
  return typeof cost !== "number" || !Number.isFinite(cost) ? sound : { ...sound, cost };
}

type Listening = Pick<WatchedRequest, "onText" | "onRetry"> & { readonly end: () => void };

/** What is seen of a reply while it comes. A text that may be discarded is held back until it has been checked (TXT-4). */
export function listeningTo(
  request: number,
  { softOffers, clock, session, onLive }: Pick<Ports, "softOffers" | "clock"> & LivePlace,
): Listening {
  let characters = 0;
  const live = liveText(session.redactor(), clock, (text) => onLive({ type: "text", request, text }));
  return {
    onText(text) {
      // Who calls this may stand where an exception would end the process.
      if (typeof text !== "string") return;
      characters += text.length;
      if (softOffers === "regenerate") onLive({ type: "progress", request, characters });
      else live.add(text);
    },
    onRetry: (retry) => onLive({ type: "retry", request, ...retry }),
    end: () => live.end(),
  };
}

type LivePlace = { readonly session: Pick<OpenSession, "redactor">; readonly onLive: (live: Live) => void };
