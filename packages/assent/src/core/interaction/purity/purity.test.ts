import { expect, test } from "vitest";
import { english } from "./english.ts";
import { englishExamples } from "./english-examples.ts";
import { findSoftOffer } from "./index.ts";
import { readProse } from "./prose.ts";
import { readerOf } from "./reader.ts";
import { russian } from "./russian.ts";
import { russianExamples } from "./russian-examples.ts";

const rules = [
  { language: english, examples: englishExamples },
  { language: russian, examples: russianExamples },
].flatMap(({ language, examples }) =>
  language.rules.map((rule) => ({ language, rule, id: rule.id, ...(examples[rule.id] ?? { hits: [], misses: [] }) })),
);

test.each(rules)(
  "rule $id finds its examples and nothing in its counterexamples",
  ({ language, rule, hits, misses }) => {
    const reader = readerOf({ ...language, rules: [rule] });
    const words = (text: string) => readProse(text)[0]?.words ?? [];
    expect(hits.filter((text) => reader(words(text)).rule === undefined)).toEqual([]);
    expect(misses.filter((text) => findSoftOffer(text) !== null)).toEqual([]);
    expect(hits.length * misses.length).toBeGreaterThan(0);
  },
);

test("rule ids are unique, and every class and tag that is named exists and is used", () => {
  expect(new Set(rules.map(({ id }) => id)).size).toBe(rules.length);
  for (const { classes, tags, rules } of [english, russian]) {
    const patterns = [...Object.values(tags), ...rules.map(({ find }) => find)].join(" ");
    const named = new Set([...patterns.matchAll(/@([a-z]+)/gu)].map((match) => match[1]));
    expect([...named].sort()).toEqual(Object.keys(classes).sort());
    const wanted = rules.flatMap(({ and = [], none = [] }) => [...and, ...none]);
    expect(wanted.filter((tag) => !(tag in tags))).toEqual([]);
    const reading = ["self", "directed", "rhetorical", "answers", "evades", "says", "reports", "own", "retold"];
    expect(Object.keys(tags).filter((tag) => !wanted.includes(tag) && !reading.includes(tag))).toEqual([]);
  }
});

test("the part is the sentence as it stands in the text", () => {
  const text = "All **green**.\n\n- one\n- two (want me to\n  go on with `x`?)\n";
  expect(findSoftOffer(text)?.part).toBe("two (want me to\n  go on with `x`?)");
});

test.each([
  ["a fence", "Added:\n\n```sh\nread -p 'Should I go on?'\n```\n\nIt works."],
  ["an open fence", "Added:\n\n~~~\nShould I go on?"],
  ["inline code", "The text is ``Should I `really` go on?`` now."],
  ["a quotation", "It printed “Should I go on?” twice."],
  ["guillemets", "Строка «Продолжить?» убрана."],
  ["apostrophes", "It printed 'Should I go on?' twice."],
  ["a block quote", "> Should I go on?\n\nThis line is gone."],
  ["a table", "| key | text |\n|---|---|\n| a | Should I go on? |"],
  ["a heading", "## Should I upgrade?\n\nThe old version works until May."],
  ["indented code", "Added:\n\n    Should I go on?\n\nIt works."],
  ["text after a reporting colon", "The dialog reads: Should I go on?"],
  ["a block after a reporting colon", "The mail says:\n\nPlease send me the log.\n\nIt is translated."],
  ["an address", "See https://example.com/?a=1 for details."],
])("%s is nobody's voice", (_, text) => {
  expect(findSoftOffer(text)).toBeNull();
});

test("a question that the next sentence answers is none, one that it leaves open is", () => {
  expect(findSoftOffer("Why did it fail? The disk was full.")).toBeNull();
  expect(findSoftOffer("Is it safe? Yes. Nothing is deleted.")).toBeNull();
  expect(findSoftOffer("Можно ли откатиться? Можно, одной командой.")).toBeNull();
  expect(findSoftOffer("Is it safe? I could not find out.")?.rule).toBe("open-question");
  expect(findSoftOffer("Which port should it use? I took 8080.")?.rule).toBe("directed-question");
});

test("another language: only a question at the end", () => {
  expect(findSoftOffer("Die Tests laufen. Soll ich weitermachen?")?.rule).toBe("last-question");
  expect(findSoftOffer("テストは成功しました。続けますか？")?.rule).toBe("last-question");
  expect(findSoftOffer("Warum? Die Platte war voll.")).toBeNull();
});

test("a line in bold that begins as in a list of questions and answers is a title, any other is a question", () => {
  const after = "\n\nIt was measured.";
  expect(findSoftOffer(`**Q: Which one should I take?**${after}`)).toBe(null);
  expect(findSoftOffer("**В: Какой мне взять?**\n\nЭто измерено.")).toBe(null);
  expect(findSoftOffer(`**A: Which one should I take?**${after}`)?.rule).toBe("directed-question");
  expect(findSoftOffer(`**Which one should I take?**${after}`)?.rule).toBe("directed-question");
});

test("a heading and one of several questions in bold are titles, but what stands last never is", () => {
  const [one, other, after] = ["Which one should I take?", "Which one should we keep?", "\n\nIt was measured."];
  expect(findSoftOffer(`# ${one}${after}`)).toBe(null);
  expect(findSoftOffer(`**${one}**${after}\n\n**${other}**${after}`)).toBe(null);
  expect(findSoftOffer(`It was measured.\n\n# ${one}`)?.rule).toBe("last-question");
  expect(findSoftOffer(`It was measured.\n\n**Q: ${one}**`)?.rule).toBe("last-question");
});
