import { expect, test } from "vitest";
import { nextDeadline, runningCalls } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { ask, person, read, running, type Story, stored, story, terminal } from "./story.ts";

function asked(draft: Parameters<typeof ask>[0] = {}): Story {
  return story().prompt("go").model("", ask(draft));
}

function approval(timeout_ms: number): Story {
  return story().prompt("go").model("", terminal("rm -rf build")).judge("ask", { timeout_ms });
}

/** The question at the turn limit, as if recorded with so long to answer. */
function atLimit(timeout_ms: number): Story {
  return stored(story({ turns: 1 }).prompt().model("", terminal()).runTools(), { timeout_ms });
}

const shown = "digest of the block";
const acted = { by: person, authority: "act" } as const;

// ── Expiry and defaults ────────────────────────────────────────────────────────────────────────────────────────────

verifies("INT-8a", "at the deadline it is expired, and not even the default option counts as chosen", () => {
  const told = stored(asked({ timeout_ms: 500 }), { default_option_id: "red" });
  expect(nextDeadline(told.session)).toBe(1500);
  expect(told.wait(499).last.events).toEqual([]);
  told.wait(1);
  expect(told.last.events).toEqual([
    { type: "interaction.expired", at: 1500, interaction: "s-1" },
    { type: "call.finished", at: 1500, call: "t1c1", result: { type: "error", text: "expired" } },
    { type: "turn.closed", at: 1500, turn: 1, counted: true },
  ]);
  const allowed = stored(approval(500), { default_option_id: "yes" }).wait(500);
  const refused = { call: "t1c1", why: "expired", reason: "expired" };
  expect(allowed.find("call.refused")).toEqual({ type: "call.refused", at: 1500, ...refused });
  expect(allowed.types).not.toContain("call.cleared");
});

verifies("INT-8a", "whatever arrives at the deadline, it comes too late", () => {
  for (const late of [asked({ timeout_ms: 500 }), approval(500)]) {
    late.at = 1500;
    expect(late.reply("1").last.refusal?.code).toBe("expired");
    expect(late.lastTypes[0]).toBe("interaction.expired");
  }
});

verifies("INT-8b", "the deadline is reckoned from the recorded opening, however long nothing ran", () => {
  const told = asked({ timeout_ms: 7_200_000 });
  told.at += 7_199_999;
  expect(told.crash().last.events).toEqual([]);
  expect(nextDeadline(told.session)).toBe(7_201_000);
  told.at += 1;
  expect(told.crash().lastTypes).toEqual(["interaction.expired", "call.finished", "turn.closed"]);
});

test("a deadline is known only while a question with one is open", () => {
  expect(nextDeadline(story().session)).toBeNull();
  expect(nextDeadline(asked().session)).toBeNull();
  const told = asked({ timeout_ms: 500 });
  expect(told.work).toEqual({ type: "ask-person", request: told.find("interaction.requested").request });
  expect(nextDeadline(told.reply("1").session)).toBeNull();
});

test("an expiry that ends the session refuses what came with it, and records the expiry all the same", () => {
  const inputs: readonly ((told: Story) => Story)[] = [
    (told) => told.prompt("and then"),
    (told) => told.give({ type: "prompt", text: "later", delivery: "next", entry: "submitted", ...acted }),
    (told) => told.stop(),
    (told) => told.limit(9),
    (told) => told.give({ type: "context", text: "cwd: /elsewhere" }),
  ];
  for (const input of inputs) {
    const told = atLimit(500);
    told.at = 1500;
    input(told);
    const detail = "session s is aborted; a fork of it can go on";
    expect(told.last.refusal).toEqual({ code: "session_aborted", detail });
    expect(told.lastTypes).toEqual(["interaction.expired", "exchange.ended", "session.aborted"]);
    expect(told.session).toMatchObject({ status: "aborted", exchange: null, waiting: [] });
  }
  // The answer that came too late is told so.
  const late = atLimit(500);
  late.at = 1500;
  expect(late.reply("yes").last.refusal).toEqual({ code: "expired", detail: "interaction s-1 expired" });
  expect(late.session.status).toBe("aborted");
});

verifies("INT-9a", "a blank reply selects nothing, default or not: it is an invalid reply", () => {
  const told = stored(asked(), { default_option_id: "red" });
  for (const [index, line] of ["", "\n", " \t"].entries()) {
    const detail = "an empty reply is never an answer";
    const rejection = { attempt: index + 1, code: "invalid_response", detail } as const;
    expect(told.reply(line).last).toEqual({
      events: [{ type: "interaction.rejected", at: 1000, interaction: "s-1", ...rejection, by: person }],
      refusal: { code: "invalid_response", detail, attempt: index + 1 },
    });
  }
});

