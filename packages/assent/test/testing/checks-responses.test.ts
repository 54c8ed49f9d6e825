import { refuses } from "./checks.ts";

const user = { role: "user", content: "hello" };
const call = (call_id: unknown, args: unknown = "{}", name = "read") => ({
  type: "function_call",
  call_id,
  name,
  arguments: args,
});
const result = (call_id: string) => ({ type: "function_call_output", call_id, output: "" });
const thought = { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "x" };
const said = (...items: readonly object[]) => ({ input: [user, ...items] });
const tool = (name: string, parameters: unknown = { type: "object" }) => ({ type: "function", name, parameters });
const answer = { type: "message", role: "assistant", content: [{ type: "output_text", text: "hi" }] };

const good = {
  model: "m",
  instructions: "be good",
  store: false,
  input: [
    { role: "user", content: [{ type: "input_text", text: "hello" }] },
    thought,
    call("a"),
    call("b"),
    result("b"),
    result("a"),
    thought,
    answer,
    user,
  ],
  tools: [tool("read"), { type: "web_search" }],
  tool_choice: "required",
};

const unanswered = "expected a function_call_output for every call, found none for";
const notOpen = "expected the id of a call that has no function_call_output yet, found";
const pattern = "expected a name like ^[a-zA-Z0-9_-]{1,64}$";
const objectText = "expected the JSON of an object as a text, found";

refuses("openai-responses", good, [
  ["no model", { model: undefined }, "model: expected a name, found nothing"],
  ["no input", { input: [] }, "input: expected a text or items, found []"],
  ["an empty input", { input: "" }, "input: expected a text, found an empty one"],
  ["empty instructions", { instructions: "" }, 'instructions: expected a text, found ""'],
  ["an item of its own", said({ type: "thing" }), 'input[1].type: expected a known type, found "thing"'],
  ["a role of its own", said({ role: "tool", content: "x" }), 'input[1].role: expected a known role, found "tool"'],
  ["an empty content", said({ role: "user", content: "" }), "input[1].content: expected a text, found an empty one"],
  [
    "an empty part",
    said({ role: "user", content: [{ type: "input_text", text: "" }] }),
    'input[1].content[0].text: expected a text, found ""',
  ],
  [
    "a part of the other side",
    said({ role: "assistant", content: [{ type: "input_text", text: "x" }] }),
    'input[1].content[0].type: expected a part of a message of assistant, found "input_text"',
  ],
  ["a call without its output", said(call("a"), user), `input: ${unanswered} a`],
  ["an output without a call", said(result("x")), `input[1].call_id: ${notOpen} "x"`],
  ["an output before its call", said(result("a"), call("a")), `input[1].call_id: ${notOpen} "a"`],
  ["a second output", said(call("a"), result("a"), result("a")), `input[3].call_id: ${notOpen} "a"`],
  [
    "an id that is used twice",
    said(call("a"), result("a"), call("a"), result("a")),
    'input[3].call_id: expected an id of its own, found "a" again',
  ],
  [
    "a call without an id",
    said(call(undefined)),
    "input[1].call_id: expected an id of at most 64 characters, found nothing",
  ],
  [
    "an output that is nothing",
    said(call("a"), { ...result("a"), output: null }),
    "input[2].output: expected a text or a list, found null",
  ],
  ["arguments that are no JSON", said(call("a", "{"), result("a")), `input[1].arguments: ${objectText} "{"`],
  ["arguments that are no object", said(call("a", "3"), result("a")), `input[1].arguments: ${objectText} "3"`],
  [
    "a call of a tool that cannot be named so",
    said(call("a", "{}", ""), result("a")),
    `input[1].name: ${pattern}, found ""`,
  ],
  ["reasoning at the end", said(thought), "input[1]: expected the item that the reasoning led to right after it"],
  [
    "reasoning before a user",
    said(thought, user),
    "input[1]: expected the item that the reasoning led to right after it",
  ],
  [
    "reasoning that nobody has kept",
    said({ ...thought, encrypted_content: undefined }, answer),
    "input[1].encrypted_content: expected it, for nothing is kept where store is false",
  ],
  ["a tool that cannot be named so", { tools: [tool("a b")] }, `tools[0].name: ${pattern}, found "a b"`],
  [
    "two tools of one name",
    { tools: [tool("a"), tool("a")] },
    'tools[1].name: expected another name than "a", which is taken',
  ],
  [
    "a tool without a schema",
    { tools: [tool("a", null)] },
    "tools[0].parameters: expected a schema of an object, found null",
  ],
  ["a choice without tools", { tools: undefined }, "tool_choice: expected only where tools are given"],
  [
    "a choice of no tool",
    { tool_choice: { type: "function", name: "x" } },
    'tool_choice: expected none, auto, required or a tool, found {"type":"function","name":"x"}',
  ],
  [
    "a limit that is too low",
    { max_output_tokens: 15 },
    "max_output_tokens: expected a whole number of at least 16, found 15",
  ],

  ["a tool without a type", { tools: [tool("read"), {}] }, "tools[1].type: expected a type"],
  ["a reference to nothing", said({ type: "item_reference" }), "input[1].id: expected an id"],
  [
    "reasoning without a summary",
    said({ ...thought, summary: undefined }, answer),
    "input[1].summary: expected a list",
  ],
  [
    "reasoning that cannot be found",
    { ...said({ type: "reasoning", summary: [] }, answer), store: true },
    "input[1].id: expected an id",
  ],
]);
