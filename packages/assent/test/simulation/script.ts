import { continuationLine } from "../../src/core/index.ts";
import type { ModelAnswer, ModelQuestion, RawCall } from "../../src/runtime/index.ts";
import { Random } from "./random.ts";

const usage = { input: 3, output: 2, cached: 0 };
/** From this request on, the model comes to an end. */
const lastRequest = 10;

/** What the simulated model says to one request: the same for the same seed, also when it is asked again. */
export function replyTo({ number, wanted, request }: ModelQuestion, seed: number): ModelAnswer {
  const random = new Random(seed, number, 3);
  if (wanted === "summary") return { type: "replied", text: "a summary", calls: [], usage };
  if (number >= lastRequest || request.tools === "none") return ending(request.closing.includes(continuationLine));
  const kind = random.weighted({ calls: 20, text: 3, overflow: 1, failure: 1 });
  switch (kind) {
    case "overflow":
      return { type: "overflow", detail: "too long" };
    case "failure": {
      const failure = { class: "outage", detail: "no answer", remedy: "try again", partial: "" };
      return { type: "failed", failure };
    }
    case "text":
      return { type: "replied", text: "some text", calls: [], usage };
    case "calls": {
      // The same ids over and over, now and then also within one reply: some providers do that.
      const twice = random.chance(0.1);
      const calls = Array.from({ length: 1 + random.below(3) }, (_, index) => ({
        ...oneCall(random, number),
        id: twice ? "same" : `same ${index}`,
      }));
      return { type: "replied", text: random.chance(0.5) ? "and now" : "", calls, usage };
    }
    default:
      return kind satisfies never;
  }
}

function ending(inRun: boolean): ModelAnswer {
  const calls = inRun ? [call("complete", { result: "all done", status: "success" })] : [];
  return { type: "replied", text: "the end", calls, usage };
}

function oneCall(random: Random, number: number): RawCall {
  const kind = random.weighted({ allowed: 4, asking: 4, ask: 2, agentic: 2, complete: 1, unknown: 1, broken: 1 });
  switch (kind) {
    case "allowed":
      return call("terminal", { command: `echo ${number} ${random.below(1_000)}` });
    case "asking":
      return call("terminal", { command: `touch file-${random.below(3)}` });
    case "ask":
      return call("ask", { question: "Which one is right?", options: ["First", "Second"] });
    case "agentic":
      return call("agentic", { user_prompt: "go", objective: "get there" });
    case "complete":
      return call("complete", { result: "done", status: random.chance(0.5) ? "success" : "partial" });
    case "unknown":
      return call("teleport", {});
    case "broken":
      return { id: "same", tool: "terminal", arguments: '{"command": ' };
    default:
      return kind satisfies never;
  }
}

function call(tool: string, given: object): RawCall {
  return { id: "same", tool, arguments: JSON.stringify(given) };
}
