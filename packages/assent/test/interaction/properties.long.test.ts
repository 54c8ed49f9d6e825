import { expect, test } from "vitest";
import { checkSequence } from "./properties/index.ts";

/** `INTERACTION_SEQUENCES=200000 npx vitest run interaction/properties` plays more; `SEED=<seed>` the one of a failure. */
const sequences = Number(process.env["INTERACTION_SEQUENCES"] ?? 10_000);
const { SEED: onlySeed } = process.env;
const perReport = 10_000;

test("every sequence of replies ends in one way, changes no block, and means the same in every way it is given", async () => {
  if (onlySeed !== undefined) {
    checkSequence(Number(onlySeed));
    return;
  }
  const seen = new Map<string, number>();
  for (let seed = 1; seed <= sequences; seed++) {
    for (const [name, times] of checkSequence(seed)) seen.set(name, (seen.get(name) ?? 0) + times);
    if (seed % perReport === 0 && sequences > perReport) await tell(seed);
  }
  if (process.env["INTERACTION_SEEN"]) process.stdout.write(`${JSON.stringify([...seen].sort(), null, 1)}\n`);
  if (sequences < 10_000) return;
  // A sequence that never meets an end, or a kind of reply at a kind of question, proves nothing about it.
  expect(everything.filter((name) => !seen.has(name))).toEqual([]);
}, 86_400_000);

/** The reporter runs beside: it prints while this waits. */
async function tell(done: number): Promise<void> {
  process.stdout.write(`${done.toLocaleString("en")} of ${sequences.toLocaleString("en")} sequences\n`);
  await new Promise((resolve) => setTimeout(resolve, 10));
}

const readings = ["selected", "free-text", "confirmed", "compact", "flow-cancel", "stop", "command", "invalid"];
const purposes: Readonly<Record<string, readonly string[]>> = {
  question: readings.filter((reading) => reading !== "compact" && reading !== "confirmed"),
  approval: readings.filter((reading) => reading !== "compact" && reading !== "selected"),
  "turn-limit": ["confirmed", "flow-cancel", "stop", "command", "invalid"],
  "terminal-input": ["free-text", "selected", "flow-cancel", "stop", "command", "invalid"],
  "final-text": ["free-text", "selected", "flow-cancel", "stop", "command", "invalid"],
  flow: readings,
};
const everything = [
  ...["answered", "declined", "cancelled", "aborted", "expired", "withdrawn"].map((state) => `interaction ${state}`),
  ...["open", "confirmed", "cancelled", "step_abort", "stopped"].map((final) => `flow ${final}`),
  ...["confirmed", "cancelled", "aborted", "expired", "stopped", "nobody", "call-ended"].map(
    (end) => `session flow ${end}`,
  ),
  ...Object.entries(purposes).flatMap(([purpose, all]) => all.map((reading) => `${purpose} ${reading}`)),
  ...["restart", "edit", "pairs", "answers to a running call"],
];
