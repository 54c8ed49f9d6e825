/** What a program gives that has no types, or is wrong about its own. */
import { describe, expect, test } from "vitest";
import {
  asJson,
  codeOf,
  describeGiven,
  messageOf,
  parseJson,
  readAnswer,
  readAsked,
  readAsks,
  readFact,
  readForm,
  readPlan,
  readToolResult,
  readVerdict,
} from "../../src/wire/index.ts";

const long = "x".repeat(81);

test.each<[unknown, string]>([
  [undefined, "undefined"],
  [null, "null"],
  ["a", 'the text "a"'],
  [long.slice(1), `the text "${long.slice(1)}"`],
  [long, `the text "${long.slice(1)}…"`],
  [() => 1, "a function"],
  [5, "the number 5"],
  [5n, "the bigint 5"],
  [Symbol("a"), "the symbol Symbol(a)"],
  [["a"], "a list"],
  [Promise.resolve(1), "a promise"],
  [JSON.parse('{"then":"later"}'), "an object with then"],
  [new Map(), "a generator, or something else to iterate"],
  [(async function* () {})(), "a generator, or something else to iterate"],
  [{}, "an object without fields"],
  [{ a: 1, b: 2 }, "an object with a, b"],
  [{ [long]: 1 }, `an object with ${long.slice(1)}…`],
])("%o is told as what it is, and no longer than a line", (given, told) => {
  expect(describeGiven(given)).toBe(told);
});

test("what was thrown is told in its own words, also where it is no error", () => {
  const told = [new Error("no room"), new TypeError(""), "no room", 5, undefined].map(messageOf);
  expect(told).toEqual(["no room", "TypeError", "no room", "it threw the number 5", "it threw undefined"]);
});

test("the name that the system has for an error is a text, and only an error has one", () => {
  const named = (code: unknown) => Object.assign(new Error("x"), { code });
  expect([named("ENOENT"), named(5), new Error("x"), { code: "ENOENT" }].map(codeOf)).toEqual([
    "ENOENT",
    null,
    null,
    null,
  ]);
});

test("what JSON has no value for is null", () => {
  expect([undefined, null, 0, "", { a: [1] }].map(asJson)).toEqual([null, null, 0, "", { a: [1] }]);
  expect(parseJson("{")).toEqual({ type: "broken", reason: expect.stringContaining("JSON") });
});

