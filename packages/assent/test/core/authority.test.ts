import { expect, test } from "vitest";
import type { InputBody, InteractionResponse } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { ask, person, type Story, stored, story, terminal } from "./story.ts";

function asked(draft: Parameters<typeof ask>[0] = {}): Story {
  return story().prompt("go").model("", ask(draft));
}

function approval(): Story {
  return story().prompt("go").model("", terminal("rm -rf build")).judge("ask");
}

// ── What a response may say (INT-4) ────────────────────────────────────────────────────────────────────────────────

const ids = ["green", "Red", "RED", "1", "", " red", "__proto__", "constructor", "toString"];
verifies("INT-4b", "an option the request does not hold is invalid_option, by its id alone", () => {
  for (const id of ids) {
    const told = asked().respond({ selected_option_id: id });
    const refusal = { code: "invalid_option", detail: `no option has the id ${id}`, attempt: 1 };
    expect(told.last.refusal).toEqual(refusal);
    expect(told.last.events).toEqual([
      { type: "interaction.rejected", at: 1000, interaction: "s-1", ...refusal, by: person },
    ]);
  }
});

verifies("INT-4c", "free text where it is off is free_text_not_allowed; blank free text is never an answer", () => {
  for (const told of [
    asked({ allow_free_text: false }),
    story({ turns: 1 }).prompt().model("", terminal()).runTools(),
  ]) {
    for (const [index, free_text] of ["red", "yes", " "].entries()) {
      const refusal = { code: "free_text_not_allowed", detail: "one of the options is expected", attempt: index + 1 };
      expect(told.respond({ free_text }).last.refusal).toEqual(refusal);
    }
    expect(told.session.interactions[0]?.attempts).toBe(3);
  }
  for (const told of [asked(), approval(), asked({ options: [] })]) {
    for (const [index, free_text] of ["", " \t\n\u00a0\u3000", "\u200b\u00ad\ufeff\0"].entries()) {
      const refusal = { code: "invalid_response", detail: "free text is never blank", attempt: index + 1 };
      expect(told.respond({ free_text }).last.refusal).toEqual(refusal);
    }
    expect(told.session.interactions[0]?.attempts).toBe(3);
  }
});

verifies("INT-4d", "a question takes no confirmed, alone or beside an option", () => {
  for (const confirmed of [true, false]) {
    const refusal = { code: "invalid_response", detail: "only a confirmation can be confirmed", attempt: 1 };
    expect(asked().respond({ confirmed }).last.refusal).toEqual(refusal);
    expect(asked().respond({ confirmed, selected_option_id: "red" }).last.refusal).toEqual(refusal);
    expect(approval().respond({ confirmed }).last.refusal).toBeNull();
  }
});

verifies("INT-4e", "a response cancels only where the request lets it; a typed cancel always does", () => {
  const told = stored(asked(), { allow_cancel: false }).respond({ cancelled: true });
  const refusal = { code: "cancel_not_allowed", detail: "this interaction cannot be cancelled here", attempt: 1 };
  expect(told.last.refusal).toEqual(refusal);
  expect(told.last.events).toEqual([
    { type: "interaction.rejected", at: 1000, interaction: "s-1", ...refusal, by: person },
  ]);
  expect(told.reply("cancel").find("exchange.ended").outcome).toBe("cancelled");
  expect(asked().respond({ cancelled: true }).find("exchange.ended").outcome).toBe("cancelled");
});

const forms: Record<string, Partial<InteractionResponse>> = {
  selection: { selected_option_id: "yes" },
  "free text": { free_text: "because" },
  confirmed: { confirmed: true },
  cancelled: { cancelled: true },
};
verifies(
  "INT-4f",
  "exactly one of the four forms is an answer; confirmed may have an agreeing option beside it",
  () => {
    const fine: string[] = [];
    const refusals = new Set<string>();
    for (let chosen = 0; chosen < 16; chosen++) {
      const named = Object.keys(forms).filter((_, index) => chosen & (1 << index));
      const told = approval().respond(Object.assign({}, ...named.map((name) => forms[name])));
      if (told.last.refusal === null) fine.push(named.join(" + "));
      else {
        refusals.add(told.last.refusal.code);
        expect(told.last.events).toEqual([]);
      }
    }
    expect(fine).toEqual(["selection", "free text", "confirmed", "selection + confirmed", "cancelled"]);
    expect([...refusals]).toEqual(["invalid_response"]);
    for (const [confirmed, selected_option_id] of [
      [true, "no"],
      [false, "yes"],
    ] as const) {
      const told = approval().respond({ confirmed, selected_option_id });
      const detail = `option ${selected_option_id} disagrees with confirmed: ${confirmed}`;
      expect(told.last).toEqual({ events: [], refusal: { code: "invalid_response", detail } });
    }
  },
);

