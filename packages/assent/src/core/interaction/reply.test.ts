import { describe, expect, test } from "vitest";
import { type InteractionRequest, mentionsStop, parseReply } from "./index.ts";
import { type Answer, checkResponse } from "./response.ts";

const base = { interaction_id: "q1", question: "Which?", allow_cancel: true } as const;
const three = ["a", "b", "c"].map((id) => ({ id, label: id.toUpperCase() }));
const yesNo = ["yes", "no"].map((id) => ({ id, label: id }));

/** The kinds of place at which a line can be typed. */
const places = {
  /** Three options, and free text. */
  question: { ...base, kind: "question", options: three, allow_free_text: true },
  /** Three options, nothing else. */
  strict: { ...base, kind: "question", options: three, allow_free_text: false },
  /** Two or three of four. */
  several: {
    ...base,
    kind: "question",
    options: [...three, { id: "d", label: "D" }],
    allow_free_text: true,
    multi_select: true,
    min_selected: 2,
    max_selected: 3,
  },
  /** Free text alone. */
  open: { ...base, kind: "question", options: [], allow_free_text: true },
  /** Twelve options. */
  long: {
    ...base,
    kind: "question",
    options: Array.from({ length: 12 }, (_, index) => ({ id: `o${index + 1}`, label: `Option ${index + 1}` })),
    allow_free_text: true,
  },
  approval: { ...base, kind: "confirmation", options: yesNo, allow_free_text: true },
  limit: { ...base, kind: "confirmation", options: yesNo, allow_free_text: false },
  /** A confirmation is never multi-select, even if it says so. */
  manyYes: { ...base, kind: "confirmation", options: yesNo, allow_free_text: true, multi_select: true },
  secret: { ...base, kind: "question", options: [], allow_free_text: true, sensitive: true },
} as const satisfies Record<string, InteractionRequest>;
type Place = keyof typeof places;

/** What a line comes to once it is parsed and checked; free text as typed is `text`, anything else spelled out. */
type Meaning = "cancel" | "stop" | "invalid" | "command" | "compact" | "text" | Answer;

function meaning(place: Place, line: string): Meaning {
  const request = places[place];
  const reply = parseReply(request, line);
  if (reply.type === "flow-cancel") return "cancel";
  if (reply.type !== "response") return reply.type;
  const checked = checkResponse(request, reply.response);
  if (checked.type !== "valid") return "invalid";
  const { answer } = checked;
  return answer.type === "free-text" && answer.text === line ? "text" : answer;
}

const chose = (...options: readonly string[]): Answer => ({ type: "selected", options });
const yes: Answer = { type: "confirmed", confirmed: true, options: ["yes"] };
const no: Answer = { type: "confirmed", confirmed: false, options: ["no"] };
const freeText = (text: string): Answer => ({ type: "free-text", text });

function table(title: string, rows: readonly (readonly [Place, string, Meaning])[]): void {
  describe(title, () => {
    test.each(rows.map((row) => [row[0], JSON.stringify(row[1]), row] as const))("%s: %s", (_place, _line, row) => {
      const [place, line, expected] = row;
      expect(meaning(place, line)).toEqual(expected);
    });
  });
}

table("the examples the grammar began with", [
  ["question", "1", chose("a")],
  ["several", "1,3", chose("a", "c")],
  ["question", "abort", "cancel"],
  ["question", "cancel", "cancel"],
  ["question", "something else entirely", "text"],
  ["question", "option 2", "invalid"],
  ["question", "I choose 1", "invalid"],
  ["question", "probably 3", "invalid"],
  ["several", "1, 3", "invalid"],
  ["question", "", "invalid"],
]);

