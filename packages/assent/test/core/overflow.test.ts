import { describe, expect, test } from "vitest";
import { entries, type Limits, type ModelRequest } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { agentic, ask, bodies, complete, person, running, type Story, story, terminal, usage } from "./story.ts";

const history = (told: Story) => entries(told.session.history);
const user = (text: string) => ({ role: "user", text }) as const;
const context = (told: Story, text: string) => told.give({ type: "context", text });

function request(told: Story): ModelRequest {
  const { work } = told;
  if (work.type !== "call-model") throw new Error(`expected call-model, came ${work.type}`);
  return work.request;
}

const tooLong = (remedy: string) => ({ class: "overflow", detail: "too long", remedy, partial: "" });
const compacting = tooLong("the history is being summarised");
const conversing = tooLong("a reply without tools is asked for");
const giving = tooLong("shorten the prompt, start a new session, or name a model that takes more");

describe("a request that does not fit", () => {
  const full = () => context(story(), "cwd: /project").prompt("first").model("hello").prompt("second");

  test("the history is summarised once, without tools, and the prompt is asked again", () => {
    const told = full();
    const before = history(told);
    expect(bodies(told.overflow().last.events)).toEqual([
      { type: "model.failed", request: 2, failure: compacting, next: "compact" },
    ]);
    expect(told.work).toEqual({
      type: "compact-history",
      number: 3,
      request: {
        messages: before,
        closing: expect.stringMatching(/^Summarise all of the above/),
        tools: "none",
        regeneration: 0,
      },
    });
    expect(bodies(told.summarise("said hello").last.events)).toEqual([
      { type: "history.compacted", request: 3, summary: "said hello", usage },
    ]);
    expect(request(told)).toEqual({
      messages: [user("[assent: summary of the session so far\nsaid hello]")],
      closing: "cwd: /project\n\nsecond",
      tools: "offered",
      regeneration: 0,
    });
    expect(told.model("fine").find("exchange.ended")).toMatchObject({ text: "fine", outcome: "answered" });
    expect(told.find("exchange.ended")).not.toHaveProperty("fallback");
  });

  test("a summary that does not help leads to a reply without tools and history, which says so", () => {
    const told = full().overflow().summarise();
    expect(bodies(told.overflow().last.events)).toEqual([
      { type: "model.failed", request: 4, failure: conversing, next: "converse" },
    ]);
    expect(request(told)).toEqual({
      messages: [],
      closing: expect.stringMatching(/without tools, and say that the earlier history was left out\.\n\nsecond$/),
      tools: "none",
      regeneration: 0,
    });
    expect(bodies(told.model("shortly").last.events).slice(1)).toEqual([
      { type: "turn.closed", turn: 5, counted: true },
      { type: "exchange.ended", exchange: 2, text: "shortly", outcome: "answered", fallback: "overflow" },
    ]);
    expect(told.work).toEqual({ type: "rest", waiting: "prompt" });
  });

  test("a summary that does not fit itself leads to the same reply", () => {
    const told = full().overflow();
    const before = history(told);
    expect(bodies(told.overflow().last.events)).toEqual([
      { type: "model.failed", request: 3, failure: conversing, next: "converse" },
    ]);
    expect(request(told)).toMatchObject({ messages: [], tools: "none" });
    expect(history(told)).toEqual(before);
  });

  test("if that does not fit either the exchange fails: three requests, no loop", () => {
    const told = full().overflow().overflow();
    expect(bodies(told.overflow().last.events)).toEqual([
      { type: "model.failed", request: 4, failure: giving, next: "end" },
      { type: "exchange.ended", exchange: 2, text: "", outcome: "failed", reason: "overflow", detail: "too long" },
    ]);
    expect(told.prompt("third").work.type).toBe("call-model");
  });

  test("calls in the reply without tools are error results, and none is judged or run", () => {
    const told = full()
      .overflow()
      .overflow()
      .model("here", terminal(), ask({ question: "" }), complete());
    expect(told.lastTypes).toEqual([
      "model.replied",
      ...["call.invalid", "call.invalid", "call.invalid"],
      ...["turn.closed", "exchange.ended"],
    ]);
    expect(told.find("call.invalid").reason).toBe("no tool was offered");
    expect(told.find("exchange.ended")).toMatchObject({ text: "here", outcome: "answered", fallback: "overflow" });
  });

  test("a kept reply renews the allowance, a discarded one does not", () => {
    const told = full().overflow().summarise().model("", terminal()).runTools().overflow();
    expect(told.work.type).toBe("compact-history");
    const other = full()
      .overflow()
      .summarise()
      .model("", ask({ question: "" }))
      .overflow();
    expect(request(other)).toMatchObject({ messages: [], tools: "none" });
  });

  test("the next exchange begins with tools and the whole allowance", () => {
    const told = full().overflow().overflow().model("short").prompt("third");
    expect(request(told).tools).toBe("offered");
    expect(told.overflow().work.type).toBe("compact-history");
  });

  test("a summary is not taken for a reply, nor a reply for a summary", () => {
    expect(full().summarise().last).toMatchObject({ events: [], refusal: { code: "stale_result" } });
    expect(full().overflow().model("hello").last).toMatchObject({ events: [], refusal: { code: "stale_result" } });
  });

  test("a model that fails at the summary fails the exchange", () => {
    expect(full().overflow().modelFails().find("exchange.ended")).toMatchObject({ outcome: "failed", reason: "model" });
  });

  test("a stop during the summary ends the exchange stopped, whatever comes", () => {
    const comes: readonly ((told: Story) => Story)[] = [
      (told) => told.summarise(),
      (told) => told.overflow(),
      (told) => told.modelFails(),
      (told) => told.abandon(),
    ];
    for (const come of comes) {
      const told = full().overflow().stop();
      expect(told.work).toEqual({ type: "stop-model", number: 3, mode: "graceful" });
      expect(come(told).find("exchange.ended").outcome).toBe("stopped");
      expect(told.work).toEqual({ type: "rest", waiting: "prompt" });
    }
  });
});

