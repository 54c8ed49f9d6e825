import { describe, expect, test } from "vitest";
import type { InteractionRequest } from "./request.ts";
import {
  type Answer,
  answerText,
  type Checked,
  checkResponse,
  confirmedBy,
  type InteractionResponse,
  recordedResponse,
  sameAnswer,
} from "./response.ts";

const question: InteractionRequest = {
  interaction_id: "q1",
  kind: "question",
  question: "Which colours?",
  options: [
    { id: "red", label: "Red" },
    { id: "blue", label: "Blue" },
    { id: "green", label: "Green" },
  ],
  allow_free_text: true,
  allow_cancel: true,
};
const strict: InteractionRequest = { ...question, allow_free_text: false, allow_cancel: false };
const several: InteractionRequest = { ...question, multi_select: true };
const two: InteractionRequest = { ...several, min_selected: 2, max_selected: 2 };
const approval: InteractionRequest = {
  ...question,
  kind: "confirmation",
  options: ["yes", "no", "session"].map((id) => ({ id, label: id })),
};
const flow: InteractionRequest = {
  ...approval,
  allow_free_text: false,
  options: ["confirm", "restart", "edit"].map((id) => ({ id, label: id })),
};
const manyYes: InteractionRequest = { ...approval, multi_select: true, min_selected: 2, max_selected: 3 };
const secret: InteractionRequest = { ...question, sensitive: true };
const proto: InteractionRequest = { ...question, options: [{ id: "__proto__", label: "Odd" }] };

const answer = (answered: Answer): Checked => ({ type: "valid", answer: answered });
const selected = (...options: string[]) => answer({ type: "selected", options });
const confirmed = (yes: boolean, ...options: string[]) => answer({ type: "confirmed", confirmed: yes, options });
const malformed = (detail: string): Checked => ({ type: "malformed", detail });
const noOption: Checked = {
  type: "invalid",
  code: "invalid_option",
  detail: "a sensitive question takes a text, not an option",
};
const unknown = (id: string): Checked => ({
  type: "invalid",
  code: "invalid_option",
  detail: `no option has the id ${id}`,
});
const count = (detail: string): Checked => ({ type: "invalid", code: "invalid_option", detail });
const blank: Checked = { type: "invalid", code: "invalid_response", detail: "free text is never blank" };
const found = (fields: number) => malformed(`expected exactly one answer field, found ${fields}`);
const disagree = malformed("selected_option_id and selected_option_ids disagree");

type Row = readonly [request: InteractionRequest, given: Partial<InteractionResponse>, expected: Checked];

function table(title: string, rows: readonly Row[]): void {
  describe(title, () => {
    test.each(rows.map((row) => [JSON.stringify(row[1]), row] as const))("%s", (_given, [request, given, expected]) => {
      expect(checkResponse(request, { interaction_id: "q1", cancelled: false, ...given })).toEqual(expected);
    });
  });
}

table("one option", [
  [question, { selected_option_id: "red" }, selected("red")],
  [question, { selected_option_ids: ["blue"] }, selected("blue")],
  [question, { selected_option_id: "blue", selected_option_ids: ["blue"] }, selected("blue")],
  [question, { selected_option_id: "blue", selected_option_ids: [] }, selected("blue")],
  [question, { selected_option_id: "red", selected_option_ids: ["blue"] }, disagree],
  [several, { selected_option_id: "red", selected_option_ids: ["red", "blue"] }, disagree],
  [question, { selected_option_id: "purple" }, unknown("purple")],
  [question, { selected_option_id: "" }, unknown("")],
  [question, { selected_option_id: "__proto__" }, unknown("__proto__")],
  [question, { selected_option_id: "constructor" }, unknown("constructor")],
  [question, { selected_option_ids: ["hasOwnProperty"] }, unknown("hasOwnProperty")],
  [proto, { selected_option_id: "__proto__" }, selected("__proto__")],
  [question, { selected_option_ids: ["red", "blue"] }, count("expected 1 to 1 options, found 2")],
  [question, { selected_option_ids: ["red", "red"] }, count("an option is chosen twice")],
  [question, { selected_option_ids: ["red", "purple"] }, unknown("purple")],
]);

