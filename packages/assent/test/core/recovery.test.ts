import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { entries, fold, type Limits, nextWork, type Session, type SessionEvent } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { agentic, ask, broken, complete, person, read, type Story, story, terminal } from "./story.ts";

// ── Long stories, input by input ───────────────────────────────────────────────────────────────────────────────────

type Step = (told: Story) => unknown;
type Tale = { readonly limits: Partial<Limits>; readonly steps: readonly Step[] };

const acted = { by: person, authority: "act" } as const;
const say =
  (text: string, delivery: "now" | "next" = "now"): Step =>
  (told) =>
    told.give({ type: "prompt", text, delivery, entry: "submitted", ...acted });
const needsInput =
  (call: string, timeout_ms?: number): Step =>
  (told) => {
    const draft = { question: `Input of ${call}?`, options: [], allow_free_text: true };
    told.give({ type: "input-request", call, draft: timeout_ms === undefined ? draft : { ...draft, timeout_ms } });
  };
const startNext: Step = (told) => {
  const { work } = told;
  if (work.type !== "run-tools") throw new Error(`no call is cleared: ${work.type}`);
  const [call] = work.calls;
  if (call !== undefined) told.give({ type: "tool-start", call: call.id, digest: `digest of ${call.arguments}` });
};

const tales: Record<string, Tale> = {
  "a run with an approval, a question, failures and a completion": {
    limits: {},
    steps: [
      say("clean the build"),
      (told) => told.model("", agentic(), read("skipped")),
      (told) => told.give({ type: "context", text: "cwd: /project" }),
      (told) => told.model("cleaning", terminal("rm -rf build"), terminal("make"), ask({ timeout_ms: 5000 })),
      (told) => told.judge("ask", { timeout_ms: 5000 }),
      (told) => told.reply("maybe 1"),
      (told) => told.reply("yes"),
      startNext,
      (told) => told.give({ type: "terminal", state: "opened", cwd: "/project" }),
      (told) => told.finish("t2c1", "removed", { files: ["build"], cwd: "/project" }),
      (told) => told.judge(),
      startNext,
      (told) => told.give({ type: "process", state: "started", process: "p1", pid: 7, since: 3, command: "watch" }),
      (told) => told.finish("t2c2", "no rule", { type: "error", exit: 2 }),
      (told) => told.reply("purple"),
      (told) => told.model("", broken(), complete()),
      (told) => told.give({ type: "process", state: "ended", process: "p1", exit: 0 }),
      (told) => told.model("", complete("partial")),
    ],
  },
  "parallel commands that ask for input": {
    limits: {},
    steps: [
      say("read all"),
      (told) => told.model("", read("a"), read("b"), read("c"), terminal("d")),
      (told) => told.judge(),
      startNext,
      startNext,
      needsInput("t1c1", 500),
      startNext,
      needsInput("t1c2"),
      needsInput("t1c3", 500),
      (told) => told.wait(500),
      (told) => told.finish("t1c1", "killed", { type: "error" }),
      (told) => told.reply("Ada"),
      (told) => told.finish("t1c2"),
      (told) => told.reply("cancel"),
      (told) => told.finish("t1c3", "killed", { type: "error" }),
      (told) => told.judge("deny"),
      (told) => told.model("sorry"),
    ],
  },
  "steering, a queue and a stop that becomes a kill": {
    limits: {},
    steps: [
      say("first"),
      say("also this"),
      say("afterwards", "next"),
      (told) => told.model("", terminal("sleep 9"), read()),
      say("and that"),
      (told) => told.judge(),
      startNext,
      (told) => told.stop(),
      (told) => told.stop("kill"),
      (told) => told.finish("t1c1", "killed"),
      (told) => told.give({ type: "release", waiting: "w2", ...acted }),
      (told) => told.give({ type: "withdrawal", waiting: "w1", ...acted }),
      (told) => told.model("done"),
    ],
  },
  "a failing model, an overflow and a reply without tools": {
    limits: { turns: "unlimited" },
    steps: [
      say("one"),
      (told) => told.modelFails(),
      say("two"),
      (told) => told.model("", ask({ question: "" })),
      (told) => told.overflow(),
      (told) => told.summarise(),
      (told) => told.overflow(),
      (told) => told.model("in short", terminal()),
    ],
  },
  "a turn limit that is reached, lifted, reached again and declined": {
    limits: { turns: 1 },
    steps: [
      say("one"),
      (told) => told.model("", terminal()),
      (told) => told.runTools(),
      (told) => told.reply("yes"),
      (told) => told.model("", terminal()),
      (told) => told.runTools(),
      (told) => told.limit(2),
      (told) => told.model("", terminal()),
      (told) => told.runTools(),
      (told) => told.reply("2"),
    ],
  },
};