describe("a turn limit lowered while a request is under way", () => {
  const ways: Readonly<Record<string, (told: Story) => Story>> = {
    "a reply is discarded": (told) => told.limit(1).model("", ask({ question: "" })),
    "a summary was made": (told) => told.overflow().limit(1).summarise(),
    "no summary fits": (told) => told.overflow().limit(1).overflow(),
    "the process died": (told) => told.limit(1).crash(),
  };
  for (const [name, go] of Object.entries(ways)) {
    verifies("LIM-1c", `leaves that request alone and asks before the next: ${name}`, () => {
      const told = go(story().prompt().model("", terminal()).runTools());
      expect(told.work).toMatchObject({ type: "ask-person", request: { interaction_id: "s-1" } });
      expect(told.reply("yes").work.type).toBe("call-model");
    });
  }

  verifies("LIM-1c", "asks before a summary too: that is a model call", () => {
    const told = story().prompt().model("", terminal()).runTools().limit(1);
    expect(told.work.type).toBe("call-model");
    expect(told.overflow().work.type).toBe("ask-person");
    expect(told.reply("yes").work.type).toBe("compact-history");
  });
});

describe("in a run that does not fit", () => {
  test("a summary keeps the run going, with its counters and its prompt", () => {
    const told = running().model("", terminal()).runTools().overflow().summarise("so it was");
    expect(told.session.exchange?.run).toMatchObject({ objective: "reach the goal", iterations: 1 });
    expect(request(told).messages.at(-1)).toEqual(user("do it"));
    expect(request(told).tools).toBe("offered");
    expect(told.model("", complete()).find("exchange.ended").outcome).toBe("completed");
  });

  for (const calls of [[], [complete()]]) {
    test(`the reply without tools ends it as failed, with what it said (${calls.length} calls)`, () => {
      const told = running()
        .model("", terminal())
        .runTools()
        .overflow()
        .overflow()
        .model("as far as I got", ...calls);
      const detail = "the history no longer fits the model's context window";
      expect(bodies(told.last.events).slice(-2)).toEqual([
        { type: "run.ended", outcome: "failed", reason: "overflow", detail },
        { type: "exchange.ended", exchange: 1, text: "as far as I got", outcome: "failed", reason: "overflow", detail },
      ]);
    });
  }
});

