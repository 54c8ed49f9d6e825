import { describe, expect, test } from "vitest";
import { fold, type Limits, type ReceivedCall, stateBlock, type Usage } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { agentic, ask, bodies, complete, person, read, running, type Story, story, terminal, usage } from "./story.ts";

const acted = { by: person, authority: "act" } as const;

/** So many turns with one call each, no two alike. */
function work(told: Story, turns: number): Story {
  for (let turn = 0; turn < turns; turn++) told.model("", terminal(`step ${told.request}`)).runTools();
  return told;
}

/** An exchange whose turn limit is reached: the question is open. */
const atLimit = (turns = 25) => work(story({ turns }).prompt(), turns);
const queue = (told: Story, text: string) =>
  told.give({ type: "prompt", text, delivery: "next", entry: "typed", ...acted });
/** A reply with a usage of its own. */
function spend(told: Story, spent: Usage, ...calls: readonly ReceivedCall[]): Story {
  const result = { type: "replied", text: "", calls, usage: spent } as const;
  return told.give({ type: "model-result", request: told.request, result });
}

describe("the turn limit", () => {
  verifies("LIM-1a", "it is 25 unless set, and each session has its own", () => {
    expect(story().session.limits.turns).toBe(25);
    const [one, other] = [story({ turns: 3 }), story({ turns: "unlimited" })];
    expect(["1", "10", "29"].map((turns) => one.limit(turns).session.limits.turns)).toEqual([1, 10, 29]);
    expect(other.session.limits.turns).toBe("unlimited");
  });

  for (const turns of [1, 2, 25, 1e15, "unlimited"] as const) {
    verifies("LIM-1a", `${turns} can be set, at the creation and later`, () => {
      expect(story({ turns }).find("session.created").limits.turns).toBe(turns);
      expect(bodies(story({ turns: 4 }).limit(turns).last.events)).toEqual([
        { type: "limit.changed", turns, by: person },
      ]);
    });
  }

  const wrong: readonly (readonly [unknown, string])[] = [
    ...[0, -1, 2.5, 1e20, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53].map((value) => [value, `${value}`] as const),
    ...["x", "", "0", "-1", "2.5", "007", "1e3", " 5", "5\n", "٣", "1".repeat(16), "unlimited ", "Unlimited"].map(
      (value) => [value, JSON.stringify(value)] as const,
    ),
    ...[null, true].map((value) => [value, `${value}`] as const),
    ...[[5], {}, { toString: 1 }, Object.create(null)].map((value) => [value, "a value of type object"] as const),
  ];
  const refusal = (shown: string) => ({
    code: "invalid_limit",
    detail: `turns: expected a positive integer or "unlimited", found ${shown}`,
  });
  for (const [value, shown] of wrong) {
    verifies("LIM-2b", `the ${typeof value} ${shown} is refused and the error says what is valid`, () => {
      const told = atLimit(2).limit(value);
      expect(told.last).toEqual({ events: [], refusal: refusal(shown) });
      expect(told.session.limits.turns).toBe(2);
    });
  }

  for (const turns of [0, -1, 2.5, Number.NaN]) {
    verifies("LIM-2b", `no session is created with ${turns}`, () => {
      const told = story({ turns });
      expect(told.last).toEqual({ events: [], refusal: refusal(`${turns}`) });
      expect(told.session.status).toBe("new");
    });
  }
});

