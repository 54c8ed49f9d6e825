import { expect, test } from "vitest";
import { type AuditRecord, auditOf, auditSteps } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { ask, person, running, story, terminal } from "./story.ts";

const base: AuditRecord = {
  ...{ call: "t1c1", at: 1_000, by: null, tool: "terminal", what: "rm -rf build" },
  ...{ judged: null, verdict: null, rule: null, reason: null, digest: null, grant: null, answers: [] },
  ...{ started: null, end: "open", ended: null, exit: null, signal: null, events: [3] },
};

function approval() {
  return story().prompt().model("", terminal("rm -rf build")).judge("ask");
}

/** The one record of a story, less what is the same in all of them. */
function recordOf({ events }: ReturnType<typeof story>): Partial<AuditRecord> {
  const records = auditOf(events);
  expect(records).toHaveLength(1);
  const [record] = records;
  expect(record).toMatchObject({ call: "t1c1", tool: "terminal", what: "rm -rf build" });
  const { verdict, answers, end, exit } = record ?? base;
  return { verdict, answers, end, exit };
}

const digest = "digest of rm -rf build";
const answered = { interaction: "s-1", about: "approval", by: person, at: 1_000, subject: digest, event: 6 };

test("a session without calls has no records", () => {
  expect(auditOf(story().prompt().model("Hello.").events)).toEqual([]);
});

test("a call that waits for its judgement, or for a person, is open", () => {
  const { events } = story().prompt().model("", terminal("rm -rf build"));
  expect(auditOf(events)).toEqual([base]);
  expect(recordOf(approval())).toMatchObject({ verdict: "ask", answers: [], end: "open" });
});

test("who said yes, from where, when and to what is told with what came of it", () => {
  const { answers, ...rest } = recordOf(approval().reply("1").start().finish("t1c1", "ok", { exit: 3 }));
  expect(rest).toEqual({ verdict: "ask", end: "finished", exit: 3 });
  expect(answers).toEqual([{ ...answered, state: "answered", shown: "digest of the block", said: "yes" }]);
});

test("a no, a cancel, a silence and a fourth wrong answer are told apart", () => {
  const ends = [
    approval().reply("not today"),
    approval().reply("2"),
    approval().reply("cancel"),
    approval().reply("9").reply("9").reply("9").reply("9"),
  ].map((told) => {
    const { answers: [answer] = [], end } = recordOf(told);
    return [answer?.state, answer?.said, answer?.by, end];
  });
  expect(ends).toEqual([
    ["declined", "not today", person, "refused"],
    ["declined", "no", person, "refused"],
    ["cancelled", "", person, "refused"],
    ["aborted", "", person, "refused"],
  ]);
});

test("what needed nobody has no answer, and what was denied none either", () => {
  const allowed = story().prompt().model("", terminal("rm -rf build")).judge().start();
  expect(recordOf(allowed)).toEqual({ verdict: "allow", answers: [], end: "open", exit: null });
  const failed = { type: "error" } as const;
  expect(recordOf(allowed.finish("t1c1", "broke", failed))).toMatchObject({ answers: [], end: "failed" });
  const denied = story().prompt().model("", terminal("rm -rf build")).judge("deny");
  expect(recordOf(denied)).toMatchObject({ verdict: "deny", answers: [], end: "refused" });
});

test("what a process that died was running is unknown, and what the end of an exchange left is skipped", () => {
  const left = story().prompt().model("", terminal("rm -rf build")).judge().start();
  left.give({ type: "recovery", alive: [], lost: [] });
  expect(recordOf(left)).toMatchObject({ end: "unknown", exit: null });
  const by = { name: expect.any(String), adapter: expect.any(String) };
  expect(recordOf(approval().stop())).toMatchObject({ answers: [{ state: "withdrawn", by, said: "" }] });
});

