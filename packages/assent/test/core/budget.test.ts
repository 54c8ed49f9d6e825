import { describe, expect, test } from "vitest";
import { entries, evolve, type ModelRequest, type ModelResult } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { bodies, complete, running, type Story, story, terminal } from "./story.ts";

const shortened = { type: "history.compacted", shortened: { keep: 6, most: 600 } };
const long = "x".repeat(10_000);
/** What the model itself says is never cut. */
const words = "y".repeat(8_000);
const window = (told: Story, tokens: number | null) => told.give({ type: "context", text: "", window: tokens });
/** A reply with one command, by a model that says what its request cost; then the command's result. */
function turn(told: Story, input: number, text = long, says = ""): Story {
  const calls = [terminal(`make ${told.request}`)];
  const result: ModelResult = { type: "replied", text: says, calls, usage: { input, output: 10, cached: 0 } };
  return told.give({ type: "model-result", request: told.request, result }).runTools(text);
}
const results = (told: Story) =>
  entries(told.session.history).flatMap((message) => (message.role === "tool" ? [message.text.length] : []));
const entireLength = ({ messages, closing }: ModelRequest) => JSON.stringify(messages).length + closing.length;
/** A history of words alone, which has been found too long for its window. */
function foreseen(): Story {
  const told = window(running(), 20_000);
  for (let turns = 1; turns <= 4; turns++) turn(told, 4_000, "short", words);
  return turn(told, 17_500, "short", words);
}
const closing = ({ work }: Story): ModelRequest["closing"] =>
  "request" in work && "closing" in work.request ? work.request.closing : "";

describe("a history that will not fit, by what it cost so far", () => {
  verifies(
    "SEL-9",
    "has old results of tools cut first, which is recorded, and nothing is asked of the model for it",
    () => {
      const told = window(running(), 60_000);
      for (let turns = 1; turns <= 6; turns++) turn(told, 3_000 * turns);
      expect(told.types).not.toContain("history.compacted");
      expect(results(told)).toEqual([10, ...Array.from({ length: 6 }, () => long.length)]);
      turn(told, 50_000);
      expect(bodies(told.last.events).slice(-1)).toEqual([shortened]);
      expect(told.work.type).toBe("call-model");
      // Of the last six messages, three are results.
      expect(results(told).map((length) => length < 1_000)).toEqual([
        ...[true, true, true, true, true],
        ...[false, false, false],
      ]);
      expect(told.session.exchange?.overflow).toBe("none");
    },
  );

  test("is summarised before the request where that is not enough", () => {
    const told = window(running(), 20_000);
    for (let turns = 1; turns <= 4; turns++) turn(told, 4_000, "short", words);
    turn(told, 17_500, "short", words);
    expect(bodies(told.last.events).slice(-1)).toEqual([
      { type: "history.outgrown", tokens: expect.any(Number), window: 20_000 },
    ]);
    expect(told.work.type).toBe("compact-history");
    expect(bodies(told.summarise("made things").last.events)).toMatchObject([
      { type: "history.compacted", request: 7 },
    ]);
    expect(told.work.type).toBe("call-model");
    expect(entries(told.session.history).map(({ text }) => text)).toEqual([
      "[assent: summary of the session so far\nmade things]",
      "do it",
    ]);
    expect(closing(told)).toContain("Objective: reach the goal");
  });

  test("is left as it is while nobody knows how much fits, or it is too short to gain anything", () => {
    const unknown = window(running(), null);
    for (let turns = 1; turns <= 6; turns++) turn(unknown, 1_000_000);
    expect(unknown.types).not.toContain("history.compacted");
    const brief = turn(window(story().prompt(), 100), 5_000, "short");
    expect(brief.types).not.toContain("history.outgrown");
  });

  test("is not summarised again and again where the prompt alone nearly fills it", () => {
    const told = window(story().prompt("z".repeat(60_000)), 20_000);
    for (let turns = 1; turns <= 6; turns++) turn(told, 18_000, "short");
    expect(told.types).not.toContain("history.outgrown");
  });

  test("is estimated from its length where no model has told what it cost", () => {
    const told = window(story().prompt(), 20_000);
    for (let turns = 1; turns <= 8; turns++) turn(told, 0, "x".repeat(8_000));
    expect(told.types.filter((type) => type === "history.compacted")).toHaveLength(1);
  });

  verifies(
    "SEL-9",
    "after the one summary an overflow leads to the reply without tools, and that one to the end",
    () => {
      const told = window(running(), 20_000);
      for (let turns = 1; turns <= 5; turns++) turn(told, 17_500, "short", words);
      const before = told.request;
      told.summarise().overflow().overflow();
      expect(told.request - before).toBe(3);
      expect(told.find("exchange.ended")).toMatchObject({ outcome: "failed", reason: "overflow" });
    },
  );

  test("typed text waits for the request after the summary", () => {
    const told = window(running(), 20_000);
    for (let turns = 1; turns <= 4; turns++) turn(told, 4_000, "short", words);
    told.model("", terminal()).prompt("also the docs");
    const usage = { input: 17_500, output: 1, cached: 0 };
    told.judge().start();
    told.session = { ...told.session, measured: { tokens: usage.input, characters: 0, perToken: 4 } };
    told.finish(told.running[0] ?? "");
    expect(told.work.type).toBe("compact-history");
    expect(told.types).not.toContain("steering.sent");
    told.summarise();
    expect(closing(told)).toContain("also the docs");
  });
});

