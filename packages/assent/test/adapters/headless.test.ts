import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { exitCodes, follow } from "../../src/adapters/headless/index.ts";
import { Bench, one } from "../runtime/asking-bench.ts";

test("a question of a call that runs is not parked: the call is told that nobody is there, and goes on to its end", async () => {
  const bench = new Bench(async ({ form, signal }) => {
    const end = await form(one);
    // Whoever left the session by now would have ended it.
    for (let rounds = 0; rounds < 20; rounds++) await new Promise(setImmediate);
    return signal.aborted ? "it was ended" : JSON.stringify(end);
  });
  bench.enter();
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const code = await follow({
    ...{ host: bench.host, session: bench.session, exchange: 1, after: 0, joins: false },
    ...{ person: { name: "ada", adapter: "test" }, terminal: null, unattended: "park", json: false, stdout, stderr },
  });
  for (const stream of [stdout, stderr]) stream.end();
  expect(await text(stdout)).toBe('{"type":"unanswered","why":"nobody"}\n');
  expect(code).toBe(exitCodes.refused);
  expect(await bench.end()).toBe('{"type":"unanswered","why":"nobody"}');
});
