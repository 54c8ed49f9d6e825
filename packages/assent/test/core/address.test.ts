import { describe, expect } from "vitest";
import { decide, forkedFrom, newSession } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { bodies, person, type Story, story, terminal } from "./story.ts";

const one = "https://one.example";
const other = "https://other.example";

/** What the driver tells before each request. */
function at(told: Story, origin: string, named = false): Story {
  return told.give({ type: "context", text: "", window: null, address: { origin, named } });
}

/** A session that has had an answer from the first address. */
function answered(): Story {
  return at(story().prompt("list"), one).model("One file.");
}

describe("where a session is sent", () => {
  verifies("CLI-5g", "is recorded with the first request, and not again", () => {
    const told = at(story().prompt("list"), one);
    expect(bodies(told.last.events)).toEqual([{ type: "context.changed", text: "", address: one }]);
    expect(at(told.model("One file.").prompt("more"), one).last.events).toEqual([]);
    expect(told.work.type).toBe("call-model");
  });

  verifies("CLI-5g", "is another when a person has named the model, and is told with the one before", () => {
    const told = at(answered().prompt("more"), other, true);
    expect(bodies(told.last.events)).toEqual([{ type: "context.changed", text: "", address: other, before: one }]);
    expect(told.work.type).toBe("call-model");
  });

  verifies(
    "CLI-5h",
    "is not another because a variable has changed: the exchange fails before anything is sent",
    () => {
      const told = at(answered().prompt("more"), other);
      const detail = `this session went to ${one} until now, and its model is at ${other}; nothing was sent`;
      expect(bodies(told.last.events)).toMatchObject([
        { type: "model.failed", request: 2, failure: { class: "moved", detail }, next: "end" },
        { type: "exchange.ended", outcome: "failed", reason: "model", detail },
      ]);
      expect(told.session.addresses).toEqual([one]);
      // Once a person has named it, the same exchange goes on.
      told.give({ type: "resumption", by: person, authority: "act" });
      expect(at(told, other, true).work.type).toBe("call-model");
    },
  );

  verifies("CLI-5g", "may be put right as long as no model has said anything", () => {
    const told = at(story().prompt("list"), one)
      .modelFails()
      .give({ type: "resumption", by: person, authority: "act" });
    expect(bodies(at(told, other).last.events)).toEqual([
      { type: "context.changed", text: "", address: other, before: one },
    ]);
    expect(told.work.type).toBe("call-model");
  });

  verifies("CLI-5g", "may be where it was before, which is told", () => {
    const told = at(answered().prompt("more"), other, true).model("Two files.");
    expect(bodies(at(told.prompt("again"), one).last.events)).toEqual([
      { type: "context.changed", text: "", address: one, before: other },
    ]);
    expect(told.work.type).toBe("call-model");
  });

  /** What a fork of it records when it is prompted and its model is at the other address. */
  function sentByFork(told: Story) {
    const creation = { type: "creation", session: "f", cwd: "/project", limits: {} } as const;
    const { session } = decide(newSession(), { ...creation, forks: forkedFrom(told.session), at: 5 });
    expect(session.addresses).toEqual([one]);
    const prompted = decide(session, {
      ...{ type: "prompt", text: "more", delivery: "now", entry: "typed", at: 6 },
      ...{ by: person, authority: "act" },
    });
    const address = { origin: other, named: false };
    return decide(prompted.session, { type: "context", text: "", address, at: 7 }).events[0];
  }

  verifies("CLI-5h", "is where the session went that it is a fork of", () => {
    const moved = { type: "model.failed", failure: { class: "moved" } };
    expect(sentByFork(answered())).toMatchObject(moved);
    const command = { tool: "terminal", arguments: "make", asks: terminal("make").asks };
    const entered = at(story().prompt("list"), one).modelFails();
    entered.give({ type: "command", text: "!make", ...command, by: person, authority: "act" });
    expect(sentByFork(entered)).toMatchObject(moved);
    const summed = at(story().prompt("list"), one).modelFails();
    summed.give({ type: "compaction", by: person, authority: "act" }).summarise("nothing yet");
    expect(sentByFork(summed)).toMatchObject(moved);
  });

  verifies("CLI-5g", "may be put right in a fork, too, as long as no model has said anything", () => {
    const told = at(story().prompt("list"), one).modelFails();
    expect(sentByFork(told)).toMatchObject({ type: "context.changed", address: other, before: one });
  });

  verifies("CLI-5h", "stays what it was while no request is due", () => {
    const told = at(answered(), other);
    expect(told.last.events).toEqual([]);
    expect(told.session.addresses).toEqual([one]);
  });
});
