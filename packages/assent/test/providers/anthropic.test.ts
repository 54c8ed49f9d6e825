import { expect, test } from "vitest";
import { anthropic } from "../../src/providers/anthropic.ts";
import type { Reading } from "../../src/providers/format.ts";
import {
  assistant,
  expectPrefixes,
  expectSturdy,
  type Given,
  growingHistory,
  nothing,
  play,
  question,
  readTool,
  remembered,
  result,
  target,
  user,
  values,
} from "./format-fixture.ts";

// ── Replies ────────────────────────────────────────────────────────────────────────────────────────────────────────

const started = {
  type: "message_start",
  message: {
    role: "assistant",
    content: [],
    usage: { input_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 60, output_tokens: 1 },
  },
};

function begin(index: number, block: object): object {
  return { type: "content_block_start", index, content_block: block };
}

function delta(index: number, fields: object): object {
  return { type: "content_block_delta", index, delta: fields };
}

function stop(index: number): object {
  return { type: "content_block_stop", index };
}

function text(index: number, ...pieces: readonly string[]): readonly object[] {
  const deltas = pieces.map((piece) => delta(index, { type: "text_delta", text: piece }));
  return [begin(index, { type: "text", text: "" }), ...deltas, stop(index)];
}

function json(index: number, piece: unknown): object {
  return delta(index, { type: "input_json_delta", partial_json: piece });
}

function toolUse(id: string, more: object = {}): object {
  return { type: "tool_use", id, name: "read", input: {}, ...more };
}

function call(index: number, id: string, ...pieces: readonly string[]): readonly object[] {
  return [begin(index, toolUse(id)), ...["", ...pieces].map((piece) => json(index, piece)), stop(index)];
}

function thinking(index: number, n: number): readonly object[] {
  return [
    begin(index, { type: "thinking", thinking: "", signature: "" }),
    delta(index, { type: "thinking_delta", thinking: "h" }),
    delta(index, { type: "thinking_delta", thinking: "m" }),
    delta(index, { type: "signature_delta", signature: `sig ${n}` }),
    stop(index),
  ];
}

function thought(n: number): { readonly [name: string]: string } {
  return { type: "thinking", thinking: "hm", signature: `sig ${n}` };
}

function end(reason: string): readonly object[] {
  return [
    { type: "message_delta", delta: { stop_reason: reason, stop_sequence: null }, usage: { output_tokens: 7 } },
    { type: "message_stop" },
  ];
}

const done = { ...nothing, whole: true, usage: { input: 90, output: 7, cached: 60 } };
const read = { id: "c1", tool: "read", arguments: `{"path":"a"}` };
const pieces = [`{"path":`, `"a"}`];

