import { describe, expect, test } from "vitest";
import { entries, nextWork, type ReceivedCall, type SessionEvent } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import {
  agentic,
  ask,
  complete,
  person,
  read,
  running,
  type Story,
  stoppedWith,
  stopRequested,
  story,
  terminal,
} from "./story.ts";

const acted = { by: person, authority: "act" } as const;
const skipped = (call: string): SessionEvent => ({
  type: "call.skipped",
  at: 1000,
  call,
  why: "ending",
  reason: "the exchange is ending (stopped)",
});

function typed(told: Story, text: string): Story {
  return told.give({ type: "prompt", text, delivery: "now", entry: "typed", ...acted });
}

function submitted(told: Story, text: string): Story {
  return told.give({ type: "prompt", text, delivery: "now", entry: "submitted", ...acted });
}

function turnLimit(): Story {
  return story({ turns: 1 }).prompt().model("looking", terminal()).runTools();
}

// ── What counts as a stop ──────────────────────────────────────────────────────────────────────────────────────────

const stops = ["stop", "STOP", "Stop!", "please sToP now", "don't stop me", "unstoppable", "\tstop\n", "1 stop 2"];
/** At a question the bare word stops in any spelling that only looks different (ANS-9). */
const variants = ["s t o p", "s-t-o-p", "st\u200bop", "ｓｔｏｐ", "Ｓ Ｔ Ｏ Ｐ！", "st\u00adop."];
const others = ["st op", "s-t-o-p", "halt", "ѕtop", "ｓｔｏｐ", "sto p", "/quit", "tops"];

verifies("STOP-1a", 'typed input with "stop" anywhere in it, in any case, interrupts what executes', () => {
  const executing: readonly (() => Story)[] = [
    () => story().prompt(),
    () => story().prompt().model("looking", terminal()).judge().start(),
    () => running().model("looking", terminal()),
  ];
  for (const begin of executing) {
    for (const text of stops) {
      const told = typed(begin(), text);
      expect(told.last.events[0]).toEqual(stopRequested());
      expect(told.session.waiting).toEqual([]);
      expect(told.last.refusal).toBeNull();
    }
    for (const text of others) {
      const told = typed(begin(), text);
      expect(told.last.events).toEqual([{ type: "steering.received", at: 1000, waiting: "w1", text, by: person }]);
    }
  }
});

verifies("STOP-2d", 'typed adapters stop by the stop input; "stop" in what they submit means nothing', () => {
  const told = submitted(story().prompt(), "stop");
  expect(told.last.events).toEqual([{ type: "steering.received", at: 1000, waiting: "w1", text: "stop", by: person }]);
  const answered = story().prompt().model("", ask()).respond({ free_text: "stop" });
  expect(answered.find("call.finished").result).toEqual({ type: "output", text: "stop" });
  const declined = story().prompt().model("", terminal()).judge("ask").respond({ free_text: "stop it" });
  expect(declined.find("call.refused").reason).toBe("stop it");
  expect(turnLimit().respond({ free_text: "stop" }).last.refusal?.code).toBe("free_text_not_allowed");
  for (const silent of [told, answered, declined]) {
    expect(silent.types).not.toContain("stop.requested");
    expect(silent.session.exchange?.ending).toBeNull();
  }
  for (const mode of ["graceful", "kill"] as const) {
    expect(told.stop(mode).last).toEqual({ events: [stopRequested(mode)], refusal: null });
  }
});

test("a stop may name its exchange, and then stops no other", () => {
  for (const mode of ["graceful", "kill"] as const) {
    const stop = (told: Story, exchange: number) => told.give({ type: "stop", mode, exchange, ...acted }).last;
    const refused = (exchange: number) => ({
      events: [],
      refusal: { code: "nothing_to_stop", detail: `exchange ${exchange} is not open` },
    });
    const told = story();
    for (const exchange of [0, 1]) expect(stop(told, exchange)).toEqual(refused(exchange));
    expect(stop(told.prompt(), 2)).toEqual(refused(2));
    // The one that was meant has ended, and the next has begun.
    expect(stop(told.model("done"), 1)).toEqual(refused(1));
    for (const exchange of [1, 3]) expect(stop(told.prompt("next"), exchange)).toEqual(refused(exchange));
    expect(stop(told, 2)).toEqual({ events: [{ ...stopRequested(mode), exchange: 2 }], refusal: null });
  }
});

