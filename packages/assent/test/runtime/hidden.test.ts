import { expect, test } from "vitest";
import type { Flow, InputBody } from "../../src/core/index.ts";
import { scriptedProvider } from "../../src/providers/index.ts";
import {
  type Live,
  type ModelQuestion,
  memoryStore,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  type WatchedCall,
} from "../../src/runtime/index.ts";
import type { ScriptedReply } from "../../src/wire/index.ts";
import { policy } from "../policy/cautious.ts";
import { settled, VirtualClock } from "../simulation/virtual-clock.ts";
import { actingTool, eagerTools } from "../tools/eager.ts";

const token = "ghp_A1b2C3d4E5f6G7h8I9j0";
const encoded = Buffer.from(token).toString("base64");
const acting = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;
const echoes: ScriptedReply = { calls: [{ tool: "terminal", arguments: { command: "echo it" }, id: "c" }] };

/** A session with a secret beside it, in which a command does what the test says. */
function open(replies: readonly ScriptedReply[], run: (watched: WatchedCall) => Promise<string>) {
  const clock = new VirtualClock();
  const journal = openMemoryJournal(memoryStore(() => true));
  const questions: ModelQuestion[] = [];
  const terminal = actingTool(eagerTools(), "terminal");
  const hands = {
    ...terminal.hands,
    run: async (_: unknown, watched: WatchedCall) => ({ type: "output", text: await run(watched) }) as const,
  };
  const secrets = new Map<string, string>();
  const host = openHost({
    ...{ journal, secrets: openVolatileSecrets(secrets), grants: openVolatileGrants(), clock, policy },
    provider: scriptedProvider({ replies, name: "test", clock, onQuestion: (asked) => questions.push(asked) }),
    tools: [{ ...terminal, hands }],
    ...{ holder: { pid: 1, started: "1", boot: "", host: "1" }, newId: () => "s", runs: () => false },
    ...{ expiryMs: null, softOffers: "off", context: () => `the token is ${token}` },
    hidden: () => [token],
  });
  host.create({ cwd: "/work", limits: {} });
  const live: Live[] = [];
  const watch = host.watch("s", { after: 0 });
  void (async () => {
    for await (const each of watch) if (each.type === "live") live.push(each.live);
  })();
  host.hold("s", { unattended: () => null, attended: () => true });
  const pass = async () => {
    for (let round = 0; round < 20; round += 1) {
      await settled();
      clock.advanceTo(clock.now() + 50);
    }
  };
  /** All that is left of the session, and all that a model was told. */
  const everything = () => JSON.stringify([journal.read("s", 0).events, questions, live]);
  return { host, secrets, live, pass, everything };
}

const prompt: InputBody = {
  ...{ type: "prompt", text: `use ${token} as ${encoded}`, delivery: "now", entry: "submitted" },
  ...acting,
};

test("a value that must not be seen is in no event, no request and nothing live, whoever says it", async () => {
  const said: ScriptedReply = { text: `It is ${token}, or ${encoded}.` };
  const { host, live, pass, everything } = open([echoes, said], async ({ onOutput }) => {
    onOutput("stdout", `out ${token.slice(0, 10)}`);
    onOutput("stderr", encoded.slice(0, 5));
    onOutput("stdout", `${token.slice(10)} end.`);
    onOutput("stderr", encoded.slice(5));
    throw new Error(`no such token: ${token}`);
  });
  host.submit("s", prompt);
  await pass();
  host.submit("s", { type: "name", name: token, ...acting });
  expect(host.view("s").name).toBe("[secret]");
  expect(host.view("s").lastEnding?.outcome).toBe("answered");
  expect(live.flatMap((each) => (each.type === "output" ? [`${each.stream} ${each.text}`] : []))).toEqual([
    "stdout out ",
    "stdout [secret] end.",
    "stderr [secret]",
  ]);
  const all = everything();
  expect([token, encoded.slice(2, -2)].filter((each) => all.includes(each))).toEqual([]);
  expect(all).toContain("terminal broke: no such token: [secret]");
  expect(all).toContain("It is [secret], or [secret].");
  expect(all).toContain("use [secret] as [secret]");
});

test("what is typed at a question for a secret reaches who asked, and is hidden from then on", async () => {
  const flow: Flow = {
    steps: [{ key: "password", question: "Which password?", options: [], allow_free_text: true, sensitive: true }],
  };
  let given: unknown;
  const { host, pass, everything, secrets } = open([echoes, { text: "Done." }], async ({ form, onOutput }) => {
    given = await form(flow);
    onOutput("stdout", "it is hunter22");
    return "hunter22 was typed";
  });
  host.submit("s", prompt);
  await pass();
  const interaction = host.interactions().open[0]?.request.interaction_id ?? "";
  host.submit("s", { type: "reply", interaction, line: "hunter22", shown: null, ...acting });
  await pass();
  expect(given).toEqual({ type: "filled", answers: { password: { text: "hunter22" } } });
  const all = everything();
  expect(all.includes("hunter22")).toBe(false);
  expect(all).toContain("[secret] was typed");
  expect(all).toContain("it is [secret]");
  expect([...secrets.values()]).toEqual([]);
});

