import { describe, expect, test } from "vitest";
import { entries, type InteractionResponse } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { ask, person, type Story, stored, story, terminal } from "./story.ts";

function asked(draft: Parameters<typeof ask>[0] = {}): Story {
  return story().prompt("go").model("", ask(draft));
}

function approval(): Story {
  return story().prompt("go").model("", terminal("rm -rf build")).judge("ask");
}

function atLimit(): Story {
  return story({ turns: 1 }).prompt().model("", terminal()).runTools();
}

verifies("INT-2b", "several choices are recorded in option order, and the single id only when there is one", () => {
  const many = { multi_select: true, options: ["z", "a", "m"].map((id) => ({ id, label: id.toUpperCase() })) };
  const two = asked(many).reply("3,1").find("interaction.resolved");
  expect(two).toMatchObject({ response: { selected_option_ids: ["z", "m"] } });
  expect(two).not.toHaveProperty("response.selected_option_id");
  expect(asked(many).reply("2").find("interaction.resolved")).toMatchObject({
    response: { selected_option_ids: ["a"], selected_option_id: "a" },
  });
  expect(
    asked(many)
      .respond({ selected_option_ids: ["m", "a"] })
      .find("call.finished").result.text,
  ).toBe("A, M");
});

// ── The one form in which an answer is recorded ────────────────────────────────────────────────────────────────────

const several = { multi_select: true, options: ["z", "a", "m"].map((id) => ({ id, label: id })) };
const yes = { confirmed: true, selected_option_id: "yes" };
test.each<[string, () => Story, Partial<InteractionResponse>]>([
  ["a number", () => asked().reply("2"), { selected_option_id: "blue" }],
  ["an id", () => asked().respond({ selected_option_id: "blue" }), { selected_option_id: "blue" }],
  ["a list of one", () => asked().respond({ selected_option_ids: ["blue"] }), { selected_option_id: "blue" }],
  [
    "both spellings",
    () => asked().respond({ selected_option_id: "blue", selected_option_ids: ["blue"] }),
    { selected_option_id: "blue" },
  ],
  [
    "one of several",
    () => asked(several).respond({ selected_option_id: "a" }),
    { selected_option_id: "a", selected_option_ids: ["a"] },
  ],
  ["two of several", () => asked(several).reply("3,1"), { selected_option_ids: ["z", "m"] }],
  ["text", () => asked().reply("teal"), { free_text: "teal" }],
  ["a typed yes", () => approval().reply("y"), yes],
  ["the first option of an approval", () => approval().reply("1"), yes],
  ["the option yes", () => approval().respond({ selected_option_id: "yes" }), yes],
  ["a list with yes", () => approval().respond({ selected_option_ids: ["yes"] }), yes],
  ["confirmed and its option", () => approval().respond({ confirmed: true, selected_option_ids: ["yes"] }), yes],
  [
    "a cancel with an empty list",
    () => asked().respond({ cancelled: true, selected_option_ids: [] }),
    { cancelled: true },
  ],
])("%s is recorded in one form", (_what, answer, expected) => {
  const resolved = answer().find("interaction.resolved");
  expect(resolved).toHaveProperty("response");
  expect("response" in resolved && resolved.response).toStrictEqual({
    interaction_id: "s-1",
    cancelled: false,
    ...expected,
  });
});

test("fields the core does not know are recorded as they came, the answer id and the metadata too", () => {
  const more = { answer_id: "a1", metadata: { via: "phone" }, mood: "fine", confidence: 0.9 };
  const told = asked().respond({ selected_option_ids: ["red"], ...more });
  expect(told.find("interaction.resolved")).toMatchObject({
    response: { interaction_id: "s-1", selected_option_id: "red", cancelled: false, ...more },
  });
  const again = { interaction_id: "s-1", selected_option_id: "red", ...more };
  expect(told.respond(again).last).toEqual({ events: [], refusal: null });
  expect(told.respond({ ...again, ...{ mood: "worse" } }).last.refusal?.code).toBe("already_resolved");
});

// ── Only a clear yes is one ────────────────────────────────────────────────────────────────────────────────────────

