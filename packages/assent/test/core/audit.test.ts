import { expect, test } from "vitest";
import { type AuditRecord, auditOf } from "../../src/core/index.ts";
import { person, story, terminal } from "./story.ts";

const base: AuditRecord = {
  ...{ call: "t1c1", at: 1_000, tool: "terminal", what: "rm -rf build" },
  ...{ verdict: null, rule: null, reason: null, digest: null, answer: null, grant: null },
  ...{ end: "open", exit: null, signal: null },
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
  const { verdict, answer, end, exit } = record ?? base;
  return { verdict, answer, end, exit };
}

const answered = { interaction: "s-1", by: person, at: 1_000 };

test("a session without calls has no records", () => {
  expect(auditOf(story().prompt().model("Hello.").events)).toEqual([]);
});

test("a call that waits for its judgement, or for a person, is open", () => {
  const { events } = story().prompt().model("", terminal("rm -rf build"));
  expect(auditOf(events)).toEqual([base]);
  expect(recordOf(approval())).toMatchObject({ verdict: "ask", answer: null, end: "open" });
});

test("who said yes, from where, when and to what is told with what came of it", () => {
  const { answer, ...rest } = recordOf(approval().reply("1").start().finish("t1c1", "ok", { exit: 3 }));
  expect(rest).toEqual({ verdict: "ask", end: "finished", exit: 3 });
  expect(answer).toEqual({ ...answered, state: "answered", shown: expect.any(String), said: "yes" });
});

test("a no, a cancel, a silence and a fourth wrong answer are told apart", () => {
  const ends = [
    approval().reply("not today"),
    approval().reply("2"),
    approval().reply("cancel"),
    approval().reply("9").reply("9").reply("9").reply("9"),
  ].map((told) => {
    const { answer, end } = recordOf(told);
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
  expect(recordOf(allowed)).toEqual({ verdict: "allow", answer: null, end: "open", exit: null });
  const failed = { type: "error" } as const;
  expect(recordOf(allowed.finish("t1c1", "broke", failed))).toMatchObject({ answer: null, end: "failed" });
  const denied = story().prompt().model("", terminal("rm -rf build")).judge("deny");
  expect(recordOf(denied)).toMatchObject({ verdict: "deny", answer: null, end: "refused" });
});

test("what a process that died was running is unknown, and what the end of an exchange left is skipped", () => {
  const left = story().prompt().model("", terminal("rm -rf build")).judge().start();
  left.give({ type: "recovery", alive: [], lost: [] });
  expect(recordOf(left)).toMatchObject({ end: "unknown", exit: null });
  expect(recordOf(approval().stop())).toMatchObject({ answer: { state: "withdrawn", by: null, said: "" } });
});

test("a question whose time has passed was answered by nobody", () => {
  const told = story().prompt().model("", terminal("rm -rf build")).judge("ask", { timeout_ms: 500 }).wait(500);
  const { answer, end } = recordOf(told);
  expect(answer).toEqual({ ...answered, state: "expired", by: null, at: 1_500, shown: null, said: "" });
  expect(end).toBe("refused");
});

test("calls stand in the order in which they were asked for, however they ended", () => {
  const told = story().prompt().model("", terminal("one"), terminal("two")).judge("ask").reply("no");
  expect(auditOf(told.events).map(({ call, what, end }) => [call, what, end])).toEqual([
    ["t1c1", "one", "refused"],
    ["t1c2", "two", "open"],
  ]);
});
