import { describe, expect, test } from "vitest";
import { type EventBody, entries, type SessionEvent, type Unanswered, type Withdrawal } from "../../src/core/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { ask, person, running, type Story, stored, story, terminal } from "./story.ts";

// ── The four columns of the table ANS-7, each just opened, with half a second to answer ────────────────────────────

const timeout_ms = 500;
const columns = {
  question: () => story().prompt("go").model("looking", ask({ timeout_ms })),
  approval: () => story().prompt("go").model("looking", terminal("rm -rf build")).judge("ask", { timeout_ms }),
  "turn limit": () => stored(story({ turns: 1 }).prompt("go").model("looking", terminal()).runTools(), { timeout_ms }),
  "terminal input": () => needsInput(story().prompt("go").model("looking", terminal("login")).judge().start()),
};
type Column = keyof typeof columns;
const names: readonly Column[] = ["question", "approval", "turn limit", "terminal input"];

function needsInput(told: Story): Story {
  const draft = { question: "Name?", options: [], allow_free_text: true, timeout_ms };
  return told.give({ type: "input-request", call: "t1c1", draft });
}

// ── What can follow ────────────────────────────────────────────────────────────────────────────────────────────────

/** The whole events of the last input, what the model has heard since its reply, and the work that is due. */
type Aftermath = { readonly events: readonly EventBody[]; readonly heard: readonly string[]; readonly due: string };

function aftermath(told: Story): { events: readonly SessionEvent[]; heard: readonly string[]; due: string } {
  return { events: told.last.events, heard: heard(told), due: due(told) };
}

function at(told: Story, { events, ...rest }: Aftermath) {
  return { events: events.map((event) => ({ ...event, at: told.at })), ...rest };
}

function heard(told: Story): readonly string[] {
  const messages = entries(told.session.history);
  return messages.slice(messages.findLastIndex(({ role }) => role === "assistant") + 1).map((message) => {
    if (message.role === "tool") return `${message.failed ? "error" : "result"}: ${message.text}`;
    return message.text;
  });
}

function due({ work }: Story): string {
  if (work.type === "rest") return `rest, waiting for ${work.waiting}`;
  if (work.type === "kill-tools") return `kill ${work.calls.map(({ call, reason }) => `${call.id} (${reason})`)}`;
  return work.type;
}

const call = "t1c1";
const closed: EventBody = { type: "turn.closed", turn: 1, counted: true };
const finished = (text: string): EventBody => ({ type: "call.finished", call, result: { type: "error", text } });
const refused = (why: Unanswered, reason: string): EventBody => ({ type: "call.refused", call, why, reason });
const endOf = { type: "exchange.ended", exchange: 1, text: "looking" } as const;
const failed = { outcome: "failed", reason: "nobody", detail: "nobody could be asked (--unattended=abort)" } as const;
const failure: readonly EventBody[] = [
  { ...endOf, ...failed },
  { type: "session.aborted", reason: "nobody" },
];

/** The call gets an error result and the model goes on. */
function goesOn(how: readonly EventBody[], text: string): Aftermath {
  return { events: [...how, finished(text), closed], heard: [`error: ${text}`], due: "call-model" };
}

/** The call is refused and the model goes on. */
function refusedAndGoesOn(how: readonly EventBody[], why: Unanswered, reason: string): Aftermath {
  return {
    events: [...how, refused(why, reason), closed],
    heard: [`error: not approved: ${reason}`],
    due: "call-model",
  };
}

/** The call is not done and the exchange ends: the model is asked nothing more. A question is skipped, an approval refused. */
function endsExchange(
  how: readonly EventBody[],
  why: "cancelled" | "stopped",
  reason: string,
): Record<"question" | "approval", Aftermath> {
  const ends = (settled: EventBody, told: string): Aftermath => ({
    events: [...how, settled, closed, { ...endOf, outcome: why }],
    heard: [told, `[assent: the exchange ended: ${why}]`],
    due: "rest, waiting for prompt",
  });
  return {
    question: ends({ type: "call.skipped", call, why, reason }, `result: skipped: ${reason}`),
    approval: ends(refused(why, reason), `error: not approved: ${reason}`),
  };
}

