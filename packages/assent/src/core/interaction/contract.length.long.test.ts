import { describe, expect, test } from "vitest";
import { lintQuestion } from "./contract.ts";

const units = [
  ...'a .*_~[(<`:：1#>-。选เİﷺı!…"\n\ud800\u200d\u200b\u0301',
  ...[". ", "e.g. A", "z. B. ", "**a", "*a ", "a*", "__a ", "~~a ", "[a](", "[a]", "](", "<a", "<a ", "<a>", "</a>"],
  ...[") ", "# ", "> ", "- ", "。 ", "一 ", "a\u200d", "Other ", "Answer:", "😀", "\ud800a", "- k: v\n"],
];

/** Time squared would be minutes: it ends the test, a busy machine does not. */
const patience = 30_000;

describe("a million characters are read to the end, and are too long", () => {
  test.each(units)(
    "of %j",
    (unit) => {
      const text = unit.repeat(1_000_000 / unit.length);
      expect(faultsOf({ question: `${text} ${"word ".repeat(16)}` })).toContain("instruction-too-long");
      expect(faultsOf({ labels: [`**a ${text}x ${"word ".repeat(6)}`] })).toContain("option-too-long");
    },
    patience,
  );
});

test.each(["Option ", "选择数据", "İé…ﷺ", "\ud800", ""])(
  "so are a hundred thousand options that begin with %j",
  (start) => {
    const labels = Array.from({ length: 100_000 }, (_, index) => `${start}${index}`);
    expect(faultsOf({ labels })).toContain("too-many-options");
  },
  patience,
);

test("what is alike, or lacks, among very many is still found", () => {
  const options = Array.from({ length: 100_000 }, (_, index) => ({ id: `${index}`, label: `Option ${index}` }));
  const draft = { question: "Which one?", options, allow_free_text: true };
  expect(lintQuestion({ ...draft, default_option_id: "99999" })).toEqual(["too-many-options"]);
  const again = { ...draft, options: [...options, { id: "0", label: "Once more" }] };
  expect(lintQuestion(again)).toEqual(["too-many-options", "ids-alike"]);
});

test("labels that are the same for a thousand characters are alike", () => {
  const long = "a".repeat(1_000);
  const alike = (...labels: readonly string[]) =>
    lintQuestion({
      question: "Which one?",
      options: labels.map((label, index) => ({ id: `${index}`, label })),
      allow_free_text: true,
    });
  expect(alike(`${long}b`, `${long}c`)).toEqual(["options-alike"]);
  expect(alike(`b${long}`, `c${long}`)).toEqual([]);
});

function faultsOf({ question = "Which one?", labels = [] }: { question?: string; labels?: readonly string[] }) {
  const options = labels.map((label, index) => ({ id: `${index}`, label }));
  return lintQuestion({ question, options, allow_free_text: true });
}
