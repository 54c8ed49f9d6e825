import { expect, test } from "vitest";
import type { SessionEvent } from "../../src/core/index.ts";
import { recordScenario } from "../../src/scenarios/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { eventsOf, recorded } from "./recording.ts";

verifies(
  "SCEN-3",
  "a whole recorded session is written down with what its commands gave, and asks nothing of the world",
  async () => {
    const text = [
      "# T",
      "folder /home/ada/project",
      "limits turns=7",
      "> Make it",
      ">| in two lines",
      'model {"text":"Making.","calls":[{"tool":"terminal","arguments":{"command":"rm -r old"}}],"usage":{"input":9,"output":2,"cached":0}}',
      "> yes",
      "executes rm -r old",
      ">> quickly",
      'result {"type":"output","text":"gone","exit":0}',
      'model {"text":"Made."}',
      "",
    ].join("\n");
    expect(await recorded(await eventsOf(text))).toBe(
      [
        "# Session s1: Make it\\nin two lines",
        "folder /home/ada/project",
        "limits turns=7",
        "> Make it",
        ">| in two lines",
        "prompt  Make it",
        "prompt  in two lines",
        'model {"text":"Making.","calls":[{"tool":"terminal","arguments":{"command":"rm -r old"},"id":"call_1_1"}],"usage":{"input":9,"output":2,"cached":0}}',
        'judged {"verdict":"ask","rule":"delete-recursive","reason":"it deletes folders with all that is in them (rm -r)","grant":{"tool":"terminal","match":"exact","root":"/home/ada/project","signature":"[\\"rm -r old\\",[[\\"rm\\",\\"-r\\",\\"old\\"]],[[\\"delete-recursive\\",\\"deletes folders with all that is in them (rm -r)\\"]],[]]","display":"rm -r old","categories":["delete"]}}',
        "agent   Making.",
        "system  ask: it deletes folders with all that is in them (rm -r) (delete-recursive)",
        "tool    command: rm -r old",
        "tool    cwd: /home/ada/project",
        "tool    asked because: it deletes folders with all that is in them (rm -r)",
        "Approve command: rm -r old? (yes/no)",
        "",
        "1) Yes",
        "2) No",
        "3) Yes for this session",
        "4) Always in this project",
        "5) Always for me",
        "events exchange.started model.replied call.judged interaction.requested",
        "> 1",
        "system  answered by ada in test: yes",
        "tool    $ rm -r old",
        "executes rm -r old",
        ">> quickly",
        'result {"type":"output","text":"gone","exit":0}',
        "tool    gone",
        'model {"text":"Made."}',
        "system  ended: answered",
        "system  tokens: 9 in, 2 out",
        "Made.",
        "events interaction.resolved call.cleared call.started steering.received call.finished turn.closed steering.sent model.replied turn.closed exchange.ended",
        "",
      ].join("\n"),
    );
  },
);

verifies("SCEN-3", "a secret that was typed is not in the scenario, which says so", async () => {
  const steps = [
    { key: "user", instruction: "Which user is it?", options: ["ada", "root"] },
    { key: "password", instruction: "What is the password?", options: [], sensitive: true },
  ];
  const text = `# T\nflow ${JSON.stringify({ steps })}\n> 1\n> correct horse\n> 1\n`;
  const events = await eventsOf(text);
  expect(JSON.stringify(events)).not.toContain("correct horse");
  const made = await recorded(events);
  expect(made).toContain("\n# A secret was typed here; it is not recorded.\n> ***\n");
  expect(made).not.toContain("correct horse");
});

test("an invalid reply is recorded as one that is invalid for the same reason", async () => {
  const model = 'model {"calls":[{"tool":"ask","arguments":{"question":"Which one?","options":["Red","Blue"]}}]}';
  const made = await recorded(await eventsOf(`# T\n> a\n${model}\n> 7\n> option 2\n> 2\nmodel {"text":"Blue."}\n`));
  expect(made.split("\n").filter((line) => line.startsWith("> "))).toEqual(["> a", "> 99", "> option 1", "> 2"]);
});

test("several answers in one line are recorded as one line", async () => {
  const steps = ["a", "b", "c"].map((key) => ({ key, instruction: `Which ${key} is it?`, options: ["One", "Two"] }));
  const text = `# T\nflow ${JSON.stringify({ steps })}\n> b=2 c=7 a=1\n> 1\n> 1\n`;
  const made = await recorded(await eventsOf(text));
  expect(made.split("\n").filter((line) => line.startsWith("> "))).toEqual(["> b=2 a=1 c=0", "> 1", "> 1"]);
});

