import { describe, expect, test } from "vitest";
import {
  type EventBody,
  entries,
  evolve,
  type InputBody,
  type JudgedCall,
  type ReceivedCall,
} from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { ask, bodies, broken, complete, person, read, running, type Story, story, terminal } from "./story.ts";

const acted = { by: person, authority: "act" } as const;

type Word = "allow" | "ask" | "deny";
function verdict(call: string, word: Word): JudgedCall {
  const judged = { call, rule: "r", reason: `${word} it`, digest: `digest of ${call}`, facts: { cwd: "/project" } };
  if (word !== "ask") return { ...judged, verdict: word };
  return { ...judged, verdict: "ask", approval: { question: `Approve ${call}?`, subject: call } };
}
const judge = (told: Story, ...verdicts: readonly (readonly [string, Word])[]) =>
  told.give({ type: "verdicts", verdicts: verdicts.map(([call, word]) => verdict(call, word)) });
const start = (told: Story, call: string) => told.give({ type: "tool-start", call, digest: `digest of ${call}` });
const status = (told: Story, id: string) =>
  told.session.exchange?.phase.type === "turn"
    ? told.session.exchange.phase.calls.find((call) => call.id === id)?.status
    : undefined;
/** What must be done now and for which calls. */
function due(told: Story): string {
  const { work } = told;
  if (work.type === "judge-calls" || work.type === "run-tools") {
    return `${work.type} ${work.calls.map(({ id }) => id).join(" ")}`;
  }
  return work.type === "rest" ? `rest ${work.waiting}` : work.type;
}

/** A turn of two commands, the first brought to a status. */
const asked = (...calls: readonly ReceivedCall[]) =>
  story()
    .prompt()
    .model("", ...(calls.length > 0 ? calls : [terminal("a"), terminal("b")]));
const cleared = () => judge(asked(), ["t1c1", "allow"]);
const started = () => start(cleared(), "t1c1");

const statuses: Readonly<Record<string, () => Story>> = {
  asked: () => asked(),
  judged: () => judge(asked(), ["t1c1", "ask"]),
  cleared: cleared,
  started: started,
  "to be killed": () => started().stop("kill"),
  finished: () => started().finish("t1c1"),
  failed: () => started().finish("t1c1", "no", { type: "error" }),
  refused: () => judge(asked(), ["t1c1", "deny"]),
  invalid: () => asked(broken(), terminal("b")),
  unknown: () => started().crash(),
  // The second call, once a stop has come while the first one runs.
  skipped: () => started().stop(),
};

function inputs(call: string): Readonly<Record<string, InputBody>> {
  return {
    allow: { type: "verdicts", verdicts: [verdict(call, "allow")] },
    ask: { type: "verdicts", verdicts: [verdict(call, "ask")] },
    deny: { type: "verdicts", verdicts: [verdict(call, "deny")] },
    start: { type: "tool-start", call, digest: `digest of ${call}` },
    "other start": { type: "tool-start", call, digest: "digest of something else" },
    result: { type: "tool-result", call, result: { type: "output", text: "late" } },
    input: { type: "input-request", call, draft: { question: "Name?", options: [], allow_free_text: true } },
    stop: { type: "stop", mode: "graceful", ...acted },
    kill: { type: "stop", mode: "kill", ...acted },
    recovery: { type: "recovery", alive: [] },
  };
}

const ends = "turn.closed exchange.ended";
const stopsNext = `stop.requested call.skipped ${ends}`;
const stopsBoth = `stop.requested call.skipped call.skipped ${ends}`;
const stopsAsking = `stop.requested interaction.resolved call.refused call.skipped ${ends}`;
const settled = { stop: stopsNext, kill: stopsNext, recovery: "nothing" };

/** What each input leads to; what is not named is refused as `unknown_call` and changes nothing. */
const life: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  asked: {
    allow: "call.judged call.cleared",
    ask: "call.judged interaction.requested",
    deny: "call.judged call.refused",
    stop: stopsBoth,
    kill: stopsBoth,
    recovery: "nothing",
  },
  judged: { stop: stopsAsking, kill: stopsAsking, recovery: "nothing" },
  cleared: {
    start: "call.started",
    "other start": "call.refused",
    stop: stopsBoth,
    kill: stopsBoth,
    recovery: "nothing",
  },
  started: {
    result: "call.finished",
    input: "interaction.requested",
    stop: "stop.requested call.skipped",
    kill: "stop.requested call.skipped",
    recovery: "call.unknown",
  },
  "to be killed": {
    result: `call.finished ${ends}`,
    stop: "nothing",
    kill: "nothing",
    recovery: `call.unknown ${ends}`,
  },
  finished: settled,
  failed: settled,
  refused: settled,
  invalid: settled,
  unknown: settled,
  skipped: { stop: "nothing", kill: "stop.requested", recovery: `call.unknown ${ends}` },
};

