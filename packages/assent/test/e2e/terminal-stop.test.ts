import { describe, expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { jsonLines, needsTerminal, noTerminal, until } from "./product.ts";
import { kept, once, TerminalPlace } from "./terminal-product.ts";

const done = { text: "Done." };
/** A pipeline, one that has left its session, and one that hears nothing. */
const tree = `sleep 300 | cat & setsid sleep 301 & bash -c 'trap "" TERM INT HUP; sleep 302; sleep 303'`;
const hearing = "sleep 300 | cat & setsid sleep 301 & sleep 302; echo never";
const deaf = `trap "" TERM INT HUP; sleep 304; sleep 305; sleep 306`;

/** A command that runs, with nobody at a terminal. */
async function runs(command: string, last: string) {
  const place = new TerminalPlace([once(command), done]);
  const run = place.start(["run", "--json", "go"]);
  await place.runs(last);
  return { place, run };
}

function expectStopped(place: TerminalPlace, killed: readonly string[]): void {
  const [result, ...more] = place.results();
  expect(more).toEqual([]);
  for (const name of killed) expect(result?.text).toMatch(new RegExp(`\\[killed: .*\\b${name} \\(\\d+\\)`));
  expect(place.eventsOf("exchange.ended")).toMatchObject([{ outcome: "stopped" }]);
  expect(place.requests()).toHaveLength(1);
}

describe("a signal to the product while a command runs", () => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    verifies(
      ["STOP-3a", "STOP-3b"],
      `${signal} ends the whole tree, tells what was killed, and exits ${code}`,
      async () => {
        const { place, run } = await runs(tree, "sleep 302");
        process.kill(await place.holder(), signal);
        expect(await run.ended).toBe(code);
        expect(place.marked()).toEqual([]);
        expectStopped(place, ["sleep", "cat", "bash"]);
        expect(jsonLines<{ type: string }>(run.output).at(-1)).toMatchObject({ type: "exchange.ended" });
      },
    );
  }

  verifies("STOP-3b", "a second SIGINT does not wait for what is deaf, and leaves nothing either", async () => {
    const { place, run } = await runs(deaf, "sleep 304");
    const holder = await place.holder();
    process.kill(holder, "SIGINT");
    await until("it stops", () => (place.eventsOf("stop.requested").length > 0 ? true : undefined));
    process.kill(holder, "SIGINT");
    expect(await run.ended).toBe(130);
    expect(place.marked()).toEqual([]);
    expect(place.sessions()[0]).toMatchObject({ holder: null });
  });
});

describe.skipIf(noTerminal)(`in a terminal${needsTerminal}`, () => {
  for (const [kind, given] of [
    ["one-off", once],
    ["persistent", kept],
  ] as const) {
    verifies(["STOP-3a", "STOP-3b"], `Ctrl-C ends a ${kind} command and stops`, async () => {
      const place = new TerminalPlace([given("sleep 300 | cat; echo never"), done]);
      const run = place.startInTerminal(["run", "go"]);
      await place.runs("sleep 300");
      run.type("\u0003");
      expect(await run.ended).toBe(130);
      expect(place.marked()).toEqual([]);
      expectStopped(place, ["sleep"]);
      expect(run.output).toMatch(/\[killed: .*sleep \(\d+\)/);
    });
  }

  verifies("STOP-3a", "Ctrl-C while a command waits for a secret stops it as well", async () => {
    const place = new TerminalPlace([once("read -s p"), done]);
    const run = place.startInTerminal(["run", "go"]);
    await run.asked("The command waits for a secret.");
    await new Promise((resolve) => setTimeout(resolve, 600));
    run.type("\u0003");
    expect(await run.ended).toBe(130);
    expectStopped(place, ["bash"]);
    expect(place.marked()).toEqual([]);
  });

  verifies("STOP-3b", "a terminal that is closed ends what runs there", async () => {
    const place = new TerminalPlace([once(hearing), done]);
    const run = place.startInTerminal(["run", "go"]);
    await place.runs("sleep 302");
    // The program that holds the other end of the terminal is gone.
    run.kill("SIGKILL");
    await until("the session is left", () => (place.sessions()[0]?.holder === null ? true : undefined));
    await place.nothingRuns();
    expectStopped(place, ["sleep", "bash"]);
  });
});

describe("another process's stop", () => {
  verifies("STOP-3b", "with --kill ends the tree", async () => {
    const { place, run } = await runs(hearing, "sleep 302");
    expect(place.assent(["stop", "--kill", place.sessionId()])).toMatchObject({ status: 0 });
    expect(await run.ended).toBe(130);
    expect(place.marked()).toEqual([]);
    expectStopped(place, ["sleep", "cat", "bash"]);
  });

  test("without it lets the command finish", async () => {
    const { place, run } = await runs("sleep 2; echo finished", "sleep 2");
    expect(place.assent(["stop", place.sessionId()])).toMatchObject({ status: 0 });
    expect(await run.ended).toBe(130);
    expect(place.results()).toMatchObject([{ type: "output", text: "finished\n", exit: 0 }]);
    expect(place.events().at(-1)).toMatchObject({ type: "exchange.ended", outcome: "stopped" });
    expect(place.requests()).toHaveLength(1);
  });
});