test("a fork cannot be recorded: what was said before it is not in it", async () => {
  const [created, ...rest] = await eventsOf('# T\n> a\nmodel {"text":"b"}\n');
  if (created === undefined) throw new Error("expected an event, came none");
  const forked = { type: "session.forked", at: 0, from: "s0", until: 3, history: [] } as const;
  const made = await recorded([created, { ...created, seq: 2, event: forked }, ...rest]);
  expect(made).toBe("it is a fork, and begins with what was said elsewhere");
});

test("where the play cannot do what was recorded, that is told", async () => {
  const events = await eventsOf('# T\n> a\nmodel {"text":"b"}\n');
  const lost = events.filter(({ event }) => event.type !== "turn.closed");
  const made = await recordScenario("s1", lost);
  expect(made.type === "recorded" ? made.differs : null).toContain("+ turn.closed");
});

verifies("SCEN-3", "commands that reach further than the session are left out, and make no difference", async () => {
  const events = await eventsOf('# T\n> a\nmodel {"text":"b"}\n');
  const clear = { type: "command.entered", at: 0, command: "/clear", by: { name: "ada", adapter: "test" } } as const;
  const made = await recorded([...events, { seq: events.length + 1, session: "s1", event: clear }]);
  expect(made).toContain("\n# A command that reaches further than the session is left out: /clear.\n");
});

test("what a call asked a person while it ran is left out, and that is told: its result says what came of it", async () => {
  const call = 'model {"calls":[{"tool":"terminal","arguments":{"command":"echo a"}}]}';
  const result = 'executes echo a\nresult {"type":"output","text":"a","exit":0}';
  const events = await eventsOf(`# T\n> a\n${call}\n${result}\nmodel {"text":"b"}\n`);
  const at = events.findIndex(({ event }) => event.type === "call.started") + 1;
  const started = events[at - 1]?.event;
  if (started?.type !== "call.started") throw new Error("expected a call, came none");
  const flow = { steps: [{ key: "k", question: "Which one?", options: [], allow_free_text: true }] };
  const request = { ...flow.steps[0], interaction_id: "s1-1", kind: "question", allow_cancel: true } as const;
  const response = { interaction_id: "s1-1", cancelled: false, free_text: "not told" };
  const asked: readonly SessionEvent[] = [
    { type: "flow.started", at: 0, call: started.call, flow },
    {
      ...{ type: "interaction.requested", at: 0, purpose: { type: "flow", call: started.call, place: "k" } },
      request: { question: "Which one?", options: [], allow_free_text: true, ...request },
    },
    {
      ...{ type: "interaction.resolved", at: 0, interaction: "s1-1", state: "answered", response },
      ...{ by: { name: "ada", adapter: "test" }, shown: null },
    },
  ];
  const more = asked.map((event) => ({ seq: 0, session: "s1", event }));
  const made = await recordScenario("s1", [...events.slice(0, at), ...more, ...events.slice(at)]);
  const text = made.type === "recorded" ? made.text : made.reason;
  expect(text).toContain("\n# A call asked a person while it ran; what was answered there is left out.\n");
  expect(text).not.toContain("not told");
  // What is left out makes no difference.
  expect(made).toMatchObject({ differs: null });
});

verifies(
  "SCEN-3",
  "the calls of one reply keep each its own verdict, however many of them are asked about",
  async () => {
    const commands = ["ls", "rm -r a", "ls b", "rm -r c"];
    const calls = commands.map((command) => ({ tool: "terminal", arguments: { command } }));
    const text = `# T\n> a\nmodel ${JSON.stringify({ calls })}\n> yes\n> no\nmodel {"text":"Done."}\n`;
    const made = await recorded(await eventsOf(text));
    const lines = made.split("\n").filter((line) => /^(?:judged|executes)/u.test(line));
    expect(lines.map((line) => line.slice(0, 26))).toEqual(
      [
        ...['judged {"verdict":"allow",', "executes ls", 'judged {"verdict":"ask","ru', "executes rm -r a"],
        ...['judged {"verdict":"allow",', "executes ls b", 'judged {"verdict":"ask","ru'].map((line) =>
          line.slice(0, 26),
        ),
      ].map((line) => line.slice(0, 26)),
    );
  },
);

test("a line that leads to nothing is recorded with no events", async () => {
  const model = 'model {"calls":[{"tool":"ask","arguments":{"question":"Which one?","options":["Red","Blue"]}}]}';
  const events = await eventsOf(`# T\n> a\n${model}\n> /status\n> 1\nmodel {"text":"Red."}\n`);
  expect(await recorded(events)).toMatch(/^> 1$/mu);
});
