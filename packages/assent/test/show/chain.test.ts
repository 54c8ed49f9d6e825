import { expect, test } from "vitest";
import type { ChainCheck } from "../../src/runtime/index.ts";
import { chainLines, chainMark } from "../../src/show/index.ts";

const head = "ab".repeat(32);
const whole: ChainCheck = { session: "s", events: 9, before: 0, head, found: null, breaks: [], more: 0 };
const broken = {
  seq: 3,
  what: "changed",
  reason: "it is not as it was recorded",
  type: "call.judged",
  call: "t\u202e1",
} as const;

test.each<[string, Partial<ChainCheck>, readonly string[]]>([
  ["all is whole", {}, [`9 events as they were recorded; head sha256:${head}`]],
  [
    "some are of before there were hashes",
    { before: 4 },
    [`9 events, 4 of them from before there were hashes, the others as they were recorded; head sha256:${head}`],
  ],
  [
    "all are",
    { before: 9, head: null },
    ["9 events from before there were hashes: whether they were changed cannot be told"],
  ],
  [
    "something was changed",
    { breaks: [broken], more: 7 },
    [
      `9 events; head sha256:${head}`,
      "event 3 (call.judged, call t\\u{202e}1): it is not as it was recorded",
      "and 7 more",
    ],
  ],
  ["there is one", { events: 1 }, [`1 event as it was recorded; head sha256:${head}`]],
])("of a chain it is told that %s", (_what, check, expected) => {
  expect(chainLines({ ...whole, ...check })).toEqual(expected);
});

test("only what has hashes is called well", () => {
  expect(chainMark(whole)).toBe("ok");
  expect(chainMark({ ...whole, before: 4 })).toBe("ok");
  expect(chainMark({ ...whole, before: 9 })).toBe("??");
  expect(chainMark({ ...whole, breaks: [broken] })).toBe("!!");
  // A session that is listed has events.
  expect(chainMark({ ...whole, events: 0 })).toBe("??");
  expect(chainLines({ ...whole, events: 0, head: null })).toEqual(["no events"]);
});
