import { describe, expect, test } from "vitest";
import {
  entries,
  evolve,
  fold,
  type InteractionRequest,
  type InteractionResponse,
  openInteraction,
  type Session,
  type SessionEvent,
} from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { ask, person, read, running, type Story, story, terminal } from "./story.ts";

function asked(draft: Parameters<typeof ask>[0] = {}): Story {
  return story().prompt("go").model("", ask(draft));
}

function approval(timeout_ms?: number): Story {
  return story()
    .prompt("go")
    .model("", terminal("rm -rf build"))
    .judge("ask", timeout_ms === undefined ? {} : { timeout_ms });
}

/** As if the request had been recorded with other fields: what is stored is what counts. */
function stored(told: Story, change: Partial<InteractionRequest>): Story {
  const index = told.events.findLastIndex(({ type }) => type === "interaction.requested");
  const event = told.events[index];
  if (event?.type !== "interaction.requested") throw new Error("no interaction was requested");
  told.events[index] = { ...event, request: { ...event.request, ...change } };
  told.session = fold(told.events);
  return told;
}

/** The state with its logs as plain lists: versions of a log may share storage. */
function plain({ history, resolved, ...rest }: Session) {
  return { ...rest, history: entries(history), resolved: entries(resolved) };
}

function resolutionOf(told: Story, id: string) {
  return entries(told.session.resolved).filter((resolved) => resolved.id === id);
}

// ── One terminal transition, of six kinds ──────────────────────────────────────────────────────────────────────────

const red = { interaction_id: "s-1", selected_option_id: "red", cancelled: false };
const no = { interaction_id: "s-1", confirmed: false, selected_option_id: "no", cancelled: false };
const cancel = { interaction_id: "s-1", cancelled: true };
const shown = "digest of the block";
const winner = { name: "ada", adapter: "test", at: 1007 };

/** Each way to end, its state, and how a later answer is refused. */
const endings = {
  answered: {
    end: () => later(asked()).respond({ selected_option_id: "red" }),
    how: { state: "answered", response: red, by: person, shown: null },
    refusal: {
      code: "already_resolved",
      detail: "interaction s-1 was answered by ada in test",
      winner: { state: "answered", ...winner, response: red },
    },
  },
  declined: {
    end: () => later(approval()).reply("no"),
    how: { state: "declined", response: no, by: person, shown },
    refusal: {
      code: "already_resolved",
      detail: "interaction s-1 was declined by ada in test",
      winner: { state: "declined", ...winner, response: no },
    },
  },
  cancelled: {
    end: () => later(asked()).reply("cancel"),
    how: { state: "cancelled", response: cancel, by: person, shown },
    refusal: {
      code: "already_resolved",
      detail: "interaction s-1 was cancelled by ada in test",
      winner: { state: "cancelled", ...winner, response: cancel },
    },
  },
  expired: {
    end: () => later(asked({ timeout_ms: 7 })).wait(0),
    how: { state: "expired" },
    refusal: { code: "expired", detail: "interaction s-1 expired" },
  },
  aborted: {
    end: () => later(asked()).reply("").reply("").reply("").reply(""),
    how: { state: "aborted", by: person },
    refusal: {
      code: "already_resolved",
      detail: "interaction s-1 was aborted by ada in test",
      winner: { state: "aborted", ...winner, response: null },
    },
  },
  withdrawn: {
    end: () => later(running().model("", ask())).stop(),
    how: { state: "withdrawn", reason: "stopped" },
    refusal: {
      code: "already_resolved",
      detail: "interaction s-1 was withdrawn: stopped",
      winner: { state: "withdrawn", reason: "stopped", at: 1007 },
    },
  },
};

function later(told: Story): Story {
  told.at += 7;
  return told;
}