describe("the reply without tools that a run ends with", () => {
  const outgrown = (told: Story) => told.overflow().summarise().overflow();
  const failed = { outcome: "failed", reason: "overflow" };
  const resume = (told: Story) => told.give({ type: "resumption", by: person, authority: "act" });

  for (const [silent, said] of [
    [3, ["one", "two"]],
    [1, []],
  ] as const) {
    verifies(["SEL-9", "LOOP-5e"], `is no text-only response that counts towards ${silent}`, () => {
      const told = running({ silent });
      for (const text of said) told.model(text);
      expect(outgrown(told).model("as far as I got").session.lastEnding).toMatchObject(failed);
      // Gone on with, the run counts from where it was.
      expect(resume(told).last.refusal).toBeNull();
      expect(told.session.exchange?.run?.silent).toBe(said.length);
      expect(told.model("three").session.lastEnding).toEqual({ outcome: "stalled", bound: "silent-replies" });
    });
  }

  verifies(["SEL-9", "LOOP-5d"], "has no failed calls: none was offered to it", () => {
    const told = outgrown(running({ failures: 1 })).model("as far as I got", terminal(), complete());
    expect(told.session.lastEnding).toMatchObject(failed);
    expect(resume(told).session.exchange?.run?.failures).toBe(0);
  });

  const bounds: readonly (readonly [Partial<Limits>, ending: object])[] = [
    [{ iterations: 1 }, { outcome: "iteration-limit" }],
    [{ tokens: 30 }, { outcome: "budget", bound: "tokens" }],
    [{ clock_ms: 1 }, { outcome: "budget", bound: "clock" }],
  ];
  for (const [limits, ending] of bounds) {
    test(`costs like any other, and a bound that it reaches ends the run: ${JSON.stringify(limits)}`, () => {
      const told = outgrown(running(limits)).wait(1).model("as far as I got");
      expect(told.session.lastEnding).toMatchObject(ending);
      expect(resume(told).last.refusal).toMatchObject({ code: "nothing_to_resume" });
    });
  }
});

describe("a model that is not there", () => {
  const failure = {
    class: "server-error",
    detail: "the server said 500",
    remedy: "try again later",
    partial: "half a st",
  };
  const fail = (told: Story) =>
    told.give({ type: "model-result", request: told.request, result: { type: "failed", failure } });

  test("fails the exchange at once, with class, remedy and what had come", () => {
    const told = fail(story().prompt("hi"));
    expect(bodies(told.last.events)).toEqual([
      { type: "model.failed", request: 1, failure, next: "end" },
      {
        type: "exchange.ended",
        exchange: 1,
        text: "half a st",
        outcome: "failed",
        reason: "model",
        detail: "the server said 500",
      },
    ]);
    expect(told.work).toEqual({ type: "rest", waiting: "prompt" });
  });

  test("runs no tool again, and the next prompt works on a history that is whole", () => {
    const call = terminal("make");
    const told = fail(story().prompt("build").model("", call).runTools("made")).prompt("and now?");
    expect(told.types.filter((type) => type === "call.started")).toHaveLength(1);
    expect(request(told)).toMatchObject({
      messages: [
        user("build"),
        { role: "assistant", calls: [{ id: "t1c1" }] },
        { role: "tool", call: "t1c1", text: "made" },
        user("[assent: the exchange ended: failed]"),
      ],
      closing: "and now?",
    });
    expect(request(told).messages).toHaveLength(4);
    expect(told.model("hello").find("exchange.ended").outcome).toBe("answered");
  });

  test("a result of another request is refused, before and after", () => {
    const told = story().prompt();
    for (const number of [0, 2]) {
      const result = { type: "failed", failure } as const;
      expect(told.give({ type: "model-result", request: number, result }).last).toEqual({
        events: [],
        refusal: { code: "stale_result", detail: `no model request ${number} is awaited` },
      });
    }
    expect(
      fail(told).give({ type: "model-result", request: 1, result: { type: "failed", failure } }).last,
    ).toMatchObject({
      events: [],
      refusal: { code: "stale_result" },
    });
  });

  test("a request is given up only at a stop", () => {
    const told = running().abandon();
    expect(told.last).toMatchObject({ events: [], refusal: { code: "stale_result" } });
    expect(told.work.type).toBe("call-model");
  });

  test("a model that fails after a stop ends the exchange stopped", () => {
    const told = fail(running().stop());
    expect(told.lastTypes).toEqual(["model.failed", "run.ended", "exchange.ended"]);
    expect(told.find("exchange.ended")).toMatchObject({ outcome: "stopped", text: "half a st" });
  });
});

