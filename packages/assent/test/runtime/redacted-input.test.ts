import { describe, expect, test } from "vitest";
import type { Flow, FlowStep, InputBody, ReceivedCall } from "../../src/core/index.ts";
import { redactDeep, redactedInput, refusedInput } from "../../src/runtime/redacted-input.ts";

const hide = (text: string) => text.replaceAll("hunter2", "[secret]").replaceAll("tool-result", "[secret]");

describe("plain data", () => {
  test("is the same where there is nothing to hide", () => {
    const data = { text: "a", list: [1, null, { deep: ["b", true] }] };
    expect(redactDeep(data, hide)).toBe(data);
  });

  test("is changed where there is, and only there", () => {
    const same = { text: "b" };
    const data = { text: "a hunter2", list: ["hunter2", same], count: 1 };
    const shown = redactDeep(data, hide);
    expect(shown).toEqual({ text: "a [secret]", list: ["[secret]", same], count: 1 });
    expect(shown.list[1]).toBe(same);
    expect(data.text).toBe("a hunter2");
  });
});

describe("an input", () => {
  test("keeps the session's own words and names, whatever is hidden", () => {
    const seen = [{ path: "/hunter2/a", digest: "d" }];
    const shown = { type: "output", text: "tool-result hunter2", files: ["hunter2.txt"] } as const;
    const result = { ...shown, cwd: "/hunter2", seen };
    const body: InputBody = { type: "tool-result", call: "hunter2", result };
    expect(redactedInput(body, hide)).toEqual({
      ...{ type: "tool-result", call: "hunter2" },
      result: { type: "output", text: "[secret] [secret]", files: ["[secret].txt"], cwd: "/hunter2", seen },
    });
    const terminal: InputBody = { type: "terminal", state: "opened", cwd: "/hunter2" };
    expect(redactedInput(terminal, hide)).toBe(terminal);
  });

  test("has them hidden in what others may say anything in", () => {
    const judged = {
      call: "c1",
      rule: "r",
      reason: "hunter2",
      digest: "d",
      facts: { type: "hunter2", id: ["hunter2"] },
    };
    const approval = { question: "hunter2?", subject: { tool: "hunter2" } };
    const body: InputBody = { type: "verdicts", verdicts: [{ ...judged, verdict: "ask", approval }] };
    expect(redactedInput(body, hide)).toEqual({
      type: "verdicts",
      verdicts: [
        {
          ...{ call: "c1", rule: "r", reason: "[secret]", digest: "d", facts: { type: "[secret]", id: ["[secret]"] } },
          ...{ verdict: "ask", approval: { question: "[secret]?", subject: { tool: "[secret]" } } },
        },
      ],
    });
  });

  test("of a model loses its reasoning where there is something to hide in it: changed, nobody would take it", () => {
    const usage = { input: 1, output: 1, cached: 0 };
    const reply = { type: "replied", text: "", calls: [], usage } as const;
    const thought = (content: string) => ({ ...reply, reasoning: { model: "m", content: [{ thinking: content }] } });
    const body = (content: string): InputBody => ({ type: "model-result", request: 1, result: thought(content) });
    expect(redactedInput(body("hunter2"), hide)).toEqual({
      ...{ type: "model-result", request: 1 },
      result: reply,
    });
    const other = body("else");
    expect(redactedInput(other, hide)).toBe(other);
  });

  test("that makes a session keeps its folder, and hides what it takes over", () => {
    const forks = { session: "s", seq: 1, name: null, history: [{ role: "user", text: "hunter2" }] } as const;
    const body: InputBody = { type: "creation", session: "t", cwd: "/hunter2", limits: {}, forks };
    expect(redactedInput(body, hide)).toEqual({
      ...body,
      forks: { ...forks, history: [{ role: "user", text: "[secret]" }] },
    });
  });
});

