import { looseList } from "../../../wire/index.ts";
import { checkResponses } from "../checks/responses.ts";
import {
  type Asked,
  idOf,
  madeAt,
  piecesOf,
  type Reply,
  type ReplyCall,
  type ServerFormat,
  type Stream,
  type StreamEvent,
} from "../format.ts";
import { openAiError } from "./openai-error.ts";

/** OpenAI's Responses. */
export const responses: ServerFormat = {
  name: "openai-responses",
  path: "/v1/responses",
  ping: ": keep-alive\n\n",
  check: checkResponses,
  stream,
  whole,
  errorEvent: ({ code, message, type }, failed) =>
    failed
      ? eventOf({ type: "response.failed", response: { status: "failed", error: { code: code ?? type, message } } })
      : eventOf({ type: "error", code: code ?? type ?? null, message, param: null }),
  errorBody: (status, error) => ({ error: openAiError(status, error) }),
};

function stream(reply: Reply, asked: Asked): Stream {
  const items = [...saidItems(reply, asked), ...reply.calls.map((call) => callItem(call, asked))];
  const strays = (where: Reply["stray"]): readonly Draft[] =>
    reply.stray === where
      ? reply.strays.flatMap((call, index) => draftsOfItem(callItem(call, asked), items.length + index))
      : [];
  // Of an item that was never begun there are only its pieces.
  const unbegun = strays("choice").filter(({ type }) => type === "response.function_call_arguments.delta");
  const begun = { ...shell(asked), status: "in_progress", output: [], usage: null };
  const { type, response } = ended(reply, asked);
  const body: readonly Draft[] = [
    { type: "response.created", response: begun },
    { type: "response.in_progress", response: begun },
    ...items.flatMap(draftsOfItem),
    ...unbegun,
  ];
  const closing: readonly Draft[] = [{ type, response }, ...strays("after-finish"), ...strays("after-end")];
  return { body: numbered(body, 0), closing: numbered(closing, body.length) };
}

function whole(reply: Reply, asked: Asked): unknown {
  return ended(reply, asked).response;
}

type Draft = { readonly type: string; readonly [field: string]: unknown };

/** An item as it is begun, what is told about it while it grows, and all of it. */
type Item = {
  readonly start: object;
  readonly grows: readonly Draft[];
  readonly whole: object;
};

function saidItems(reply: Reply, asked: Asked): readonly Item[] {
  const { number } = asked;
  return [
    ...(reply.reasoning === "" ? [] : [thoughtItem(reply.reasoning, asked)]),
    ...(reply.text === "" ? [] : [messageItem(`msg_${number}`, textPart(reply.text))]),
    ...(reply.refusal === "" ? [] : [messageItem(`msg_${number}_refusal`, refusalPart(reply.refusal))]),
  ];
}

function thoughtItem(text: string, { number, body }: Asked): Item {
  const id = `rs_${number}`;
  const wanted = looseList(body["include"]).includes("reasoning.encrypted_content");
  const sealed = wanted ? { encrypted_content: `sealed_${number}` } : {};
  const at = { item_id: id, summary_index: 0 };
  const part = { type: "summary_text", text };
  return {
    start: { id, type: "reasoning", summary: [], ...sealed },
    grows: [
      { type: "response.reasoning_summary_part.added", ...at, part: { ...part, text: "" } },
      ...piecesOf(text).map((delta) => ({ type: "response.reasoning_summary_text.delta", ...at, delta })),
      { type: "response.reasoning_summary_text.done", ...at, text },
      { type: "response.reasoning_summary_part.done", ...at, part },
    ],
    whole: { id, type: "reasoning", summary: [part], ...sealed },
  };
}

/** The one part of a message: how it begins, how it is whole, and the name and field of its pieces. */
type Part = {
  readonly start: object;
  readonly whole: object;
  readonly name: string;
  readonly done: object;
  readonly text: string;
};

function textPart(text: string): Part {
  const rest = { type: "output_text", annotations: [], logprobs: [] };
  return { start: { ...rest, text: "" }, whole: { ...rest, text }, name: "output_text", done: { text }, text };
}

function refusalPart(text: string): Part {
  const start = { type: "refusal", refusal: "" };
  return { start, whole: { ...start, refusal: text }, name: "refusal", done: { refusal: text }, text };
}

function messageItem(id: string, part: Part): Item {
  const head = { id, type: "message", role: "assistant" };
  const at = { item_id: id, content_index: 0 };
  return {
    start: { ...head, status: "in_progress", content: [] },
    grows: [
      { type: "response.content_part.added", ...at, part: part.start },
      ...piecesOf(part.text).map((delta) => ({ type: `response.${part.name}.delta`, ...at, delta })),
      { type: `response.${part.name}.done`, ...at, ...part.done },
      { type: "response.content_part.done", ...at, part: part.whole },
    ],
    whole: { ...head, status: "completed", content: [part.whole] },
  };
}

function callItem(call: ReplyCall, asked: Asked): Item {
  const id = `fc_${asked.number}_${call.ordinal}`;
  const head = { id, type: "function_call", call_id: idOf(call, "call", asked), name: call.tool };
  const done = { type: "response.function_call_arguments.done", item_id: id, arguments: call.arguments };
  return {
    start: { ...head, status: "in_progress", arguments: "" },
    grows: [
      ...piecesOf(call.arguments).map((delta) => ({
        type: "response.function_call_arguments.delta",
        item_id: id,
        delta,
      })),
      done,
    ],
    whole: { ...head, status: "completed", arguments: call.arguments },
  };
}

function draftsOfItem({ start, grows, whole: item }: Item, output_index: number): readonly Draft[] {
  return [
    { type: "response.output_item.added", output_index, item: start },
    ...grows.map((draft) => ({ ...draft, output_index })),
    { type: "response.output_item.done", output_index, item },
  ];
}

const incomplete: Readonly<Record<string, string>> = { length: "max_output_tokens", filter: "content_filter" };

/** The event that ends a reply, with all of the reply in it. */
function ended(reply: Reply, asked: Asked): { readonly type: string; readonly response: object } {
  const isWhole = ["stop", "calls", "refusal"].includes(reply.finish);
  const status = isWhole ? "completed" : "incomplete";
  const items = [...saidItems(reply, asked), ...reply.calls.map((call) => callItem(call, asked))];
  const response = {
    ...shell(asked),
    status,
    incomplete_details: isWhole ? null : { reason: incomplete[reply.finish] ?? reply.finish },
    output: items.map((item) => item.whole),
    usage: usageOf(reply),
  };
  return { type: `response.${status}`, response };
}

function shell({ number, model }: Asked): object {
  return { id: `resp_${number}`, object: "response", created_at: madeAt, model, error: null, incomplete_details: null };
}

function usageOf({ usage }: Reply): object | null {
  if (usage === null) return null;
  return {
    input_tokens: usage.input,
    input_tokens_details: { cached_tokens: usage.cached },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: usage.input + usage.output,
  };
}

function numbered(drafts: readonly Draft[], first: number): readonly StreamEvent[] {
  return drafts.map((draft, index) => eventOf({ ...draft, sequence_number: first + index }));
}

function eventOf(draft: Draft): StreamEvent {
  return { name: draft.type, data: JSON.stringify(draft) };
}