test("what waits for the next exchange is not scanned: stop is its text", () => {
  const told = story().prompt();
  told.give({ type: "prompt", text: "stop the server", delivery: "next", entry: "typed", ...acted });
  const queued = { type: "prompt.queued", at: 1000, waiting: "w1", text: "stop the server", by: person };
  expect(told.last.events).toEqual([queued]);
});

test("with nothing to stop the stop input is refused, and the typed word is an ordinary prompt", () => {
  const refusal = { code: "nothing_to_stop", detail: "no exchange is open" };
  for (const told of [story(), story().prompt().model("done")]) {
    for (const mode of ["graceful", "kill"] as const) expect(told.stop(mode).last).toEqual({ events: [], refusal });
    expect(typed(told, "stop").find("exchange.started").prompt).toBe("stop");
  }
});

test("nothing is typed or stopped in an aborted session", () => {
  const told = turnLimit().reply("no");
  expect(told.stop().last).toEqual({ events: [], refusal: expect.objectContaining({ code: "session_aborted" }) });
});

test('a second line with "stop" in it, while stopping, is kept: it may say more', () => {
  for (const stopping of [story().prompt().stop(), typed(story().prompt(), "stop"), story().prompt().stop("kill")]) {
    const text = "stop the server too";
    typed(stopping, text);
    expect(stopping.last).toEqual({
      events: [{ type: "steering.received", at: 1000, waiting: "w1", text, by: person }],
      refusal: null,
    });
    expect(stopping.model("looking").find("exchange.ended").outcome).toBe("stopped");
    expect(stopping.session.waiting).toEqual([{ id: "w1", type: "prompt", text, by: person, sent: null, held: true }]);
  }
});

test("waiting texts stay waiting after a stop and run only when sent", () => {
  const told = submitted(story().prompt(), "and then").stop().model("looking");
  expect(told.session.waiting).toEqual([
    { id: "w1", type: "prompt", text: "and then", by: person, sent: null, held: true },
  ]);
  expect(told.work).toEqual({ type: "rest", waiting: "prompt" });
});

// ── At a question ──────────────────────────────────────────────────────────────────────────────────────────────────

verifies("STOP-2a", 'at an approval a line with "stop" in it refuses the call and interrupts', () => {
  for (const line of [...stops, ...variants]) {
    const told = story().prompt().model("looking", terminal("rm -rf build"), read()).judge("ask").reply(line);
    expect(told.last.events).toEqual([
      stopRequested(),
      { type: "interaction.resolved", at: 1000, interaction: "s-1", state: "withdrawn", reason: "stopped" },
      { type: "call.refused", at: 1000, call: "t1c1", why: "stopped", reason: "the person stopped the exchange" },
      skipped("t1c2"),
      { type: "turn.closed", at: 1000, turn: 1, counted: true },
      stoppedWith("looking"),
    ]);
  }
});

verifies("STOP-2b", 'wherever free text is off, a line with "stop" in it withdraws and interrupts', () => {
  const withdrawn = {
    type: "interaction.resolved",
    at: 1000,
    interaction: "s-1",
    state: "withdrawn",
    reason: "stopped",
  };
  const draft = { question: "Go on?", options: [{ id: "y", label: "Go" }], allow_free_text: false };
  const asking: readonly (() => Story)[] = [
    () =>
      story()
        .prompt()
        .model("", ask({ allow_free_text: false })),
    turnLimit,
    () => story().prompt().model("", terminal()).judge().start().give({ type: "input-request", call: "t1c1", draft }),
  ];
  for (const begin of asking) {
    for (const line of [...stops, ...variants]) {
      const told = begin().reply(line);
      expect(told.last.refusal).toBeNull();
      expect(told.last.events.slice(0, 2)).toEqual([stopRequested(), withdrawn]);
    }
    expect(begin().reply("halt").lastTypes).toEqual(["interaction.rejected"]);
  }
});