// ── Time that a person takes ───────────────────────────────────────────────────────────────────────────────────────

const hour = 3_600_000;

/** A run that may take 100 ms, in which people take hours over every kind of question. */
function slowPeople(): Story {
  const calls = [ask(), terminal("rm -rf build"), read("a"), read("b"), read("c")];
  const told = running({ clock_ms: 100, turns: 2 }).model("", ...calls);
  told.at += hour;
  told.reply("1").judge("ask");
  told.at += hour;
  told.reply("yes").start();
  const draft = { question: "Name?", options: [], allow_free_text: true };
  told.give({ type: "input-request", call: "t2c2", draft });
  told.at += hour;
  told.reply("Ada").finish("t2c2").judge().start();
  told.give({ type: "input-request", call: "t2c3", draft: { ...draft, timeout_ms: hour } });
  told.give({ type: "input-request", call: "t2c4", draft });
  // One that never opened cost no one any time.
  told.give({ type: "input-request", call: "t2c5", draft }).finish("t2c5");
  told.wait(hour);
  told.at += hour;
  told.finish("t2c3").finish("t2c4").model("", terminal()).judge().start().finish("t3c1");
  told.at += hour;
  return told.crash().reply("yes");
}

verifies("INT-13a", "a bound on a run's time leaves out every span in which a person was asked", () => {
  const within = slowPeople();
  expect(within.session.exchange?.run?.personTime).toBe(6 * hour);
  within.at += 99;
  expect(within.model("thinking").session.exchange).not.toBeNull();
  const over = slowPeople();
  over.at += 100;
  expect(over.model("thinking").find("run.ended")).toEqual({
    type: "run.ended",
    at: over.at,
    outcome: "budget",
    bound: "clock",
  });
});

verifies("INT-13a", "a clock set back while a person is asked makes no time", () => {
  const told = running({ clock_ms: 100 }).model("", ask());
  told.at -= hour;
  told.reply("1");
  expect(told.session.exchange?.run?.personTime).toBe(0);
  // The run began at 1000: by its own clock it has taken 99 ms, then 100.
  told.at = 1099;
  expect(told.model("thinking").session.exchange).not.toBeNull();
  told.at = 1100;
  expect(told.model("thinking").find("run.ended")).toMatchObject({ outcome: "budget", bound: "clock" });
});

verifies("INT-13b", "no request to the model is under way while a person is asked, so none can be late by it", () => {
  const asking: readonly Story[] = [
    asked(),
    approval(2 * hour),
    atLimit(2 * hour),
    story({ turns: 1 }).prompt().model("Done.").prompt("more"),
    story().prompt().model("Which colour?\n\n1) Red\n2) Blue"),
    running().model("", ask()),
  ];
  for (const told of asking) {
    expect(told.work.type).toBe("ask-person");
    expect(told.wait(hour).work.type).toBe("ask-person");
    expect(told.prompt("and?").work.type).toBe("ask-person");
  }
});

// ── One at a time ──────────────────────────────────────────────────────────────────────────────────────────────────

/** Three calls run side by side and each asks for input, at 1000, 1010 and 1020. */
function threeInputs(): Story {
  const told = story().prompt().model("", read("a"), read("b"), read("c")).judge().start();
  for (const [index, call] of ["t1c1", "t1c2", "t1c3"].entries()) {
    const draft = { question: `Input ${index + 1}?`, options: [], allow_free_text: true, timeout_ms: 500 };
    told.at = 1000 + index * 10;
    told.give({ type: "input-request", call, draft });
  }
  return told;
}

function queue(told: Story) {
  return told.session.interactions.map(({ request, openedAt }) => [request.interaction_id, openedAt]);
}

