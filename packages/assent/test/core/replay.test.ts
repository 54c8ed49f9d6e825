import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { decide, forkedFrom, type InputBody, newSession, nextWork, type SessionEvent } from "../../src/core/index.ts";
import { decodeEvent, eventVersion } from "../../src/wire/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { linesOf, replayed, replayedLines, requestDigest } from "./replaying.ts";
import { agentic, ask, complete, flowCall, person, Story, terminal } from "./story.ts";

/** A run with a command that is asked about, a reply that is none, and its end. */
function told(): Story {
  const story = new Story()
    .prompt("clean the build")
    .model("", agentic("clean"))
    .model("On it.", terminal("rm -rf build"));
  return story.judge("ask").reply("probably 1").reply("1").start().finish("t2c1").model("", complete());
}

verifies("SESS-6a", "a session is decided again from what its events tell of, and comes out byte for byte", () => {
  const { events } = told();
  const { difference, inputs, events: same } = replayed(events);
  expect(difference).toBeNull();
  expect(same).toBe(events.length);
  expect(inputs).toEqual([
    ...["creation", "prompt", "model-result", "model-result", "verdicts", "response", "response"],
    ...["tool-start", "tool-result", "model-result"],
  ]);
});

verifies("SESS-6a", "the requests to the model that follow are those that were made, byte for byte", () => {
  const story = new Story().prompt("clean");
  const made: string[] = [];
  const note = () => {
    const work = nextWork(story.session);
    if (work.type === "call-model") made.push(requestDigest({ ...work, wanted: "reply" }));
  };
  note();
  story.model("", agentic("clean"));
  note();
  story.model("", terminal("make")).runTools();
  note();
  story.model("", complete());
  expect(replayed(story.events).requests).toEqual(made.map((digest, index) => ({ number: index + 1, digest })));
});

verifies("SESS-6b", "what differs first is named, with what is recorded and what follows instead", () => {
  const lines = linesOf(told().events);
  const at = lines.findIndex((line) => line.includes('"type":"call.cleared"'));
  const wrong = lines.with(at, lines[at]?.replace("t2c1", "t1c1") ?? "");
  expect(replayedLines(wrong)).toMatchObject({
    events: at,
    difference: { seq: at + 1, recorded: wrong[at], derived: lines[at], input: "response" },
  });
});

verifies("SESS-6b", "an event that follows from nothing is named, and so is one that is missing", () => {
  const lines = linesOf(told().events);
  const at = lines.findIndex((line) => line.includes('"type":"turn.closed"'));
  const renumbered = (all: readonly string[]) =>
    all.map((line, index) => line.replace(/"seq":\d+/, `"seq":${index + 1}`));
  const without = renumbered(lines.toSpliced(at, 1));
  expect(replayedLines(without).difference).toMatchObject({
    seq: at + 1,
    recorded: without[at],
    derived: lines[at],
    input: "model-result",
  });
  const twice = renumbered(lines.toSpliced(at, 0, lines[at] ?? ""));
  expect(replayedLines(twice).difference).toEqual({ seq: at + 2, recorded: twice[at + 1], derived: null, input: null });
  const cut = lines.slice(0, -1);
  expect(replayedLines(cut).difference).toMatchObject({ seq: lines.length, recorded: null, derived: lines.at(-1) });
});

test("nothing is the same as nothing", () => {
  expect(replayed([])).toEqual({ events: 0, inputs: [], requests: [], difference: null });
});

test("a clock that runs out is decided again with whatever else came at that moment", () => {
  const story = new Story().prompt().model("", ask({ timeout_ms: 500 }));
  story.at += 500;
  // Another process took the session over just then.
  story.give({ type: "process", state: "started", process: "p", pid: 7, since: 1, command: "sleep 9" });
  expect(story.last.events.map(({ type }) => type)).toContain("interaction.expired");
  expect(replayed(story.events)).toMatchObject({ difference: null, inputs: expect.arrayContaining(["process"]) });
});

const acted = { by: person, authority: "act" } as const;
const step = (key: string, more: object = {}) => ({
  ...{ key, question: `Which ${key}?`, options: [{ id: "1", label: "Red" }], allow_free_text: true },
  ...more,
});
const form = { steps: [step("token", { options: [], sensitive: true }), step("colour")] };
const asking = () =>
  new Story().prompt().model("", terminal()).judge().start().give({ type: "form-request", call: "t1c1", flow: form });

