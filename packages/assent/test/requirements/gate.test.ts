import { describe, expect, test } from "vitest";
import { type Citation, checkRequirements, testsLine } from "./gate.ts";
import { type Requirement, requirements } from "./requirements.ts";

const planned = (id: string): Requirement => ({ id, line: "a claim", status: "planned" });
const verified = (id: string): Requirement => ({ id, line: "a claim", status: "verified" });
const following = (requirement: Requirement, ...follows: string[]): Requirement => ({ ...requirement, follows });

const passed = (id: string): Citation => ({ id, title: "it works", passed: true, skipped: false });
const failed = (id: string): Citation => ({ id, title: "it broke", passed: false, skipped: false });
const skipped = (id: string): Citation => ({ id, title: "it waits", passed: false, skipped: true });

const problems = (data: readonly Requirement[], citations: readonly Citation[] = []): string[] =>
  checkRequirements({ requirements: data, citations }).problems;

test("good data with the tests it claims has no problem and a summary", () => {
  const data = [planned("ABC-1"), verified("ABC-2a"), planned("ABC-2b"), verified("DEF-10")];
  expect(checkRequirements({ requirements: data, citations: [passed("ABC-2a"), passed("DEF-10")] })).toEqual({
    problems: [],
    summary: "requirements: 2 verified of 4",
  });
});

test("a claim whose tests were all skipped for want of what they need is told, and no problem; one of them alone is none", () => {
  const data = [{ ...verified("WEB-1a"), needs: "chromium" }, verified("ABC-1")];
  expect(checkRequirements({ requirements: data, citations: [skipped("WEB-1a"), passed("ABC-1")] })).toEqual({
    problems: [],
    summary: "requirements: 2 verified of 2; not seen here, for want of chromium: WEB-1a",
  });
  expect(problems(data, [passed("ABC-1")])).toEqual(["WEB-1a is verified: expected a passed test, came none"]);
  expect(problems(data, [skipped("WEB-1a"), failed("WEB-1a"), passed("ABC-1")])).toEqual([
    'WEB-1a is verified: expected a passed test, came "it waits" skipped, "it broke" failed',
  ]);
});

describe("ids", () => {
  test.each(["abc-1", "ABC1", "ABC-", "ABC-1ab", "ABC-1A", " ABC-1", "ABC-1\n", ""])("%j is malformed", (id) => {
    expect(problems([planned(id)])).toEqual([`malformed id: expected ABC-1 or ABC-1a, came ${JSON.stringify(id)}`]);
  });

  test("an id that comes twice is a problem", () => {
    expect(problems([planned("ABC-1"), planned("ABC-2"), planned("ABC-1")])).toEqual([
      "duplicate id: expected ABC-1 once, came again",
    ]);
  });

  test("an id beside its own clauses is a problem", () => {
    expect(problems([planned("ABC-1a"), planned("ABC-1"), planned("ABC-1b")])).toEqual([
      "ABC-1 is split: expected either it or its clauses, came ABC-1, ABC-1a, ABC-1b",
    ]);
  });

  test("ids that share only their first digits are not taken for clauses", () => {
    expect(problems([planned("ABC-1"), planned("ABC-10a"), planned("ABC-10b")])).toEqual([]);
  });
});

describe("citations", () => {
  test("citing an id that does not exist is a problem", () => {
    expect(problems([planned("ABC-1")], [passed("ABC-9")])).toEqual([
      'unknown id cited: expected an id of the requirements, came "ABC-9" in "it works"',
    ]);
  });

  test("citing a split id whole is a problem that names its clauses", () => {
    expect(problems([planned("ABC-1a"), planned("ABC-1b")], [passed("ABC-1")])).toEqual([
      'unknown id cited: expected one of ABC-1a, ABC-1b, came "ABC-1" in "it works"',
    ]);
  });

  test("a verified id without a test is a problem", () => {
    expect(problems([verified("ABC-1")])).toEqual(["ABC-1 is verified: expected a passed test, came none"]);
  });

  test("a verified id whose tests failed or were skipped is a problem", () => {
    expect(problems([verified("ABC-1")], [failed("ABC-1"), skipped("ABC-1")])).toEqual([
      'ABC-1 is verified: expected a passed test, came "it broke" failed, "it waits" skipped',
    ]);
  });

  test("one passed test is enough for a verified id", () => {
    expect(problems([verified("ABC-1")], [skipped("ABC-1"), passed("ABC-1")])).toEqual([]);
  });

  test("a planned id that has a test is a problem, whatever came of the test", () => {
    expect(problems([planned("ABC-1")], [passed("ABC-1"), failed("ABC-1"), skipped("ABC-1")])).toEqual([
      'ABC-1 is planned: expected no test, came "it works"',
      'ABC-1 is planned: expected no test, came "it broke"',
      'ABC-1 is planned: expected no test, came "it waits"',
    ]);
  });
});

