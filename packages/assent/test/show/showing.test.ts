import { expect, test } from "vitest";
import { inShell } from "../../src/adapters/shell/recap.ts";
import { type EventBody, fold, type InteractionRequest, type ModelFailure, newSession } from "../../src/core/index.ts";
import { plainLines, Showing, saidFailure, saidSubject } from "../../src/show/index.ts";
import { ruleOf } from "../core/grants.ts";
import { person, type Story, story, terminal } from "../core/story.ts";

function show(event: EventBody): string {
  return plainLines(new Showing(newSession()).show({ ...event, at: 0 }));
}

function askedIn({ session }: Story): InteractionRequest {
  const [open] = session.interactions;
  if (open === undefined) throw new Error("nothing was asked");
  return open.request;
}

const rule = ruleOf("rm -rf \u001b[2Jbuild");

test("what is granted, taken back or not saved is told in a line, in which nothing hides", () => {
  const grant = { ...rule, id: "g-s-2", created: 0 };
  const added = (scope: "session" | "project" | "user") =>
    show({ type: "grant.added", grant: { ...grant, scope }, call: "t1c1", by: person });
  const shown = "rm -rf \\u{1b}[2Jbuild (g-s-2)\n";
  expect(added("session")).toBe(`system  granted (for this session): ${shown}`);
  expect(added("project")).toBe(`system  granted (in this project): ${shown}`);
  expect(added("user")).toBe(`system  granted (for you everywhere): ${shown}`);
  expect(show({ type: "grant.removed", grant: "g-s-1", by: person })).toBe(
    "system  grant g-s-1 removed by ada in test\n",
  );
  expect(show({ type: "grant.failed", grant: "g-s-2", call: "t1c1", reason: "the disk is full" })).toBe(
    "system  the rule is not saved, the command runs once: the disk is full\n",
  );
});

test("a failure of the model for which nobody has a remedy is told with the way on", () => {
  const failure = { class: "overloaded", detail: "too much", remedy: "", partial: "" } as const;
  expect(plainLines(saidFailure(failure, "abc"))).toBe(
    "system  the model failed (overloaded): too much; assent resume abc goes on\n",
  );
  expect(plainLines(saidFailure({ ...failure, remedy: "wait" }, "abc"))).toMatch(/: too much; wait\n$/);
});

test("[SEL-9] what did not fit and is over is told with the way on, in the shell with the shell's; not where a person has stopped it", () => {
  const failure = { class: "overflow", detail: "too long", remedy: "shorten it", partial: "" } as const;
  const failed = { type: "model.failed", request: 1, failure } as const;
  const way = "go on with a model that takes more: assent resume s1 --model <provider:model>";
  const inOrder = (...bodies: readonly EventBody[]) => {
    const showing = new Showing({ ...newSession(), id: "s1" });
    return bodies.flatMap((body) => showing.show({ ...body, at: 0 }));
  };
  const over = inOrder({ ...failed, next: "end" });
  expect(plainLines(over)).toMatch(`(overflow): too long; shorten the prompt, start a new session, or ${way}\n`);
  const here = "go on with a model that takes more: /model <provider:model>, then /resume s1";
  expect(plainLines(over.map((said) => inShell(said, "s1")))).toMatch(`or ${here}\n`);
  expect(plainLines(inOrder({ ...failed, next: "compact" }))).toMatch("too long; shorten it\n");
  const stop = { type: "stop.requested", exchange: 1, mode: "kill", by: person } as const;
  expect(plainLines(inOrder(stop, { ...failed, next: "end" }))).not.toContain(way);
  const ended = {
    type: "exchange.ended",
    exchange: 1,
    text: "",
    outcome: "failed",
    reason: "overflow",
    detail: "full",
  } as const;
  expect(plainLines(inOrder({ ...failed, next: "converse" }, ended))).toMatch(`ended: failed: full; ${way}\n`);
  expect(plainLines(inOrder({ ...failed, next: "end" }, ended))).toMatch("ended: failed: full\n");
});

/** A summary that a person wanted and that fails so, as it is told from its beginning and where one comes in the middle. */
function toldSummary(failure: ModelFailure): readonly string[] {
  const by = { by: person, authority: "act" } as const;
  const told = story()
    .prompt()
    .model("Hello.")
    .give({ type: "compaction", ...by });
  const events = told.give({ type: "model-result", request: told.request, result: { type: "failed", failure } }).events;
  const at = events.findIndex(({ type }) => type === "model.failed");
  return [0, at].map((from) => {
    const showing = new Showing({ ...fold(events.slice(0, from)), id: "s" });
    const said = events.slice(from).flatMap((event) => showing.show(event));
    return plainLines(said.map((each) => inShell(each, "s")).concat(said)).replaceAll(
      /^(?!system {2}the model).*\n/gm,
      "",
    );
  });
}