const options = ["yes", "no", "session", "edit", "Yes", "restart"].map((id) => ({ id, label: `The ${id}` }));
const clear = ["yes", "session"];
describe.each(options.map(({ id, label }, index) => [id, label, index + 1] as const))(
  "the option %s",
  (id, label, number) => {
    const ways: Record<string, (told: Story) => Story> = {
      typed: (told) => told.reply(String(number)),
      submitted: (told) => told.respond({ selected_option_id: id }),
    };
    const says = id === "no" ? "the person said no" : `the person chose ${label}`;

    test.each(Object.entries(ways))("%s at an approval: clears the call only if it says yes", (_way, answer) => {
      const told = answer(stored(approval(), { options }));
      expect(told.find("interaction.resolved").state).toBe(clear.includes(id) ? "answered" : "declined");
      if (clear.includes(id)) expect(told.find("call.cleared").call).toBe("t1c1");
      else {
        expect(told.types).not.toContain("call.cleared");
        expect(told.find("call.refused")).toMatchObject({ call: "t1c1", why: "person", reason: says });
        expect(told.work.type).toBe("call-model");
      }
    });

    test.each(Object.entries(ways))("%s at the turn limit: goes on only if it says yes", (_way, answer) => {
      const told = answer(stored(atLimit(), { options }));
      expect(told.session).toMatchObject(
        clear.includes(id) ? { status: "active", turns: 0 } : { status: "aborted", turns: 1 },
      );
      expect(told.find("interaction.resolved").state).toBe(clear.includes(id) ? "answered" : "declined");
    });
  },
);

test("free text at an approval is a no with its reason, however it begins", () => {
  for (const text of ["yes please", "да", "sure"]) {
    for (const told of [approval().reply(text), approval().respond({ free_text: text })]) {
      expect(told.find("interaction.resolved").state).toBe("declined");
      expect(told.find("call.refused")).toMatchObject({ why: "person", reason: text });
    }
  }
});

test("a confirmation takes one option, also when it says that several may be chosen", () => {
  for (const told of [approval(), atLimit()].map((begun) => stored(begun, { multi_select: true }))) {
    expect(told.reply("1,2").last.refusal).toMatchObject({ code: "invalid_option", attempt: 1 });
    const detail = "expected 1 to 1 options, found 2";
    const both = told.respond({ selected_option_ids: ["yes", "no"] }).last.refusal;
    expect(both).toEqual({ code: "invalid_option", detail, attempt: 2 });
    expect(told.respond({ confirmed: true, selected_option_ids: ["yes", "no"] }).last.refusal).toMatchObject({
      attempt: 3,
    });
    expect(told.reply("1").find("interaction.resolved").state).toBe("answered");
  }
});

// ── Invalid answers ────────────────────────────────────────────────────────────────────────────────────────────────

verifies("ANS-7b", "four invalid answers end it, whatever adapter and input each came from", () => {
  const told = approval();
  const web = { by: { name: "grace", adapter: "web" }, authority: "act" } as const;
  told.reply("maybe 1");
  told.give({
    type: "response",
    response: { interaction_id: "s-1", selected_option_id: "maybe", cancelled: false },
    shown: null,
    ...web,
  });
  told.give({ type: "reply", interaction: "s-1", line: "Yes!", shown: null, ...web });
  expect(told.session.interactions[0]?.attempts).toBe(3);
  told.respond({ free_text: " " });
  const about = told.events.filter(({ type }) => type === "interaction.rejected");
  expect(about.map((event) => "by" in event && "attempt" in event && [event.by.adapter, event.attempt])).toEqual([
    ["test", 1],
    ["web", 2],
    ["web", 3],
    ["test", 4],
  ]);
  const detail = "free text is never blank";
  expect(told.last.refusal).toEqual({ code: "invalid_response", detail, attempt: 4, aborted: true });
  expect(told.lastTypes).toEqual(["interaction.rejected", "interaction.resolved", "call.refused", "turn.closed"]);
});

verifies("ANS-7b", "malformed responses between the invalid ones neither count nor forgive", () => {
  const told = asked().reply("").respond({}).reply("").respond({ free_text: "x", confirmed: true }).reply("");
  expect(told.session.interactions[0]?.attempts).toBe(3);
  expect(told.reply("").find("interaction.resolved").state).toBe("aborted");
});

test("an invalid answer is told which attempt it cost, and that it was the last", () => {
  const told = asked();
  const refusal = { code: "invalid_response", detail: "an empty reply is never an answer" };
  for (const attempt of [1, 2, 3]) expect(told.reply("").last.refusal).toEqual({ ...refusal, attempt });
  expect(told.reply("").last.refusal).toEqual({ ...refusal, attempt: 4, aborted: true });
  expect(told.respond({ interaction_id: "s-1", selected_option_id: "red" }).last.refusal).toEqual({
    code: "already_resolved",
    detail: "interaction s-1 was aborted by ada in test",
    winner: { state: "aborted", by: person, at: 1000 },
  });
});