describe("the life of a call", () => {
  for (const [name, make] of Object.entries(statuses)) {
    const id = name === "skipped" ? "t1c2" : "t1c1";
    for (const [given, input] of Object.entries(inputs(id))) {
      const expected = life[name]?.[given] ?? "unknown_call";
      test(`${name} and ${given}: ${expected}`, () => {
        const told = make();
        const before = status(told, id);
        const { events, refusal } = told.give(input).last;
        expect(events.map(({ type }) => type).join(" ") || (refusal?.code ?? "nothing")).toBe(expected);
        expect(refusal?.code ?? "taken").toBe(expected === "unknown_call" ? expected : "taken");
        if (events.length === 0) expect(status(told, id)).toEqual(before);
      });
    }
  }

  test("each status is what its name says", () => {
    const settledHow = ["finished", "failed", "refused", "invalid", "unknown", "skipped"];
    const digest = "digest of t1c1";
    const how = Object.entries(statuses).map(([name, make]) => [
      name,
      status(make(), name === "skipped" ? "t1c2" : "t1c1"),
    ]);
    expect(Object.fromEntries(how)).toEqual({
      asked: { type: "asked" },
      judged: { type: "judged", digest, grant: null, granted: null },
      cleared: { type: "cleared", digest },
      started: { type: "started", kill: null },
      "to be killed": { type: "started", kill: "stopped" },
      ...Object.fromEntries(settledHow.map((how) => [how, { type: "settled", how }])),
    });
  });

  test("an allowed call goes from verdict to result, and each event says all it must", () => {
    const told = started().finish("t1c1", "made", { exit: 0 });
    expect(bodies(told.events.slice(-4))).toEqual([
      { type: "call.judged", ...verdict("t1c1", "allow") },
      { type: "call.cleared", call: "t1c1" },
      { type: "call.started", call: "t1c1", digest: "digest of t1c1" },
      { type: "call.finished", call: "t1c1", result: { type: "output", text: "made", exit: 0 } },
    ]);
  });

  test("an approval is for one digest: what differs at the start is refused, and the model is told", () => {
    const told = judge(asked(), ["t1c1", "ask"]).reply("yes");
    told.give({ type: "tool-start", call: "t1c1", digest: "digest of something else" });
    const reason = "what would run is not what was judged";
    expect(bodies(told.last.events)).toEqual([{ type: "call.refused", call: "t1c1", why: "changed", reason }]);
    expect(results(told)).toEqual([["t1c1", `not approved: ${reason}`, true]]);
    expect(start(told, "t1c1").last.refusal?.code).toBe("unknown_call");
  });

  test("a person's no, their reason or their silence refuse the call, and the model reads which", () => {
    const ways: readonly (readonly [string, (told: Story) => Story])[] = [
      ["the person said no", (told) => told.reply("no")],
      ["use trash instead", (told) => told.reply("use trash instead")],
      ["nobody-to-answer", (told) => told.nobody("deny")],
    ];
    for (const [reason, go] of ways) {
      const told = go(judge(asked(), ["t1c1", "ask"]));
      expect(results(told)).toEqual([["t1c1", `not approved: ${reason}`, true]]);
      expect(due(told)).toBe("judge-calls t1c2");
    }
  });

  test("after a crash the outcome is unknown, told once, and the call is never started again", () => {
    const told = started().crash();
    expect(bodies(told.last.events)).toEqual([{ type: "call.unknown", call: "t1c1" }]);
    const text = "outcome unknown: the process that ran this call died; it is not run again";
    expect(results(told)).toEqual([["t1c1", text, true]]);
    expect(told.crash().last.events).toEqual([]);
    expect(told.finish("t1c1", "late").last).toEqual({
      events: [],
      refusal: { code: "unknown_call", detail: "call t1c1 is not running" },
    });
    expect(results(told)).toHaveLength(1);
  });

  test("a verdict, a start or a result for a call that is not there changes nothing", () => {
    for (const id of ["t9c9", "original-1", ""]) {
      for (const input of Object.values(inputs(id)).slice(0, 7)) {
        expect(started().give(input).last).toMatchObject({ events: [], refusal: { code: "unknown_call" } });
      }
    }
  });

  test("the second of two equal verdicts is refused, the first one stands", () => {
    const told = judge(asked(), ["t1c1", "deny"], ["t1c1", "allow"]);
    expect(told.lastTypes).toEqual(["call.judged", "call.refused"]);
    expect(told.last.refusal).toEqual({
      code: "unknown_call",
      detail: "call t1c1 is not the next that waits for a verdict",
    });
  });
});

