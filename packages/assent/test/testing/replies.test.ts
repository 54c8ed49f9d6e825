import { expect, test } from "vitest";
import type { ScriptEntry } from "../../src/testing/index.ts";
import { ask, eventsIn, formats, json, least, open, post } from "./client.ts";

/** All that a reply can have; two calls at once. */
const full: ScriptEntry = {
  reasoning: "hmm",
  text: "Grüße!",
  calls: [
    { tool: "read", arguments: { path: "a" } },
    { tool: "list", arguments: "{}", id: "mine" },
  ],
  usage: { input: 100, output: 20, cached: 60 },
};

test("Chat Completions stream the reasoning, the text, two calls at once, the usage and the end", async () => {
  const server = await open([full]);
  const response = await ask(server, "openai-chat", { stream_options: { include_usage: true } });
  expect(response.headers.get("content-type")).toBe("text/event-stream; charset=utf-8");
  const events = eventsIn(await response.text());
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1_700_000_000, model: "m" };
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    ...head,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    usage: null,
  });
  const begin = (index: number, id: string, name: string) =>
    chunk({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] });
  const more = (index: number, piece: string) => chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
  expect(events.map(({ name }) => name).filter((name) => name !== "")).toEqual([]);
  expect(events.at(-1)?.data).toBe("[DONE]");
  expect(events.slice(0, -1).map(({ data }) => json(data))).toEqual([
    chunk({ role: "assistant", content: "", refusal: null }),
    ...["h", "m", "m"].map((piece) => chunk({ reasoning_content: piece })),
    ...["Gr", "üß", "e!"].map((piece) => chunk({ content: piece })),
    begin(0, "call_1_1", "read"),
    ...['{"pa', 'th":', '"a"}'].map((piece) => more(0, piece)),
    begin(1, "mine", "list"),
    ...["{", "}"].map((piece) => more(1, piece)),
    chunk({}, "tool_calls"),
    {
      ...head,
      choices: [],
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 60 },
      },
    },
  ]);
});

test("Chat Completions tell no usage to a request that does not ask for it", async () => {
  const server = await open([{ text: "hi" }]);
  expect(await (await ask(server, "openai-chat")).text()).not.toContain("usage");
});

test("Chat Completions in one piece", async () => {
  const server = await open([full]);
  const made = (id: string, name: string, args: string) => ({
    id,
    type: "function",
    function: { name, arguments: args },
  });
  expect(await (await post(server, "openai-chat", least["openai-chat"])).json()).toEqual({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1_700_000_000,
    model: "m",
    choices: [
      {
        index: 0,
        message: {
          role: "assistant",
          content: "Grüße!",
          refusal: null,
          reasoning_content: "hmm",
          tool_calls: [made("call_1_1", "read", '{"path":"a"}'), made("mine", "list", "{}")],
        },
        logprobs: null,
        finish_reason: "tool_calls",
      },
    ],
    usage: {
      prompt_tokens: 100,
      completion_tokens: 20,
      total_tokens: 120,
      prompt_tokens_details: { cached_tokens: 60 },
    },
  });
});

const output = [
  { id: "rs_1", type: "reasoning", summary: [{ type: "summary_text", text: "hmm" }], encrypted_content: "sealed_1" },
  {
    id: "msg_1",
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", annotations: [], logprobs: [], text: "Grüße!" }],
  },
  {
    id: "fc_1_1",
    type: "function_call",
    call_id: "call_1_1",
    name: "read",
    status: "completed",
    arguments: '{"path":"a"}',
  },
  { id: "fc_1_2", type: "function_call", call_id: "mine", name: "list", status: "completed", arguments: "{}" },
];

const response = {
  id: "resp_1",
  object: "response",
  created_at: 1_700_000_000,
  model: "m",
  error: null,
  incomplete_details: null,
  status: "completed",
  output,
  usage: {
    input_tokens: 100,
    input_tokens_details: { cached_tokens: 60 },
    output_tokens: 20,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: 120,
  },
};

