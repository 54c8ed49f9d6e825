import { describe, expect, test } from "vitest";
import { expectedText, wholeText } from "./expected-text.ts";
import { checkFlow } from "./flow-contract.ts";
import { type Flow, playedAnswers, replyToFlow, startFlow } from "./index.ts";
import { ladderLine } from "./ladder.ts";
import type { InteractionRequest } from "./request.ts";
import { checkResponse } from "./response.ts";

const port = { pattern: "[1-9][0-9]{0,4}", description: "a port such as 8080" };
const request: InteractionRequest = {
  ...{ interaction_id: "q1", kind: "question", question: "Which port?", options: [] },
  ...{ allow_free_text: true, allow_cancel: true, response_schema: port },
};
const say = (free_text: string, more: Partial<InteractionRequest> = {}) =>
  checkResponse({ ...request, ...more }, { interaction_id: "q1", free_text, cancelled: false });
const invalid = (detail: string) => ({ type: "invalid", code: "invalid_response", detail });

describe("a text that must match a pattern", () => {
  test("is an answer when all of it does", () => {
    expect(say("8080")).toEqual({ type: "valid", answer: { type: "free-text", text: "8080" } });
    for (const text of ["0", "8080 ", "8080\n", "port 8080", "808080"]) {
      expect(say(text), text).toEqual(invalid("expected a port such as 8080"));
    }
  });

  test("is held against it also where it is a secret, and is not told", () => {
    expect(say("hunter2", { sensitive: true })).toEqual(invalid("expected a port such as 8080"));
    expect(say("80", { sensitive: true }).type).toBe("valid");
  });

  test("is told by the pattern where there are no words for it", () => {
    expect(say("x", { response_schema: { pattern: "\\d+" } })).toEqual(invalid("expected a text that matches \\d+"));
  });

  test("matches characters, not halves of them, and either of two whole alternatives", () => {
    expect(say("😀", { response_schema: { pattern: "." } }).type).toBe("valid");
    expect(say("ab", { response_schema: { pattern: "a|b" } }).type).toBe("invalid");
  });

  test("never does where the pattern is none", () => {
    expect(say("a", { response_schema: { pattern: "(" } })).toEqual(invalid("expected a text that matches ("));
  });

  test("may still be empty where that is an answer and matches", () => {
    expect(say("", { response_schema: { minLength: 0, pattern: "x*" } }).type).toBe("valid");
    expect(say("", { response_schema: { minLength: 0, pattern: "x+" } }).type).toBe("invalid");
  });
});

test("what says nothing of a pattern expects nothing", () => {
  for (const schema of [undefined, null, "x", [], { minLength: 0 }, { pattern: 7 }])
    expect(expectedText(schema)).toBeNull();
});

test("what is expected is told in one line, in which nothing hides, and not at any length", () => {
  expect(expectedText({ pattern: "a", description: "a\u001b[2J\nb" })?.told).toBe("a\\u{1b}[2J\\nb");
  expect(expectedText({ pattern: "a", description: "x".repeat(300) })?.told).toBe(`${"x".repeat(200)} …`);
});

test("a bracket that only the bracket around it would open or close makes no pattern", () => {
  expect(wholeText("a)|(?:b")).toBeNull();
  expect(wholeText("a|b")?.source).toBe("^(?:a|b)$");
});

test("a flow whose pattern is none is no flow", () => {
  const step = { key: "port", question: "Which port?", options: [], allow_free_text: true };
  expect(checkFlow({ steps: [{ ...step, response_schema: { pattern: "(" } }] })).toEqual([
    { code: "pattern-invalid", detail: 'step 1 (port): expected a regular expression, found "("' },
  ]);
  expect(checkFlow({ steps: [{ ...step, response_schema: port }] })).toEqual([]);
});

test("the person reads what is expected at every step of the ladder, and is asked the same again", () => {
  const lines = [1, 2, 3, 4].map((attempt) => ladderLine(request, attempt, "expected a port such as 8080"));
  const told = "Not an answer: expected a port such as 8080.";
  expect(lines).toEqual([told, told, "Type a port such as 8080.", "STEP_ABORT"]);
});

test("an answer of a flow that does not match costs an attempt, and the step is asked again", () => {
  const step = { key: "port", question: "Which port?", options: [{ id: "1", label: "8080" }], allow_free_text: true };
  const flow: Flow = { steps: [{ ...step, response_schema: port }] };
  const again = replyToFlow(startFlow(flow), "eighty");
  expect([again.final, again.attempts, again.notice]).toEqual([
    ...["open", 1],
    "Not an answer: expected a port such as 8080.",
  ]);
  // An option is an answer, whatever a text would have to be.
  expect(playedAnswers(replyToFlow(again, "1"))).toEqual({ port: 1 });
  expect(playedAnswers(replyToFlow(again, "/text 8081"))).toEqual({ port: "8081" });
});
