import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { systemClock } from "../../src/runtime/index.ts";

test.each([2 ** 31, Number.MAX_SAFE_INTEGER])("a time of %d ms is not over at once", async (ms) => {
  let over = false;
  const cancel = systemClock.after(ms, () => {
    over = true;
  });
  await sleep(20);
  cancel();
  expect(over).toBe(false);
});
