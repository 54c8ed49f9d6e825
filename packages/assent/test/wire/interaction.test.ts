import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { interactionSchema } from "../../scripts/schema.ts";
import {
  flowLine,
  lintLine,
  purityLine,
  readFlow,
  readRequest,
  readResponse,
  replyLine,
} from "../../src/wire/index.ts";
import { verifies } from "../requirements/verifies.ts";

const request = {
  interaction_id: "q1",
  kind: "question",
  question: "Which one?",
  options: [
    { id: "a", label: "First", description: "the first" },
    { id: "b", label: "Second" },
  ],
  allow_free_text: true,
  allow_cancel: true,
  default_option_id: "a",
  timeout_ms: 1_000,
  continuation_id: "f1",
  source_node: "node",
  metadata: { any: ["thing"] },
  multi_select: true,
  min_selected: 1,
  max_selected: 2,
  subject: { command: ["ls"] },
  subject_digest: "sha256:0",
  sensitive: false,
  response_schema: { type: "object" },
};
const response = {
  interaction_id: "q1",
  selected_option_id: "a",
  selected_option_ids: ["a"],
  cancelled: false,
  answer_id: "k1",
  metadata: { from: "phone" },
};

const camel = (fields: object) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name.replace(/_(.)/g, (_, letter) => letter.toUpperCase()), value]),
  );

describe("the wire form", () => {
  verifies("INT-1a", "has exactly the names of the contract, and comes out as it went in", () => {
    expect(readRequest(request)).toEqual({ type: "read", value: request });
    expect(readResponse(response)).toEqual({ type: "read", value: response });
    const { $defs } = JSON.parse(interactionSchema());
    expect(Object.keys($defs.InteractionRequest.properties)).toEqual(Object.keys(request));
    const rest = ["free_text", "confirmed"];
    expect(Object.keys($defs.InteractionResponse.properties).sort()).toEqual(
      [...Object.keys(response), ...rest].sort(),
    );
  });

  verifies("INT-1b", "is taken in camelCase as well, and in both spellings only when they agree", () => {
    expect(readRequest(camel(request))).toEqual({ type: "read", value: request });
    expect(readResponse(camel(response))).toEqual({ type: "read", value: response });
    expect(readRequest({ ...request, allowCancel: true })).toEqual({ type: "read", value: request });
    expect(readRequest({ ...request, allowCancel: false })).toMatchObject({ refusal: { code: "contradiction" } });
  });

  verifies("INT-1c", "keeps fields that it does not know, also in options, in any spelling", () => {
    const more = { ...request, futureField: 1, other_one: { deep: [true] } };
    expect(readRequest(more)).toEqual({ type: "read", value: more });
    const option = { ...request, options: [{ id: "a", label: "A", icon: "star" }] };
    expect(readRequest(option)).toEqual({ type: "read", value: option });
    expect(readResponse({ ...response, client: "x" })).toEqual({ type: "read", value: { ...response, client: "x" } });
  });

  verifies("INT-2a", "has additions that may be left out", () => {
    const base = ["interaction_id", "kind", "question", "options", "allow_free_text", "allow_cancel"];
    const bare = Object.fromEntries(Object.entries(request).filter(([name]) => base.includes(name)));
    expect(readRequest(bare)).toEqual({ type: "read", value: bare });
    expect(JSON.parse(interactionSchema()).$defs.InteractionRequest.required).toEqual(base);
  });

  verifies("INT-3", "is published as a JSON Schema that is made from the schemas that check it", () => {
    const file = join(import.meta.dirname, "..", "..", "schema", "interaction.json");
    expect(readFileSync(file, "utf8"), "npm run schema makes it anew").toBe(interactionSchema());
  });

  test("of free text that a peer left out means yes at a question and no at a confirmation", () => {
    const { allow_free_text: _free, ...left } = request;
    expect(readRequest(left)).toMatchObject({ value: { allow_free_text: true } });
    expect(readRequest({ ...left, kind: "confirmation" })).toMatchObject({ value: { allow_free_text: false } });
  });
});

