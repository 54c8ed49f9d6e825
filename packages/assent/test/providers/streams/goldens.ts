import type { StreamEvent } from "../../../src/providers/format.ts";

// Sound streams of the three formats, each written out of one description of a reply.

export type FormatName = "openai-chat" | "openai-responses" | "anthropic";

export type GoldenCall = { readonly id: string; readonly tool: string; readonly pieces: readonly string[] };

type Reply = {
  readonly name: string;
  readonly thought?: string;
  readonly text?: readonly string[];
  readonly refusal?: readonly string[];
  readonly calls?: readonly GoldenCall[];
  readonly end?: "stop" | "length" | "filter" | "error" | "none";
  /** The pieces of all calls come in turn. */
  readonly interleaved?: true;
  /** A server's own way: calls without an index, arguments at the beginning, nothing but finished items. */
  readonly peculiar?: true;
};

export type Golden = {
  readonly format: FormatName;
  readonly name: string;
  readonly events: readonly StreamEvent[];
  readonly calls: readonly GoldenCall[];
};

const path = { id: "call_a1", tool: "read", pieces: ['{"pa', 'th":"sr', 'c/a.ts"}'] };
/** Any of its pieces may be missing without anybody seeing it. */
const digits = { id: "call_b2", tool: "wait", pieces: ['{"ms":1', "2", "3", "4}"] };
const escaped = {
  id: "call_c3",
  tool: "write",
  pieces: ['{"text":"\\u00e9\\ud83d', '\\ude00 \\"', '\\n…😀","deep":[[{}]]}'],
};
const bare = { id: "call_d4", tool: "list", pieces: ["{}"] };
const many = Array.from({ length: 70 }, (_, n) => ({ id: `call_m${n}`, tool: "read", pieces: [`{"n":${n}}`] }));

const replies: readonly Reply[] = [
  { name: "text", text: ["Hello", ", ", "world 😀 é \u0000 ", "\u{1f469}\u200d\u{1f4bb}."] },
  { name: "long text", text: Array.from({ length: 60 }, (_, n) => `word ${n}${"x".repeat(n)} `) },
  { name: "one call", calls: [path] },
  { name: "split number", calls: [digits] },
  { name: "text and calls", text: ["I look."], calls: [path, digits, escaped] },
  { name: "parallel calls", calls: [path, digits, escaped], interleaved: true },
  { name: "peculiar calls", calls: [digits, path, bare], peculiar: true },
  { name: "bare call", calls: [bare] },
  { name: "thought", thought: "Let me see: 1 + 1", text: ["Two."] },
  { name: "thought and call", thought: "I need the file.", text: ["Reading."], calls: [path, bare] },
  { name: "refusal", refusal: ["I can", "not do that."] },
  { name: "cut", text: ["It goes on and"], calls: [{ ...path, pieces: path.pieces.slice(0, 2) }], end: "length" },
  { name: "filtered", text: ["Well"], end: "filter" },
  { name: "error", text: ["Well"], calls: [path], end: "error" },
  { name: "half", text: ["Well"], calls: [digits], end: "none" },
  { name: "nothing" },
  { name: "too many calls", calls: many },
  { name: "the most calls", calls: many.slice(0, 64) },
];

export const goldens: readonly Golden[] = replies.flatMap((reply) => {
  const rest = { name: reply.name, calls: reply.calls ?? [] };
  return [
    { format: "openai-chat", events: chatEvents(reply), ...rest } as const,
    { format: "openai-responses", events: responsesEvents(reply), ...rest } as const,
    { format: "anthropic", events: anthropicEvents(reply), ...rest } as const,
  ];
});

/** Each call with its pieces, or the pieces of all in turn; `n` is the place of the call. */
function inOrder<T>(
  { calls = [], interleaved }: Reply,
  made: (call: GoldenCall, n: number) => readonly T[],
): readonly T[] {
  const all = calls.map(made);
  if (interleaved === undefined) return all.flat();
  const longest = Math.max(...all.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) => all.flatMap((each) => each.slice(at, at + 1))).flat();
}

function chatEvents(reply: Reply): readonly StreamEvent[] {
  const { thought, text = [], refusal = [], calls = [], end = "stop", peculiar } = reply;
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "model-1" };
  const event = (data: object): StreamEvent => ({ name: "", data: JSON.stringify({ ...head, ...data }) });
  const chunk = (delta: object, finish_reason: string | null = null) =>
    event({ choices: [{ index: 0, delta, logprobs: null, finish_reason }], usage: null });
  const called = inOrder(reply, ({ id, tool, pieces }, index) => {
    const place = peculiar ? {} : { index };
    const begun = { ...place, id, type: "function", function: { name: tool, arguments: "" } };
    return [begun, ...pieces.map((piece) => ({ ...place, function: { arguments: piece } }))];
  });
  const finish = { stop: calls.length > 0 ? "tool_calls" : "stop", length: "length", filter: "content_filter" };
  const usage = { prompt_tokens: 12, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 4 } };
  const closing = [event({ choices: [], usage }), { name: "", data: "[DONE]" }];
  const error = event({ error: { message: "The server is overloaded", type: "server_error", code: "overloaded" } });
  return [
    chunk({ role: "assistant", content: "", refusal: null }),
    ...(thought === undefined ? [] : [chunk({ reasoning_content: thought })]),
    ...text.map((content) => chunk({ content })),
    ...refusal.map((said) => chunk({ refusal: said })),
    ...called.map((call) => chunk({ tool_calls: [call] })),
    ...(end === "none" ? [] : end === "error" ? [error] : [chunk({}, finish[end]), ...closing]),
  ];
}

