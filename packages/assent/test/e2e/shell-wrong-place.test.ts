import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { counting, type Scripted, terminal } from "./product.ts";
import { ctrlC, ctrlD, ShellPlace, type ShellWindow, suspendedAtQuestion } from "./shell-window.ts";
import { TerminalPlace } from "./terminal-product.ts";

const done: Scripted = { text: "Done." };
const waiting = "until [ -e go ]; do sleep 0.05; done";

async function opened(replies: readonly Scripted[]): Promise<{ place: ShellPlace; window: ShellWindow }> {
  const place = new ShellPlace(replies);
  const window = place.window();
  await window.idle();
  return { place, window };
}

verifies("ANS-6", "what was typed while the shell was in the background answers nothing when it is back", async () => {
  const { place, window } = await suspendedAtQuestion();
  window.type("fg\ryes\r");
  await window.until("Approve command: ", 2);
  await window.armed();
  expect(place.eventsOf("interaction.resolved")).toEqual([]);
  window.enter("no");
  await window.until("● Done.");
  expect(place.read("count")).toBe("");
});

verifies("ANS-0c", "a line that follows /new in one burst is for the new session", async () => {
  const { place, window } = await opened([done, { text: "It is the new one." }]);
  window.enter("first");
  await window.until("● Done.");
  await window.idle();
  window.type("/new\rfor the new one\r");
  await window.until(/^❯ for the new one$/m);
  await window.idle();
  const sessions = place.assent(["sessions", "--json"]).stdout.trim().split("\n");
  expect(sessions.map((line) => JSON.parse(line).prompt).toSorted()).toEqual(["first", "for the new one"]);
});

verifies("HAND-2b", "Ctrl-C is for the program that has the terminal, and stops nothing here", async () => {
  const { window, place } = await opened([]);
  window.enter(
    `!!sh -c 'trap "echo \\$((40 + 2))" INT; echo ready; until read -r x && [ "$x" = ok ]; do :; done; echo "got $x"'`,
  );
  await window.until(/^ready$/m);
  window.type(ctrlC);
  await window.until(/42$/m);
  window.type(ctrlC);
  await window.until(/42$/m, 2);
  window.type("ok\r");
  await window.until(/^got ok$/m);
  await window.idle();
  expect(place.eventsOf("stop.requested")).toEqual([]);
  expect(place.eventsOf("exchange.ended")).toMatchObject([{ outcome: "answered" }]);
});

verifies("ANS-6", "a list to pick from gives way to a question, whose answer picks nothing", async () => {
  const { place, window } = await opened([terminal(waiting), terminal(counting), done]);
  window.enter("work");
  await window.until(`▸ ${waiting}`);
  window.enter("/resume");
  await window.until(/^· there is no other session|opens one/m);
  writeFileSync(place.file("go"), "");
  await window.armed();
  window.enter("1");
  await window.until("● Done.");
  expect(place.read("count")).toBe("x\n");
});

test("a wrong entry at a list of sessions is put right there, and never reaches the model", async () => {
  const { place, window } = await opened([done]);
  place.assent(["run", "first"]);
  const asked = place.requests().length;
  window.enter("/resume");
  await window.untilRow(/^session ❯ ?$/);
  window.enter("77");
  await window.until(/^· expected a number of the list, an id or a name, found "77"; Enter alone stays here$/m);
  await window.untilRow(/^session ❯ ?$/);
  window.enter("");
  await window.until(/^· stayed here$/m);
  await window.untilRow(/^❯ ?$/);
  window.enter("/resume");
  await window.untilRow(/^session ❯ ?$/);
  window.enter("1");
  await window.until("● Done.");
  await window.untilRow(/^❯ ?$/);
  expect(place.requests()).toHaveLength(asked);
});

verifies("STOP-3a", "a signal ends what is piped in, and no further line is done", async () => {
  const place = new TerminalPlace([]);
  const talk = place.start([]);
  talk.type("!echo ready; sleep 30\n!touch after\n");
  await talk.shows("tool    $ echo ready; sleep 30");
  talk.kill("SIGTERM");
  expect(await talk.ended).toBe(143);
  expect(existsSync(place.file("after"))).toBe(false);
});

