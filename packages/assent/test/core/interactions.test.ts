import { describe, expect, test } from "vitest";
import {
  entries,
  evolve,
  fold,
  type InteractionResponse,
  openInteraction,
  type Session,
  type SessionEvent,
} from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { ask, person, read, running, type Story, story, terminal } from "./story.ts";

function asked(draft: Parameters<typeof ask>[0] = {}): Story {
  return story().prompt("go").model("", ask(draft));
}

function approval(): Story {
  return story().prompt("go").model("", terminal("rm -rf build")).judge("ask");
}

/** The state with its logs as plain lists: versions of a log may share storage. */
function plain({ history, resolved, ...rest }: Session) {
  return { ...rest, history: entries(history), resolved: entries(resolved) };
}

function resolutionOf(told: Story, id: string) {
  return entries(told.session.resolved).filter(({ request }) => request.interaction_id === id);
}

// ── One terminal transition, of six kinds ──────────────────────────────────────────────────────────────────────────

const red = { interaction_id: "s-1", selected_option_id: "red", cancelled: false };
const no = { interaction_id: "s-1", confirmed: false, selected_option_id: "no", cancelled: false };
const cancel = { interaction_id: "s-1", cancelled: true };
const shown = "digest of the block";
const answered = { state: "answered", response: red, by: person, shown: null };
const declined = { state: "declined", response: no, by: person, shown };
const cancelled = { state: "cancelled", response: cancel, by: person, shown };
const aborted = { state: "aborted", by: person };
const withdrawn = { state: "withdrawn", reason: "stopped" };

/** Each way to end, its state, and how a later answer is refused. */
const endings = {
  answered: {
    end: () => later(asked()).respond({ selected_option_id: "red" }),
    how: answered,
    refusal: {
      code: "already_resolved",
      detail: "interaction s-1 was answered by ada in test",
      winner: { ...answered, at: 1007 },
    },
  },
  declined: {
    end: () => later(approval()).reply("no"),
    how: declined,
    refusal: {
      code: "already_resolved",
      detail: "interaction s-1 was declined by ada in test",
      winner: { ...declined, at: 1007 },
    },
  },
  cancelled: {
    end: () => later(asked()).reply("cancel"),
    how: cancelled,
    refusal: {
      code: "already_resolved",
      detail: "interaction s-1 was cancelled by ada in test",
      winner: { ...cancelled, at: 1007 },
    },
  },
  expired: {
    end: () => later(asked({ timeout_ms: 7 })).wait(0),
    how: { state: "expired" },
    refusal: { code: "expired", detail: "interaction s-1 expired" },
  },
  aborted: {
    end: () => later(asked()).reply("").reply("").reply("").reply(""),
    how: aborted,
    refusal: {
      code: "already_resolved",
      detail: "interaction s-1 was aborted by ada in test",
      winner: { ...aborted, at: 1007 },
    },
  },
  withdrawn: {
    end: () => later(running().model("", ask())).stop(),
    how: withdrawn,
    refusal: {
      code: "already_resolved",
      detail: "interaction s-1 was withdrawn: stopped",
      winner: { ...withdrawn, at: 1007 },
    },
  },
};

function later(told: Story): Story {
  told.at += 7;
  return told;
}