const golden: readonly [title: string, events: readonly Given[], reading: Reading][] = [
  [
    "a text in pieces, with the usage in two parts",
    [started, ...text(0, "Hel", "lo"), { type: "ping" }, ...end("end_turn")],
    { ...done, text: "Hello" },
  ],
  [
    "a text that comes with its beginning, and counts that come once",
    [
      { type: "message_start", message: { usage: { input_tokens: 0, output_tokens: 0 } } },
      begin(0, { type: "text", text: "Hi" }),
      stop(0),
      { type: "message_delta", delta: { stop_reason: "end_turn" }, usage: { input_tokens: 5, output_tokens: 3 } },
      { type: "message_delta", delta: {}, usage: { input_tokens: 0, output_tokens: 0 } },
      { type: "message_stop" },
    ],
    { ...done, text: "Hi", usage: { input: 5, output: 3, cached: 0 } },
  ],
  [
    "a text and two calls",
    [started, ...text(0, "Looking."), ...call(1, "c1", ...pieces), ...call(2, "c2", "{}"), ...end("tool_use")],
    { ...done, text: "Looking.", calls: [read, { ...read, id: "c2", arguments: "{}" }] },
  ],
  [
    "a call without arguments, and one whose arguments come with its beginning",
    [
      started,
      begin(0, toolUse("c1")),
      stop(0),
      begin(1, toolUse("c2", { input: { path: "b" } })),
      stop(1),
      ...end("tool_use"),
    ],
    {
      ...done,
      calls: [
        { ...read, arguments: "{}" },
        { ...read, id: "c2", arguments: `{"path":"b"}` },
      ],
    },
  ],
  [
    "a call without id and name",
    [started, begin(0, { type: "tool_use" }), stop(0), ...end("tool_use")],
    { ...done, calls: [{ id: "", tool: "", arguments: "{}" }] },
  ],
  [
    "a call whose block was never closed",
    [started, ...call(0, "c1", ...pieces).slice(0, -1), ...end("tool_use")],
    { ...done, calls: [{ ...read, flaw: "the call was never finished" }] },
  ],
  [
    "calls that go on after their end, begin twice, or have something else in them",
    [
      started,
      ...call(0, "c1", ...pieces),
      json(0, "x"),
      begin(1, toolUse("c2")),
      ...call(1, "c3", "{}"),
      begin(2, toolUse("c4")),
      delta(2, { type: "text_delta", text: "hm" }),
      stop(2),
      begin(3, toolUse("c5")),
      json(3, {}),
      stop(3),
      ...end("tool_use"),
    ],
    {
      ...done,
      calls: [
        { ...read, arguments: `{"path":"a"}x`, flaw: "the call went on after its end" },
        { ...read, id: "c2", arguments: "", flaw: "the block of the call began twice" },
        { ...read, id: "c3", arguments: "{}", flaw: "the block of the call began twice" },
        { ...read, id: "c4", arguments: "{}", flaw: "something else than arguments came in the block of the call" },
        { ...read, id: "c5", arguments: "{}", flaw: "the arguments came as an object, not as text" },
      ],
    },
  ],
  [
    "a call and a text after the end",
    [
      started,
      ...end("end_turn"),
      begin(7, { type: "text", text: "late" }),
      ...text(0, "late"),
      ...call(1, "c1", ...pieces),
    ],
    { ...done, calls: [{ ...read, flaw: "the call came after the end of the reply" }] },
  ],
  ["a reply at its limit", [started, ...text(0, "Hel"), ...end("max_tokens")], { ...done, text: "Hel", cut: true }],
  [
    "a reply at the end of the window, in the middle of a call",
    [started, ...call(0, "c1"), ...end("model_context_window_exceeded")],
    { ...done, cut: true, calls: [{ ...read, arguments: "{}", flaw: "the call was cut off before its arguments" }] },
  ],
  [
    "a text that the filter ended",
    [started, ...text(0, "Well"), ...end("refusal")],
    { ...done, text: "Well", filtered: true },
  ],
  ["a word of the filter alone", [started, ...end("refusal")], { ...done, filtered: true }],
  [
    "a reply whose end is not said, but the reason for it",
    [started, ...text(0, "Hi"), ...end("pause_turn").slice(0, 1)],
    { ...done, text: "Hi" },
  ],
  [
    "a reply that breaks off",
    [started, ...text(0, "Hi")],
    { ...nothing, text: "Hi", usage: { input: 90, output: 1, cached: 60 } },
  ],
  [
    "blocks of a kind that is not known",
    [
      started,
      begin(0, { type: "server_tool_use", id: "s1" }),
      json(0, "{}"),
      stop(0),
      ...text(1, "Hi"),
      ...end("end_turn"),
    ],
    { ...done, text: "Hi" },
  ],
  [
    "thoughts between texts and calls, in their order",
    [
      started,
      ...thinking(0, 1),
      begin(1, { type: "redacted_thinking", data: "sealed" }),
      stop(1),
      ...text(2, "Looking."),
      ...call(3, "c1", ...pieces),
      ...thinking(4, 2),
      ...text(5, " More."),
      ...call(6, "c2", ...pieces),
      ...thinking(7, 3),
      ...end("tool_use"),
    ],
    {
      ...done,
      text: "Looking. More.",
      calls: [read, { ...read, id: "c2" }],
      reasoning: [
        thought(1),
        { type: "redacted_thinking", data: "sealed" },
        8,
        "call",
        thought(2),
        6,
        "call",
        thought(3),
      ],
    },
  ],
  [
    "a thought that was never signed",
    [started, begin(0, { type: "thinking", thinking: "hm" }), stop(0), ...text(1, "Hi"), ...end("end_turn")],
    { ...done, text: "Hi" },
  ],
];

test.each(golden)("reads %s", (_title, events, reading) => {
  expect(play(anthropic, events).reading).toEqual(reading);
});

