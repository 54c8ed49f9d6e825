import { describe, expect, test } from "vitest";
import { type EnteredCall, entries, type InputBody } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { agentic, ask, bodies, complete, person, type Story, story, terminal } from "./story.ts";

const acted = { by: person, authority: "act" } as const;
const made: EnteredCall = {
  tool: "terminal",
  arguments: "make",
  asks: { type: "tool", parallel: false, command: "make" },
};

const enter = (told: Story, change: Partial<Extract<InputBody, { type: "command" }>> = {}) =>
  told.give({ type: "command", text: "!make", ...made, ...acted, ...change });
const history = (told: Story) => entries(told.session.history);
const user = (text: string) => ({ role: "user", text }) as const;

describe("a person's own command", () => {
  verifies(
    ["SEL-5a", "SEL-5c"],
    "is an exchange of its own: entered, judged, started and finished, and no model is asked",
    () => {
      const told = enter(story()).judge().start().finish("e1", "built", { exit: 0 });
      expect(bodies(told.events.slice(1))).toEqual([
        { type: "exchange.started", exchange: 1, prompt: "!make", by: person },
        { type: "command.entered", exchange: 1, call: "e1", ...made },
        {
          ...{ type: "call.judged", call: "e1", verdict: "allow", rule: "test", reason: "allow by the test" },
          ...{ digest: "digest of make", facts: null },
        },
        { type: "call.cleared", call: "e1" },
        { type: "call.started", call: "e1", digest: "digest of make" },
        { type: "call.finished", call: "e1", result: { type: "output", text: "built", exit: 0 } },
        { type: "exchange.ended", exchange: 1, text: "built", outcome: "answered" },
      ]);
      expect(told.work).toEqual({ type: "rest", waiting: "prompt" });
    },
  );

  verifies("SEL-5a", "is asked about where the policy says so, and does not run after a no", () => {
    const told = enter(story()).judge("ask");
    expect(told.work.type).toBe("ask-person");
    told.reply("no");
    expect(told.find("call.refused")).toMatchObject({ call: "e1", why: "person" });
    expect(told.find("exchange.ended")).toMatchObject({ outcome: "cancelled" });
    expect(enter(story()).judge("ask").reply("yes").work.type).toBe("run-tools");
  });

  verifies("SEL-5b", "is in the history with its result, as something that the person did", () => {
    const told = enter(story()).judge().start().finish("e1", "built", { exit: 2 }).prompt("what failed?");
    const before = [user("!make"), user("[assent: the person ran this, not you; its result:\nbuilt\n[exit 2]]")];
    expect(history(told)).toEqual([...before, user("what failed?")]);
    expect(told.work).toMatchObject({
      type: "call-model",
      request: { messages: before, closing: "what failed?", tools: "offered" },
    });
  });

  test("is no turn, and needs nobody's word at the turn limit", () => {
    const told = story({ turns: 1 }).prompt().model("done");
    expect(told.session.turns).toBe(1);
    enter(told);
    expect(told.work.type).toBe("judge-calls");
    told.judge().start().finish("e2");
    expect(told.session.turns).toBe(1);
    expect(told.find("exchange.ended")).toMatchObject({ exchange: 2, outcome: "answered" });
  });

  test("that exits with an error has ended well, one that failed has not", () => {
    expect(enter(story()).judge().start().finish("e1", "", { exit: 1 }).session.lastEnding).toEqual({
      outcome: "answered",
    });
    expect(enter(story()).judge().start().finish("e1", "timed out", { type: "error" }).session.lastEnding).toEqual({
      outcome: "cancelled",
    });
  });

  test.each([
    ["arguments that cannot be read", { asks: { type: "invalid", reason: "no command" } }, "no command"],
    ["a tool of the model's own", { tool: "ask", asks: ask().asks }, "ask is not for people to call"],
    ["a blank text", { text: " " }, "a command has at least one visible character"],
  ] as const)("with %s is refused, and nothing begins", (_, change, detail) => {
    const told = enter(story(), change);
    expect(told.last).toEqual({ events: [], refusal: { code: "invalid_command", detail } });
  });

  test("finishes when a stop comes while it runs, and is skipped when it has not begun", () => {
    const told = enter(story()).judge().start().stop();
    expect(told.work).toEqual({ type: "rest", waiting: "tools" });
    expect(told.finish("e1", "built").find("exchange.ended")).toMatchObject({ outcome: "stopped", text: "built" });
    const early = enter(story()).judge("ask").stop();
    expect(early.find("call.refused")).toMatchObject({ call: "e1", why: "stopped" });
    expect(early.find("exchange.ended")).toMatchObject({ outcome: "stopped" });
  });

  test("is killed when that is asked for", () => {
    const told = enter(story()).judge().start().stop("kill");
    expect(told.work).toMatchObject({ type: "kill-tools", calls: [{ call: { id: "e1" }, reason: "stopped" }] });
  });

  test("whose process died has an unknown outcome, and its exchange ends", () => {
    const told = enter(story()).judge().start().crash();
    expect(bodies(told.last.events)).toEqual([
      { type: "call.unknown", call: "e1" },
      { type: "exchange.ended", exchange: 1, text: "", outcome: "cancelled" },
    ]);
    expect(history(told).at(-2)?.text).toMatch(/^\[assent: the person ran this, not you; its result:\noutcome unknown/);
  });

  test("can ask for input while it runs", () => {
    const draft = { question: "Password?", options: [], allow_free_text: true };
    const told = enter(story()).judge().start().give({ type: "input-request", call: "e1", draft });
    expect(told.reply("hunter").find("interaction.resolved")).toMatchObject({ state: "answered" });
    expect(told.finish("e1").session.lastEnding).toEqual({ outcome: "answered" });
  });
});

describe("a command that is entered while an exchange is open", () => {
  const busy = () => story().prompt("work").model("", terminal("ls"));

  test("waits, and begins after what waited before it", () => {
    const told = busy().give({ type: "prompt", text: "then this", delivery: "next", entry: "typed", ...acted });
    enter(told);
    expect(bodies(told.last.events)).toEqual([
      { type: "prompt.queued", waiting: "w2", text: "!make", by: person, command: made },
    ]);
    told.give({ type: "prompt", text: "!not a command", delivery: "next", entry: "typed", ...acted });
    told.runTools().model("done");
    expect(told.session.exchange).toMatchObject({ prompt: "then this", entered: false });
    expect(told.session.waiting.map(({ type, text }) => [type, text])).toEqual([
      ["command", "!make"],
      ["prompt", "!not a command"],
    ]);
    told.model("done, too");
    expect(told.session.exchange).toMatchObject({ ordinal: 3, prompt: "!make", entered: true });
    told.judge().start().finish("e3");
    expect(told.session.exchange).toMatchObject({ ordinal: 4, prompt: "!not a command", entered: false });
  });

  test("can be taken back", () => {
    const told = enter(busy()).give({ type: "withdrawal", waiting: "w1", ...acted });
    expect(told.lastTypes).toEqual(["prompt.withdrawn"]);
    expect(told.session.waiting).toEqual([]);
  });

  test("stays waiting after an end that was not well, and runs when a person sends it", () => {
    const told = enter(story().prompt("work")).modelFails();
    expect(told.session.waiting).toEqual([
      { id: "w1", type: "command", text: "!make", by: person, sent: null, held: true, command: made },
    ]);
    told.give({ type: "release", waiting: "w1", ...acted });
    expect(bodies(told.last.events)).toEqual([
      { type: "exchange.started", exchange: 2, prompt: "!make", by: person, waiting: "w1" },
      { type: "command.entered", exchange: 2, call: "e2", ...made },
    ]);
    // What the model failed at can still be gone on with.
    expect(told.judge().start().finish("e2").session.failed).toMatchObject({ exchange: 1, prompt: "work" });
  });
});

describe("a command of the shell", () => {
  verifies("SEL-5c", "is recorded as it was typed, and changes nothing else", () => {
    const told = story().prompt("work");
    const before = told.session;
    told.give({ type: "entry", command: "/status", ...acted });
    expect(bodies(told.last.events)).toEqual([{ type: "command.entered", command: "/status", by: person }]);
    expect(told.session).toEqual({ ...before, seq: before.seq + 1 });
  });

  test("is recorded in an aborted session, too", () => {
    const told = story({ turns: 1 }).prompt().model("").prompt("more").reply("no");
    expect(told.session.status).toBe("aborted");
    expect(told.give({ type: "entry", command: "/fork", ...acted }).lastTypes).toEqual(["command.entered"]);
  });
});

describe("a summary that a person wants", () => {
  const said = () => story().prompt("first").model("hello");
  const compact = (told: Story) => told.give({ type: "compaction", ...acted });

  test("is made of the whole history, which it then stands for", () => {
    const told = said();
    const before = history(told);
    compact(told);
    expect(bodies(told.last.events)).toEqual([
      { type: "exchange.started", exchange: 2, prompt: "/compact", by: person, compacts: true },
    ]);
    expect(told.work).toMatchObject({ type: "compact-history", request: { messages: before, tools: "none" } });
    told.summarise("greetings");
    expect(told.lastTypes).toEqual(["history.compacted", "exchange.ended"]);
    expect(told.find("exchange.ended")).toMatchObject({ exchange: 2, text: "", outcome: "answered" });
    expect(history(told)).toEqual([user("[assent: summary of the session so far\ngreetings]")]);
    expect(told.session).toMatchObject({ measured: null, turns: 1 });
  });

  test.each([
    ["fails", (told: Story) => told.modelFails(), { outcome: "failed", reason: "model" }],
    ["is blank", (told: Story) => told.summarise(" "), { outcome: "failed", reason: "model" }],
    ["is stopped", (told: Story) => told.stop().abandon(), { outcome: "stopped" }],
    ["does not fit", (told: Story) => told.overflow(), { outcome: "failed", reason: "overflow" }],
  ] as const)("that %s leaves the history as it was, and what the model failed at before", (_, end, ending) => {
    const told = said().prompt("second").modelFails();
    const { failed } = told.session;
    const before = history(told);
    end(compact(told));
    expect(told.session.lastEnding).toMatchObject(ending);
    expect(history(told)).toEqual(before);
    expect(told.session.failed).toEqual(failed);
  });

  test("that does not fit is asked for once more with shorter results", () => {
    const told = story()
      .prompt("first")
      .model("", terminal("ls"))
      .runTools("y".repeat(9_000))
      .model("", terminal("pwd"), terminal("id"))
      .runTools()
      .model("hello");
    compact(told).overflow();
    expect(told.lastTypes).toEqual(["model.failed", "history.compacted"]);
    expect(told.work.type).toBe("compact-history");
    expect(told.summarise("short").session.lastEnding).toEqual({ outcome: "answered" });
  });

  test("keeps what a failed exchange was about, which can still be gone on with", () => {
    const told = compact(said().prompt("second").modelFails()).summarise("greetings");
    expect(history(told)).toEqual([user("[assent: summary of the session so far\ngreetings]"), user("second")]);
    told.give({ type: "resumption", ...acted });
    expect(told.session.exchange).toMatchObject({ prompt: "second" });
  });

  test("waits for no open exchange, and wants something to sum up", () => {
    expect(compact(story()).last).toMatchObject({ events: [], refusal: { code: "nothing_to_compact" } });
    expect(compact(story().prompt()).last).toMatchObject({ events: [], refusal: { code: "exchange_open" } });
  });

  test("is asked for again after a crash", () => {
    const told = compact(said()).crash();
    expect(told.work.type).toBe("compact-history");
  });

  test("what is typed meanwhile is the next prompt", () => {
    const told = compact(said()).prompt("go on").summarise("greetings");
    expect(told.session.exchange).toMatchObject({ ordinal: 3, prompt: "go on", compacts: false });
  });
});

describe("a process in the background", () => {
  const serving = () =>
    story().give({ type: "process", state: "started", process: "p7", pid: 7, since: 1, command: "serve" });
  const keep = (told: Story, process: string) => told.give({ type: "keeping", process, ...acted });

  test.each(["p7", "7"])("is kept by its name or its pid: %s", (name) => {
    const told = keep(serving(), name);
    expect(bodies(told.last.events)).toEqual([{ type: "process.kept", process: "p7", by: person }]);
    expect(told.session.processes).toEqual([{ process: "p7", pid: 7, since: 1, command: "serve", kept: true }]);
    expect(keep(told, name).last).toEqual({ events: [], refusal: null });
  });

  test("that is not there cannot be kept", () => {
    expect(keep(serving(), "8").last).toMatchObject({ events: [], refusal: { code: "unknown_process" } });
  });

  test("that is kept is not to be ended with an aborted session; the others are", () => {
    const told = keep(serving(), "p7");
    told.give({ type: "process", state: "started", process: "p8", pid: 8, since: 1, command: "watch" });
    told.limit(1).prompt().model("").prompt("more").reply("no");
    expect(told.session.status).toBe("aborted");
    expect(told.work).toEqual({ type: "end-processes" });
    told.give({ type: "recovery", alive: ["p7"] });
    expect(told.work).toEqual({ type: "rest", waiting: "nothing" });
    expect(told.session.processes.map(({ process }) => process)).toEqual(["p7"]);
  });
});

describe("a command that a call asks the shell to enter", () => {
  const launched = (command: string) => ({ type: "output", text: "launched", launch: command }) as const;

  test("waits in order until the shell has entered it", () => {
    const told = story().prompt("set it up").model("", terminal("a"), terminal("b"));
    told
      .judge()
      .start()
      .give({ type: "tool-result", call: "t1c1", result: launched("/mcp connect one") });
    told
      .judge()
      .start()
      .give({ type: "tool-result", call: "t1c2", result: launched("/mcp connect two") });
    expect(told.session.launches).toEqual([
      { call: "t1c1", command: "/mcp connect one" },
      { call: "t1c2", command: "/mcp connect two" },
    ]);
    told.give({ type: "launch", call: "t1c1", ...acted });
    expect(bodies(told.last.events)).toEqual([{ type: "command.launched", call: "t1c1", by: person }]);
    expect(told.session.launches).toEqual([{ call: "t1c2", command: "/mcp connect two" }]);
    expect(told.give({ type: "launch", call: "t1c1", ...acted }).last).toMatchObject({
      events: [],
      refusal: { code: "unknown_call" },
    });
  });
});

test("a person's command and a run of the model do not know of each other", () => {
  const told = story().prompt().model("", agentic());
  enter(told).model("", complete());
  expect(told.find("run.ended")).toMatchObject({ outcome: "completed" });
  expect(told.session.exchange).toMatchObject({ entered: true, run: null });
});