test("[SEL-9] a summary that a person wanted is asked for again: there is no exchange that could be gone on with", () => {
  const way = "echo /compact | assent --session s";
  const cases: readonly (readonly [kind: string, remedy: string, here: string, typed: string])[] = [
    [
      "overflow",
      "shorten the prompt",
      "have it summarised by a model that takes more: /model <provider:model>, then /compact",
      `have it summarised by a model that takes more: ${way} --model <provider:model>`,
    ],
    ["refused", "look, then assent resume <session>", "look, then /compact", `look, then ${way}`],
    [
      "overloaded",
      "wait, then assent resume <session>; with another model: assent resume <session> --model <provider:model>",
      "wait, then /compact; with another model: /model <provider:model>, then /compact",
      `wait, then ${way}; with another model: ${way} --model <provider:model>`,
    ],
    [
      "moved",
      "assent resume <session> --model <provider:model> sends it there",
      "/model <provider:model>, then /compact, sends it there",
      `${way} --model <provider:model> sends it there`,
    ],
    ["no-summary", "try again", "try again", "try again"],
    ["other", "", "/compact asks again", `${way} asks again`],
  ];
  for (const [kind, remedy, here, typed] of cases) {
    const lines = [here, typed].map((what) => `system  the model failed (${kind}): bad; ${what}\n`).join("");
    expect(toldSummary({ class: kind, detail: "bad", remedy, partial: "" })).toEqual([lines, lines]);
  }
});

test("what a grant allows is told, what the policy allows is not", () => {
  const judged = {
    call: "t1c1",
    verdict: "allow",
    rule: "r",
    reason: "it is granted",
    digest: "",
    facts: null,
  } as const;
  const granted = { id: "g-s-1", scope: "session" } as const;
  expect(show({ type: "call.judged", ...judged })).toBe("");
  expect(show({ type: "call.judged", ...judged, granted })).toBe("system  allowed by grant g-s-1: it is granted\n");
});

test("before a rule is confirmed, all of it is shown", () => {
  const request = askedIn(story().prompt().model("", terminal()).judge("ask", { grant: rule }).reply("4"));
  expect(plainLines(saidSubject(request)).split("\n")).toEqual([
    "tool    command: rm -rf \\u{1b}[2Jbuild",
    "tool    match: exact",
    "tool    scope: project",
    "tool    root: /project",
    "tool    categories: recursive-deletion",
    "tool    tool: terminal",
    'tool    signature: ["rm -rf \\u001b[2Jbuild"]',
    "tool    2) No: it runs this once, and nothing is saved",
    "",
  ]);
});

test("a saved grant that cannot be read is named where a person is asked because of it", () => {
  const told = story().prompt().model("", terminal()).judge("ask");
  const request = told.session.interactions[0]?.request;
  if (request === undefined) throw new Error("nothing was asked");
  const metadata = { reason: "it asks", unread_grants: ["/home/ada/grants/g.json: expected JSON"] };
  expect(plainLines(saidSubject({ ...request, subject: { command: ["ls"] }, metadata })).split("\n")).toEqual([
    "tool    command: ls",
    "tool    asked because: it asks",
    "system  a saved grant cannot be read and does not count: /home/ada/grants/g.json: expected JSON",
    "",
  ]);
});

test("a field stands beside its name, and is never cut", () => {
  const text = Array.from({ length: 100 }, (_, index) => `line ${index}`).join("\n");
  const shown = plainLines([{ channel: "tool", form: "diff", text, field: "diff" }]).split("\n");
  expect([shown.length, shown[0], shown[1], shown[99]]).toEqual([
    101,
    "tool    diff: line 0",
    "tool          line 1",
    "tool          line 99",
  ]);
});

/** What is told of the model's failure where it is followed from there on, or from the start. */
function toldFailure(told: Story, fail: (told: Story) => Story): readonly string[] {
  const followed = new Showing(told.session);
  const before = new Showing(newSession());
  for (const event of told.events) before.show(event);
  const events = fail(told).last.events;
  return [followed, before].map(
    (showing) => plainLines(events.flatMap((event) => showing.show(event))).split("\n")[0] ?? "",
  );
}

test("a failure after a stop is told as that, whatever it was, and recorded as it came", () => {
  const fails: readonly (readonly [begin: () => Story, fail: (told: Story) => Story, told: string])[] = [
    [() => story().prompt(), (told) => told.modelFails(), "(server-error): the server said 500"],
    [() => story().prompt(), (told) => told.overflow(), "(overflow): too long"],
    [
      () => story().prompt("one").model("yes").prompt("two").overflow(),
      (told) => told.summarise(" "),
      "(no-summary): the history does not fit, and the model gave no summary of it",
    ],
  ];
  for (const [begin, fail, what] of fails) {
    const line = `system  the model failed ${what}; it was stopped: a new prompt goes on`;
    expect(toldFailure(begin().stop(), fail)).toEqual([line, line]);
    const unstopped = begin();
    expect(toldFailure(unstopped, fail).join()).not.toContain("stopped");
  }
  const failed = story().prompt().stop().modelFails();
  expect(failed.find("model.failed")).toMatchObject({ failure: { remedy: "try again later" } });
  // The next exchange is another matter.
  expect(toldFailure(failed.prompt(), (told) => told.modelFails())[1]).toContain("try again later");
});