describe("a call of a model", () => {
  const usage = { input: 1, output: 1, cached: 0 };
  const shownOf = (call: ReceivedCall) => {
    const result = { type: "replied", text: "", calls: [call], usage } as const;
    const shown = redactedInput({ type: "model-result", request: 1, result }, hide);
    return shown.type === "model-result" && shown.result.type === "replied" ? shown.result.calls[0] : undefined;
  };
  const call = (asks: ReceivedCall["asks"], given: string): ReceivedCall => ({
    ...{ id: "c", tool: "terminal", arguments: given, asks },
  });
  const runs = (command: string) => call({ type: "tool", parallel: false, command }, JSON.stringify({ command }));
  const draft = { question: "Is it hunter2?", options: [], allow_free_text: true };

  test("with a hidden value in it is none that runs or asks, and says so", () => {
    const reason =
      "not run: [secret] in it is a value that is hidden from you. Use a variable that holds it, or ask the person to do it";
    const invalid = (given: string) => call({ type: "invalid", reason }, given);
    expect(shownOf(runs("rm -r build/hunter2"))).toEqual(invalid('{"command":"rm -r build/[secret]"}'));
    // Written by numbers, it is seen in what it asks for.
    const numbered = '{"command":"\\u0068unter2"}';
    expect(shownOf({ ...runs("hunter2"), arguments: numbered })).toEqual(invalid(numbered));
    expect(shownOf(call({ type: "tool", parallel: true }, '"hunter2"'))).toEqual(invalid('"[secret]"'));
    expect(shownOf(call({ type: "ask", draft }, "hunter2"))).toEqual(invalid("[secret]"));
    const steps = [{ ...draft, key: "hunter2" }];
    expect(shownOf(call({ type: "flow", flow: { steps } }, "hunter2"))).toEqual(invalid("[secret]"));
  });

  test("with the mark in a command is not run either: a shell would take it for a pattern", () => {
    const { arguments: given, ...rest } = runs("rm -r build/[secret]");
    const reason =
      "not run: [secret] stands for a value that is hidden from you, and to a shell it is a pattern for files. Name it otherwise, or ask the person to do it";
    expect(shownOf({ ...rest, arguments: given })).toEqual({
      ...rest,
      arguments: given,
      asks: { type: "invalid", reason },
    });
    const other = runs("grep '\\[secret\\]' log");
    expect(shownOf(other)).toBe(other);
  });

  test("that only tells something tells it without the value", () => {
    const ends = call({ type: "complete", result: "It is hunter2.", status: "success" }, "hunter2");
    expect(shownOf(ends)).toEqual({
      ...{ ...ends, arguments: "[secret]" },
      asks: { type: "complete", result: "It is [secret].", status: "success" },
    });
    const unknown = call({ type: "invalid", reason: "no tool is named hunter2" }, "{}");
    expect(shownOf({ ...unknown, tool: "hunter2" })).toEqual({
      ...{ ...unknown, tool: "[secret]" },
      asks: { type: "invalid", reason: "no tool is named [secret]" },
    });
  });
});

test("a rule that would not be written as it is cannot be granted", () => {
  const grant = { tool: "terminal", match: "exact", signature: "s", display: "d", categories: [] } as const;
  const judged = { call: "c", rule: "r", reason: "", digest: "d", facts: null, verdict: "ask" } as const;
  const asked = (root: string) => ({
    ...{ ...judged, approval: { question: "Run it?", subject: null } },
    grant: { ...grant, root },
  });
  const body: InputBody = { type: "verdicts", verdicts: [asked("/hunter2"), asked("/work")] };
  expect(redactedInput(body, hide)).toEqual({
    ...{ type: "verdicts", verdicts: [{ ...asked(""), grant: null }, asked("/work")] },
  });
});

test("a command that a tool would have entered with a hidden value is not entered", () => {
  const result = { type: "output", text: "", launch: "/mcp connect hunter2" } as const;
  expect(redactedInput({ type: "tool-result", call: "c", result }, hide)).toEqual({
    ...{ type: "tool-result", call: "c" },
    result: { type: "error", text: "nothing was entered: a value in the command is one that is kept hidden" },
  });
});

