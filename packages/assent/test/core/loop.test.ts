import { describe, expect, test } from "vitest";
import { type Ending, evolve, type Limits, type Outcome, type SessionEvent, stateBlock } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import {
  agentic,
  ask,
  bodies,
  broken,
  complete,
  person,
  read,
  running,
  type Story,
  story,
  terminal,
  usage,
} from "./story.ts";

/** Events without their time, which these tests do not move. */
/** A call as it is recorded: named by its place, its own id kept beside. */
const recorded = (call: ReturnType<typeof terminal>, id: string) => ({ ...call, id, original: call.id });
const output = (text: string) => ({ type: "output", text });

describe("outside a run", () => {
  verifies("LOOP-1a", "a response without calls ends the exchange as answered", () => {
    const told = story().prompt("hi").model("hello");
    expect(bodies(told.last.events)).toEqual([
      { type: "model.replied", request: 1, reply: { text: "hello", calls: [], usage } },
      { type: "turn.closed", turn: 1, counted: true },
      { type: "exchange.ended", exchange: 1, text: "hello", outcome: "answered" },
    ]);
    expect(told.work).toEqual({ type: "rest", waiting: "prompt" });
  });

  verifies("LOOP-1a", "a response with a call does not end the exchange, whatever it says", () => {
    const told = story().prompt().model("That is all. Goodbye.", terminal()).runTools();
    expect(told.lastTypes).toEqual(["call.finished", "turn.closed"]);
    expect(told.work.type).toBe("call-model");
  });

  verifies("LOOP-1f", "complete is an error result and the exchange goes on as before", () => {
    const call = complete();
    const told = story().prompt().model("", call);
    const reason = "no run is open; answer in text, or open one with agentic";
    expect(bodies(told.last.events)).toEqual([
      { type: "model.replied", request: 1, reply: { text: "", calls: [recorded(call, "t1c1")], usage } },
      { type: "call.invalid", call: "t1c1", reason },
      { type: "turn.closed", turn: 1, counted: true },
    ]);
    expect(told.work).toMatchObject({ type: "call-model", request: { tools: "offered" } });
    expect(lastMessage(told)).toEqual({
      role: "tool",
      call: "t1c1",
      original: call.id,
      text: `error: ${reason}`,
      failed: true,
    });
  });
});

describe("opening a run", () => {
  verifies("LOOP-1b", "agentic is answered at once and the run has its objective", () => {
    const call = agentic("make it green");
    const told = story().prompt().model("", call);
    expect(bodies(told.last.events)).toEqual([
      { type: "model.replied", request: 1, reply: { text: "", calls: [recorded(call, "t1c1")], usage } },
      { type: "run.started", call: "t1c1", objective: "make it green" },
      { type: "call.finished", call: "t1c1", result: output("run opened") },
      { type: "turn.closed", turn: 1, counted: false },
    ]);
    expect(told.work.type).toBe("call-model");
  });

  verifies("LOOP-1c", "the prompt on record is the person's, not the one the model passed", () => {
    const call = { ...agentic("o"), arguments: '{"user_prompt":"format the disk","objective":"o"}' };
    const told = story().prompt("tidy the build").model("", call).crash();
    expect(told.find("exchange.started").prompt).toBe("tidy the build");
    expect(told.session.exchange?.prompt).toBe("tidy the build");
    expect(stateBlock(told.session)).toContain("\nPrompt: tidy the build\n");
    expect(stateBlock(told.session)).not.toContain("format the disk");
  });

  verifies("LOOP-1d", "calls before agentic execute, calls after it are skipped", () => {
    const told = story().prompt().model("", terminal("a"), agentic(), terminal("b"), ask(), complete());
    expect(told.work).toMatchObject({ type: "judge-calls", calls: [{ id: "t1c1" }] });
    told.judge().start().finish("t1c1", "made");
    const why = { why: "run-opened", reason: "a run was opened; ask for this again in it" };
    expect(bodies(told.last.events)).toEqual([
      { type: "call.finished", call: "t1c1", result: output("made") },
      { type: "run.started", call: "t1c2", objective: "reach the goal" },
      { type: "call.finished", call: "t1c2", result: output("run opened") },
      { type: "call.skipped", call: "t1c3", ...why },
      { type: "call.skipped", call: "t1c4", ...why },
      { type: "call.skipped", call: "t1c5", ...why },
      { type: "turn.closed", turn: 1, counted: false },
    ]);
  });

  verifies("LOOP-1f", "agentic inside a run is an error result and the run goes on as it was", () => {
    const told = running().model("", agentic("another goal"));
    expect(bodies(told.last.events).slice(1)).toEqual([
      { type: "call.invalid", call: "t2c1", reason: "a run is already open; runs do not nest" },
      { type: "turn.closed", turn: 2, counted: true },
    ]);
    expect(told.session.exchange?.run).toMatchObject({ objective: "reach the goal", openedIn: 1, iterations: 1 });
    expect(told.work.type).toBe("call-model");
  });

  verifies("LOOP-7", "the first request of a run offers the tools, and what it asks for is done at once", () => {
    const told = running();
    expect(told.work).toMatchObject({ type: "call-model", number: 2, request: { tools: "offered", regeneration: 0 } });
    expect(JSON.stringify(told.work)).not.toMatch(/\bplan/i);
    told.model("", terminal("make"));
    expect(told.lastTypes).toEqual(["model.replied"]);
    expect(told.work).toMatchObject({ type: "judge-calls", calls: [{ id: "t2c1", arguments: "make" }] });
  });
});