/** The tale up to its first `count` steps, a little time before each. */
function tell({ limits, steps }: Tale, count = steps.length): Story {
  const told = story(limits);
  for (const step of steps.slice(0, count)) {
    told.at += 7;
    step(told);
  }
  return told;
}

/** The state with its logs as plain lists: versions of a log may share storage. */
function plain({ history, resolved, ...rest }: Session) {
  return { ...rest, history: entries(history), resolved: entries(resolved) };
}

/** What a process that only has the journal's text would read. */
function readAgain(events: readonly SessionEvent[]): SessionEvent[] {
  return JSON.parse(JSON.stringify(events));
}

describe.each(Object.entries(tales))("%s", (_name, tale) => {
  verifies("SESS-1c", "after every input the state is the fold of the journal", () => {
    const told = story(tale.limits);
    for (const step of tale.steps) {
      told.at += 7;
      step(told);
      expect(told.last.events.length).toBeGreaterThan(0);
      expect(plain(fold(readAgain(told.events)))).toEqual(plain(told.session));
      expect(plain(fold(told.events))).toEqual(plain(told.session));
    }
  });

  verifies("SESS-1d", "after every input the journal alone says which work is due", () => {
    for (let count = 0; count <= tale.steps.length; count++) {
      const told = tell(tale, count);
      expect(nextWork(fold(readAgain(told.events)))).toEqual(told.work);
    }
  });

  verifies(["SESS-1d", "SESS-2a", "SESS-2c"], "a crash after any input is found, told once, and led on from", () => {
    for (let count = 0; count <= tale.steps.length; count++) {
      const told = tell(tale, count);
      const lost = told.running;
      told.crash();
      expect(unknownIn(told.last.events)).toEqual(lost);
      expect(told.running).toEqual([]);
      expect(told.crash().last).toEqual({ events: [], refusal: null });
      leadOn(told);
      expect(unknownIn(told.events)).toEqual(lost);
      expect(startedIn(told)).toEqual([...new Set(startedIn(told))]);
      expect(resultsIn(told)).toEqual([...new Set(resultsIn(told))]);
      const texts = entries(told.session.history).filter(({ text }) => text.startsWith("outcome unknown"));
      expect(texts).toHaveLength(lost.length);
    }
  });

  verifies("SESS-2a", "no call that was started is ever due again, and none can be started again", () => {
    const told = story(tale.limits);
    for (const step of tale.steps) {
      told.at += 7;
      step(told);
      const started = startedIn(told);
      for (const { work } of [told, { work: nextWork(fold(told.events)) }]) {
        if (work.type !== "run-tools" && work.type !== "judge-calls") continue;
        expect(work.calls.filter(({ id }) => started.includes(id))).toEqual([]);
      }
      for (const call of started) {
        told.give({ type: "tool-start", call, digest: "digest of anything" });
        expect(told.last).toEqual({ events: [], refusal: expect.objectContaining({ code: expect.any(String) }) });
      }
    }
  });
});

function unknownIn(events: readonly SessionEvent[]): readonly string[] {
  return events.flatMap((event) => (event.type === "call.unknown" ? [event.call] : []));
}

function startedIn(told: Story): readonly string[] {
  return told.events.flatMap((event) => (event.type === "call.started" ? [event.call] : []));
}

