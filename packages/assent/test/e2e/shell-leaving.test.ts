import { writeFileSync } from "node:fs";
import { expect } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { counting, type Scripted, terminal, until } from "./product.ts";
import { ctrlC, ctrlD, ctrlZ, ShellPlace, type ShellWindow, suspendedAtQuestion } from "./shell-window.ts";

const done: Scripted = { text: "Done." };
/** Runs until the test lets it end. */
const waiting = "until [ -e go ]; do sleep 0.05; done; echo it is finished";

async function opened(replies: readonly Scripted[]): Promise<{ place: ShellPlace; window: ShellWindow }> {
  const place = new ShellPlace(replies);
  const window = place.window();
  await window.idle();
  return { place, window };
}

/** A command of the model's runs. */
async function running(
  command: string,
  more: readonly Scripted[] = [done],
): Promise<{ place: ShellPlace; window: ShellWindow }> {
  const { place, window } = await opened([terminal(command), ...more]);
  window.enter("work");
  await window.until(`▸ ${command}`);
  await window.until(/^\S .* \d+ s · Ctrl-C stops$/m);
  return { place, window };
}

function endings(place: ShellPlace): readonly string[] {
  return place.eventsOf("exchange.ended").map(({ outcome }) => outcome);
}

verifies(
  ["ANS-6", "CLI-1a"],
  "the end of input where nothing is open leaves with 0, and a session without a word is gone",
  async () => {
    const { place, window } = await opened([]);
    window.type(ctrlD);
    expect(await window.ended).toBe(0);
    expect(place.sessions()).toEqual([]);
  },
);

verifies(
  ["ANS-6", "SESS-3b", "INT-11d"],
  "the end of input at a question leaves it open with exit code 4, and --continue asks it again",
  async () => {
    const { place, window } = await opened([terminal(counting), done]);
    window.enter("clean");
    await window.armed();
    window.type(ctrlD);
    expect(await window.ended).toBe(4);
    expect(window.text()).toMatch(
      /^· session \w+: its question stays open; assent resume \w+ or assent --continue goes on$/m,
    );
    expect(place.pending()).toHaveLength(1);
    const again = place.window(["--continue"]);
    await again.armed();
    expect(again.count("Approve command: ")).toBe(1);
    again.enter("yes");
    await again.until("● Done.");
    expect(place.read("count")).toBe("x\n");
    expect(endings(place)).toEqual(["answered"]);
  },
);

verifies("ANS-6", "the end of input while a command runs does nothing to it", async () => {
  const { place, window } = await running(waiting);
  window.type(ctrlD);
  await window.until(/^· something runs/m);
  writeFileSync(place.file("go"), "");
  await window.until("● Done.");
  expect(window.count(/^│ it is finished$/m)).toBe(1);
  expect(endings(place)).toEqual(["answered"]);
});

verifies(["ANS-6", "STOP-3a"], "a terminal that is gone kills what runs in it, which is recorded", async () => {
  const { place, window } = await running("sleep 600");
  window.hangUp();
  await place.nothingRuns();
  await until("the exchange has ended", () => endings(place)[0]);
  expect(endings(place)).toEqual(["stopped"]);
  expect(place.results()).toMatchObject([{ signal: expect.stringMatching(/^SIG/) }]);
  expect(place.requests()).toHaveLength(1);
});

verifies(
  ["ANS-6", "INT-11d"],
  "a terminal that is gone answers no question, also where only its input tells of it",
  async () => {
    const place = new ShellPlace([terminal(counting), done]);
    // A shell of the system's leads the session here, so that no signal comes.
    const window = place.windowOf(`trap '' HUP; ${place.line()}; echo $? > code`);
    await window.idle();
    window.enter("clean");
    await window.armed();
    window.hangUp();
    await until("it has left", () => place.read("code") || undefined);
    expect(place.read("code")).toBe("129\n");
    expect(place.pending()).toHaveLength(1);
    expect(place.read("count")).toBe("");
  },
);