table("several options, in the request's order", [
  [several, { selected_option_ids: ["green", "red"] }, selected("red", "green")],
  [several, { selected_option_ids: ["green", "blue", "red"] }, selected("red", "blue", "green")],
  [several, { selected_option_id: "blue" }, selected("blue")],
  [several, { selected_option_ids: ["blue", "blue"] }, count("an option is chosen twice")],
  [two, { selected_option_ids: ["red"] }, count("expected 2 to 2 options, found 1")],
  [two, { selected_option_ids: ["red", "blue", "green"] }, count("expected 2 to 2 options, found 3")],
  [two, { selected_option_ids: ["blue", "red"] }, selected("red", "blue")],
  [{ ...several, min_selected: 0 }, { selected_option_ids: ["red"] }, selected("red")],
  [{ ...several, max_selected: 9 }, { selected_option_ids: ["red", "blue"] }, selected("red", "blue")],
  // Bounds say nothing where only one can be chosen.
  [{ ...question, min_selected: 2, max_selected: 3 }, { selected_option_id: "red" }, selected("red")],
]);

table("none, and more than one form", [
  [question, {}, found(0)],
  [several, { selected_option_ids: [] }, found(0)],
  [{ ...several, min_selected: 0 }, { selected_option_ids: [] }, found(0)],
  [question, { selected_option_id: "red", free_text: "red" }, found(2)],
  [question, { selected_option_id: "red", free_text: "" }, found(2)],
  [question, { selected_option_ids: ["red"], cancelled: true }, found(2)],
  [question, { free_text: "red", cancelled: true }, found(2)],
  [approval, { confirmed: false, cancelled: true }, found(2)],
  [approval, { confirmed: true, free_text: "sure" }, found(2)],
  [approval, { confirmed: true, selected_option_id: "yes", free_text: "sure" }, found(2)],
  [approval, { confirmed: true, selected_option_id: "yes", cancelled: true }, found(2)],
  [approval, { confirmed: true, free_text: "sure", cancelled: true }, found(3)],
  // Malformed comes first: nobody is charged for what an adapter did wrong.
  [strict, { free_text: "x", cancelled: true }, found(2)],
  [strict, { selected_option_id: "purple", cancelled: true }, found(2)],
]);

table("free text", [
  [question, { free_text: " as typed\n" }, answer({ type: "free-text", text: " as typed\n" })],
  [question, { free_text: "1" }, answer({ type: "free-text", text: "1" })],
  [question, { free_text: "cancel" }, answer({ type: "free-text", text: "cancel" })],
  [question, { free_text: "" }, blank],
  [question, { free_text: " \t\r\n" }, blank],
  [question, { free_text: "\u00a0\u3000\ufeff" }, blank],
  [question, { free_text: "\u200b\u2060\u00ad" }, blank],
  [approval, { free_text: "\0\x07" }, blank],
  [question, { free_text: "." }, answer({ type: "free-text", text: "." })],
  [question, { free_text: "\u200bx" }, answer({ type: "free-text", text: "\u200bx" })],
  [approval, { free_text: "no, because" }, answer({ type: "free-text", text: "no, because" })],
  [
    strict,
    { free_text: "red" },
    { type: "invalid", code: "free_text_not_allowed", detail: "one of the options is expected" },
  ],
]);