function resultsIn(told: Story): readonly string[] {
  return entries(told.session.history).flatMap((message) => (message.role === "tool" ? [message.call] : []));
}

/** Does whatever is due until no exchange is open: a driver in small. */
function leadOn(told: Story): void {
  for (let steps = 0; told.session.exchange !== null; steps++) {
    if (steps > 30) throw new Error(`the session does not come to an end: ${told.work.type} is still due`);
    told.at += 7;
    perform(told);
  }
  expect(["prompt", "nothing"]).toContain(told.work.type === "rest" ? told.work.waiting : told.work.type);
}

function perform(told: Story): unknown {
  const { work } = told;
  switch (work.type) {
    case "call-model":
      return told.session.exchange?.run === null ? told.model("done") : told.model("", complete());
    case "compact-history":
      return told.summarise();
    case "stop-model":
      return told.abandon();
    case "judge-calls":
      return told.judge();
    case "save-grant":
      return told.give({ type: "grant-result", call: work.call });
    case "run-tools":
      return told.start();
    case "kill-tools":
      return told.finish(work.calls[0]?.call.id ?? "none", "killed", { type: "error" });
    case "ask-person":
      return told.reply("1");
    case "rest":
      return told.finish(told.running[0] ?? "none");
    case "end-processes":
      throw new Error("processes end only with the session");
    default:
      return work satisfies never;
  }
}

verifies("SESS-1c", "another process that folds the same journal has the same state and the same work", () => {
  const journals = Object.values(tales).map((tale) => tell(tale, tale.steps.length - 1).events);
  const core = new URL("../../src/core/index.ts", import.meta.url).href;
  const program = `
    import { readFileSync } from "node:fs";
    import { entries, fold, nextWork } from ${JSON.stringify(core)};
    const told = JSON.parse(readFileSync(0, "utf8")).map((events) => {
      const { history, resolved, ...rest } = fold(events);
      return { ...rest, history: entries(history), resolved: entries(resolved), work: nextWork(fold(events)) };
    });
    process.stdout.write(JSON.stringify(told));`;
  const folded = execFileSync(process.execPath, ["--input-type=module", "--eval", program], {
    input: JSON.stringify(journals),
    encoding: "utf8",
  });
  const expected = journals.map((events) => ({ ...plain(fold(events)), work: nextWork(fold(events)) }));
  expect(folded).toBe(JSON.stringify(expected));
});

// ── A crash, in detail ─────────────────────────────────────────────────────────────────────────────────────────────

verifies("SESS-2c", "a call left unfinished is recorded as unknown; the model hears of it once, as a failure", () => {
  const told = story().prompt().model("", read("a"), read("b"), read("c")).judge().start().finish("t1c2", "b's text");
  expect(told.crash().last.events).toEqual([
    { type: "call.unknown", at: 1000, call: "t1c1" },
    { type: "call.unknown", at: 1000, call: "t1c3" },
    { type: "turn.closed", at: 1000, turn: 1, counted: true },
  ]);
  const lost = "outcome unknown: the process that ran this call died; it is not run again";
  const { work } = told.crash();
  if (work.type !== "call-model") throw new Error(`expected call-model, came ${work.type}`);
  expect(work.request.messages.filter(({ role }) => role === "tool")).toEqual([
    expect.objectContaining({ call: "t1c2", text: "b's text", failed: false }),
    expect.objectContaining({ call: "t1c1", text: lost, failed: true }),
    expect.objectContaining({ call: "t1c3", text: lost, failed: true }),
  ]);
  told.finish("t1c1", "a late result");
  expect(told.last).toEqual({ events: [], refusal: { code: "unknown_call", detail: "call t1c1 is not running" } });
});

