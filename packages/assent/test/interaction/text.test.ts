import { describe, expect, test } from "vitest";
import {
  countWords,
  type Flow,
  type InteractionRequest,
  ladderLine,
  lintFlow,
  lintQuestion,
  lintRequest,
  mostAttempts,
  questionRules,
  renderBlock,
  systemPrompt,
  type Violation,
} from "../../src/core/index.ts";
import { openRedacting } from "../../src/runtime/redaction.ts";
import { plainLines, saidSubject } from "../../src/show/index.ts";
import { openTools } from "../../src/tools/index.ts";
import { type Story, story, terminal } from "../core/story.ts";
import { verifies } from "../requirements/verifies.ts";

const tools = openTools({
  shell: "bash",
  folder: "/nowhere",
  hidden: [],
  pty: false,
  redacting: openRedacting(() => []),
});

function question(text: string, labels: readonly string[] = [], more: Partial<InteractionRequest> = {}) {
  const options = labels.map((label, index) => ({ id: String(index + 1), label }));
  const ways = { allow_free_text: true, allow_cancel: true } as const;
  return { interaction_id: "q1", kind: "question", question: text, options, ...ways, ...more } as const;
}

const words = (count: number) => `${"word ".repeat(count - 1)}word?`;

describe("the block", () => {
  verifies(
    "TXT-1",
    "is the instruction, a blank line and numbered options, with nothing before, after or between",
    () => {
      expect(renderBlock(question("Which one?", ["First", "Second"]))).toBe("Which one?\n\n1) First\n2) Second");
      expect(renderBlock(question("Какую ветку взять?", ["Главную"]))).toBe("Какую ветку взять?\n\n1) Главную");
      expect(renderBlock(question("What is the name?"))).toBe("What is the name?");
    },
  );

  verifies("TXT-1", "has no label before or after its instruction", () => {
    for (const text of ["Answer: which one?", "Which one? Answer:", "Choose:", "Ответ: какой?", "Single choice"]) {
      expect.soft(lintQuestion(question(text)), text).toContain("instruction-label");
    }
    expect(lintQuestion(question("Choose a database:"))).toEqual([]);
  });

  verifies("INT-2e", "stands behind its subject, in full, and behind what its options mean", () => {
    const subject = { command: ["rm -rf build", "make"], cwd: "/project" };
    const request = question("Which?", ["A"], { subject, metadata: { reason: "it deletes" } });
    const described = { ...request, options: [{ id: "1", label: "A", description: "the first\nof all" }] };
    expect(plainLines(saidSubject(described))).toBe(
      [
        "tool    command: rm -rf build",
        "tool             make",
        "tool    cwd: /project",
        "tool    asked because: it deletes",
        "tool    1) A: the first",
        "tool    of all",
        "",
      ].join("\n"),
    );
    expect(renderBlock(described)).toBe("Which?\n\n1) A");
  });
});