table("confirmed", [
  [approval, { confirmed: true }, confirmed(true, "yes")],
  [approval, { confirmed: false }, confirmed(false, "no")],
  [approval, { confirmed: true, selected_option_id: "yes" }, confirmed(true, "yes")],
  [approval, { confirmed: true, selected_option_id: "session" }, confirmed(true, "session")],
  [approval, { confirmed: false, selected_option_ids: ["no"] }, confirmed(false, "no")],
  [approval, { confirmed: true, selected_option_id: "no" }, malformed("option no disagrees with confirmed: true")],
  [approval, { confirmed: false, selected_option_id: "yes" }, malformed("option yes disagrees with confirmed: false")],
  [approval, { confirmed: true, selected_option_id: "maybe" }, unknown("maybe")],
  [approval, { confirmed: true, selected_option_ids: ["yes", "session"] }, count("expected 1 to 1 options, found 2")],
  [
    flow,
    { confirmed: true, selected_option_id: "restart" },
    malformed("option restart disagrees with confirmed: true"),
  ],
  // Yes and no together would be neither, whatever the request says.
  [manyYes, { selected_option_ids: ["yes", "no"] }, count("expected 1 to 1 options, found 2")],
  [manyYes, { confirmed: true, selected_option_ids: ["yes", "session"] }, count("expected 1 to 1 options, found 2")],
  [manyYes, { selected_option_ids: ["no"] }, confirmed(false, "no")],
  // The option alone says it too, where it says anything.
  [approval, { selected_option_id: "yes" }, confirmed(true, "yes")],
  [approval, { selected_option_id: "no" }, confirmed(false, "no")],
  [approval, { selected_option_ids: ["session"] }, confirmed(true, "session")],
  [flow, { selected_option_id: "confirm" }, confirmed(true, "confirm")],
  [flow, { selected_option_id: "edit" }, selected("edit")],
  // At a question an option named yes is an option.
  [{ ...question, options: approval.options }, { selected_option_id: "yes" }, selected("yes")],
  [
    question,
    { confirmed: true },
    { type: "invalid", code: "invalid_response", detail: "only a confirmation can be confirmed" },
  ],
]);

table("a sensitive question takes no option, and what was chosen is not repeated", [
  [secret, { selected_option_id: "hunter2" }, noOption],
  [secret, { selected_option_ids: ["red", "hunter2"] }, noOption],
  [secret, { selected_option_id: "red" }, noOption],
]);

table("for another interaction", [
  [question, { interaction_id: "q2", selected_option_id: "red" }, malformed("the response is for another interaction")],
]);

table("cancelled", [
  [question, { cancelled: true }, answer({ type: "cancelled" })],
  [question, { cancelled: true, selected_option_ids: [] }, answer({ type: "cancelled" })],
  [
    strict,
    { cancelled: true },
    { type: "invalid", code: "cancel_not_allowed", detail: "this interaction cannot be cancelled here" },
  ],
]);

test.each([
  ["yes", true],
  ["session", true],
  ["project", true],
  ["user", true],
  ["confirm", true],
  ["no", false],
  ["restart", undefined],
  ["edit", undefined],
  ["Yes", undefined],
  ["__proto__", undefined],
  ["", undefined],
])("the option %j confirms: %s", (option, meaning) => {
  expect(confirmedBy(option)).toBe(meaning);
});

// ── The one form of an answer ──────────────────────────────────────────────────────────────────────────────────────

function recorded(request: InteractionRequest, given: Partial<InteractionResponse>): InteractionResponse {
  const response = { interaction_id: "q1", cancelled: false, ...given };
  const checked = checkResponse(request, response);
  if (checked.type !== "valid") throw new Error(`expected a valid answer, came ${checked.detail}`);
  return recordedResponse(request, checked.answer, response);
}