describe("rows that follow others", () => {
  const tests = [passed("ABC-1a"), passed("ABC-1b")];
  const done = [verified("ABC-1a"), verified("ABC-1b")];
  const half = [verified("ABC-1a"), planned("ABC-1b")];

  test("a row is verified without a test of its own when all it follows is verified", () => {
    expect(problems([...done, following(verified("RES-1"), "ABC-1")], tests)).toEqual([]);
  });

  test("a row left planned when all it follows is verified is a problem", () => {
    expect(problems([...done, following(planned("RES-1"), "ABC-1a", "ABC-1b")], tests)).toEqual([
      "RES-1 follows ABC-1a, ABC-1b: expected verified (all it follows is verified), came planned",
    ]);
  });

  test("a row verified before all clauses it follows are verified is a problem", () => {
    expect(problems([...half, following(verified("RES-1"), "ABC-1")], [passed("ABC-1a")])).toEqual([
      "RES-1 follows ABC-1: expected planned (planned: ABC-1b), came verified",
    ]);
  });

  test("a row may follow one clause and ignore the others", () => {
    expect(problems([...half, following(verified("RES-1"), "ABC-1a")], [passed("ABC-1a")])).toEqual([]);
  });

  test("a row that follows an unknown id, or nothing, is a problem", () => {
    expect(problems([following(planned("RES-1"), "ABC-9"), following(verified("RES-2"))])).toEqual([
      "RES-1 follows an unknown id: expected one of the requirements, came ABC-9",
      "RES-2 follows other ids: expected at least one, came none",
    ]);
  });

  test("a row may be cited once it is verified, and not before", () => {
    expect(problems([...done, following(verified("RES-1"), "ABC-1")], [...tests, passed("RES-1")])).toEqual([]);
    expect(problems([planned("ABC-1"), following(planned("RES-1"), "ABC-1")], [passed("RES-1")])).toEqual([
      'RES-1 is planned: expected no test, came "it works"',
    ]);
  });
});

describe("the line of totals", () => {
  test("without skipped tests it names passed and failed only", () => {
    expect(testsLine({ passed: 3, failed: 0, skipped: 0 })).toBe("tests: 3 passed, 0 failed");
  });

  test("with skipped tests it names them too", () => {
    expect(testsLine({ passed: 3, failed: 1, skipped: 2 })).toBe("tests: 3 passed, 1 failed, 2 skipped");
  });
});

describe("the requirements of Assent", () => {
  test("have well-formed, single ids and follow only each other", () => {
    const unproven = requirements.map((requirement): Requirement => ({ ...requirement, status: "planned" }));
    expect(problems(unproven)).toEqual([]);
  });

  // Needs no run of the tests, so it is told at once and not after the whole suite.
  test("are verified exactly when all they follow is", () => {
    expect(problems(requirements).filter((problem) => problem.includes(" follows "))).toEqual([]);
  });

  test("each say their claim in one line of at most 140 characters", () => {
    expect(requirements.filter(({ line }) => !/^\S.{0,138}\S$/.test(line))).toEqual([]);
  });

  test("follow others exactly where they are resolutions", () => {
    const mixedUp = requirements.filter(({ id, follows }) => id.startsWith("RES-") !== (follows !== undefined));
    expect(mixedUp).toEqual([]);
  });
});
