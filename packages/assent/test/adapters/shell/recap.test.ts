import { expect } from "vitest";
import { saidRecap } from "../../../src/adapters/shell/recap.ts";
import { plainLines } from "../../../src/show/index.ts";
import type { ScriptedReply } from "../../../src/wire/index.ts";
import { verifies } from "../../requirements/verifies.ts";
import { acting, TestPlace } from "../../slash/place.ts";

const run: ScriptedReply = {
  calls: [{ tool: "agentic", arguments: { user_prompt: "do it", objective: "it is done" } }],
};
const tooLong: ScriptedReply = { overflow: "too long" };
const summary: ScriptedReply = { text: "It began." };
const more = "shorten the prompt, start a new session, or go on with a model that takes more";
const way = "/model <provider:model>, then /resume s1";

/** What a session says of itself to whoever comes back to it. */
async function recap(...replies: readonly ScriptedReply[]): Promise<readonly string[]> {
  const place = new TestPlace({ replies });
  place.prompt("do it");
  await place.work();
  // After what it is called and who works on it.
  return plainLines(saidRecap(place.host, "s1")).split("\n").slice(2, -1);
}

verifies("SESS-3c", "what outgrew its model is told again with the way on, whatever came of its summary", async () => {
  const without = "the history does not fit, and the model gave no summary of it";
  for (const [replies, detail] of [
    [[tooLong, summary, tooLong, tooLong], "too long"],
    [[run, tooLong, summary, tooLong, { text: "No more." }], "too long"],
    [[run, tooLong, { text: " " }, { text: "No more." }], without],
  ] as const) {
    expect(await recap(...replies)).toEqual([
      "prompt  do it",
      `system  the model failed (overflow): ${detail}; ${more}: ${way}`,
    ]);
  }
});

verifies("SESS-3c", "a summary that failed says nothing of what can be gone on with", async () => {
  const place = new TestPlace({ replies: [{ text: "Hello." }, tooLong] });
  place.prompt("hello");
  await place.work();
  place.submit({ type: "compaction", ...acting });
  await place.pass();
  expect(plainLines(saidRecap(place.host, "s1")).split("\n")).toContain("system  ended: failed");
  expect(plainLines(saidRecap(place.host, "s1"))).not.toContain("/resume");
});