describe("bad input is refused with a code, never an exception:", () => {
  const refused = (read: unknown) => (read as { refusal?: { code: string } }).refusal?.code;
  const deep = JSON.parse(`${"[".repeat(5_000)}${"]".repeat(5_000)}`);

  test.each<[string, unknown, string]>([
    ["nothing", undefined, "invalid_value"],
    ["null", null, "invalid_value"],
    ["a list", [], "invalid_value"],
    ["a text", "request", "invalid_value"],
    ["no fields", {}, "invalid_value"],
    ["a question that is a number", { ...request, question: 5 }, "invalid_value"],
    ["options that are labels", { ...request, options: ["A"] }, "invalid_value"],
    ["an option without a label", { ...request, options: [{ id: "a" }] }, "invalid_value"],
    ["an unknown kind", { ...request, kind: "poll" }, "invalid_value"],
    ["a negative min_selected", { ...request, min_selected: -1 }, "invalid_value"],
    ["a flag that is a text", { ...request, allow_cancel: "yes" }, "invalid_value"],
    [
      "two options of one id",
      {
        ...request,
        options: [
          { id: "a", label: "A" },
          { id: "a", label: "B" },
        ],
      },
      "duplicate_option_id",
    ],
    ["a blank label", { ...request, options: [{ id: "a", label: "\u200b " }] }, "empty_label"],
    ["a default that is no option", { ...request, default_option_id: "z" }, "unknown_default"],
    ["ten megabytes", { ...request, question: "x".repeat(10_000_000) }, "too_large"],
    ["a metadata of 5,000 levels", { ...request, metadata: deep }, "too_deep"],
    ["a number that JSON does not know", { ...request, metadata: 1n }, "invalid_value"],
    ["a __proto__", JSON.parse(`{"__proto__":{"kind":"question"}}`), "forbidden_key"],
    ["a __proto__ deep inside", { ...request, metadata: { a: [JSON.parse(`{"__proto__":1}`)] } }, "forbidden_key"],
  ])("a request that is %s", (_, value, code) => {
    expect(refused(readRequest(value))).toBe(code);
  });

  test.each<[string, unknown, string]>([
    ["no id", { cancelled: false }, "invalid_value"],
    ["a list as text", { ...response, free_text: ["x"] }, "invalid_value"],
    ["a cancel that is a text", { ...response, cancelled: "no" }, "invalid_value"],
    ["a __proto__", JSON.parse(`{"interaction_id":"q1","__proto__":{"confirmed":true}}`), "forbidden_key"],
  ])("a response with %s", (_, value, code) => {
    expect(refused(readResponse(value))).toBe(code);
  });

  test.each<[string, unknown, string]>([
    ["nothing at all", null, "invalid_value"],
    ["no steps", { steps: [] }, "invalid_flow"],
    ["steps that are no list", { steps: "x" }, "invalid_value"],
    [
      "a key that is used twice",
      {
        steps: [
          { key: "a", instruction: "A?" },
          { key: "a", instruction: "B?" },
        ],
      },
      "invalid_flow",
    ],
    ["a key with =", { steps: [{ key: "a=b", instruction: "A?" }] }, "invalid_flow"],
    ["a field that is misspelt", { steps: [{ key: "a", instruction: "A?", sensitve: true }] }, "invalid_value"],
    [
      "two spellings that disagree",
      { steps: [{ key: "a", instruction: "A?", allowFreeText: true, allow_free_text: false }] },
      "contradiction",
    ],
    ["nothing for a step", { steps: [null] }, "invalid_value"],
    [
      "options for a secret",
      { steps: [{ key: "a", instruction: "A?", options: ["A"], sensitive: true }] },
      "invalid_flow",
    ],
    ["options that are objects", { steps: [{ key: "a", instruction: "A?", options: [{}] }] }, "invalid_value"],
    ["a pattern that is none", { steps: [{ key: "a", instruction: "A?", pattern: "(" }] }, "invalid_flow"],
    ["words for no pattern", { steps: [{ key: "a", instruction: "A?", expected: "a word" }] }, "invalid_flow"],
  ])("a flow with %s", (_, value, code) => {
    expect(refused(readFlow(value))).toBe(code);
  });

  test("a flow may say what a text must match, and that in words", () => {
    const step = { key: "a", instruction: "A?", pattern: "[a-z]+" };
    const asked = { key: "a", question: "A?", options: [], allow_free_text: true };
    const schema = { type: "string", pattern: "[a-z]+" };
    expect(readFlow({ steps: [step, { ...step, key: "b", expected: "a word" }] })).toEqual({
      type: "read",
      value: {
        steps: [
          { ...asked, response_schema: schema },
          { ...asked, key: "b", response_schema: { ...schema, description: "a word" } },
        ],
      },
    });
  });

  test("what is wrong with a response is told without its values: one may be a secret", () => {
    const read = readResponse({ interaction_id: "q1", confirmed: "hunter2" });
    expect(JSON.stringify(read)).toContain("confirmed: expected boolean");
    expect(JSON.stringify(read)).not.toContain("hunter2");
  });

  test("a flow with more lines than anyone types, or numbers than there are, is no exception", () => {
    const steps = [
      { key: "a", instruction: "A?", options: Array.from({ length: 150_000 }, (_, index) => `o${index}`) },
    ];
    const all = `a=${Array.from({ length: 150_000 }, (_, index) => index + 1).join(",")}`;
    expect(() =>
      flowLine(JSON.stringify({ flow: { steps: [{ ...steps[0], multi_select: true }] }, inputs: [all] })),
    ).not.toThrow();
    const flow = { steps: [{ key: "a", instruction: "A?", options: ["A"] }] };
    expect(JSON.parse(flowLine(JSON.stringify({ flow, inputs: Array(10_001).fill("") })))).toMatchObject({
      final: "refused",
    });
  });

  test("every filter answers every line, and says what was wrong with it", () => {
    const lines = ["", "nope", "{", "null", "[]", "5", '"x"', "{}", '{"__proto__":1}', `${"[".repeat(100_000)}`, null];
    for (const filter of [lintLine, replyLine, flowLine, purityLine]) {
      for (const line of lines)
        expect(JSON.parse(filter(line))).toMatchObject({
          refusal: { code: expect.stringMatching(/./), detail: expect.stringMatching(/./) },
        });
    }
  });

  test("a flow of another program may have fields of its own", () => {
    const flow = { title: "x", steps: [{ key: "a", instruction: "Which one?", options: ["A"], hint: "first" }] };
    expect(JSON.parse(flowLine(JSON.stringify({ flow, inputs: ["1"] })))).toMatchObject({ final: "confirmed" });
  });

  test("a flow whose keys are names of every object's own things is a flow like any other", () => {
    const keys = ["constructor", "toString", "hasOwnProperty"];
    const steps = keys.map((key) => ({ key, instruction: "Which one?", options: ["A", "B"] }));
    const result = JSON.parse(
      flowLine(JSON.stringify({ flow: { steps }, inputs: ["constructor=2", "1", "2", "yes"] })),
    );
    expect(result).toMatchObject({
      final: "confirmed",
      asked: ["constructor", "toString", "hasOwnProperty", "@confirm"],
    });
    expect(Object.entries(result.answers)).toEqual([
      ["constructor", 2],
      ["toString", 1],
      ["hasOwnProperty", 2],
    ]);
  });
});