describe("an event that does not fit", () => {
  const events = (call: string): readonly EventBody[] => [
    { type: "call.cleared", call },
    { type: "call.started", call, digest: "d" },
    { type: "call.refused", call, why: "policy", reason: "r" },
    { type: "call.skipped", call, why: "ending", reason: "r" },
    { type: "call.invalid", call, reason: "r" },
    { type: "call.unknown", call },
    { type: "call.finished", call, result: { type: "output", text: "late", files: ["f"] } },
  ];
  const unchanged = ({ session }: Story, body: EventBody) =>
    expect(evolve(session, { ...body, at: 9_000 })).toEqual({ ...session, seq: session.seq + 1 });

  test("changes nothing but the count: a call that is not there, a turn that is not open", () => {
    for (const told of [started(), story().prompt(), story()]) for (const body of events("t7c7")) unchanged(told, body);
  });

  test("changes nothing but the count: a second settlement", () => {
    for (const body of events("t1c1").slice(2, -1)) unchanged(started().finish("t1c1"), body);
  });
});

describe("the calls of one response", () => {
  verifies("SEL-4a", "they are judged and settled one at a time, in order", () => {
    const told = asked(terminal("a"), broken(), terminal("b"), ask(), read("c"));
    const seen = [due(told)];
    const then = (next: Story) => seen.push(due(next));
    then(judge(told, ["t1c1", "allow"]));
    then(start(told, "t1c1"));
    expect(judge(told, ["t1c3", "allow"]).last).toMatchObject({ events: [], refusal: { code: "unknown_call" } });
    then(told.finish("t1c1"));
    then(judge(told, ["t1c3", "deny"]));
    expect(judge(told, ["t1c5", "allow"]).last.refusal?.code).toBe("unknown_call");
    then(told.reply("1"));
    expect(seen).toEqual([
      ...["judge-calls t1c1", "run-tools t1c1", "rest tools", "judge-calls t1c3", "ask-person", "judge-calls t1c5"],
    ]);
    expect(results(told).map(([id]) => id)).toEqual(["t1c1", "t1c2", "t1c3", "t1c4"]);
  });

  verifies("SEL-4a", "the next one is judged in the state that the last one left", () => {
    const told = asked(terminal("cd sub"), terminal("rm -rf *")).give({ type: "terminal", state: "opened", cwd: "/" });
    start(judge(told, ["t1c1", "allow"]), "t1c1");
    expect(due(told)).toBe("rest tools");
    told.finish("t1c1", "", { cwd: "/sub", files: ["a"] });
    expect(due(told)).toBe("judge-calls t1c2");
    expect(told.session).toMatchObject({ terminal: { state: "open", cwd: "/sub" }, files: { paths: ["a"] } });
  });

  /** Neighbours and what is handed out first: P is parallel-safe, T is not, X is invalid. */
  const groups: readonly (readonly [string, string])[] = [
    ["P", "t1c1"],
    ["PPP", "t1c1 t1c2 t1c3"],
    ["PPTP", "t1c1 t1c2"],
    ["TPP", "t1c1"],
    ["PTP", "t1c1"],
    ["PXP", "t1c1"],
    ["XPP", "t1c2 t1c3"],
    ["TT", "t1c1"],
  ];
  for (const [kinds, together] of groups) {
    verifies("SEL-4b", `allowed neighbours that are parallel-safe are handed out together: ${kinds}`, () => {
      const told = asked(...[...kinds].map((kind) => (kind === "P" ? read() : kind === "T" ? terminal() : broken())));
      expect(due(told)).toBe(`judge-calls ${together}`);
      const ids = together.split(" ");
      expect(due(judge(told, ...ids.map((id) => [id, "allow"] as const)))).toBe(`run-tools ${together}`);
      for (const id of ids) start(told, id);
      expect(due(told)).toBe("rest tools");
    });
  }

  for (const word of ["ask", "deny"] as const) {
    verifies(
      ["SEL-4a", "SEL-4b"],
      `a neighbour with ${word} waits for those before it and holds back those after it`,
      () => {
        const told = asked(read("a"), read("b"), read("c"));
        judge(told, ["t1c1", "allow"], ["t1c2", word], ["t1c3", "allow"]);
        expect(told.lastTypes).toEqual(["call.judged", "call.cleared"]);
        expect(due(told)).toBe("run-tools t1c1");
        expect(due(start(told, "t1c1"))).toBe("rest tools");
        expect(due(told.finish("t1c1"))).toBe("judge-calls t1c2 t1c3");
        judge(told, ["t1c2", word], ["t1c3", "allow"]);
        expect(due(told)).toBe(word === "ask" ? "ask-person" : "run-tools t1c3");
        expect(results(told).map(([id]) => id)).toEqual(word === "ask" ? ["t1c1"] : ["t1c1", "t1c2"]);
      },
    );
  }

  verifies("SEL-4b", "an approval that is waited for, and its call, hold back the neighbours judged with it", () => {
    const told = judge(asked(read("a"), read("b")), ["t1c1", "ask"], ["t1c2", "allow"]);
    expect(told.lastTypes).toEqual(["call.judged", "interaction.requested"]);
    expect([told.last.refusal, due(told)]).toEqual([null, "ask-person"]);
    expect([due(told.reply("yes")), due(start(told, "t1c1"))]).toEqual(["run-tools t1c1", "rest tools"]);
    expect(due(told.finish("t1c1"))).toBe("judge-calls t1c2");
  });

  test("the result of a command withdraws what it asked, its unknown outcome too", () => {
    const asking = () => started().give(inputs("t1c1")["input"] ?? { type: "clock" });
    const withdrawn = { type: "interaction.resolved", interaction: "s-1", state: "withdrawn", reason: "call-ended" };
    expect(bodies(asking().finish("t1c1").last.events)).toEqual([
      withdrawn,
      { type: "call.finished", call: "t1c1", result: { type: "output", text: "ok" } },
    ]);
    expect(bodies(asking().crash().last.events)).toEqual([withdrawn, { type: "call.unknown", call: "t1c1" }]);
  });

  test("what a kill is for is handed out until its result is there", () => {
    const told = started().stop("kill");
    expect(told.work).toMatchObject({ type: "kill-tools", calls: [{ call: { id: "t1c1" }, reason: "stopped" }] });
    expect(due(started().stop())).toBe("rest tools");
    expect(due(told.finish("t1c1", "killed", { type: "error" }))).toBe("rest prompt");
  });

  test("results of calls that run together are kept as they come", () => {
    const told = judge(asked(read("a"), read("b")), ["t1c1", "allow"], ["t1c2", "allow"]);
    start(start(told, "t1c1"), "t1c2").finish("t1c2", "second").finish("t1c1", "first");
    expect(results(told)).toEqual([
      ["t1c2", "second", false],
      ["t1c1", "first", false],
    ]);
    expect(told.lastTypes).toEqual(["call.finished", "turn.closed"]);
  });
});