describe("of what the parts of a program give", () => {
  const result = { type: "output", text: "done" } as const;
  const wanted = 'expected a result with a type ("output" or "error") and a text, found';

  test("a result is taken without what is not of one, and a field that is undefined is not there", () => {
    expect(readToolResult({ ...result, mine: 1, exit: undefined })).toEqual({ type: "read", value: result });
    expect(Object.keys(readValue(readToolResult({ ...result, exit: undefined })))).toEqual(["type", "text"]);
  });

  test.each<[unknown, string]>([
    [undefined, `${wanted} undefined`],
    ["done", `${wanted} the text "done"`],
    [[result], `${wanted} a list`],
    [{}, `${wanted} an object without fields`],
    [{ type: "output" }, `${wanted} an object with type; text: is missing`],
    [{ ...result, exit: "0" }, `${wanted} an object with type, text, exit; exit: expected number, found "0"`],
  ])("a result that is %o is none, and it is said what came", (given, reason) => {
    expect(readToolResult(given)).toEqual({ type: "invalid", reason });
  });

  test("everything else is the very value that was given, where it is as it should be", () => {
    const asks = { type: "tool", parallel: true } as const;
    const answer = { type: "replied", text: "hi", calls: [], usage: "free" };
    const verdict = { verdict: "ask", rule: "r", reason: "why" };
    const plan = { tool: "t", cwd: "/" };
    expect(readValue(readAsks(asks))).toBe(asks);
    expect(readValue(readAnswer(answer))).toBe(answer);
    expect(readValue(readVerdict(verdict))).toBe(verdict);
    expect(readValue(readPlan(plan))).toBe(plan);
    expect(readVerdict({ ...verdict, granted: undefined })).toEqual({ type: "read", value: verdict });
    for (const read of [readAnswer({ type: "dreamt" }), readVerdict({ verdict: "ask" }), readPlan({ tool: "t" })])
      expect(read).toMatchObject({
        type: "invalid",
        reason: expect.stringMatching(/^expected .*, found an object with /),
      });
  });

  test("a field that may be left out may be undefined also further inside", () => {
    const call = { id: "1", tool: "add", arguments: "{}" };
    const answer = { type: "replied", text: "", calls: [call] };
    expect(readAnswer({ ...answer, calls: [{ ...call, flaw: undefined }] })).toStrictEqual({
      type: "read",
      value: answer,
    });
    class Made {
      readonly type = "replied";
      readonly text = "";
      readonly calls = [];
      readonly cut = undefined;
      readonly usage = new Date(0);
    }
    const { cut: _cut, ...made } = new Made();
    expect(readAnswer(new Made())).toStrictEqual({ type: "read", value: made });
    const draft = { question: "Which?", options: [], allow_free_text: true };
    const asks = { type: "ask", draft } as const;
    expect(readAsks(JSON.parse(JSON.stringify(asks)))).toEqual({ type: "read", value: asks });
    const undefinedInside: object = { ...asks, draft: { ...draft, sensitive: undefined } };
    expect(readAsks(undefinedInside as typeof asks)).toStrictEqual({ type: "read", value: asks });
  });

  test("what a model thought is what its bytes can hold", () => {
    const thought = (content: unknown) =>
      readAnswer({ type: "replied", text: "", calls: [], reasoning: { model: "m", content } });
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    for (const content of [null, "a", 0, { a: [1, undefined] }, new Date(0)])
      expect(thought(content)).toMatchObject({ type: "read" });
    for (const content of [() => 1, Symbol("a"), { toJSON: () => undefined }, 1n, { a: 1n }, cycle])
      expect(thought(content)).toMatchObject({
        type: "invalid",
        reason: expect.stringContaining("; reasoning.content: expected a JSON value, found "),
      });
  });

  test("a fact is one of a terminal or of a process", () => {
    const facts = [
      { type: "terminal", state: "opened", cwd: "/" },
      { type: "process", state: "started", process: "7", pid: 7, since: 1, command: "sleep" },
      { type: "process", state: "ended", process: "7", exit: 0 },
      { type: "process", state: "ended", process: "7" },
    ];
    for (const fact of facts) expect(readFact(fact)).toEqual({ type: "read", value: fact });
    for (const fact of [
      undefined,
      {},
      { ...facts[0], cwd: 5 },
      { ...facts[1], pid: -1 },
      { ...facts[2], exit: Infinity },
    ])
      expect(readFact(fact)).toMatchObject({
        type: "invalid",
        reason: expect.stringMatching(/^expected a fact of the type terminal or process, found /),
      });
  });

  test("what is asked of a person is what its bytes are", () => {
    const draft = { question: "Which?", options: [], allow_free_text: true };
    expect(readAsked({ ...draft, subject: { a: 1, b: anything(undefined) } })).toStrictEqual({
      type: "read",
      value: { ...draft, subject: { a: 1 } },
    });
    expect(readAsked(anything({ ...draft, subject: () => 1 }))).toStrictEqual({ type: "read", value: draft });
    expect(readAsked(anything(undefined))).toEqual({
      type: "invalid",
      reason: "expected a question with its options, found null",
    });
    expect(readForm(anything({ steps: [draft] }))).toEqual({
      type: "invalid",
      reason: "expected a flow with its steps, found an object with steps; steps.0.key: is missing",
    });
    expect(() => readForm(anything({ steps: 1n }))).toThrow("BigInt");
  });
});

function readValue<T>(read: { readonly type: "read"; readonly value: T } | { readonly type: "invalid" }): T {
  if (read.type === "invalid") throw new Error("expected a value that was read");
  return read.value;
}

/** What a program without types gives. */
function anything<T>(value: unknown): T;
function anything(value: unknown): unknown {
  return value;
}