function responsesEvents(reply: Reply): readonly StreamEvent[] {
  const { thought, text = [], refusal = [], calls = [], end = "stop", peculiar } = reply;
  const event = (type: string, data: object): StreamEvent => ({ name: type, data: JSON.stringify({ type, ...data }) });
  const events = [event("response.created", { response: { id: "resp_1", status: "in_progress" } })];
  let output_index = 0;
  if (thought !== undefined) {
    const item = { type: "reasoning", id: "rs_1", summary: [] };
    const sealed = { ...item, summary: [{ type: "summary_text", text: thought }], encrypted_content: "c2VhbGVk" };
    events.push(event("response.output_item.added", { output_index, item }));
    events.push(event("response.output_item.done", { output_index: output_index++, item: sealed }));
  }
  for (const [kind, field, pieces] of [
    ["output_text", "text", text],
    ["refusal", "refusal", refusal],
  ] as const) {
    if (pieces.length === 0) continue;
    const place = { output_index: output_index++, item_id: `msg_${kind}`, content_index: 0 };
    events.push(...pieces.map((delta) => event(`response.${kind}.delta`, { ...place, delta })));
    events.push(event(`response.${kind}.done`, { ...place, [field]: pieces.join("") }));
  }
  const first = output_index;
  events.push(
    ...inOrder(reply, ({ id, tool, pieces }, n) => {
      const item = { type: "function_call", id: `fc_${n}`, call_id: id, name: tool, arguments: pieces.join("") };
      const place = { output_index: first + n, item_id: item.id };
      const done = event("response.output_item.done", { output_index: first + n, item });
      if (peculiar) return [done];
      return [
        event("response.output_item.added", { output_index: first + n, item: { ...item, arguments: "" } }),
        ...pieces.map((delta) => event("response.function_call_arguments.delta", { ...place, delta })),
        event("response.function_call_arguments.done", { ...place, arguments: item.arguments }),
        ...(end === "length" ? [] : [done]),
      ];
    }),
  );
  const usage = { input_tokens: 12, output_tokens: 7, input_tokens_details: { cached_tokens: 4 } };
  return [...events, ...responsesEnd(end, { usage, output: calls.map(({ id }) => ({ id })) }, event)];
}

function responsesEnd(
  end: NonNullable<Reply["end"]>,
  response: object,
  event: (type: string, data: object) => StreamEvent,
): readonly StreamEvent[] {
  const incomplete = (reason: string) =>
    event("response.incomplete", { response: { ...response, incomplete_details: { reason } } });
  switch (end) {
    case "stop":
      return [event("response.completed", { response })];
    case "length":
      return [incomplete("max_output_tokens")];
    case "filter":
      return [incomplete("content_filter")];
    case "error":
      return [event("response.failed", { response: { ...response, error: { code: "server_error", message: "Oh" } } })];
    case "none":
      return [];
    default:
      return end satisfies never;
  }
}

function anthropicEvents(reply: Reply): readonly StreamEvent[] {
  const { thought, text = [], refusal = [], calls = [], end = "stop", peculiar } = reply;
  const event = (type: string, data: object): StreamEvent => ({ name: type, data: JSON.stringify({ type, ...data }) });
  const start = (index: number, content_block: object) => event("content_block_start", { index, content_block });
  const delta = (index: number, piece: object) => event("content_block_delta", { index, delta: piece });
  const stop = (index: number) => event("content_block_stop", { index });
  const usage = { input_tokens: 8, cache_read_input_tokens: 4, output_tokens: 1 };
  const events = [event("message_start", { message: { id: "msg_1", role: "assistant", usage } }), event("ping", {})];
  let at = 0;
  if (thought !== undefined) {
    events.push(start(at, { type: "thinking", thinking: "", signature: "" }));
    events.push(delta(at, { type: "thinking_delta", thinking: thought }));
    events.push(delta(at, { type: "signature_delta", signature: "c2lnbmVk" }), stop(at++));
    events.push(start(at, { type: "redacted_thinking", data: "c2VhbGVk" }), stop(at++));
  }
  const said = [...text, ...refusal];
  if (said.length > 0) {
    events.push(start(at, { type: "text", text: "" }));
    events.push(...said.map((each) => delta(at, { type: "text_delta", text: each })), stop(at++));
  }
  events.push(
    ...inOrder(reply, ({ id, tool, pieces }, n) => {
      const begun = { type: "tool_use", id, name: tool, input: peculiar ? JSON.parse(pieces.join("")) : {} };
      const given = peculiar || tool === "list" ? [] : pieces;
      return [
        start(at + n, begun),
        ...given.map((partial_json) => delta(at + n, { type: "input_json_delta", partial_json })),
        stop(at + n),
      ];
    }),
  );
  const reason = refusal.length > 0 ? "refusal" : calls.length > 0 ? "tool_use" : "end_turn";
  const stop_reason = { stop: reason, length: "max_tokens", filter: "refusal", error: "", none: "" }[end];
  if (end === "error")
    return [...events, event("error", { error: { type: "overloaded_error", message: "Overloaded" } })];
  if (end === "none") return events;
  return [
    ...events,
    event("message_delta", { delta: { stop_reason }, usage: { output_tokens: 7 } }),
    event("message_stop", {}),
  ];
}