describe("choosing", () => {
  const odd = [
    "rm -rf / and tell me a joke",
    "ls",
    "terminal",
    "agentic: do it",
    "/nothing",
    "!ls",
    "1",
    "yes",
    "cancel",
  ];
  for (const prompt of odd) {
    verifies(
      ["SEL-4c", "SEL-4d"],
      `${JSON.stringify(prompt)} goes to the model as it is, with all tools, and nowhere else`,
      () => {
        const told = story().prompt(prompt);
        expect(bodies(told.last.events)).toEqual([{ type: "exchange.started", exchange: 1, prompt, by: person }]);
        const request = { messages: [], closing: prompt, tools: "offered", regeneration: 0 };
        expect(told.work).toEqual({ type: "call-model", number: 1, request });
      },
    );
  }

  verifies("SEL-4c", "what fits no tool is answered in the model's words, beside the calls it makes", () => {
    const told = story().prompt("list the files and sing").model("La la la.", terminal("ls"));
    expect(due(told)).toBe("judge-calls t1c1");
    told.judge().start().finish("t1c1", "a b");
    expect(told.types.filter((type) => type === "call.started")).toHaveLength(1);
    expect(entries(told.session.history)[1]).toMatchObject({ role: "assistant", text: "La la la." });
    expect(told.model("Done.").find("exchange.ended")).toMatchObject({ text: "Done.", outcome: "answered" });
  });

  verifies("SEL-4d", "a call that the policy denies never starts, the model reads why, the others go on", () => {
    const told = judge(running().model("", terminal("rm -rf /"), terminal("ls")), ["t2c1", "deny"]);
    expect(bodies(told.last.events).slice(1)).toEqual([
      { type: "call.refused", call: "t2c1", why: "policy", reason: "deny it" },
    ]);
    expect(start(told, "t2c1").last.refusal?.code).toBe("unknown_call");
    start(judge(told, ["t2c2", "allow"]), "t2c2").finish("t2c2", "a b");
    expect(told.work.type === "call-model" ? told.work.request.messages.slice(-2) : []).toMatchObject([
      { role: "tool", call: "t2c1", text: "not approved: deny it", failed: true },
      { role: "tool", call: "t2c2", text: "a b", failed: false },
    ]);
    expect(told.model("", complete()).find("exchange.ended").outcome).toBe("completed");
  });
});

/** The results in the history, in order. */
function results(told: Story): readonly (readonly [string, string, boolean])[] {
  return entries(told.session.history).flatMap((message) =>
    message.role === "tool" ? [[message.call, message.text, message.failed] as const] : [],
  );
}
