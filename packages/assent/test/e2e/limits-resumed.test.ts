import { describe, expect } from "vitest";
import type { ScriptEntry } from "../../src/testing/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { ModelPlace } from "./model-place.ts";

const usage = { input: 100, output: 10 };
const agentic: ScriptEntry = {
  calls: [{ tool: "agentic", arguments: { user_prompt: "do it", objective: "it is done" } }],
  usage,
};
const step = (line: string): ScriptEntry => ({ calls: [{ tool: "terminal", arguments: { command: line } }], usage });
const outage: ScriptEntry = { fault: { status: 503 } };
/** The model fails again and again, and would never be done. */
const flaky = ["a", "b", "c", "d", "e"].flatMap((name) => [step(`echo ${name}`), outage]);

/** Resumed until the exchange ends otherwise than by an outage, ten times at most. */
async function untilEnded(place: ModelPlace, ...flags: readonly string[]) {
  const runs = [await place.assent("run", ...flags, "do it")];
  const session = await place.session();
  while (runs.at(-1)?.status === 1 && runs.length < 10) runs.push(await place.assent("resume", session));
  return runs;
}

describe("a run that goes on after the model failed", () => {
  verifies(["LIM-3d", "LOOP-4a"], "goes on counting its iterations", async () => {
    const place = await ModelPlace.open("openai-chat", [agentic, ...flaky]);
    const runs = await untilEnded(place, "--max-iterations", "3");
    expect(runs.map(({ status }) => status)).toEqual([1, 1, 5]);
    expect(runs.at(-1)?.stderr).toContain("system  iteration 3\n");
    expect(runs.at(-1)?.stderr).toContain(
      "ended: iteration-limit: the limit on iterations (--max-iterations) was reached",
    );
  });

  verifies(["LIM-3d", "LOOP-5a"], "goes on counting its tokens and calls", async () => {
    const tokens = await ModelPlace.open("openai-chat", [agentic, ...flaky]);
    // 110 a reply; the one that opens the run is none of it.
    expect((await untilEnded(tokens, "--max-tokens", "330")).map(({ status }) => status)).toEqual([1, 1, 5]);
    const calls = await ModelPlace.open("openai-chat", [agentic, ...flaky]);
    expect((await untilEnded(calls, "--max-calls", "2")).map(({ status }) => status)).toEqual([1, 5]);
  });

  verifies("LIM-3d", "leaves them behind when a person says something new", async () => {
    const place = await ModelPlace.open("openai-chat", [
      agentic,
      step("echo a"),
      outage,
      agentic,
      step("echo b"),
      outage,
    ]);
    const { status } = await place.assent("run", "--max-iterations", "2", "do it");
    expect(status).toBe(1);
    const { stderr } = await place.assent("run", "--session", await place.session(), "do something else");
    expect(stderr).toContain("system  iteration 1\n");
    expect(stderr).toContain("ended: failed");
  });
});