describe("the text contract", () => {
  verifies("TXT-2", "holds an instruction to one plain line, one sentence and 15 words", () => {
    const wrong: readonly (readonly [string, Violation])[] = [
      ["", "instruction-empty"],
      [words(16), "instruction-too-long"],
      ["It works. Shall it be merged?", "instruction-not-one-sentence"],
      ["One\ntwo?", "instruction-not-one-line"],
      ["Use `main`?", "instruction-markup"],
      ["Bell\u0007?", "instruction-hidden-characters"],
    ];
    for (const [text, violation] of wrong) expect(lintQuestion(question(text))).toContain(violation);
    expect(lintQuestion(question(words(15)))).toEqual([]);
  });

  verifies("TXT-2", "holds options to seven, distinct, of five words, and none only with free text", () => {
    const labels = (count: number) => Array.from({ length: count }, (_, index) => `Option ${index + 1}`);
    expect(lintQuestion(question("Which?", labels(7)))).toEqual([]);
    expect(lintQuestion(question("Which?", labels(8)))).toEqual(["too-many-options"]);
    expect(lintQuestion(question("Which?", ["one two three four five"]))).toEqual([]);
    expect(lintQuestion(question("Which?", ["one two three four five six"]))).toEqual(["option-too-long"]);
    expect(lintQuestion(question("Which?", ["Yes", "yes."]))).toEqual(["options-alike"]);
    expect(lintQuestion(question("Which?", [], { allow_free_text: false }))).toEqual(["no-way-to-answer"]);
  });

  verifies("TXT-9", "counts words as people write them, also without spaces", () => {
    const counted = {
      "one - two": 2,
      "e-mail us": 2,
      "": 0,
      "— …": 0,
      "3 files": 2,
      删除这个文件: 3,
      ไปที่บ้าน: 3,
      "а б": 2,
    };
    for (const [text, count] of Object.entries(counted)) expect([text, countWords(text)]).toEqual([text, count]);
  });

  verifies("TXT-9", "knows abbreviations, hidden differences, joiners and numbered labels", () => {
    expect(lintQuestion(question("Use the copy of Dr. Smith, i.e. The second?"))).toEqual([]);
    expect(lintQuestion(question("使用这个？好的", ["一"]))).toContain("instruction-not-one-sentence");
    expect(lintQuestion(question("Which?", ["Ｙｅｓ", "yes"]))).toContain("options-alike");
    expect(lintQuestion(question("Which?", ["Yes", "Ye\u00ads"]))).toContain("options-alike");
    expect(lintQuestion(question("می\u200cخواهید؟"))).toEqual([]);
    expect(lintQuestion(question(" Which?"))).toEqual(["instruction-blank-edges"]);
    expect(lintQuestion(question("Which?", ["1) Yes"]))).toEqual(["option-numbered"]);
  });

  verifies("TXT-3a", "has no place for Other, in any language of its lists", () => {
    for (const label of ["Other", "None of the above", "Something else", "Другое", "Свой вариант", "其他", "Autre"]) {
      expect([label, lintQuestion(question("Which?", ["A", label]))]).toEqual([label, ["option-other"]]);
    }
    expect(lintQuestion(question("Which?", ["Other branch", "Not now"]))).toEqual([]);
  });

  verifies("TXT-3b", "is told to the model, in what describes the tools that ask and in the system prompt", () => {
    const described = tools.filter(({ name }) => name === "ask" || name === "flow").map((tool) => tool.description);
    expect(described).toHaveLength(2);
    for (const text of [...described, systemPrompt]) expect(text).toContain(questionRules);
  });

  verifies("TXT-7a", "frees a command and a summary from counting, and from nothing else", () => {
    const command = `Approve command: ${"x ".repeat(40)}; echo 'Done. Next'? (yes/no)`;
    const approval = question(command, ["Yes", "No"], { kind: "confirmation", subject: { command: ["x"] } });
    expect(lintRequest(approval)).toEqual([]);
    expect(lintQuestion(approval)).toEqual(["instruction-too-long", "instruction-not-one-sentence"]);
    expect(lintRequest({ ...approval, question: command.replace("x", "x\u202e") })).toEqual([
      "instruction-hidden-characters",
    ]);
    const summary = question("Summary:\n- env: Production\n- note: It works. Ship it.", ["Confirm", "Restart"], {
      kind: "confirmation",
      continuation_id: "f1",
    });
    expect(lintRequest(summary)).toEqual([]);
  });
});

describe("the questions of the system", () => {
  const approval = () => story().prompt().model("", terminal("rm -rf build")).judge("ask");
  const limit = () => story({ turns: 1 }).prompt().model("", terminal()).runTools();
  const flow: Flow = {
    steps: ["a", "b"].map((key) => ({ key, ...question("Which?", ["A", "B"]), allow_free_text: true })),
  };
  const begun = () => {
    const by = { name: "ada", adapter: "test" };
    return story().give({ type: "flow", flow, name: "flow", arguments: "{}", by, authority: "act" });
  };
  const asked = ({ session }: Story) => session.interactions[0]?.request;
  const places: readonly (readonly [string, () => Story])[] = [
    ["an approval", approval],
    ["the turn limit", limit],
    ["a flow's summary", () => begun().reply("1").reply("2")],
    ["a flow's choice of a step", () => begun().reply("1").reply("2").reply("3")],
  ];

  verifies("INT-5d", "are the same bytes in any two sessions", () => {
    for (const [place, ask] of places) {
      expect(JSON.stringify([place, asked(ask())])).toBe(JSON.stringify([place, asked(ask())]));
    }
  });

  verifies("TXT-7a", "keep the contract themselves", () => {
    for (const [place, ask] of places) {
      const request = asked(ask());
      expect([place, request === undefined ? "none" : lintRequest(request)]).toEqual([place, []]);
    }
    expect(lintFlow(flow)).toEqual([]);
  });

  verifies(
    "ANS-3b",
    "take free text where it means something: a no with its reason, never at a limit or a summary",
    () => {
      const no = approval().reply("only the cache");
      expect(no.find("call.refused")).toMatchObject({ why: "person", reason: "only the cache" });
      expect(limit().reply("why not").last.refusal).toMatchObject({ code: "invalid_response", attempt: 1 });
      expect(begun().reply("1").reply("2").reply("why not").last.refusal).toMatchObject({ attempt: 1 });
      expect(begun().reply("something new").session.flow?.state.answers).toMatchObject([
        { answer: { text: "something new" } },
      ]);
    },
  );
});