test("a journal that fails is told in a line, and the terminal is left as it was", async () => {
  const { place, window } = await opened([done]);
  window.enter("hello");
  await window.until("● Done.");
  await window.idle();
  const database = new DatabaseSync(join(place.home, "journal.db"));
  database.exec("DROP TABLE events");
  database.close();
  window.enter("again");
  await window.until(/the session cannot go on|no such table/);
  expect(await window.ended).toBe(1);
  expect(window.text()).not.toContain("node:internal");
  expect(window.bytes.toString().lastIndexOf("\x1b[?2004l")).toBeGreaterThan(
    window.bytes.toString().lastIndexOf("\x1b[?2004h"),
  );
});

verifies(["APPR-10a", "APPR-10b"], "an agent cannot have a scenario answer for the person", async () => {
  const place = new ShellPlace([terminal("assent scenario run evil.txt"), terminal("./go"), done]);
  mkdirSync(place.file("victim"));
  const script = '{"calls":[{"tool":"terminal","arguments":{"command":"rm -rf victim"}}]}';
  writeFileSync(place.file("evil.txt"), `# evil\ncommands real\n> go\nmodel ${script}\n> yes\nmodel {"text":"done"}\n`);
  writeFileSync(place.file("go"), `#!/bin/sh\n${place.line("scenario", "run", "--real", "evil.txt")}\n`, {
    mode: 0o755,
  });
  const { stderr } = place.assent(["run", "go", "--unattended=deny"]);
  expect(stderr).toContain("could answer for the person");
  expect(place.eventsOf("call.refused")).toHaveLength(1);
  expect(stderr).toContain("a command that an agent runs cannot play or record scenarios");
  expect(existsSync(place.file("victim"))).toBe(true);
  // A person's own, too, wants to be told twice.
  expect(place.assent(["scenario", "run", "evil.txt"])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("--real lets them run"),
  });
});

verifies("CLI-1a", "what is typed takes the place of what was offered, and Enter sends that", async () => {
  const place = new ShellPlace([]);
  const window = place.window([], { env: { ASSENT_MODEL: "", ASSENT_MODEL_DISCOVERY_MS: "1" } });
  await window.untilRow("❯ /demo");
  window.type("!echo mine");
  await window.untilRow("❯ !echo mine");
  window.type("\r");
  await window.until(/^│ mine$/m);
  await window.idle();
  window.type(ctrlD);
  expect(await window.ended).toBe(0);
});

verifies("STOP-3c", "a third Ctrl-C leaves at once, whatever does not want to end", async () => {
  const { window } = await opened([]);
  window.enter("!trap '' TERM INT; echo ready; for i in 1 2 3 4 5 6 7 8 9; do sleep 20; done");
  await window.until(/^│ ready$/m);
  window.type(ctrlC);
  await window.until(/^· stopping: /m);
  window.type(`${ctrlC}${ctrlC}`);
  expect(await window.ended).toBe(130);
});

verifies("TERM-6", "Ctrl-D at a command that reads its terminal ends its input, not the shell", async () => {
  const { place, window } = await opened([]);
  window.enter("!cat; echo over");
  await window.armed();
  window.type(ctrlD);
  await window.until(/^│ over$/m);
  await window.idle();
  expect(place.eventsOf("exchange.ended")).toMatchObject([{ outcome: "answered" }]);
});

verifies("CLI-5f", "an address that is none is told when a model is set up", async () => {
  const place = new ShellPlace([]);
  const window = place.window([], { env: { ASSENT_MODEL: "", ASSENT_MODEL_DISCOVERY_MS: "1" } });
  await window.untilRow("❯ /demo");
  window.enter("/model");
  const replies = [
    ["Which provider", "2"],
    ["What is its API key", "sk-none-of-yours"],
    ["Which of its models", "1"],
    ["At which address", "not a url"],
    ["1) Confirm", "1"],
  ] as const;
  for (const [question, reply] of replies) {
    await window.until(question);
    await window.armed();
    window.enter(reply);
  }
  await window.until(/not a url/, 2);
  await window.until(/^· .*(?:address|URL).*$/m);
  expect(window.text()).not.toContain("sk-none-of-yours");
});
