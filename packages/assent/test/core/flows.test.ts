import { describe, expect, test } from "vitest";
import { entries, type Flow, type FlowStep, fold, renderBlock, secretsOf } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { person, type Story, story, terminal } from "./story.ts";

const acted = { by: person, authority: "act" } as const;

function step(key: string, labels: readonly string[], more: Partial<FlowStep> = {}): FlowStep {
  const options = labels.map((label, index) => ({ id: String(index + 1), label }));
  return { key, question: `Which ${key}?`, options, allow_free_text: true, ...more };
}

const deploy: Flow = { steps: [step("env", ["Staging", "Production"]), step("region", ["EU", "US", "AP"])] };

/** A flow that the model asked for, in the middle of an exchange. */
function byModel(flow: Flow = deploy): Story {
  const call = { id: "o1", tool: "flow", arguments: "{}", asks: { type: "flow", flow } } as const;
  return story().prompt("deploy").model("", call);
}

/** A flow that a person began: no model is there. */
function byPerson(flow: Flow = deploy): Story {
  return story().give({ type: "flow", flow, name: "flow deploy", arguments: "{}", ...acted });
}

function question({ session }: Story): string {
  const request = session.interactions[0]?.request;
  return request === undefined ? "none" : renderBlock(request);
}

function lastMessages({ session }: Story, count: number) {
  return entries(session.history).slice(-count);
}

const summary = (env: string, region: string) =>
  `Summary:\n- env: ${env}\n- region: ${region}\n\n1) Confirm\n2) Restart\n3) Edit specific step`;

