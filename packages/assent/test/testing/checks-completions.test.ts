import { refuses } from "./checks.ts";

const user = { role: "user", content: "hello" };
const call = (id: unknown, args: unknown = "{}", name = "read") => ({
  id,
  type: "function",
  function: { name, arguments: args },
});
const asks = (...calls: readonly object[]) => ({ role: "assistant", content: null, tool_calls: calls });
const result = (tool_call_id: string) => ({ role: "tool", tool_call_id, content: "" });
const tool = (name: string, parameters: object = { type: "object" }) => ({
  type: "function",
  function: { name, parameters },
});
const strict = (parameters: object) => ({ type: "function", function: { name: "s", strict: true, parameters } });
const said = (...messages: readonly object[]) => ({ messages: [user, ...messages] });

const good = {
  model: "m",
  messages: [
    { role: "system", content: "be good" },
    { role: "user", content: [{ type: "text", text: "hello" }] },
    asks(call("a"), call("b")),
    result("b"),
    result("a"),
    { role: "assistant", content: "done" },
    user,
  ],
  tools: [tool("read"), strict({ type: "object", properties: {}, additionalProperties: false })],
  tool_choice: { type: "function", function: { name: "read" } },
  parallel_tool_calls: true,
};

const pattern = "expected a name like ^[a-zA-Z0-9_-]{1,64}$";

refuses("openai-chat", good, [
  ["no model", { model: "" }, 'model: expected a name, found ""'],
  ["a stream that is a word", { stream: "yes" }, "stream: expected true or false"],
  ["no messages", { messages: [] }, "messages: expected at least one"],
  ["a role of its own", said({ role: "function" }), 'messages[1].role: expected a known role, found "function"'],
  [
    "a call without an answer",
    said(asks(call("a"), call("b")), result("a"), user),
    "messages[3]: expected a tool message for every call, found none for b",
  ],
  [
    "a call without an answer at the end",
    said(asks(call("a"))),
    "messages: expected a tool message for every call, found none for a",
  ],
  [
    "an answer after somebody else has spoken",
    said(asks(call("a")), user, result("a")),
    "messages[2]: expected a tool message for every call, found none for a",
  ],
  [
    "a second answer",
    said(asks(call("a")), result("a"), result("a")),
    'messages[3].tool_call_id: expected the id of a call that has no tool message yet, found "a"',
  ],
  [
    "an answer without a call",
    said(result("x")),
    'messages[1].tool_call_id: expected the id of a call that has no tool message yet, found "x"',
  ],
  [
    "the id of an earlier call",
    said(asks(call("a")), result("a"), asks(call("a")), result("a")),
    'messages[3].tool_calls[0].id: expected an id of its own, found "a" again',
  ],
  [
    "a call without an id",
    said(asks(call(undefined))),
    "messages[1].tool_calls[0].id: expected an id of at most 40 characters, found nothing",
  ],
  [
    "an id that is too long",
    said(asks(call("x".repeat(41))), result("x".repeat(41))),
    `messages[1].tool_calls[0].id: expected an id of at most 40 characters, found "${"x".repeat(41)}"`,
  ],
  [
    "an empty text of a user",
    said({ role: "user", content: "" }),
    "messages[1].content: expected a text, found an empty one",
  ],
  [
    "an empty text of the system",
    { messages: [{ role: "system", content: "" }] },
    "messages[0].content: expected a text, found an empty one",
  ],
  [
    "an empty part",
    said({ role: "user", content: [{ type: "text", text: "" }] }),
    'messages[1].content[0].text: expected a text, found ""',
  ],
  [
    "an assistant that says and asks nothing",
    said({ role: "assistant", content: null }),
    "messages[1].content: expected a text or a list, found null",
  ],
  ["an empty list of calls", said(asks()), "messages[1].tool_calls: expected at least one call"],
  [
    "arguments that are no JSON",
    said(asks(call("a", "{oops")), result("a")),
    'messages[1].tool_calls[0].function.arguments: expected the JSON of an object as a text, found "{oops"',
  ],
  [
    "arguments that are no object",
    said(asks(call("a", "[]")), result("a")),
    'messages[1].tool_calls[0].function.arguments: expected the JSON of an object as a text, found "[]"',
  ],
  [
    "arguments that are no text",
    said(asks(call("a", {})), result("a")),
    "messages[1].tool_calls[0].function.arguments: expected the JSON of an object as a text, found {}",
  ],
  [
    "a call of a tool that cannot be named so",
    said(asks(call("a", "{}", "my tool")), result("a")),
    `messages[1].tool_calls[0].function.name: ${pattern}, found "my tool"`,
  ],
  [
    "a result that is no text",
    said(asks(call("a")), { ...result("a"), content: null }),
    "messages[2].content: expected a text, found null",
  ],
  ["a tool that cannot be named so", { tools: [tool("a.b")] }, `tools[0].name: ${pattern}, found "a.b"`],
  [
    "two tools of one name",
    { tools: [tool("read"), tool("read")] },
    'tools[1].name: expected another name than "read", which is taken',
  ],
  [
    "a schema of no object",
    { tools: [tool("read", { type: "string" })] },
    'tools[0].parameters: expected a schema of an object, found {"type":"string"}',
  ],
  [
    "a strict schema that is open",
    { tools: [tool("read"), strict({ type: "object" })] },
    "tools[1].parameters.additionalProperties: expected false in a strict schema",
  ],
  [
    "a strict schema in which something is optional",
    {
      tools: [
        tool("read"),
        strict({ type: "object", properties: { a: { type: "string" } }, additionalProperties: false }),
      ],
    },
    "tools[1].parameters.required: expected also a in a strict schema",
  ],
  [
    "an empty list of tools",
    { tools: [], tool_choice: undefined },
    "tools: expected at least one where the field is given",
  ],
  [
    "a choice without tools",
    { tools: undefined, tool_choice: "auto" },
    "tool_choice: expected only where tools are given",
  ],
  [
    "calls side by side without tools",
    { tools: undefined, tool_choice: undefined },
    "parallel_tool_calls: expected only where tools are given",
  ],
  [
    "a choice that is none",
    { tool_choice: "any" },
    'tool_choice: expected none, auto, required or a tool, found "any"',
  ],
  [
    "options of a stream without one",
    { stream_options: { include_usage: true } },
    "stream_options: expected only where stream is true",
  ],
  [
    "two limits of the reply",
    { max_tokens: 5, max_completion_tokens: 5 },
    "max_tokens: expected it or max_completion_tokens, found both",
  ],
  ["a limit of nothing", { max_tokens: 0 }, "max_tokens: expected a whole number of at least 1, found 0"],

  [
    "a call of another kind",
    said(asks({ ...call("a"), type: "custom" }), result("a")),
    'messages[1].tool_calls[0].type: expected "function", found "custom"',
  ],
  ["no parts", said({ role: "user", content: [] }), "messages[1].content: expected parts, found an empty list"],
  [
    "a part without a type",
    said({ role: "user", content: [{ text: "x" }] }),
    "messages[1].content[0].type: expected a type",
  ],
  ["tools that are no list", { tools: {}, tool_choice: "auto" }, "tools: expected a list, found {}"],
  [
    "a strict schema that is open inside",
    {
      tools: [
        tool("read"),
        strict({ type: "object", properties: { a: { type: "object" } }, required: ["a"], additionalProperties: false }),
      ],
    },
    "tools[1].parameters.a.additionalProperties: expected false in a strict schema",
  ],
]);