function sessionAborts(how: readonly EventBody[]): Aftermath {
  const ending: EventBody = { ...endOf, outcome: "turn-limit", bound: "turns" };
  return {
    events: [...how, ending, { type: "session.aborted", reason: "turn-limit" }],
    heard: ["result: ok", "[assent: the exchange ended: turn-limit]"],
    due: "rest, waiting for nothing",
  };
}

/** Nothing but the end of the question is recorded until the killed command's own result comes. */
function killed(how: readonly EventBody[], reason: string): Aftermath {
  return { events: how, heard: [], due: `kill t1c1 (${reason})` };
}

const resultOfKill = finished("killed");
const killedThenGoesOn: Aftermath = {
  events: [resultOfKill, closed],
  heard: ["error: killed"],
  due: "call-model",
};
const killedThenStopped: Aftermath = {
  events: [resultOfKill, closed, { ...endOf, outcome: "stopped" }],
  heard: ["error: killed", "[assent: the exchange ended: stopped]"],
  due: "rest, waiting for prompt",
};
const killedThenFailed: Aftermath = {
  events: [resultOfKill, closed, ...failure],
  heard: ["error: killed", "[assent: the exchange ended: failed]"],
  due: "rest, waiting for nothing",
};

// ── The rows, each by every way that leads there ───────────────────────────────────────────────────────────────────

type Row = {
  readonly id: string;
  readonly end: (told: Story) => Story;
  readonly cells: Record<Column, Aftermath>;
  /** What follows the killed command's result. */
  readonly afterKill: Aftermath;
};

function cancelled(end: (told: Story) => Story, shown: string | null): Row {
  const response = { interaction_id: "s-1", cancelled: true };
  const state = { state: "cancelled", response, by: person, shown } as const;
  const how: readonly EventBody[] = [{ type: "interaction.resolved", interaction: "s-1", ...state }];
  const ends = endsExchange(how, "cancelled", "FLOW_CANCEL");
  const cells = { ...ends, "turn limit": sessionAborts(how) };
  return {
    id: "ANS-7a",
    end,
    cells: { ...cells, "terminal input": killed(how, "cancelled") },
    afterKill: killedThenGoesOn,
  };
}

function unanswered(
  id: string,
  { end, how, why, text }: { end: Row["end"]; how: readonly EventBody[]; why: Unanswered; text: string },
): Omit<Row, "afterKill"> {
  const cells = {
    question: goesOn(how, text),
    approval: refusedAndGoesOn(how, why, text),
    "turn limit": sessionAborts(how),
  };
  return { id, end, cells: { ...cells, "terminal input": killed(how, "cancelled") } };
}

function aborted(): Row {
  const interaction = "s-1";
  const how: readonly EventBody[] = [
    {
      type: "interaction.rejected",
      interaction,
      attempt: 4,
      code: "invalid_response",
      detail: "an empty reply is never an answer",
      by: person,
    },
    { type: "interaction.resolved", interaction, state: "aborted", by: person },
  ];
  const end = (told: Story) => told.reply("").reply(" ").reply("Abort").reply("\t");
  const text = "STEP_ABORT";
  return { ...unanswered("ANS-7b", { end, how, why: "aborted", text }), afterKill: killedThenGoesOn };
}

function expired(): Row {
  const how: readonly EventBody[] = [{ type: "interaction.expired", interaction: "s-1" }];
  const end = (told: Story) => told.wait(timeout_ms);
  return { ...unanswered("ANS-7c", { end, how, why: "expired", text: "expired" }), afterKill: killedThenGoesOn };
}

function withdrawal(why: Withdrawal): EventBody {
  return { type: "interaction.resolved", interaction: "s-1", state: "withdrawn", ...why };
}

