import { expect, test } from "vitest";
import { samplingBy } from "../../src/cli/integrating.ts";
import type { ModelAnswer, ModelQuestion } from "../../src/runtime/index.ts";

const usage = { input: 0, output: 0, cached: 0 };
const failure = { class: "rate-limited", detail: "429", remedy: "wait", partial: "" };
const asked = { system: "Be brief.", text: "user: What is new?", signal: new AbortController().signal };

test("a server that may have the model answer gets one request, without tools and without what was said in the session", async () => {
  const questions: ModelQuestion[] = [];
  const sample = samplingBy(async (question) => {
    questions.push(question);
    return { type: "replied", text: "Nothing.", calls: [], usage };
  });
  expect(await sample(asked)).toBe("Nothing.");
  expect(questions).toEqual([
    {
      ...{ session: "sampling", number: 1, wanted: "reply", system: "Be brief.", tools: [] },
      request: { messages: [], closing: "user: What is new?", tools: "none", regeneration: 0 },
    },
  ]);
});

test.each<[ModelAnswer, string]>([
  [{ type: "failed", failure }, "the model failed: 429"],
  [{ type: "overflow", detail: "too long" }, "what it asked is too long for the model"],
  [{ type: "abandoned" }, "the request to the model was stopped"],
])("what the model could not say is told: %j", async (answer, failed) => {
  expect(await samplingBy(async () => answer)(asked)).toEqual({ failed });
});
