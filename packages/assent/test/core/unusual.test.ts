import { describe, expect, test } from "vitest";
import { givenInput } from "../../src/core/answers.ts";
import { addReply, historyOf, resultText } from "../../src/core/history.ts";
import { entries, evolve, type SessionEvent } from "../../src/core/index.ts";
import { replyToFlow, startFlow } from "../../src/core/interaction/flow-play.ts";
import { ask, bodies, person, type Story, story, terminal } from "./story.ts";

const acted = { by: person, authority: "act" } as const;

test("a session is created once", () => {
  expect(story().give({ type: "creation", session: "s", cwd: "/other", limits: {} }).last).toEqual({
    events: [],
    refusal: { code: "session_exists", detail: "session s exists" },
  });
});

describe("the limits", () => {
  test("the one for iterations changes alone, and as it was it changes nothing", () => {
    const told = story({ turns: 3, iterations: 4 }).give({ type: "limit", iterations: 9, ...acted });
    expect(bodies(told.last.events)).toEqual([{ type: "limit.changed", iterations: 9, by: person }]);
    expect([told.session.limits.turns, told.session.limits.iterations]).toEqual([3, 9]);
    expect(told.give({ type: "limit", iterations: 9, ...acted }).last).toEqual({ events: [], refusal: null });
  });

  test("the one for iterations is a positive integer", () => {
    for (const wrong of [0, -1, 2.5, "x", null]) {
      expect(story().give({ type: "limit", iterations: wrong, ...acted }).last.refusal).toEqual({
        code: "invalid_limit",
        detail: `iterations: expected a positive integer, found ${JSON.stringify(wrong)}`,
      });
    }
  });
});

test("a name and a command have something to be seen", () => {
  expect(story().give({ type: "entry", command: " \u200b", ...acted }).last.refusal).toEqual({
    code: "invalid_command",
    detail: "a command has at least one visible character",
  });
  const flow = { steps: [{ key: "where", question: "Where?", options: [], allow_free_text: true }] };
  expect(story().give({ type: "flow", flow, name: " ", arguments: "{}", ...acted }).last.refusal?.code).toBe(
    "invalid_name",
  );
});

describe("a command of the shell that is typed at a question", () => {
  const asked = () => story().prompt().model("", ask());

  test("is no answer and costs no attempt", () => {
    const told = asked().give({
      type: "reply",
      interaction: "s-1",
      line: "/help",
      shown: "digest of the block",
      ...acted,
    });
    expect(told.last).toEqual({
      events: [],
      refusal: {
        code: "invalid_response",
        detail: "/help is a command of the shell, not an answer; /text takes it as one",
      },
    });
  });
});

test("what a command ended with stands behind its text where it is notable", () => {
  const result = { type: "output", text: "done" } as const;
  expect(resultText(result)).toBe("done");
  expect(resultText({ ...result, exit: 2, signal: "SIGTERM", duration_ms: 61_500, cwd: "/srv" })).toBe(
    "done\n[exit 2, signal SIGTERM, 61.5 s, in /srv]",
  );
  expect(resultText({ ...result, text: "", exit: 1 })).toBe("[exit 1]");
  expect(resultText({ ...result, text: "done\n", exit: 1 })).toBe("done\n[exit 1]");
});

describe("a running command gets of its question", () => {
  const asking = (more: object = {}) => {
    const draft = { question: "Name?", options: [], allow_free_text: true, ...more };
    const told = story().prompt().model("", terminal()).judge().start();
    return told.give({ type: "input-request", call: "t1c1", draft });
  };
  const given = ({ session }: Story) => givenInput(session, "s-1");

  test("nothing where it is not there, or not answered yet", () => {
    expect(givenInput(asking().session, "s-9")).toBe(null);
    expect(given(asking())).toBe("open");
  });

  test("the line that was typed, or what a secret is kept under", () => {
    expect(given(asking().reply("ada"))).toEqual({ text: "ada" });
    expect(given(asking({ sensitive: true }).reply("hunter2"))).toEqual({ secret: "s-1.0" });
  });

  test("nothing where it was cancelled, withdrawn, or answered without a text", () => {
    expect(given(asking().reply("cancel"))).toBe(null);
    expect(given(asking().finish("t1c1"))).toBe(null);
    const options = [{ id: "y", label: "Yes" }];
    expect(given(asking({ options }).respond({ selected_option_id: "y" }))).toBe(null);
  });
});

test("/text without a text is told how it is used", () => {
  expect(story().prompt().model("", ask()).reply("/text").last).toEqual({
    events: [],
    refusal: { code: "invalid_response", detail: "usage: /text <text>" },
  });
});

describe("events of a call that is not there change nothing", () => {
  const { session } = story().prompt();
  const at = 1_000;

  test.each([
    { type: "flow.started", at, call: "gone" },
    { type: "flow.changed", at, call: "gone", answers: [], choosing: false },
    { type: "flow.ended", at, call: "gone", end: "confirmed" },
    { type: "interaction.rejected", at, interaction: "gone", reason: "x" },
  ] as const)("$type", (event) => {
    const after = evolve(session, event as SessionEvent);
    expect({ ...after, seq: session.seq }).toEqual(session);
  });
});

test("what a model thought stands with its reply, for a provider that wants it back", () => {
  const reply = { text: "a", calls: [], usage: { input: 1, output: 1, cached: 0 } };
  const reasoning = { model: "m", content: [{ thinking: "x" }] };
  const said = { role: "assistant", text: "a", calls: [] };
  expect(entries(addReply(historyOf([]), { ...reply, reasoning }))).toEqual([{ ...said, reasoning }]);
  expect(entries(addReply(historyOf([]), reply))).toStrictEqual([said]);
  expect(entries(addReply(historyOf([]), { ...reply, text: "" }))).toEqual([]);
});

test("in a flow, /text without a text tells how it is used", () => {
  const step = { key: "a", question: "Which?", options: [], allow_free_text: true };
  const play = replyToFlow(startFlow({ steps: [step] }), "/text");
  expect([play.notice, play.final, play.attempts]).toEqual(["Usage: /text <text>", "open", 0]);
});
