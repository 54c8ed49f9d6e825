import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { expect } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { jsonLines, type Scripted, terminal } from "./product.ts";
import { ctrlC, ctrlD, ShellPlace, type ShellWindow } from "./shell-window.ts";

const done: Scripted = { text: "Done." };
/** Runs until the test lets it end. */
const waiting = "until [ -e go ]; do sleep 0.05; done; echo it is finished";

async function opened(replies: readonly Scripted[]): Promise<{ place: ShellPlace; window: ShellWindow }> {
  const place = new ShellPlace(replies);
  const window = place.window();
  await window.idle();
  return { place, window };
}

verifies(
  ["SEL-11a", "SEL-11b", "SEL-11f"],
  "what is typed while the model works is shown as waiting, can be taken back, and goes with the next turn",
  async () => {
    const { place, window } = await opened([{ ...terminal(waiting), delay_ms: 1_500 }, done]);
    window.enter("work");
    await window.until(/^\S thinking \d+ s · Ctrl-C stops$/m);
    window.enter("also the tests");
    await window.until(/^· waiting: also the tests \(goes with the next turn; \/queue drop w1 takes it back\)$/m);
    await window.until(`▸ ${waiting}`);
    window.enter("and forget this");
    await window.until(/^· waiting: and forget this \(goes with the next turn; \/queue drop w2 takes it back\)$/m);
    window.enter("/queue drop w2");
    await window.until(/^· w2 is taken back$/m);
    await window.when("it waits no more", () => !window.rows().join("\n").includes("waiting: and forget this"));
    writeFileSync(place.file("go"), "");
    await window.until("● Done.");
    await window.idle();
    expect(window.count(/^❯ also the tests$/m)).toBe(1);
    expect(window.count("waiting: ")).toBe(0);
    const second = JSON.stringify(place.requests()[1]);
    expect(second).toContain("also the tests");
    expect(second).not.toContain("and forget this");
    expect(place.requests()).toHaveLength(2);
  },
);

verifies(
  "SEL-11g",
  "a file that a prompt names and that is not there is told beside the prompt, which is sent",
  async () => {
    const { place, window } = await opened([done]);
    window.enter("see @nowhere/a.ts");
    await window.until(/^· @nowhere\/a\.ts: no such file; the text goes as it is$/m);
    await window.until("● Done.");
    expect(window.count(/^❯ see @nowhere\/a\.ts$/m)).toBe(1);
    expect(place.requests()).toHaveLength(1);
  },
);

