import { describe, expect } from "vitest";
import type { ScriptEntry } from "../../src/testing/index.ts";
import { looseList } from "../../src/wire/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { type FormatName, formats, ModelPlace, messagesIn } from "./model-place.ts";

const turns = 200;
const opening: ScriptEntry = {
  calls: [{ tool: "agentic", arguments: { user_prompt: "count", objective: "count far" } }],
};
const closing: ScriptEntry = { calls: [{ tool: "complete", arguments: { result: "Counted.", status: "success" } }] };
const counting = (turn: number): ScriptEntry => ({
  text: `Turn ${turn}.`,
  reasoning: `thought ${turn}`,
  calls: [{ tool: "terminal", arguments: { command: `echo hi-${turn}` } }],
});
const script = [opening, ...Array.from({ length: turns }, (_, turn) => counting(turn + 1)), closing];

/** Where breakpoints of the cache stand is no part of what is cached: they move along with the end. */
const withoutMarks = (body: string) => body.replaceAll(',"cache_control":{"type":"ephemeral"}', "");

function commonLength(one: string, other: string): number {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return length;
}

/** Where the last user part of a request begins in its bytes, with the comma before it. */
function closingStart(body: string, format: FormatName): number {
  const last = messagesIn(JSON.parse(body)).at(-1) ?? {};
  const part = format === "anthropic" ? looseList(last["content"]).at(-1) : last;
  return body.lastIndexOf(JSON.stringify(part)) - 1;
}

/** All before the first message of a person: how the model is named, the system prompt, the tools. */
function headOf(body: string, format: FormatName): string {
  const first = messagesIn(JSON.parse(body)).find(({ role }) => role === "user");
  const head = body.slice(0, body.indexOf(JSON.stringify(first)));
  // Names the session to the cache; what is cached does not hold it.
  return format === "openai-responses" ? head.replace(/"prompt_cache_key":"\w+",/, "") : head;
}

const mean = (numbers: readonly number[]) => numbers.reduce((sum, each) => sum + each, 0) / numbers.length;

describe("in a run of two hundred turns", () => {
  for (const format of formats) {
    verifies(
      "STATE-1d",
      `each request repeats the one before up to its closing part, byte for byte, and adds as little as before: ${format}`,
      async () => {
        const place = await ModelPlace.open(format, script, { ASSENT_MAX_TURNS: "unlimited" });
        const ran = await place.assent("run", "--max-iterations", "250", "count");
        expect({ ...ran, stderr: "" }).toEqual({ status: 0, stdout: "Counted.\n", stderr: "" });
        const bodies = place.asked.map(({ body }) => withoutMarks(body));
        expect(bodies).toHaveLength(turns + 2);
        const steps = bodies.slice(1).map((body, index) => {
          const before = bodies[index] ?? "";
          const common = commonLength(before, body);
          return { early: closingStart(before, format) - common, added: body.length - common };
        });
        // Nothing differs before the closing part of the earlier one, which is found in each.
        expect(bodies.filter((body) => closingStart(body, format) < 1)).toEqual([]);
        expect(steps.filter(({ early }) => early > 0)).toEqual([]);
        const added = steps.slice(1).map((step) => step.added);
        // A digit more in the numbers of turns and in ids is all that the last ones have over the first ones.
        expect(mean(added.slice(-50)) - mean(added.slice(0, 50))).toBeLessThan(40);
        expect(Math.max(...added)).toBeLessThan(1_024);
      },
      60_000,
    );

    verifies("STATE-1d", `system prompt and tools are the same bytes in every session: ${format}`, async () => {
      const place = await ModelPlace.open(format, []);
      await place.assent("run", "one");
      await place.assent("run", "another, which is longer");
      const [one = "", other = ""] = place.asked.map(({ body }) => headOf(body, format));
      expect(other).toBe(one);
      expect(one.length).toBeGreaterThan(8_000);
      expect(one).toMatch(/"name":"terminal"/);
    });
  }
});
