import { describe, expect, test } from "vitest";
import {
  continuationLine,
  entries,
  type InputOf,
  type Limits,
  type ModelRequest,
  stateBlock,
  type Waiting,
} from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { agentic, ask, bodies, complete, person, read, running, type Story, story, terminal } from "./story.ts";

const acted = { by: person, authority: "act" } as const;
const user = (text: string) => ({ role: "user", text }) as const;

type Sent = Omit<InputOf<"prompt">, "type" | "at" | "by" | "authority" | "text">;
const send = (told: Story, text: string, how: Sent) => told.give({ type: "prompt", text, ...how, ...acted });
const queue = (told: Story, text: string) => send(told, text, { delivery: "next", entry: "typed" });
const submit = (told: Story, text: string) => send(told, text, { delivery: "now", entry: "submitted" });
const withdraw = (told: Story, waiting: string) => told.give({ type: "withdrawal", waiting, ...acted });
const release = (told: Story, waiting: string) => told.give({ type: "release", waiting, ...acted });

/** A text that waits, as the session knows it. */
const waits = (id: string, text: string, more: Partial<Waiting> = {}) => ({
  id,
  type: "prompt",
  text,
  by: person,
  sent: null,
  held: false,
  ...more,
});
const prompts = (told: Story) =>
  told.events.flatMap((event) => (event.type === "exchange.started" ? [event.prompt] : []));
const closing = (told: Story) => (told.work.type === "call-model" ? told.work.request.closing : "");
const messages = (told: Story) => (told.work.type === "call-model" ? told.work.request.messages : []);

/** The texts that the request which is due carries. */
function carried(told: Story): readonly string[] {
  return told.session.waiting.filter(({ sent }) => sent === told.request).map(({ id }) => id);
}

function request(told: Story): ModelRequest {
  if (told.work.type !== "call-model") throw new Error(`expected call-model, came ${told.work.type}`);
  return told.work.request;
}

describe("text typed while an exchange executes", () => {
  verifies("SEL-11a", "it waits while the calls run, and the next request carries it, in order and as typed", () => {
    const told = running().model("", terminal("a"), terminal("b")).judge().start().prompt("use tabs");
    expect(bodies(told.last.events)).toEqual([
      { type: "steering.received", waiting: "w1", text: "use tabs", by: person },
    ]);
    expect(told.session.waiting).toEqual([waits("w1", "use tabs", { type: "steering" })]);
    told.finish("t2c1").judge().start();
    submit(told, "  and sort \n").finish("t2c2");
    expect(bodies(told.last.events).at(-1)).toEqual({ type: "steering.sent", request: 3, waiting: ["w1", "w2"] });
    expect(request(told).closing).toBe(
      `${stateBlock(told.session)}\n\nuse tabs\n\n  and sort \n\n\n${continuationLine}`,
    );
    told.model("noted");
    expect(told.session.waiting).toEqual([]);
    const noted = { role: "assistant", text: "noted", calls: [] };
    expect(messages(told).slice(-3)).toEqual([user("use tabs"), user("  and sort \n"), noted]);
  });

  verifies("SEL-11a", "outside a run it follows the prompt or the results", () => {
    const told = story().prompt("first").prompt("more");
    expect(request(told).closing).toBe("first");
    told.model("", read()).runTools();
    expect(request(told).closing).toBe("more");
    const failed = story().prompt("first").prompt("more").overflow().summarise();
    expect(request(failed).closing).toBe("first\n\nmore");
  });

  verifies("SEL-11a", "typed while the model answers, it is in the request after that", () => {
    for (const [told, ...calls] of [[running()], [story().prompt(), read()]] as const) {
      told
        .prompt("more")
        .model("hm", ...calls)
        .runTools();
      expect(carried(told)).toEqual(["w1"]);
      expect(JSON.stringify(messages(told))).not.toContain("more");
    }
  });

  verifies("SEL-11a", "whatever stands before the next request, that request carries it", () => {
    const ways: Readonly<Record<string, (told: Story) => Story>> = {
      "a confirmation": (told) => told.limit(1).model("", read()).runTools().prompt("more").reply("yes"),
      "a summary": (told) => told.overflow().prompt("more").summarise(),
      "a request that did not fit": (told) => told.prompt("more").overflow().summarise(),
      "a discarded reply": (told) => told.prompt("more").model("", ask({ question: "" })),
      "a restart": (told) => told.prompt("more").crash(),
    };
    for (const [name, go] of Object.entries(ways)) {
      const told = go(story({ turns: 9 }).prompt("first"));
      expect([name, carried(told), request(told).closing]).toEqual([name, ["w1"], expect.stringMatching(/more$/)]);
    }
  });

  test("it is delivered once, and opens no exchange of its own", () => {
    const told = running().model("", terminal()).judge().start().prompt("once").finish("t2c1");
    told.model("hm").model("", complete());
    expect(entries(told.session.history).filter((message) => message.text === "once")).toEqual([user("once")]);
    expect(prompts(told)).toEqual(["do it"]);
  });

  test("a blank text is refused and waits nowhere", () => {
    const told = running().prompt(" \n");
    expect(told.last).toMatchObject({ events: [], refusal: { code: "blank_prompt" } });
    expect(told.session.waiting).toEqual([]);
  });

  test("only what was typed for now is looked at for stop", () => {
    expect(running().prompt("do not STOP now").lastTypes).toEqual(["stop.requested"]);
    expect(submit(running(), "do not stop now").lastTypes).toEqual(["steering.received"]);
    expect(queue(running(), "do not stop now").lastTypes).toEqual(["prompt.queued"]);
    expect(story().prompt("stop").lastTypes).toEqual(["exchange.started"]);
  });
});