describe("the filters", () => {
  test("lint says which rules a request breaks, and how it would be shown", () => {
    expect(JSON.parse(lintLine(JSON.stringify(request)))).toEqual({
      valid: true,
      violations: [],
      rendered: "Which one?\n\n1) First\n2) Second",
    });
    const bad = { question: "One. Two three?", options: [{ id: "a", label: "Other" }] };
    expect(JSON.parse(lintLine(JSON.stringify(bad)))).toEqual({
      valid: false,
      violations: ["instruction-not-one-sentence", "option-other"],
      rendered: "One. Two three?\n\n1) Other",
    });
  });

  test("a mark that some editors put at the start of a file is passed over", () => {
    expect(JSON.parse(purityLine('\ufeff{"text":"Done."}'))).toMatchObject({ soft_offer: false });
  });

  test("reply refuses a question whose options cannot be told apart", () => {
    const twice = { question: "Which?", options: ["A", "B"].map((label) => ({ id: "a", label })) };
    expect(JSON.parse(replyLine(JSON.stringify({ request: twice, input: "2" })))).toMatchObject({
      type: "refused",
      refusal: { code: "duplicate_option_id" },
    });
  });

  test("purity names the part and the rule", () => {
    expect(JSON.parse(purityLine('{"text":"Done. Shall I push?"}'))).toMatchObject({
      soft_offer: true,
      part: "Shall I push?",
    });
    expect(JSON.parse(purityLine('{"text":"Done."}'))).toEqual({ soft_offer: false, part: null, rule: null });
    expect(JSON.parse(purityLine('{"text":"Push now?\\n\\n1) Yes\\n2) No"}'))).toMatchObject({ soft_offer: false });
  });

  test.each<[string, readonly string[], object]>([
    ["is open while lines are missing", ["1"], { final: "open", answers: { env: 1 }, asked: ["env", "size"] }],
    ["is cancelled by a control word", ["1", "cancel"], { final: "cancelled", codes: ["FLOW_CANCEL"] }],
    ["is cancelled by a no at the confirmation", ["1", "2", "no"], { final: "cancelled", codes: ["FLOW_CANCEL"] }],
    ["ends at the fourth invalid line", ["", "", "x 1", ""], { final: "step_abort", codes: ["STEP_ABORT"] }],
    ["takes a command for no reply", ["/help", "1", "/sessions all", "2", "1"], { final: "confirmed", codes: [] }],
    ["takes text", ["a place", "2", "1"], { final: "confirmed", answers: { env: "a place", size: 2 } }],
    [
      "changes nothing after its end",
      ["1", "1", "1", "cancel", "2"],
      { final: "confirmed", answers: { env: 1, size: 1 } },
    ],
    ["is left by stop, without a code", ["stop"], { final: "cancelled", codes: [] }],
  ])("a flow %s", (_, inputs, expected) => {
    const steps = [
      { key: "env", instruction: "Which environment?", options: ["Staging", "Production"] },
      { key: "size", instruction: "Which size?", options: ["Small", "Large"] },
    ];
    expect(JSON.parse(flowLine(JSON.stringify({ flow: { steps }, inputs })))).toMatchObject(expected);
  });
});
