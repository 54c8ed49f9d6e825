import { describe, expect, test } from "vitest";
import { decide, entries, forkedFrom, newSession, nextWork, type Session } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { bodies, person, read, type Story, story, terminal } from "./story.ts";

const acted = { by: person, authority: "act" } as const;
const user = (text: string) => ({ role: "user", text }) as const;

/** The session that is a fork of this one. */
function forkOf({ session }: Story): { readonly session: Session; readonly events: readonly object[] } {
  const creation = { type: "creation", session: "f", cwd: "/project", limits: {}, forks: forkedFrom(session) } as const;
  const { session: forked, events } = decide(newSession(), { ...creation, at: 5 });
  return { session: forked, events: bodies(events) };
}

describe("a fork", () => {
  verifies("SESS-3a", "begins with the history of the other session, whose calls have other names here", () => {
    const told = story().prompt("list").model("", terminal("ls")).runTools("a.txt").model("One file.");
    told.give({ type: "name", name: "files", ...acted });
    const history = [
      user("list"),
      {
        role: "assistant",
        text: "",
        calls: [{ id: "ft1c1", original: expect.stringMatching(/^original-/), tool: "terminal", arguments: "ls" }],
      },
      { role: "tool", call: "ft1c1", original: expect.stringMatching(/^original-/), text: "a.txt", failed: false },
      { role: "assistant", text: "One file.", calls: [] },
    ];
    const { session, events } = forkOf(told);
    expect(events).toMatchObject([
      { type: "session.created", session: "f" },
      { type: "session.forked", from: "s", until: told.session.seq, name: "files", history },
    ]);
    expect(entries(session.history)).toEqual(history);
    expect(session.history?.weight).toBe(told.session.history?.weight);
    expect(session).toMatchObject({ name: null, turns: 0, measured: null, exchange: null, status: "active" });
  });

  verifies("SESS-3a", "of a session at work gives each call a result, and says that it was not finished", () => {
    const told = story().prompt("list").model("", read("a"), read("b"), terminal("ls")).judge().start();
    told.finish("t1c1", "A");
    const messages = entries(forkOf(told).session.history);
    expect(messages.slice(2)).toEqual([
      { role: "tool", call: "ft1c1", original: expect.any(String), text: "A", failed: false },
      { role: "tool", call: "ft1c2", original: expect.any(String), text: unfinished, failed: true },
      { role: "tool", call: "ft1c3", original: expect.any(String), text: unfinished, failed: true },
      user("[assent: this session was forked here from one that was still at work on this]"),
    ]);
  });

  verifies("SESS-3a", "of an aborted session can go on", () => {
    const told = story({ turns: 1 }).prompt("one").model("First.").prompt("two").reply("no");
    expect(told.session.status).toBe("aborted");
    const { session } = forkOf(told);
    const prompt = { type: "prompt", text: "three", delivery: "now", entry: "typed", ...acted } as const;
    const next = decide(session, { ...prompt, at: 6 });
    expect(next.refusal).toBeNull();
    expect(nextWork(next.session)).toMatchObject({ type: "call-model", request: { closing: "three" } });
  });

  test("of a fork keeps the names of its calls apart", () => {
    const told = story().prompt("list").model("", terminal("ls")).runTools().model("One.");
    const { session } = forkOf(told);
    const again = story().prompt("more").model("", terminal("ls")).runTools().model("Two.");
    const both = { ...again.session, history: forkOf(again).session.history };
    const names = [...forkedFrom(session).history, ...entries(both.history)].flatMap((message) =>
      message.role === "tool" ? [message.call] : [],
    );
    expect(names).toEqual(["fft1c1", "ft1c1"]);
  });

  test("of a person's command that runs has no call to answer", () => {
    const call = { tool: "terminal", arguments: "make", asks: terminal("make").asks };
    const told = story().give({ type: "command", text: "!make", ...call, ...acted });
    expect(entries(forkOf(told).session.history)).toEqual([
      user("!make"),
      user("[assent: this session was forked here from one that was still at work on this]"),
    ]);
  });
});

const unfinished =
  "not finished when this session was forked from the one where it was called; its result is not known here";
