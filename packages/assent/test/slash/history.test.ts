import { expect, test } from "vitest";
import type { Said } from "../../src/show/index.ts";
import type { SlashResult } from "../../src/slash/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { TestPlace } from "./place.ts";

function lines(result: SlashResult): readonly string[] {
  const said: readonly Said[] = result.type === "errand" && result.errand.type === "show" ? result.errand.said : [];
  return said.map(({ channel, text }) => `${channel}: ${text}`);
}

const listing = { calls: [{ tool: "terminal", arguments: { command: "echo a" }, id: "c" }] };

test("what was said and done is shown with its channels, and no more exchanges than asked for", async () => {
  const place = new TestPlace({ replies: [{ text: "one" }, { text: "looking", ...listing }, { text: "two" }] });
  expect(await place.type("/history")).toEqual({ type: "told", text: "nothing was said so far" });
  place.prompt("first");
  await place.work();
  place.prompt("second");
  await place.pass();
  const second = [
    "prompt: second",
    "agent: looking",
    "tool: $ echo a",
    "tool: ran echo a",
    "agent: two",
    "system: ended: answered",
  ];
  expect(lines(await place.type("/history 1"))).toEqual(second);
  const all = ["prompt: first", "agent: one", "system: ended: answered", ...second];
  expect(lines(await place.type("/history"))).toEqual(all);
  expect(lines(await place.type("/history all"))).toEqual(all);
});

verifies("PRI-1c", "what was withheld beside a question, and what was discarded, is there and marked", async () => {
  const asks = { tool: "ask", arguments: { question: "Which colour?", options: ["Red", "Blue"] }, id: "q" };
  const place = new TestPlace({
    replies: [{ text: "I need to know.", calls: [asks] }, { text: "Would you like more?" }, { text: "Done." }],
  });
  place.prompt("paint");
  await place.work();
  place.reply("s1-1", "1");
  await place.pass();
  const shown = lines(await place.type("/history"));
  expect(shown).toContain("system: withheld (it stood beside a question or right after an answer):");
  expect(shown).toContain("agent: I need to know.");
  expect(shown.find((line) => line.startsWith("system: discarded reply, soft-offer"))).toBeDefined();
  expect(shown).toContain("agent: Would you like more?");
  expect(shown).toContain("system: Which colour?\n\n1) Red\n2) Blue");
});

test("a long output is cut among others, and whole by the name of its call", async () => {
  const text = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join("\n");
  const place = new TestPlace({
    replies: [{ calls: [{ tool: "read_file", arguments: { path: "a" }, id: "c" }] }, { text: "read" }],
  });
  const tool = place.place.around.tools.find(({ name }) => name === "read_file");
  if (typeof tool?.hands !== "object") throw new Error("read_file has hands here");
  const run = async () => ({ type: "output", text }) as const;
  Object.assign(tool.hands, { plan: () => ({ tool: "read_file", cwd: "/work", tier: "safe" }), run });
  place.prompt("read it");
  await place.work();
  const call = (await place.events()).find((event) => event.type === "call.finished")?.call ?? "";
  const cut = [
    "line 1",
    "line 2",
    "line 3",
    "line 4",
    "line 5",
    "line 6",
    `… 28 lines more (/history ${call} shows all) …`,
    "line 35",
  ];
  expect(lines(await place.type("/history")).find((line) => line.startsWith("tool: line 1\n"))).toContain(
    cut.join("\n"),
  );
  expect(lines(await place.type(`/history ${call}`))).toEqual([`tool: read_file {"path":"a"}`, `tool: ${text}`]);
});

test("what is none of these is told", async () => {
  const place = new TestPlace();
  expect(await place.type("/history al")).toEqual({
    type: "wrong",
    problem: 'expected a number, a call or all, found "al"; did you mean all?',
  });
  expect(await place.type("/history 0")).toEqual({ type: "wrong", problem: "expected a number above 0, found 0" });
  expect(await place.type("/history 1 2")).toMatchObject({ type: "wrong" });
});