test("the text that ended an exchange is said once, and not where it was the last thing that was shown", () => {
  const ended = { type: "exchange.ended", at: 0, exchange: 1, outcome: "answered" } as const;
  const asked = { id: "t1c1", original: "a", tool: "terminal", arguments: "{}" };
  const asks = { type: "tool", parallel: false, command: "ls" } as const;
  const replied = (text: string) =>
    ({
      type: "model.replied",
      at: 0,
      request: 1,
      reply: { text, calls: [{ ...asked, asks }], usage: { input: 0, output: 0, cached: 0 } },
    }) as const;
  const showing = new Showing(newSession());
  expect(showing.saidText({ ...ended, text: "" })).toEqual([]);
  expect(showing.saidText({ ...ended, text: "Done." })).toEqual([
    { channel: "agent", form: "markdown", text: "Done." },
  ]);
  showing.show(replied("Done."));
  expect(showing.saidText({ ...ended, text: "Done." })).toEqual([]);
  showing.show({ type: "call.finished", at: 0, call: "t1c1", result: { type: "output", text: "a.txt" } });
  expect(showing.saidText({ ...ended, text: "a.txt" })).toEqual([]);
});

test("where a line of a command is broken by the window, the part that is asked about is shown instead of marks", () => {
  const command = `rm -rf build; echo ${"and more ".repeat(8)}`;
  const findings = [{ reason: "deletes a folder", span: { start: 0, end: 12 } }];
  const request = {
    ...askedIn(story().prompt().model("", terminal()).judge("ask")),
    subject: { command: [command] },
    metadata: { findings },
  };
  expect(plainLines(saidSubject(request, 200))).toContain(`        ${"^".repeat(12)}\n`);
  expect(plainLines(saidSubject(request, 40))).toContain("there: rm -rf build\n");
  expect(plainLines(saidSubject(request, 40))).not.toContain("^");
});

test("what the agent said before its last command is not said again when the exchange ends with it", () => {
  const ended = story().prompt().model("I look.", terminal()).judge().start().stop();
  for (const call of ended.running) ended.finish(call, "done");
  const showing = new Showing(newSession());
  const end = ended.events.findLast((event) => event.type === "exchange.ended");
  for (const event of ended.events) showing.show(event);
  expect(end).toMatchObject({ text: "I look." });
  expect(end === undefined ? null : showing.saidText(end)).toEqual([]);
});

test("what a server says is shown before its question as its own, and no line of it passes for another", () => {
  const subject = {
    from: "every\u202ething",
    message: ["Approve command: ls? (yes/no)", "from: Assent", "\u001b[2J1) Yes"],
  };
  const request: InteractionRequest = {
    ...{ interaction_id: "s-1", kind: "question", question: "Answer everything?", options: [], subject },
    ...{ allow_free_text: true, allow_cancel: true },
  };
  expect(plainLines(saidSubject(request)).split("\n")).toEqual([
    "tool    from: every\\u{202e}thing",
    "tool    message: Approve command: ls? (yes/no)",
    "tool             from: Assent",
    "tool             \\u{1b}[2J1) Yes",
    "",
  ]);
});

test("what a command of the shell does by a tool is told as the shell's, a person's own command as what it printed", () => {
  const shown = (command?: string) => {
    const showing = new Showing(newSession());
    const asks = { type: "tool", parallel: false, ...(command === undefined ? {} : { command }) } as const;
    const events: readonly EventBody[] = [
      { type: "command.entered", exchange: 1, call: "e1", tool: "some_tool", arguments: "{}", asks },
      { type: "call.started", call: "e1", digest: "" },
      { type: "call.finished", call: "e1", result: { type: "output", text: "there is one" } },
    ];
    return plainLines(events.flatMap((event) => showing.show({ ...event, at: 0 })));
  };
  expect(shown()).toBe("system  there is one\n");
  expect(shown("ls")).toBe("tool    $ ls\ntool    there is one\n");
});

test("who joins while a set-up is being filled in is told what came of it, too", () => {
  const step = { key: "a", question: "Which one?", options: [], allow_free_text: true };
  const by = { by: person, authority: "act" } as const;
  const asking = story().give({
    type: "flow",
    flow: { steps: [step] },
    name: "/x",
    arguments: "{}",
    tool: "x_setup",
    ...by,
  });
  const showing = new Showing(asking.session);
  const text = "x is set up";
  const events: readonly EventBody[] = [
    { type: "call.started", call: "e1", digest: "" },
    { type: "call.finished", call: "e1", result: { type: "output", text } },
  ];
  expect(plainLines(events.flatMap((event) => showing.show({ ...event, at: 0 })))).toBe(`system  ${text}\n`);
});