describe.each(Object.entries(endings))("an interaction that is %s", (state, { end, how, refusal }) => {
  verifies("INT-11b", "is in that terminal state and no other", () => {
    const told = end();
    const { request } = told.find("interaction.requested");
    expect(resolutionOf(told, "s-1")).toEqual([{ request, at: 1007, how }]);
    expect(told.session.interactions).toEqual([]);
    expect(how.state).toBe(state);
  });

  verifies(["INT-4a", "INT-11a"], "stays so whatever arrives, and says who won", () => {
    const told = end();
    const before = resolutionOf(told, "s-1");
    const answers: readonly InteractionResponse[] = [
      { interaction_id: "s-1", selected_option_id: "blue", cancelled: false },
      { interaction_id: "s-1", selected_option_id: "no such", cancelled: false },
      { interaction_id: "s-1", cancelled: true },
      { interaction_id: "s-1", cancelled: false },
    ];
    later(told);
    for (const line of ["1", "yes", "cancel", "stop", ""]) {
      told.give({ type: "reply", interaction: "s-1", line, shown, by: person, authority: "act" });
      expect(told.last).toEqual({ events: [], refusal });
    }
    for (const response of answers) {
      told.give({ type: "response", response, shown, by: person, authority: "act" });
      expect(told.last).toEqual({ events: [], refusal });
    }
    told.wait(1_000_000).give({ type: "nobody", interaction: "s-1", unattended: "abort" }).crash();
    expect(resolutionOf(told, "s-1")).toEqual(before);
    const about = told.events.filter((event) => "interaction" in event && event.interaction === "s-1");
    expect(about.filter(({ type }) => type !== "interaction.rejected")).toHaveLength(1);
  });

  verifies("INT-11a", "takes no second end even from its own journal", () => {
    const told = end();
    const events: readonly SessionEvent[] = [
      { type: "interaction.expired", at: 2000, interaction: "s-1" },
      { type: "interaction.resolved", at: 2000, interaction: "s-1", state: "withdrawn", reason: "stopped" },
      {
        type: "interaction.rejected",
        at: 2000,
        interaction: "s-1",
        attempt: 1,
        code: "invalid_option",
        detail: "",
        by: person,
      },
    ];
    for (const event of events) {
      expect(plain(evolve(told.session, event))).toEqual(plain({ ...told.session, seq: told.session.seq + 1 }));
    }
  });
});

verifies("INT-4a", "an id nobody ever asked under is unknown, to typed and to typing adapters", () => {
  const refusal = { code: "unknown_interaction", detail: "no interaction has the id s-9" };
  const told = asked();
  told.give({ type: "reply", interaction: "s-9", line: "1", shown: null, by: person, authority: "act" });
  expect(told.last).toEqual({ events: [], refusal });
  expect(told.respond({ interaction_id: "s-9", selected_option_id: "red" }).last).toEqual({ events: [], refusal });
  expect(told.session.interactions[0]?.attempts).toBe(0);
});

verifies("INT-11c", "time alone ends nothing: dismissed, it is open with all its attempts", () => {
  const told = asked().reply("");
  const before = told.session;
  for (let hours = 0; hours < 1000; hours++) told.wait(3_600_000);
  expect(told.crash().session).toEqual(before);
  expect(told.session.interactions[0]?.attempts).toBe(1);
  expect(told.reply("2").find("call.finished").result).toEqual({ type: "output", text: "Blue" });
});

// ── The stored request ─────────────────────────────────────────────────────────────────────────────────────────────

verifies("INT-5b", "the request is kept as stored: no reply and no refolding changes a byte of it", () => {
  const options = ["z", "a", "m"].map((id) => ({ id, label: id.toUpperCase(), description: `about ${id}` }));
  const told = asked({ question: "Which  way?", options, multi_select: true, timeout_ms: 900 });
  const bytes = JSON.stringify(told.find("interaction.requested").request);
  const bytesNow = () => JSON.stringify(openInteraction(told.session)?.request);
  const bytesDue = () => told.work.type === "ask-person" && JSON.stringify(told.work.request);
  for (const line of ["", "4", "1, 2"]) {
    told.reply(line).wait(1).crash();
    expect([bytesNow(), bytesDue()]).toEqual([bytes, bytes]);
  }
  const read = fold(JSON.parse(JSON.stringify(told.events)));
  expect(JSON.stringify(openInteraction(read)?.request)).toBe(bytes);
});

