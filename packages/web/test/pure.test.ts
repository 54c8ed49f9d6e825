import { expect, test } from "vitest";
import { Drafts } from "../src/drafts.ts";
import { routeOf } from "../src/routes.ts";
import { endLine, notTaken } from "../src/state/answers.ts";
import { chosen, picked, written } from "../src/state/choosing.ts";
import { afterEvent, noLive, withLive } from "../src/state/live.ts";
import { Timeline } from "../src/state/timeline.ts";
import { Chain } from "../src/views/audit.tsx";
import { blocksOf } from "../src/views/markdown.tsx";
import { creationOf, refusedLine } from "../src/views/new-session.tsx";
import { markedPieces } from "../src/views/text.tsx";
import { approval } from "./e2e/shop.ts";

const request = { ...approval("x-1", "rm -r build", [0, 11, null]), allow_free_text: true, allow_cancel: true };

test.each([
  ["", { name: "inbox" }],
  ["#/", { name: "inbox" }],
  ["#/sessions", { name: "sessions" }],
  ["#/sessions/a%2Fb", { name: "session", session: "a/b" }],
  ["#/sessions/a/audit", { name: "audit", session: "a" }],
  ["#/sessions/%", { name: "session", session: "%" }],
  ["#/grants/", { name: "grants" }],
  ["#/elsewhere", { name: "unknown", path: "elsewhere" }],
])("the part after # leads somewhere: %s", (hash, route) => {
  expect(routeOf(hash)).toEqual(route);
});

test("a command is cut where a marked part begins or ends, parts that overlap are one, and all of it needs no mark", () => {
  const part = (start: number, end: number) => ({ reason: "", start, end, effective: null });
  expect(markedPieces("ls && rm -r x", [part(6, 13)])).toEqual([
    { text: "ls && ", marked: false },
    { text: "rm -r x", marked: true },
  ]);
  expect(markedPieces("abcdef", [part(1, 3), part(2, 4), part(-5, 0)]).filter(({ marked }) => marked)).toEqual([
    { text: "b", marked: true },
    { text: "c", marked: true },
    { text: "d", marked: true },
  ]);
  expect(markedPieces("rm -r x", [part(0, 99)])).toEqual([{ text: "rm -r x", marked: false }]);
  expect(markedPieces("ls", [])).toEqual([{ text: "ls", marked: false }]);
});

test("a fence opens code until the next one, or the end", () => {
  expect(blocksOf("a\n\n```sh\n  ls\n```\nb\n```\nrest")).toEqual([
    { code: false, text: "a" },
    { code: true, text: "  ls" },
    { code: false, text: "b" },
    { code: true, text: "rest" },
  ]);
});

test("how a question ended is told with who, where and what, in words", () => {
  const by = { name: "eve\u202e", adapter: "terminal pts/3" };
  const response = { interaction_id: "x-1", cancelled: false, selected_option_id: "session" };
  expect(endLine(request, { state: "answered", at: 1, by, response })).toBe(
    "Answered by eve\\u{202e} in terminal pts/3: Yes for this session",
  );
  expect(
    endLine(request, { state: "cancelled", at: 1, by, response: { interaction_id: "x-1", cancelled: true } }),
  ).toBe("Cancelled by eve\\u{202e} in terminal pts/3");
  expect(endLine(request, { state: "expired", at: 1 })).toBe("Expired without an answer.");
  expect(endLine(request, { state: "withdrawn", at: 1, reason: "stopped" })).toBe("Withdrawn: stopped.");
  expect(endLine(request, { state: "aborted", at: 1 })).toBe("Given up after 4 invalid answers.");
});

test("a refusal either ends the question or leaves it open", () => {
  const error = { code: "x", detail: "why" };
  expect(notTaken(request, 423, { ...error, code: "not_as_recorded" })).toEqual({
    ...{ over: false, told: expect.stringMatching(/^why: .*assent stop x .*assent fork x /) },
  });
  expect([404, 409, 410].map((status) => notTaken(request, status, error).over)).toEqual([true, true, true]);
  expect([400, 403, 413, 422, 429].map((status) => notTaken(request, status, error).over)).not.toContain(true);
  expect(notTaken(request, 422, { ...error, aborted: true }).over).toBe(true);
});

test("a number is told with its label; several go in the order of the options; a blank text is not sent", () => {
  expect(chosen(request, "no")).toEqual({ given: { selected_option_id: "no" }, said: "2) No" });
  expect(picked({ ...request, max_selected: 2 }, ["user", "yes"])).toEqual({
    given: { selected_option_ids: ["yes", "user"] },
    said: "Yes, Always for me",
  });
  expect(picked(request, []).wrong).toBe("Choose 1 to 5; chosen: 0.");
  expect(written(request, " \u200b").wrong).toBe("Write something first.");
  expect(written({ ...request, response_schema: { minLength: 0 } }, "").wrong).toBeUndefined();
  expect(written({ ...request, kind: "question", sensitive: true }, "hunter2").said).not.toContain("hunter2");
});