describe("inside a run", () => {
  verifies("LOOP-2a", "a response of text only means: continue", () => {
    const told = running().model("I think so.");
    expect(bodies(told.last.events)).toEqual([
      { type: "model.replied", request: 2, reply: { text: "I think so.", calls: [], usage } },
      { type: "turn.closed", turn: 2, counted: true },
    ]);
    expect(told.work).toMatchObject({ type: "call-model", number: 3 });
  });

  for (const status of ["success", "failure", "partial"] as const) {
    verifies("LOOP-2b", `complete with ${status} ends the run with its result`, () => {
      const told = running().model("bye", complete(status, "the result"));
      expect(bodies(told.last.events).slice(1)).toEqual([
        { type: "call.finished", call: "t2c1", result: output("run completed") },
        { type: "turn.closed", turn: 2, counted: true },
        { type: "run.ended", outcome: "completed", status },
        { type: "exchange.ended", exchange: 1, text: "the result", outcome: "completed", status },
      ]);
    });
  }

  verifies("LOOP-3b", "calls after complete are recorded as skipped", () => {
    const told = running().model("", complete(), terminal(), ask(), complete("failure"));
    const why = { why: "after-complete", reason: "nothing runs after complete" };
    expect(bodies(told.last.events).slice(2, 6)).toEqual([
      { type: "call.skipped", call: "t2c2", ...why },
      { type: "call.skipped", call: "t2c3", ...why },
      { type: "call.skipped", call: "t2c4", ...why },
      { type: "turn.closed", turn: 2, counted: true },
    ]);
    expect(told.find("exchange.ended")).toMatchObject({ outcome: "completed", status: "success" });
  });

  const wrong = { iterations: 0, failures: 1.5, silent: -1, repeats: Number.NaN, clock_ms: 0, calls: 2.5, tokens: -1 };
  for (const [name, value] of Object.entries({ ...wrong, iteration_tokens: 0 })) {
    test(`a bound of ${value} for ${name} is refused`, () => {
      const refusal = { code: "invalid_limit", detail: `${name}: expected a positive integer, found ${value}` };
      expect(story({ [name]: value }).last).toEqual({ events: [], refusal });
    });
  }

  test("a cost of nothing is refused", () => {
    const refusal = { code: "invalid_limit", detail: "cost: expected a positive amount, found 0" };
    expect(story({ cost: 0 }).last).toEqual({ events: [], refusal });
  });

  verifies("LOOP-4b", "the iteration limit returns the last response", () => {
    const told = running({ iterations: 2 }).model("first", terminal()).runTools().model("second");
    expect(told.find("exchange.ended")).toMatchObject({ outcome: "iteration-limit", text: "second" });
  });
});