describe("text that no reply has seen", () => {
  const waiting = (told: Story) => told.session.waiting.map(({ text, held }) => ({ text, held }));

  verifies("SEL-11d", "is kept when the request that carried it fails, or is given up at a stop", () => {
    const sent = () => running().prompt("later").model("hm");
    expect(waiting(sent().modelFails())).toEqual([{ text: "later", held: true }]);
    expect(waiting(sent().stop("kill").abandon())).toEqual([{ text: "later", held: true }]);
  });

  verifies(
    ["SEL-11a", "LIM-1e"],
    "comes with the request after a turn limit, or is kept when that ends the session",
    () => {
      const asked = () => running({ turns: 1 }).prompt("before").model("hm");
      expect(carried(submit(asked(), "after").reply("yes"))).toEqual(["w1", "w2"]);
      expect(waiting(asked().reply("no"))).toEqual([{ text: "before", held: true }]);
    },
  );

  verifies("SEL-11a", "comes with the request after a compaction", () => {
    const told = submit(running().overflow(), "meanwhile").summarise();
    expect(closing(told)).toContain("meanwhile");
  });
});

describe("taking back", () => {
  verifies("SEL-11b", "a text that has gone with a request is not taken back, until that request has failed", () => {
    const told = running().model("", terminal()).judge().start().prompt("now").finish("t2c1");
    expect(withdraw(told, "w1").last).toEqual({
      events: [],
      refusal: { code: "already_sent", detail: "text w1 has gone to the model" },
    });
    expect(withdraw(told.prompt("later"), "w2").lastTypes).toEqual(["steering.withdrawn"]);
    expect(withdraw(told.modelFails(), "w1").lastTypes).toEqual(["prompt.withdrawn"]);
  });

  verifies("SEL-11b", "a text that waits is withdrawn and never reaches the model", () => {
    const told = queue(running().model("", terminal()).judge().start().prompt("secret plan"), "secret later");
    expect(bodies(withdraw(told, "w1").last.events)).toEqual([
      { type: "steering.withdrawn", waiting: "w1", by: person },
    ]);
    expect(bodies(withdraw(told, "w2").last.events)).toEqual([{ type: "prompt.withdrawn", waiting: "w2", by: person }]);
    told.finish("t2c1").model("", complete());
    expect(prompts(told)).toEqual(["do it"]);
    expect(JSON.stringify(entries(told.session.history))).not.toContain("secret");
    expect(told.session.waiting).toEqual([]);
  });

  verifies("SEL-11b", "also one that stayed after its exchange", () => {
    const told = withdraw(running().prompt("secret").modelFails(), "w1");
    expect(told.lastTypes).toEqual(["prompt.withdrawn"]);
    expect(release(told, "w1").last).toMatchObject({ events: [], refusal: { code: "unknown_waiting" } });
    expect(JSON.stringify(entries(told.prompt("next").session.history))).not.toContain("secret");
  });

  verifies("SEL-11b", "not one that was delivered, was withdrawn or never was", () => {
    const told = running().prompt("a").model("hm").model("hm").prompt("b");
    withdraw(told, "w2");
    for (const waiting of ["w1", "w2", "w3"]) {
      const refusal = { code: "unknown_waiting", detail: `no waiting text has the id ${waiting}` };
      expect(withdraw(told, waiting).last).toEqual({ events: [], refusal });
    }
    told.give({ type: "prompt", text: "c", delivery: "now", entry: "typed", ...acted });
    expect(told.give({ type: "withdrawal", waiting: "w3", by: person, authority: "view" }).last).toMatchObject({
      events: [],
      refusal: { code: "not_authorized" },
    });
  });
});

