import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type ApiInteraction, type ApiSession, apiClient } from "../src/assent.ts";
import { Drafts } from "../src/drafts.ts";
import { Inbox, idOf } from "../src/state/inbox.ts";
import { removal } from "./e2e/shop.ts";

/** What the server would answer, by path; `null` is a connection that breaks. */
type Answers = Map<string, (body: string) => { status?: number; value: unknown } | null>;

let now = 0;
let answers: Answers;
let announced: string[];
let sent: { path: string; answer: string }[];
let drafts: Drafts;
let inbox: Inbox;

beforeEach(() => {
  vi.useFakeTimers();
  now = 10_000;
  answers = new Map();
  announced = [];
  sent = [];
  drafts = new Drafts(null);
  inbox = opened();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The page, as it is opened or loaded again: what was begun is there. */
function opened(): Inbox {
  const page = new Inbox({
    client: apiClient({ url: "http://test", fetch: answering }),
    drafts,
    announce: (text) => announced.push(text),
    signedOut: () => announced.push("signed out"),
    now: () => now,
  });
  page.setView("all");
  return page;
}

async function answering(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const path = String(input).replace("http://test", "");
  const body = typeof init?.body === "string" ? init.body : "";
  if (body !== "") sent.push({ path, answer: new Headers(init?.headers).get("idempotency-key") ?? "" });
  const answer = answers.get(path)?.(body) ?? null;
  if (answer === null) throw new TypeError("connection broken");
  return Response.json(answer.value, { status: answer.status ?? 200 });
}

function interaction(id: string, change: Partial<ApiInteraction> = {}): ApiInteraction {
  const request = { ...removal(id), allow_free_text: true, allow_cancel: true };
  const session = id.replace(/-\d+$/, "");
  return { session, session_name: null, cwd: "/", at: 1, state: "open", request, attempts: 0, ...change };
}

function asks(...open: readonly ApiInteraction[]): void {
  const list = { interactions: open, total: open.length, damage: [] };
  answers.set("/v1/interactions?limit=100&offset=0", () => ({ value: list }));
  for (const each of open) one(each);
}

function one(each: ApiInteraction): void {
  answers.set(`/v1/interactions/${each.request.interaction_id}`, () => ({ value: each }));
}

function session(id: string, interaction: string | null): ApiSession {
  const dates = { created: 1, changed: 1, events: 1 };
  const rest = { name: null, cwd: "/", prompt: null, outcome: null, open: true, holder: null } as const;
  return { session: id, status: "active", ...dates, ...rest, interaction };
}

function open(): readonly string[] {
  return inbox.state.value.slots.flatMap(({ question }) => (question === null ? [] : [idOf(question)]));
}

/** A question that root has declined elsewhere. */
function declined(id: string): ApiInteraction {
  const response = { interaction_id: id, free_text: "not this, please", cancelled: false };
  const by = { name: "root", adapter: "answer" };
  return interaction(id, { state: "declined", resolution: { state: "declined", at: 2, by, response } });
}

function gone(id: string): void {
  answers.set(`/v1/interactions/${id}`, () => ({
    status: 404,
    value: { error: { code: "unknown_interaction", detail: "unknown" } },
  }));
}

/** The first question is answered here, and the second one is open. */
async function answerFirst(): Promise<void> {
  asks(interaction("b-1"));
  answers.set("/v1/interactions/b-1/response", () => ({ value: { accepted: true, replayed: false, seq: 1 } }));
  await inbox.load();
  inbox.shown("b-1");
  now += 300;
  inbox.choose("b", yes, "key");
  await vi.advanceTimersByTimeAsync(10);
  one(interaction("b-2"));
  await inbox.onSession(session("b", "b-2"));
  inbox.shown("b-2");
  now += 300;
}

const yes = { given: { selected_option_id: "yes" }, said: "1) Yes" };

test("a list that was made before a question was asked does not close that question", async () => {
  asks(interaction("a-1"));
  await inbox.load();
  one(interaction("b-1"));
  await inbox.onSession(session("b", "b-1"));
  await inbox.load();
  await vi.runAllTimersAsync();
  expect(open()).toEqual(["a-1", "b-1"]);
});

test("what was answered while the connection was lost is closed, and it is told who did it", async () => {
  asks(interaction("a-1"));
  await inbox.load();
  const by = { name: "eve", adapter: "terminal pts/3" };
  asks();
  one(interaction("a-1", { state: "declined", resolution: { state: "declined", at: 2, by } }));
  await inbox.load();
  await vi.advanceTimersByTimeAsync(10);
  expect(open()).toEqual([]);
  expect(announced.at(-1)).toBe("Declined by eve in terminal pts/3");
});

test("the next question waits until the answer to the one before is confirmed", async () => {
  asks(interaction("a-1"));
  let confirm = (): void => {};
  const confirmed = new Promise<void>((resolve) => {
    confirm = resolve;
  });
  const respond = vi.fn(async () => {
    await confirmed;
    return Response.json({ accepted: true, replayed: false, seq: 1 });
  });
  const slow = new Inbox({
    client: apiClient({
      url: "http://test",
      fetch: (input, init) => (init?.method === "POST" ? respond() : answering(input, init)),
    }),
    drafts: new Drafts(null),
    announce: (text) => announced.push(text),
    signedOut: () => {},
    now: () => now,
  });
  slow.setView("all");
  await slow.load();
  slow.shown("a-1");
  now += 300;
  slow.choose("a", yes, "key");
  slow.choose("a", yes, "key");
  one(interaction("a-2"));
  await slow.onSession(session("a", "a-2"));
  expect(slow.slot("a")?.question?.sending).toBe("1) Yes");
  confirm();
  await vi.advanceTimersByTimeAsync(10);
  expect(slow.slot("a")).toMatchObject({ last: "Sent: 1) Yes", question: { sending: null } });
  expect(slow.slot("a")?.question?.interaction.request.interaction_id).toBe("a-2");
  expect(respond).toHaveBeenCalledTimes(1);
});

test("an answer that found nobody is kept, and sent again it is the same one; another one is another", async () => {
  asks(interaction("a-1"));
  await inbox.load();
  inbox.shown("a-1");
  now += 300;
  inbox.choose("a", yes, "key");
  await vi.advanceTimersByTimeAsync(30_000);
  expect(inbox.slot("a")?.question?.notice).toContain("could not be reached");
  inbox.choose("a", yes, "key");
  await vi.advanceTimersByTimeAsync(30_000);
  inbox.choose("a", { given: { selected_option_id: "no" }, said: "2) No" }, "key");
  await vi.advanceTimersByTimeAsync(30_000);
  const ids = sent.map(({ answer }) => answer);
  expect(new Set(ids.slice(0, 10)).size).toBe(1);
  expect(new Set(ids).size).toBe(2);
});

test("a key counts a quarter of a second after the question was drawn, and after it became the one that is answered", async () => {
  asks(interaction("a-1"), interaction("b-1", { at: 2 }));
  answers.set("/v1/interactions/a-1/response", () => ({ value: { accepted: true, replayed: false, seq: 1 } }));
  await inbox.load();
  expect(inbox.isArmed("a")).toBe(false);
  inbox.shown("a-1");
  inbox.shown("b-1");
  now += 249;
  expect(inbox.isArmed("a")).toBe(false);
  now += 1;
  expect([inbox.isArmed("a"), inbox.isArmed("b")]).toEqual([true, true]);
  inbox.choose("a", yes, "key");
  await vi.advanceTimersByTimeAsync(10);
  expect(inbox.state.value.active).toBe("b");
  expect(inbox.isArmed("b")).toBe(false);
  now += 250;
  expect(inbox.isArmed("b")).toBe(true);
  // Gone to by the person themselves, it is the one that was meant.
  inbox.activate("b");
  expect(inbox.isArmed("b")).toBe(true);
});

test("what is over stays while a pointer moves, and goes afterwards", async () => {
  asks(interaction("a-1"));
  answers.set("/v1/interactions/a-1/response", () => ({ value: { accepted: true, replayed: false, seq: 1 } }));
  await inbox.load();
  inbox.shown("a-1");
  now += 300;
  inbox.choose("a", yes, "key");
  await vi.advanceTimersByTimeAsync(10);
  now += 3_000;
  inbox.pointed();
  await vi.advanceTimersByTimeAsync(3_000);
  expect(inbox.slot("a")?.last).toBe("Sent: 1) Yes");
  now += 3_000;
  await vi.advanceTimersByTimeAsync(3_000);
  expect(inbox.slot("a")).toBeUndefined();
});

test("what was begun and what was kept to be sent again is told as at a live change when its question ended unseen", async () => {
  await answerFirst();
  expect(inbox.slot("b")).toMatchObject({ last: "Sent: 1) Yes", lastOf: "b-1", question: { kept: null } });
  inbox.type("b", "not in the shop");
  inbox.choose("b", yes, "key");
  await vi.advanceTimersByTimeAsync(30_000);
  expect(inbox.slot("b")?.question?.notice).toContain("Your answer is kept here");
  asks(interaction("b-3"));
  one(declined("b-2"));
  await inbox.load();
  const last =
    "Your answer came too late. Declined by root in answer: not this, please; you had begun to write: not in the shop";
  expect(inbox.slot("b")).toMatchObject({ last, lastOf: "b-2", question: { draft: "", notice: null } });
  expect(open()).toEqual(["b-3"]);
  expect(announced).toContain(last);
  expect(drafts.get("question/b-2")).toBe("");
});

test("an answer whose confirmation was lost is told as sent, and not as too late", async () => {
  await answerFirst();
  inbox.choose("b", yes, "key");
  await vi.advanceTimersByTimeAsync(30_000);
  asks(interaction("b-3"));
  const response = { interaction_id: "b-2", selected_option_id: "yes", cancelled: false };
  const answer_id = sent.at(-1)?.answer ?? "";
  const by = { name: "ada", adapter: "page" };
  const resolution = { state: "answered", at: 2, by, response: { ...response, answer_id } };
  one(interaction("b-2", { state: "answered", resolution }));
  await inbox.load();
  expect(inbox.slot("b")).toMatchObject({ last: "Sent: 1) Yes", lastOf: "b-2" });
  expect(open()).toEqual(["b-3"]);
});

test("a session that is looked at tells first how the question that it shows has ended", async () => {
  await answerFirst();
  inbox.type("b", "not in the shop");
  one(declined("b-2"));
  one(interaction("b-3"));
  await inbox.ensure("b", "b-3");
  const last = "Declined by root in answer: not this, please; you had begun to write: not in the shop";
  expect(inbox.slot("b")).toMatchObject({ last, lastOf: "b-2" });
  expect(open()).toEqual(["b-3"]);
});

test("what is told of one question is not told as that of the question before a later one", async () => {
  await answerFirst();
  // How the second one ended, nobody says.
  answers.delete("/v1/interactions/b-2");
  asks(interaction("b-3"));
  await inbox.load();
  expect(inbox.slot("b")).toMatchObject({ last: null, lastOf: null });
  // Here nothing was open when the connection was lost.
  answers.set("/v1/interactions/b-3/response", () => ({ value: { accepted: true, replayed: false, seq: 1 } }));
  inbox.shown("b-3");
  now += 300;
  inbox.choose("b", yes, "key");
  await vi.advanceTimersByTimeAsync(10);
  expect(inbox.slot("b")).toMatchObject({ question: null, last: "Sent: 1) Yes" });
  asks(interaction("b-5"));
  await inbox.load();
  expect(inbox.slot("b")).toMatchObject({ last: null, lastOf: null });
  expect(open()).toEqual(["b-5"]);
});

test("what was begun before a reload for a question that is over is told once, beside the next one or alone", async () => {
  asks(interaction("a-1"), interaction("b-2"), interaction("c-1"), interaction("d-1"));
  await inbox.load();
  for (const each of ["a", "b", "c", "d"]) inbox.type(each, `begun in ${each}`);
  asks(interaction("a-1"), interaction("b-3"));
  one(declined("b-2"));
  one(declined("c-1"));
  gone("d-1");
  inbox = opened();
  await inbox.load();
  const told = "Declined by root in answer: not this, please; you had begun to write: begun in";
  expect(inbox.slot("a")).toMatchObject({ last: null, question: { draft: "begun in a" } });
  expect(inbox.slot("b")).toMatchObject({ last: `${told} b`, lastOf: "b-2", question: { draft: "" } });
  expect(inbox.slot("c")).toEqual({ session: "c", question: null, last: `${told} c`, lastOf: "c-1" });
  expect(inbox.slot("d")).toBeUndefined();
  expect(announced.filter((each) => each.startsWith(told))).toEqual([`${told} b`, `${told} c`]);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(inbox.slot("c")).toBeUndefined();
  inbox = opened();
  await inbox.load();
  expect(inbox.slot("b")).toMatchObject({ last: null });
  expect(inbox.slot("c")).toBeUndefined();
});

test("what was begun before a reload stays where nobody says that its question is over", async () => {
  asks(interaction("a-1"), interaction("b-1"));
  await inbox.load();
  for (const each of ["a", "b"]) inbox.type(each, `begun in ${each}`);
  // The list was made before the one was asked, and of the other the server does not answer.
  asks();
  answers.delete("/v1/interactions/b-1");
  inbox = opened();
  await inbox.load();
  expect([drafts.get("question/a-1"), drafts.get("question/b-1")]).toEqual(["begun in a", "begun in b"]);
  await inbox.ensure("a", "a-1");
  expect(inbox.slot("a")?.question?.draft).toBe("begun in a");
});

test("a click that was aimed before it was told what had been begun answers nothing", async () => {
  asks(interaction("b-2"));
  await inbox.load();
  inbox.type("b", "begun");
  asks(interaction("b-3"));
  one(declined("b-2"));
  inbox = opened();
  const loading = inbox.load();
  while (inbox.slot("b") === undefined) await Promise.resolve();
  inbox.shown("b-3");
  now += 300;
  await loading;
  inbox.choose("b", yes, "click");
  expect(sent).toEqual([]);
  expect(inbox.slot("b")?.question?.notice).toContain("had only just come to stand here");
});

test("where the store was changed, the way on is told by the word that stands on the page", async () => {
  asks(interaction("a-1"));
  const error = { code: "not_as_recorded", detail: "event 3: the text was changed" };
  answers.set("/v1/interactions/a-1/response", () => ({ status: 423, value: { error } }));
  await inbox.load();
  inbox.shown("a-1");
  now += 300;
  inbox.choose("a", yes, "key");
  await vi.advanceTimersByTimeAsync(10);
  expect(inbox.slot("a")?.question).toMatchObject({
    notice: expect.stringMatching(
      /^event 3: the text was changed.*; on the page of its session, Stop ends what is open$/,
    ),
  });
});