describe("the ladder", () => {
  verifies(
    "ANS-4a",
    "tells what was wrong, then the format, then a hint, then that it is over; the block stays",
    () => {
      const told = story().prompt().model("", terminal("rm x")).judge("ask");
      const request = told.session.interactions[0]?.request;
      if (request === undefined) throw new Error("no question");
      const lines = Array.from({ length: mostAttempts }, (_, index) => ladderLine(request, index + 1, "it is empty"));
      expect(lines).toEqual([
        "Not an answer: it is empty.",
        "Not an answer: it is empty. Format: 1 / 2 / 1,3",
        "Type 1, 2, yes or no.",
        "STEP_ABORT",
      ]);
      const block = renderBlock(request);
      for (const attempt of [1, 2, 3]) {
        expect(told.reply("").last.refusal).toMatchObject({ attempt });
        expect(renderBlock(told.session.interactions[0]?.request ?? request)).toBe(block);
      }
      expect(told.reply("").last.refusal).toMatchObject({ attempt: 4, aborted: true });
    },
  );

  test.each<[string, Parameters<typeof ladderLine>[0], string]>([
    ["many options", question("Which?", ["A", "B", "C"]), "Type 1 to 3."],
    ["one option", question("Which?", ["A"]), "Type 1."],
    ["no option", question("What?"), "Type some text."],
  ])("hints at what can be typed: %s", (_, request, hint) => {
    expect(ladderLine(request, 3, "x")).toBe(hint);
  });

  verifies("ANS-5a", "ends in a bare code, for the model as well", () => {
    const ask = { question: "Which?", options: [], allow_free_text: true };
    const call = { id: "o", tool: "ask", arguments: "{}", asks: { type: "ask", draft: ask } } as const;
    const told = story().prompt().model("", call).reply("").reply("").reply("").reply("");
    expect(told.find("call.finished").result).toEqual({ type: "error", text: "STEP_ABORT" });
    expect(story().prompt().model("", call).reply("cancel").find("call.skipped").reason).toBe("FLOW_CANCEL");
  });
});

verifies("FLOW-5a", "a model starts a flow by a tool, whose arguments are checked and never repaired", () => {
  const flow = tools.find(({ name }) => name === "flow");
  const steps = [{ key: "env", instruction: "Which environment?", options: ["Staging"] }];
  expect(flow?.read(JSON.stringify({ steps }))).toEqual({
    type: "flow",
    flow: {
      steps: [
        { key: "env", question: "Which environment?", options: [{ id: "1", label: "Staging" }], allow_free_text: true },
      ],
    },
  });
  for (const wrong of ["{", "{}", '{"steps":[]}', '{"steps":[{"key":"a b","instruction":"A?"}]}']) {
    expect(flow?.read(wrong)).toMatchObject({ type: "invalid" });
  }
  const secret = { steps: [{ key: "a", instruction: "A?", sensitive: true }] };
  expect(flow?.read(JSON.stringify(secret))).toMatchObject({ type: "invalid" });
});

verifies("PRI-1a", "what the system itself says is no final text, and no rule for texts touches it", () => {
  const told = story().prompt().model("", terminal("rm x")).judge("deny");
  expect(told.find("call.refused").reason).toBe("deny by the test");
  expect(told.modelFails().find("exchange.ended")).toMatchObject({ outcome: "failed", detail: "the server said 500" });
  expect(told.types).not.toContain("reply.discarded");
});