table("exact control words cancel everywhere, variants of them nowhere (ANS-1, ANS-2, ANS-9)", [
  ["strict", "abort", "cancel"],
  ["several", "cancel", "cancel"],
  ["open", "abort", "cancel"],
  ["approval", "cancel", "cancel"],
  ["limit", "abort", "cancel"],
  ["secret", "cancel", "cancel"],
  ["question", "cancel\n", "cancel"],
  ["question", "cancel\r\n", "cancel"],
  ["question", "cancel\n\n", "invalid"],
  ["question", "cancel\r", "invalid"],
  ["question", "Abort", "invalid"],
  ["open", "ABORT", "invalid"],
  ["open", "cancel.", "invalid"],
  ["open", " cancel", "invalid"],
  ["open", "cancel ", "invalid"],
  ["open", "“abort”", "invalid"],
  ["open", "c a n c e l", "invalid"],
  ["open", "ｃａｎｃｅｌ", "invalid"],
  ["open", "can\u00adcel", "invalid"],
  ["open", "\u200fabort", "invalid"],
  ["open", "abort\u202e", "invalid"],
  ["open", "abort\0", "invalid"],
  ["open", "/cancel", "invalid"],
  ["approval", "Cancel!", "invalid"],
  ["open", "abort it", "text"],
  ["open", "canceled", "text"],
  ["question", "cancel the order", "text"],
]);

table("an empty reply is never an answer (ANS-2, INT-9)", [
  ["open", "", "invalid"],
  ["open", "\n", "invalid"],
  ["open", "   ", "invalid"],
  ["approval", "\t\r\n", "invalid"],
  ["secret", " ", "invalid"],
  ["open", "\u200b\u2060", "invalid"],
  ["open", "\u00a0\u3000\ufeff", "invalid"],
  ["open", "\0\x07", "invalid"],
  ["open", "\u00ad", "invalid"],
  ["secret", "\u200b\0", "invalid"],
  ["strict", "\u202e\u200f", "invalid"],
  ["open", "\u200bx", "text"],
  ["secret", "\u200b.", "text"],
]);

table("numbers (ANS-1, ANS-2, ANS-8)", [
  ["question", "3", chose("c")],
  ["strict", "2", chose("b")],
  ["question", "1\n", chose("a")],
  ["question", "1\r\n", chose("a")],
  ["long", "12", chose("o12")],
  ["long", "13", "invalid"],
  ["question", "4", "invalid"],
  ["question", "0", "invalid"],
  ["question", "01", "invalid"],
  ["question", "-1", "invalid"],
  ["question", "+1", "invalid"],
  ["question", "1.0", "invalid"],
  ["question", "1e0", "text"],
  ["question", "0x1", "text"],
  ["question", "1)", "invalid"],
  ["question", "#1", "invalid"],
  ["question", " 1", "invalid"],
  ["question", "1 ", "invalid"],
  ["question", "1\t", "invalid"],
  ["question", "1\n\n", "invalid"],
  ["question", "1\n2", "invalid"],
  ["question", "1 2", "invalid"],
  ["question", "1,2", "invalid"],
  ["question", "9007199254740993", "invalid"],
  ["question", "99999999999999999999999999", "invalid"],
  ["question", "１", "invalid"],
  ["question", "٣", "invalid"],
  ["question", "२", "invalid"],
  ["question", "②", "invalid"],
  ["question", "Ⅱ", "invalid"],
  ["question", "1\u200f", "invalid"],
  ["question", "\u202e1", "invalid"],
  ["question", "\x1b[1m1", "text"],
  ["question", "?!", "invalid"],
  ["question", "👍", "invalid"],
  ["question", "one", "text"],
  ["question", "一", "text"],
  ["open", "1", "text"],
  ["open", "?!", "text"],
  ["open", "1, 3", "text"],
]);

table("several numbers (ANS-1, ANS-11)", [
  ["several", "1,2", chose("a", "b")],
  ["several", "3,1", chose("a", "c")],
  ["several", "4,2,1", chose("a", "b", "d")],
  ["several", "1", "invalid"],
  ["several", "1,2,3,4", "invalid"],
  ["several", "1,1", "invalid"],
  ["several", "2,1,2", "invalid"],
  ["several", "1,5", "invalid"],
  ["several", "1,2,9", "invalid"],
  ["several", "1,02", "invalid"],
  ["several", "1,,2", "invalid"],
  ["several", ",1,2", "invalid"],
  ["several", "1,2,", "invalid"],
  ["several", "1;2", "invalid"],
  ["several", "1，2", "invalid"],
  ["several", "1،2", "invalid"],
  ["several", "1-3", "invalid"],
  ["several", "1,\n2", "invalid"],
]);