test("what is live goes when it is recorded, and what comes too late of it is not shown again", () => {
  const text = { type: "text", request: 3, text: "abc" } as const;
  const output = { type: "output", call: "t3c1", stream: "stdout", text: "x" } as const;
  const live = [text, text, output].reduce(withLive, noLive);
  expect(live).toMatchObject({ text: "abcabc", outputs: [{ call: "t3c1", text: "x" }] });
  const reply = { text: "abcabc", calls: [], usage: { input: 0, output: 0, cached: 0 } };
  const replied = afterEvent(live, { type: "model.replied", at: 1, request: 3, reply });
  expect(withLive(replied, text).text).toBe("");
  expect(withLive(replied, { ...text, request: 4 }).text).toBe("abc");
  const result = { type: "output", text: "x" } as const;
  const finished = afterEvent(replied, { type: "call.finished", at: 1, call: "t3c1", result });
  expect(withLive(finished, output).outputs).toEqual([]);
});

test("steering is shown when it is sent, a question where it was asked, and a verdict that asks is left to its question", () => {
  const by = { name: "ada", adapter: "page" };
  const timeline = new Timeline("s1");
  const add = (seq: number, event: Parameters<Timeline["add"]>[0]["event"]): void =>
    timeline.add({ seq, session: "s1", event });
  add(1, { type: "steering.received", at: 1, waiting: "w1", text: "hurry", by });
  add(2, { type: "call.judged", at: 2, call: "c", verdict: "ask", rule: "r", reason: "x", digest: "d", facts: null });
  add(3, { type: "interaction.requested", at: 3, request, purpose: { type: "final-text" } });
  add(4, { type: "steering.sent", at: 4, request: 2, waiting: ["w1"] });
  expect(timeline.rows).toEqual([
    { type: "question", key: "3", at: 3, request },
    { type: "said", key: "4.0", at: 4, said: { channel: "prompt", form: "text", text: "hurry" } },
  ]);
});

test("a new session says only what was filled in, and a limit that is none is told", () => {
  const filled = { prompt: "go", cwd: " ", name: "", model: "", turns: "", iterations: "" };
  expect(creationOf(filled)).toEqual({ prompt: "go" });
  expect(creationOf({ ...filled, turns: "unlimited", iterations: "5", cwd: "/x " })).toEqual({
    prompt: "go",
    cwd: "/x",
    limits: { turns: "unlimited", iterations: 5 },
  });
  expect(creationOf({ ...filled, turns: "0" })).toBe("Turns: a number from 1 on, or unlimited.");
  expect(creationOf({ ...filled, iterations: "many" })).toBe("Iterations: a number from 1 on.");
  expect(creationOf({ ...filled, prompt: "\n" })).toBe("Write what is to be done.");
});

test("why a session was not begun is told in the words of its form", () => {
  const detail = "cwd: expected the absolute path of a folder that exists";
  const line = refusedLine({ type: "refused", status: 400, error: { code: "invalid_value", detail } });
  expect(line).toBe("Folder: expected the absolute path of a folder that exists");
});

test("of a session's hashes the page says what the command says, and calls nothing unchanged that has none", () => {
  const chain = { events: 4, before: 0, head: null, breaks: [], more: 0 };
  const shown = (more: object) => JSON.stringify(Chain({ chain: { ...chain, ...more } }));
  expect(shown({})).toContain("4 events as they were recorded");
  expect(shown({ before: 4 })).toContain(
    "4 events from before there were hashes: whether they were changed cannot be told",
  );
  expect(shown({ before: 4 })).not.toContain("as they were recorded");
  const cut = { seq: 5, what: "cut", reason: "events up to 9 are missing at the end", type: null, call: null };
  expect(shown({ breaks: [cut] })).toContain("event 5: events up to 9 are missing at the end");
  expect(shown({ breaks: [cut] })).not.toContain("changed");
});

test("what was begun is there again for whoever began it, and for nobody else", () => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
    key: (index: number) => [...kept.keys()][index] ?? null,
    get length() {
      return kept.size;
    },
  };
  const drafts = new Drafts(storage);
  expect(drafts.belongTo("ada")).toBe(false);
  drafts.set("prompt/a", "begun");
  expect(drafts.belongTo("ada")).toBe(true);
  const reloaded = new Drafts(storage);
  expect([reloaded.belongTo("ada"), reloaded.get("prompt/a")]).toEqual([true, "begun"]);
  expect([reloaded.belongTo("bob"), reloaded.get("prompt/a")]).toEqual([false, ""]);
  expect([...kept.keys()].some((key) => key.startsWith("assent-draft/"))).toBe(false);
  // Of nobody known: it may be anybody's.
  kept.clear();
  kept.set("assent-draft/prompt/a", "begun");
  const found = new Drafts(storage);
  expect([found.belongTo("ada"), found.get("prompt/a")]).toEqual([false, ""]);
});
