import { expect, test } from "vitest";
import type { Reading } from "../../src/providers/format.ts";
import { openaiResponses } from "../../src/providers/openai-responses.ts";
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

const created = { type: "response.created", response: { id: "resp_1", status: "in_progress" } };
const usage = { input_tokens: 90, output_tokens: 7, input_tokens_details: { cached_tokens: 64 } };
const completed = { type: "response.completed", response: { status: "completed", usage } };
const done = { ...nothing, whole: true, usage: { input: 90, output: 7, cached: 64 } };
const read = { id: "c1", tool: "read", arguments: `{"path":"a"}` };

function text(index: number, delta: string): object {
  return { type: "response.output_text.delta", item_id: `msg_${index}`, output_index: index, content_index: 0, delta };
}

function item(index: number, call: object = {}): object {
  return { type: "function_call", id: `fc_${index}`, call_id: "c1", name: "read", arguments: `{"path":"a"}`, ...call };
}

function added(index: number, call: object = {}): object {
  return { type: "response.output_item.added", output_index: index, item: item(index, { arguments: "", ...call }) };
}

function piece(index: number, delta: unknown): object {
  return { type: "response.function_call_arguments.delta", item_id: `fc_${index}`, output_index: index, delta };
}

function pieces(index: number, given: string): object {
  return {
    type: "response.function_call_arguments.done",
    item_id: `fc_${index}`,
    output_index: index,
    arguments: given,
  };
}

function finished(index: number, call: object = {}): object {
  return {
    type: "response.output_item.done",
    output_index: index,
    item: item(index, { status: "completed", ...call }),
  };
}

function thought(n: number): { readonly [name: string]: string | readonly string[] } {
  return { type: "reasoning", id: `rs_${n}`, summary: [], encrypted_content: `sealed ${n}` };
}

function thinking(index: number, n: number): readonly object[] {
  const begun = { type: "reasoning", id: `rs_${n}`, summary: [] };
  return [
    { type: "response.output_item.added", output_index: index, item: begun },
    { type: "response.reasoning_summary_text.delta", output_index: index, delta: "hm" },
    { type: "response.output_item.done", output_index: index, item: thought(n) },
  ];
}

const differs = "the pieces of the call differ from its finished form";

