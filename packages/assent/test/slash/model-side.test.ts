import { describe, expect, test } from "vitest";
import { offeredCommands, readModelLine } from "../../src/slash/index.ts";
import { runInteractive } from "../../src/tools/run-interactive.ts";
import { nobodyAnswers } from "../fixtures/nobody.ts";
import { verifies } from "../requirements/verifies.ts";
import { placeAt } from "../tools/fixture.ts";
import { TestPlace } from "./place.ts";

function runs(command: string) {
  return { calls: [{ tool: "slash_invoke", arguments: { command }, id: "c" }] };
}

async function resultOf(place: TestPlace) {
  const finished = (await place.events()).find((event) => event.type === "call.finished");
  return finished?.result;
}

describe("what a model may run", () => {
  test("is told with the lines that it may use", () => {
    expect(offeredCommands.map(({ usage, tier }) => `${tier} ${usage}`)).toEqual([
      "safe /help [name]",
      "safe /status",
      "safe /model",
      "safe /integrations [show <s>]",
      "elevated /integrations verify [s] | remove <s>",
      "safe /mcp [tools <s>]",
      "safe /turn-limit",
      "safe /sessions",
      "elevated /fork",
      "elevated /rename <name>",
      "elevated /compact",
      "safe /context",
      "safe /tools",
      "safe /policy [explain <command> | rules]",
      "safe /grants",
      "safe /history [n | <call> | all]",
      "safe /audit [<call> | verify]",
      "safe /doctor",
    ]);
  });

  test.each([
    ["/status", { tier: "safe" }],
    [" /status ", { tier: "safe" }],
    ["/turn-limit", { tier: "safe" }],
    ["/turn-limit 9", { refused: "/turn-limit: how long the model may work is a person's to decide" }],
    ["/rename x", { tier: "elevated" }],
    ["/grants", { tier: "safe" }],
    ["/grants revoke g-1", { refused: "/grants: what an agent may do is not the agent's to change" }],
    ["/grants add rm", { refused: "/grants: what an agent may do is not the agent's to change" }],
    ["/model openai:gpt-5", { refused: "/model: which model works here is a person's to decide" }],
    ["/model setup", { refused: "/model: which model works here is a person's to decide" }],
    ["/staus", { refused: "no command is named /staus; did you mean /status?" }],
    ["ls", { refused: 'expected a command such as /status, found "ls"' }],
  ])("%j", (line, asked) => {
    expect(readModelLine(line)).toEqual(asked);
  });

  test.each(["stop", "queue", "resume", "new", "export", "flow", "keep", "clear", "exit", "quit", "text"])(
    "/%s is a person's alone",
    (name) => {
      expect(readModelLine(`/${name} x`)).toMatchObject({ refused: expect.stringContaining("a person's alone") });
    },
  );
});