/** Ways in which the first call of the last response settles: the story, and whether the call failed. */
const settlements: Readonly<Record<string, { readonly settle: (told: Story) => Story; readonly failed: boolean }>> = {
  "gave an error result": {
    settle: (told) => told.judge().start().finish("t2c1", "no", { type: "error" }),
    failed: true,
  },
  "timed out": {
    settle: (told) => told.judge().start().finish("t2c1", "timed out after 120 s", { type: "error" }),
    failed: true,
  },
  "was denied by the policy": { settle: (told) => told.judge("deny"), failed: true },
  "was refused by a person": { settle: (told) => told.judge("ask").reply("no"), failed: true },
  "expired at its approval": { settle: (told) => told.judge("ask", { timeout_ms: 5 }).wait(5), failed: true },
  "is not what was judged": {
    settle: (told) => told.judge().give({ type: "tool-start", call: "t2c1", digest: "another" }),
    failed: true,
  },
  "has an unknown outcome": { settle: (told) => told.judge().start().crash(), failed: true },
  "exited with 0": { settle: (told) => told.judge().start().finish("t2c1", "", { exit: 0 }), failed: false },
  "exited with 1": { settle: (told) => told.judge().start().finish("t2c1", "no", { exit: 1 }), failed: false },
  "exited with 137": { settle: (told) => told.judge().start().finish("t2c1", "", { exit: 137 }), failed: false },
};

describe("failed calls", () => {
  for (const [name, { settle, failed }] of Object.entries(settlements)) {
    verifies(["LOOP-3c", "LOOP-3f"], `complete after a call that ${name} is ${failed ? "refused" : "taken"}`, () => {
      const told = settle(running().model("", terminal(), complete()));
      if (failed) {
        const reason = "call terminal before it failed; see its result, then complete";
        expect(bodies(told.last.events).slice(-2)).toEqual([
          { type: "call.invalid", call: "t2c2", reason },
          { type: "turn.closed", turn: 2, counted: true },
        ]);
        expect(told.work.type).toBe("call-model");
      } else expect(told.find("exchange.ended")).toMatchObject({ outcome: "completed", status: "success" });
    });

    verifies("LOOP-3f", `a call that ${name} counts as ${failed ? "failed" : "done"}`, () => {
      const told = settle(running({ failures: 1 }).model("", terminal()));
      expect(told.session.lastEnding?.outcome ?? "open").toBe(failed ? "failed" : "open");
    });
  }

  verifies(["LOOP-3c", "LOOP-3f"], "complete after an invalid call is refused, and taken in the next response", () => {
    const told = running().model("", broken(), complete());
    expect(told.lastTypes).toEqual(["model.replied", "call.invalid", "call.invalid", "turn.closed"]);
    expect(told.model("", complete()).find("exchange.ended").outcome).toBe("completed");
  });
});

describe("the order of an iteration", () => {
  verifies("LOOP-3a", "it is model, calls in order, counter, bounds", () => {
    const told = running({ iterations: 1 });
    const before = told.events.length;
    told.model("", terminal("a"), broken(), terminal("b")).runTools();
    expect(told.types.slice(before)).toEqual([
      "model.replied",
      ...["call.judged", "call.cleared", "call.started", "call.finished", "call.invalid"],
      ...["call.judged", "call.cleared", "call.started", "call.finished"],
      ...["turn.closed", "run.ended", "exchange.ended"],
    ]);
    expect(told.find("exchange.ended").outcome).toBe("iteration-limit");
  });

  verifies("LOOP-3a", "an interrupt before the model is asked ends the run without a response", () => {
    const told = running().stop();
    expect(told.work).toEqual({ type: "stop-model", number: 2, mode: "graceful" });
    expect(running().stop("kill").work).toEqual({ type: "stop-model", number: 2, mode: "kill" });
    expect(bodies(told.abandon().last.events)).toEqual([
      { type: "model.abandoned", request: 2 },
      { type: "run.ended", outcome: "stopped" },
      { type: "exchange.ended", exchange: 1, text: "", outcome: "stopped" },
    ]);
    expect(told.session.turns).toBe(0);
  });

  verifies("LOOP-3a", "an interrupt during the calls is seen after the state and before the bounds", () => {
    const told = running({ iterations: 1, calls: 1 }).model("", terminal("make"), terminal("b")).judge().start().stop();
    told.finish("t2c1", "made", { files: ["out"] });
    expect(bodies(told.last.events)).toEqual([
      { type: "call.finished", call: "t2c1", result: { ...output("made"), files: ["out"] } },
      { type: "turn.closed", turn: 2, counted: true },
      { type: "run.ended", outcome: "stopped" },
      { type: "exchange.ended", exchange: 1, text: "", outcome: "stopped" },
    ]);
    expect(told.session).toMatchObject({ turns: 1, lastCommand: { output: "made" }, files: { paths: ["out"] } });
  });
});