describe("the counter of turns", () => {
  verifies("LIM-1b", "every turn that closes adds one, also when no limit is set", () => {
    const told = work(story({ turns: "unlimited" }).prompt(), 30).model("done");
    expect(told.session.turns).toBe(31);
    expect(told.types).not.toContain("interaction.requested");
    expect(work(story().prompt(), 7).session.turns).toBe(7);
  });

  const uncounted: Readonly<Record<string, (told: Story) => Story>> = {
    "a discarded response": (told) => told.model("", ask({ question: "" })),
    "a failed response": (told) => told.modelFails(),
    "a response that did not fit and its summary": (told) => told.overflow().summarise(),
    "the response that opens a run": (told) => told.model("", agentic()),
    "a turn that is still open": (told) => told.model("", terminal()).judge().start(),
    "an abandoned request": (told) => told.stop().abandon(),
  };
  for (const [name, go] of Object.entries(uncounted)) {
    verifies("LIM-1b", `${name} adds nothing`, () => {
      expect(go(work(story().prompt(), 2)).session.turns).toBe(2);
    });
  }

  verifies("LIM-2a", "going from unlimited to a number zeroes it, from a number to another keeps it", () => {
    const told = work(story({ turns: "unlimited" }).prompt(), 4);
    const counts = ["unlimited", 9, 8, "unlimited", "unlimited"].map((turns) => told.limit(turns).session.turns);
    expect(counts).toEqual([4, 0, 0, 0, 0]);
    expect(told.limit("unlimited").last.events).toEqual([]);
    work(told.limit(6), 3);
    expect([7, "5", "unlimited", 5].map((turns) => told.limit(turns).session.turns)).toEqual([3, 3, 3, 0]);
  });

  verifies("LIM-3b", "folding the journal gives both counters again, after every event", () => {
    const told = work(running({ turns: 4 }), 4).reply("yes");
    work(told, 2).limit("unlimited").limit(9);
    work(told, 2).crash();
    expect(told.session).toMatchObject({ turns: 2, exchange: { run: { iterations: 8 } } });
    const counters = told.events.map((_, index) => {
      const { turns, exchange } = fold(told.events.slice(0, index + 1));
      return `${turns}/${exchange?.run?.iterations ?? "-"}`;
    });
    const seen = ["0/-", "0/0", "1/1", "2/2", "3/3", "4/4", "0/4", "1/5", "2/6", "0/6", "1/7", "2/8"];
    expect(counters.filter((counter, index) => counter !== counters[index - 1])).toEqual(seen);
  });
});