test("what a person said to steer it is there after a summary", () => {
  const told = running().model("", terminal()).prompt("mind the tests").runTools();
  told.model("", terminal()).runTools().overflow().summarise("made things");
  expect(entries(told.session.history).map(({ text }) => text)).toEqual([
    "[assent: summary of the session so far\nmade things]",
    "do it",
    "mind the tests",
  ]);
});

describe("a request that the provider says does not fit", () => {
  verifies(
    "SEL-9",
    "is asked again with old results cut, then summarised with all of them cut, then without tools: four requests more at most",
    () => {
      const told = running();
      for (let turns = 1; turns <= 5; turns++) turn(told, 10);
      const before = told.request;
      expect(bodies(told.overflow().last.events)).toMatchObject([
        { type: "model.failed", next: "shorten", failure: { class: "overflow" } },
        shortened,
      ]);
      expect(told.work.type).toBe("call-model");
      expect(bodies(told.overflow().last.events)).toMatchObject([
        { type: "model.failed", next: "compact" },
        { type: "history.compacted", shortened: { keep: 0, most: 600, all: true } },
      ]);
      expect(told.work.type).toBe("compact-history");
      told.summarise();
      expect(bodies(told.overflow().last.events)).toMatchObject([{ type: "model.failed", next: "converse" }]);
      told.overflow();
      expect(told.find("exchange.ended")).toMatchObject({ outcome: "failed", reason: "overflow" });
      expect(told.request - before).toBe(5);
    },
  );

  /** As the model is sent it, by its length: what a summary is asked for with, too. */
  const sent = ({ work }: Story) => ("request" in work && "messages" in work.request ? entireLength(work.request) : 0);
  const huge = "z".repeat(200_000);

  verifies("SEL-9", "by one new result is asked again with that one cut: the model sees both ends of it", () => {
    const told = turn(running(), 10, huge);
    const before = sent(told);
    expect(bodies(told.overflow().last.events)).toMatchObject([
      { type: "model.failed", next: "shorten", failure: { remedy: "results of tools are being shortened" } },
      { type: "history.compacted", shortened: { keep: 0, most: 4_000, all: true } },
    ]);
    expect(told.work.type).toBe("call-model");
    expect(sent(told)).toBeLessThan(before - 190_000);
    expect(entries(told.session.history).at(-1)?.text).toMatch(/^z{2000}\n\[… \d+ characters .*\]\nz{1000}$/);
  });

  test("is cut in the words of its time: a session of before sends the same bytes", () => {
    const cut = (all: object) => {
      const event = { type: "history.compacted", at: 1_000, shortened: { keep: 0, most: 600, ...all } } as const;
      return entries(evolve(turn(running(), 10).session, event).history).at(-1)?.text;
    };
    expect(cut({})).toContain("[… 9550 characters of this old result left out …]");
    expect(cut({ all: true })).toContain(
      "[… 9550 characters of this result left out: all of it does not fit, ask for less …]",
    );
  });

  verifies("SEL-9", "by a new result is not asked again for a few old ones that hardly matter", () => {
    const told = running();
    for (let turns = 1; turns <= 4; turns++) turn(told, 10, "x".repeat(4_000));
    turn(told, 10, huge).overflow();
    expect(results(told).map((length) => length < 4_500)).toEqual(Array.from({ length: 6 }, () => true));
  });

  verifies("SEL-9", "is summarised with all results cut: less is sent for the summary than did not fit", () => {
    const told = running();
    for (let turns = 1; turns <= 12; turns++) turn(told, 10, "x".repeat(3_900));
    told.overflow();
    const before = sent(told);
    expect(bodies(told.overflow().last.events)).toMatchObject([
      { type: "model.failed", next: "compact" },
      { type: "history.compacted", shortened: { keep: 0, most: 600, all: true } },
    ]);
    expect(told.work.type).toBe("compact-history");
    expect(sent(told)).toBeLessThan(before);
    expect(results(told).every((length) => length < 700)).toBe(true);
    expect(told.summarise().overflow().find("model.failed")).toMatchObject({ next: "converse" });
  });

  verifies(
    "SEL-9",
    "by what was foreseen has all results cut for a summary that would not fit either, and else none",
    () => {
      const shortened = { type: "history.compacted", shortened: { keep: 0, most: 600, all: true } };
      for (const [tokens, cut] of [
        [16_500, []],
        [18_500, [shortened]],
      ] as const) {
        const told = window(running(), 20_000);
        turn(told, tokens, "x".repeat(5_000));
        expect(bodies(told.last.events).slice(-1 - cut.length)).toEqual([
          ...cut,
          { type: "history.outgrown", tokens: expect.any(Number), window: 20_000 },
        ]);
        expect(told.work.type).toBe("compact-history");
      }
    },
  );

  verifies("SEL-9", "loses where it gains most, when nothing is enough", () => {
    const told = story({ turns: "unlimited" }).prompt("p".repeat(1_000_000));
    for (let n = 0; n < 80; n++) told.model("", terminal(`echo ${n}`)).runTools("x".repeat(3_500));
    told.model("", terminal("cat a")).runTools("x".repeat(10_000)).overflow();
    expect(bodies(told.last.events).at(-1)).toEqual({ type: "history.compacted", shortened: { keep: 2, most: 600 } });
  });

  verifies("SEL-9", "and a summary that says nothing lead to the reply without tools; the history stays", () => {
    const told = story().prompt("first").model("hello").prompt("second").overflow();
    const before = entries(told.session.history);
    expect(bodies(told.summarise(" \n").last.events)).toMatchObject([
      {
        type: "model.failed",
        next: "converse",
        failure: { class: "no-summary", remedy: "a reply without tools is asked for" },
      },
    ]);
    expect(told.work).toMatchObject({ type: "call-model", request: { messages: [], tools: "none" } });
    expect(entries(told.session.history)).toEqual(before);
    expect(told.overflow().find("exchange.ended")).toMatchObject({ outcome: "failed", reason: "overflow" });
  });

  describe("only by what was foreseen, where the model gives no summary of it,", () => {
    const missed = () => foreseen().summarise(" \n");

    verifies("SEL-9", "is sent as it is: nobody has refused it", () => {
      const told = foreseen();
      const before = entries(told.session.history);
      expect(bodies(told.summarise(" \n").last.events)).toMatchObject([
        {
          type: "model.failed",
          next: "send",
          failure: { class: "no-summary", remedy: "the request is sent as it is" },
        },
      ]);
      expect(told.work).toMatchObject({ type: "call-model", request: { messages: before, tools: "offered" } });
      expect(told.model("", complete()).find("exchange.ended")).toMatchObject({ outcome: "completed" });
    });

    verifies("SEL-9", "is not summarised again and again: not in this exchange, nor for the next prompt", () => {
      const told = missed();
      const before = told.request;
      for (let turns = 1; turns <= 5; turns++) turn(told, 18_500, "short", words);
      told.model("", complete()).prompt("go on");
      expect(told.work.type).toBe("call-model");
      expect(told.model("Fine.").request - before).toBe(7);
      expect(told.types.filter((type) => type === "history.outgrown")).toHaveLength(1);
    });

    verifies("SEL-9", "and then refused, is made to fit by the same steps as any other", () => {
      const told = missed();
      const before = told.request;
      expect(told.overflow().find("model.failed")).toMatchObject({ next: "compact" });
      expect(told.summarise(" ").find("model.failed")).toMatchObject({ next: "converse" });
      told.overflow();
      expect(told.find("exchange.ended")).toMatchObject({ outcome: "failed", reason: "overflow" });
      expect(told.request - before).toBe(3);
      // A refusal is news: the next time, a summary is worth a request again.
      expect(told.prompt("go on").work.type).toBe("compact-history");
    });

    test("is summarised when that is due for a model with another window", () => {
      const told = turn(window(turn(missed(), 18_500, "short", words), 21_000), 18_500, "short", words);
      expect(told.work.type).toBe("compact-history");
    });

    test("ends where it was stopped meanwhile", () => {
      const told = foreseen().stop().summarise(" ");
      expect(told.find("model.failed")).toMatchObject({ next: "end", failure: { class: "no-summary" } });
      expect(told.find("exchange.ended")).toMatchObject({ outcome: "stopped" });
    });
  });
});