const unknownFields = { mood: "fine", confidence: 0.9 };
test.each<[string, InteractionRequest, Partial<InteractionResponse>, Partial<InteractionResponse>]>([
  ["one id", question, { selected_option_id: "red" }, { selected_option_id: "red" }],
  ["a list of one", question, { selected_option_ids: ["red"] }, { selected_option_id: "red" }],
  [
    "both spellings",
    question,
    { selected_option_id: "red", selected_option_ids: ["red"] },
    { selected_option_id: "red" },
  ],
  [
    "one id and an empty list",
    question,
    { selected_option_id: "red", selected_option_ids: [] },
    { selected_option_id: "red" },
  ],
  [
    "one of several",
    several,
    { selected_option_id: "red" },
    { selected_option_id: "red", selected_option_ids: ["red"] },
  ],
  ["several", several, { selected_option_ids: ["green", "red"] }, { selected_option_ids: ["red", "green"] }],
  ["free text", question, { free_text: " as typed " }, { free_text: " as typed " }],
  ["a yes alone", approval, { confirmed: true }, { confirmed: true, selected_option_id: "yes" }],
  ["a no alone", approval, { confirmed: false }, { confirmed: false, selected_option_id: "no" }],
  ["a yes alone in a flow", flow, { confirmed: true }, { confirmed: true, selected_option_id: "confirm" }],
  ["a no that has no option", flow, { confirmed: false }, { confirmed: false }],
  ["the option yes", approval, { selected_option_id: "yes" }, { confirmed: true, selected_option_id: "yes" }],
  ["the option no", approval, { selected_option_ids: ["no"] }, { confirmed: false, selected_option_id: "no" }],
  [
    "a yes with its option",
    approval,
    { confirmed: true, selected_option_ids: ["session"] },
    { confirmed: true, selected_option_id: "session" },
  ],
  ["an option that says neither", flow, { selected_option_id: "edit" }, { selected_option_id: "edit" }],
  ["a cancel", question, { cancelled: true, selected_option_ids: [] }, { cancelled: true }],
  ["a secret", secret, { free_text: "hunter2" }, { metadata: { set: true } }],
  ["a secret that metadata repeats", secret, { free_text: "x", metadata: "hunter2" }, { metadata: { set: true } }],
  ["a cancelled secret", secret, { cancelled: true, metadata: "why" }, { cancelled: true }],
])("%s is recorded in one form", (_what, request, given, expected) => {
  const whole = { interaction_id: "q1", cancelled: false, ...expected };
  expect(recorded(request, given)).toStrictEqual(whole);
  const more = { answer_id: "a1", ...unknownFields };
  // A secret may have come in any field: of a sensitive answer only the contract's own are kept.
  const kept = request.sensitive ? { answer_id: "a1" } : more;
  expect(recorded(request, { ...given, ...more })).toStrictEqual({ ...whole, ...kept });
  if (!request.sensitive) {
    expect(recorded(request, { metadata: { tries: 2 }, ...given })).toStrictEqual({ metadata: { tries: 2 }, ...whole });
  }
});

const red = { selected_option_id: "red", answer_id: "a1" };
test.each<[string, Partial<InteractionResponse>, boolean]>([
  ["itself", red, true],
  ["its fields in another order", { answer_id: "a1", selected_option_id: "red" }, true],
  ["its other spelling", { selected_option_ids: ["red"], answer_id: "a1" }, true],
  ["both spellings", { ...red, selected_option_ids: ["red"] }, true],
  ["another answer id", { ...red, answer_id: "a9" }, false],
  ["other metadata", { ...red, metadata: { tries: 2 } }, false],
  ["a field of its own", { ...red, ...unknownFields }, false],
  ["another option", { ...red, selected_option_id: "blue" }, false],
  ["free text", { free_text: "red", answer_id: "a1" }, false],
  ["a cancel", { cancelled: true, answer_id: "a1" }, false],
])("the same answer as %s", (_what, other, same) => {
  const [one, two] = [recorded(question, red), recorded(question, other)];
  expect(sameAnswer(one, two)).toBe(same);
  expect(sameAnswer(two, one)).toBe(same);
});

test("the order in which options were named makes no other answer, one option more does", () => {
  const named = (...ids: readonly string[]) => recorded(several, { selected_option_ids: ids });
  expect(sameAnswer(named("red", "blue"), named("blue", "red"))).toBe(true);
  expect(sameAnswer(named("red", "blue"), named("red"))).toBe(false);
  expect(sameAnswer(named("red", "blue"), named("red", "blue", "green"))).toBe(false);
});

test.each<[string, Answer]>([
  ["Red, Green", { type: "selected", options: ["green", "red"] }],
  ["Blue", { type: "selected", options: ["blue"] }],
  [" as typed ", { type: "free-text", text: " as typed " }],
  ["Yes", { type: "confirmed", confirmed: true, options: [] }],
  ["No", { type: "confirmed", confirmed: false, options: [] }],
  ["Red", { type: "confirmed", confirmed: true, options: ["red"] }],
  ["cancelled", { type: "cancelled" }],
])("the model reads %j", (text, answered) => {
  expect(answerText(question, answered)).toBe(text);
});
