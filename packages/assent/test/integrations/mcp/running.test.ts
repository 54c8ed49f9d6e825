import { expect, test } from "vitest";
import type { Flow } from "../../../src/core/index.ts";
import { Gate } from "../../../src/integrations/mcp/gate.ts";
import { usualLimits } from "../../../src/integrations/mcp/limits.ts";
import { Lines } from "../../../src/integrations/mcp/lines.ts";
import { Questions } from "../../../src/integrations/mcp/questions.ts";
import { Running } from "../../../src/integrations/mcp/running.ts";
import type { FormEnd } from "../../../src/integrations/types.ts";
import { verifies } from "../../requirements/verifies.ts";

/** A clock that a test moves on. */
class Hand {
  #now = 0;
  #waiting: { readonly at: number; readonly then: () => void }[] = [];
  now = () => this.#now;
  after = (ms: number, then: () => void) => {
    const each = { at: this.#now + ms, then };
    this.#waiting.push(each);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== each);
    };
  };
  pass(ms: number): void {
    this.#now += ms;
    const due = this.#waiting.filter(({ at }) => at <= this.#now);
    this.#waiting = this.#waiting.filter((each) => !due.includes(each));
    for (const { then } of due) then();
  }
  get waiting(): number {
    return this.#waiting.length;
  }
}

const unanswered: FormEnd = { type: "unanswered", why: "nobody" };
const times = { quietMs: 60, inAllMs: 200 };

function watched(session = "s", ask: (flow: Flow) => Promise<FormEnd> = async () => unanswered) {
  const controller = new AbortController();
  return { controller, watch: { session, signal: controller.signal, ask } };
}

const never = () => new Promise<never>(() => undefined);

test("a request is late when it was quiet for too long; progress lets it go on, but not for ever", async () => {
  const clock = new Hand();
  const lines: string[] = [];
  let progress: (line: string) => void = () => undefined;
  const running = new Running(clock, times, watched().watch);
  let isAborted = () => false;
  const ran = running.run(
    ({ signal, onProgress }) => {
      progress = onProgress ?? progress;
      isAborted = () => signal.aborted;
      return never();
    },
    (line) => void lines.push(line),
  );
  for (const line of ["1", "2", "3", "4"]) {
    clock.pass(49);
    progress(line);
  }
  clock.pass(4);
  expect(await ran).toEqual({ type: "late", ms: 200 });
  expect([lines, isAborted(), clock.waiting]).toEqual([["1", "2", "3", "4"], true, 0]);
  progress("after its end");
  expect(lines).toHaveLength(4);
});

verifies("INT-13b", "its time stands still while a person is asked", async () => {
  const clock = new Hand();
  const running = new Running(clock, times, watched().watch);
  const ran = running.run(never, () => undefined);
  clock.pass(50);
  running.pause();
  clock.pass(10_000);
  running.resume();
  clock.pass(9);
  expect(running.ended).toBe(false);
  clock.pass(1);
  expect(await ran).toEqual({ type: "late", ms: 60 });
});

test("it ends at once when it is stopped, before or while it runs, whatever the server does", async () => {
  const { controller, watch } = watched();
  const ran = new Running(new Hand(), times, watch).run(never, () => undefined);
  controller.abort();
  expect(await ran).toEqual({ type: "stopped" });
  expect(await new Running(new Hand(), times, watch).run(never, () => undefined)).toEqual({ type: "stopped" });
});

test("what is thrown is a fault, and what comes is its value", async () => {
  const error = new Error("no");
  const run = (start: () => Promise<number>) =>
    new Running(new Hand(), times, watched().watch).run(start, () => undefined);
  expect(await run(() => Promise.reject(error))).toEqual({ type: "fault", error });
  expect(await run(async () => 5)).toEqual({ type: "done", value: 5 });
});

const asker = { name: "s", address: { type: "command", command: ["server", "--token=given-value"], env: {} } } as const;
/** Of a server that does not take its question back. */
const wanted = new AbortController().signal;
const params = { message: "?", requestedSchema: { properties: {} } };

