import { describe, expect, test } from "vitest";
import {
  continuationLine,
  entries,
  evolve,
  type ModelRequest,
  newSession,
  nextWork,
  type SessionEvent,
  stateBlock,
} from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { agentic, ask, broken, complete, read, running, type Story, story, terminal } from "./story.ts";

const history = (told: Story) => entries(told.session.history);
const context = (told: Story, text: string) => told.give({ type: "context", text });

function request(told: Story): ModelRequest {
  const { work } = told;
  if (work.type !== "call-model") throw new Error(`expected call-model, came ${work.type}`);
  return work.request;
}

/** A call and its result as the model reads them again. */
function shown(call: ReturnType<typeof terminal>, id: string, text: string, failed = false) {
  const { tool, arguments: given } = call;
  return [
    { role: "assistant", text: "", calls: [{ id, original: call.id, tool, arguments: given }] },
    { role: "tool", call: id, original: call.id, text, failed },
  ] as const;
}

const user = (text: string) => ({ role: "user", text }) as const;

describe("the closing part of a request", () => {
  verifies("STATE-1a", "in a run it is context, state block and continuation line, after all results", () => {
    const [opening, call] = [agentic("green"), terminal("make")];
    const told = context(story(), "cwd: /project")
      .prompt("build it")
      .model("", opening)
      .model("", call)
      .runTools("made");
    expect(request(told)).toEqual({
      messages: [user("build it"), ...shown(opening, "t1c1", "run opened"), ...shown(call, "t2c1", "made")],
      closing: [
        "cwd: /project\n\n",
        "<state>\nA run is active: iteration 2 of 25.\nPrompt: build it\nObjective: green\n",
        "Terminal: none open\nLast command: make\nIts output: made\n</state>\n\n",
        "Continue with the objective. Call complete when it is done or cannot be done.",
      ].join(""),
      tools: "offered",
      regeneration: 0,
    });
  });

  verifies("STATE-1a", "the continuation line is constant and always the last", () => {
    const told = running();
    for (const text of ["one", "two"]) {
      expect(request(told).closing).toBe(`${stateBlock(told.session)}\n\n${continuationLine}`);
      told.model(text);
    }
  });

  verifies("STATE-1b", "outside a run it is the context alone, before the prompt's own text", () => {
    const call = terminal("make");
    const told = context(story(), "cwd: /project").prompt("  build it \n");
    expect(request(told)).toEqual({
      messages: [],
      closing: "cwd: /project\n\n  build it \n",
      tools: "offered",
      regeneration: 0,
    });
    expect(request(told.model("", call).runTools("made"))).toEqual({
      messages: [user("  build it \n"), ...shown(call, "t1c1", "made")],
      closing: "cwd: /project",
      tools: "offered",
      regeneration: 0,
    });
    const earlier = history(told.model("done"));
    expect(request(told.prompt("and test it"))).toMatchObject({
      messages: earlier,
      closing: "cwd: /project\n\nand test it",
    });
  });

  test("without a context nothing stands in its place", () => {
    const told = story().prompt("hi");
    expect(request(told).closing).toBe("hi");
    expect(request(told.model("", terminal()).runTools()).closing).toBe("");
  });

  verifies("STATE-1c", "it is made anew for each request from the facts of that moment", () => {
    const told = context(story(), "morning").prompt().model("", agentic());
    const first = request(told).closing;
    context(told, "evening").give({ type: "terminal", state: "opened", cwd: "/there" });
    expect(request(told).closing).toBe(`evening\n\n${stateBlock(told.session)}\n\n${continuationLine}`);
    expect(request(told).closing).not.toBe(first);
    expect(request(told).closing).toContain("Terminal: open in /there");
  });
});

/** Finishes what runs. */
const finish = (told: Story, files: string[] = []) =>
  told.running.reduce((at, call) => at.finish(call, `done ${call}`, { files, exit: 0 }), told);

/** One turn or more each, of every kind. */
const moves: readonly ((told: Story, turn: number) => Story)[] = [
  (told) => told.model("I am thinking."),
  (told, turn) => told.model("", read(`${turn}`), read("b")).runTools("text"),
  (told, turn) =>
    finish(
      told
        .model("Now.", terminal(`make ${turn}`))
        .judge()
        .start()
        .prompt(`steer ${turn}`),
    ),
  (told, turn) => context(told, `it is ${turn}`).model("", terminal("rm -rf /")).judge("deny"),
  (told) =>
    told
      .model("", ask({ question: "" }))
      .model("", ask())
      .reply("1"),
  (told) => told.model("", broken(), terminal("x")).judge("ask").reply("rather not"),
  (told, turn) =>
    told
      .model("", terminal(`sleep ${turn}`))
      .judge()
      .start()
      .crash(),
  (told, turn) =>
    finish(
      told
        .model("", terminal(`touch ${turn}`))
        .judge()
        .start(),
      [`file ${turn}`],
    ),
];
const ends: readonly ((told: Story) => Story)[] = [
  (told) => told.modelFails(),
  (told) => told.stop().model("late", terminal()),
  (told) => told.model("", complete()),
  (told) => told.stop().abandon(),
  (told) => told.model("", ask()).reply("cancel"),
];

const ownLine = /^(<\/?state>|A run is|Prompt: |Objective: |Terminal: |Last command|Its output|Files modified)/;

/** Exchanges with and without a run, until more than sixty turns have closed. */
function longStory(): Story {
  const told = context(story({ turns: "unlimited" }), "it is day");
  for (const [round, end] of [...ends, ...ends].entries()) {
    told.prompt(`prompt ${round}`);
    if (round % 3 !== 1 || end === ends[2]) told.model("", agentic(`goal ${round}`));
    // What text alone would end comes only in runs.
    for (const move of told.session.exchange?.run == null ? moves.slice(1) : moves) move(told, told.request);
    end(told);
  }
  return told;
}