// ── Who may answer ─────────────────────────────────────────────────────────────────────────────────────────────────

const viewer = { by: { name: "eve", adapter: "web" }, authority: "view" } as const;
const answers: readonly InteractionResponse[] = [
  { interaction_id: "s-1", selected_option_id: "red", cancelled: false },
  { interaction_id: "s-1", selected_option_id: "no such option", cancelled: false },
  { interaction_id: "s-1", cancelled: true },
];

test("who may only view changes nothing, by any input", () => {
  const inputs: readonly InputBody[] = [
    { type: "name", name: "mine", ...viewer },
    { type: "limit", turns: 1, ...viewer },
    { type: "prompt", text: "stop", delivery: "now", entry: "typed", ...viewer },
    { type: "prompt", text: "more", delivery: "next", entry: "submitted", ...viewer },
    { type: "withdrawal", waiting: "w1", ...viewer },
    { type: "release", waiting: "w1", ...viewer },
    { type: "stop", mode: "kill", ...viewer },
    ...["1", "cancel", "stop", ""].map(
      (line) => ({ type: "reply", interaction: "s-1", line, shown: null, ...viewer }) as const,
    ),
    ...answers.map((response) => ({ type: "response", response, shown: null, ...viewer }) as const),
  ];
  const told = asked({ timeout_ms: 500 });
  told.give({ type: "prompt", text: "later", delivery: "next", entry: "typed", by: person, authority: "act" });
  told.at += 500;
  const refusal = { code: "not_authorized", detail: "eve may view this session, not act on it" };
  for (const input of inputs) expect(told.give(input).last).toEqual({ events: [], refusal });
});

verifies("INT-4g", "a wrong answer costs an attempt, a malformed or unauthorised one never", () => {
  const told = asked({ allow_free_text: false });
  const attempts = () => told.session.interactions[0]?.attempts;
  const malformed: readonly Partial<InteractionResponse>[] = [
    {},
    { selected_option_ids: [] },
    { selected_option_id: "red", cancelled: true },
    { selected_option_id: "red", free_text: "red" },
    { selected_option_id: "red", selected_option_ids: ["blue"] },
  ];
  const wrong: readonly (() => Story)[] = [
    () => told.respond({ selected_option_id: "green" }),
    () => told.respond({ free_text: "red" }),
    () => told.respond({ confirmed: true }),
  ];
  for (const [index, answer] of wrong.entries()) {
    for (const response of malformed) {
      expect(told.respond(response).last).toEqual({
        events: [],
        refusal: expect.objectContaining({ code: "invalid_response" }),
      });
    }
    for (const response of answers) told.give({ type: "response", response, shown: null, ...viewer });
    told.give({ type: "reply", interaction: "s-1", line: "", shown: null, ...viewer });
    expect(attempts()).toBe(index);
    expect(answer().lastTypes).toEqual(["interaction.rejected"]);
    expect(attempts()).toBe(index + 1);
  }
  expect(told.reply("three").lastTypes.slice(0, 2)).toEqual(["interaction.rejected", "interaction.resolved"]);
});

verifies("INT-10a", "the resolution names the person, the adapter, the time and what was shown", () => {
  const by = { name: "grace", adapter: "web" };
  const told = asked();
  told.at = 4321;
  told.give({ type: "reply", interaction: "s-1", line: "teal", shown: "sha256:abc", by, authority: "act" });
  expect(told.find("interaction.resolved")).toEqual({
    type: "interaction.resolved",
    at: 4321,
    interaction: "s-1",
    state: "answered",
    response: { interaction_id: "s-1", free_text: "teal", cancelled: false },
    by,
    shown: "sha256:abc",
  });
  const typed = approval();
  typed.at = 4321;
  const response = {
    interaction_id: "s-1",
    confirmed: false,
    cancelled: false,
    answer_id: "a1",
    metadata: { via: "phone" },
  };
  typed.give({ type: "response", response, shown: "sha256:def", by, authority: "act" });
  const recorded = { ...response, selected_option_id: "no" };
  const resolution = { interaction: "s-1", state: "declined", response: recorded, by, shown: "sha256:def" };
  expect(typed.find("interaction.resolved")).toEqual({ type: "interaction.resolved", at: 4321, ...resolution });
});
