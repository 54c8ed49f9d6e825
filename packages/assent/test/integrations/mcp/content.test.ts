import { expect, test } from "vitest";
import { promptAnswer, resourceAnswer, toolAnswer } from "../../../src/integrations/mcp/content.ts";

test("every part of an answer has its text", () => {
  const content = [
    { type: "text", text: "one\u001b[2J" },
    { type: "image", mimeType: "image/png", data: "AAAA".repeat(1_000) },
    { type: "audio", mimeType: "audio/wav", data: "AAA=" },
    { type: "resource", resource: { uri: "a:b", text: "two" } },
    { type: "resource", resource: { uri: "a:b", mimeType: "x/y", blob: "AAAA" } },
    { type: "resource_link", name: "n", uri: "a:c" },
    { type: "new" },
  ];
  expect(toolAnswer({ content, structuredContent: { a: 1 } })).toEqual({
    text: [
      "one\\u{1b}[2J",
      "[image image/png, 3,000 bytes]",
      "[audio audio/wav, 2 bytes]",
      "two",
      "[resource x/y, 3 bytes]",
      "[link n: a:c]",
      "[a part of a kind that is not known]",
    ].join("\n"),
    isError: false,
  });
});

test("a structure is the answer where there is no text; an error says so", () => {
  expect(toolAnswer({ content: [], structuredContent: { a: 1 }, isError: true })).toEqual({
    text: '{"a":1}',
    isError: true,
  });
});

test("of a long answer the beginning and the end are kept, with a note of what is not", () => {
  const { text } = toolAnswer({ content: [{ type: "text", text: `${"a".repeat(30_000)}${"b".repeat(30_000)}` }] });
  expect(text).toBe(`${"a".repeat(20_000)}\n[… 20,000 characters are left out here …]\n${"b".repeat(20_000)}`);
});

test("an answer of any other shape is what can be read of it", () => {
  for (const odd of [null, 5, [], { content: "x" }, { content: [null] }]) expect(toolAnswer(odd).isError).toBe(false);
});

test("resources and prompts are read to text", () => {
  expect(resourceAnswer({ contents: [{ text: "a" }, { blob: "AAAA", mimeType: "x/y" }] }).text).toBe(
    "a\n[resource x/y, 3 bytes]",
  );
  const messages = [
    { role: "user", content: { type: "text", text: "Hello" } },
    { role: "assistant", content: { type: "text", text: "Hi" } },
  ];
  expect(promptAnswer({ messages }).text).toBe("Hello\n(answered before: Hi)");
});
