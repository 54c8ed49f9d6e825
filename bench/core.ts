// What the pure core and its encoding cost on this machine. `npm run bench`; the figures go nowhere but the screen.
import { performance } from "node:perf_hooks";
import {
  decide,
  evolve,
  fold,
  type InputBody,
  newSession,
  nextWork,
  type SessionEvent,
} from "../packages/assent/src/core/index.ts";
import { decodeEvent, encodeEvent } from "../packages/assent/src/wire/index.ts";

const by = { name: "bench", adapter: "bench" };
const usage = { input: 1_000, output: 50, cached: 900 };
const limits = { turns: 1_000_000, iterations: 1_000_000, repeats: 1_000_000 };

/** One long run: each turn one command, judged, started and finished. */
function* inputs(turns: number): Generator<InputBody> {
  yield { type: "creation", session: "bench", cwd: "/project", limits };
  yield { type: "prompt", text: "go", delivery: "now", entry: "typed", by, authority: "act" };
  yield reply(1, { type: "agentic", objective: "go on" }, "agentic");
  for (let turn = 2; turn <= turns; turn++) {
    const call = `t${turn}c1`;
    yield reply(turn, { type: "tool", parallel: false, command: "make test" }, "terminal");
    yield {
      type: "verdicts",
      verdicts: [{ call, verdict: "allow", rule: "r", reason: "harmless", digest: "d", facts: null }],
    };
    yield { type: "tool-start", call, digest: "d" };
    yield { type: "tool-result", call, result: { type: "output", text: `all ${turn} tests passed`, exit: 0 } };
  }
}

function reply(request: number, asks: Parameters<typeof call>[0], tool: string): InputBody {
  return {
    type: "model-result",
    request,
    result: { type: "replied", text: "", calls: [call(asks, tool)], usage },
  };
}

function call(
  asks: { type: "agentic"; objective: string } | { type: "tool"; parallel: boolean; command: string },
  tool: string,
) {
  return { id: "call_0", tool, arguments: JSON.stringify(asks), asks };
}

function measure<T>(work: () => T): { result: T; seconds: number } {
  const begin = performance.now();
  const result = work();
  return { result, seconds: (performance.now() - begin) / 1_000 };
}

function best<T>(work: () => T): { result: T; seconds: number } {
  return Array.from({ length: 5 }, () => measure(work)).reduce((one, other) =>
    one.seconds < other.seconds ? one : other,
  );
}

const turns = 16_700;
const all = [...inputs(turns)];
const decided = best(() => {
  let session = newSession();
  const events: SessionEvent[] = [];
  for (const [at, input] of all.entries()) {
    for (const event of decide(session, { ...input, at }).events) {
      session = evolve(session, event);
      events.push(event);
    }
  }
  return { session, events };
});
const events = decided.result.events.slice(0, 100_000);
const folded = best(() => fold(events));
const encoded = best(() => events.map((event, index) => encodeEvent({ seq: index + 1, session: "bench", event })));
const decoded = best(() => encoded.result.map(decodeEvent));
const request = best(() => nextWork(decided.result.session));

line("fold", `${events.length} events in ${milliseconds(folded.seconds)}`, "at most 500 ms");
line("decide + evolve", `${rate(all.length / decided.seconds)} inputs a second`, "at least 100,000");
line("encode", `${rate(events.length / encoded.seconds)} events a second`);
line("decode", `${rate(events.length / decoded.seconds)} events a second`);
line("next request", `after ${turns} turns in ${milliseconds(request.seconds)}`);

function line(what: string, figure: string, goal = ""): void {
  process.stdout.write(`${what.padEnd(16)} ${figure.padEnd(40)} ${goal}\n`);
}

function milliseconds(seconds: number): string {
  return `${(seconds * 1_000).toFixed(seconds < 0.01 ? 2 : 0)} ms`;
}

function rate(perSecond: number): string {
  return Math.round(perSecond).toLocaleString("en");
}