test("a question is put to the session whose call runs; where none or several do, to nobody", async () => {
  const asked: string[] = [];
  const running = new Set<Running>();
  const questions = new Questions(asker, running, 20);
  expect(await questions.elicit(params, wanted)).toEqual({ said: "cancel" });
  const begin = (session: string) => {
    const ask = async () => {
      asked.push(session);
      return { type: "filled", answers: { answer: { options: ["answer"] } } } as const;
    };
    running.add(new Running(new Hand(), times, watched(session, ask).watch));
  };
  begin("a");
  begin("a");
  expect(await questions.elicit(params, wanted)).toEqual({ said: "accept", content: {} });
  begin("b");
  expect(await questions.elicit(params, wanted)).toEqual({ said: "cancel" });
  expect(asked).toEqual(["a"]);
});

test("questions come one at a time, few wait, and the clocks of all calls stand still", async () => {
  const clock = new Hand();
  const answer: ((end: FormEnd) => void)[] = [];
  const ask = () => new Promise<FormEnd>((resolve) => answer.push(resolve));
  const running = new Running(clock, times, watched("s", ask).watch);
  const ran = running.run(never, () => undefined);
  const questions = new Questions(asker, new Set([running]), 3);
  const ends = [1, 2, 3, 4].map(() => questions.elicit(params, wanted));
  expect(await ends[3]).toEqual({ said: "cancel" });
  await Promise.resolve();
  clock.pass(10_000);
  expect([answer.length, running.ended]).toEqual([1, false]);
  answer[0]?.(unanswered);
  expect(await ends[0]).toEqual({ said: "cancel" });
  await expect.poll(() => answer.length).toBe(2);
  answer[1]?.(unanswered);
  await ends[1];
  await expect.poll(() => answer.length).toBe(3);
  answer[2]?.(unanswered);
  await ends[2];
  clock.pass(60);
  expect(await ran).toMatchObject({ type: "late" });
});

test("a call that has ended takes its open question with it", async () => {
  const { controller, watch } = watched("s", never);
  const running = new Running(new Hand(), times, watch);
  const questions = new Questions(asker, new Set([running]), 20);
  const ran = running.run(
    () => questions.elicit(params, wanted),
    () => undefined,
  );
  controller.abort();
  expect(await ran).toEqual({ type: "stopped" });
  expect(await questions.elicit(params, wanted)).toEqual({ said: "cancel" });
});

test("a question that the server takes back is over, and so is one that still waits; the clock goes on", async () => {
  const clock = new Hand();
  const asked: Flow[] = [];
  const ask = (flow: Flow) => {
    asked.push(flow);
    return never();
  };
  const running = new Running(clock, times, watched("s", ask).watch);
  const ran = running.run(never, () => undefined);
  const questions = new Questions(asker, new Set([running]), 20);
  const taken = [new AbortController(), new AbortController()];
  const ends = taken.map(({ signal }) => questions.elicit(params, signal));
  await expect.poll(() => asked.length).toBe(1);
  taken[1]?.abort();
  taken[0]?.abort();
  expect(await Promise.all(ends)).toEqual([{ said: "cancel" }, { said: "cancel" }]);
  expect(asked).toHaveLength(1);
  clock.pass(60);
  expect(await ran).toEqual({ type: "late", ms: 60 });
});

test("a field that is named like what the server was started with has another key", async () => {
  const asked: Flow[] = [];
  const ask = async (flow: Flow) => {
    asked.push(flow);
    return unanswered;
  };
  const questions = new Questions(asker, new Set([new Running(new Hand(), times, watched("s", ask).watch)]), 20);
  const requestedSchema = { properties: { "given-value": { type: "boolean" } } };
  await questions.elicit({ message: "?", requestedSchema }, wanted);
  expect(asked.map(({ steps }) => steps.map(({ key }) => key))).toEqual([["field"]]);
});

test("the model is asked nothing that the person does not see all of, and they are told", async () => {
  const lines: string[] = [];
  const running = new Running(new Hand(), times, watched("s", never).watch);
  const questions = new Questions(asker, new Set([running]), 20);
  const sample = async () => "answered";
  const ran = running.run(
    () => questions.sample(sample, { system: "", text: "x".repeat(8_001) }, wanted),
    (line) => void lines.push(line),
  );
  expect(await ran).toEqual({
    type: "done",
    value: { failed: "it is more than a person is shown, and was declined" },
  });
  expect(lines).toEqual(["s wanted your model to answer more than can be shown to you: declined"]);
});