verifies("SESS-2c", "its open question goes with it, and what was stopped stays stopped", () => {
  const told = story().prompt().model("", terminal("login"), read()).judge().start();
  needsInput("t1c1")(told);
  expect(told.crash().last.events).toEqual([
    { type: "interaction.resolved", at: 1000, interaction: "s-1", state: "withdrawn", reason: "call-ended" },
    { type: "call.unknown", at: 1000, call: "t1c1" },
  ]);
  expect(told.work).toMatchObject({ type: "judge-calls", calls: [{ id: "t1c2" }] });
  const stopped = story().prompt().model("", terminal("sleep 9")).judge().start().stop().crash();
  expect(stopped.lastTypes).toEqual(["call.unknown", "turn.closed", "exchange.ended"]);
  expect(stopped.find("exchange.ended").outcome).toBe("stopped");
});

/** A session with an open terminal and three background processes, two of them under one pid at different times. */
function withProcesses(): Story {
  const told = story().give({ type: "terminal", state: "opened", cwd: "/project/src" });
  for (const [process, pid] of [
    ["p1", 7],
    ["p2", 8],
    ["p3", 7],
  ] as const) {
    told.give({ type: "process", state: "started", process, pid, since: 500, command: `watch ${process}` });
  }
  return told;
}

test("what died with the process is recorded: the terminal and the background processes", () => {
  const told = withProcesses();
  expect(told.crash().last.events).toEqual([
    { type: "terminal.closed", at: 1000, cwd: "/project/src", lost: true },
    { type: "process.ended", at: 1000, process: "p1" },
    { type: "process.ended", at: 1000, process: "p2" },
    { type: "process.ended", at: 1000, process: "p3" },
  ]);
  expect(told.crash().last).toEqual({ events: [], refusal: null });
});

test("background processes that are still alive are not ended, and are known on", () => {
  const told = withProcesses();
  told.give({ type: "recovery", alive: ["p3", "p1", "a stranger"] });
  expect(told.last.events).toEqual([
    { type: "terminal.closed", at: 1000, cwd: "/project/src", lost: true },
    { type: "process.ended", at: 1000, process: "p2" },
  ]);
  expect(told.session.processes).toEqual([
    { process: "p1", pid: 7, since: 500, command: "watch p1" },
    { process: "p3", pid: 7, since: 500, command: "watch p3" },
  ]);
  expect(told.give({ type: "recovery", alive: ["p1", "p3"] }).last).toEqual({ events: [], refusal: null });
  expect(told.give({ type: "recovery", alive: ["p3"] }).last.events).toEqual([
    { type: "process.ended", at: 1000, process: "p1" },
  ]);
});

test("no call is alive after a crash, even under the id of one that is said to be", () => {
  const told = story().prompt().model("", terminal("sleep 9")).judge().start();
  expect(told.give({ type: "recovery", alive: ["t1c1"] }).lastTypes).toEqual(["call.unknown", "turn.closed"]);
});

test.each<[string, () => Story]>([
  ["nothing was asked", () => story()],
  ["a model request was pending", () => story().prompt()],
  ["calls waited for their verdict", () => story().prompt().model("", terminal())],
  ["a call was cleared and not started", () => story().prompt().model("", terminal()).judge()],
  ["an approval was open", () => story().prompt().model("", terminal()).judge("ask")],
  ["a question was open", () => story().prompt().model("", ask())],
  ["a summary was pending", () => story().prompt().overflow()],
  ["the exchange was over", () => story().prompt().model("done")],
  ["the session was aborted", () => story({ turns: 1 }).prompt().model("", terminal()).runTools().reply("no")],
])("recovery when %s records nothing and changes nothing", (_when, begin) => {
  const told = begin();
  const { session, work } = told;
  expect(told.crash().last).toEqual({ events: [], refusal: null });
  expect(plain(told.session)).toEqual(plain(session));
  expect(told.work).toEqual(work);
});

test("an approval given after a crash starts the command once, under its own call id", () => {
  const told = story().prompt().model("", terminal("rm -rf build")).judge("ask").crash().reply("yes").crash().start();
  told.finish("t1c1", "removed");
  expect(startedIn(told)).toEqual(["t1c1"]);
  expect(told.request).toBe(2);
  expect(entries(told.session.history).at(-1)).toMatchObject({ role: "tool", call: "t1c1", text: "removed" });
});