describe("an exchange in which the model failed", () => {
  const resume = (told: Story) =>
    told.give({ type: "resumption", by: { name: "ada", adapter: "test" }, authority: "act" });

  verifies("SEL-10", "goes on where it failed, in its run, and no call of before is made again", () => {
    const told = running().model("", terminal("make")).runTools("made").modelFails();
    expect(told.find("exchange.ended")).toMatchObject({ outcome: "failed", reason: "model" });
    expect(told.session.failed).toMatchObject({ prompt: "do it", failure: { class: "server-error" } });
    const before = entries(told.session.history);
    expect(bodies(resume(told).last.events)).toEqual([
      { type: "exchange.started", exchange: 2, prompt: "do it", by: { name: "ada", adapter: "test" }, resumes: 1 },
      { type: "run.started", call: "t1c1", objective: "reach the goal", iterations: 1 },
    ]);
    const { work } = told;
    if (work.type !== "call-model") throw new Error(`expected call-model, came ${work.type}`);
    expect(work.request.messages.slice(0, before.length)).toEqual(before);
    expect(work.request.closing).toContain("Objective: reach the goal");
    expect(told.model("", complete()).find("exchange.ended")).toMatchObject({ outcome: "completed", exchange: 2 });
    expect(told.types.filter((type) => type === "call.started")).toHaveLength(1);
  });

  verifies("LIM-3d", "keeps all that its run has used; the time until it goes on counts for nothing", () => {
    const told = running({ clock_ms: 1_000 });
    told.at += 400;
    told.model("", terminal("make")).runTools("made");
    const used = told.session.exchange?.run;
    told.modelFails();
    told.at += 100_000;
    resume(told);
    expect(told.session.exchange?.run).toEqual({ ...used, personTime: 100_000 });
    told.at += 500;
    expect(told.model("", terminal("make it")).runTools("made").session.exchange).not.toBe(null);
    told.at += 100;
    told.model("", terminal("make more")).runTools("made");
    expect(told.find("exchange.ended")).toMatchObject({ outcome: "budget", bound: "clock" });
  });

  test("outside of a run the next request says that it goes on, after what was done", () => {
    const told = story().prompt("first").model("", terminal("make")).runTools("made").modelFails();
    resume(told);
    expect(closing(told)).toContain("what was done above is done");
    expect(told.model("made it").find("exchange.ended")).toMatchObject({ outcome: "answered", text: "made it" });
  });

  test("one that ended otherwise does not, nor one that is open", () => {
    expect(resume(story()).last.refusal).toMatchObject({ code: "nothing_to_resume" });
    expect(resume(story().prompt()).last.refusal).toMatchObject({ code: "exchange_open" });
    expect(resume(story().prompt().model("hello")).last.refusal).toMatchObject({ code: "nothing_to_resume" });
    expect(resume(story().prompt().stop().abandon()).last.refusal).toMatchObject({ code: "nothing_to_resume" });
    const later = story().prompt().modelFails().prompt("another").model("fine");
    expect(resume(later).last.refusal).toMatchObject({ code: "nothing_to_resume" });
  });

  test("can still go on after what a person did without the model", () => {
    const told = running().modelFails();
    const steps = [{ key: "a", question: "Which?", options: [], allow_free_text: true }];
    told.give({
      type: "flow",
      flow: { steps },
      name: "flow",
      arguments: "{}",
      by: { name: "ada", adapter: "test" },
      authority: "act",
    });
    told.reply("this");
    expect(told.session.exchange).toBe(null);
    expect(bodies(resume(told).last.events)).toMatchObject([
      { type: "exchange.started", resumes: 1 },
      { type: "run.started" },
    ]);
  });

  test("survives a crash, and can fail and go on again", () => {
    const told = running().modelFails().crash();
    resume(told).modelFails();
    expect(told.session.failed).toMatchObject({ exchange: 2, run: { objective: "reach the goal" } });
    expect(resume(told).model("", complete()).find("exchange.ended")).toMatchObject({ outcome: "completed" });
  });
});

verifies("PROG-3", "what an exchange and the session cost is totalled, with cost where it is known", () => {
  const priced = { input: 100, output: 10, cached: 40, cost: 0.5 };
  const told = story().prompt("first");
  told.give({ type: "model-result", request: 1, result: { type: "replied", text: "one", calls: [], usage: priced } });
  told.prompt("second");
  told.give({ type: "model-result", request: 2, result: { type: "replied", text: "two", calls: [], usage: priced } });
  expect(told.session.lastResult?.usage).toEqual(priced);
  expect(told.session.usage).toEqual({ input: 200, output: 20, cached: 80, cost: 1 });
});