const sealed = { include: ["reasoning.encrypted_content"] };

test("Responses stream their items one after the other, and all of them at the end", async () => {
  const server = await open([full]);
  const events = eventsIn(await (await ask(server, "openai-responses", sealed)).text());
  const data = events.map((event) => json(event.data));
  expect(data.map(({ type }) => type)).toEqual(events.map(({ name }) => name));
  expect(data.map(({ sequence_number }) => sequence_number)).toEqual(data.map((_, index) => index));
  expect(data.map(({ type, output_index, delta }) => [type.slice("response.".length), output_index, delta])).toEqual([
    ["created", undefined, undefined],
    ["in_progress", undefined, undefined],
    ["output_item.added", 0, undefined],
    ["reasoning_summary_part.added", 0, undefined],
    ...["h", "m", "m"].map((piece) => ["reasoning_summary_text.delta", 0, piece]),
    ["reasoning_summary_text.done", 0, undefined],
    ["reasoning_summary_part.done", 0, undefined],
    ["output_item.done", 0, undefined],
    ["output_item.added", 1, undefined],
    ["content_part.added", 1, undefined],
    ...["Gr", "üß", "e!"].map((piece) => ["output_text.delta", 1, piece]),
    ["output_text.done", 1, undefined],
    ["content_part.done", 1, undefined],
    ["output_item.done", 1, undefined],
    ["output_item.added", 2, undefined],
    ...['{"pa', 'th":', '"a"}'].map((piece) => ["function_call_arguments.delta", 2, piece]),
    ["function_call_arguments.done", 2, undefined],
    ["output_item.done", 2, undefined],
    ["output_item.added", 3, undefined],
    ...["{", "}"].map((piece) => ["function_call_arguments.delta", 3, piece]),
    ["function_call_arguments.done", 3, undefined],
    ["output_item.done", 3, undefined],
    ["completed", undefined, undefined],
  ]);
  expect(data.filter(({ type }) => type.endsWith("item.done")).map(({ item }) => item)).toEqual(output);
  expect(data.at(-1).response).toEqual(response);
});

test("Responses in one piece", async () => {
  const server = await open([full]);
  const answer = await post(server, "openai-responses", { ...least["openai-responses"], ...sealed });
  expect(await answer.json()).toEqual(response);
});

test("Messages stream blocks one after the other, with the usage at both ends", async () => {
  const server = await open([full]);
  const events = eventsIn(await (await ask(server, "anthropic")).text());
  const data = events.map((event) => json(event.data));
  expect(data.map(({ type }) => type)).toEqual(events.map(({ name }) => name));
  const delta = (index: number) => (one: object) => ({ type: "content_block_delta", index, delta: one });
  const start = (index: number, content_block: object) => ({ type: "content_block_start", index, content_block });
  const stop = (index: number) => ({ type: "content_block_stop", index });
  const inputs = (index: number, pieces: readonly string[]) =>
    pieces.map((partial_json) => delta(index)({ type: "input_json_delta", partial_json }));
  const usage = {
    input_tokens: 40,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 60,
    output_tokens: 20,
  };
  const shell = { id: "msg_1", type: "message", role: "assistant", model: "m", stop_sequence: null, usage };
  expect(data).toEqual([
    { type: "message_start", message: { ...shell, content: [], stop_reason: null } },
    start(0, { type: "thinking", thinking: "", signature: "" }),
    { type: "ping" },
    ...["h", "m", "m"].map((thinking) => ({ type: "thinking_delta", thinking })).map(delta(0)),
    delta(0)({ type: "signature_delta", signature: "signature_1" }),
    stop(0),
    start(1, { type: "text", text: "" }),
    ...["Gr", "üß", "e!"].map((text) => ({ type: "text_delta", text })).map(delta(1)),
    stop(1),
    start(2, { type: "tool_use", id: "toolu_1_1", name: "read", input: {} }),
    ...inputs(2, ["", '{"pa', 'th":', '"a"}']),
    stop(2),
    start(3, { type: "tool_use", id: "mine", name: "list", input: {} }),
    ...inputs(3, ["", "{", "}"]),
    stop(3),
    { type: "message_delta", delta: { stop_reason: "tool_use", stop_sequence: null }, usage: { output_tokens: 20 } },
    { type: "message_stop" },
  ]);
  const again = await open([full]);
  expect(await (await post(again, "anthropic", least.anthropic)).json()).toEqual({
    ...shell,
    content: [
      { type: "thinking", thinking: "hmm", signature: "signature_1" },
      { type: "text", text: "Grüße!" },
      { type: "tool_use", id: "toolu_1_1", name: "read", input: { path: "a" } },
      { type: "tool_use", id: "mine", name: "list", input: {} },
    ],
    stop_reason: "tool_use",
  });
});

