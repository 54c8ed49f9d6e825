import { expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { figuresOf, readPart } from "./figures.ts";

const parts = { "built-on": readPart("built-on"), "held-out": readPart("held-out") };

test("there are at least 400 labelled texts, no text is in both parts, and both labels and languages are in each", () => {
  const texts = Object.values(parts).map((part) => [...part.values()].flat().map(({ text }) => text));
  expect(texts.flat().length).toBeGreaterThanOrEqual(400);
  expect(new Set(texts.flat()).size).toBe(texts.flat().length);
  for (const part of Object.values(parts)) {
    expect([...part.keys()]).toEqual(["english", "russian"]);
    for (const each of part.values()) {
      const { texts: count, offers } = figuresOf(each);
      expect(offers / count).toBeGreaterThan(0.3);
      expect(offers / count).toBeLessThan(0.7);
    }
  }
});

for (const [language, texts] of parts["held-out"]) {
  verifies("TXT-5a", `soft offers are found in texts that nobody built on: ${language}`, () => {
    const { precision, recall } = figuresOf(texts);
    expect(precision).toBeGreaterThanOrEqual(0.97);
    expect(recall).toBeGreaterThanOrEqual(0.9);
  });
}
