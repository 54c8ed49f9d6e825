import { expect, test } from "vitest";
import { refuses } from "./checks.ts";
import { least, open, paths } from "./client.ts";

const user = (...content: readonly object[]) => ({ role: "user", content: content.length === 0 ? "hello" : content });
const assistant = (...content: readonly object[]) => ({ role: "assistant", content });
const text = (words: string) => ({ type: "text", text: words });
const use = (id: string, input: unknown = {}, name = "read") => ({ type: "tool_use", id, name, input });
const result = (tool_use_id: string) => ({ type: "tool_result", tool_use_id, content: "" });
const thought = { type: "thinking", thinking: "hm", signature: "s" };
const said = (...messages: readonly object[]) => ({ messages: [user(), ...messages] });
const tool = (name: string, input_schema: object = { type: "object" }) => ({ name, input_schema });
const marked = { ...text("x"), cache_control: { type: "ephemeral" } };

const good = {
  model: "m",
  max_tokens: 2000,
  system: [marked],
  messages: [
    user(marked),
    assistant(thought, text("ok"), use("a"), use("b")),
    user(result("b"), result("a"), marked),
    assistant(text("done")),
    user(marked),
  ],
  tools: [tool("read"), { type: "web_search_20250305", name: "web_search" }],
  tool_choice: { type: "auto" },
  thinking: { type: "enabled", budget_tokens: 1024 },
};

const missing = "expected a tool_result for every call, found none for";
const notOpen = "expected the id of a call that has no tool_result yet, found";
const blank = "expected a text that is not blank, found";

