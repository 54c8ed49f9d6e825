import { expect, test } from "vitest";
import { readStreams } from "../../../../campaigns/streams.ts";
import { goldens } from "./streams/goldens.ts";
import { checkStream, describe, sound } from "./streams/index.ts";
import { serveStreams } from "./streams/served.ts";

// Many more by `npm run campaign streams`; `STREAM=<seed>:<number>` looks at the one of a failure.
const { STREAM: only } = process.env;

test("sound streams are read with every call as it was sent", () => {
  const outcomes = new Set<string>();
  for (const golden of goldens) {
    const { reading, outcome } = sound(golden);
    outcomes.add(outcome);
    if (outcome !== "replied" || golden.name === "cut") continue;
    const sent = golden.calls.map(({ id, tool, pieces }) => ({ id, tool, arguments: pieces.join("") }));
    expect(reading.calls, golden.name).toEqual(sent);
  }
  expect([...outcomes].sort()).toEqual(["error", "filtered", "half", "malformed", "replied"]);
});

test("a stream that is asked for by its number is read without a fault", () => {
  const [seed = 1, number = 0] = (only ?? "1:0").split(":").map(Number);
  const checked = checkStream(seed, number);
  if (checked.problems.length > 0) expect.fail(describe(checked, `${seed}:${number}`));
});

test("whatever is done to a stream, it is read without a fault, and the next request is valid", () => {
  const { counts, violations } = readStreams(20_000, 1);
  expect(violations).toEqual([]);
  // Streams that never end in one of the ways prove nothing about it.
  expect(counts.size).toBe(15);
}, 300_000);

test("over real connections every stream is an answer, and nothing is left of it", async () => {
  const { outcomes, problems } = await serveStreams(2, 400);
  expect(problems).toEqual([]);
  expect([...outcomes.keys()].sort()).toEqual(["failed", "replied"]);
});
