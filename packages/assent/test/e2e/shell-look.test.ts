import { expect } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { type Scripted, terminal } from "./product.ts";
import { ctrlC, ShellPlace, type ShellWindow } from "./shell-window.ts";

/** A run of two iterations with a command in each. */
const run: readonly Scripted[] = [
  { calls: [{ tool: "agentic", arguments: { user_prompt: "count", objective: "count to two" } }] },
  { ...terminal("echo one", "call_1"), text: "First **one**." },
  { ...terminal("echo two", "call_2"), text: "Then two." },
  { calls: [{ tool: "complete", arguments: { status: "success", result: "Counted." } }] },
];
// biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
const colour = /\x1b\[[0-9;:]*m/g;

async function played(env: NodeJS.ProcessEnv): Promise<ShellWindow> {
  const place = new ShellPlace(run);
  const window = place.window([], { env });
  await window.until("turns 0/25");
  window.enter("count");
  await window.until(/ended: completed: success$/m);
  window.enter("/queue");
  await window.until(/nothing waits/);
  return window;
}

/** From the prompt on, what was printed. */
function told(window: ShellWindow, prompt: string): readonly string[] {
  const lines = window.lines();
  return lines.slice(lines.indexOf(prompt), lines.findIndex((line) => line.endsWith("nothing waits")) + 1);
}

verifies(
  ["PROG-1", "PROG-2"],
  "without colours no byte sets one, and prompt, agent, tools and the system still differ in every line",
  async () => {
    const window = await played({ NO_COLOR: "1" });
    expect(window.bytes.toString().match(colour)).toBeNull();
    expect(told(window, "❯ count")).toEqual([
      "❯ count",
      "· run opened: count to two",
      "· iteration 1",
      "● First one.",
      "▸ echo one",
      "│ one",
      "· iteration 2",
      "● Then two.",
      "▸ echo two",
      "│ two",
      "· iteration 3",
      "● Counted.",
      "· ended: completed: success",
      "❯ /queue",
      "· nothing waits",
    ]);
  },
);

verifies("PROG-2", "with colours the same lines are there, and some of their bytes set one", async () => {
  const window = await played({});
  expect(new Set(window.bytes.toString().match(colour)).size).toBeGreaterThan(4);
  const plain = await played({ NO_COLOR: "1" });
  expect(told(window, "❯ count")).toEqual(told(plain, "❯ count"));
});

verifies(
  "PROG-2",
  "where only ASCII can be shown, nothing else is written, and the channels still differ",
  async () => {
    const window = await played({ LANG: "C", NO_COLOR: "1" });
    expect(window.bytes.every((byte) => byte < 0x80)).toBe(true);
    expect(told(window, "> count").slice(0, 6)).toEqual([
      "> count",
      "- run opened: count to two",
      "- iteration 1",
      "* First one.",
      "+ echo one",
      "| one",
    ]);
  },
);

verifies("PROG-2", "what takes long is shown with a sign that turns and the seconds, in a terminal only", async () => {
  const place = new ShellPlace([terminal("sleep 2.5; echo slept"), { text: "Done." }]);
  const window = place.window();
  await window.idle();
  window.enter("sleep");
  const signs = new Set<string>();
  await window.when("two seconds are counted", () => {
    const [line, sign] = /^(\S) sleep 2\.5; echo slept \d+ s · Ctrl-C stops$/m.exec(window.text()) ?? [];
    if (sign !== undefined) signs.add(sign);
    return line?.includes(" 2 s ") === true;
  });
  expect(signs.size).toBeGreaterThan(3);
  await window.until("● Done.");
  await window.idle();
  expect(window.count("Ctrl-C stops")).toBe(1);
  const { stdout, stderr } = place.assent(["run", "--model", `scripted:${place.script}`, "sleep"]);
  expect(`${stdout}${stderr}`).toContain("slept");
  expect(`${stdout}${stderr}`).not.toMatch(/\d s ·|[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/);
  expect(`${stdout}${stderr}`).not.toContain("\x1b");
});

verifies(
  "CLI-5f",
  "with no model the shell starts, says so in a line, offers what to do, and commands work",
  async () => {
    const place = new ShellPlace([{ text: "Never." }, { text: "Now there is one." }], {
      ASSENT_MODEL: "",
      OPENAI_API_KEY: "",
      ANTHROPIC_API_KEY: "",
    });
    const window = place.window();
    await window.until(/^· no model yet: Enter plays the demo, \/model sets one up, \/doctor tells what is missing$/m);
    // What Enter would send can be seen, and taken away.
    await window.untilRow("❯ /demo");
    window.type(ctrlC);
    await window.idle();
    window.enter("/help");
    await window.until(/^· .*\/turn-limit/m);
    window.enter("!echo by hand");
    await window.until(/^│ by hand$/m);
    window.enter("hello?");
    const session = place.sessionId();
    const way = `/model <provider:model> or set one up with /model setup, then /resume ${session}; /demo shows`;
    const inOneLine = () => window.text().replaceAll(/\n· /g, " ");
    await window.when("it is told what is typed here", () => inOneLine().includes(`name one with ${way}`));
    expect(window.text()).not.toContain("--model");
    await window.idle();
    // It is as it says.
    window.enter(`/model scripted:${place.script}`);
    await window.until(/^· the model is scripted:/m);
    window.enter(`/resume ${session}`);
    await window.until("● Now there is one.");
    await window.idle();
    window.enter("/model setup");
    await window.until(/^Which provider should it be\?$/m);
    await window.armed();
    // The line that was typed is what the set-up begins with: it is seen once.
    expect(window.text().match(/^❯ \/model setup$/gm)).toHaveLength(1);
  },
);
