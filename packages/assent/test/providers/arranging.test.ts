import { expect, test } from "vitest";
import { anthropic } from "../../src/providers/anthropic.ts";
import { openaiChat } from "../../src/providers/openai-chat.ts";
import { openaiResponses } from "../../src/providers/openai-responses.ts";
import { growingHistory, type Messages, question, target, user } from "./format-fixture.ts";

// A request that goes on from the one before has only what is new arranged and rendered. That must never be seen.

const formats = { anthropic, openaiChat, openaiResponses };
const other = { ...target, name: "other:model" };
const stages = growingHistory({ reasoning_content: "thought" });

/** The same messages, and no request has had them before. */
const fresh = (messages: Messages) => structuredClone(messages);

test.each(Object.entries(formats))("%s writes the same request whatever was asked before it", (_name, { encode }) => {
  const body = (messages: Messages, to = target) => encode(question({ messages }), to);
  const expected = stages.map((messages) => body(fresh(messages)));
  const asked = (order: readonly Messages[]) => order.map((messages) => body(messages));

  expect(asked(stages)).toEqual(expected);
  // The same again, back to a shorter one (a discarded reply, a summary), and on from there.
  expect(asked(stages)).toEqual(expected);
  expect(asked(stages.toReversed())).toEqual(expected.toReversed());
  const last = stages.at(-1) ?? [];
  expect(body(last, other)).toBe(body(fresh(last), other));
  expect(body(last)).toBe(expected.at(-1));
});

test.each(Object.entries(formats))("%s takes a history that goes another way for another", (_name, { encode }) => {
  const body = (messages: Messages) => encode(question({ messages }), target);
  const messages = stages.at(-1) ?? [];
  body(messages);

  const shortened = messages.map((message, index) =>
    index < 30 && message.role === "tool" ? { ...message, text: "shorter" } : message,
  );
  expect(body(shortened)).toBe(body(fresh(shortened)));
  // Wherever it leaves the other, also right before the last reply.
  for (let at = 1; at < messages.length; at++) {
    const branched = [...messages.slice(0, at), user("another way")];
    expect(body(branched)).toBe(body(fresh(branched)));
    body(messages);
  }
  expect(body(messages)).toBe(body(fresh(messages)));
});
