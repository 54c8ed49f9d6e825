import { looseRecord } from "../../../wire/index.ts";
import { checkCompletions } from "../checks/completions.ts";
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

/** OpenAI's Chat Completions, with `reasoning_content` as the servers write it that show what was thought. */
export const completions: ServerFormat = {
  name: "openai-chat",
  path: "/v1/chat/completions",
  ping: ": keep-alive\n\n",
  check: checkCompletions,
  stream,
  whole,
  errorEvent: (error) => eventOf({ error: openAiError(error.status ?? 500, error) }),
  errorBody: (status, error) => ({ error: openAiError(status, error) }),
};

const finishes: Readonly<Record<string, string>> = {
  stop: "stop",
  calls: "tool_calls",
  length: "length",
  filter: "content_filter",
  refusal: "stop",
};

function stream(reply: Reply, asked: Asked): Stream {
  const counted = looseRecord(asked.body["stream_options"])["include_usage"] === true && reply.usage !== null;
  const head = { id: `chatcmpl-${asked.number}`, object: "chat.completion.chunk", created: madeAt, model: asked.model };
  const rest = counted ? { usage: null } : {};
  const chunk = (delta: object, finish: string | null = null, index = 0): StreamEvent =>
    eventOf({ ...head, choices: [{ index, delta, logprobs: null, finish_reason: finish }], ...rest });
  const callChunks = (calls: readonly ReplyCall[], index = 0) =>
    deltasOfCalls(calls, asked).map((delta) => chunk(delta, null, index));
  const strays = (where: Reply["stray"]) => (reply.stray === where ? callChunks(reply.strays) : []);
  const second = reply.stray === "choice" ? [...callChunks(reply.strays, 1), chunk({}, "tool_calls", 1)] : [];
  return {
    body: [
      chunk({ role: "assistant", content: reply.calls.length > 0 && reply.text === "" ? null : "", refusal: null }),
      ...piecesOf(reply.reasoning).map((piece) => chunk({ reasoning_content: piece })),
      ...piecesOf(reply.text).map((piece) => chunk({ content: piece })),
      ...piecesOf(reply.refusal).map((piece) => chunk({ refusal: piece })),
      ...callChunks(reply.calls),
      ...second,
    ],
    closing: [
      chunk({}, finishOf(reply)),
      ...strays("after-finish"),
      ...(counted ? [eventOf({ ...head, choices: [], usage: usageOf(reply) })] : []),
      { name: "", data: "[DONE]" },
      ...strays("after-end"),
    ],
  };
}

function deltasOfCalls(calls: readonly ReplyCall[], asked: Asked): readonly object[] {
  return calls.flatMap((call, index) => [
    {
      tool_calls: [
        { index, id: idOf(call, "call", asked), type: "function", function: { name: call.tool, arguments: "" } },
      ],
    },
    ...piecesOf(call.arguments).map((piece) => ({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ]);
}

function whole(reply: Reply, asked: Asked): unknown {
  const choice = (index: number, message: object, finish: string) => ({
    index,
    message: { role: "assistant", ...message },
    logprobs: null,
    finish_reason: finish,
  });
  const said = {
    content: reply.text === "" && (reply.calls.length > 0 || reply.refusal !== "") ? null : reply.text,
    refusal: reply.refusal === "" ? null : reply.refusal,
    ...(reply.reasoning === "" ? {} : { reasoning_content: reply.reasoning }),
    ...(reply.calls.length === 0 ? {} : { tool_calls: wholeCalls(reply.calls, asked) }),
  };
  const strayed = { content: null, refusal: null, tool_calls: wholeCalls(reply.strays, asked) };
  return {
    id: `chatcmpl-${asked.number}`,
    object: "chat.completion",
    created: madeAt,
    model: asked.model,
    choices: [choice(0, said, finishOf(reply)), ...(reply.strays.length > 0 ? [choice(1, strayed, "tool_calls")] : [])],
    ...(reply.usage === null ? {} : { usage: usageOf(reply) }),
  };
}

function wholeCalls(calls: readonly ReplyCall[], asked: Asked): readonly object[] {
  return calls.map((call) => ({
    id: idOf(call, "call", asked),
    type: "function",
    function: { name: call.tool, arguments: call.arguments },
  }));
}

function usageOf({ usage }: Reply): object | null {
  if (usage === null) return null;
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: { cached_tokens: usage.cached },
  };
}

function finishOf({ finish }: Reply): string {
  return finishes[finish] ?? finish;
}

function eventOf(data: object): StreamEvent {
  return { name: "", data: JSON.stringify(data) };
}