verifies(
  "STOP-2c",
  "at a question that takes free text only the bare word stops; an approval is no such question",
  () => {
    for (const line of ["stop", "Stop", "STOP.", " stop ", "“stop”", ...variants]) {
      const told = story().prompt().model("", ask()).reply(line);
      expect(told.last.events[0]).toEqual(stopRequested());
      expect(told.find("exchange.ended").outcome).toBe("stopped");
    }
    for (const line of ["stop the server", "don't stop", "unstoppable", "stopp", "Non-stop, please"]) {
      for (const options of [undefined, []]) {
        const told = story()
          .prompt()
          .model("", ask(options === undefined ? {} : { options }))
          .reply(line);
        expect(told.find("call.finished").result).toEqual({ type: "output", text: line });
        expect(told.types).not.toContain("stop.requested");
      }
      const approval = story().prompt().model("", terminal()).judge("ask").reply(line);
      expect(approval.last.events[0]).toEqual(stopRequested());
    }
  },
);

// ── What executes ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Nothing may be begun between a stop and the end: asked after every input. */
function beginsNothing(told: Story): void {
  expect(["call-model", "compact-history", "judge-calls", "run-tools", "ask-person"]).not.toContain(told.work.type);
}

verifies("STOP-1b", "the call in progress finishes, the others of its turn are skipped", () => {
  const told = running()
    .model("looking", terminal("one"), terminal("two"), agentic(), complete())
    .judge()
    .start()
    .stop();
  expect(told.last.events).toEqual([stopRequested(), skipped("t2c2"), skipped("t2c3"), skipped("t2c4")]);
  expect(told.work).toEqual({ type: "rest", waiting: "tools" });
  told.finish("t2c1", "one's output");
  expect(told.last.events).toEqual([
    { type: "call.finished", at: 1000, call: "t2c1", result: { type: "output", text: "one's output" } },
    { type: "turn.closed", at: 1000, turn: 2, counted: true },
    { type: "run.ended", at: 1000, outcome: "stopped" },
    stoppedWith("looking"),
  ]);
});

verifies("STOP-1b", "of parallel calls those that run finish, and one that was only cleared is skipped", () => {
  const told = story().prompt().model("looking", read("a"), read("b"), read("c")).judge();
  for (const call of ["t1c1", "t1c2"]) {
    told.give({ type: "tool-start", call, digest: `digest of ${call === "t1c1" ? "a" : "b"}` });
  }
  expect(told.stop().last.events).toEqual([stopRequested(), skipped("t1c3")]);
  told.give({ type: "tool-start", call: "t1c3", digest: "digest of c" });
  expect(told.last).toEqual({
    events: [],
    refusal: { code: "unknown_call", detail: "call t1c3 is not cleared to start" },
  });
  beginsNothing(told.finish("t1c2"));
  expect(told.work).toEqual({ type: "rest", waiting: "tools" });
  expect(told.finish("t1c1").lastTypes).toEqual(["call.finished", "turn.closed", "exchange.ended"]);
});

verifies("STOP-1b", "a verdict or a question that comes after the stop begins nothing", () => {
  const told = story().prompt().model("", terminal("a"), terminal("b")).stop();
  expect(told.lastTypes).toEqual(["stop.requested", "call.skipped", "call.skipped", "turn.closed", "exchange.ended"]);
  const asking = story().prompt().model("", read("a"), read("b")).judge().start().stop();
  const draft = { question: "Name?", options: [], allow_free_text: true };
  const detail = "call t1c2 is bound to end and gets no more answers";
  expect(asking.give({ type: "input-request", call: "t1c2", draft }).last).toEqual({
    events: [],
    refusal: { code: "unknown_call", detail },
  });
  // The call in progress finishes as it can.
  expect(asking.work).toEqual({ type: "rest", waiting: "tools" });
});