describe("a reply that breaks the contract", () => {
  const broken = () => ask({ question: "one two three ".repeat(6).trim(), options: [] });
  const violations = ["instruction-too-long"];

  for (const [name, begin] of [
    ["outside a run", () => story().prompt()],
    ["in a run", running],
  ] as const) {
    test(`is discarded and asked for again three times, with the same messages and no word of it: ${name}`, () => {
      const told = begin();
      const first = request(told);
      for (const regeneration of [1, 2, 3]) {
        const call = broken();
        told.model("shall I?", terminal(), call);
        expect(told.last.events).toMatchObject([
          {
            type: "reply.discarded",
            reply: { text: "shall I?", calls: [{ tool: "terminal" }, { original: call.id }] },
            violations,
          },
        ]);
        // What is made anew for each request names its number, so that no model is stuck on one answer.
        const { closing, ...rest } = request(told);
        const { closing: before, ...same } = first;
        expect(JSON.stringify(rest)).toBe(JSON.stringify({ ...same, regeneration }));
        expect(closing).toMatch(/^\[request \d+\]\n\n/);
        expect(closing.replace(/^\[request \d+\]\n\n/, "")).toBe(before);
      }
      expect(told.model("", broken()).lastTypes.at(0)).toBe("reply.discarded");
      expect(bodies(told.last.events).at(-1)).toEqual({
        type: "exchange.ended",
        exchange: 1,
        text: "",
        outcome: "contract-violation",
        violations,
      });
    });
  }

  test("leaves nothing in the history, and none of its calls is ever judged", () => {
    const told = running();
    const before = history(told);
    told.model("shall I?", terminal(), broken());
    expect(history(told)).toEqual(before);
    expect(told.types).not.toContain("call.judged");
    expect(told.work.type).toBe("call-model");
  });

  test("a kept reply starts the count over", () => {
    const told = story().prompt();
    const discard = () => told.model("", broken());
    for (const regeneration of [1, 2, 3]) expect(request(discard()).regeneration).toBe(regeneration);
    told.model("", terminal()).runTools();
    expect(request(told).regeneration).toBe(0);
    for (const regeneration of [1, 2, 3]) expect(request(discard()).regeneration).toBe(regeneration);
    expect(discard().find("exchange.ended").outcome).toBe("contract-violation");
  });

  test("costs tokens like any other", () => {
    const told = story().prompt().model("", broken()).model("hello");
    expect(told.session.usage).toEqual({ input: 20, output: 10, cached: 0 });
  });

  test("after a stop nothing is discarded: the reply is kept and its calls are skipped", () => {
    const told = story().prompt().stop().model("bye", broken(), agentic());
    expect(told.lastTypes).toEqual(["model.replied", "call.skipped", "call.skipped", "turn.closed", "exchange.ended"]);
    expect(told.find("call.skipped").reason).toBe("the exchange is ending (stopped)");
  });
});