describe("a flow", () => {
  verifies(["FLOW-1a", "FLOW-3a"], "asks one step at a time, in order, then for a confirmation with a summary", () => {
    const told = byModel();
    expect(question(told)).toBe("Which env?\n\n1) Staging\n2) Production");
    expect(question(told.reply("3"))).toBe("Which env?\n\n1) Staging\n2) Production");
    expect(question(told.reply("2"))).toBe("Which region?\n\n1) EU\n2) US\n3) AP");
    expect(question(told.reply("somewhere cold"))).toBe(summary("Production", "somewhere cold"));
    told.reply("1");
    expect(lastMessages(told, 1)).toEqual([
      {
        role: "tool",
        call: "t1c1",
        original: "o1",
        text: '{"env":"Production","region":"somewhere cold"}',
        failed: false,
      },
    ]);
    expect(told.work.type).toBe("call-model");
    expect(told.find("flow.ended")).toMatchObject({ call: "t1c1", end: "confirmed" });
  });

  verifies("FLOW-6b", "of one step is done when that is answered", () => {
    const told = byModel({ steps: [step("env", ["Staging"])] }).reply("1");
    expect(question(told)).toBe("none");
    expect(lastMessages(told, 1)).toMatchObject([{ text: '{"env":"Staging"}', failed: false }]);
  });

  verifies("FLOW-3b", "begins again at a restart, with no answer left", () => {
    const told = byModel().reply("2").reply("1").reply("2");
    expect(question(told)).toBe("Which env?\n\n1) Staging\n2) Production");
    expect(told.session.flow?.state).toEqual({ answers: [], choosing: false });
    expect(question(told.reply("1").reply("3"))).toBe(summary("Staging", "AP"));
  });

  verifies("FLOW-3b", "asks which step to change, asks that one again and returns to the confirmation", () => {
    const told = byModel().reply("2").reply("1").reply("3");
    expect(question(told)).toBe("Which step should change?\n\n1) env\n2) region");
    expect(question(told.reply("2"))).toBe("Which region?\n\n1) EU\n2) US\n3) AP");
    expect(question(told.reply("3"))).toBe(summary("Production", "AP"));
  });

  verifies("FLOW-3c", "is cancelled by confirmed:false on the wire, and by a typed no", () => {
    for (const say of [(told: Story) => told.respond({ confirmed: false }), (told: Story) => told.reply("no")]) {
      const told = say(byModel().reply("2").reply("1"));
      expect(told.find("interaction.resolved")).toMatchObject({ state: "cancelled", response: { confirmed: false } });
      expect(told.find("flow.ended")).toMatchObject({ end: "cancelled" });
      expect(told.find("exchange.ended")).toMatchObject({ outcome: "cancelled" });
    }
  });

  verifies(
    "FLOW-2",
    "is the same after a restart at any point: its state is in the journal, none in continuation_id",
    () => {
      const told = byModel();
      for (const line of ["option 2", "2", "region=9 env=1", "3", "3", "2", "1", "yes"]) {
        told.reply(line);
        const again = fold(told.events);
        expect(again).toEqual(told.session);
        expect(told.session.interactions[0]?.request.continuation_id ?? "s-t1c1").toBe("s-t1c1");
      }
      expect(told.find("flow.ended").end).toBe("confirmed");
    },
  );

  verifies("FLOW-6c", "asks each time anew, with no attempt spent", () => {
    const told = byModel().reply("9").reply("9").reply("9");
    expect(told.last.refusal).toMatchObject({ attempt: 3 });
    told.reply("1").reply("2").reply("3").reply("1");
    expect(told.session.interactions[0]).toMatchObject({ attempts: 0, purpose: { place: "env" } });
    const ids = told.events.flatMap((event) =>
      event.type === "interaction.requested" ? [event.request.interaction_id] : [],
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  verifies("FLOW-4", "takes several answers in one line, also over earlier ones and at the confirmation", () => {
    const told = byModel().reply("env=2 region=9");
    expect(question(told)).toBe("Which region?\n\n1) EU\n2) US\n3) AP");
    expect(question(told.reply("region=1"))).toBe(summary("Production", "EU"));
    expect(question(told.reply("env=1 region=x"))).toBe(summary("Staging", "EU"));
    expect(told.find("interaction.resolved")).toMatchObject({
      state: "answered",
      response: { cancelled: false, metadata: { compact: { applied: ["env"], rejected: ["region"] } } },
    });
    expect(told.reply("env=9 nope=1").last.refusal).toMatchObject({ code: "invalid_response", attempt: 1 });
  });

  test.each([
    ["no step", []],
    ["eight steps", Array.from({ length: 8 }, (_, index) => step(`k${index}`, ["A"]))],
    ["two steps of one key", [step("a", ["A"]), step("a", ["B"])]],
    ["a key with a space", [step("a b", ["A"])]],
    ["an instruction that is too long", [step("a", ["A"], { question: "word ".repeat(16).trim() })]],
    ["an option Other", [step("a", ["A", "Other"])]],
    ["a sensitive step with options", [step("a", ["A"], { sensitive: true })]],
  ])("that has %s is refused, and nothing begins", (_, steps) => {
    const told = byPerson({ steps });
    expect(told.last).toMatchObject({ events: [], refusal: { code: "invalid_flow" } });
  });

  verifies("TXT-7a", "of a model whose texts break the contract is discarded and asked for again", () => {
    const told = byModel({ steps: [step("a", ["One", "Something else"])] });
    expect(told.lastTypes).toEqual(["reply.discarded"]);
    expect(told.find("reply.discarded").violations).toEqual(["option-other"]);
  });
});

describe("a flow that a person began", () => {
  verifies("FLOW-5b", "is an exchange of its own, with no model and no turn, and its answers are the result", () => {
    const told = byPerson().reply("env=2 region=2").reply("1");
    expect(told.types.slice(1)).toEqual([
      ...["exchange.started", "command.entered", "flow.started", "interaction.requested"],
      ...["interaction.resolved", "flow.changed", "interaction.requested"],
      ...["interaction.resolved", "flow.changed", "flow.ended", "call.finished", "exchange.ended"],
    ]);
    expect(told.find("exchange.ended")).toMatchObject({
      outcome: "answered",
      text: '{"env":"Production","region":"US"}',
    });
    expect(told.session.turns).toBe(0);
    expect(told.work).toEqual({ type: "rest", waiting: "prompt" });
  });

  test("is told to the model with the next prompt, as a note and not as a call it never made", () => {
    const told = byPerson().reply("env=2 region=2").reply("1").prompt("go on");
    expect(lastMessages(told, 3)).toEqual([
      { role: "user", text: "flow deploy" },
      { role: "user", text: '[assent: {"env":"Production","region":"US"}]' },
      { role: "user", text: "go on" },
    ]);
  });

  test("does not begin while an exchange is open", () => {
    const told = story()
      .prompt("work")
      .give({ type: "flow", flow: deploy, name: "flow", arguments: "{}", ...acted });
    expect(told.last).toMatchObject({ events: [], refusal: { code: "exchange_open" } });
  });

  test.each([
    ["a cancel", (told: Story) => told.reply("cancel"), { outcome: "cancelled" }],
    [
      "four invalid replies",
      (told: Story) => told.reply("").reply("").reply("").reply(""),
      { outcome: "cancelled", text: "" },
    ],
    ["nobody there", (told: Story) => told.nobody("deny"), { outcome: "cancelled", text: "" }],
    ["nobody there, and abort", (told: Story) => told.nobody("abort"), { outcome: "failed", reason: "nobody" }],
    ["a stop", (told: Story) => told.stop(), { outcome: "stopped" }],
  ])("ends at %s, without a model being asked", (_, end, ending) => {
    const told = end(byPerson().reply("1"));
    expect(told.find("exchange.ended")).toMatchObject(ending);
    expect(told.session.flow).toBeNull();
    expect(told.work.type).toBe("rest");
  });

  test("that came to nothing does not start what waits: that was meant to follow it", () => {
    const told = byPerson().prompt("deploy it now").reply("").reply("").reply("").reply("");
    expect(told.session.exchange).toBeNull();
    expect(told.session.waiting).toMatchObject([{ text: "deploy it now", held: true }]);
  });

  test("stays open when it is parked", () => {
    const told = byPerson().reply("1").nobody("park");
    expect(told.last.events).toEqual([]);
    expect(question(told)).toBe("Which region?\n\n1) EU\n2) US\n3) AP");
  });
});

describe("the table of what follows, at a flow of the model", () => {
  verifies("ANS-7a", "FLOW_CANCEL ends the exchange cancelled, and the model is not asked", () => {
    const told = byModel().reply("1").reply("abort");
    expect(told.lastTypes).toEqual([
      "interaction.resolved",
      "flow.ended",
      "call.skipped",
      "turn.closed",
      "exchange.ended",
    ]);
    expect(told.find("exchange.ended").outcome).toBe("cancelled");
  });

  verifies("ANS-7b", "STEP_ABORT is an error result for the model", () => {
    const told = byModel().reply("1").reply("").reply("").reply("").reply("");
    expect(told.find("flow.ended")).toMatchObject({ end: "aborted" });
    expect(lastMessages(told, 1)).toMatchObject([{ role: "tool", text: "STEP_ABORT", failed: true }]);
    expect(told.work.type).toBe("call-model");
  });

  test("an expired step is `expired` to the model", () => {
    const told = byModel({ steps: deploy.steps.map((each) => ({ ...each, timeout_ms: 100 })) })
      .reply("1")
      .wait(100);
    expect(lastMessages(told, 1)).toMatchObject([{ role: "tool", text: "expired", failed: true }]);
  });

  test("a stop withdraws the question and stops the exchange", () => {
    const told = byModel().stop();
    expect(told.find("flow.ended")).toMatchObject({ end: "stopped" });
    expect(told.find("exchange.ended").outcome).toBe("stopped");
  });
});

describe("a sensitive step", () => {
  const secret: Flow = { steps: [step("token", [], { sensitive: true }), step("env", ["Staging"])] };
  const put = (told: Story) =>
    told.give({ type: "reply", interaction: told.asked, line: "s3cret", shown: null, secret: "k1", ...acted });

  verifies(["FLOW-1b", "INT-2c"], "leaves no trace of its value in the journal, and shows as set", () => {
    const told = put(byPerson(secret)).reply("1");
    expect(question(told)).toContain("- token: set\n- env: Staging");
    expect(JSON.stringify(told.events)).not.toContain("s3cret");
    expect(told.events.find((event) => event.type === "interaction.resolved")).toMatchObject({
      response: { metadata: { set: true, secret: "s-1.k1" } },
    });
    expect(told.reply("1").find("exchange.ended").text).toBe('{"token":"set","env":"Staging"}');
  });

  test("takes any line but abort and cancel, also one that would mean something elsewhere", () => {
    for (const line of ["stop", "/text x", "token=1", "1", "yes", " padded "]) {
      const told = byPerson(secret).reply(line);
      expect(told.session.flow?.state.answers).toMatchObject([{ key: "token", answer: { type: "set" } }]);
    }
    expect(byPerson(secret).reply("cancel").find("exchange.ended").outcome).toBe("cancelled");
    expect(byPerson(secret).reply("token=1 env=1").session.flow?.state.answers).toHaveLength(1);
  });

  verifies("INT-2d", "is asked again as a new question when its value is lost", () => {
    const told = put(byPerson(secret)).reply("1");
    const before = told.asked;
    told.give({ type: "recovery", alive: [], lost: ["s-1.k1"] });
    expect(question(told)).toBe("Which token?");
    expect(told.asked).not.toBe(before);
    expect(told.events.findLast((event) => event.type === "interaction.resolved")).toMatchObject({
      interaction: before,
      state: "withdrawn",
      reason: "secret-lost",
    });
    expect(question(put(told))).toContain("- token: set\n- env: Staging");
  });

  test("cannot be set by a compact line", () => {
    const told = put(byPerson(secret)).reply("token=1 env=1");
    expect(told.find("interaction.resolved")).toMatchObject({
      response: { metadata: { compact: { applied: ["env"], rejected: ["token"] } } },
    });
  });
});

test("a step of which several may be chosen results in a list, also of one", () => {
  const several = step("regions", ["EU", "US", "AP"], { multi_select: true, min_selected: 1, max_selected: 3 });
  const resultOf = (...lines: readonly string[]) => {
    const told = byModel({ steps: [several, step("env", ["Staging"])] });
    for (const line of [...lines, "1", "1"]) told.reply(line);
    return JSON.parse(lastMessages(told, 1)[0]?.text ?? "");
  };
  expect(resultOf("3,1")).toEqual({ regions: ["EU", "AP"], env: "Staging" });
  expect(resultOf("2")).toEqual({ regions: ["US"], env: "Staging" });
  expect(resultOf("somewhere cold")).toEqual({ regions: "somewhere cold", env: "Staging" });
});

test("a flow beside other calls of a reply runs in its turn", () => {
  const flow = { id: "o1", tool: "flow", arguments: "{}", asks: { type: "flow", flow: deploy } } as const;
  const told = story().prompt().model("", terminal("ls"), flow, terminal("pwd"));
  told.judge().start().finish("t1c1");
  expect(question(told)).toBe("Which env?\n\n1) Staging\n2) Production");
  told.reply("env=1 region=1").reply("1");
  expect(told.work.type).toBe("judge-calls");
});

describe("a flow that a person began for a tool", () => {
  const token = step("token", [], { sensitive: true });
  const setUp: Flow = { steps: [step("name", ["One", "Two"]), token] };
  const began = (flow: Flow = setUp) =>
    story().give({ type: "flow", flow, name: "/model setup", arguments: "{}", tool: "model_setup", ...acted });
  const answered = () => began().reply("1").reply("hunter2");

  test("is confirmed first, then judged and run as a call of that tool", () => {
    const told = answered().reply("1");
    expect(told.find("command.entered")).toEqual({
      ...{ type: "command.entered", at: 1_000, exchange: 1, call: "e1", tool: "model_setup", arguments: "{}" },
      asks: { type: "flow", flow: setUp, runs: true },
    });
    expect(told.lastTypes).toEqual(["interaction.resolved", "flow.changed", "flow.ended"]);
    expect(told.work).toMatchObject({ type: "judge-calls", calls: [{ id: "e1", tool: "model_setup" }] });
    told.judge().start().finish("e1", "model One is set up");
    expect(told.find("exchange.ended")).toMatchObject({ text: "model One is set up", outcome: "answered" });
    expect(lastMessages(told, 2)).toEqual([
      { role: "user", text: "/model setup" },
      { role: "user", text: "[assent: model One is set up]" },
    ]);
  });

  test("knows its answers, and needs its secrets, until its call is settled", () => {
    const told = answered();
    const secrets = secretsOf(told.session);
    expect(secrets).toHaveLength(1);
    told.reply("1");
    expect(told.session.flow).toBeNull();
    expect(told.session.filled).toMatchObject({
      call: "e1",
      flow: setUp,
      state: { answers: [{ key: "name" }, { key: "token", answer: { type: "set", secret: secrets[0] } }] },
    });
    told.judge().start();
    expect(secretsOf(told.session)).toEqual(secrets);
    told.finish("e1");
    expect(told.session.filled).toBeNull();
    expect(secretsOf(told.session)).toEqual([]);
  });

  test.each([
    ["a stop before it starts", (told: Story) => told.stop(), "call.skipped", { outcome: "stopped" }],
    ["a verdict against it", (told: Story) => told.judge("deny"), "call.refused", { outcome: "cancelled" }],
    [
      "the death of its process",
      (told: Story) => told.judge().start().crash(),
      "call.unknown",
      { outcome: "cancelled" },
    ],
  ] as const)("ends with %s, and nothing of its answers is needed any more", (_, end, settled, ending) => {
    const told = end(answered().reply("1"));
    expect(told.find(settled)).toMatchObject({ call: "e1" });
    expect(told.session.lastEnding).toEqual(ending);
    expect(told.session.filled).toBeNull();
    expect(secretsOf(told.session)).toEqual([]);
  });

  test("is judged and run after a crash between its confirmation and its verdict", () => {
    const told = answered().reply("1").crash();
    expect(told.work).toMatchObject({ type: "judge-calls", calls: [{ id: "e1" }] });
  });

  test("that is cancelled runs nothing", () => {
    const told = began().reply("cancel");
    expect(told.types).not.toContain("call.judged");
    expect(told.session.lastEnding).toEqual({ outcome: "cancelled" });
  });
});