describe("after an exchange that ended well", () => {
  const well: Readonly<Record<string, (told: Story) => Story>> = {
    answered: (told) => told.model("hello"),
    completed: (told) => told.model("", agentic()).model("", complete()),
    "completed as failure": (told) => told.model("", agentic()).model("", complete("failure")),
    "answered without tools": (told) => told.overflow().summarise().overflow().model("short"),
  };
  for (const [name, end] of Object.entries(well)) {
    verifies("SEL-11c", `waiting texts are the next prompts, oldest first: ${name}`, () => {
      const told = queue(queue(end(queue(story().prompt("first"), "second")), "third"), "fourth");
      expect(prompts(told)).toEqual(["first", "second"]);
      expect(bodies([told.find("exchange.started")])).toEqual([
        { type: "exchange.started", exchange: 2, prompt: "second", by: person, waiting: "w1" },
      ]);
      expect(prompts(end(told))).toEqual(["first", "second", "third"]);
      expect(prompts(end(told))).toEqual(["first", "second", "third", "fourth"]);
      expect(end(told).work).toEqual({ type: "rest", waiting: "prompt" });
    });
  }

  verifies("SEL-11c", "steering that came too late and queued prompts keep their order", () => {
    const told = queue(queue(story().prompt("first"), "second").prompt("third"), "fourth").model("hello");
    expect(told.lastTypes).toEqual(["model.replied", "turn.closed", "exchange.ended", "exchange.started"]);
    expect(told.session.waiting).toEqual([waits("w2", "third"), waits("w3", "fourth")]);
    told.model("", terminal()).runTools();
    expect(messages(told).filter(({ role }) => role === "user")).toEqual([user("first"), user("second")]);
    expect(prompts(told.model("b").model("c"))).toEqual(["first", "second", "third", "fourth"]);
  });

  verifies("SEL-11c", "a waiting prompt is asked about at the turn limit like any other", () => {
    const told = queue(story({ turns: 1 }).prompt("first"), "second").model("hello");
    expect(told.lastTypes.slice(-2)).toEqual(["exchange.started", "interaction.requested"]);
  });
});

describe("after an exchange that ended otherwise", () => {
  const badly: readonly (readonly [string, Partial<Limits>, (told: Story) => Story])[] = [
    ["stopped", {}, (told) => told.stop().abandon()],
    ["cancelled", {}, (told) => told.model("", ask()).reply("cancel")],
    ["failed", {}, (told) => told.modelFails()],
    ["contract-violation", {}, (told) => [1, 2, 3, 4].reduce((at) => at.model("", ask({ question: "" })), told)],
    ["budget", { calls: 1 }, (told) => told.model("", read()).runTools()],
    ["stalled", { silent: 1 }, (told) => told.model("hm")],
    ["iteration-limit", { iterations: 1 }, (told) => told.model("", terminal()).runTools()],
  ];

  for (const [outcome, limits, end] of badly) {
    verifies("SEL-11d", `waiting text stays and runs only when the person sends it: ${outcome}`, () => {
      const told = end(queue(running(limits), "later"));
      expect(told.find("exchange.ended").outcome).toBe(outcome);
      expect(told.session.waiting).toEqual([waits("w1", "later", { held: true })]);
      expect(told.wait(1000).crash().work).toEqual({ type: "rest", waiting: "prompt" });
      expect(bodies(release(told, "w1").last.events)).toEqual([
        { type: "exchange.started", exchange: 2, prompt: "later", by: person, waiting: "w1" },
      ]);
      expect(told.session.waiting).toEqual([]);
    });
  }

  verifies("SEL-11d", "steering that no reply has seen stays as a prompt, also at the turn limit", () => {
    const limited = story({ turns: 1 })
      .prompt()
      .model("", terminal())
      .judge()
      .start()
      .prompt("too late")
      .finish("t1c1");
    for (const told of [running().prompt("too late").modelFails(), limited.reply("no")]) {
      expect(told.session.waiting).toEqual([waits("w1", "too late", { held: true })]);
    }
    expect(release(limited, "w1").last).toMatchObject({ events: [], refusal: { code: "session_aborted" } });
  });

  verifies("SEL-11d", "it stays when a later exchange ends well, and is not delivered into it", () => {
    const told = running().prompt("held").modelFails().prompt("next").model("", terminal()).runTools();
    expect(JSON.stringify(messages(told))).not.toContain("held");
    expect(told.model("done").work).toEqual({ type: "rest", waiting: "prompt" });
    expect(told.session.waiting).toEqual([waits("w1", "held", { held: true })]);
  });

  test("it cannot be sent while an exchange is open", () => {
    const told = release(running().prompt("held").modelFails().prompt("next"), "w1");
    expect(told.last).toMatchObject({ events: [], refusal: { code: "exchange_open" } });
    expect(told.session.waiting).toEqual([waits("w1", "held", { held: true })]);
  });
});

describe("a queued prompt", () => {
  verifies("SEL-11e", "skips the exchange that is open and is kept for the following one", () => {
    const told = queue(story().prompt("first"), "second");
    expect(bodies(told.last.events)).toEqual([{ type: "prompt.queued", waiting: "w1", text: "second", by: person }]);
    told.model("", terminal()).runTools().model("", read()).runTools();
    expect(carried(told)).toEqual([]);
    expect(messages(told).filter(({ role }) => role === "user")).toEqual([user("first")]);
    expect(told.session.waiting).toEqual([waits("w1", "second")]);
    expect(told.model("done").find("exchange.started").prompt).toBe("second");
  });

  verifies("SEL-11e", "is the next prompt at once when no exchange is open", () => {
    expect(queue(story(), "now").lastTypes).toEqual(["exchange.started"]);
  });
});