const golden: readonly [title: string, events: readonly Given[], reading: Reading][] = [
  [
    "a text in pieces, with the usage at its end",
    [
      created,
      { type: "response.in_progress" },
      { type: "response.output_item.added", output_index: 0, item: { type: "message", id: "msg_0", content: [] } },
      text(0, "Hel"),
      text(0, "lo"),
      { type: "response.output_text.done", item_id: "msg_0", output_index: 0, content_index: 0, text: "Hello" },
      { type: "response.output_item.done", output_index: 0, item: { type: "message", id: "msg_0" } },
      completed,
    ],
    { ...done, text: "Hello" },
  ],
  [
    "a text of which only the whole comes",
    [{ type: "response.output_text.done", output_index: 0, content_index: 0, text: "Hello" }, completed],
    { ...done, text: "Hello" },
  ],
  [
    "a call in pieces",
    [created, added(0), piece(0, `{"path":`), piece(0, `"a"}`), pieces(0, `{"path":"a"}`), finished(0), completed],
    { ...done, calls: [read] },
  ],
  ["a call that comes at once", [finished(0), completed], { ...done, calls: [read] }],
  [
    "calls by turns, with ids of items that change from event to event",
    [
      added(0, { id: "x1" }),
      added(1, { id: "x2", call_id: "c2" }),
      { ...piece(1, "{}"), item_id: "x3" },
      { ...piece(0, `{"path":"a"}`), item_id: "x4" },
      finished(1, { id: "x5", call_id: "c2", arguments: "{}" }),
      finished(0, { id: "x6" }),
      completed,
    ],
    { ...done, calls: [read, { id: "c2", tool: "read", arguments: "{}" }] },
  ],
  [
    "a call whose place is not told, by the id of its item",
    [
      { type: "response.output_item.added", item: item(0, { arguments: "" }) },
      { type: "response.function_call_arguments.delta", item_id: "fc_0", delta: `{"path":"a"}` },
      { type: "response.output_item.done", item: item(0) },
      completed,
    ],
    { ...done, calls: [read] },
  ],
  [
    "pieces that differ from what is finished",
    [added(0), piece(0, `{"path":"b"}`), finished(0), added(1, { name: "list" }), finished(1), completed],
    {
      ...done,
      calls: [
        { ...read, flaw: differs },
        { ...read, flaw: differs },
      ],
    },
  ],
  [
    "calls that were never finished",
    [added(0), piece(0, `{"path":"a"}`), completed],
    { ...done, calls: [{ ...read, flaw: "the call was never finished" }] },
  ],
  [
    "a call that is finished by its arguments alone",
    [added(0), piece(0, `{"path":"a"}`), pieces(0, `{"path":"a"}`), completed],
    { ...done, calls: [read] },
  ],
  [
    "pieces of a call that never began",
    [piece(0, "{}"), pieces(0, "{}"), completed],
    {
      ...done,
      calls: [{ id: "", tool: "", arguments: "{}", flaw: "the arguments of the call came without its beginning" }],
    },
  ],
  [
    "arguments that are no text, a call that goes on, one that is incomplete and one that begins twice",
    [
      added(0),
      piece(0, [1]),
      finished(0),
      finished(1),
      piece(1, "x"),
      finished(2, { status: "incomplete" }),
      added(3),
      added(3),
      finished(3),
      completed,
    ],
    {
      ...done,
      calls: [
        { ...read, flaw: "the arguments came as a list, not as text" },
        { ...read, arguments: `{"path":"a"}x`, flaw: "the call went on after its end" },
        { ...read, flaw: "the call was cut off" },
        { ...read, flaw: "the call began twice" },
      ],
    },
  ],
  [
    "a call and a text after the end",
    [completed, text(0, "late"), finished(1), added(2), piece(2, "{}")],
    {
      ...done,
      calls: [
        { ...read, flaw: "the call came after the end of the reply" },
        { ...read, arguments: "{}", flaw: "the call came after the end of the reply" },
      ],
    },
  ],
  [
    "a call that is finished after the end",
    [added(0), completed, finished(0)],
    { ...done, calls: [{ ...read, flaw: "the call came after the end of the reply" }] },
  ],
  [
    "a refusal",
    [
      { type: "response.refusal.delta", output_index: 0, content_index: 0, delta: "I won't." },
      { type: "response.refusal.done", output_index: 0, content_index: 0, refusal: "I won't." },
      completed,
    ],
    { ...done, text: "I won't.", refusal: true },
  ],
  [
    "a reply at its limit",
    [
      text(0, "Hel"),
      { type: "response.incomplete", response: { usage, incomplete_details: { reason: "max_output_tokens" } } },
    ],
    { ...done, text: "Hel", cut: true },
  ],
  [
    "a reply that a filter ended",
    [{ type: "response.incomplete", response: { usage, incomplete_details: { reason: "content_filter" } } }],
    { ...done, filtered: true },
  ],
  [
    "thoughts between texts and calls, in their order",
    [
      ...thinking(0, 1),
      text(1, "Looking."),
      ...thinking(2, 2),
      added(3),
      ...thinking(4, 3),
      finished(3),
      finished(5, { call_id: "c2" }),
      { type: "response.output_item.done", output_index: 6, item: { type: "reasoning", id: "rs_9", summary: [] } },
      completed,
    ],
    {
      ...done,
      text: "Looking.",
      calls: [read, { ...read, id: "c2" }],
      reasoning: [thought(1), 8, thought(2), "call", thought(3), "call"],
    },
  ],
];

test.each(golden)("reads %s", (_title, events, reading) => {
  expect(play(openaiResponses, events).reading).toEqual(reading);
});