test("the question at the turn limit is the same bytes in any two sessions, but for its id", () => {
  const atLimit = (session: string, turns: number, prompt: string) => {
    const told = story({ turns });
    told.session = fold([{ ...told.find("session.created"), session, cwd: `/${session}` }]);
    told.prompt(prompt);
    for (let turn = 0; turn < turns; turn++) told.model(prompt, terminal(prompt)).runTools(prompt);
    const { interaction_id, ...request } = told.find("interaction.requested").request;
    expect(interaction_id).toBe(`${session}-1`);
    return JSON.stringify(request);
  };
  expect(atLimit("one", 1, "build it")).toBe(atLimit("other", 3, "and test it"));
});

// ── Where no question is ─────────────────────────────────────────────────────────────────────────────────────────────

test("only a running call asks for input", () => {
  const told = story().prompt().model("", terminal("a"), terminal("b"));
  const draft = { question: "Name?", options: [], allow_free_text: true };
  const askFor = (call: string) => told.give({ type: "input-request", call, draft }).last;
  const refused = (call: string) => ({
    events: [],
    refusal: { code: "unknown_call", detail: `call ${call} is not running` },
  });
  expect(askFor("t9c9")).toEqual(refused("t9c9"));
  expect(askFor("t1c1")).toEqual(refused("t1c1"));
  told.judge();
  expect(askFor("t1c1")).toEqual(refused("t1c1"));
  told.start().finish("t1c1");
  expect(askFor("t1c1")).toEqual(refused("t1c1"));
});

test.each<[string, (told: Story) => Story]>([
  ["stopped", (told) => told.stop()],
  ["killed", (told) => told.stop("kill")],
  ["bound to end because nobody could be asked", (told) => told.nobody("abort")],
  ["told to be killed because its question was cancelled", (told) => told.reply("cancel")],
  ["told to be killed because its question expired", (told) => told.wait(500)],
])("a call that was %s asks for no input", (_how, end) => {
  const told = story().prompt().model("", terminal("login")).judge().start();
  const draft = { question: "Name?", options: [], allow_free_text: true, timeout_ms: 500 };
  end(told.give({ type: "input-request", call: "t1c1", draft }));
  expect(told.session.interactions).toEqual([]);
  const detail = "call t1c1 is bound to end and gets no more answers";
  expect(told.give({ type: "input-request", call: "t1c1", draft }).last).toEqual({
    events: [],
    refusal: { code: "unknown_call", detail },
  });
});

test("a call beside one that is to be killed may still ask", () => {
  const told = story().prompt().model("", read("a"), read("b")).judge().start();
  const draft = { question: "Name?", options: [], allow_free_text: true };
  told.give({ type: "input-request", call: "t1c1", draft }).reply("cancel");
  expect(told.give({ type: "input-request", call: "t1c2", draft }).last.refusal).toBeNull();
  expect(told.session.interactions).toMatchObject([{ purpose: { call: "t1c2" } }]);
});

test.each(["deny", "park", "abort"] as const)(
  "nobody to ask means the question it names and no other (%s)",
  (unattended) => {
    const told = story().prompt().model("", ask(), ask()).reply("1");
    expect(told.asked).toBe("s-2");
    // Someone answered meanwhile, or the question waits, or never was.
    for (const interaction of ["s-1", "s-3", ""]) {
      expect(told.give({ type: "nobody", interaction, unattended }).last).toEqual({ events: [], refusal: null });
    }
    const inputs = story().prompt().model("", read("a"), read("b")).judge().start();
    const draft = { question: "Name?", options: [], allow_free_text: true };
    for (const call of ["t1c1", "t1c2"]) inputs.give({ type: "input-request", call, draft });
    inputs.give({ type: "nobody", interaction: "s-2", unattended });
    expect(inputs.last).toEqual({ events: [], refusal: null });
    expect(inputs.session.interactions).toHaveLength(2);
  },
);

test("while a question stands before the model call, no model result is awaited", () => {
  const told = story({ turns: 1 }).prompt().model("", terminal()).runTools().model("too early");
  expect(told.last).toEqual({
    events: [],
    refusal: { code: "stale_result", detail: "no model request 2 is awaited" },
  });
});