test("an invalid answer sent again under its answer id costs no second attempt, after a crash too", () => {
  const told = asked();
  const wrong = { selected_option_id: "green", answer_id: "a1" };
  const refusal = { code: "invalid_option", detail: "no option has the id green", attempt: 1 };
  expect(told.respond(wrong).last).toEqual({
    events: [{ type: "interaction.rejected", at: 1000, interaction: "s-1", ...refusal, answer_id: "a1", by: person }],
    refusal,
  });
  for (let times = 0; times < 5; times++) {
    expect(told.respond(wrong).last).toEqual({ events: [], refusal });
    expect(told.crash().respond(wrong).last).toEqual({ events: [], refusal });
  }
  // Another answer id is another answer; none at all never is the same one.
  expect(told.respond({ ...wrong, answer_id: "a2" }).last.refusal).toMatchObject({ attempt: 2 });
  expect(told.respond({ selected_option_id: "green" }).last.refusal).toMatchObject({ attempt: 3 });
  expect(told.find("interaction.rejected")).not.toHaveProperty("answer_id");
  expect(told.respond(wrong).last).toMatchObject({ events: [], refusal: { code: "invalid_option" } });
  expect(told.respond({ selected_option_id: "green" }).last.refusal).toMatchObject({ attempt: 4, aborted: true });
});

test("an answer id that was used for an invalid answer may bring a valid one, and counts for its interaction only", () => {
  const told = story().prompt().model("", ask(), ask()).respond({ selected_option_id: "green", answer_id: "a1" });
  expect(told.respond({ selected_option_id: "red", answer_id: "a1" }).last.refusal).toBeNull();
  expect(told.asked).toBe("s-2");
  expect(told.respond({ selected_option_id: "green", answer_id: "a1" }).last).toMatchObject({
    events: [{ type: "interaction.rejected", interaction: "s-2", attempt: 1 }],
    refusal: { attempt: 1 },
  });
});

test.each(["", " \t", "\n", "\u00a0\u3000\ufeff", "\u200b\u2060", "\u00ad", "\u202e\u200f", "\0\x07"])(
  "%j shows nothing: it is no answer, no prompt and no name",
  (text) => {
    for (const told of [asked(), asked({ options: [] }), approval(), asked({ sensitive: true, options: [] })]) {
      expect(told.reply(text).last.refusal).toMatchObject({ code: "invalid_response", attempt: 1 });
      expect(told.respond({ free_text: text }).last.refusal).toMatchObject({ code: "invalid_response", attempt: 2 });
    }
    const told = story();
    for (const delivery of ["now", "next"] as const) {
      told.give({ type: "prompt", text, delivery, entry: "typed", by: person, authority: "act" });
      expect(told.last).toMatchObject({ events: [], refusal: { code: "blank_prompt" } });
    }
    told.give({ type: "name", name: text, by: person, authority: "act" });
    expect(told.last).toMatchObject({ events: [], refusal: { code: "invalid_name" } });
  },
);

// ── The same answer, sent again ────────────────────────────────────────────────────────────────────────────────────

test("the same answer id with the same answer is taken again without effect, after a crash too", () => {
  const answer = { selected_option_id: "red", answer_id: "a1" };
  const told = asked().respond(answer);
  const { interaction: interaction_id } = told.find("interaction.resolved");
  for (const again of [answer, { selected_option_ids: ["red"], answer_id: "a1" }]) {
    expect(told.respond({ interaction_id, ...again }).last).toEqual({ events: [], refusal: null });
    expect(told.crash().respond({ interaction_id, ...again }).last).toEqual({ events: [], refusal: null });
  }
  expect(told.types.filter((type) => type === "call.finished")).toHaveLength(1);
});

test.each([
  ["another option", { selected_option_id: "blue", answer_id: "a1" }],
  ["free text", { free_text: "red", answer_id: "a1" }],
  ["a cancel", { cancelled: true, answer_id: "a1" }],
  ["another answer id", { selected_option_id: "red", answer_id: "a2" }],
  ["other metadata", { selected_option_id: "red", answer_id: "a1", metadata: { via: "phone" } }],
  ["an option beside it", { selected_option_ids: ["red", "blue"], answer_id: "a1" }],
  ["no answer id", { selected_option_id: "red" }],
])("%s after the answer is refused with the winner", (_what, again) => {
  const told = asked().respond({ selected_option_id: "red", answer_id: "a1" });
  expect(told.respond({ interaction_id: "s-1", ...again }).last).toEqual({
    events: [],
    refusal: {
      code: "already_resolved",
      detail: "interaction s-1 was answered by ada in test",
      winner: {
        state: "answered",
        response: { interaction_id: "s-1", selected_option_id: "red", answer_id: "a1", cancelled: false },
        by: person,
        shown: null,
        at: 1000,
      },
    },
  });
});