test("the model stops answering when the server takes its question back", async () => {
  const ask = async (): Promise<FormEnd> => ({ type: "filled", answers: { model: { options: ["allow"] } } });
  const questions = new Questions(asker, new Set([new Running(new Hand(), times, watched("s", ask).watch)]), 20);
  const taken = new AbortController();
  const sample = ({ signal }: { readonly signal: AbortSignal }) =>
    new Promise<string>((resolve) => {
      signal.addEventListener("abort", () => resolve("stopped"));
      taken.abort();
    });
  expect(await questions.sample(sample, { system: "", text: "x" }, taken.signal)).toBe("stopped");
});

verifies("INTG-5f", "the model answers a server only when the person says so", async () => {
  const end = (id: string): FormEnd => ({ type: "filled", answers: { model: { options: [id] } } });
  const ends = [end("decline"), end("allow")];
  const ask = async () => ends.shift() ?? unanswered;
  const questions = new Questions(asker, new Set([new Running(new Hand(), times, watched("s", ask).watch)]), 20);
  const sample = async ({ text }: { readonly text: string }) => `answer to ${text}`;
  expect(await questions.sample(sample, { system: "", text: "x" }, wanted)).toEqual({ failed: "the person declined" });
  expect(await questions.sample(sample, { system: "", text: "x" }, wanted)).toBe("answer to x");
});

test("a line that comes byte by byte is the same line, and as long as it may be", () => {
  const lines: string[] = [];
  let tooLong = 0;
  const read = new Lines(
    3_000,
    (line) => lines.push(line.toString()),
    () => tooLong++,
  );
  const longest = "ü".repeat(1_500);
  for (const byte of Buffer.from(`${longest}\n${longest}x\nnext\n`)) read.take(Buffer.from([byte]));
  expect({ lines, tooLong }).toEqual({ lines: [longest, "next"], tooLong: 1 });
});

test("a line that is too long is told of once, and the next one is read", () => {
  const seen: string[] = [];
  const lines = new Lines(
    4,
    (line) => void seen.push(line.toString()),
    () => void seen.push("too long"),
  );
  for (const chunk of ["ab", "cd\n\nxyz", "xyz", "xyz\nok\nrest"]) lines.take(Buffer.from(chunk));
  expect(seen).toEqual(["abcd", "too long", "ok"]);
});

test("only answers to what was asked pass, each once, and so many notices in a second", () => {
  const clock = new Hand();
  const gate = new Gate(clock, { ...usualLimits, noticesPerSecond: 2 });
  gate.sent({ id: 1, method: "tools/call" });
  gate.sent({ id: 2, method: "tools/call" });
  const progress = (progressToken: unknown) => ({ method: "notifications/progress", params: { progressToken } });
  expect([gate.admits(progress(1)), gate.admits(progress(9)), gate.admits(progress("1"))]).toEqual([
    true,
    false,
    false,
  ]);
  expect([gate.admits({ id: 1 }), gate.admits({ id: 1 }), gate.admits({ id: "2" }), gate.admits({})]).toEqual([
    true,
    false,
    false,
    false,
  ]);
  expect([gate.admits({ method: "a" }), gate.admits({ method: "b", id: 5 })]).toEqual([true, false]);
  clock.pass(1_000);
  expect(gate.admits({ method: "a" })).toBe(true);
  gate.sent({ method: "notifications/cancelled", params: { requestId: 2 } });
  expect([gate.admits({ id: 2 }), gate.giveUp()]).toEqual([false, []]);
});

test("what a server asks under an id that is too long does not pass, for the answer would have it again", () => {
  const gate = new Gate(new Hand(), usualLimits);
  const ping = (id: string) => gate.admits({ method: "ping", id });
  expect([ping("x".repeat(200)), ping("x".repeat(201))]).toEqual([true, false]);
});

test("what is given up is stopped, and its answer does not pass any more", () => {
  const gate = new Gate(new Hand(), usualLimits);
  const stopped: number[] = [];
  for (const id of [1, 2, 3]) gate.sent({ id, method: "tools/call" }, () => void stopped.push(id));
  expect([gate.admits({ id: 1 }), gate.giveUpOn(1), gate.giveUpOn(2), gate.admits({ id: 2 })]).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect([gate.giveUp(), stopped]).toEqual([[3], [2, 3]]);
});