describe("at the turn limit", () => {
  const request = {
    interaction_id: "s-1",
    kind: "confirmation",
    question: "The turn limit (--max-turns) is reached; continue for another round?",
    options: [
      { id: "yes", label: "Yes" },
      { id: "no", label: "No" },
    ],
    allow_free_text: false,
    allow_cancel: true,
  };

  verifies(["LIM-1a", "LIM-1c", "LIM-1h"], "the 25th turn raises one confirmation before the next model call", () => {
    const told = work(story().prompt(), 24);
    expect(told.work.type).toBe("call-model");
    work(told, 1);
    expect(bodies(told.last.events).slice(1)).toEqual([
      { type: "turn.closed", turn: 25, counted: true },
      { type: "interaction.requested", request, purpose: { type: "turn-limit" } },
    ]);
    expect(told.types.filter((type) => type === "interaction.requested")).toHaveLength(1);
    expect(told.work).toEqual({ type: "ask-person", request });
    expect(told.model("sneaked past").last).toMatchObject({ events: [], refusal: { code: "stale_result" } });
  });

  test("an exchange that begins there asks first", () => {
    const told = story({ turns: 1 }).prompt().model("hello").prompt("and now?");
    expect(told.lastTypes).toEqual(["exchange.started", "interaction.requested"]);
    expect(told.work).toMatchObject({ type: "ask-person", request });
  });

  test("a limit lowered below the counter asks when the turn closes", () => {
    const told = work(story().prompt(), 4).model("", terminal()).judge().start().limit(2);
    expect(told.lastTypes).toEqual(["limit.changed"]);
    expect(told.finish("t5c1").lastTypes).toEqual(["call.finished", "turn.closed", "interaction.requested"]);
  });

  for (const yes of ["yes", "y", "YES", "1"]) {
    verifies("LIM-1d", `${yes} sets the counter to 0 and the work goes on`, () => {
      const told = atLimit(3).reply(yes);
      expect(told.lastTypes).toEqual(["interaction.resolved"]);
      expect(told.find("interaction.resolved").state).toBe("answered");
      expect(told.session.turns).toBe(0);
      expect(told.work).toMatchObject({ type: "call-model", number: 4 });
    });
  }

  verifies("LIM-2d", "a confirmation serves once: the limit asks again after as many turns", () => {
    const told = work(atLimit(2).reply("yes"), 1);
    expect(told.work.type).toBe("call-model");
    expect(work(told, 1).work).toMatchObject({ type: "ask-person", request: { interaction_id: "s-2" } });
    expect(told.session.turns).toBe(2);
  });

  /** Everything but confirming, and how the interaction ends by it. */
  const noes: Readonly<Record<string, readonly [string, (told: Story) => Story]>> = {
    no: ["declined", (told) => told.reply("no")],
    "the number of no": ["declined", (told) => told.reply("2")],
    "a typed response that says no": ["declined", (told) => told.respond({ confirmed: false })],
    "a typed response that chooses no": ["declined", (told) => told.respond({ selected_option_id: "no" })],
    cancel: ["cancelled", (told) => told.reply("cancel")],
    abort: ["cancelled", (told) => told.reply("abort")],
    "a typed response that cancels": ["cancelled", (told) => told.respond({ cancelled: true })],
    "a reply with stop in it": ["withdrawn", (told) => told.reply("please stop")],
    "a stop": ["withdrawn", (told) => told.stop()],
    "a kill": ["withdrawn", (told) => told.stop("kill")],
    "nobody there, to be denied": ["withdrawn", (told) => told.nobody("deny")],
    "nobody there, to be aborted": ["withdrawn", (told) => told.nobody("abort")],
    "a fourth invalid reply": ["aborted", (told) => told.reply("why?").reply("").reply("3").reply("Yes!")],
  };
  for (const [name, [state, go]] of Object.entries(noes)) {
    verifies("LIM-1e", `${name} aborts the session for good`, () => {
      const told = go(queue(atLimit(2), "later"));
      expect(told.find("interaction.resolved").state).toBe(state);
      expect(bodies(told.last.events).slice(-2)).toEqual([
        { type: "exchange.ended", exchange: 1, text: "", outcome: "turn-limit", bound: "turns" },
        { type: "session.aborted", reason: "turn-limit" },
      ]);
      expect(told.session).toMatchObject({ status: "aborted", exchange: null, interactions: [] });
      expect(told.session.waiting).toEqual([
        { id: "w1", type: "prompt", text: "later", by: person, sent: null, held: true },
      ]);
      expect(told.work).toEqual({ type: "rest", waiting: "nothing" });
      told.crash().wait(1);
      for (const input of [
        { type: "release", waiting: "w1" },
        { type: "limit", turns: "unlimited" },
      ] as const) {
        expect(told.give({ ...input, ...acted }).last).toMatchObject({
          events: [],
          refusal: { code: "session_aborted" },
        });
      }
      expect(told.prompt().last).toMatchObject({ events: [], refusal: { code: "session_aborted" } });
    });
  }

  const patience: Readonly<Record<string, (told: Story) => Story>> = {
    time: (told) => told.wait(10 * 365 * 86_400_000),
    "nobody there, to be parked": (told) => told.nobody("park"),
    "a restart": (told) => told.crash(),
    "three invalid replies": (told) => told.reply("because").reply(" ").reply("1, 2"),
    "a limit that is still reached": (told) => told.limit(1).limit(2),
    "text that waits": (told) => queue(told, "later"),
  };
  for (const [name, go] of Object.entries(patience)) {
    test(`${name} leaves the question as it was`, () => {
      const told = go(atLimit(2));
      expect(told.work).toEqual({ type: "ask-person", request });
      expect(told.reply("yes").work.type).toBe("call-model");
    });
  }

  for (const turns of [3, "unlimited"] as const) {
    test(`raised to ${turns} the question is withdrawn and the exchange goes on`, () => {
      const told = atLimit(2).limit(turns);
      expect(bodies(told.last.events)).toEqual([
        { type: "limit.changed", turns, by: person },
        { type: "interaction.resolved", interaction: "s-1", state: "withdrawn", reason: "limit-changed" },
      ]);
      expect(told.session.turns).toBe(2);
      expect(told.work.type).toBe("call-model");
    });
  }
});

