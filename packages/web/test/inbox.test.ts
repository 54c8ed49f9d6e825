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
let inbox: Inbox;

beforeEach(() => {
  vi.useFakeTimers();
  now = 10_000;
  answers = new Map();
  announced = [];
  sent = [];
  inbox = new Inbox({
    client: apiClient({ url: "http://test", fetch: answering }),
    drafts: new Drafts(null),
    announce: (text) => announced.push(text),
    signedOut: () => announced.push("signed out"),
    now: () => now,
  });
  inbox.setView("all");
});
afterEach(() => {
  vi.useRealTimers();
});

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
