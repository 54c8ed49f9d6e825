import { describe, expect, test } from "vitest";
import { type EnteredCall, entries, type ModelRequest } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { agentic, ask, bodies, looksUp, person, type Story, story, terminal, usage } from "./story.ts";

const acted = { by: person, authority: "act" } as const;

function request({ work }: Story): ModelRequest {
  if (work.type !== "call-model") throw new Error(`expected call-model, came ${work.type}`);
  return work.request;
}

/** The model has looked something up, and nothing else. */
const observed = (text = "3 tools") => story().prompt("which tools?").model("", looksUp("/tools")).runTools(text);

describe("what the model looked up", () => {
  verifies("SEL-8a", "is told of in one more reply, for which no tool is offered, and which ends the exchange", () => {
    const told = observed();
    expect(request(told)).toEqual({
      messages: entries(told.session.history),
      closing: "",
      tools: "none",
      regeneration: 0,
    });
    expect(entries(told.session.history).map(({ role }) => role)).toEqual(["user", "assistant", "tool"]);
    told.model("There are three.");
    expect(told.find("exchange.ended")).toMatchObject({ text: "There are three.", outcome: "answered" });
    expect(told.session.exchange).toBeNull();
  });

  verifies("SEL-8a", "leads to no further call: what that reply asks for is recorded and passed over", () => {
    const told = observed().model("There are three.", terminal("ls"), ask(), agentic());
    expect(bodies(told.last.events).slice(1, 4)).toMatchObject([
      { type: "call.skipped", call: "t2c1", why: "ending" },
      { type: "call.skipped", call: "t2c2", why: "ending" },
      { type: "call.skipped", call: "t2c3", why: "ending" },
    ]);
    expect(told.find("model.replied")).not.toHaveProperty("hidden");
    expect(told.find("exchange.ended")).toMatchObject({ text: "There are three.", outcome: "answered" });
    expect(entries(told.session.history).filter(({ role }) => role === "tool")).toHaveLength(4);
  });

  verifies("SEL-8d", "stands by itself when the model fails at telling of it", () => {
    expect(observed().modelFails().find("exchange.ended")).toMatchObject({ text: "3 tools", outcome: "failed" });
    const failure = { class: "cut", detail: "half a stream", remedy: "again", partial: "There a" };
    const told = observed();
    told.give({ type: "model-result", request: told.request, result: { type: "failed", failure } });
    expect(told.find("exchange.ended")).toMatchObject({ text: "3 tools", outcome: "failed" });
  });

  verifies("SEL-8d", "stands by itself when the model says nothing of it", () => {
    expect(observed().model(" \n").find("exchange.ended")).toMatchObject({ text: "3 tools", outcome: "answered" });
    expect(observed().model("", terminal()).find("exchange.ended")).toMatchObject({ text: "3 tools" });
  });

  verifies("SEL-8b", "is an ordinary result beside another call, in a run, and when it failed", () => {
    const both = story().prompt().model("", looksUp(), terminal()).runTools();
    expect(request(both).tools).toBe("offered");
    const inRun = story().prompt().model("", agentic()).model("", looksUp()).runTools();
    expect(request(inRun).tools).toBe("offered");
    const failed = story().prompt().model("", looksUp()).runTools("no such command", { type: "error" });
    expect(request(failed).tools).toBe("offered");
    const refused = story().prompt().model("", looksUp()).judge("deny");
    expect(request(refused).tools).toBe("offered");
  });

  verifies("SEL-8b", "is an ordinary result after a call that was something else", () => {
    const told = story().prompt().model("", looksUp(), terminal()).runTools().model("", terminal()).runTools();
    expect(request(told).tools).toBe("offered");
  });

  verifies("SEL-8c", "is forgotten with its exchange", () => {
    const told = observed().model("There are three.").prompt("and now?");
    expect(told.session.exchange).toMatchObject({ observation: null, observing: false, lastText: "" });
    expect(request(told).tools).toBe("offered");
    expect(told.model("", terminal()).runTools().work).toMatchObject({ request: { tools: "offered" } });
  });

  verifies("SEL-8c", "is nothing when a person looked it up", () => {
    const call: EnteredCall = { tool: "slash", arguments: "{}", asks: looksUp().asks };
    const told = story().give({ type: "command", text: "/tools", ...call, ...acted });
    told.judge().start().finish("e1", "3 tools");
    expect(told.find("exchange.ended")).toMatchObject({ text: "3 tools", outcome: "answered" });
    expect(told.work.type).toBe("rest");
  });

  test("is not all there is when the person has said more: that goes with a request that has tools", () => {
    const told = story()
      .prompt("which tools?")
      .model("", looksUp("/tools"))
      .judge()
      .start()
      .prompt("and list the files");
    told.finish("t1c1", "3 tools");
    expect(request(told)).toMatchObject({ tools: "offered", closing: "and list the files" });
  });

  test("what is typed while it is told of is the next prompt", () => {
    const told = observed().prompt("and list the files");
    expect(request(told).closing).toBe("");
    told.model("There are three.");
    expect(told.session.exchange).toMatchObject({ ordinal: 2, prompt: "and list the files" });
    expect(request(told).tools).toBe("offered");
  });

  test("may be told of with a question; its answer leads on with tools", () => {
    const told = observed().model("Which of them?\n\n1) One\n2) Two");
    expect(told.work.type).toBe("ask-person");
    expect(request(told.reply("1")).tools).toBe("offered");
  });

  test("is told of again when the reply broke the contract", () => {
    const told = observed().model("There are three. Let me know if you want more.");
    expect(told.lastTypes).toEqual(["reply.discarded"]);
    expect(request(told)).toMatchObject({ tools: "none", regeneration: 1, closing: "[request 3]" });
  });

  test("is told of after a crash, too", () => {
    expect(request(observed().crash()).tools).toBe("none");
  });

  test("survives a history that does not fit", () => {
    const told = observed().overflow().summarise("the tools are three");
    expect(request(told)).toMatchObject({ tools: "none" });
    expect(told.model("Three.").find("exchange.ended")).toMatchObject({ text: "Three.", outcome: "answered" });
    expect(told.session.usage).toMatchObject({ input: usage.input * 3 });
  });
});