describe("slash_invoke", () => {
  verifies(
    ["SEL-7", "SEL-8a"],
    "runs what only looks something up at once, and the reply after it ends the exchange",
    async () => {
      const place = new TestPlace({ replies: [runs("/turn-limit"), { text: "No turn is used.", ...runs("/status") }] });
      place.prompt("how many turns are left?");
      await place.work();
      expect(await resultOf(place)).toEqual({ type: "output", text: "0 of 25 turns" });
      expect(place.session.lastEnding).toEqual({ outcome: "answered" });
      expect(place.session.lastResult?.text).toBe("No turn is used.");
    },
  );

  verifies("SEL-7", "asks before it changes something", async () => {
    const place = new TestPlace({ replies: [runs("/rename parser"), { text: "done" }] });
    place.prompt("name it");
    await place.work();
    expect(place.session.interactions[0]?.request.question).toContain("slash_invoke");
    expect(place.session.name).toBeNull();
    place.reply("s1-1", "yes");
    await place.pass();
    expect(place.session.name).toBe("parser");
    expect((await place.events()).find((event) => event.type === "session.renamed")?.by).toEqual({
      name: "model",
      adapter: "slash_invoke",
    });
  });

  verifies("INTG-3c", "asks before it verifies what is connected", async () => {
    const place = new TestPlace({ replies: [runs("/integrations verify sentry"), { text: "done" }] });
    place.prompt("does it work?");
    await place.work();
    expect(place.session.interactions[0]?.request.question).toContain("/integrations verify sentry");
    expect((await place.events()).some((event) => event.type === "call.started")).toBe(false);
  });

  verifies("SEL-7", "tells the model what it may not do, without a question", async () => {
    const place = new TestPlace({ replies: [runs("/grants revoke g-1"), { text: "I cannot." }] });
    place.prompt("revoke it");
    await place.work();
    expect(await resultOf(place)).toEqual({
      type: "error",
      text: "/grants: what an agent may do is not the agent's to change",
    });
    expect(place.session.lastEnding).toEqual({ outcome: "answered" });
  });

  test("where nothing may be changed, runs what only looks something up, and nothing else", async () => {
    const place = new TestPlace({ replies: [runs("/turn-limit"), { text: "so" }, runs("/rename x"), { text: "no" }] });
    place.prompt("look");
    await place.work({ readOnly: true });
    expect(await resultOf(place)).toEqual({ type: "output", text: "0 of 25 turns" });
    place.prompt("name it");
    await place.pass();
    const verdicts = (await place.events()).flatMap((event) => (event.type === "call.judged" ? [event.rule] : []));
    expect(verdicts).toEqual(["safe-tool", "read-only"]);
    expect(place.session.name).toBeNull();
  });

  test("tells what is wrong with a line, and how it is meant to be", async () => {
    const place = new TestPlace({ replies: [runs("/policy explan ls"), { text: "so" }] });
    place.prompt("explain");
    await place.work();
    expect(await resultOf(place)).toEqual({
      type: "error",
      text: 'expected explain or rules, found "explan"; did you mean explain?\nusage: /policy [explain <command> | rules]',
    });
  });

  test("does not begin to set up a model where none is set", async () => {
    const place = new TestPlace({ replies: [runs("/model"), { text: "none" }] });
    place.prompt("which model?");
    await place.work();
    expect(await resultOf(place)).toEqual({
      type: "output",
      text: "no model is set\nthere are also ollama:qwen3, openai:gpt-5",
    });
  });

  test("makes a fork and tells where, and shows the history as lines", async () => {
    const place = new TestPlace({ replies: [runs("/history"), { text: "so" }, runs("/fork"), { text: "forked" }] });
    place.prompt("look");
    await place.work();
    expect(await resultOf(place)).toMatchObject({ type: "output", text: expect.stringMatching(/^prompt {2}look\n/) });
    place.prompt("fork it");
    await place.pass();
    place.reply("s1-1", "yes");
    await place.pass();
    const texts = (await place.events()).flatMap((event) =>
      event.type === "call.finished" ? [event.result.text] : [],
    );
    expect(texts.at(-1)).toBe("session s2 is made; the person opens it with /resume s2");
  });
});

describe("run_interactive", () => {
  const { hands } = runInteractive(() => null);
  if (typeof hands !== "object") throw new Error("it has hands");
  const nobody = {
    session: "s1",
    call: "c1",
    onOutput: () => {},
    attended: false,
    tell: () => {},
    ...nobodyAnswers,
  };
  const watched = { ...nobody, signal: new AbortController().signal };
  const given = (command: string) => JSON.stringify({ command });

  verifies("HAND-1a", "takes a set-up and nothing else", () => {
    const read = (command: string) => runInteractive(() => null).read(given(command)).type;
    expect(["/integrations setup github", "/mcp connect files.local"].map(read)).toEqual(["tool", "tool"]);
    const others = [
      "/integrations setup",
      "/integrations remove github",
      "/mcp connect a b",
      "/exit",
      "ls",
      "/mcp connect a\n/exit",
      "/mcp connect --x",
    ];
    expect(others.map(read)).toEqual(others.map(() => "invalid"));
  });

  verifies(
    "HAND-1a",
    "launches in the shell where there is one, and tells the command where there is none",
    async () => {
      const plan = hands.plan(given("/mcp connect files"), placeAt("/work"));
      expect(plan).toEqual({
        tool: "run_interactive",
        cwd: "/work",
        more: { command: "/mcp connect files" },
        tier: "safe",
      });
      expect(await hands.run(plan, { ...watched, lend: (use) => use() })).toEqual({
        type: "output",
        text: "launched when the shell is idle: /mcp connect files",
        launch: "/mcp connect files",
      });
      expect(await hands.run(plan, { ...watched, lend: null })).toEqual({
        type: "output",
        text: "there is no shell here; tell the person to type in theirs: /mcp connect files",
      });
    },
  );
});