refuses("anthropic", good, [
  ["no model", { model: 3 }, "model: expected a name, found 3"],
  ["no limit of the reply", { max_tokens: undefined }, "max_tokens: expected a number, found nothing"],
  ["no messages", { messages: [] }, "messages: expected at least one"],
  ["an assistant first", { messages: [assistant(text("x"))] }, 'messages[0].role: expected user, found "assistant"'],
  ["a user twice", said(user()), 'messages[1].role: expected assistant, found "user"'],
  ["a role of its own", said({ role: "system", content: "x" }), 'messages[1].role: expected assistant, found "system"'],
  ["a message without content", said(assistant()), "messages[1].content: expected a text or blocks, found []"],
  ["an empty text", { messages: [{ role: "user", content: "" }] }, `messages[0].content[0].text: ${blank} ""`],
  ["a blank block", said(assistant(text(" "))), `messages[1].content[0].text: ${blank} " "`],
  [
    "an id with other characters",
    said(assistant(use("a.b")), user(result("a.b"))),
    'messages[1].content[0].id: expected a name like ^[a-zA-Z0-9_-]+$, found "a.b"',
  ],
  [
    "an id that is used twice",
    said(assistant(use("a")), user(result("a")), assistant(use("a")), user(result("a"))),
    'messages[3].content[0].id: expected an id of its own, found "a" again',
  ],
  ["a call without its result", said(assistant(use("a"), use("b")), user(result("a"))), `messages[2]: ${missing} b`],
  ["a call at the end", said(assistant(use("a"))), `messages: ${missing} a`],
  [
    "a result after another block",
    said(assistant(use("a")), user(text("x"), result("a"))),
    `messages[2]: ${missing} a`,
  ],
  [
    "a result behind the first ones",
    said(assistant(use("a")), user(result("a"), text("x"), result("a"))),
    "messages[2].content[2]: expected tool_result before all other blocks",
  ],
  [
    "a second result",
    said(assistant(use("a")), user(result("a"), result("a"))),
    `messages[2].content[1].tool_use_id: ${notOpen} "a"`,
  ],
  [
    "a result without a call",
    said(assistant(text("x")), user(result("x"))),
    `messages[2].content[0].tool_use_id: ${notOpen} "x"`,
  ],
  [
    "an input that is no object",
    said(assistant(use("a", "{}")), user(result("a"))),
    'messages[1].content[0].input: expected an object, found "{}"',
  ],
  [
    "an empty block in a result",
    said(assistant(use("a")), user({ ...result("a"), content: [text("")] })),
    `messages[2].content[0].content[0].text: ${blank} ""`,
  ],
  [
    "a call of a user",
    { messages: [user(use("a"))] },
    'messages[0].content[0].type: expected a block of a user, found "tool_use"',
  ],
  [
    "a result of the assistant",
    said(assistant(result("a"))),
    'messages[1].content[0].type: expected a block of an assistant, found "tool_result"',
  ],
  [
    "thinking without a signature",
    said(assistant({ ...thought, signature: "" }, text("x")), user()),
    'messages[1].content[0].signature: expected a text, found ""',
  ],
  [
    "thinking that is not first",
    said(assistant(text("x"), thought), user()),
    "messages[1].content[1]: expected thinking before all other blocks",
  ],
  [
    "white space at the end",
    said(assistant(text("x "))),
    "messages[1]: expected no white space at the end of the last assistant message",
  ],
  [
    "tool blocks without tools",
    { tools: undefined, tool_choice: undefined },
    "tools: expected tools where the messages hold tool_use or tool_result",
  ],
  ["a choice without tools", { ...said(), tools: undefined }, "tool_choice: expected only where tools are given"],
  [
    "a choice of no tool",
    { tool_choice: { type: "tool", name: "x" }, thinking: undefined },
    'tool_choice: expected auto, any, none or a tool, found {"type":"tool","name":"x"}',
  ],
  [
    "a forced tool where it thinks",
    { tool_choice: { type: "any" } },
    "tool_choice: expected no forced tool where the model thinks",
  ],
  [
    "more thought than reply",
    { max_tokens: 1024 },
    "thinking.budget_tokens: expected at least 1024 and less than max_tokens, found 1024",
  ],
  ["another temperature where it thinks", { temperature: 0 }, "temperature: expected 1 where the model thinks"],
  [
    "a tool that cannot be named so",
    { tools: [tool("a b")] },
    'tools[0].name: expected a name like ^[a-zA-Z0-9_-]{1,128}$, found "a b"',
  ],
  [
    "two tools of one name",
    { tools: [tool("a"), tool("a")] },
    'tools[1].name: expected another name than "a", which is taken',
  ],
  [
    "a schema of no object",
    { tools: [tool("a", {})] },
    "tools[0].input_schema: expected a schema of an object, found {}",
  ],
  ["five marks of the cache", { system: [marked, marked] }, "cache_control: expected at most 4 marks, found 5"],
  [
    "an empty system text",
    { system: "" },
    'system[0]: expected a block of text that is not empty, found {"type":"text","text":""}',
  ],
  ["an empty list as system text", { system: [] }, "system: expected a text or blocks, found []"],

  ["an image of nothing", { messages: [user({ type: "image" })] }, "messages[0].content[0].source: expected a source"],
  [
    "a result that is a number",
    said(assistant(use("a")), user({ ...result("a"), content: 3 })),
    "messages[2].content[0].content: expected a text or blocks, found 3",
  ],
  [
    "a call of a tool that cannot be named so",
    said(assistant(use("a", {}, "a b")), user(result("a"))),
    'messages[1].content[0].name: expected a name like ^[a-zA-Z0-9_-]{1,128}$, found "a b"',
  ],
  [
    "a mark of the cache on thinking",
    said(assistant({ ...thought, cache_control: { type: "ephemeral" } }, text("x")), user()),
    "messages[1].content[0].cache_control: expected no mark on thinking",
  ],
  [
    "a limit of nothing",
    { max_tokens: 0, thinking: undefined },
    "max_tokens: expected a whole number of at least 1, found 0",
  ],
  [
    "another kind of thinking",
    { thinking: { type: "deep" } },
    'thinking.type: expected enabled, adaptive or disabled, found "deep"',
  ],
]);

test("anthropic refuses a request without its version", async () => {
  const server = await open([]);
  const response = await fetch(`${server.url}${paths.anthropic}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(least.anthropic),
  });
  expect([response.status, await response.json()]).toEqual([
    400,
    {
      type: "error",
      error: { type: "invalid_request_error", message: "anthropic-version: expected this header" },
      request_id: "req_scripted",
    },
  ]);
});
