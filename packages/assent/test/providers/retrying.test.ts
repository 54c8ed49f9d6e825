import { expect, test } from "vitest";
import { type Tried, withRetries } from "../../src/providers/retrying.ts";
import type { ModelAnswer, ModelQuestion, Retry } from "../../src/runtime/ports.ts";
import { verifies } from "../requirements/verifies.ts";
import { settled, VirtualClock } from "../simulation/virtual-clock.ts";

const question: ModelQuestion = {
  session: "s",
  number: 1,
  wanted: "reply",
  system: "",
  tools: [],
  request: { messages: [], closing: "hello", tools: "none", regeneration: 0 },
};
const usage = { input: 0, output: 0, cached: 0 };
const fine: Tried = { type: "replied", text: "fine", calls: [], usage };

function failing(partial = "", more: Partial<Extract<Tried, { type: "failed" }>> = {}): Tried {
  const failure = { class: "overloaded", detail: "HTTP 529", remedy: "wait", partial };
  return { type: "failed", failure, again: true, retryAfterMs: null, ...more };
}

/** Plays the tries one after the other, with time that passes at once, or not at all when `stopAt` is reached. */
async function play(
  tries: readonly Tried[],
  given: { retries?: number; random?: number; stopAt?: number; how?: "kill" | "graceful" } = {},
) {
  const clock = new VirtualClock();
  const began = clock.now();
  const [stop, stopping] = [new AbortController(), new AbortController()];
  const told: Retry[] = [];
  let asked = 0;
  const answers: ModelAnswer[] = [];
  const once = async () => tries[asked++] ?? fine;
  const ask = withRetries(once, { retries: given.retries ?? 3, clock, random: () => given.random ?? 0 });
  const onRetry = (retry: Retry) => told.push(retry);
  const asking = ask(question, { signal: stop.signal, stopping: stopping.signal, onText: () => {}, onRetry });
  void asking.then((answer) => answers.push(answer));
  for (await settled(); answers.length === 0; await settled()) {
    if (told.length === given.stopAt) (given.how === "graceful" ? stopping : stop).abort();
    else clock.advance();
  }
  return {
    answer: await asking,
    asked,
    delays: told.map(({ delay_ms }) => delay_ms),
    told,
    waited: clock.now() - began,
  };
}

test("a reply is handed on, and nothing is asked again", async () => {
  expect(await play([fine])).toMatchObject({ answer: fine, asked: 1, told: [] });
});

test("a failure that may pass is tried again, and whoever watches is told which try comes next and when", async () => {
  const { answer, asked, told } = await play([failing("half"), fine]);
  expect(answer).toEqual(fine);
  expect(asked).toBe(2);
  const failure = { class: "overloaded", detail: "HTTP 529", remedy: "wait", partial: "half" };
  expect(told).toEqual([{ attempt: 2, most: 4, delay_ms: 250, failure }]);
});

test("after the last try the failure says how many there were and keeps the longest text that came", async () => {
  const { answer, asked } = await play([failing("a"), failing("longest"), failing("ab"), failing("")]);
  const detail = "HTTP 529; tried 4 times";
  expect(answer).toEqual({
    type: "failed",
    failure: { class: "overloaded", detail, remedy: "wait", partial: "longest" },
  });
  expect(asked).toBe(4);
});

test("delays double from half a second to eight seconds and lie in the upper half of that", async () => {
  const many = Array.from({ length: 8 }, () => failing());
  expect((await play(many, { retries: 7, random: 0 })).delays).toEqual([250, 500, 1_000, 2_000, 4_000, 4_000, 4_000]);
  expect((await play(many, { retries: 7, random: 1 })).delays).toEqual([500, 1_000, 2_000, 4_000, 8_000, 8_000, 8_000]);
});

test("a server that says when it wants to be asked again is obeyed to the millisecond", async () => {
  const { delays, waited } = await play([failing("", { retryAfterMs: 59_999 }), fine], { random: 1 });
  expect({ delays, waited }).toEqual({ delays: [59_999], waited: 59_999 });
});

test("what will not pass is not tried again, and does not speak of tries", async () => {
  const { answer, asked } = await play([failing("", { again: false })]);
  const failure = { class: "overloaded", detail: "HTTP 529", remedy: "wait", partial: "" };
  expect({ answer, asked }).toEqual({ answer: { type: "failed", failure }, asked: 1 });
});

test("a failure that will not pass ends the tries that another one began", async () => {
  const { answer, asked } = await play([failing("text"), failing("", { again: false })]);
  expect(answer).toMatchObject({ failure: { detail: "HTTP 529; tried 2 times", partial: "text" } });
  expect(asked).toBe(2);
});

test("an overflow is never tried again, also as a second answer", async () => {
  const overflow: Tried = { type: "overflow", detail: "too long" };
  expect(await play([overflow])).toMatchObject({ answer: overflow, asked: 1 });
  expect(await play([failing(), overflow])).toMatchObject({ answer: overflow, asked: 2 });
});

test("without retries there is one try", async () => {
  expect(await play([failing()], { retries: 0 })).toMatchObject({ asked: 1, told: [] });
});

test("a stop during the wait ends it at once, and nothing is sent any more", async () => {
  const { answer, asked, waited } = await play([failing(), failing(), fine], { stopAt: 2 });
  expect({ answer, asked, waited }).toEqual({ answer: { type: "abandoned" }, asked: 2, waited: 250 });
});

test("what had come before a stop is kept, of whichever try it was most", async () => {
  const cut: Tried = { type: "abandoned", partial: "half of" };
  expect((await play([cut])).answer).toEqual({ type: "abandoned", partial: "half of" });
  expect((await play([failing("half of it"), cut])).answer).toEqual({ type: "abandoned", partial: "half of it" });
  expect((await play([failing("half"), fine], { stopAt: 1 })).answer).toEqual({ type: "abandoned", partial: "half" });
});

verifies("STOP-1e", "once a person wants to stop nothing is sent again, neither at once nor after a wait", async () => {
  const { answer, asked, waited } = await play([failing(), failing("half"), fine], { stopAt: 2, how: "graceful" });
  const failure = { class: "overloaded", detail: "HTTP 529; tried 2 times", remedy: "wait", partial: "half" };
  expect({ answer, asked, waited }).toEqual({ answer: { type: "failed", failure }, asked: 2, waited: 250 });
});

test.each([
  ["signal", { type: "abandoned" }],
  ["stopping", { type: "failed", failure: { class: "overloaded", detail: "HTTP 529", remedy: "wait", partial: "" } }],
] as const)("a stop by %s that came with the failure lets no retry be told", async (which, expected) => {
  const stops = { signal: new AbortController(), stopping: new AbortController() };
  const once = async () => {
    stops[which].abort();
    return failing();
  };
  const told: Retry[] = [];
  const ask = withRetries(once, { retries: 3, clock: new VirtualClock(), random: () => 0 });
  const { signal } = stops.signal;
  const watched = {
    signal,
    stopping: stops.stopping.signal,
    onText: () => {},
    onRetry: (retry: Retry) => told.push(retry),
  };
  expect({ answer: await ask(question, watched), told }).toEqual({ answer: expected, told: [] });
});
