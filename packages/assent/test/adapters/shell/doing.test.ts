import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Doing } from "../../../src/adapters/shell/doing.ts";
import type { Entered } from "../../../src/adapters/shell/entering.ts";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function slow() {
  const seen: string[] = [];
  const doing: Doing = new Doing(() => seen.push(doing.what));
  const end = Promise.withResolvers<Entered>();
  const signals: AbortSignal[] = [];
  const entered = doing.during("/integrations verify", (signal) => {
    signals.push(signal);
    return end.promise;
  });
  return { doing, seen, end, entered, isAborted: () => signals[0]?.aborted };
}

test("a line that is done soon is never under way, and there is nothing to give up", async () => {
  const { doing, seen, end, entered } = slow();
  await vi.advanceTimersByTimeAsync(100);
  expect([doing.what, doing.giveUp()]).toEqual(["", false]);
  end.resolve({ said: [] });
  expect(await entered).toEqual({ said: [] });
  await vi.advanceTimersByTimeAsync(1_000);
  expect(seen).toEqual([]);
});

test("one that takes its time is shown, and given up at once whatever it does", async () => {
  const { doing, seen, entered, isAborted } = slow();
  await vi.advanceTimersByTimeAsync(200);
  expect(seen).toEqual(["/integrations verify"]);
  expect([doing.giveUp(), isAborted()]).toEqual([true, true]);
  const { said } = await entered;
  expect(said.map(({ text }) => text)).toEqual(["/integrations verify", "not waited for any longer"]);
  expect([doing.what, doing.giveUp()]).toEqual(["", false]);
});

test("what is no command is entered as it is, so that it is shown before what follows from it", () => {
  const entered = Promise.resolve({ said: [] });
  expect(new Doing(() => {}).during("yes", () => entered)).toBe(entered);
});