const streamed: Record<string, readonly ReceivedCall[]> = {
  "no call": [],
  "a command": [terminal("rm -rf build")],
  "a question": [ask()],
  "an invalid question": [ask({ question: "" })],
  "a run": [agentic()],
  "several calls": [read("a"), read("b"), complete()],
};
describe.each(Object.entries(streamed))("stopped while the model answers with %s", (_what, calls) => {
  verifies(["STOP-1c", "STOP-1e"], "the response is received to its end and none of its calls runs", () => {
    const told = story().prompt().stop();
    expect(told.last.events).toEqual([stopRequested()]);
    expect(told.work).toEqual({ type: "stop-model", number: 1, mode: "graceful" });
    told.model("half a thought", ...calls);
    const [replied, ...rest] = told.last.events;
    expect(replied).toMatchObject({ type: "model.replied", reply: { text: "half a thought" } });
    expect(rest).toEqual([
      ...calls.map((_, index) => skipped(`t1c${index + 1}`)),
      { type: "turn.closed", at: 1000, turn: 1, counted: true },
      stoppedWith("half a thought"),
    ]);
    expect(told.work).toEqual({ type: "rest", waiting: "prompt" });
  });
});

verifies("STOP-1d", "the exchange ends stopped and keeps what it had", () => {
  const told = running()
    .model("first part", terminal("make"))
    .judge()
    .start()
    .finish("t2c1", "built", { files: ["a.o"] });
  told.model("second part", terminal("make test")).judge().start().stop().finish("t3c1", "1 failed", { exit: 1 });
  expect(told.last.events.slice(-2)).toEqual([
    { type: "run.ended", at: 1000, outcome: "stopped" },
    stoppedWith("second part"),
  ]);
  expect(told.session).toMatchObject({
    status: "active",
    exchange: null,
    lastEnding: { outcome: "stopped" },
    turns: 2,
    files: { paths: ["a.o"], more: false },
    lastCommand: { command: "make test", output: "1 failed", exit: 1 },
  });
  expect(entries(told.session.history).map(({ text }) => text)).toEqual([
    "do it",
    "",
    "run opened",
    "first part",
    "built",
    "second part",
    "1 failed\n[exit 1]",
    "[assent: the exchange ended: stopped]",
  ]);
  expect(told.prompt("go on").work.type).toBe("call-model");
});

verifies("STOP-1d", "a failed, given up or overflowing response ends a stopped exchange as stopped", () => {
  const answers: readonly ((told: Story) => Story)[] = [(t) => t.modelFails(), (t) => t.abandon(), (t) => t.overflow()];
  for (const answer of answers) {
    const told = story().prompt().model("so far", terminal()).runTools().stop();
    expect(answer(told).last.events.at(-1)).toEqual(stoppedWith("so far"));
    expect(told.work).toEqual({ type: "rest", waiting: "prompt" });
  }
});

verifies("STOP-1e", "after a stop no model call comes, at whatever point it fell", () => {
  const points: readonly (() => Story)[] = [
    () => story().prompt(),
    () => running(),
    () => running().model("", terminal()).runTools(),
    () => running().model("", terminal()),
    () => running().model("", terminal()).judge(),
    () => running().model("", terminal()).judge().start(),
    () => running().model("", terminal()).judge("ask"),
    () => running().model("", ask()),
    () => running().model("thinking"),
    () => story().prompt().overflow(),
    () => story().prompt().overflow().summarise(),
    () => story().prompt().overflow().overflow(),
  ];
  for (const begin of points) {
    for (const mode of ["graceful", "kill"] as const) {
      const told = begin().stop(mode);
      for (let steps = 0; told.session.exchange !== null && steps < 5; steps++) {
        beginsNothing(told);
        expect(nextWork(told.crash().session).type).not.toBe("call-model");
        if (told.work.type === "stop-model") told.abandon();
        for (const call of told.running) told.finish(call);
      }
      expect(told.find("exchange.ended").outcome).toBe("stopped");
    }
  }
});

test("stopped while the history is being summarised, the summary is kept and nothing follows", () => {
  const told = story().prompt().overflow().stop();
  expect(told.work).toEqual({ type: "stop-model", number: 2, mode: "graceful" });
  expect(told.summarise().lastTypes).toEqual(["history.compacted", "exchange.ended"]);
  expect(told.last.events.at(-1)).toEqual(stoppedWith(""));
});