/** What a session was told last, and that an event tells only in part or beside others. */
const lastInputs: readonly (readonly [InputBody["type"], what: string, tell: () => Story])[] = [
  ["form-withdrawal", "a form that was taken back", () => asking().give({ type: "form-withdrawal", call: "t1c1" })],
  ["tool-result", "a call that ended while it asked", () => asking().finish("t1c1")],
  [
    "recovery",
    "a secret that was lost with its process",
    () => {
      const told = new Story().prompt().model("", flowCall(form)).reply("hunter2");
      return told.give({ type: "recovery", alive: [], lost: ["s-1.0"] });
    },
  ],
  [
    "recovery",
    "a call whose process died while it asked",
    () => asking().give({ type: "recovery", alive: [], lost: [] }),
  ],
  ["limit", "the limit of iterations alone", () => new Story().give({ type: "limit", iterations: 9, ...acted })],
  [
    "process",
    "a process that ended with its exit",
    () =>
      new Story()
        .give({ type: "process", state: "started", process: "p", pid: 7, since: 1, command: "sleep 9" })
        .give({ type: "process", state: "ended", process: "p", exit: 3 }),
  ],
  [
    "response",
    "an answer that was none and had an id",
    () => new Story().prompt().model("", ask()).respond({ selected_option_id: "green", answer_id: "a1" }),
  ],
  [
    "tool-start",
    "a call that would have run something else than was judged",
    () =>
      new Story().prompt().model("", terminal()).judge().give({ type: "tool-start", call: "t1c1", digest: "of rm" }),
  ],
  [
    "release",
    "a prompt that was let go on",
    () =>
      new Story()
        .prompt()
        .give({ type: "prompt", text: "then this", delivery: "next", entry: "typed", ...acted })
        .stop()
        .abandon()
        .give({ type: "release", waiting: "w1", ...acted }),
  ],
];

test.each(lastInputs)("a session is decided again to its end: %s, %s", (type, _what, tell) => {
  const told = tell();
  expect(told.last.events.length).toBeGreaterThan(0);
  const { difference, inputs } = replayed(told.events);
  expect({ difference, last: inputs.at(-1) }).toEqual({ difference: null, last: type });
});

test("a fork is decided again with the model and the name that it was made with", () => {
  const told = new Story()
    .prompt("list")
    .model("One file.")
    .give({ type: "name", name: "files", ...acted });
  const forks = forkedFrom(told.session);
  const creation = { type: "creation", session: "f", cwd: "/project", limits: {}, model: "m", forks } as const;
  const { events } = decide(newSession(), { ...creation, at: 5 });
  expect(events).toMatchObject([
    { type: "session.created", model: "m" },
    { type: "session.forked", name: "files" },
  ]);
  expect(replayed(events, "f")).toMatchObject({ difference: null, inputs: ["creation"] });
});

/** In which words of an earlier version the sessions of its journal differ from what this one says; all others are the same. */
const since: Readonly<Record<string, readonly [seq: number, recorded: string, derived: string]>> = {
  completed: [28, '"metadata":{"set":true}', '"metadata":{"set":true,"secret":"s-2.0"}'],
  overflow: [
    3,
    '"violations":["instruction-too-long"]',
    '"violations":["instruction-blank-edges","instruction-too-long"]',
  ],
  failed: [6, '"reason":"the person cancelled (FLOW_CANCEL)"', '"reason":"FLOW_CANCEL"'],
  answered: [10, '"text":"no valid answer after four replies (STEP_ABORT)"', '"text":"STEP_ABORT"'],
};

verifies(
  "SESS-6a",
  "the journals of every version so far are replayed, to the first word that was changed since",
  () => {
    for (let version = 1; version <= eventVersion; version++) {
      for (const [name, events] of golden(version)) {
        const { difference } = replayed(events);
        const known = since[name];
        if (known === undefined) expect({ name, difference }).toEqual({ name, difference: null });
        else {
          const [seq, recorded, derived] = known;
          expect({ name, seq: difference?.seq }).toEqual({ name, seq });
          expect(difference?.recorded).toContain(recorded);
          // Nothing else in it is another than it was.
          expect(difference?.derived).toBe(difference?.recorded?.replace(recorded, derived));
        }
      }
    }
  },
);

/** They were recorded as sessions called `s`, from which their questions have their ids, and named for the file. */
function golden(version: number): ReadonlyMap<string, readonly SessionEvent[]> {
  const file = new URL(`../fixtures/journal-v${version}.jsonl`, import.meta.url);
  const sessions = new Map<string, SessionEvent[]>();
  for (const line of readFileSync(file, "utf8").trimEnd().split("\n")) {
    const read = decodeEvent(line);
    if (read.type === "unreadable") throw new Error(read.reason);
    const { session, event } = read;
    const events = sessions.get(session) ?? [];
    events.push(event.type === "session.created" ? { ...event, session: "s" } : event);
    sessions.set(session, events);
  }
  return sessions;
}