verifies(
  ["STOP-3c", "STOP-1f"],
  "Ctrl-C once is told at once, lets the running command finish and asks the model nothing more",
  async () => {
    const calls = [waiting, "echo never > never"].map((command) => ({ tool: "terminal", arguments: { command } }));
    const { place, window } = await opened([{ calls }, done]);
    window.enter("work");
    await window.until(`▸ ${waiting}`);
    window.type(ctrlC);
    await window.until(/^· stopping: what runs finishes first; Ctrl-C again kills it$/m);
    await window.until(/stopping: .* s · Ctrl-C again kills$/m);
    expect(endings(place)).toEqual([]);
    writeFileSync(place.file("go"), "");
    await window.until(/^│ it is finished$/m);
    await window.idle();
    expect(endings(place)).toEqual(["stopped"]);
    expect(place.read("never")).toBe("");
    expect(place.requests()).toHaveLength(1);
  },
);

verifies("STOP-3c", "Ctrl-C twice kills what runs, and the shell goes on", async () => {
  const { place, window } = await running("sleep 600", []);
  window.type(ctrlC);
  await window.until(/^· stopping: /m);
  window.type(ctrlC);
  await window.until(/^· ended: stopped/m);
  await place.nothingRuns();
  await window.idle();
  expect(place.results()).toMatchObject([{ signal: expect.stringMatching(/^SIG/) }]);
  window.enter("!echo still here");
  await window.until(/^│ still here$/m);
  await window.idle();
  window.type(ctrlD);
  await window.ended;
  // There is nothing that assent resume could go on with.
  expect(window.text()).toMatch(/^· session (\w+): assent --session \1 or assent --continue opens it again$/m);
});

verifies("STOP-3c", "Ctrl-C three times leaves with 130, and nothing is left running", async () => {
  const { place, window } = await running("sleep 600", []);
  window.type(`${ctrlC}${ctrlC}${ctrlC}`);
  expect(await window.ended).toBe(130);
  await place.nothingRuns();
  expect(endings(place)).toEqual(["stopped"]);
});

verifies(
  ["STOP-1a", "STOP-1f"],
  "stop in a typed line lets the running command finish and ends the exchange",
  async () => {
    const { place, window } = await running(waiting);
    window.enter("ok, Stop it there");
    await window.until(/^\S stopping: .* s · Ctrl-C again kills$/m);
    writeFileSync(place.file("go"), "");
    await window.until(/^· ended: stopped/m);
    expect(window.count(/^│ it is finished$/m)).toBe(1);
    expect(place.requests()).toHaveLength(1);
    expect(place.eventsOf("steering.received")).toEqual([]);
  },
);

verifies("STOP-3c", "after a typed stop the key does what the screen says of it: it kills", async () => {
  const { place, window } = await running("sleep 600", []);
  window.enter("stop");
  await window.until(/ · Ctrl-C again kills$/m);
  window.type(ctrlC);
  await window.until(/^· ended: stopped/m);
  await place.nothingRuns();
});

verifies("ANS-6", "in the background and back, an open question is shown again and can be answered", async () => {
  const { place, window } = await suspendedAtQuestion();
  // Typed there, it is the other's.
  window.enter("echo $((20 + 22))");
  await window.until(/^42$/m);
  window.enter("fg");
  await window.until("Approve command: ", 2);
  await window.armed();
  window.enter("yes");
  await window.until("● Done.");
  await window.idle();
  expect(place.read("count")).toBe("x\n");
  window.type(ctrlD);
  await window.until(/assent --continue opens it again/);
  await window.untilRow(/^bash> ?$/);
  window.enter("exit 7");
  expect(await window.ended).toBe(7);
});

verifies("STOP-3c", "where nobody could bring it back, the key for the background changes nothing", async () => {
  const { window } = await opened([done]);
  window.type(ctrlZ);
  // It has let the terminal go, and taken it again.
  await window.when("keys are read again", () => window.bytes.toString().split("\x1b[?2004h").length === 3);
  await window.idle();
  window.enter("go");
  await window.until("● Done.");
  await window.idle();
  window.type(ctrlD);
  expect(await window.ended).toBe(0);
});
