import { expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { read, type Story, stoppedWith, stopRequested, story, terminal, usage } from "./story.ts";

test("a stop becomes a kill: every running call is to be killed, and neither is asked for twice", () => {
  const told = story().prompt().model("looking", read("a"), read("b")).judge().start().stop();
  expect(told.work).toEqual({ type: "rest", waiting: "tools" });
  expect(told.stop().last).toEqual({ events: [], refusal: null });
  expect(told.stop("kill").last).toEqual({ events: [stopRequested("kill")], refusal: null });
  const { work } = told;
  if (work.type !== "kill-tools") throw new Error(`expected kill-tools, came ${work.type}`);
  expect(work.calls.map(({ call, reason }) => [call.id, reason])).toEqual([
    ["t1c1", "stopped"],
    ["t1c2", "stopped"],
  ]);
  for (const mode of ["graceful", "kill"] as const) expect(told.stop(mode).last).toEqual({ events: [], refusal: null });
  told.finish("t1c1", "killed by SIGTERM");
  expect(told.work).toMatchObject({ type: "kill-tools", calls: [{ call: { id: "t1c2" } }] });
  expect(told.finish("t1c2", "killed by SIGTERM").last.events.at(-1)).toEqual(stoppedWith("looking"));
});

test("killing while the model answers gives the response up at once", () => {
  const told = story().prompt().stop().stop("kill");
  expect(told.work).toEqual({ type: "stop-model", number: 1, mode: "kill" });
  expect(told.abandon().last.events).toEqual([{ type: "model.abandoned", at: 1000, request: 1 }, stoppedWith("")]);
});

verifies("STOP-1d", "what had come of a response that is given up is what the exchange ends with", () => {
  const told = story().prompt().stop("kill").abandon("half of");
  expect(told.last.events).toEqual([
    { type: "model.abandoned", at: 1000, request: 1, partial: "half of" },
    stoppedWith("half of"),
  ]);
  expect(story().prompt().stop("kill").abandon("").last.events[0]).toEqual({
    ...{ type: "model.abandoned", at: 1000, request: 1 },
  });
  // A summary is for the model.
  const summary = story().prompt().overflow().stop("kill").abandon("so far");
  expect(summary.last.events.at(-1)).toEqual(stoppedWith(""));
});

test("a request that was given up uses its number up: its late reply is nobody's", () => {
  const late = (told: Story, request: number) =>
    told.give({
      type: "model-result",
      request,
      result: { type: "replied", text: "late", calls: [terminal("rm -rf build")], usage },
    }).last;
  const refused = (request: number) => ({
    events: [],
    refusal: { code: "stale_result", detail: `no model request ${request} is awaited` },
  });
  const told = story().prompt().stop("kill").abandon();
  expect(late(told, 1)).toEqual(refused(1));
  expect(told.prompt("again").work).toMatchObject({ type: "call-model", number: 2 });
  for (const request of [1, 3]) expect(late(told, request)).toEqual(refused(request));
  expect(late(told.crash(), 1)).toEqual(refused(1));
  expect(told.model("", read()).find("model.replied").reply.calls[0]?.id).toBe("t2c1");
  const summary = story().prompt().overflow().stop().abandon();
  expect(summary.find("model.abandoned").request).toBe(2);
  expect(late(summary.prompt("again"), 2)).toEqual(refused(2));
  expect(summary.work).toMatchObject({ type: "call-model", number: 3 });
});

test("a request is not given up without a stop", () => {
  const refusal = { code: "stale_result", detail: "a request is abandoned only at a stop" };
  expect(story().prompt().abandon().last).toEqual({ events: [], refusal });
});

test("the first reason to end stands: a stop after it changes only how fast the end comes", () => {
  const told = story().prompt().model("looking", read("a"), read("b")).judge().start();
  told.give({ type: "input-request", call: "t1c1", draft: { question: "Name?", options: [], allow_free_text: true } });
  told.nobody("abort").stop("kill");
  expect(told.work).toMatchObject({
    type: "kill-tools",
    calls: [
      { call: { id: "t1c1" }, reason: "nobody" },
      { call: { id: "t1c2" }, reason: "stopped" },
    ],
  });
  expect(told.finish("t1c1").finish("t1c2").find("exchange.ended").outcome).toBe("failed");
});