verifies(
  ["SEL-11d", "SEL-11f"],
  "after a stop what waits stays, is shown so, and is sent by its person alone",
  async () => {
    const { place, window } = await opened([terminal(waiting), done]);
    window.enter("work");
    await window.until(`▸ ${waiting}`);
    window.enter("then the tests");
    await window.until(/^· waiting: then the tests/m);
    window.type(ctrlC);
    await window.until(/^· stopping: /m);
    writeFileSync(place.file("go"), "");
    await window.until(/^· waiting: then the tests \(kept until you send it: \/queue send w1/m);
    await window.idle();
    expect(place.requests()).toHaveLength(1);
    window.enter("/queue send w1");
    await window.until("● Done.");
    expect(place.eventsOf("exchange.started").map(({ prompt }) => prompt)).toEqual(["work", "then the tests"]);
  },
);

verifies(
  ["SEL-5a", "SEL-5b", "SEL-5c", "ANS-0c"],
  "! runs a command without the model, shows what it prints once, and the model sees it with the next prompt",
  async () => {
    const { place, window } = await opened([done]);
    writeFileSync(place.file("notes.txt"), "");
    window.enter("!ls *.txt");
    await window.until(/^│ notes\.txt$/m);
    await window.idle();
    expect(window.text()).toMatch(/^❯ !ls \*\.txt\n▸ ls \*\.txt\n│ notes\.txt\n❯/m);
    expect(place.requests()).toEqual([]);
    window.enter("what is there?");
    await window.until("● Done.");
    expect(JSON.stringify(place.requests()[0])).toContain("notes.txt");
    expect(place.eventsOf("command.entered")).toHaveLength(1);
  },
);

verifies("SEL-5a", "! is judged like any command: what may destroy is asked about first", async () => {
  const { place, window } = await opened([]);
  window.enter("!rm -rf none; echo x >> count");
  await window.armed();
  expect(window.count("Approve command: ")).toBe(1);
  window.enter("no");
  await window.idle();
  expect(place.read("count")).toBe("");
});

verifies(["ANS-0c", "SEL-5a"], "! while an exchange runs waits until it is over", async () => {
  const { place, window } = await opened([terminal(waiting), done]);
  window.enter("work");
  await window.until(`▸ ${waiting}`);
  window.enter("!echo mine");
  await window.until(/^· waiting: !echo mine \(comes next/m);
  writeFileSync(place.file("go"), "");
  await window.until(/^│ mine$/m);
  await window.idle();
  const order = ["it is finished", "● Done.", "❯ !echo mine", "▸ echo mine", "│ mine"];
  const text = window.text();
  expect(order.map((part) => text.indexOf(part))).toEqual(
    order.map((part) => text.indexOf(part)).toSorted((a, b) => a - b),
  );
  expect(text.indexOf("it is finished")).toBeGreaterThan(0);
});

verifies(
  "HAND-2b",
  "a program that has the terminal for itself gets every key, and the shell has it again after",
  async () => {
    const { place, window } = await opened([]);
    window.enter('!!echo it reads; read -r answer; echo "got <$answer>" | tee got; read -r again');
    await window.until(/^it reads$/m);
    window.type("/help 1 stop\r");
    await window.until(/^got <\/help 1 stop>$/m);
    window.type("\r");
    await window.idle();
    expect(place.read("got")).toBe("got </help 1 stop>\n");
    expect(place.eventsOf("command.entered")).toHaveLength(1);
    expect(place.eventsOf("stop.requested")).toEqual([]);
    window.enter("/status");
    await window.until(/^· .*turns/m);
  },
);

verifies("HAND-2b", "a program that changes the terminal and is killed leaves no change behind", async () => {
  const place = new ShellPlace([done]);
  const modes = "stty -a";
  const window = place.windowOf(`${modes} > outer-before; ${place.line()}; ${modes} > outer-after`);
  await window.idle();
  window.enter("!!stty -a > before");
  await window.until(/^▸ stty -a > before$/m);
  await window.until(/^│ \[it had the terminal for itself/m);
  await window.idle();
  window.enter("!!stty raw -echo -isig; printf '\\033[?1049h\\033[?25l\\033[?1000h\\033[31m'; kill -9 $$");
  await window.until(/^│ \[it had the terminal for itself/m, 2);
  await window.until(/^│ ended by SIGKILL$/m);
  await window.idle();
  window.enter("!!stty -a > after");
  await window.until(/^│ \[it had the terminal for itself/m, 3);
  await window.idle();
  expect(place.read("after")).toBe(place.read("before"));
  expect(place.read("before")).toMatch(/ icanon .* echo /s);
  window.enter("still typed");
  await window.until("● Done.");
  await window.idle();
  window.type(ctrlD);
  expect(await window.ended).toBe(0);
  expect(place.read("outer-after")).toBe(place.read("outer-before"));
  expect(place.read("before")).toBe(place.read("outer-before"));
});

verifies("SEL-5e", "a mistyped command is told with a near one, and stays in the line", async () => {
  const { place, window } = await opened([]);
  window.enter("/staus");
  await window.until(/^· unknown command \/staus; did you mean \/status\?/m);
  await window.untilRow("❯ /staus");
  expect(place.eventsOf("exchange.started")).toEqual([]);
});

/** A port at which nobody listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

verifies(
  ["SEL-5d", "SESS-3b", "SESS-3c"],
  "with the model down commands work, and the exchange that failed is shown when its session is resumed",
  async () => {
    const place = new ShellPlace([], {
      ...{ ASSENT_MODEL: "openai-chat:m", OPENAI_API_KEY: "sk-test", ASSENT_MODEL_RETRIES: "0" },
      OPENAI_BASE_URL: `http://127.0.0.1:${await closedPort()}/v1`,
    });
    const window = place.window();
    await window.idle();
    window.enter("say hello");
    await window.until(/^· the model failed \(/m);
    await window.idle();
    const [first] = place.sessions();
    window.enter("/help");
    await window.until(/^· .*\/turn-limit/m);
    window.enter("!echo by hand");
    await window.until(/^│ by hand$/m);
    await window.idle();
    window.enter("/model");
    await window.until(/^· .*openai-chat:m/m, 2);
    window.enter("/rename broken");
    await window.until(/^· the session is called broken$/m);
    window.enter("/new");
    await window.until(/^❯ \/new$/m);
    await window.until(/^· session (?!broken)\w+$/m);
    window.enter("/sessions");
    await window.until(new RegExp(`^· .*${first?.session} .*broken$`, "m"));
    const failures = window.count(/the model failed \(/);
    window.enter("/resume broken");
    await window.until(/^· session \w+ "broken" in /m);
    await window.until(/the model failed \(/, failures + 1);
    const recap = window.text().slice(window.text().indexOf('"broken" in '));
    expect(recap).toContain("❯ say hello");
    window.enter("/fork");
    await window.until(/^❯ \/fork$/m);
    await window.until(/^· session \w+ in .*: exchanges 0/m);
    window.enter("/export fork.jsonl");
    await window.until(/^· the session is written to .*fork\.jsonl$/m);
    const written = jsonLines<{ readonly type: string }>(place.read("fork.jsonl")).map(({ type }) => type);
    expect(written.slice(0, 2)).toEqual(["session.created", "session.forked"]);
  },
);

verifies(["CLI-1a", "PROG-2"], "without a terminal what is piped in is done line by line", () => {
  const place = new ShellPlace([]);
  const { status, stdout, stderr } = place.assent([], "/status\n!echo hi\n");
  expect([status, stderr]).toEqual([0, expect.not.stringContaining("assent:")]);
  expect(`${stdout}${stderr}`).toMatch(/^system {2}session +\w+$/m);
  expect(`${stdout}${stderr}`).toMatch(/^tool {4}hi$/m);
  expect(`${stdout}${stderr}`).not.toContain("\x1b");
});
