import { parseJson } from "../../../wire/index.ts";
import { checkMessages } from "../checks/messages.ts";
import {
  type Asked,
  idOf,
  piecesOf,
  type Reply,
  type ReplyCall,
  type ServerFormat,
  type Stream,
  type StreamEvent,
} from "../format.ts";
import type { ScriptedError } from "../script.ts";

/** Anthropic's Messages. */
export const messages: ServerFormat = {
  name: "anthropic",
  path: "/v1/messages",
  ping: 'event: ping\ndata: {"type":"ping"}\n\n',
  check: checkMessages,
  stream,
  whole,
  errorEvent: (error) => eventOf("error", { error: errorOf(error.status ?? 500, error) }),
  errorBody: (status, error) => ({ type: "error", error: errorOf(status, error), request_id: "req_scripted" }),
};

const finishes: Readonly<Record<string, string>> = {
  stop: "end_turn",
  calls: "tool_use",
  length: "max_tokens",
  filter: "refusal",
  refusal: "refusal",
};

function stream(reply: Reply, asked: Asked): Stream {
  const said = [...saidBlocks(reply, asked), ...reply.calls.map((call) => callBlock(call, asked))];
  const strays = (where: Reply["stray"]) =>
    reply.stray === where
      ? reply.strays.flatMap((call, index) => eventsOfBlock(callBlock(call, asked), said.length + index))
      : [];
  // Of a block that was never begun there are only its pieces.
  const unbegun = strays("choice").filter(({ name }) => name === "content_block_delta");
  return {
    body: [
      eventOf("message_start", { message: { ...shell(reply, asked), content: [], stop_reason: null } }),
      ...said.flatMap(eventsOfBlock),
      ...unbegun,
    ],
    closing: [
      eventOf("message_delta", {
        delta: { stop_reason: finishOf(reply), stop_sequence: null },
        ...(reply.usage === null ? {} : { usage: { output_tokens: reply.usage.output } }),
      }),
      ...strays("after-finish"),
      eventOf("message_stop", {}),
      ...strays("after-end"),
    ],
  };
}

function whole(reply: Reply, asked: Asked): unknown {
  const blocks = [...saidBlocks(reply, asked), ...reply.calls.map((call) => callBlock(call, asked))];
  return { ...shell(reply, asked), content: blocks.map((block) => block.whole), stop_reason: finishOf(reply) };
}

/** A block as it is begun, the pieces that follow, and all of it at once. */
type Block = { readonly start: object; readonly deltas: readonly object[]; readonly whole: object };

function saidBlocks(reply: Reply, asked: Asked): readonly Block[] {
  const signature = `signature_${asked.number}`;
  const thought: Block = {
    start: { type: "thinking", thinking: "", signature: "" },
    deltas: [
      ...piecesOf(reply.reasoning).map((thinking) => ({ type: "thinking_delta", thinking })),
      { type: "signature_delta", signature },
    ],
    whole: { type: "thinking", thinking: reply.reasoning, signature },
  };
  const texts = [reply.text, reply.refusal].filter((text) => text !== "");
  return [...(reply.reasoning === "" ? [] : [thought]), ...texts.map(textBlock)];
}

function textBlock(text: string): Block {
  const deltas = piecesOf(text).map((piece) => ({ type: "text_delta", text: piece }));
  return { start: { type: "text", text: "" }, deltas, whole: { type: "text", text } };
}

function callBlock(call: ReplyCall, asked: Asked): Block {
  const head = { type: "tool_use", id: idOf(call, "toolu", asked), name: call.tool };
  const pieces = ["", ...piecesOf(call.arguments)];
  const parsed = parseJson(call.arguments);
  return {
    start: { ...head, input: {} },
    deltas: pieces.map((partial_json) => ({ type: "input_json_delta", partial_json })),
    // What is no JSON cannot stand there but as a text.
    whole: { ...head, input: parsed.type === "parsed" ? parsed.value : call.arguments },
  };
}

function eventsOfBlock({ start, deltas }: Block, index: number): readonly StreamEvent[] {
  return [
    eventOf("content_block_start", { index, content_block: start }),
    ...(index === 0 ? [eventOf("ping", {})] : []),
    ...deltas.map((delta) => eventOf("content_block_delta", { index, delta })),
    eventOf("content_block_stop", { index }),
  ];
}

function shell({ usage }: Reply, asked: Asked): object {
  return {
    id: `msg_${asked.number}`,
    type: "message",
    role: "assistant",
    model: asked.model,
    stop_sequence: null,
    ...(usage === null
      ? {}
      : {
          usage: {
            input_tokens: usage.input - usage.cached,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: usage.cached,
            output_tokens: usage.output,
          },
        }),
  };
}

function finishOf({ finish }: Reply): string {
  return finishes[finish] ?? finish;
}

const types: Readonly<Record<number, string>> = {
  400: "invalid_request_error",
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  529: "overloaded_error",
};

function errorOf(status: number, { type, code, message }: ScriptedError): object {
  return { type: type ?? code ?? types[status] ?? "api_error", message };
}

function eventOf(type: string, rest: object): StreamEvent {
  return { name: type, data: JSON.stringify({ type, ...rest }) };
}
