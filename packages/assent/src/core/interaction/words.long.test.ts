import { describe, expect, test } from "vitest";
import { countWords, hasMoreWords } from "./words.ts";

describe("where words have spaces between them, a run with a letter or digit is one word", () => {
  test.each<[string, number]>([
    ["", 0],
    ["   ", 0],
    ["one", 1],
    [" one  two ", 2],
    ["one\ttwo\nthree", 3],
    ["one\u00a0two\u3000three\u2003four", 4],
    ["one\u0085two", 2],
    ["one\u200btwo", 1],
    ["well-known", 1],
    ["don't", 1],
    ["src/core/index.ts", 1],
    ["a — b … c !", 3],
    ["— ! ? … () 🙂", 0],
    ["7 8,5 ½ ²", 4],
    ["C++ && C#", 2],
    ["e.g. this", 2],
    ["Где хранить данные?", 3],
    ["Удалить всё-таки ветку «main»?", 4],
    ["هل تريد المتابعة؟", 3],
    ["کدام پایگاه داده را می\u200cخواهید؟", 5],
    ["어떤 데이터베이스를 쓸까요?", 3],
    ["कौन सा डेटाबेस चुनें?", 4],
    ["आपका", 1],
    ["\ud800 \udc00", 0],
    ["a\ud800 b", 2],
  ])("%j has %i", (text, count) => {
    expect(countWords(text)).toBe(count);
  });
});

describe("where words have none, a run has as many as it has word-like segments", () => {
  test.each<[string, number]>([
    ["数据", 1],
    ["选择数据", 2],
    ["选择数据。", 2],
    ["选择 数据", 2],
    ["选择一个数据？", 3],
    ["使用PostgreSQL数据", 3],
    ["データベース", 1],
    ["データベースを選ぶ", 3],
    ["เลือกข้อมูล", 2],
    ["เลือก", 1],
    ["Use 数据 now", 3],
    ["。、！？", 0],
    ["「」（）", 0],
  ])("%j has %i", (text, count) => {
    expect(countWords(text)).toBe(count);
  });

  test.each(["ກະລຸນາເລືອກຖານຂໍ້ມູນ", "សូមជ្រើសរើសមូលដ្ឋានទិន្នន័យ", "ဒေတာဘေ့စ်ကိုရွေးပါ", "གཞི་གྲངས་མཛོད་འདེམས།"])(
    "%j has several",
    (text) => {
      expect(countWords(text)).toBeGreaterThan(1);
    },
  );

  test("a run is counted by itself, whatever stands beside it", () => {
    const runs = ["选择数据库", "word", "เลือกฐานข้อมูล", "—", "データベースを選ぶ"];
    const sum = runs.reduce((total, run) => total + countWords(run), 0);
    expect(countWords(runs.join(" "))).toBe(sum);
    expect(countWords(runs.toReversed().join("\u3000"))).toBe(sum);
  });
});

test.each<[string, string, number]>([
  ["letters", "a", 1],
  ["spaces", " ", 0],
  ["short words", "a ", 500_000],
  ["Chinese", "选择一个数据库", 300_000],
  ["Chinese in short runs", "一 ", 500_000],
  ["Thai", "เลือกฐานข้อมูล", 100_000],
  ["lone surrogates", "\ud800", 0],
  ["marks", "\u0301", 0],
])("a million characters of %s are counted to the end", (_what, unit, least) => {
  const count = countWords(unit.repeat(1_000_000 / unit.length));
  expect(count).toBeGreaterThanOrEqual(least);
  if (least < 2) expect(count).toBe(least);
});

test.each(["word ", "选择 ", "选择数据", "เลือก ", "— "])(
  "%j again and again: more words than a limit, or not",
  (unit) => {
    for (const times of [1, 2, 15, 16, 100, 1_000]) {
      const text = unit.repeat(times);
      const count = countWords(text);
      for (const most of [0, 5, 15, count - 1, count, count + 1]) expect(hasMoreWords(text, most)).toBe(count > most);
    }
  },
);