describe("refused is", () => {
  const acting = { by: { name: "hunter2", adapter: "test" }, authority: "act" } as const;
  const step: FlowStep = { key: "k", question: "Which?", options: [], allow_free_text: true };
  const code = (body: InputBody, answered: Parameters<typeof refusedInput>[2] = null) =>
    refusedInput(body, hide, answered)?.code ?? null;

  test("a person's command that names a hidden value", () => {
    const asks = { type: "tool", parallel: false } as const;
    const command = (text: string): InputBody => ({
      ...{ type: "command", text, tool: "terminal", arguments: JSON.stringify({ command: text }), asks, ...acting },
    });
    expect(refusedInput(command("mysql -phunter2"), hide, null)).toEqual({
      code: "invalid_command",
      detail:
        "not run, nor recorded: a value in it is one that Assent keeps hidden. Put it into a variable of your own shell before you start Assent, and write the variable here; or run it in that shell",
    });
    expect(code(command('mysql -p"$PASSWORD"'))).toBe(null);
  });

  test("a flow with one in its arguments, its keys, the ids of its options or its patterns, whoever asks for it", () => {
    const entered = (flow: Flow, given = ""): InputBody => ({
      ...{ type: "flow", flow, name: "/set up", arguments: given, ...acting },
    });
    const asked = (flow: Flow): InputBody => ({ type: "form-request", call: "c", flow });
    expect(code(entered({ steps: [step] }, "acme hunter2"))).toBe("invalid_command");
    for (const changed of [
      { key: "hunter2" },
      { options: [{ id: "hunter2", label: "It" }] },
      { response_schema: { pattern: "hunter2" } },
    ]) {
      const flow = { steps: [step, { ...step, ...changed }] };
      expect([code(entered(flow)), code(asked(flow))]).toEqual(["invalid_flow", "invalid_flow"]);
    }
    const told = { steps: [{ ...step, question: "Is it hunter2?", subject: { key: "hunter2" } }] };
    expect([code(entered(told)), code(asked(told))]).toEqual([null, null]);
    expect(redactedInput(asked(told), hide)).toEqual(
      asked({ steps: [{ ...step, question: "Is it [secret]?", subject: { key: "[secret]" } }] }),
    );
  });

  test("an answer with one in it, where it is used and not only told", () => {
    const reply: InputBody = { type: "reply", interaction: "i", line: "hunter2", shown: null, ...acting };
    const response: InputBody = {
      ...{ type: "response", response: { interaction_id: "i", free_text: "hunter2", cancelled: false }, shown: null },
      ...acting,
    };
    for (const body of [reply, response]) {
      const codes = [code(body, "flow"), code(body, "terminal-input"), code(body, "question"), code(body)];
      expect(codes).toEqual(["invalid_response", "invalid_response", null, null]);
    }
  });
});

describe("whatever comes of a model", () => {
  const redacted = (result: unknown) =>
    redactedInput({ type: "model-result", request: 1, result } as InputBody, hide) as { readonly result: unknown };
  const usage = { input: 1, output: 1, cached: 0 };

  test.each([
    [
      { type: "failed", failure: { class: "hunter2", detail: "hunter2" } },
      { type: "failed", failure: { class: "hunter2", detail: "[secret]" } },
    ],
    [
      { type: "overflow", detail: "hunter2" },
      { type: "overflow", detail: "[secret]" },
    ],
    [
      { type: "summarised", summary: "hunter2", usage },
      { type: "summarised", summary: "[secret]", usage },
    ],
    [
      { type: "abandoned", text: "hunter2", usage },
      { type: "abandoned", text: "[secret]", usage },
    ],
  ])("has hidden what must not be seen: %j", (result, shown) => {
    expect(redacted(result).result).toEqual(shown);
  });

  test("a call that only tells is told without it, and one that asks a person is not put to them", () => {
    const call = (asks: ReceivedCall["asks"]): ReceivedCall => ({ id: "c", tool: "t", arguments: "{}", asks });
    const replied = (asks: ReceivedCall["asks"]) =>
      redacted({ type: "replied", text: "", calls: [call(asks)], usage }).result;
    expect(replied({ type: "agentic", objective: "find hunter2" })).toMatchObject({
      calls: [{ asks: { type: "agentic", objective: "find [secret]" } }],
    });
    const draft = { question: "Is it hunter2?", options: [], allow_free_text: true };
    expect(replied({ type: "ask", draft })).toMatchObject({ calls: [{ asks: { type: "invalid" } }] });
    const plain = { type: "ask", draft: { ...draft, question: "Is it?" } } as const;
    expect(replied(plain)).toMatchObject({ calls: [{ asks: plain }] });
  });
});

describe("whatever comes of a person or a running command", () => {
  const acted = { by: { name: "ann", adapter: "test" }, authority: "act" } as const;

  test("an answer keeps what was selected, and its text is told without it", () => {
    const response = {
      interaction_id: "hunter2",
      cancelled: false,
      free_text: "hunter2",
      selected_option_id: "hunter2",
    };
    const body: InputBody = { type: "response", response, shown: null, ...acted };
    expect(redactedInput(body, hide)).toEqual({ ...body, response: { ...response, free_text: "[secret]" } });
  });

  test("a question of a command has it hidden in its words and in those of its options", () => {
    const draft = { question: "hunter2?", options: [{ id: "hunter2", label: "hunter2" }], allow_free_text: false };
    const body: InputBody = { type: "input-request", call: "c", draft };
    expect(redactedInput(body, hide)).toEqual({
      ...body,
      draft: { ...draft, question: "[secret]?", options: [{ id: "hunter2", label: "[secret]" }] },
    });
  });
});
