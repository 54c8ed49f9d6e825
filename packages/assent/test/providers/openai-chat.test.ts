import { expect, test } from "vitest";
import type { Reading } from "../../src/providers/format.ts";
import { openaiChat } from "../../src/providers/openai-chat.ts";
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

function delta(fields: object, more: object = {}): object {
  return { object: "chat.completion.chunk", choices: [{ index: 0, delta: fields, finish_reason: null, ...more }] };
}

function finish(reason: string): object {
  return delta({}, { finish_reason: reason });
}

function call(fields: object, made: object): object {
  return delta({ tool_calls: [{ ...fields, function: made }] });
}

const usage = {
  choices: [],
  usage: { prompt_tokens: 90, completion_tokens: 7, prompt_tokens_details: { cached_tokens: 64 } },
};
const counted = { input: 90, output: 7, cached: 64 };
const done = { ...nothing, whole: true };
const read = { id: "c1", tool: "read", arguments: `{"path":"a"}` };

const golden: readonly [title: string, events: readonly Given[], reading: Reading][] = [
  [
    "a text in pieces, with the usage behind it",
    [
      delta({ role: "assistant", content: "" }),
      delta({ content: "Hel" }),
      delta({ content: "lo" }),
      finish("stop"),
      usage,
      "[DONE]",
    ],
    { ...done, text: "Hello", usage: counted },
  ],
  [
    "the usage of DeepSeek",
    [finish("stop"), { choices: [], usage: { prompt_tokens: 9, completion_tokens: 1, prompt_cache_hit_tokens: 8 } }],
    { ...done, usage: { input: 9, output: 1, cached: 8 } },
  ],
  [
    "two calls whose arguments come in pieces and by turns",
    [
      call({ index: 0, id: "c1", type: "function" }, { name: "read", arguments: "" }),
      call({ index: 1, id: "c2", type: "function" }, { name: "list", arguments: "{" }),
      call({ index: 0 }, { arguments: `{"path":` }),
      call({ index: 1 }, { arguments: "}" }),
      call({ index: 0 }, { arguments: `"a"}` }),
      finish("tool_calls"),
      "[DONE]",
    ],
    { ...done, calls: [read, { id: "c2", tool: "list", arguments: "{}" }] },
  ],
  [
    "calls that are not counted: an id begins one, a piece without goes on",
    [
      call({ id: "c1" }, { name: "read", arguments: `{"path":` }),
      call({}, { arguments: `"a"}` }),
      call({ id: "c2" }, { name: "list", arguments: "{}" }),
      finish("tool_calls"),
    ],
    { ...done, calls: [read, { id: "c2", tool: "list", arguments: "{}" }] },
  ],
  [
    "calls that are not counted, with an id that is said again with each piece",
    [
      call({ id: "c1" }, { name: "read", arguments: `{"path":` }),
      call({ id: "c1" }, { arguments: `"a"}` }),
      finish("tool_calls"),
    ],
    { ...done, calls: [read] },
  ],
  [
    "calls that are all counted as the first, as Gemini does",
    [
      call({ index: 0, id: "c1" }, { name: "read", arguments: `{"path":"a"}` }),
      call({ index: 0, id: "c2" }, { name: "read", arguments: `{"path":"b"}` }),
      finish("stop"),
      "[DONE]",
    ],
    { ...done, calls: [read, { id: "c2", tool: "read", arguments: `{"path":"b"}` }] },
  ],
  [
    "an id and a name that are said again with each piece",
    [
      call({ index: 0, id: "c1" }, { name: "read", arguments: `{"path":` }),
      call({ index: 0, id: "c1" }, { name: "read", arguments: `"a"}` }),
      finish("tool_calls"),
    ],
    { ...done, calls: [read] },
  ],
  [
    "a call without id and name",
    [call({ index: 0 }, { arguments: "{}" }), finish("tool_calls")],
    { ...done, calls: [{ id: "", tool: "", arguments: "{}" }] },
  ],
  [
    "arguments that are no text",
    [call({ index: 0, id: "c1" }, { name: "read", arguments: { path: "a" } }), finish("tool_calls")],
    { ...done, calls: [{ ...read, arguments: "", flaw: "the arguments came as an object, not as text" }] },
  ],
  [
    "an id or a name that changes",
    [
      call({ index: 0, id: "c1" }, { name: "read", arguments: `{"path":"a"}` }),
      call({ index: 0 }, { name: "list" }),
      call({ index: 1, id: "c2" }, { name: "list", arguments: "{}" }),
      call({ index: 1, id: "c3" }, {}),
      finish("tool_calls"),
    ],
    {
      ...done,
      calls: [
        { ...read, flaw: "the name of the call changed while it came" },
        { id: "c2", tool: "list", arguments: "{}", flaw: "the id of the call changed while it came" },
      ],
    },
  ],
  [
    "another choice: its text is not shown, its calls are told to the model",
    [
      delta({ content: "mine" }),
      delta(
        {
          content: "other",
          tool_calls: [{ index: 0, id: "c1", function: { name: "read", arguments: `{"path":"a"}` } }],
        },
        { index: 1, finish_reason: "length" },
      ),
      finish("stop"),
    ],
    {
      ...done,
      text: "mine",
      calls: [{ ...read, flaw: "the call came in choice 1, and only one reply was asked for" }],
    },
  ],
  [
    "a call after the reason to finish, and one after the end",
    [
      finish("stop"),
      call({ index: 0, id: "c1" }, { name: "read", arguments: `{"path":"a"}` }),
      "[DONE]",
      call({ index: 1, id: "c2" }, { name: "list", arguments: "{}" }),
      delta({ content: "late" }),
    ],
    {
      ...done,
      calls: [
        { ...read, flaw: "the call came after the end of the reply" },
        { id: "c2", tool: "list", arguments: "{}", flaw: "the call came after the end of the reply" },
      ],
    },
  ],
  [
    "the form of calls that was given up",
    [
      delta({ function_call: { name: "read", arguments: "{" } }),
      delta({ function_call: { arguments: "}" } }),
      finish("function_call"),
    ],
    {
      ...done,
      calls: [
        {
          id: "",
          tool: "read",
          arguments: "{}",
          flaw: "the call came as function_call, a form that has no id: use tool calls",
        },
      ],
    },
  ],
  [
    "a refusal",
    [delta({ refusal: "I " }), delta({ refusal: "won't." }), finish("stop")],
    { ...done, text: "I won't.", refusal: true },
  ],
  ["a reply at its limit", [delta({ content: "Hel" }), finish("length")], { ...done, text: "Hel", cut: true }],
  ["a reply that a filter ended", [finish("content_filter"), "[DONE]"], { ...done, filtered: true }],
  [
    "a text as a list of parts",
    [
      delta({
        content: [
          { type: "thinking", thinking: [] },
          { type: "text", text: "Hi" },
        ],
      }),
    ],
    { ...nothing, text: "Hi" },
  ],
  [
    "what was thought without a call is not wanted back",
    [delta({ reasoning_content: "hm" }), delta({ content: "Hi" }), finish("stop")],
    { ...done, text: "Hi" },
  ],
  [
    "what was thought beside calls, and the seal of a call",
    [
      delta({ reasoning_content: "h" }),
      delta({ reasoning_content: "m", reasoning: "m" }),
      call({ index: 0, id: "c0" }, { name: "read", arguments: "{}" }),
      call(
        { index: 1, id: "c1", extra_content: { google: { thought_signature: "sig" } } },
        { name: "read", arguments: `{"path":"a"}` },
      ),
      finish("tool_calls"),
    ],
    {
      ...done,
      calls: [{ id: "c0", tool: "read", arguments: "{}" }, read],
      reasoning: { reasoning_content: "hm", extra_content: { "1": { google: { thought_signature: "sig" } } } },
    },
  ],
  [
    "halves of a character in two pieces",
    [delta({ content: "\ud83d" }), delta({ content: "\ude00\ud800" })],
    { ...nothing, text: "😀\ufffd" },
  ],
];

