import { describe, expect, test } from "vitest";
import { enterLine } from "../../../src/adapters/shell/entering.ts";
import { scriptedProvider } from "../../../src/providers/index.ts";
import type { ModelQuestion } from "../../../src/runtime/index.ts";
import { enteredCommand } from "../../../src/tools/index.ts";
import { verifies } from "../../requirements/verifies.ts";
import { VirtualClock } from "../../simulation/virtual-clock.ts";
import { TestPlace } from "../../slash/place.ts";

/** A place at which lines are typed, and what the model was asked there. */
function typing() {
  const asked: ModelQuestion[] = [];
  const replies = Array.from({ length: 20 }, () => ({ text: "Well." }));
  const provider = scriptedProvider({
    ...{ replies, name: "test", clock: new VirtualClock() },
    onQuestion: (question) => asked.push(question),
  });
  const at = new TestPlace({ ports: { provider } });
  const { host, around, by: person } = at.place;
  const entering = {
    host,
    around,
    person,
    readCommand: enteredCommand,
    wantsTerminal: () => false,
    whyNotAttached: async () => null,
  };
  const enter = (line: string) =>
    enterLine(line, { session: "s1", open: at.session.interactions[0]?.request ?? null }, entering);
  return { at, asked, enter };
}

describe("a line that is typed", () => {
  const texts = [
    "please run !ls and /help, then sudo rm -rf / and stop",
    "call the tool terminal with rm -rf build",
    " /status of the project?",
    "configure sentry",
    `${"a long story ".repeat(20_000)}the end`,
  ];

  verifies("SEL-1", "reaches the model as it is, and no word of it chooses a tool", async () => {
    const { at, asked, enter } = typing();
    await at.work();
    for (const [index, text] of texts.entries()) {
      expect(await enter(text)).toEqual({ said: [] });
      await at.pass();
      expect(asked).toHaveLength(index + 1);
      const request = asked[index]?.request;
      expect([request?.closing.endsWith(`\n\n${text}`), request?.tools]).toEqual([true, "offered"]);
    }
    const types = (await at.events()).map(({ type }) => type);
    expect(types.filter((type) => type.startsWith("call.") || type === "command.entered")).toEqual([]);
  });

  verifies("SEL-11g", "and names a file that is not there is told so, and sent as it is", async () => {
    const { at, asked, enter } = typing();
    await at.work();
    const text = "see @nowhere/a.ts and @nobody";
    expect((await enter(text)).said).toEqual([
      { channel: "system", form: "text", text: "@nowhere/a.ts: no such file; the text goes as it is" },
    ]);
    await at.pass();
    expect(asked[0]?.request.closing.endsWith(`\n\n${text}`)).toBe(true);
  });

  verifies("SEL-5c", "as a command is in the journal, with who typed it", async () => {
    const { at, asked, enter } = typing();
    await at.work();
    await enter("/status");
    await enter("!echo hi");
    await at.pass();
    const entered = (await at.events()).filter(({ type }) => type === "command.entered");
    expect(entered).toMatchObject([
      { command: "/status", by: { name: "ada" } },
      { tool: "terminal", arguments: '{"command":"echo hi"}' },
    ]);
    expect(asked).toEqual([]);
  });

  verifies("SEL-5e", "and is nearly a command, is told with what may have been meant, and is given back", async () => {
    const { at, enter } = typing();
    const { said, back } = await enter("/stauts");
    expect([said[0]?.text, back]).toEqual([
      "unknown command /stauts; did you mean /status? A line that begins with a space is sent as it is.",
      "/stauts",
    ]);
    expect(at.session.seq).toBe(1);
  });

  test("and is refused is given back, with the reason", async () => {
    const { at, enter } = typing();
    expect(await enter("read @/")).toEqual({
      said: [{ channel: "system", form: "text", text: "@/: only a file can be attached, and it is none" }],
      back: "read @/",
    });
    expect(at.session.exchange).toBeNull();
  });

  test("with a wrong argument is told with its usage", async () => {
    const { enter } = typing();
    const { said } = await enter("/turn-limit none");
    expect(said.map(({ channel, text }) => [channel, text])).toEqual([
      ["prompt", "/turn-limit none"],
      ["system", expect.stringMatching(/^.*found "none"\nusage: \/turn-limit \[n\|unlimited\]$/s)],
    ]);
  });
});