table("near misses (ANS-2, ANS-8)", [
  ["question", "1,x", "text"],
  ["question", "x,2", "text"],
  ["question", "9,9,9,9,1 maybe", "invalid"],
  ["strict", "option 2", "invalid"],
  ["question", "option 2.", "invalid"],
  ["question", "Option #1", "invalid"],
  ["question", "2) Production", "invalid"],
  ["question", "(2) please", "invalid"],
  ["question", "«3» да", "invalid"],
  ["question", "options 1,3", "invalid"],
  ["question", "1,9 maybe", "invalid"],
  ["question", "I would rather take 2", "invalid"],
  ["question", "I would really rather take 2", "text"],
  ["question", "take 2 of them right away", "text"],
  ["question", "  option   2  ", "invalid"],
  ["question", "  I would rather take 2  ", "invalid"],
  ["question", "option 9", "text"],
  ["question", "option 02", "text"],
  ["question", "option ２", "text"],
  ["question", "v2", "text"],
  ["question", "1.5 GB", "text"],
  ["question", "node 20", "text"],
  ["long", "option 11", "invalid"],
  ["open", "option 2", "text"],
  ["approval", "option 1", "invalid"],
  ["approval", "use 3 workers instead", "text"],
]);

table("confirmations (ANS-1, ANS-9, ANS-11)", [
  ["approval", "yes", yes],
  ["approval", "YES", yes],
  ["approval", "y", yes],
  ["approval", "Y\r\n", yes],
  ["approval", "no", no],
  ["approval", "No", no],
  ["approval", "n", no],
  ["approval", "1", yes],
  ["approval", "2", no],
  ["limit", "yes", yes],
  ["limit", "2", no],
  ["approval", "yes.", "invalid"],
  ["approval", "yes ", "invalid"],
  ["approval", "y e s", "invalid"],
  ["approval", "yes\n\n", "invalid"],
  ["approval", "ｙｅｓ", "invalid"],
  ["approval", "ye\u200bs", "invalid"],
  ["approval", "No!", "invalid"],
  ["approval", "№", "invalid"],
  ["approval", "1,2", "invalid"],
  ["approval", "3", "invalid"],
  ["manyYes", "1", yes],
  ["manyYes", "2", no],
  ["manyYes", "1,2", "invalid"],
  ["manyYes", "yes", yes],
  ["approval", "yes please", "text"],
  ["approval", "yep", "text"],
  ["approval", "да", "text"],
  ["approval", "no, use git clean", "text"],
  ["limit", "yes please", "invalid"],
  ["limit", "sure", "invalid"],
  ["question", "yes", "text"],
  ["question", "n", "text"],
  ["strict", "no", "invalid"],
]);

table("free text passes as typed (ANS-3, ANS-8)", [
  ["open", "  two spaces  ", "text"],
  ["open", "a\nb", "text"],
  ["open", "a\r\n", freeText("a")],
  ["open", "a\n\n", freeText("a\n")],
  ["open", "a\r", "text"],
  ["open", "/etc/hosts", "text"],
  ["open", "!important", "text"],
  ["open", "\u202etfel ot thgir", "text"],
  ["open", "tab\there \x1b[31mred", "text"],
  ["open", "\ud800 alone", "text"],
  ["open", "key=1", "text"],
  ["question", "the second one", "text"],
  ["approval", "  because of the tests ", "text"],
  ["strict", "the second one", "invalid"],
]);

table("stop (STOP-2, ANS-9)", [
  ["question", "stop", "stop"],
  ["open", "Stop!", "stop"],
  ["open", "s t o p", "stop"],
  ["open", "stop the server", "text"],
  ["strict", "please stop", "stop"],
  ["approval", "unstoppable", "stop"],
  ["limit", "STOP now", "stop"],
  ["approval", "ｓｔｏｐ", "stop"],
  ["approval", "s t o p", "stop"],
  ["limit", "ＳＴＯＰ！", "stop"],
  ["strict", "st\u200bop", "stop"],
  ["open", "“s-t-o-p”", "stop"],
  ["open", "s t o p it", "text"],
  ["approval", "s t o p it", "text"],
  ["approval", "st0p", "text"],
]);