test.each(golden)("reads %s", (_title, events, reading) => {
  expect(play(openaiChat, events).reading).toEqual(reading);
});

test.each<[string, Given, object]>([
  ["a piece of text", delta({ content: "Hi" }), { type: "progress", text: "Hi" }],
  ["a thought, which nobody reads", delta({ reasoning: "hm" }), { type: "progress", text: "" }],
  ["a piece of a call", call({ index: 0 }, { arguments: "{" }), { type: "progress", text: "" }],
  ["the usage alone", usage, { type: "progress", text: "" }],
  ["neither a choice nor usage", { choices: [], prompt_filter_results: [] }, { type: "idle" }],
  ["an empty delta", delta({}), { type: "idle" }],
  ["the end", "[DONE]", { type: "end" }],
  [
    "half a line",
    `{"choices":[`,
    { type: "malformed", detail: `expected a JSON object in the stream, came {"choices":[` },
  ],
  ["no object", "[1]", { type: "malformed", detail: "expected a JSON object in the stream, came [1]" }],
  [
    "calls that are no list",
    delta({ tool_calls: 1 }),
    { type: "malformed", detail: "expected tool_calls to be a list, came something else" },
  ],
  [
    "an error with a number",
    { error: { code: 429, message: "slow down", status: "RESOURCE_EXHAUSTED" } },
    { type: "error", error: { status: 429, code: "RESOURCE_EXHAUSTED", message: "slow down" } },
  ],
  [
    "an error with a code",
    { error: { code: "context_length_exceeded", type: "invalid_request_error", message: "too long" } },
    { type: "error", error: { status: null, code: "context_length_exceeded", message: "too long" } },
  ],
  ["an error in words", { error: "boom" }, { type: "error", error: { status: null, code: "", message: "boom" } }],
  [
    "a reason to finish that is an outage",
    finish("insufficient_system_resource"),
    {
      type: "error",
      error: {
        status: null,
        code: "insufficient_system_resource",
        message: "the server ended the reply: insufficient_system_resource",
      },
    },
  ],
])("tells of %s what it is", (_title, event, sign) => {
  expect(play(openaiChat, [event]).signs).toEqual([sign]);
});