describe("the iteration limit", () => {
  verifies(
    ["LOOP-4a", "LIM-3a"],
    "with both defaults in a new session the run ends first, the next prompt asks",
    () => {
      const told = work(running(), 24);
      expect(told.work.type).toBe("call-model");
      told.model("nearly there", terminal()).runTools();
      expect(bodies(told.last.events).slice(1)).toEqual([
        { type: "turn.closed", turn: 26, counted: true },
        { type: "run.ended", outcome: "iteration-limit", bound: "iterations" },
        { type: "exchange.ended", exchange: 1, text: "nearly there", outcome: "iteration-limit", bound: "iterations" },
      ]);
      expect(told.types).not.toContain("interaction.requested");
      expect(told.work).toEqual({ type: "rest", waiting: "prompt" });
      expect(told.session).toMatchObject({ status: "active", turns: 25 });
      expect(told.prompt("go on").lastTypes).toEqual(["exchange.started", "interaction.requested"]);
    },
  );
});

/** Each bound of a run, set; a way to just before it, and the step that reaches it. */
type Way = (told: Story) => Story;
const tokens = (input: number, output: number, cached = 0) => ({ input, output, cached });
const budgets: readonly (readonly [string, Partial<Limits>, Way, Way])[] = [
  ["clock", { clock_ms: 1000 }, (told) => told.wait(999).model("hm"), (told) => told.wait(1).model("hm")],
  [
    "calls",
    { calls: 2 },
    (told) => told.model("", read("a")).runTools(),
    (told) => told.model("", read("b")).runTools(),
  ],
  ["tokens", { tokens: 40 }, (told) => spend(told, tokens(20, 19, 99)), (told) => spend(told, tokens(1, 0))],
  [
    "iteration-tokens",
    { iteration_tokens: 40 },
    (told) => spend(spend(told, tokens(20, 19, 99)), tokens(39, 0)),
    (told) => spend(told, tokens(0, 40)),
  ],
];

describe("the budgets of a run", () => {
  for (const [bound, limits, before, step] of budgets) {
    verifies("LOOP-5a", `${bound}, if set, ends it when reached and not before`, () => {
      const told = before(running({ silent: 9, ...limits }));
      expect(told.work.type).toBe("call-model");
      expect(bodies(step(told).last.events).slice(-3)).toEqual([
        { type: "turn.closed", turn: told.session.counted.requests, counted: true },
        { type: "run.ended", outcome: "budget", bound },
        { type: "exchange.ended", exchange: 1, text: told.find("exchange.ended").text, outcome: "budget", bound },
      ]);
    });
  }

  test("the time that a person takes is not the run's", () => {
    const told = running({ clock_ms: 1000 }).model("", terminal()).judge("ask").wait(5000).reply("yes").start();
    told.finish("t2c1").model("", ask()).wait(5000).reply("1");
    expect(told.work.type).toBe("call-model");
    expect(told.wait(1000).model("hm").find("exchange.ended")).toMatchObject({ outcome: "budget", bound: "clock" });
  });

  verifies("LOOP-5b", "a cost bound ends it when prices are known and is inert when they are not", () => {
    const known = running({ cost: 1, silent: 9 });
    spend(known, { ...usage, cost: 0.75 });
    expect(spend(known, usage).work.type).toBe("call-model");
    expect(spend(known, { ...usage, cost: 0.25 }).session.lastEnding).toEqual({ outcome: "budget", bound: "cost" });
    const unknown = running({ cost: 0.001, silent: 99 });
    for (let turn = 0; turn < 24; turn++) spend(unknown, tokens(1e9, 1e9));
    expect(unknown.work.type).toBe("call-model");
  });

  verifies("LOOP-5c", "with nothing configured none of them ever ends it", () => {
    const told = running();
    for (let turn = 0; turn < 24; turn++) {
      spend(told.wait(365 * 86_400_000), { ...tokens(1e12, 1e12), cost: 1e6 }, read(`${turn}`)).runTools();
    }
    expect(told.work.type).toBe("call-model");
  });
});

