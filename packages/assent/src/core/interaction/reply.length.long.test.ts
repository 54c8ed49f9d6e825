import { describe, expect, test } from "vitest";
import { type InteractionRequest, mentionsStop, parseReply } from "./index.ts";
import { checkResponse } from "./response.ts";

const base = { interaction_id: "q1", question: "Which?", allow_cancel: true } as const;
const three = ["a", "b", "c"].map((id) => ({ id, label: id.toUpperCase() }));
const yesNo = ["yes", "no"].map((id) => ({ id, label: id }));
const places = {
  question: { ...base, kind: "question", options: three, allow_free_text: true },
  strict: { ...base, kind: "question", options: three, allow_free_text: false },
  several: { ...base, kind: "question", options: three, allow_free_text: true, multi_select: true },
  open: { ...base, kind: "question", options: [], allow_free_text: true },
  approval: { ...base, kind: "confirmation", options: yesNo, allow_free_text: true },
  limit: { ...base, kind: "confirmation", options: yesNo, allow_free_text: false },
  secret: { ...base, kind: "question", options: [], allow_free_text: true, sensitive: true },
} as const satisfies Record<string, InteractionRequest>;
type Place = keyof typeof places;

/** What a line comes to once it is parsed and checked. Free text has to be the line itself. */
function meaning(place: Place, line: string): string {
  const reply = parseReply(places[place], line);
  if (reply.type !== "response") return reply.type;
  const checked = checkResponse(places[place], reply.response);
  if (checked.type !== "valid") return "invalid";
  if (checked.answer.type !== "free-text") return checked.answer.type;
  return checked.answer.text === line ? "text" : "other text";
}

const much = 200_000;
/** Time squared would be minutes: it ends the test, a busy machine does not. */
const patience = 30_000;

/** Lines as long and as odd as they come: a stack or a pattern that tries again and again does not get to their end. */
const lines: Record<string, string> = {
  digits: "1".repeat(much),
  "option numbers": `${"1,".repeat(much)}1`,
  "option numbers and a letter": `${"1,".repeat(much)}x`,
  "a letter and option numbers": `x ${"1,".repeat(much)}1`,
  "numbers that are none": `${"01,".repeat(much)}1`,
  commas: ",".repeat(much),
  blanks: " ".repeat(much),
  "blanks between two words": `a${" ".repeat(much)}b`,
  "blanks and a letter": `${" ".repeat(much)}a`,
  "line ends": "\r\n".repeat(much / 2),
  "carriage returns": "\r".repeat(much),
  "line ends and a letter": `${"\n".repeat(much)}a`,
  letters: "a".repeat(much),
  words: "word ".repeat(much / 5),
  signs: "!".repeat(much),
  "signs inside a word": `a${"!".repeat(much)}b`,
  "signs inside a word, again and again": `a${"!".repeat(1000)}`.repeat(200),
  "signs around a number": `x ${"(".repeat(much)}2${")".repeat(much)}`,
  "signs inside a number": `x 1${"-".repeat(much)}2`,
  "combining marks": `e${"\u0301".repeat(much)}`,
  "combining marks in disorder": `e${"\u0301\u0323".repeat(much / 2)}`,
  "combining marks alone": "\u0315\u0300\u05ae\u0062".repeat(much / 4),
  "one that grows eighteenfold when normalised": "\ufdfa".repeat(much),
  "syllables in parts": "\u1100\u1161\u11a8".repeat(much / 3),
  emoji: "👍".repeat(much / 4),
  "an emoji with joiners": "👩\u200d".repeat(much / 3),
  "halves of characters": "\ud800".repeat(much),
  "invisible characters": "\u200b".repeat(much),
  "invisible characters and a letter": `${"\u200b".repeat(much)}a`,
  "an almost endless stop": `${"x".repeat(much)}stop`,
  "stops that are none": "sto".repeat(much / 3),
  "a stop spread wide": [..."stop"].join(" ".repeat(much / 4)),
  "a cancel spread wide": [..."cancel"].join("-".repeat(much / 5)),
};

describe.each(Object.entries(lines))("%s", (_what, line) => {
  test(
    "are read at every kind of question, in time that grows with their length",
    () => {
      for (const request of Object.values(places)) {
        const reply = parseReply(request, line);
        expect(["response", "stop", "invalid"]).toContain(reply.type);
      }
      mentionsStop(line);
    },
    patience,
  );
});

test.each<[string, Place, string]>([
  ["digits", "question", "invalid"],
  ["option numbers", "several", "invalid"],
  ["option numbers", "question", "invalid"],
  ["option numbers", "approval", "invalid"],
  ["option numbers", "open", "text"],
  ["numbers that are none", "several", "invalid"],
  ["commas", "several", "invalid"],
  ["blanks", "open", "invalid"],
  ["blanks", "secret", "invalid"],
  ["line ends", "open", "invalid"],
  ["letters", "question", "text"],
  ["letters", "strict", "invalid"],
  ["words", "question", "text"],
  ["blanks between two words", "question", "text"],
  ["signs", "question", "invalid"],
  ["signs", "open", "text"],
  ["signs inside a word", "question", "text"],
  ["signs inside a word", "approval", "text"],
  ["signs around a number", "question", "invalid"],
  ["signs inside a number", "question", "text"],
  ["combining marks", "question", "text"],
  ["combining marks in disorder", "approval", "text"],
  ["emoji", "open", "text"],
  ["halves of characters", "secret", "invalid"],
  ["invisible characters", "open", "invalid"],
  ["invisible characters and a letter", "question", "text"],
  ["an almost endless stop", "approval", "stop"],
  ["an almost endless stop", "limit", "stop"],
  ["an almost endless stop", "question", "text"],
  ["an almost endless stop", "secret", "text"],
  ["stops that are none", "approval", "text"],
  ["a stop spread wide", "open", "stop"],
  ["a stop spread wide", "approval", "stop"],
  ["a cancel spread wide", "open", "invalid"],
])("%s: at a %s they mean %s", (what, place, expected) => {
  const line = lines[what];
  if (line === undefined) throw new Error(`no line is called ${what}`);
  expect(meaning(place, line)).toBe(expected);
});

test("eight megabytes of option numbers are invalid like any others that repeat", () => {
  const line = `${"1,".repeat(4_000_000)}1`;
  expect(parseReply(places.several, line)).toEqual({ type: "invalid", detail: "an option is chosen twice" });
});