test.each<[string, Given, object]>([
  ["the beginning", created, { type: "progress", text: "" }],
  ["a place in a queue", { type: "response.queued" }, { type: "idle" }],
  ["that it goes on", { type: "response.in_progress" }, { type: "idle" }],
  ["a sign of life", { type: "keepalive" }, { type: "idle" }],
  ["a piece of text", text(0, "Hi"), { type: "progress", text: "Hi" }],
  ["a piece of a thought", { type: "response.reasoning_text.delta", delta: "hm" }, { type: "progress", text: "" }],
  ["the end", completed, { type: "end" }],
  ["a mark of the end that is not this format's", "[DONE]", { type: "idle" }],
  ["no object", "null", { type: "malformed", detail: "expected a JSON object in the stream, came null" }],
  [
    "a reply that failed",
    { type: "response.failed", response: { status: "failed", error: { code: "server_error", message: "sorry" } } },
    { type: "error", error: { status: null, code: "server_error", message: "sorry" } },
  ],
  [
    "a reply that failed without a word",
    { type: "response.failed", response: { status: "failed", error: null } },
    { type: "error", error: { status: null, code: "failed", message: "" } },
  ],
  [
    "a flat error",
    { type: "error", code: "rate_limit_exceeded", message: "slow down", param: null },
    { type: "error", error: { status: null, code: "rate_limit_exceeded", message: "slow down" } },
  ],
  [
    "an error inside",
    { type: "error", error: { type: "invalid_request_error", code: null, message: "no" }, status: 400 },
    { type: "error", error: { status: 400, code: "invalid_request_error", message: "no" } },
  ],
  [
    "an error without a type",
    { error: { code: 503, message: "busy" } },
    { type: "error", error: { status: 503, code: "", message: "busy" } },
  ],
])("tells of %s what it is", (_title, event, sign) => {
  expect(play(openaiResponses, [event]).signs).toEqual([sign]);
});

test("of a text that comes whole, what was not streamed is told", () => {
  const whole = { type: "response.output_text.done", output_index: 0, content_index: 0, text: "Hello" };
  expect(play(openaiResponses, [text(0, "Hel"), whole, whole]).signs).toEqual([
    { type: "progress", text: "Hel" },
    { type: "progress", text: "lo" },
    { type: "progress", text: "" },
  ]);
});

test("what kind an event is may be told by its name alone", () => {
  const reader = openaiResponses.open();
  const data = `{"output_index":0,"content_index":0,"delta":"Hi"}`;
  expect(reader.read({ name: "response.output_text.delta", data })).toEqual({ type: "progress", text: "Hi" });
});

test("what is said twice, in pieces and whole, counts once against the bound of a reply", () => {
  const given = "x".repeat(10 * 1_048_576);
  const { signs } = play(openaiResponses, [
    added(0),
    piece(0, given),
    pieces(0, given),
    finished(0, { arguments: given }),
  ]);
  expect(signs.every(({ type }) => type === "progress")).toBe(true);
});

test("a damaged stream is never an exception", () => {
  expectSturdy(
    openaiResponses,
    golden.map(([, events]) => events),
    700,
  );
});

// ── Requests ───────────────────────────────────────────────────────────────────────────────────────────────────────

function encoded(asked: Parameters<typeof question>[0], other: Partial<typeof target> = {}) {
  return JSON.parse(openaiResponses.encode(question(asked), { ...target, ...other }));
}

const head = {
  prompt_cache_key: "s1",
  model: "model-1",
  stream: true,
  store: false,
  include: ["reasoning.encrypted_content"],
  tools: [{ type: "function", ...readTool, strict: false }],
  instructions: "Be brief.",
};

function said(content: string): object {
  return { type: "message", role: "user", content: [{ type: "input_text", text: content }] };
}

function replied(content: string): object {
  return { type: "message", role: "assistant", content: [{ type: "output_text", text: content }] };
}

function called(id: string, given = `{"path":"a"}`, name = "read"): object {
  return { type: "function_call", call_id: id, name, arguments: given };
}

function output(id: string, content: string): object {
  return { type: "function_call_output", call_id: id, output: content };
}