function stopped(end: (told: Story) => Story, mode: "graceful" | "kill"): Row {
  const how: readonly EventBody[] = [
    { type: "stop.requested", exchange: 1, mode, by: person },
    withdrawal({ reason: "stopped" }),
  ];
  const ends = endsExchange(how, "stopped", "the person stopped the exchange");
  const cells = { ...ends, "turn limit": sessionAborts(how) };
  return {
    id: "ANS-7d",
    end,
    cells: { ...cells, "terminal input": killed(how, "stopped") },
    afterKill: killedThenStopped,
  };
}

function denied(): Row {
  const how = [withdrawal({ reason: "nobody", unattended: "deny" })];
  const end = (told: Story) => told.nobody("deny");
  const row = unanswered("ANS-7f", { end, how, why: "nobody", text: "nobody-to-answer" });
  const cells = { ...row.cells, "terminal input": killed(how, "nobody") };
  return { ...row, cells, afterKill: killedThenGoesOn };
}

function nobodyAborts(): Row {
  const how = [withdrawal({ reason: "nobody", unattended: "abort" })];
  const text = "nobody-to-answer";
  const ends = (settled: EventBody, told: string): Aftermath => ({
    events: [...how, settled, closed, ...failure],
    heard: [told, "[assent: the exchange ended: failed]"],
    due: "rest, waiting for nothing",
  });
  const cells = {
    question: ends(finished(text), `error: ${text}`),
    approval: ends(refused("nobody", text), `error: not approved: ${text}`),
    "turn limit": sessionAborts(how),
    "terminal input": killed(how, "nobody"),
  };
  return { id: "ANS-7h", end: (told) => told.nobody("abort"), cells, afterKill: killedThenFailed };
}

const rows: Record<string, Row> = {
  "abort, typed": cancelled((told) => told.reply("abort"), "digest of the block"),
  "cancel, typed": cancelled((told) => told.reply("cancel\r\n"), "digest of the block"),
  "a cancelled response": cancelled((told) => told.respond({ cancelled: true }), null),
  "the fourth invalid reply": aborted(),
  "the deadline": expired(),
  "stop, typed": stopped((told) => told.reply("stop"), "graceful"),
  "STOP, typed": stopped((told) => told.reply("STOP\n"), "graceful"),
  "s t o p, typed": stopped((told) => told.reply("s t o p"), "graceful"),
  "a stop input": stopped((told) => told.stop(), "graceful"),
  "a kill input": stopped((told) => told.stop("kill"), "kill"),
  "nobody, deny": denied(),
  "nobody, abort": nobodyAborts(),
};

/** What was said beside a question is not shown, at the end either (TXT-8). */
function unseen(aftermath: Aftermath): Aftermath {
  const events = aftermath.events.map((event) => (event.type === "exchange.ended" ? { ...event, text: "" } : event));
  return { ...aftermath, events };
}

for (const [way, { id, end, cells, afterKill }] of Object.entries(rows)) {
  for (const column of names) {
    const title = `${way}, at a ${column}: what is recorded, what the model hears, what is due`;
    const run = () => {
      const told = end(columns[column]());
      expect(aftermath(told)).toEqual(at(told, column === "question" ? unseen(cells[column]) : cells[column]));
    };
    // The last column is proven as a whole only with real processes.
    if (column === "terminal input") test(title, run);
    else verifies(id, title, run);
  }
  test(`${way}, at a terminal input: the killed command's result closes the turn`, () => {
    const told = end(columns["terminal input"]()).finish("t1c1", "killed", { type: "error" });
    expect(aftermath(told)).toEqual(at(told, afterKill));
  });
}

// ── Dismissed, end of input, parked ────────────────────────────────────────────────────────────────────────────────

const answeredDue: Record<Column, string> = {
  question: "call-model",
  approval: "run-tools",
  "turn limit": "call-model",
  "terminal input": "rest, waiting for tools",
};
const valid: Record<Column, string> = { question: "1", approval: "yes", "turn limit": "1", "terminal input": "Ada" };

