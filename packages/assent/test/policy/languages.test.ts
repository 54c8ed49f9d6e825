import { describe, expect, test } from "vitest";
import { codeDeeds } from "../../src/policy/shell/code/index.ts";
import { languages } from "../../src/policy/shell/code/language.ts";
import { told as deed, withHoles } from "../../src/policy/shell/code/told.fixture.ts";
import { tablesIn } from "./tables.ts";

const tables = tablesIn(`${import.meta.dirname}/languages`);

test("every language has its table", () => {
  expect(tables.map(({ name }) => name)).toEqual([...languages].sort());
});

// What programs in other languages do that stand in a command; what they do not do is also said, by saying nothing.
describe.each(languages)("in %s", (language) => {
  const rows = tables.find(({ name }) => name === language)?.rows ?? [];
  test.each(rows)("it is known what $line does", ({ line, told }) => {
    expect(codeDeeds(language, withHoles(line), { start: 0, end: 1 }).map(deed)).toEqual(told);
  });
});