test("what the session itself asks, and a command that calls nothing, are of no call", () => {
  const told = running({ turns: 1 }).model("", terminal("rm -rf build")).runTools();
  expect(told.find("interaction.requested").purpose.type).toBe("turn-limit");
  const before = auditOf(told.events);
  told.give({ type: "entry", command: "/status", by: person, authority: "act" });
  told.reply("what?").reply("1");
  expect(told.types.slice(-4)).toContain("interaction.rejected");
  expect(told.find("interaction.resolved").state).toBe("answered");
  expect(auditOf(told.events)).toEqual(before);
});

test("a call that is no command is told by its arguments, and its question has no digest", () => {
  const told = story().prompt().model("", ask()).reply("1");
  expect(auditOf(told.events)).toMatchObject([
    { tool: "ask", what: "{}", answers: [{ about: "question", subject: null, said: "red" }], end: "finished" },
  ]);
});

test("a question whose time has passed was answered by nobody", () => {
  const told = story().prompt().model("", terminal("rm -rf build")).judge("ask", { timeout_ms: 500 }).wait(500);
  const { answers, end } = recordOf(told);
  expect(answers).toEqual([{ ...answered, state: "expired", by: null, at: 1_500, shown: null, said: "" }]);
  expect(end).toBe("refused");
});

test("calls stand in the order in which they were asked for, however they ended", () => {
  const told = story().prompt().model("", terminal("one"), terminal("two")).judge("ask").reply("no");
  expect(auditOf(told.events).map(({ call, what, end }) => [call, what, end])).toEqual([
    ["t1c1", "one", "refused"],
    ["t1c2", "two", "open"],
  ]);
});

test("a call is told with all that was recorded of it: when it was judged, started and ended, and by which events", () => {
  const yes = approval().reply("9").reply("1");
  yes.at = 2_000;
  yes.start().finish("t1c1", "ok", { exit: 0 });
  expect(auditOf(yes.events)).toMatchObject([
    {
      ...{ by: null, digest, judged: { at: 1_000, event: 4 }, started: { at: 2_000, event: 9, digest } },
      ...{ ended: { at: 2_000, event: 10 }, events: [3, 4, 5, 6, 7, 8, 9, 10] },
    },
  ]);
});

test("a person's own command is theirs", () => {
  const asks = { type: "tool", parallel: false, command: "ls" } as const;
  const own = { tool: "terminal", arguments: '{"command":"ls"}', asks };
  const { events } = story().give({ type: "command", text: "!ls", ...own, by: person, authority: "act" });
  expect(auditOf(events)).toMatchObject([{ call: "e1", by: person, what: "ls" }]);
});

verifies(
  "SESS-5f",
  "each decision, by rule or person, and each execution is one step, in the order of the journal",
  () => {
    const told = approval().reply("1").start().finish("t1c1", "ok", { exit: 3 });
    told.model("", terminal("one"), terminal("two")).judge("deny").judge();
    const steps = auditSteps(auditOf(told.events));
    expect(steps.map(({ event }) => event)).toEqual(
      steps.map(({ event }) => event).toSorted((one, other) => one - other),
    );
    const common = { call: "t1c1", tool: "terminal", what: "rm -rf build" };
    expect(steps.filter(({ call }) => call === "t1c1")).toEqual([
      {
        ...{ type: "verdict", ...common, at: 1_000, event: 4, verdict: "ask", rule: "test", reason: "ask by the test" },
        ...{ grant: null, digest },
      },
      { type: "answer", ...common, ...answered, state: "answered", shown: "digest of the block", said: "yes" },
      {
        ...{ type: "execution", ...common, at: 1_000, event: 8, digest, end: "finished", exit: 3, signal: null },
        ended: { at: 1_000, event: 9 },
      },
    ]);
    expect(steps.filter(({ call }) => call !== "t1c1").map((step) => [step.type, step.call])).toEqual([
      ["verdict", "t2c1"],
      ["verdict", "t2c2"],
    ]);
  },
);

test("what came to no execution although nobody decided so is a step of its own", () => {
  const told = story().prompt().model("", terminal("one"), terminal("two")).judge("ask").reply("cancel");
  expect(auditSteps(auditOf(told.events)).map((step) => [step.type, step.call])).toEqual([
    ["verdict", "t1c1"],
    ["answer", "t1c1"],
    ["passed-over", "t1c2"],
  ]);
});
