/** A few seconds of the soak: `npm run campaign soak` is ten minutes of it, and only that is held to figures of memory. */
import { expect, test } from "vitest";
import { heldBy, type Sample } from "../../../../campaigns/soak/samples.ts";
import { campaign } from "../../../../campaigns/soak.ts";

test.skipIf(process.platform !== "linux")(
  "a server and a run at work keep no descriptor that they do not need, and leave nothing running (needs Linux)",
  async () => {
    const { counts, violations } = await campaign({ minutes: 0.12, judgesMemory: false });
    expect(violations).toEqual([]);
    expect(counts).toMatchObject({ "left running": 0 });
    expect(counts["exchanges"]).toBeGreaterThan(3);
    expect(counts["turns of the run"]).toBeGreaterThan(1);
  },
  120_000,
);

/** Ten minutes that go up by so many bytes a second, with a collection every 15 seconds. */
function samples(grows: number): readonly Sample[] {
  return Array.from({ length: 600 }, (_, seconds) => {
    return { seconds, bytes: 100e6 + seconds * grows + (seconds % 15) * 1e6, descriptors: 40 + (seconds % 7) };
  });
}

test("what is fitted is what a collection leaves, from the end of the warm-up on", () => {
  const megabyte = 1_048_576;
  expect(heldBy(samples(0), 150).slope).toBeCloseTo(0, 0);
  expect(heldBy(samples(megabyte / 20), 150).slope).toBeCloseTo(3, 0);
  const { descriptors, first, last } = heldBy(samples(megabyte / 60), 150);
  expect(descriptors).toEqual({ first: 40, last: 40, most: 46 });
  expect(last - first).toBeCloseTo(6, 0);
});