describe.each(names)("nobody says anything at a %s", (column) => {
  verifies("ANS-7e", "it stays open, loses no attempt and can still be answered", () => {
    const told = columns[column]();
    const before = { session: told.session, work: told.work };
    for (const milliseconds of [0, 1, 250, 248]) {
      told.wait(milliseconds);
      expect(told.last).toEqual({ events: [], refusal: null });
    }
    expect({ session: told.session, work: told.work }).toEqual(before);
    expect(told.session.interactions[0]?.attempts).toBe(0);
    told.reply(valid[column]);
    expect(told.find("interaction.resolved").state).toBe("answered");
    expect(due(told)).toBe(answeredDue[column]);
  });

  if (column !== "terminal input") {
    verifies("ANS-7g", "parked it stays open, also in the next process, and the answer goes on", () => {
      const told = columns[column]();
      const { session, work } = told;
      told.nobody("park");
      expect(told.last).toEqual({ events: [], refusal: null });
      expect({ session: told.session, work: told.work }).toEqual({ session, work });
      expect(work.type).toBe("ask-person");
      told.crash();
      expect(told.last).toEqual({ events: [], refusal: null });
      expect(told.work).toEqual(work);
      expect(due(told.reply(valid[column]))).toBe(answeredDue[column]);
    });
  }

  for (const unattended of ["deny", "abort"] as const) {
    verifies("ANS-7i", `the request is recorded, then withdrawn because of nobody (${unattended})`, () => {
      const told = columns[column]();
      const requested = told.find("interaction.requested");
      told.nobody(unattended);
      const about = told.events.filter(({ type }) => type.startsWith("interaction."));
      expect(about).toEqual([requested, { ...withdrawal({ reason: "nobody", unattended }), at: told.at }]);
    });
  }
});

test("a command that waits for its input is not parked but killed, and the model goes on", () => {
  const told = columns["terminal input"]().nobody("park");
  const how = [withdrawal({ reason: "nobody", unattended: "park" })];
  expect(aftermath(told)).toEqual(at(told, killed(how, "nobody")));
  told.finish("t1c1", "killed", { type: "error" });
  expect(aftermath(told)).toEqual(at(told, killedThenGoesOn));
});

test("nobody to ask, and nothing to ask, changes nothing", () => {
  const told = story().prompt().nobody("abort");
  expect(told.last).toEqual({ events: [], refusal: null });
});

// ── The edges of a row ─────────────────────────────────────────────────────────────────────────────────────────────

describe.each(names)("the deadline of a %s", (column) => {
  verifies("ANS-7c", "one millisecond before it an answer counts, at it none does", () => {
    const early = columns[column]();
    early.at += timeout_ms - 1;
    expect(early.reply(valid[column]).find("interaction.resolved").state).toBe("answered");
    const late = columns[column]();
    late.at += timeout_ms;
    late.reply(valid[column]);
    expect(late.last.refusal).toEqual({ code: "expired", detail: "interaction s-1 expired" });
    expect(late.last.events).toEqual(at(late, expired().cells[column]).events);
  });

  verifies("ANS-7c", "it also passes while no process runs", () => {
    const told = columns[column]();
    told.at += timeout_ms;
    told.crash();
    const { events } = expired().cells[column];
    const lost: readonly EventBody[] = column === "terminal input" ? [{ type: "call.unknown", call }, closed] : [];
    expect(told.last.events).toEqual([...events, ...lost].map((event) => ({ ...event, at: told.at })));
  });
});

test("in a run, cancel and stop end the run and its exchange with the same ending", () => {
  for (const [line, outcome, words] of [
    ["cancel", "cancelled", "FLOW_CANCEL"],
    ["stop", "stopped", "the person stopped the exchange"],
  ] as const) {
    const told = running().model("looking", ask(), terminal()).reply(line);
    const reason = `the exchange is ending (${outcome})`;
    expect(told.last.events.slice(-5)).toEqual([
      { type: "call.skipped", at: 1000, call: "t2c1", why: outcome, reason: words },
      { type: "call.skipped", at: 1000, call: "t2c2", why: "ending", reason },
      { type: "turn.closed", at: 1000, turn: 2, counted: true },
      { type: "run.ended", at: 1000, outcome },
      { type: "exchange.ended", at: 1000, exchange: 1, text: "", outcome },
    ]);
  }
});