describe.each(Object.entries(endings))("an interaction that is %s", (state, { end, how, refusal }) => {
  verifies("INT-11b", "is in that terminal state and no other", () => {
    const told = end();
    expect(resolutionOf(told, "s-1")).toEqual([{ id: "s-1", at: 1007, how }]);
    expect(told.session.interactions).toEqual([]);
    expect(how.state).toBe(state);
  });

  verifies(["INT-4a", "INT-11a"], "stays so whatever arrives, and says who won", () => {
    const told = end();
    const before = resolutionOf(told, "s-1");
    const answers: readonly InteractionResponse[] = [
      { interaction_id: "s-1", selected_option_id: "blue", cancelled: false },
      { interaction_id: "s-1", selected_option_id: "no such", cancelled: false },
      { interaction_id: "s-1", cancelled: true },
      { interaction_id: "s-1", cancelled: false },
    ];
    later(told);
    for (const line of ["1", "yes", "cancel", "stop", ""]) {
      told.give({ type: "reply", interaction: "s-1", line, shown, by: person, authority: "act" });
      expect(told.last).toEqual({ events: [], refusal });
    }
    for (const response of answers) {
      told.give({ type: "response", response, shown, by: person, authority: "act" });
      expect(told.last).toEqual({ events: [], refusal });
    }
    told.wait(1_000_000).nobody("abort").crash();
    expect(resolutionOf(told, "s-1")).toEqual(before);
    const about = told.events.filter((event) => "interaction" in event && event.interaction === "s-1");
    expect(about.filter(({ type }) => type !== "interaction.rejected")).toHaveLength(1);
  });

  verifies("INT-11a", "takes no second end even from its own journal", () => {
    const told = end();
    const events: readonly SessionEvent[] = [
      { type: "interaction.expired", at: 2000, interaction: "s-1" },
      { type: "interaction.resolved", at: 2000, interaction: "s-1", state: "withdrawn", reason: "stopped" },
      {
        type: "interaction.rejected",
        at: 2000,
        interaction: "s-1",
        attempt: 1,
        code: "invalid_option",
        detail: "",
        by: person,
      },
    ];
    for (const event of events) {
      expect(plain(evolve(told.session, event))).toEqual(plain({ ...told.session, seq: told.session.seq + 1 }));
    }
  });
});

verifies("INT-4a", "an id nobody ever asked under is unknown, to typed and to typing adapters", () => {
  const refusal = { code: "unknown_interaction", detail: "no interaction has the id s-9" };
  const told = asked();
  told.give({ type: "reply", interaction: "s-9", line: "1", shown: null, by: person, authority: "act" });
  expect(told.last).toEqual({ events: [], refusal });
  expect(told.respond({ interaction_id: "s-9", selected_option_id: "red" }).last).toEqual({ events: [], refusal });
  expect(told.session.interactions[0]?.attempts).toBe(0);
});

verifies("INT-11c", "time alone ends nothing: dismissed, it is open with all its attempts", () => {
  const told = asked().reply("");
  const before = told.session;
  for (let hours = 0; hours < 1000; hours++) told.wait(3_600_000);
  expect(told.crash().session).toEqual(before);
  expect(told.session.interactions[0]?.attempts).toBe(1);
  expect(told.reply("2").find("call.finished").result).toEqual({ type: "output", text: "Blue" });
});

// ── The stored request ─────────────────────────────────────────────────────────────────────────────────────────────

verifies("INT-5b", "the request is kept as stored: no reply and no refolding changes a byte of it", () => {
  const options = ["z", "a", "m"].map((id) => ({ id, label: id.toUpperCase(), description: `about ${id}` }));
  const told = asked({ question: "Which  way?", options, multi_select: true, timeout_ms: 900 });
  const bytes = JSON.stringify(told.find("interaction.requested").request);
  const bytesNow = () => JSON.stringify(openInteraction(told.session)?.request);
  const bytesDue = () => told.work.type === "ask-person" && JSON.stringify(told.work.request);
  for (const line of ["", "4", "1, 2"]) {
    told.reply(line).wait(1).crash();
    expect([bytesNow(), bytesDue()]).toEqual([bytes, bytes]);
  }
  const read = fold(JSON.parse(JSON.stringify(told.events)));
  expect(JSON.stringify(openInteraction(read)?.request)).toBe(bytes);
});

test("the question at the turn limit is the same bytes in any two sessions, but for its id", () => {
  const atLimit = (session: string, turns: number, prompt: string) => {
    const told = story({ turns });
    told.session = fold([{ ...told.find("session.created"), session, cwd: `/${session}` }]);
    told.prompt(prompt);
    for (let turn = 0; turn < turns; turn++) told.model(prompt, terminal(prompt)).runTools(prompt);
    const { interaction_id, ...request } = told.find("interaction.requested").request;
    expect(interaction_id).toBe(`${session}-1`);
    return JSON.stringify(request);
  };
  expect(atLimit("one", 1, "build it")).toBe(atLimit("other", 3, "and test it"));
});

// ── Expiry and defaults ────────────────────────────────────────────────────────────────────────────────────────────

