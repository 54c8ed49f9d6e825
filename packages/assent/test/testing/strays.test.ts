import { expect, test } from "vitest";
import type { Stray } from "../../src/testing/index.ts";
import { ask, eventsIn, type Format, json, open } from "./client.ts";

/** What each event of a reply with one stray call is, in short. */
async function kinds(format: Format, stray: Stray): Promise<readonly string[]> {
  const server = await open([{ text: "x", calls: [{ tool: "t", arguments: "1" }], stray }]);
  const events = eventsIn(await (await ask(server, format)).text());
  return events.map(({ name, data }) => (name === "" ? kindOfChunk(data) : name));
}

function kindOfChunk(data: string): string {
  if (data === "[DONE]") return data;
  const [{ index, delta, finish_reason }] = json(data).choices;
  return `${index} ${finish_reason ?? Object.keys(delta).at(-1)}`;
}

test("a call in a second choice", async () => {
  expect(await kinds("openai-chat", "choice")).toEqual([
    "0 refusal",
    "0 content",
    "1 tool_calls",
    "1 tool_calls",
    "1 tool_calls",
    "0 stop",
    "[DONE]",
  ]);
});

test("a call after the reason to end, and after the end", async () => {
  const said = ["0 refusal", "0 content"];
  const call = ["0 tool_calls", "0 tool_calls"];
  expect(await kinds("openai-chat", "after-finish")).toEqual([...said, "0 stop", ...call, "[DONE]"]);
  expect(await kinds("openai-chat", "after-end")).toEqual([...said, "0 stop", "[DONE]", ...call]);
});

test("Responses: a call of an item that was never begun, or after the end", async () => {
  const delta = "response.function_call_arguments.delta";
  expect((await kinds("openai-responses", "choice")).slice(-2)).toEqual([delta, "response.completed"]);
  const late = [
    "response.completed",
    "response.output_item.added",
    delta,
    "response.function_call_arguments.done",
    "response.output_item.done",
  ];
  expect((await kinds("openai-responses", "after-finish")).slice(-5)).toEqual(late);
  expect((await kinds("openai-responses", "after-end")).slice(-5)).toEqual(late);
});

test("Messages: a call of a block that was never begun, after the reason to end, or after the end", async () => {
  const delta = "content_block_delta";
  const call = ["content_block_start", delta, delta, "content_block_stop"];
  const end = ["message_delta", "message_stop"];
  const begun = "content_block_stop";
  expect((await kinds("anthropic", "choice")).slice(-5)).toEqual([begun, delta, delta, ...end]);
  expect((await kinds("anthropic", "after-finish")).slice(-6)).toEqual(["message_delta", ...call, "message_stop"]);
  expect((await kinds("anthropic", "after-end")).slice(-6)).toEqual([...end, ...call]);
});