test.each([
  ["openai-chat", "stop", '"finish_reason":"stop"'],
  ["openai-chat", "length", '"finish_reason":"length"'],
  ["openai-chat", "filter", '"finish_reason":"content_filter"'],
  ["openai-chat", "eos", '"finish_reason":"eos"'],
  ["openai-responses", "stop", "event: response.completed"],
  ["openai-responses", "length", '"incomplete_details":{"reason":"max_output_tokens"}'],
  ["openai-responses", "filter", '"incomplete_details":{"reason":"content_filter"}'],
  ["anthropic", "stop", '"stop_reason":"end_turn"'],
  ["anthropic", "length", '"stop_reason":"max_tokens"'],
  ["anthropic", "filter", '"stop_reason":"refusal"'],
  ["anthropic", "pause_turn", '"stop_reason":"pause_turn"'],
] as const)("%s says in its own word that a reply ends by %s", async (format, finish, said) => {
  const server = await open([{ text: "hi", finish }]);
  expect(await (await ask(server, format)).text()).toContain(said);
});

test.each([
  ["openai-chat", '"delta":{"refusal":"No"}', '"finish_reason":"stop"'],
  ["openai-responses", '"type":"response.refusal.delta"', '{"type":"refusal","refusal":"No"}'],
  ["anthropic", '"delta":{"type":"text_delta","text":"N"}', '"stop_reason":"refusal"'],
] as const)("%s says a refusal in its own way", async (format, piece, end) => {
  const server = await open([{ refusal: format === "openai-chat" ? "NoNoNo" : "No" }]);
  const text = await (await ask(server, format)).text();
  expect(text).toContain(piece);
  expect(text).toContain(end);
});

test.each(formats)("%s: no usage where the script says that there is none", async (format) => {
  const server = await open([{ text: "hi", usage: null }]);
  const text = await (await ask(server, format)).text();
  expect(text).not.toMatch(/"usage":\{/);
});

test.each(formats)("%s: raw arguments, the same id twice and no id go as the script has them", async (format) => {
  const calls = [
    { tool: "no such tool", arguments: "{oops", id: "same" },
    { tool: "b", arguments: "[]", id: "same" },
    { tool: "c", arguments: "", id: null },
  ];
  const server = await open([{ calls }]);
  const data = eventsIn(await (await ask(server, format)).text()).map((event) => json(event.data));
  const begun = {
    "openai-chat": () =>
      data
        .flatMap((chunk) => chunk.choices?.[0].delta.tool_calls ?? [])
        .filter((call) => call.type === "function")
        .map((call) => [call.function.name, call.id]),
    "openai-responses": () => data.at(-1).response.output.map((item: Fields) => [item["name"], item["call_id"]]),
    anthropic: () =>
      data
        .filter(({ type }) => type === "content_block_start")
        .map(({ content_block: block }) => [block.name, block.id]),
  }[format]();
  expect(begun).toEqual([
    ["no such tool", "same"],
    ["b", "same"],
    ["c", undefined],
  ]);
  expect(JSON.stringify(data)).toContain("oo");
});

type Fields = Readonly<Record<string, unknown>>;