verifies("INT-8a", "at the deadline it is expired, and not even the default option counts as chosen", () => {
  const told = stored(asked({ timeout_ms: 500 }), { default_option_id: "red" });
  expect(told.work).toMatchObject({ type: "ask-person", deadline: 1500 });
  expect(told.wait(499).last.events).toEqual([]);
  told.wait(1);
  expect(told.last.events).toEqual([
    { type: "interaction.expired", at: 1500, interaction: "s-1" },
    { type: "call.finished", at: 1500, call: "t1c1", result: { type: "error", text: "expired" } },
    { type: "turn.closed", at: 1500, turn: 1, counted: true },
  ]);
  const allowed = stored(approval(500), { default_option_id: "yes" }).wait(500);
  expect(allowed.find("call.refused")).toEqual({ type: "call.refused", at: 1500, call: "t1c1", reason: "expired" });
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
  expect(told.work).toMatchObject({ deadline: 7_201_000 });
  told.at += 1;
  expect(told.crash().lastTypes).toEqual(["interaction.expired", "call.finished", "turn.closed"]);
});

verifies("INT-9a", "a blank reply selects nothing, default or not: it is an invalid reply", () => {
  const told = stored(asked(), { default_option_id: "red" });
  for (const [index, line] of ["", "\n", " \t"].entries()) {
    const detail = "an empty reply is never an answer";
    const rejection = { attempt: index + 1, code: "invalid_response", detail } as const;
    expect(told.reply(line).last).toEqual({
      events: [{ type: "interaction.rejected", at: 1000, interaction: "s-1", ...rejection, by: person }],
      refusal: { code: "invalid_response", detail },
    });
  }
});

// ── Time that a person takes ───────────────────────────────────────────────────────────────────────────────────────

const hour = 3_600_000;

/** A run that may take 100 ms, in which people take hours over every kind of question. */
function slowPeople(): Story {
  const calls = [ask(), terminal("rm -rf build"), read("a"), read("b"), read("c")];
  const told = running({ clock: 100, turns: 2 }).model("", ...calls);
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
  expect(told.work).toEqual({ type: "ask-person", request: told.session.interactions[0]?.request, deadline: 1500 });
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
  expect(told.work).toMatchObject({ type: "ask-person", request: { question: "Input 2?" }, deadline: 1900 });
  told.at = 1899;
  expect(told.wait(0).last.events).toEqual([]);
  expect(told.wait(1).last.events).toEqual([{ type: "interaction.expired", at: 1900, interaction: "s-2" }]);
  expect(queue(told)).toEqual([["s-3", 1900]]);
  expect(told.work).toMatchObject({ type: "kill-tools", calls: [{ call: { id: "t1c2" }, reason: "cancelled" }] });
  told.finish("t1c2", "killed", { type: "error" });
  expect(told.work).toMatchObject({ type: "ask-person", request: { question: "Input 3?" }, deadline: 2400 });
});

verifies("INT-14a", "a call that ends takes its waiting questions along and no other", () => {
  const told = threeInputs().finish("t1c2").finish("t1c1");
  expect(told.events.filter(({ type }) => type === "interaction.resolved")).toEqual([
    { type: "interaction.resolved", at: 1020, interaction: "s-2", state: "withdrawn", reason: "call-ended" },
    { type: "interaction.resolved", at: 1020, interaction: "s-1", state: "withdrawn", reason: "call-ended" },
  ]);
  expect(queue(told)).toEqual([["s-3", 1020]]);
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

test("only a running call asks for input", () => {
  const told = story().prompt().model("", terminal("a"), terminal("b"));
  const draft = { question: "Name?", options: [], allow_free_text: true };
  const askFor = (call: string) => told.give({ type: "input-request", call, draft }).last;
  const refused = (call: string) => ({
    events: [],
    refusal: { code: "unknown_call", detail: `call ${call} is not running` },
  });
  expect(askFor("t9c9")).toEqual(refused("t9c9"));
  expect(askFor("t1c1")).toEqual(refused("t1c1"));
  told.judge();
  expect(askFor("t1c1")).toEqual(refused("t1c1"));
  told.start().finish("t1c1");
  expect(askFor("t1c1")).toEqual(refused("t1c1"));
});

test("while a question stands before the model call, no model result is awaited", () => {
  const told = story({ turns: 1 }).prompt().model("", terminal()).runTools().model("too early");
  expect(told.last).toEqual({
    events: [],
    refusal: { code: "stale_result", detail: "no model request 2 is awaited" },
  });
});