test.each<[string, readonly Given[], object]>([
  ["the beginning", [started], { type: "progress", text: "" }],
  ["a ping", [{ type: "ping" }], { type: "idle" }],
  ["an event that is not known", [{ type: "news" }], { type: "idle" }],
  ["a piece of text", text(0, "Hi").slice(0, 2), { type: "progress", text: "Hi" }],
  ["a piece of a thought", thinking(0, 1).slice(0, 2), { type: "progress", text: "" }],
  ["the end", [{ type: "message_stop" }], { type: "end" }],
  ["half a line", [`{"type":`], { type: "malformed", detail: `expected a JSON object in the stream, came {"type":` }],
  [
    "a piece of a block that never began",
    [json(0, "{}")],
    { type: "malformed", detail: "expected the beginning of a block, came a piece of it" },
  ],
  [
    "the end of a block that never began",
    [stop(0)],
    { type: "malformed", detail: "expected the beginning of a block, came its end" },
  ],
  [
    "a piece of a text that was closed",
    [...text(0, "Hi"), delta(0, { type: "text_delta", text: "!" })],
    { type: "malformed", detail: "expected nothing more of a text that was closed, came a piece of it" },
  ],
  [
    "an error",
    [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }],
    { type: "error", error: { status: null, code: "overloaded_error", message: "Overloaded" } },
  ],
])("tells of %s what it is", (_title, events, sign) => {
  expect(play(anthropic, events).signs.at(-1)).toEqual(sign);
});

test("what kind an event is may be told by its name alone", () => {
  expect(anthropic.open().read({ name: "message_stop", data: "{}" })).toEqual({ type: "end" });
});

test("blocks without end are malformed, however empty they are", () => {
  const blocks = Array.from({ length: 16_500 }, (_, index) => begin(index, { type: "text", text: "" }));
  expect(play(anthropic, blocks).signs.at(-1)).toEqual({
    type: "malformed",
    detail: "expected at most 16777216 characters in a reply, came more",
  });
});

test("a damaged stream is never an exception", () => {
  expectSturdy(
    anthropic,
    golden.map(([, events]) => events),
    700,
  );
});

// ── Requests ───────────────────────────────────────────────────────────────────────────────────────────────────────

function encoded(asked: Parameters<typeof question>[0], other: Partial<typeof target> = {}) {
  return JSON.parse(anthropic.encode(question(asked), { ...target, ...other }));
}

const mark = { cache_control: { type: "ephemeral" } };
const head = {
  model: "model-1",
  max_tokens: 32_000,
  stream: true,
  tools: [{ name: "read", description: readTool.description, input_schema: readTool.parameters }],
  system: [{ type: "text", text: "Be brief.", ...mark }],
};

function said(content: string): object {
  return { type: "text", text: content };
}

function used(id: string, input: object = { path: "a" }, name = "read"): object {
  return { type: "tool_use", id, name, input };
}

function output(id: string, content: string): object {
  return { type: "tool_result", tool_use_id: id, content };
}

test("a request has one message a side between two replies: results first, the closing part last", () => {
  const messages = [
    user("go"),
    assistant(1, "Looking.", {}, { arguments: "{broken", tool: "no tool" }),
    user("[assent: between]"),
    result("t1c1", ""),
    result("t1c2", "B", true),
  ];
  expect(encoded({ messages })).toEqual({
    ...head,
    messages: [
      { role: "user", content: [{ ...said("go"), ...mark }] },
      {
        role: "assistant",
        content: [
          said("Looking."),
          used("call_1_1"),
          used("call_1_2", { unparsed_arguments: "{broken" }, "invalid_name"),
        ],
      },
      {
        role: "user",
        content: [
          output("call_1_1", "(no output)"),
          { ...output("call_1_2", "B"), is_error: true },
          { ...said("[assent: between]"), ...mark },
          said("Now."),
        ],
      },
    ],
  });
});

test("behind a reply without calls the closing part is a message of its own, and the reply is marked", () => {
  expect(encoded({ messages: [user("go"), assistant(1, "one"), assistant(2, "two")] }).messages).toEqual([
    { role: "user", content: [said("go")] },
    { role: "assistant", content: [said("one")] },
    { role: "user", content: [{ ...said("Continue."), ...mark }] },
    { role: "assistant", content: [{ ...said("two"), ...mark }] },
    { role: "user", content: [said("Now.")] },
  ]);
});

test("a request that lets no tool be called keeps the tools behind messages, and else has none", () => {
  expect(encoded({ tools: "none", messages: [user("go")] })).toEqual({
    ...head,
    messages: [{ role: "user", content: [{ ...said("go"), ...mark }, said("Now.")] }],
    tool_choice: { type: "none" },
  });
  const { tools: _tools, ...rest } = head;
  expect(encoded({ tools: "none" })).toEqual({ ...rest, messages: [{ role: "user", content: [said("Now.")] }] });
});