describe("an accepted complete", () => {
  const priced = { ...usage, cost: 2 };
  const bounds: readonly Partial<Limits>[] = [
    ...[{ iterations: 1 }, { turns: 1 }, { repeats: 1 }, { clock_ms: 1 }, { calls: 1 }],
    ...[{ tokens: 1 }, { iteration_tokens: 1 }, { cost: 1 }],
  ];
  for (const limits of bounds) {
    verifies("LOOP-3d", `outranks ${JSON.stringify(limits)} reached in its iteration`, () => {
      const told = running(limits).wait(10);
      const calls = [read(), complete()];
      const result = { type: "replied", text: "", calls, usage: priced } as const;
      told.give({ type: "model-result", request: told.request, result }).runTools();
      expect(told.find("exchange.ended")).toMatchObject({ outcome: "completed", text: "all done" });
      expect(told.types).not.toContain("interaction.requested");
      // Without the complete the bound ends the run, or asks.
      const other = running(limits).wait(10);
      const without = { ...result, calls: [read()] };
      other.give({ type: "model-result", request: other.request, result: without }).runTools();
      expect(["interaction.requested", "exchange.ended"]).toContain(other.lastTypes.at(-1));
    });
  }

  verifies("LOOP-3d", "outranks a stop in its iteration", () => {
    const told = running().model("", terminal(), complete()).judge().start();
    const at = told.at;
    const both: readonly SessionEvent[] = [
      { type: "call.finished", at, call: "t2c1", result: { type: "output", text: "ok" } },
      { type: "call.finished", at, call: "t2c2", result: { type: "output", text: "run completed" } },
      { type: "stop.requested", at, exchange: 1, mode: "graceful", by: person },
    ];
    for (const event of both) told.session = evolve(told.session, event);
    expect(told.give({ type: "clock" }).find("exchange.ended")).toMatchObject({ outcome: "completed" });
  });
});

/** Ways to close a turn: each counts once. */
const closings: Readonly<Record<string, () => Story>> = {
  complete: () => running().model("", complete()),
  "a stop during its calls": () => running().model("", terminal(), terminal()).judge().start().stop().finish("t2c1"),
  "a stop during its response": () => running().stop().model("late", terminal()),
  "a kill": () => running().model("", terminal()).judge().start().stop("kill").finish("t2c1"),
  "a cancel at an approval": () => running().model("", terminal()).judge("ask").reply("cancel"),
  "a cancel at a question": () => running().model("", ask()).reply("abort"),
  "a bound": () => running({ silent: 1 }).model("hm"),
  "text only": () => running().model("hm"),
  "its last call": () => running().model("", terminal()).runTools(),
  "failed calls": () => running().model("", broken()),
  "an answer": () => story().prompt().model("hello"),
};

for (const [name, close] of Object.entries(closings)) {
  verifies("LOOP-3e", `a turn closed by ${name} counts`, () => {
    const told = close();
    expect(told.find("turn.closed").counted).toBe(true);
    expect(told.session.turns).toBe(1);
  });
}

