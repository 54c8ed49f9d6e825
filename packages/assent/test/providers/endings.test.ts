import { describe, expect, test } from "vitest";
import { anthropic } from "../../src/providers/anthropic.ts";
import { failureOf } from "../../src/providers/errors.ts";
import type { Format, StreamReader } from "../../src/providers/format.ts";
import { openaiChat } from "../../src/providers/openai-chat.ts";
import { openaiResponses } from "../../src/providers/openai-responses.ts";
import { verifies } from "../requirements/verifies.ts";

function fed(format: Format, ...events: readonly object[]): StreamReader {
  const reader = format.open();
  for (const event of events) reader.read({ name: "", data: JSON.stringify(event) });
  return reader;
}

const called = { index: 0, id: "call_1", function: { name: "terminal", arguments: '{"command":"ls"}' } };
const chat = (reason: string | null) =>
  fed(
    openaiChat,
    { choices: [{ index: 0, delta: { tool_calls: [called] } }] },
    ...(reason === null ? [] : [{ choices: [{ index: 0, delta: {}, finish_reason: reason }] }]),
  );
const messages = (reason: string | null) =>
  fed(
    anthropic,
    { type: "message_start", message: {} },
    {
      type: "content_block_start",
      index: 0,
      content_block: { type: "tool_use", id: "toolu_1", name: "terminal", input: {} },
    },
    { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"command":"ls"}' } },
    { type: "content_block_stop", index: 0 },
    ...(reason === null ? [] : [{ type: "message_delta", delta: { stop_reason: reason } }]),
    { type: "message_stop" },
  );

/** Whether something of the reply could be run. */
function runs(reader: StreamReader): boolean {
  const { calls, filtered, whole } = reader.reading();
  return whole && !filtered && calls.some(({ flaw }) => flaw === undefined);
}

describe("the reason that a server gives for the end of a reply", () => {
  const sound = ["stop", "tool_calls", "tool_use", "end_turn", "TOOL_CALLS", "eos"];
  const others = [
    ...["content_filter", "content-filter", "content_filter: PROHIBITED_CONTENT", "SAFETY", "RECITATION"],
    ...["function_call_filter: MALFORMED_FUNCTION_CALL", "abort", "ERROR", "cancelled", "timeout", "something new"],
  ];

  verifies("SEL-3b", "lets its calls run only where it is a good one", () => {
    for (const [format, reply] of Object.entries({ chat, messages })) {
      for (const reason of sound) expect([format, reason, runs(reply(reason))]).toEqual([format, reason, true]);
      for (const reason of others) expect([format, reason, runs(reply(reason))]).toEqual([format, reason, false]);
    }
  });

  verifies("SEL-3b", "is missing: then no call of it runs, though the stream ends in order", () => {
    const reader = chat(null);
    reader.read({ name: "", data: "[DONE]" });
    expect(reader.reading().calls).toEqual([
      expect.objectContaining({ flaw: expect.stringMatching(/without a reason/) }),
    ]);
    expect(runs(reader)).toBe(false);
    expect(runs(messages(null))).toBe(false);
  });

  test("is in the response, where that differs from the name of its event", () => {
    const reader = openaiResponses.open();
    const data = JSON.stringify({
      type: "response.completed",
      response: { status: "failed", error: { message: "no" } },
    });
    expect(reader.read({ name: "", data })).toMatchObject({ type: "error" });
  });
});

test("events that bring nothing are signs of life and nothing else", () => {
  const signs = [
    openaiChat.open().read({ name: "", data: '{"choices":[{"delta":{"role":"assistant","content":""}}]}' }),
    openaiResponses
      .open()
      .read({ name: "", data: '{"type":"response.output_text.delta","output_index":0,"delta":""}' }),
    fed(anthropic, { type: "content_block_start", index: 0, content_block: { type: "text", text: "" } }).read({
      name: "",
      data: '{"type":"content_block_delta","index":0,"delta":{"type":"text_delta","text":""}}',
    }),
  ];
  expect(signs).toEqual([{ type: "idle" }, { type: "idle" }, { type: "idle" }]);
  const thinks = openaiChat.open().read({ name: "", data: '{"choices":[{"delta":{"reasoning":"hm"}}]}' });
  expect(thinks).toEqual({ type: "progress", text: "" });
});

verifies(
  "SEL-9",
  "what is too long because of the reply that was asked for is a wrong setting, not a long history",
  () => {
    const failure = (message: string) =>
      failureOf(
        { type: "server", error: { status: 400, code: "", message }, headers: {} },
        { secrets: [], keyName: null, now: 0 },
      );
    const parts = (sent: number, wanted: number) =>
      `This model's maximum context length is 8192 tokens. However, you requested ${sent + wanted} tokens (${sent} in the messages, ${wanted} in the completion).`;
    expect(failure(parts(500, 8_000))).toMatchObject({ type: "failed", class: "rejected" });
    expect(failure(parts(7_800, 1_000))).toMatchObject({ type: "overflow" });
  },
);
