import { expect, test } from "vitest";
import { costOf, windowOf, withCost } from "../../src/providers/windows.ts";
import type { ModelAnswer, ModelQuestion, Provider } from "../../src/runtime/ports.ts";

test.each([
  ["gpt-4o", 128_000],
  ["gpt-4o-mini-2024-07-18", 128_000],
  ["gpt-4.1-nano", 1_047_576],
  ["gpt-5", 400_000],
  ["gpt-5-mini", 400_000],
  ["gpt-5-chat-latest", 128_000],
  ["o3", 200_000],
  ["o4-mini", 200_000],
  ["o1-mini", 128_000],
  ["claude-sonnet-4-5", 200_000],
  ["anthropic/claude-3-haiku", 200_000],
  ["models/gemini-2.5-flash", 1_048_576],
  ["gpt-oss:20b", null],
  ["qwen3:8b", null],
  ["", null],
])("the window of %s is %s", (model, tokens) => {
  expect(windowOf(model)).toBe(tokens);
});

test.each([
  [{ input: 1_000_000, output: 0, cached: 0 }, 3],
  [{ input: 0, output: 1_000_000, cached: 0 }, 15],
  [{ input: 1_000_000, output: 0, cached: 1_000_000 }, 0.3],
  [{ input: 1_000_000, output: 100_000, cached: 500_000 }, 3.15],
  [{ input: 10, output: 0, cached: 1_000_000 }, 0.000003],
])("%j costs %f: what was kept has its own price", (usage, cost) => {
  expect(costOf(usage, { input: 3, output: 15, cached: 0.3 })).toBeCloseTo(cost, 12);
});

test("without a price for what was kept, it costs what input costs", () => {
  expect(costOf({ input: 1_000_000, output: 0, cached: 1_000_000 }, { input: 3, output: 15 })).toBe(3);
});

test("answers say what they cost where prices are known, and failures pass as they are", async () => {
  const failure = { class: "timeout", detail: "", remedy: "", partial: "" };
  const answers: ModelAnswer[] = [
    { type: "replied", text: "a", calls: [], usage: { input: 500_000, output: 0, cached: 0 } },
    { type: "failed", failure },
  ];
  const provider: Provider = { window: 7, ask: async ({ number }) => answers[number - 1] ?? { type: "abandoned" } };
  const priced = withCost(provider, { input: 2, output: 4 });
  const ask = (number: number) => {
    const request = { messages: [], closing: "", tools: "none", regeneration: 0 } as const;
    const question: ModelQuestion = { session: "s", number, wanted: "reply", system: "", tools: [], request };
    return priced.ask(question, { signal: new AbortController().signal, onText: () => {}, onRetry: () => {} });
  };
  expect(await ask(1)).toEqual({
    type: "replied",
    text: "a",
    calls: [],
    usage: { input: 500_000, output: 0, cached: 0, cost: 1 },
  });
  expect(await ask(2)).toEqual({ type: "failed", failure });
  expect(priced.window).toBe(7);
  expect(withCost(provider, null)).toBe(provider);
});