verifies("INT-14a", "of several questions the first is open and the others wait in the order raised", () => {
  const told = threeInputs();
  expect(queue(told)).toEqual([
    ["s-1", 1000],
    ["s-2", null],
    ["s-3", null],
  ]);
  expect(told.work).toEqual({ type: "ask-person", request: told.session.interactions[0]?.request });
  expect(nextDeadline(told.session)).toBe(1500);
  for (const id of ["s-2", "s-3"]) {
    const refusal = {
      code: "unknown_interaction",
      detail: `interaction ${id} waits for another one to be answered first`,
    };
    told.give({ type: "reply", interaction: id, line: "x", shown, by: person, authority: "act" });
    expect(told.last).toEqual({ events: [], refusal });
    expect(told.respond({ interaction_id: id, free_text: "x" }).last).toEqual({ events: [], refusal });
  }
  told.at = 1400;
  told.reply("one");
  expect(queue(told)).toEqual([
    ["s-2", 1400],
    ["s-3", null],
  ]);
  // The time of one that waited begins when it opens.
  expect(told.work).toMatchObject({ type: "ask-person", request: { question: "Input 2?" } });
  expect(nextDeadline(told.session)).toBe(1900);
  told.at = 1899;
  expect(told.wait(0).last.events).toEqual([]);
  expect(told.wait(1).last.events).toEqual([{ type: "interaction.expired", at: 1900, interaction: "s-2" }]);
  expect(queue(told)).toEqual([["s-3", 1900]]);
  expect(told.work).toMatchObject({ type: "kill-tools", calls: [{ call: { id: "t1c2" }, reason: "cancelled" }] });
  told.finish("t1c2", "killed", { type: "error" });
  expect(told.work).toMatchObject({ type: "ask-person", request: { question: "Input 3?" } });
  expect(nextDeadline(told.session)).toBe(2400);
});

verifies("INT-14a", "a call that ends takes its waiting questions along and no other", () => {
  const told = threeInputs().finish("t1c2").finish("t1c1");
  expect(told.events.filter(({ type }) => type === "interaction.resolved")).toEqual([
    { type: "interaction.resolved", at: 1020, interaction: "s-2", state: "withdrawn", reason: "call-ended" },
    { type: "interaction.resolved", at: 1020, interaction: "s-1", state: "withdrawn", reason: "call-ended" },
  ]);
  expect(queue(told)).toEqual([["s-3", 1020]]);
});

verifies("INT-14a", "one that waits and is closed first leaves the open one's time as it was", () => {
  const told = threeInputs();
  told.at = 1400;
  told.finish("t1c2");
  expect(told.find("interaction.resolved")).toMatchObject({ interaction: "s-2", state: "withdrawn" });
  expect(queue(told)).toEqual([
    ["s-1", 1000],
    ["s-3", null],
  ]);
  expect(nextDeadline(told.session)).toBe(1500);
  expect(told.wait(99).last.events).toEqual([]);
  expect(told.wait(1).last.events).toEqual([{ type: "interaction.expired", at: 1500, interaction: "s-1" }]);
  expect(queue(told)).toEqual([["s-3", 1500]]);
});

verifies("INT-14a", "two questions of one reply are put one after the other", () => {
  const told = story()
    .prompt()
    .model("", ask(), ask({ question: "And then?" }));
  expect(queue(told)).toEqual([["s-1", 1000]]);
  told.reply("1");
  expect(queue(told)).toEqual([["s-2", 1000]]);
  expect(told.lastTypes).toEqual(["interaction.resolved", "call.finished", "interaction.requested"]);
});

test("the calls under way are known, whatever the work is", () => {
  const ids = (told: Story) => runningCalls(told.session).map(({ id }) => id);
  expect(ids(story().prompt().model("", read("a")).judge())).toEqual([]);
  const told = threeInputs();
  expect([told.work.type, ids(told)]).toEqual(["ask-person", ["t1c1", "t1c2", "t1c3"]]);
  told.reply("cancel");
  expect([told.work.type, ids(told)]).toEqual(["kill-tools", ["t1c1", "t1c2", "t1c3"]]);
  expect(ids(told.finish("t1c2"))).toEqual(["t1c1", "t1c3"]);
  expect(ids(told.crash())).toEqual([]);
});

test("a call marked to be killed keeps its first reason, whatever ends its other questions", () => {
  const told = story().prompt().model("", read("a"), read("b")).judge().start();
  const draft = { question: "Name?", options: [], allow_free_text: true, timeout_ms: 500 };
  for (let inputs = 0; inputs < 4; inputs++) told.give({ type: "input-request", call: "t1c1", draft });
  const kill = [{ call: { id: "t1c1" }, reason: "nobody" }];
  expect(told.nobody("deny").work).toMatchObject({ type: "kill-tools", calls: kill });
  expect(told.reply("cancel").work).toMatchObject({ type: "kill-tools", calls: kill });
  expect(told.wait(500).work).toMatchObject({ type: "kill-tools", calls: kill });
  expect(told.stop().work).toMatchObject({ type: "kill-tools", calls: kill });
  expect(told.session.interactions).toEqual([]);
  expect(told.stop("kill").work).toMatchObject({ calls: [...kill, { call: { id: "t1c2" }, reason: "stopped" }] });
});
