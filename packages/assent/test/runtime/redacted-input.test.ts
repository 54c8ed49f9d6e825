import { describe, expect, test } from "vitest";
import type { InputBody } from "../../src/core/index.ts";
import { redactDeep, redactedInput } from "../../src/runtime/redacted-input.ts";

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
    const result = { type: "output", text: "tool-result hunter2", files: ["hunter2.txt"], cwd: "/hunter2" } as const;
    const body: InputBody = { type: "tool-result", call: "hunter2", result };
    expect(redactedInput(body, hide)).toEqual({
      ...{ type: "tool-result", call: "hunter2" },
      result: { type: "output", text: "[secret] [secret]", files: ["[secret].txt"], cwd: "/[secret]" },
    });
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
