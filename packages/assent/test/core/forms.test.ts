import { describe, expect, test } from "vitest";
import { asksForRunning, type Flow, type FlowStep, fold, openInteraction, secretsOf } from "../../src/core/index.ts";
import { bodies, read, type Story, story, terminal } from "./story.ts";

const colour: FlowStep = {
  key: "colour",
  question: "Which colour?",
  options: ["Red", "Blue"].map((label, index) => ({ id: String(index + 1), label })),
  allow_free_text: true,
};
const token: FlowStep = { key: "token", question: "Which token?", options: [], allow_free_text: true, sensitive: true };
const one: Flow = { steps: [colour] };
const two: Flow = { steps: [colour, token] };

/** A call of the model runs. */
function started(): Story {
  return story().prompt().model("", terminal()).judge().start();
}

function ask(told: Story, flow: Flow, call = "t1c1"): Story {
  return told.give({ type: "form-request", call, flow });
}

describe("a flow of a running call", () => {
  test("is asked like any flow, and the call runs on with its answers", () => {
    const told = ask(started(), two);
    expect(bodies(told.last.events)).toMatchObject([
      { type: "flow.started", call: "t1c1", flow: two },
      { type: "interaction.requested", purpose: { type: "flow", call: "t1c1", place: "colour" } },
    ]);
    told.reply("2").reply("hunter2");
    expect(openInteraction(told.session)?.request.question).toBe("Summary:\n- colour: Blue\n- token: set");
    told.reply("1");
    expect(told.lastTypes).toEqual(["interaction.resolved", "flow.changed", "flow.ended"]);
    expect(told.session.returned).toEqual({
      call: "t1c1",
      flow: two,
      state: {
        answers: [
          { key: "colour", answer: { type: "selected", options: ["2"] } },
          { key: "token", answer: { type: "set", secret: "s-2.0" } },
        ],
        choosing: false,
      },
      end: "confirmed",
    });
    expect(told.running).toEqual(["t1c1"]);
    expect(told.work).toEqual({ type: "rest", waiting: "tools" });
    expect(secretsOf(told.session)).toEqual(["s-2.0"]);
    told.finish("t1c1", "done");
    expect([told.session.returned, secretsOf(told.session)]).toEqual([null, []]);
    expect(told.work.type).toBe("call-model");
    expect(JSON.stringify(told.events)).not.toContain("hunter2");
  });

  test("leaves it told what runs: who comes to the exchange sees its call first", () => {
    const told = started();
    const since = told.session.exchange?.since;
    expect(ask(told, two).reply("1").session.exchange?.since).toBe(since);
  });

  test("of one step is over with its answer; the same call may ask again", () => {
    const told = ask(started(), one).reply("1");
    expect(told.session.returned?.end).toBe("confirmed");
    ask(told, one).reply("nothing of that");
    expect(told.session.returned?.state.answers).toEqual([
      { key: "colour", answer: { type: "free-text", text: "nothing of that" } },
    ]);
  });

  test.each<[string, (told: Story) => Story, string]>([
    ["four invalid replies", (told) => told.reply("").reply("").reply("").reply(""), "aborted"],
    ["its time", (told) => told.wait(500), "expired"],
    ["that nobody is there", (told) => told.nobody("deny"), "nobody"],
    ["that nobody is there to come back to it", (told) => told.nobody("park"), "nobody"],
  ])("that ends by %s leaves the call running, which is told", (_, end, why) => {
    const told = end(ask(started(), { ...two, timeout_ms: 500 }).reply("1"));
    expect(told.session).toMatchObject({ flow: null, interactions: [], returned: { call: "t1c1", end: why } });
    expect(told.running).toEqual(["t1c1"]);
    expect(told.finish("t1c1").work.type).toBe("call-model");
    expect(told.session.exchange?.refused).toBe(true);
  });

  test("that is cancelled binds the exchange to its end: the call ends by itself, and no model is asked", () => {
    const told = ask(started(), two).reply("cancel");
    expect(told.lastTypes).toEqual(["interaction.resolved", "flow.ended"]);
    expect(told.session.returned?.end).toBe("cancelled");
    expect(ask(told, one).last).toEqual({
      events: [],
      refusal: { code: "unknown_call", detail: "call t1c1 is bound to end and gets no more answers" },
    });
    told.finish("t1c1", "it was left");
    expect(told.find("exchange.ended").outcome).toBe("cancelled");
    expect(told.work).toEqual({ type: "rest", waiting: "prompt" });
  });

  test.each(["graceful", "kill"] as const)("is withdrawn at a %s stop", (mode) => {
    const told = ask(started(), two).reply("1").stop(mode);
    expect(told.lastTypes).toEqual(["stop.requested", "interaction.resolved", "flow.ended"]);
    expect(told.session.returned?.end).toBe("stopped");
    expect(told.work.type).toBe(mode === "kill" ? "kill-tools" : "rest");
    expect(told.finish("t1c1").find("exchange.ended").outcome).toBe("stopped");
  });

  test("where nobody is there and that ends the session", () => {
    const told = ask(started(), two).nobody("abort").finish("t1c1");
    expect(told.session.status).toBe("aborted");
    expect(told.find("exchange.ended")).toMatchObject({ outcome: "failed", reason: "nobody" });
  });

  test.each<[string, (told: Story) => Story]>([
    ["ends", (told) => told.finish("t1c1")],
    ["is lost with its process", (told) => told.crash()],
  ])("is gone when its call %s", (_, end) => {
    const told = end(ask(started(), two).reply("1").reply("hunter2"));
    expect(told.find("interaction.resolved")).toMatchObject({ state: "withdrawn", reason: "call-ended" });
    expect(told.find("flow.ended")).toMatchObject({ call: "t1c1", end: "call-ended" });
    expect(told.session).toMatchObject({ flow: null, returned: null, interactions: [] });
    expect(secretsOf(told.session)).toEqual([]);
    expect(fold(told.events)).toEqual(told.session);
  });

  test("is gone when its call wants it no more, which runs on and may ask again", () => {
    const told = ask(started(), two).reply("1").reply("hunter2").give({ type: "form-withdrawal", call: "t1c1" });
    expect(bodies(told.last.events)).toMatchObject([
      { type: "interaction.resolved", state: "withdrawn", reason: "taken-back" },
      { type: "flow.ended", call: "t1c1", end: "taken-back" },
    ]);
    expect(told.session).toMatchObject({ flow: null, returned: null, interactions: [] });
    expect([told.running, secretsOf(told.session)]).toEqual([["t1c1"], []]);
    expect(ask(told, one).reply("1").session.returned?.end).toBe("confirmed");
    const { refusal } = told.give({ type: "form-withdrawal", call: "t1c1" }).last;
    expect(refusal).toEqual({ code: "unknown_call", detail: "call t1c1 asks for nothing" });
  });

  test("waits for the end of another one's: one is open at a time", () => {
    const told = story().prompt().model("", read("a"), read("b")).judge().start();
    ask(ask(told, one), one, "t1c2");
    expect(told.last).toEqual({
      events: [],
      refusal: { code: "flow_open", detail: "another flow is open; its end comes first" },
    });
    ask(told.reply("1"), one, "t1c2");
    expect(told.session.flow?.call).toBe("t1c2");
  });

  test("of a call that a person filled in leaves what they filled in as it is", () => {
    const by = { name: "ada", adapter: "test" };
    const told = story()
      .give({ type: "flow", flow: one, name: "/set", arguments: "{}", tool: "set_up", by, authority: "act" })
      .reply("1")
      .judge()
      .start();
    ask(told, { steps: [{ ...colour, key: "other" }] }, "e1").reply("2");
    expect(told.session.filled?.flow).toEqual(one);
    expect(told.session.returned?.state.answers).toMatchObject([{ key: "other" }]);
    expect(told.finish("e1", "saved").find("exchange.ended")).toMatchObject({ outcome: "answered", text: "saved" });
  });

  test("may have texts that no question of a model could have, but must be a flow", () => {
    const long = { ...colour, question: "A server says this. It goes on and on. ".repeat(9) };
    expect(ask(started(), { steps: [long] }).last.refusal).toBeNull();
    expect(ask(started(), { steps: [] }).last).toEqual({
      events: [],
      refusal: { code: "invalid_flow", detail: "expected 1 to 7 steps, found none" },
    });
  });

  test("shows what its steps have to show, and nothing of it at the summary", () => {
    const subject = { from: "everything", message: ["Hello", "you"] };
    const told = ask(started(), { steps: [{ ...colour, subject }, token] });
    expect(openInteraction(told.session)?.request.subject).toEqual(subject);
    told.reply("1").reply("hunter2");
    expect(openInteraction(told.session)?.request).not.toHaveProperty("subject");
  });
});

test.each(["none", "t1c2"])("a call that does not run puts nothing to a person: %s", (call) => {
  const told = story().prompt().model("", terminal(), terminal("make")).judge().start();
  expect(ask(told, one, call).last).toEqual({
    events: [],
    refusal: { code: "unknown_call", detail: `call ${call} is not running` },
  });
});

test("a question is a running call's only while that call runs", () => {
  const isOfRunning = ({ session }: Story) => session.interactions.map((asked) => asksForRunning(session, asked));
  expect(isOfRunning(ask(started(), one))).toEqual([true]);
  const asks = { type: "flow", flow: one } as const;
  expect(isOfRunning(story().prompt().model("", { id: "o", tool: "flow", arguments: "{}", asks }))).toEqual([false]);
});