table("a sensitive question takes every line but a blank one (ANS-0)", [
  ["secret", "stop", "text"],
  ["secret", "Abort", "text"],
  ["secret", "/help", "text"],
  ["secret", "!ls", "text"],
  ["secret", "  spaces around  ", "text"],
  ["secret", "hunter2\n", freeText("hunter2")],
]);

test("a reply has exactly the answer's fields and the request's id", () => {
  expect(parseReply(places.open, "teal")).toEqual({
    type: "response",
    response: { interaction_id: "q1", free_text: "teal", cancelled: false },
  });
  expect(parseReply(places.approval, "n")).toEqual({
    type: "response",
    response: { interaction_id: "q1", confirmed: false, cancelled: false },
  });
});

test("yes and no without such an option still confirm and decline", () => {
  const bare = { ...places.limit, options: [] };
  for (const [line, confirmed] of [
    ["yes", true],
    ["N", false],
  ] as const) {
    const response = { interaction_id: "q1", confirmed, cancelled: false };
    expect(parseReply(bare, line)).toEqual({ type: "response", response });
  }
});

function answerTo(request: InteractionRequest, line: string): Answer {
  const reply = parseReply(request, line);
  const checked = reply.type === "response" ? checkResponse(request, reply.response) : { type: reply.type };
  return "answer" in checked ? checked.answer : expect.fail(`${line} is ${checked.type}`);
}

test("typed yes in a flow means confirm, and typed no has no option of its own", () => {
  const options = ["confirm", "restart", "edit"].map((id) => ({ id, label: id }));
  const flow = { ...places.limit, options };
  for (const line of ["yes", "Y"]) {
    expect(answerTo(flow, line)).toEqual({ type: "confirmed", confirmed: true, options: ["confirm"] });
  }
  expect(answerTo(flow, "no")).toEqual({ type: "confirmed", confirmed: false, options: [] });
});

test("typed yes names the option yes before confirm, in whatever order they stand", () => {
  for (const ids of [
    ["confirm", "yes", "no"],
    ["yes", "no", "confirm"],
  ]) {
    const both = { ...places.limit, options: ids.map((id) => ({ id, label: id })) };
    expect(answerTo(both, "y")).toEqual({ type: "confirmed", confirmed: true, options: ["yes"] });
    expect(answerTo(both, "n")).toEqual({ type: "confirmed", confirmed: false, options: ["no"] });
  }
});

test.each([
  ["question", "", "an empty reply is never an answer"],
  ["question", "Abort", "only the exact word abort cancels"],
  ["approval", "Yes.", "only the exact word yes counts"],
  ["question", "1, 3", "numbers are written as 1 or 1,3"],
  ["question", "4", "the options are 1 to 3"],
  ["several", "1,1", "an option is chosen twice"],
  ["question", "1,2", "one option is expected"],
  ["question", "option 2", "a number alone is expected"],
  ["strict", "blue", "one of the option numbers is expected"],
] as const)("at a %s %j is invalid because %s", (place, line, detail) => {
  expect(parseReply(places[place], line)).toEqual({ type: "invalid", detail });
});

test.each([
  ["stop", true],
  ["STOP", true],
  ["please Stop it", true],
  ["unstoppable", true],
  ["st op", false],
  ["ſtop", false],
  ["", false],
])("%j mentions stop: %s", (text, mentions) => {
  expect(mentionsStop(text)).toBe(mentions);
});

test("an empty line is an answer only where the request says so: at the prompt of a command", () => {
  const prompt = { ...base, kind: "question", options: [], allow_free_text: true } as const;
  const taking = { ...prompt, response_schema: { type: "string", minLength: 0 } };
  for (const request of [taking, { ...taking, sensitive: true }]) {
    for (const line of ["", "  ", "\n"]) {
      const reply = parseReply(request, line);
      expect(reply).toMatchObject({ type: "response", response: { free_text: line.replace("\n", "") } });
      if (reply.type === "response") expect(checkResponse(request, reply.response).type).toBe("valid");
    }
    expect(parseReply(request, "cancel")).toEqual({ type: "flow-cancel" });
  }
  for (const request of [prompt, { ...prompt, response_schema: { type: "string" } }]) {
    expect(parseReply(request, "").type).toBe("invalid");
  }
});