describe("the bounds that are always on", () => {
  const failing = (told: Story, times: number) => {
    for (let time = 0; time < times; time++)
      told.model("", terminal(`bad ${told.request}`)).runTools("no", { type: "error" });
    return told;
  };
  const ending = (told: Story) => told.session.lastEnding;

  verifies("LOOP-5d", "five failed calls in a row end it as failed; a success starts the count over", () => {
    const told = failing(work(failing(running(), 4), 1), 4);
    expect(told.work.type).toBe("call-model");
    const detail = "5 calls failed in a row";
    expect(ending(failing(told, 1))).toEqual({
      outcome: "failed",
      reason: "failed-calls",
      detail,
      bound: "failed-calls",
    });
    expect(ending(failing(running({ failures: 2 }), 1))).toBe(null);
    expect(ending(failing(running({ failures: 2 }), 2))).toMatchObject({ outcome: "failed", bound: "failed-calls" });
  });

  verifies("LOOP-5e", "three responses of text only end it as stalled; a call starts the count over", () => {
    const told = work(running().model("one").model("two"), 1).model("one").model("two");
    expect(told.work.type).toBe("call-model");
    expect(ending(told.model("three"))).toEqual({ outcome: "stalled", bound: "silent-replies" });
    expect(ending(running({ silent: 1 }).model("one"))).toEqual({ outcome: "stalled", bound: "silent-replies" });
  });

  const again = (told: Story, times: number, result = "same", path = "a") => {
    for (let time = 0; time < times; time++) told.model("", read(path)).runTools(result);
    return told;
  };
  const warning = (times: number) =>
    `\nThe same call gave the same result ${times} times; at 6 the run ends. Change course.\n`;

  verifies("LOOP-5f", "the same call with the same result is told at the 3rd and stalls at the 6th", () => {
    const told = again(running(), 2);
    expect(stateBlock(told.session)).not.toContain("The same call");
    for (const times of [3, 4, 5]) expect(stateBlock(again(told, 1).session)).toContain(warning(times));
    expect(ending(again(told, 1))).toEqual({ outcome: "stalled", bound: "repeated-calls" });
    expect(ending(again(running({ repeats: 2 }), 2))).toEqual({ outcome: "stalled", bound: "repeated-calls" });
  });

  test("something new starts that count over, something old does not", () => {
    const told = again(again(running(), 5), 1, "new");
    expect(stateBlock(told.session)).not.toContain("The same call");
    const turns = [1, 2, 3, 4, 5].flatMap(() => ["a", "b"]);
    const two = turns.reduce((at, path) => again(at, 1, "same", path), running());
    expect([ending(two), ending(again(two, 1))]).toEqual([null, { outcome: "stalled", bound: "repeated-calls" }]);
  });

  verifies("LOOP-5g", "outside a run only the turn limit applies", () => {
    const limits = {
      iterations: 1,
      failures: 1,
      silent: 1,
      repeats: 1,
      clock_ms: 1,
      calls: 1,
      tokens: 1,
      iteration_tokens: 1,
    };
    const told = story({ turns: 9, ...limits, cost: 0.1 }).prompt();
    for (let turn = 0; turn < 9; turn++) {
      expect(told.work.type).toBe("call-model");
      spend(told.wait(60_000), { ...usage, cost: 5 }, terminal("same"), complete()).runTools("no", { type: "error" });
    }
    expect(told.work).toMatchObject({ type: "ask-person", request: { kind: "confirmation" } });
    expect(told.reply("no").session.lastEnding).toEqual({ outcome: "turn-limit", bound: "turns" });
  });
});