test("more calls or more text than a reply can have is malformed, and stays so", () => {
  const calls = Array.from({ length: 65 }, (_, index) =>
    call({ index, id: `c${index}` }, { name: "read", arguments: "{}" }),
  );
  const played = play(openaiChat, [...calls, call({ index: 65 }, { arguments: "{}" })]);
  expect(played.reading.calls.length).toBe(65);
  expect(played.signs.slice(63)).toEqual([
    { type: "progress", text: "" },
    { type: "malformed", detail: "expected at most 64 calls in a reply, came more" },
    { type: "malformed", detail: "expected at most 64 calls in a reply, came more" },
  ]);
  const large = call({ index: 0 }, { arguments: "x".repeat(6 * 1_048_576) });
  expect(play(openaiChat, [large, large, large]).signs.at(-1)).toEqual({
    type: "malformed",
    detail: "expected at most 16777216 characters in a reply, came more",
  });
});

test("a damaged stream is never an exception", () => {
  expectSturdy(
    openaiChat,
    golden.map(([, events]) => events),
    700,
  );
});

// ── Requests ───────────────────────────────────────────────────────────────────────────────────────────────────────

function encoded(asked: Parameters<typeof question>[0], other: Partial<typeof target> = {}) {
  return JSON.parse(openaiChat.encode(question(asked), { ...target, ...other }));
}

const head = {
  model: "model-1",
  stream: true,
  stream_options: { include_usage: true },
  tools: [{ type: "function", function: readTool }],
};
const system = { role: "system", content: "Be brief." };
const closing = { role: "user", content: "Now." };

function sentCall(id: string, name = "read", given = `{"path":"a"}`): object {
  return { id, type: "function", function: { name, arguments: given } };
}

test("a request has the history between the system prompt and the closing part", () => {
  const messages = [
    user("go"),
    assistant(1, "Looking.", {}, {}),
    result("t1c1", "A"),
    result("t1c2", "B"),
    assistant(2, "Done."),
  ];
  expect(encoded({ messages })).toEqual({
    ...head,
    messages: [
      system,
      { role: "user", content: "go" },
      { role: "assistant", content: "Looking.", tool_calls: [sentCall("call_1_1"), sentCall("call_1_2")] },
      { role: "tool", tool_call_id: "call_1_1", content: "A" },
      { role: "tool", tool_call_id: "call_1_2", content: "B" },
      { role: "assistant", content: "Done." },
      closing,
    ],
  });
});