test.each([
  ["claude-3-haiku-20240307", null, 4_096],
  ["claude-3-opus-latest", null, 4_096],
  ["claude-3-5-sonnet-20241022", null, 8_192],
  ["claude-sonnet-4-5", null, 32_000],
  ["claude-3-opus-latest", 100, 100],
])("%s with %s as the most that is wanted is told %i", (model, mostOutput, expected) => {
  expect(encoded({}, { model, mostOutput }).max_tokens).toBe(expected);
});

test("the key and the version of the API go into headers", () => {
  const plain = { "anthropic-version": "2023-06-01" };
  expect(anthropic.headers(target)).toEqual({ ...plain, "x-api-key": "key-1" });
  expect(anthropic.headers({ ...target, key: null })).toEqual(plain);
});

test("earlier bytes never change but for the marks of the cache", () => {
  const bodies = growingHistory([thought(1), 1, thought(2), "call"]).map((messages, index) => {
    const tools = index % 5 === 4 ? "none" : "offered";
    return anthropic.encode(question({ messages, tools, closing: `closing ${index}` }), target);
  });
  const plain = bodies.map((body) => body.replaceAll(`,"cache_control":{"type":"ephemeral"}`, ""));
  expectPrefixes(plain, `{"type":"text","text":"closing `);
});

type Block = { readonly type: string; readonly text?: string; readonly id?: string; readonly tool_use_id?: string };
type Turn = { readonly role: string; readonly content: readonly Block[] };

test("at every length of a history the roles alternate, no text is blank, results follow their calls, marks are few", () => {
  for (const messages of growingHistory([thought(1)])) {
    const body = encoded({ messages });
    const turns: readonly Turn[] = body.messages;
    expect(turns.map(({ role }) => role)).toEqual(turns.map((_, index) => (index % 2 === 0 ? "user" : "assistant")));
    turns.forEach(({ role, content }, index) => {
      expect(content.filter((block) => block.type === "text" && block.text?.trim() === "")).toEqual([]);
      if (role === "user") return;
      const calls = content.flatMap(({ id }) => id ?? []);
      const after = turns[index + 1]?.content.slice(0, calls.length) ?? [];
      expect(after.map((block) => block.tool_use_id).toSorted()).toEqual(calls.toSorted());
    });
    expect(values(body, "cache_control").length).toBeLessThanOrEqual(3);
  }
});

test("no call has the id of another, and every id fits", () => {
  const body = encoded({ messages: growingHistory(null).at(-1) ?? [] });
  const sent = values(body.messages, "id").map(String);
  expect(new Set(sent).size).toBe(sent.length);
  expect(sent.filter((id) => !/^[a-zA-Z0-9_-]{1,64}$/.test(id))).toEqual([]);
});

test("arguments go back to the last digit", () => {
  const given = `{"n": 12345678901234567890, "half": "\\ud83d"}`;
  const messages = [user("go"), assistant(1, "", { arguments: given })];
  const sent = `"input":{"n": 12345678901234567890, "half": "\ufffd"}}`;
  expect(anthropic.encode(question({ messages }), target)).toContain(sent);
});

test("what was thought goes back as it came and where it was, to the same model only", () => {
  const stream = golden.find(([title]) => title.startsWith("thoughts between"))?.[1] ?? [];
  const reply = remembered(2, play(anthropic, stream).reading);
  const messages = [user("go"), reply, result("t2c1", "A"), result("t2c2", "B")];
  expect(encoded({ messages }).messages[1].content).toEqual([
    thought(1),
    { type: "redacted_thinking", data: "sealed" },
    said("Looking."),
    used("c1"),
    thought(2),
    said(" More."),
    used("c2"),
  ]);
  expect(encoded({ messages }, { name: "other:model" }).messages[1].content).toEqual([
    said("Looking. More."),
    used("c1"),
    used("c2"),
  ]);
});

test.each([
  ["no list", { thinking: "hm" }],
  [
    "blocks that are not signed",
    [{ type: "thinking", thinking: "hm" }, { type: "redacted_thinking" }, { type: "text" }],
  ],
  ["a thought with nothing behind it", [8, "call", thought(1)]],
])("kept reasoning that is %s leaves text and calls as they are", (_title, content) => {
  const reply = { ...assistant(1, "Looking.", {}), reasoning: { model: target.name, content } };
  expect(encoded({ messages: [user("go"), reply] }).messages[1].content).toEqual([said("Looking."), used("call_1_1")]);
});
