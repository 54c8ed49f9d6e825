import { describe, expect, test } from "vitest";
import { lintQuestion, type QuestionDraft, type Violation } from "./index.ts";

const words = (count: number, word = "word") => Array.from({ length: count }, () => word).join(" ");
const labelled = (...labels: readonly string[]) => labels.map((label, index) => ({ id: `o${index + 1}`, label }));

function lint(draft: Partial<QuestionDraft>): readonly Violation[] {
  return lintQuestion({ question: "Which one?", options: labelled("Red", "Blue"), allow_free_text: true, ...draft });
}

describe("the instruction", () => {
  test.each<[string, readonly Violation[]]>([
    ["Which one?", []],
    ["Где хранить данные?", []],
    [words(15), []],
    [words(16), ["instruction-too-long"]],
    // What has no letter or digit is no word.
    [`${words(15)} — … !`, []],
    [`${words(15)} 7`, ["instruction-too-long"]],
    [`${words(15)}\u00a0more`, ["instruction-too-long"]],
    [words(15, "well-known"), []],
    ["", ["instruction-empty"]],
    [" \u3000", ["instruction-empty"]],
    ["\u200b", ["instruction-empty"]],
    ["Which\none?", ["instruction-not-one-line"]],
    ["Which\rone?", ["instruction-not-one-line"]],
    ["Which\tone?", ["instruction-not-one-line"]],
    ["Which \x1b[1mone?", ["instruction-not-one-line"]],
    ["Which\u2028one?", ["instruction-not-one-line"]],
    ["Which\u2029one?", ["instruction-not-one-line"]],
    ["\n", ["instruction-empty", "instruction-not-one-line"]],
    [`${words(9)}\n${words(9)}`, ["instruction-not-one-line", "instruction-too-long"]],
  ])("%j breaks %j", (question, violations) => {
    expect(lint({ question })).toEqual(violations);
  });
});

describe("the options", () => {
  const six = ["one", "two", "three", "four", "five", "six"];
  test.each<[string, readonly string[], readonly Violation[]]>([
    ["one", ["Go"], []],
    ["none, with free text", [], []],
    ["seven", [...six, "seven"], []],
    ["eight", [...six, "seven", "eight"], ["too-many-options"]],
    ["five words", [words(5), "b"], []],
    ["six words", [words(6), "b"], ["option-too-long"]],
    ["an empty one", ["a", ""], ["option-empty"]],
    ["a blank one", ["a", " \u3000"], ["option-empty"]],
    ["an invisible one", ["a", "\u200b"], ["option-empty"]],
    ["one with a line break", ["a", "b\n2) c"], ["option-not-one-line"]],
    ["one with a carriage return", ["a", "b\rc"], ["option-not-one-line"]],
    ["one with a tab", ["a", "b\tc"], ["option-not-one-line"]],
    ["one with an escape", ["a", "\x1b[1mb"], ["option-not-one-line"]],
    ["one with a line separator", ["a", "b\u2028c"], ["option-not-one-line"]],
    ["one with a paragraph separator", ["a", "b\u2029c"], ["option-not-one-line"]],
    ["one with a next-line character", ["a", "b\u0085c"], ["option-not-one-line"]],
    ["one that is nothing but a tab", ["a", "\t"], ["option-empty", "option-not-one-line"]],
    ["one of two lines with six words", ["a", `${words(3)}\n${words(3)}`], ["option-not-one-line", "option-too-long"]],
    ["two alike", ["Red", "Red"], ["options-alike"]],
    ["two that differ in case", ["Red", "rED"], ["options-alike"]],
    ["two that differ in blanks around", ["Red", " Red "], ["options-alike"]],
    ["two that differ in width", ["Red", "Ｒｅｄ"], ["options-alike"]],
    ["two that differ in composition", ["Caf\u00e9", "Cafe\u0301"], ["options-alike"]],
    ["two empty ones", ["", ""], ["option-empty", "options-alike"]],
    ["two that look related", ["Red", "Reds"], []],
  ])("%s", (_what, labels, violations) => {
    expect(lint({ options: labelled(...labels) })).toEqual(violations);
  });

  test("two with one id are alike", () => {
    const options = [
      { id: "a", label: "Red" },
      { id: "a", label: "Blue" },
    ];
    expect(lint({ options })).toEqual(["options-alike"]);
  });

  test("with none and no free text there is no way to answer", () => {
    expect(lint({ options: [], allow_free_text: false })).toEqual(["no-way-to-answer"]);
    expect(lint({ options: labelled("Go"), allow_free_text: false })).toEqual([]);
  });

  test("descriptions are not counted, and may have lines", () => {
    expect(lint({ options: [{ id: "a", label: "A", description: `${words(50)}\n${words(50)}` }] })).toEqual([]);
  });
});

test("everything wrong is named, each once, in a fixed order", () => {
  const label = `${words(5)}\nword`;
  const options = Array.from({ length: 8 }, () => ({ id: "same", label }));
  expect(lint({ question: `${words(16)}\n`, options })).toEqual([
    "instruction-not-one-line",
    "instruction-too-long",
    "too-many-options",
    "option-not-one-line",
    "option-too-long",
    "options-alike",
  ]);
});
