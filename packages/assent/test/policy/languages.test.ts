import { expect, test } from "vitest";
import { codeDeeds } from "../../src/policy/shell/code/index.ts";
import { languages } from "../../src/policy/shell/code/language.ts";
import { told, withHoles } from "../../src/policy/shell/code/told.fixture.ts";
import { tablesIn } from "./tables.ts";

const tables = tablesIn(`${import.meta.dirname}/languages`);

test("every language has its table", () => {
  expect(tables.map(({ name }) => name)).toEqual([...languages].sort());
});

// What programs in other languages do that stand in a command; what they do not do is also said, by saying nothing.
test.each(languages)("it is known what programs in %s do", (language) => {
  const rows = tables.find(({ name }) => name === language)?.rows ?? [];
  const deeds = (line: string) => codeDeeds(language, withHoles(line), { start: 0, end: 1 }).map(told);
  expect(rows.map(({ line }) => ({ line, told: deeds(line) }))).toEqual(rows);
});

test("a command of a database's client is read to its end, or is not let through", () => {
  const deeds = (line: string) => codeDeeds("sql", withHoles(line), { start: 0, end: 1 }).map(told);
  const blanks = " ".repeat(4000);
  expect(deeds(`\\! ls x${blanks}; rm -rf x`)).toEqual([`shell: ls x${blanks}; rm -rf x`]);
  expect(deeds(`\\o |ls${blanks}; rm -rf x`)).toContain("exec-unseen");
  expect(deeds(`\\echo ls${blanks}; rm -rf x`)).toEqual([]);
});