test("a request has the history as items, and the closing part last", () => {
  const messages = [
    user("go"),
    assistant(1, "Looking.", {}, { arguments: "{broken", tool: "no tool" }),
    user("[assent: between]"),
    result("t1c1", "A"),
    result("t1c2", "B", true),
  ];
  expect(encoded({ messages }, { mostOutput: 100 })).toEqual({
    ...head,
    max_output_tokens: 100,
    input: [
      said("go"),
      replied("Looking."),
      called("call_1_1"),
      called("call_1_2", `{"unparsed_arguments":"{broken"}`, "invalid_name"),
      output("call_1_1", "A"),
      output("call_1_2", "B"),
      said("[assent: between]"),
      said("Now."),
    ],
  });
});

test("models that do not think are not asked for thoughts: the API would refuse", () => {
  const { include: _include, ...rest } = head;
  const model = "gpt-4o-mini";
  expect(encoded({}, { model })).toEqual({ ...rest, model, input: [said("Now.")] });
});

test("a request that lets no tool be called keeps the tools behind messages, and else has none", () => {
  const input = [said("go"), said("Now.")];
  expect(encoded({ tools: "none", messages: [user("go")] })).toEqual({ ...head, input, tool_choice: "none" });
  const { tools: _tools, ...rest } = head;
  expect(encoded({ tools: "none" })).toEqual({ ...rest, input: [said("Now.")] });
});

test("the key goes into a header", () => {
  expect(openaiResponses.headers(target)).toEqual({ authorization: "Bearer key-1" });
  expect(openaiResponses.headers({ ...target, key: null })).toEqual({});
});

test("earlier bytes never change", () => {
  const bodies = growingHistory([thought(1), 1, thought(2), "call"]).map((messages, index) => {
    const tools = index % 5 === 4 ? "none" : "offered";
    return openaiResponses.encode(question({ messages, tools, closing: `closing ${index}` }), target);
  });
  expectPrefixes(bodies, `{"type":"message","role":"user","content":[{"type":"input_text","text":"closing `);
});

test("every call has one output, under an id that fits and is its own", () => {
  const { input } = encoded({ messages: growingHistory(null).at(-1) ?? [] });
  const idsOf = (type: string) =>
    input.flatMap((each: { type: string; call_id: string }) => (each.type === type ? [each.call_id] : []));
  const sent = idsOf("function_call");
  expect(new Set(sent).size).toBe(sent.length);
  expect(idsOf("function_call_output").toSorted()).toEqual(sent.toSorted());
  expect(sent.filter((id: string) => !/^[a-zA-Z0-9_-]{1,64}$/.test(id))).toEqual([]);
});

test("an id that the API refuses is replaced by ours", () => {
  const messages = [user("go"), assistant(1, "", { original: "a:b" }), result("t1c1", "A")];
  expect(values(encoded({ messages }), "call_id")).toEqual(["t1c1", "t1c1"]);
});

test("what was thought goes back as it came and where it was, to the same model only", () => {
  const stream = golden.find(([title]) => title.startsWith("thoughts between"))?.[1] ?? [];
  const reply = remembered(2, play(openaiResponses, stream).reading);
  const messages = [user("go"), reply, result("t2c1", "A"), result("t2c2", "B")];
  const after = [output("c1", "A"), output("c2", "B"), said("Now.")];
  expect(encoded({ messages }).input).toEqual([
    said("go"),
    thought(1),
    replied("Looking."),
    thought(2),
    called("c1"),
    thought(3),
    called("c2"),
    ...after,
  ]);
  expect(encoded({ messages }, { name: "other:model" }).input).toEqual([
    said("go"),
    replied("Looking."),
    called("c1"),
    called("c2"),
    ...after,
  ]);
});

test.each([
  ["no list", "x"],
  ["items that are not sealed", [{ type: "reasoning", id: "rs_1" }, { type: "message" }, null, true]],
  ["a thought with nothing behind it", [100, "call", thought(1)]],
  ["lengths that cannot be", [-5, 1e300, "call", "call", "call"]],
])("kept reasoning that is %s leaves text and calls as they are", (_title, content) => {
  const reply = { ...assistant(1, "Looking.", {}), reasoning: { model: target.name, content } };
  expect(encoded({ messages: [user("go"), reply] }).input.slice(1, 3)).toEqual([
    replied("Looking."),
    called("call_1_1"),
  ]);
});