test("answers without an answer id are never the same answer", () => {
  const told = asked().respond({ selected_option_id: "red" });
  expect(told.respond({ interaction_id: "s-1", selected_option_id: "red" }).last.refusal?.code).toBe(
    "already_resolved",
  );
});

test("an answer id settles its own interaction only", () => {
  const told = story().prompt().model("", ask(), ask()).respond({ selected_option_id: "red", answer_id: "a1" });
  expect(told.respond({ selected_option_id: "red", answer_id: "a1" }).find("interaction.resolved").interaction).toBe(
    "s-2",
  );
});

test("a late answer to the question that ended the session is told who won", () => {
  const told = story({ turns: 1 })
    .prompt()
    .model("", terminal())
    .runTools()
    .respond({ confirmed: false, answer_id: "a1" });
  expect(told.session.status).toBe("aborted");
  const late = { interaction_id: "s-1", confirmed: true, cancelled: false };
  for (const input of [
    { type: "response", response: late, shown: null },
    { type: "reply", interaction: "s-1", line: "yes", shown: null },
  ] as const) {
    told.give({ ...input, by: person, authority: "act" });
    expect(told.last).toEqual({
      events: [],
      refusal: {
        code: "already_resolved",
        detail: "interaction s-1 was declined by ada in test",
        winner: expect.objectContaining({ state: "declined", by: person, at: 1000 }),
      },
    });
  }
  expect(told.respond({ interaction_id: "s-1", confirmed: false, answer_id: "a1" }).last.refusal).toBeNull();
});

// ── Sensitive answers ──────────────────────────────────────────────────────────────────────────────────────────────

const secret = "hunter2 stop /x";
const sensitive = { sensitive: true, options: [] };

function secretAsked(from: "model" | "terminal"): Story {
  if (from === "model") return asked(sensitive);
  const draft = { question: "Password?", allow_free_text: true, ...sensitive };
  return story()
    .prompt("go")
    .model("", terminal("sudo -v"))
    .judge()
    .start()
    .give({ type: "input-request", call: "t1c1", draft });
}

describe.each(["model", "terminal"] as const)("a sensitive question of the %s", (from) => {
  const ways: Record<string, (told: Story) => Story> = {
    typed: (told) => told.reply(secret),
    submitted: (told) => told.respond({ free_text: secret, answer_id: "a1", metadata: { typed: secret } }),
  };
  test.each(Object.entries(ways))(
    "%s: its value is in no event, no state, no history and no refusal",
    (_way, answer) => {
      const told = answer(secretAsked(from));
      expect(told.find("interaction.resolved")).toMatchObject({
        state: "answered",
        by: person,
        response: { interaction_id: "s-1", cancelled: false, metadata: { set: true } },
      });
      const late = told.respond({ interaction_id: "s-1", free_text: "other" }).last.refusal;
      expect(late?.code).toBe("already_resolved");
      for (const seen of [told.events, told.session, told.work, late])
        expect(JSON.stringify(seen)).not.toContain("hunter2");
      const results = entries(told.session.history).filter(({ role }) => role === "tool");
      expect(results.map(({ text }) => text)).toEqual(from === "model" ? ["set"] : []);
    },
  );

  test("sent as an option, in either spelling, it is refused and in no event either", () => {
    const told = secretAsked(from).respond({ selected_option_id: secret });
    const refusal = { code: "invalid_option", detail: "a sensitive question takes a text, not an option", attempt: 1 };
    expect(told.last.refusal).toEqual(refusal);
    expect(told.respond({ selected_option_ids: ["x", secret] }).last.refusal).toEqual({ ...refusal, attempt: 2 });
    expect(told.find("interaction.rejected")).toMatchObject({ attempt: 2, detail: refusal.detail });
    // Malformed: costs nothing, and says nothing of what came.
    const both = told.respond({ selected_option_id: secret, free_text: secret }).last;
    expect(both).toMatchObject({ events: [], refusal: { code: "invalid_response" } });
    for (const seen of [told.events, told.session, told.work, both])
      expect(JSON.stringify(seen)).not.toContain("hunter2");
  });

  test("only an exact abort or cancel is not the value", () => {
    for (const line of ["Abort", "cancel.", "stop", "1", "/help", "!ls", " "]) {
      const told = secretAsked(from).reply(line);
      expect([line, told.session.interactions.length]).toEqual([line, line === " " ? 1 : 0]);
      if (line !== " ") expect(told.find("interaction.resolved").state).toBe("answered");
    }
    for (const line of ["abort", "cancel"]) {
      expect(secretAsked(from).reply(line).find("interaction.resolved").state).toBe("cancelled");
    }
  });
});
