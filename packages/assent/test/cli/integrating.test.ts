import { expect, test } from "vitest";
import { samplingBy } from "../../src/cli/integrating.ts";
import type { ModelAnswer, ModelQuestion } from "../../src/runtime/index.ts";

const usage = { input: 0, output: 0, cached: 0 };
const failure = { class: "rate-limited", detail: "429", remedy: "wait", partial: "" };
const asIs = (text: string) => text;
const asked = { system: "Be brief.", text: "user: What is new?", signal: new AbortController().signal };

test("a server that may have the model answer gets one request, without tools and without what was said in the session", async () => {
  const questions: ModelQuestion[] = [];
  const sample = samplingBy(async (question) => {
    questions.push(question);
    return { type: "replied", text: "Nothing.", calls: [], usage };
  }, asIs);
  expect(await sample(asked)).toBe("Nothing.");
  expect(questions).toEqual([
    {
      ...{ session: "sampling", number: 1, wanted: "reply", system: "Be brief.", tools: [] },
      request: { messages: [], closing: "user: What is new?", tools: "none", regeneration: 0 },
    },
  ]);
});

test("neither the model nor the server sees a value that is hidden from models", async () => {
  const questions: ModelQuestion[] = [];
  const hide = (text: string) => text.replaceAll("hunter-two", "[secret]");
  const sample = samplingBy(async (question) => {
    questions.push(question);
    return questions.length === 1
      ? { type: "replied", text: "You said hunter-two.", calls: [], usage }
      : { type: "failed", failure: { ...failure, detail: "no hunter-two" } };
  }, hide);
  const given = { ...asked, system: "Know hunter-two.", text: "What is hunter-two?" };
  expect(await sample(given)).toBe("You said [secret].");
  expect(await sample(given)).toEqual({ failed: "the model failed: no [secret]" });
  expect(questions[0]).toMatchObject({ system: "Know [secret].", request: { closing: "What is [secret]?" } });
});

test.each<[ModelAnswer, string]>([
  [{ type: "failed", failure }, "the model failed: 429"],
  [{ type: "overflow", detail: "too long" }, "what it asked is too long for the model"],
  [{ type: "abandoned" }, "the request to the model was stopped"],
])("what the model could not say is told: %j", async (answer, failed) => {
  expect(await samplingBy(async () => answer, asIs)(asked)).toEqual({ failed });
});