/** Every request that the session would make, and the length of its history, after each of its events. */
function watch(events: readonly SessionEvent[]): { requests: ModelRequest[]; lengths: number[] } {
  const requests: ModelRequest[] = [];
  const lengths: number[] = [];
  let session = newSession();
  for (const event of events) {
    session = evolve(session, event);
    const work = nextWork(session);
    if (work.type === "call-model") requests.push(work.request);
    lengths.push(entries(session.history).length);
  }
  return { requests, lengths };
}

/** Results that do not stand, once each and in any order, between their response and the next message. */
function misplaced(told: Story): readonly string[] {
  let due: readonly string[] = [];
  const wrong: string[] = [];
  for (const message of history(told)) {
    if (message.role === "tool") {
      if (!due.includes(message.call)) wrong.push(message.call);
      due = due.filter((call) => call !== message.call);
    } else {
      wrong.push(...due);
      due = message.role === "assistant" ? message.calls.map(({ id }) => id) : [];
    }
  }
  return [...wrong, ...due];
}

describe("the prefix", () => {
  const told = longStory();
  const { requests } = watch(told.events);
  const sent = requests.map(({ messages }) => JSON.stringify(messages));

  verifies("STATE-1d", "over sixty turns and many exchanges no earlier byte of a request ever differs", () => {
    expect(told.types.filter((type) => type === "turn.closed").length).toBeGreaterThanOrEqual(60);
    expect(told.session.counted.exchanges).toBeGreaterThanOrEqual(5);
    const differing = sent.filter((bytes, index) => !bytes.startsWith((sent[index - 1] ?? "[").replace(/\]$/, "")));
    expect(differing).toEqual([]);
    expect(new Set(sent).size).toBeGreaterThan(50);
  });

  verifies(["STATE-1c", "STATE-3b"], "neither history nor journal holds a closing part or a line of the block", () => {
    const kept = JSON.stringify([history(told), told.events.filter(({ type }) => type !== "context.changed")]);
    const parts = requests.flatMap(({ closing }) => closing.split("\n"));
    const own = parts.filter((line) => ownLine.test(line));
    const contexts = told.events.flatMap((event) => (event.type === "context.changed" ? [event.text] : []));
    expect([own.length > 300, contexts.length > 5]).toEqual([true, true]);
    const found = [...new Set([...own, ...contexts, continuationLine])].filter((line) => kept.includes(line));
    expect(found).toEqual([]);
  });

  verifies("STATE-3b", "the history is what was said and done, in order, and nothing else", () => {
    const [opening, call] = [agentic(), terminal()];
    const short = context(story(), "c")
      .prompt("build")
      .model("", opening)
      .model("", call)
      .runTools()
      .model("", complete());
    expect(history(short).slice(0, 5)).toEqual([
      user("build"),
      ...shown(opening, "t1c1", "run opened"),
      ...shown(call, "t2c1", "ok"),
    ]);
    expect(history(short)).toHaveLength(7);
  });

  test("a reply that says and asks nothing leaves no message", () => {
    const silent = running();
    const before = history(silent);
    expect(history(silent.model(""))).toEqual(before);
    expect(silent.session.exchange?.run?.silent).toBe(1);
  });

  test("every call has exactly one result, right after its response, whatever became of it", () => {
    expect(misplaced(told)).toEqual([]);
    expect(history(told).filter(({ role }) => role === "tool").length).toBeGreaterThan(60);
  });

  test("an end that the model did not make is told to it", () => {
    const notes = history(told).filter((message) => message.role === "user" && message.text.startsWith("[assent: "));
    const texts = ["failed", "stopped", "cancelled"].map((outcome) => user(`[assent: the exchange ended: ${outcome}]`));
    for (const text of texts) expect(notes).toContainEqual(text);
    expect(notes).not.toContainEqual(user("[assent: the exchange ended: completed]"));
  });
});

describe("compaction", () => {
  verifies("STATE-1e", "only a recorded history.compacted begins another prefix", () => {
    const told = running().model("", terminal()).runTools("much");
    const before = request(told).messages;
    told.overflow();
    expect(told.work).toMatchObject({ type: "compact-history", request: { messages: before, tools: "none" } });
    expect(history(told)).toEqual(before);
    told.summarise("it was built");
    expect(told.last.events).toMatchObject([{ type: "history.compacted", summary: "it was built" }]);
    const summary = user("[assent: summary of the session so far\nit was built]");
    expect(request(told).messages).toEqual([summary, user("do it")]);
    expect(request(told).closing).toBe(`${stateBlock(told.session)}\n\n${continuationLine}`);
    const call = terminal("on");
    expect(request(told.model("", call).runTools()).messages).toEqual([
      summary,
      user("do it"),
      ...shown(call, "t5c1", "ok"),
    ]);
  });

  verifies("STATE-1e", "no other event takes anything away from the history", () => {
    const told = longStory();
    const { lengths } = watch(told.events);
    const taken = lengths.filter((length, index) => length < (lengths[index - 1] ?? 0));
    expect(taken).toEqual([]);
    const compacted = told.prompt().overflow().summarise();
    expect(history(compacted)).toHaveLength(2);
  });

  test("before the first reply the prompt still stands behind the context", () => {
    const told = context(story(), "c").prompt("first").model("answer").prompt("second").overflow().summarise("s");
    expect(request(told)).toMatchObject({
      messages: [user("[assent: summary of the session so far\ns]")],
      closing: "c\n\nsecond",
    });
  });
});