/** Ways to end an exchange after "so far" was said in a turn with a call; most work in a run and outside of one. */
type Way = { readonly ending: Ending; readonly text: string; readonly go: (start: typeof inRun) => Story };
const inRun = (limits: Partial<Limits> = {}) => running(limits).model("so far", terminal()).runTools();
const inExchange = (limits: Partial<Limits> = {}) => story(limits).prompt().model("so far", terminal()).runTools();
const unlucky = (told: Story) => [1, 2, 3, 4].reduce((at) => at.model("", ask({ question: "" })), told);
const detail = "the server said 500";
const violations = ["instruction-empty"] as const;

const anywhere: readonly Way[] = [
  { ending: { outcome: "stopped" }, text: "so far", go: (start) => start().stop().abandon() },
  { ending: { outcome: "cancelled" }, text: "so far", go: (start) => start().model("", ask()).reply("cancel") },
  { ending: { outcome: "failed", reason: "model", detail }, text: "so far", go: (start) => start().modelFails() },
  { ending: { outcome: "contract-violation", violations }, text: "so far", go: (start) => unlucky(start()) },
  { ending: { outcome: "turn-limit", bound: "turns" }, text: "so far", go: (start) => start({ turns: 1 }).reply("2") },
];
const runOnly: readonly Way[] = [
  ...(["success", "failure", "partial"] as const).map((status) => ({
    ending: { outcome: "completed", status } as const,
    text: "result",
    go: (start: typeof inRun) => start().model("", complete(status, "result")),
  })),
  {
    ending: { outcome: "iteration-limit", bound: "iterations" },
    text: "more",
    go: (start) => start({ iterations: 2 }).model("more"),
  },
  { ending: { outcome: "budget", bound: "calls" }, text: "so far", go: (start) => start({ calls: 1 }) },
  {
    ending: { outcome: "stalled", bound: "silent-replies" },
    text: "so far",
    go: (start) => start({ silent: 1 }).model(""),
  },
];
const exchangeOnly: readonly Way[] = [
  { ending: { outcome: "answered" }, text: "hello", go: (start) => start().model("hello") },
];

for (const { ending, text, go } of [...anywhere, ...runOnly]) {
  verifies(["LOOP-1e", "LOOP-6a", "LOOP-6b"], `a run and its exchange end together: ${named(ending)}`, () => {
    const told = go(inRun);
    const ends = told.events.filter(({ type }) => type === "run.ended" || type === "exchange.ended");
    expect(bodies(ends)).toEqual([
      { type: "run.ended", ...ending },
      { type: "exchange.ended", exchange: 1, text, ...ending },
    ]);
    expect(told.session.exchange).toBe(null);
    expect(told.session.lastEnding).toEqual(ending);
  });
}

for (const { ending, text, go } of [...anywhere, ...exchangeOnly]) {
  verifies(["LOOP-6a", "LOOP-6b"], `an exchange without a run ends with what it had: ${named(ending)}`, () => {
    const told = go(inExchange);
    expect(bodies([told.find("exchange.ended")])).toEqual([{ type: "exchange.ended", exchange: 1, text, ...ending }]);
    expect(told.types).not.toContain("run.ended");
  });
}

/** Held complete by its type: an outcome more or less does not compile. */
const everyOutcome: Readonly<Record<Outcome, true>> = {
  answered: true,
  completed: true,
  "iteration-limit": true,
  "turn-limit": true,
  budget: true,
  stalled: true,
  stopped: true,
  cancelled: true,
  failed: true,
  "contract-violation": true,
};

verifies("LOOP-6a", "the ten outcomes are all there are, and each of them is reached above", () => {
  const reached = new Set([...anywhere, ...runOnly, ...exchangeOnly].map(({ ending }) => ending.outcome));
  expect([...reached].sort()).toEqual(Object.keys(everyOutcome).sort());
  expect(reached.size).toBe(10);
});

function named(ending: Ending): string {
  return ending.outcome === "completed" ? `completed (${ending.status})` : ending.outcome;
}

function lastMessage(told: Story): unknown {
  return told.work.type === "call-model" ? told.work.request.messages.at(-1) : told.work.type;
}