test("the vendor's own service is told what it alone knows; Gemini's is not", () => {
  const own = { native: true, mostOutput: 100 };
  expect(encoded({}, own)).toEqual({
    prompt_cache_key: "s1",
    ...head,
    max_completion_tokens: 100,
    messages: [system, closing],
  });
  const gemini = { ...own, baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai" };
  expect(encoded({}, gemini)).toEqual({ ...head, max_tokens: 100, messages: [system, closing] });
});

test("what a request begins with follows the system prompt and the tools", () => {
  const asked = question({});
  const other = { ...asked, tools: [{ ...readTool, name: "look" }] };
  expect(values(JSON.parse(openaiChat.encode(asked, target)), "name")).toEqual(["read"]);
  expect(values(JSON.parse(openaiChat.encode(other, target)), "name")).toEqual(["look"]);
  expect(encoded({ system: "Be kind." }).messages).toEqual([{ role: "system", content: "Be kind." }, closing]);
});

test("the key goes into a header, and where there is none, nothing does", () => {
  expect(openaiChat.headers(target)).toEqual({ authorization: "Bearer key-1" });
  expect(openaiChat.headers({ ...target, key: null })).toEqual({});
});

test("a request that lets no tool be called keeps the tools behind messages, and else has none", () => {
  expect(encoded({ tools: "none", messages: [user("go")] })).toEqual({
    ...head,
    messages: [system, { role: "user", content: "go" }, closing],
    tool_choice: "none",
  });
  const { tools: _tools, ...rest } = head;
  expect(encoded({ tools: "none" })).toEqual({ ...rest, messages: [system, closing] });
});

test("an empty closing part is left out", () => {
  expect(encoded({ closing: "", messages: [user("go")] }).messages).toEqual([system, { role: "user", content: "go" }]);
});

test("earlier bytes never change, also where no tool may be called", () => {
  const stages = growingHistory({
    reasoning_content: "hm",
    extra_content: { "0": { google: { thought_signature: "s" } } },
  });
  for (const native of [true, false]) {
    const bodies = stages.map((messages, index) => {
      const tools = index % 5 === 4 ? "none" : "offered";
      return openaiChat.encode(question({ messages, tools, closing: `closing ${index}` }), { ...target, native });
    });
    expectPrefixes(bodies, `{"role":"user","content":"closing `);
  }
});

test("every result follows its call in a history where ids are missing, odd or used twice", () => {
  const messages = growingHistory(null).at(-1) ?? [];
  const body = encoded({ messages });
  const sent = values(body, "tool_calls").flatMap((calls) => values(calls, "id"));
  expect(new Set(sent).size).toBe(sent.length);
  expect(values(body, "tool_call_id").toSorted()).toEqual(sent.toSorted());
});

test.each([
  ["the provider's own", ["toolu.01:é"], ["toolu.01:é"]],
  ["ours, where there is none", [""], ["t1c1"]],
  ["ours, where it is blank inside", ["a b"], ["t1c1"]],
  ["ours, where it is too long", ["x".repeat(65)], ["t1c1"]],
  ["ours, where an earlier call has it", ["same", "same"], ["same", "t1c2"]],
  ["ours made different, where an earlier call has that too", ["t1c2", "t1c2"], ["t1c2", "t1c2_2"]],
])("the id of a call is %s", (_title, originals, ids) => {
  const reply = assistant(1, "", ...originals.map((original) => ({ original })));
  const body = encoded({ messages: [user("go"), reply, ...reply.calls.map(({ id }) => result(id, id))] });
  expect(values(body, "tool_calls").flatMap((calls) => values(calls, "id"))).toEqual(ids);
  expect(values(body, "tool_call_id")).toEqual(ids);
});

test("the vendor itself takes ids of 40 characters", () => {
  const messages = [user("go"), assistant(1, "", { original: "x".repeat(40) }, { original: "x".repeat(41) })];
  expect(values(encoded({ messages }, { native: true }), "tool_call_id")).toEqual(["x".repeat(40), "t1c2"]);
});

test.each([
  ["no JSON", "{broken", `{"unparsed_arguments":"{broken"}`],
  ["no object", "[1]", `{"unparsed_arguments":"[1]"}`],
  ["nothing", "", `{"unparsed_arguments":""}`],
  [
    "nested too deep",
    `{"a":${"[".repeat(30)}${"]".repeat(30)}}`,
    `{"unparsed_arguments":"{\\"a\\":${"[".repeat(30)}${"]".repeat(30)}}"}`,
  ],
  ["a number that no double holds", `{"a":1e999}`, `{"unparsed_arguments":"{\\"a\\":1e999}"}`],
  [
    "an object, to the last blank",
    `{ "a": 1.0,\n"b": 12345678901234567890 }`,
    `{ "a": 1.0,\n"b": 12345678901234567890 }`,
  ],
  ["half a character, escaped", `{"a":"\\ud83d\\ude00 \\ud83d \\\\ud83d"}`, `{"a":"\\ud83d\\ude00 \ufffd \\\\ud83d"}`],
  ["half a character", `{"a":"\ud83d"}`, `{"a":"\ufffd"}`],
])("arguments that are %s make a valid request", (_title, given, sent) => {
  const messages = [user("go"), assistant(1, "", { arguments: given }), result("t1c1", "no", true)];
  expect(values(encoded({ messages }), "tool_calls")).toEqual([[sentCall("call_1_1", "read", sent)]]);
});

test("a name that no API takes is sent as invalid_name", () => {
  const messages = [user("go"), assistant(1, "", { tool: "" }, { tool: "rm -rf" }, { tool: "fine-1" })];
  const names = values(values(encoded({ messages }), "tool_calls"), "name");
  expect(names).toEqual(["invalid_name", "invalid_name", "fine-1"]);
});

test("half a character in any text becomes one that stands for it", () => {
  const messages = [user("a\ud800"), assistant(1, "b\udc00", {}), result("t1c1", "c\ud800")];
  const body = openaiChat.encode(question({ messages, closing: "d\ud800", system: "e\ud800" }), target);
  expect(body.isWellFormed()).toBe(true);
  expect(body).not.toMatch(/\\ud[89a-f]/);
  expect(values(JSON.parse(body), "content")).toEqual(["e\ufffd", "a\ufffd", "b\ufffd", "c\ufffd", "d\ufffd"]);
});

test("a reply behind a reply, a call without a result and a text of nothing are made valid", () => {
  const messages = [assistant(1, "one"), assistant(2, " "), assistant(3, "", {}), user(" "), result("t9c9", "lost")];
  expect(encoded({ messages }).messages).toEqual([
    system,
    { role: "user", content: "Continue." },
    { role: "assistant", content: "one" },
    { role: "user", content: "Continue." },
    { role: "assistant", content: null, tool_calls: [sentCall("call_3_1")] },
    { role: "tool", tool_call_id: "call_3_1", content: "(no result)" },
    { role: "user", content: "(no text)" },
    { role: "user", content: "[result of an earlier call]\nlost" },
    closing,
  ]);
});

test("what was thought goes back as it came, to the same model only", () => {
  const stream = golden.find(([title]) => title.startsWith("what was thought beside calls"))?.[1] ?? [];
  const reply = remembered(2, play(openaiChat, stream).reading);
  const messages = [user("go"), reply, result("t2c1", "A"), result("t2c2", "B")];
  const bare = { role: "assistant", content: null, tool_calls: [sentCall("c0", "read", "{}"), sentCall("c1")] };
  const sealed = { ...sentCall("c1"), extra_content: { google: { thought_signature: "sig" } } };
  expect(encoded({ messages }).messages[2]).toEqual({
    ...bare,
    reasoning_content: "hm",
    tool_calls: [sentCall("c0", "read", "{}"), sealed],
  });
  expect(encoded({ messages }, { name: "other:model" }).messages[2]).toEqual(bare);
  expect(encoded({ messages }).messages[2].reasoning_content).toBe("hm");
});

test.each([
  [null],
  ["x"],
  [[1]],
  [{ reasoning_content: 1, extra_content: [1] }],
  [{ extra_content: { "0": "x", "7": {} } }],
])("kept reasoning that is damaged (%j) is left out", (content) => {
  const reply = { ...assistant(1, "", {}), reasoning: { model: target.name, content } };
  expect(encoded({ messages: [user("go"), reply] }).messages[2]).toEqual({
    role: "assistant",
    content: null,
    tool_calls: [sentCall("call_1_1")],
  });
});
