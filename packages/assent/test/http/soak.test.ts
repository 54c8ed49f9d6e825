/** A few seconds of the soak: `npm run campaign soak` is ten minutes of it, and only that is held to figures of memory and descriptors. */
import { expect, test } from "vitest";
import { heldBy } from "../../../../campaigns/soak/samples.ts";
import { campaign } from "../../../../campaigns/soak.ts";

test.skipIf(process.platform !== "linux")(
  "a server and a run at work come to their end, and leave nothing running (needs Linux)",
  async () => {
    const { counts, violations } = await campaign({ minutes: 0.12, judgesGrowth: false });
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ "left running": 0 });
    expect(counts["exchanges"]).toBeGreaterThan(3);
    expect(counts["turns of the run"]).toBeGreaterThan(1);
  },
  120_000,
);

/** Ten minutes that go up by so many bytes a second, with garbage that waits for minutes, and a collection every ten seconds. */
function held(grows: number) {
  const seconds = Array.from({ length: 600 }, (_, second) => second);
  const samples = seconds.map((second) => {
    return { seconds: second, bytes: 100e6 + second * grows + (second % 200) * 1e5, descriptors: 40 + (second % 7) };
  });
  const collections = seconds
    .filter((second) => second % 10 === 0)
    // Until it is warm it grows fast.
    .map((second) => ({ seconds: second, bytes: 100e6 + Math.min(second, 150) * 1e6 + second * grows, heap: 30e6 }));
  return heldBy(samples, collections, 150);
}

test("what is fitted is what a collection leaves, from the end of the warm-up on", () => {
  const megabyte = 1_048_576;
  expect(held(0)).toMatchObject({ slope: expect.closeTo(0), heapSlope: expect.closeTo(0) });
  expect(held(megabyte / 20)).toMatchObject({ slope: expect.closeTo(3), heapSlope: expect.closeTo(0) });
  expect(held(0).descriptors).toEqual({ first: 40, last: 40, most: 46 });
});