test("what was typed for one program is a word like any other in what is said and run later", async () => {
  const flow: Flow = {
    steps: [{ key: "password", question: "Which password?", options: [], allow_free_text: true, sensitive: true }],
  };
  const connects: ScriptedReply = { calls: [{ tool: "terminal", arguments: { command: "echo postgres" }, id: "d" }] };
  let ran = 0;
  const removes: ScriptedReply = { calls: [{ tool: "terminal", arguments: { command: "rm -r b/[secret]" }, id: "e" }] };
  const { host, pass, everything } = open([echoes, connects, removes, { text: "Done." }], async ({ form }) => {
    ran += 1;
    if (ran === 1) await form(flow);
    return "postgres is up";
  });
  host.submit("s", prompt);
  await pass();
  const interaction = host.interactions().open[0]?.request.interaction_id ?? "";
  host.submit("s", { type: "reply", interaction, line: "postgres", shown: null, ...acting });
  await pass();
  // What stands for it is a pattern to a shell, and does not run.
  expect(ran).toBe(2);
  expect(everything()).toContain("and to a shell it is a pattern for files");
  expect(everything()).toContain("echo postgres");
  expect(everything()).not.toContain("postgres is up");
});

test("a known value may be typed where a secret is asked for", async () => {
  const flow: Flow = {
    steps: [{ key: "token", question: "Which token?", options: [], allow_free_text: true, sensitive: true }],
  };
  let given: unknown;
  const { host, pass } = open([echoes, { text: "Done." }], async ({ form }) => {
    given = await form(flow);
    return "";
  });
  host.submit("s", prompt);
  await pass();
  const interaction = host.interactions().open[0]?.request.interaction_id ?? "";
  host.submit("s", { type: "reply", interaction, line: token, shown: null, ...acting });
  await pass();
  expect(given).toEqual({ type: "filled", answers: { token: { text: token } } });
});

test("a model's call with a hidden value never runs, and the model is told why; nor does a person's command", async () => {
  const command = `rm -r build/${token}`;
  const removes: ScriptedReply = { calls: [{ tool: "terminal", arguments: { command }, id: "c" }] };
  let ran = 0;
  const { host, pass, everything } = open([removes, { text: "Then not." }], async () => {
    ran += 1;
    return "";
  });
  host.submit("s", prompt);
  await pass();
  expect(host.view("s").lastEnding?.outcome).toBe("answered");
  const all = everything();
  expect(all).toContain("rm -r build/[secret]");
  expect(all).toContain("not run: [secret] in it is a value that is hidden from you.");
  const call = { tool: "terminal", arguments: JSON.stringify({ command }) };
  const entered = { type: "command", text: `!${command}`, ...call, asks: { type: "tool", parallel: false } } as const;
  const { seq } = host.view("s");
  expect(host.submit("s", { ...entered, ...acting }).refusal?.code).toBe("invalid_command");
  await pass();
  expect([ran, host.view("s").seq, everything().includes(token)]).toEqual([0, seq, false]);
});

test("a form with a hidden value for a key is refused to who asks for it, and a known value is no answer to an open question", async () => {
  const step = { key: "region", question: "Which region?", options: [], allow_free_text: true };
  const ends: unknown[] = [];
  const { host, pass, everything } = open([echoes, { text: "Done." }], async ({ form }) => {
    ends.push(await form({ steps: [{ ...step, key: token }] }).catch((error: Error) => error.message));
    ends.push(await form({ steps: [step] }));
    return "";
  });
  host.submit("s", prompt);
  await pass();
  const interaction = host.interactions().open[0]?.request.interaction_id ?? "";
  const reply = (line: string) => host.submit("s", { type: "reply", interaction, line, shown: null, ...acting });
  const { seq } = host.view("s");
  expect([reply(token).refusal?.code, host.view("s").seq]).toEqual(["invalid_response", seq]);
  reply("here");
  await pass();
  expect(ends).toEqual([
    "it asked for a flow that is none: a key, an option or a pattern of it has a value in it that is kept hidden",
    { type: "filled", answers: { region: { text: "here" } } },
  ]);
  expect(everything().includes(token)).toBe(false);
});
