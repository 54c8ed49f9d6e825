import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { loaded } from "./loaded.ts";
import { counting, jsonLines, needsTerminal, noTerminal, Place, type Scripted, terminal, until } from "./product.ts";

const answered: readonly Scripted[] = [{ text: "Hello." }];
const asking: readonly Scripted[] = [terminal(counting), { text: "Done." }];
const agentic = { tool: "agentic", arguments: { user_prompt: "go", objective: "get there" } };

function completed(status: "success" | "failure" | "partial"): readonly Scripted[] {
  return [{ calls: [agentic] }, { calls: [{ tool: "complete", arguments: { result: "r", status } }] }];
}

function typesOf(stdout: string): readonly string[] {
  return jsonLines<{ type: string }>(stdout).map(({ type }) => type);
}

describe("a prompt that names files with @", () => {
  const place = () => {
    const made = new Place(answered);
    writeFileSync(made.file("notes.md"), "Buy milk.\n");
    writeFileSync(made.file(".env"), "KEY=1\n");
    return made;
  };

  verifies("SEL-11g", "goes with them, and tells on stderr which looks like a path and is not there", () => {
    const made = place();
    const { status, stdout, stderr } = made.assent(["run", "see @notes.md, @note.md and @nobody"]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "Hello.\n" });
    expect(stderr).toMatch(/^assent: @note\.md: no such file; the text goes as it is; did you mean @notes\.md\?\n/);
    expect(stderr).not.toContain("nobody:");
    expect(made.requests()[0]?.request.closing).toMatch(/@nobody\n\nFile notes\.md:\n```\nBuy milk\.\n```$/);
    const json = made.assent(["run", "--json", "see @note.md"]);
    expect(json.stderr).toContain("assent: @note.md: no such file");
    expect(typesOf(json.stdout)[0]).toBe("session.created");
  });

  verifies("APPR-11", "is not sent where one of them must not be, and nothing is recorded", () => {
    const made = place();
    const { status, stderr } = made.assent(["run", "see @.env"]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^assent: @\.env: .*secrets; it is not sent along, copy what is needed\n$/);
    expect(made.sessions()).toEqual([]);
  });

  test("is what was typed: what is piped in names no files", () => {
    const made = place();
    expect(made.assent(["run"], "see @notes.md, @note.md and @.env\n")).toMatchObject({ status: 0 });
    expect(made.requests()[0]?.request.closing).toMatch(/\nsee @notes\.md, @note\.md and @\.env$/);
  });
});

describe("the exit code of a run", () => {
  verifies("CLI-2", "is 0 when it is answered, with the answer alone on stdout", () => {
    expect(new Place(answered).assent(["run", "hi"])).toMatchObject({ status: 0, stdout: "Hello.\n" });
  });

  test.each<[string, readonly Scripted[], readonly string[], number]>([
    ["completed well", completed("success"), [], 0],
    ["completed as failure", completed("failure"), [], 1],
    ["completed in part", completed("partial"), [], 1],
    ["failed by the model", [{ failure: { class: "outage", detail: "no answer" } }], [], 1],
    ["failed by a script that is over", [], [], 1],
    ["refused something", asking, [], 3],
    ["parked", asking, ["--unattended=park"], 4],
    ["aborted for want of a person", asking, ["--unattended=abort"], 1],
    [
      "at the limit of iterations",
      [{ calls: [agentic] }, terminal("echo 1"), terminal("echo 2")],
      ["--max-iterations=2"],
      5,
    ],
    ["at the limit of turns", [terminal("echo 1"), terminal("echo 2")], ["--max-turns=1"], 5],
    ["at the limit of turns, to be aborted", [terminal("echo 1")], ["--max-turns=1", "--unattended=abort"], 5],
    ["at the limit of turns, parked", [terminal("echo 1")], ["--max-turns=1", "--unattended=park"], 4],
    ["stalled", [{ calls: [agentic] }, { text: "a" }, { text: "b" }, { text: "c" }], [], 5],
    ["broke the contract", Array(4).fill({ calls: [{ tool: "ask", arguments: { question: "" } }] }), [], 1],
  ])("%s", (_what, script, flags, code) => {
    expect(new Place(script).assent(["run", ...flags, "go"]).status).toBe(code);
  });

  test.each<[NodeJS.Signals, number]>([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ])("%s ends what runs at once, records it, and is told by the code", async (signal, code) => {
    const place = new Place([terminal("sleep 60"), { text: "Late." }]);
    const run = place.start(["run", "--json", "wait"]);
    await run.shows('"call.started"');
    process.kill(await place.holder(), signal);
    expect(await run.ended).toBe(code);
    const events = jsonLines<{ type: string; outcome?: string; result?: { text: string } }>(run.output);
    expect(events.find(({ type }) => type === "call.finished")?.result?.text).toContain("[killed: sleep");
    expect(events.at(-1)).toMatchObject({ type: "exchange.ended", outcome: "stopped" });
    expect(place.requests()).toHaveLength(1);
  });

  test("a reader that has seen enough stops it, and what it was is recorded", async () => {
    const place = new Place([...Array.from({ length: 40 }, () => terminal("echo x")), { text: "Late." }]);
    const run = place.start(["run", "--json", "--max-turns", "unlimited", "go"]);
    await run.shows('"call.started"');
    run.closeOutput();
    expect(await run.ended).toBe(141);
    expect(run.errors).toBe("");
    expect(place.sessions()[0]).toMatchObject({ open: false, outcome: "stopped" });
  });

  test("another process's stop gives 130, after the command that runs has finished", async () => {
    const place = new Place([terminal("sleep 4"), { text: "Late." }]);
    const run = place.start(["run", "wait"]);
    await run.shows("$ sleep 4");
    const { session = "" } = place.sessions()[0] ?? {};
    expect(place.assent(["stop", session]).stderr).toContain("what runs finishes first");
    expect(await run.ended).toBe(130);
    expect(place.requests()).toHaveLength(1);
  });

  test("a session whose process has died can be stopped too", async () => {
    const place = new Place([{ text: "never", delay_ms: 60_000 }]);
    place.start(["run", "wait"]);
    await until("the request is out", () => (place.requests().length === 1 ? true : undefined));
    process.kill(await place.holder(), "SIGKILL");
    await until("nobody holds it", () => (place.sessions()[0]?.holder === null ? true : undefined));
    const { session = "" } = place.sessions()[0] ?? {};
    expect(place.assent(["stop", session])).toMatchObject({ status: 0 });
    expect(place.sessions()[0]).toMatchObject({ open: false, outcome: "stopped" });
  });
});

describe("what a run had when it ended", () => {
  const half = { text: "Half of it.", ...terminal("echo 1") };
  const limited = [{ calls: [agentic] }, half, { text: "More of it.", ...terminal("echo 2") }];
  const flags = ["--max-iterations", "2"];

  test("is not what was said before an answer without a word", () => {
    const ran = new Place([{ text: "Working.", ...terminal("echo 1") }, { text: "" }]).assent(["run", "go"]);
    expect(ran).toMatchObject({ status: 0, stdout: "" });
    expect(ran.stderr).toMatch(/^agent {3}Working\.$[\s\S]*^system {2}the model answered with nothing$/m);
  });

  test.each<[string, readonly Scripted[], readonly string[], string]>([
    ["completed: partial", completed("partial"), [], "r"],
    [
      "stalled: the limit on silent-replies was reached",
      [{ calls: [agentic] }, ...["a", "b", "c"].map((text) => ({ text }))],
      [],
      "c",
    ],
    ["turn-limit: the limit on turns (--max-turns) was reached", [half], ["--max-turns=1"], "Half of it."],
  ])("is printed, and that it %s", (ending, replies, more, text) => {
    const { stdout, stderr } = new Place(replies).assent(["run", ...more, "go"]);
    expect(stdout).toBe(`${text}\n`);
    expect(stderr).toContain(`system  ended: ${ending}`);
    expect(stderr.includes('"go on" goes on from here')).toBe(ending.startsWith("stalled"));
  });

  verifies(["LOOP-4c", "LOOP-6c"], "is printed, and that its limit was reached, by run, resume and the shell", () => {
    const told = "iteration-limit: the limit on iterations (--max-iterations) was reached";
    const place = new Place(limited);
    const ran = place.assent(["run", ...flags, "go"]);
    expect(ran).toMatchObject({ status: 5, stdout: "More of it.\n" });
    expect(ran.stderr).toContain(`system  ended: ${told}\n`);
    const again = place.assent(["resume", place.sessions()[0]?.session ?? ""]);
    expect(again).toMatchObject({ status: 5, stdout: "More of it.\n" });
    const way = `assent run --session ${place.sessions()[0]?.session} "go on" goes on from here\n`;
    expect(ran.stderr).toMatch(new RegExp(`^system {2}${way}$`, "m"));
    expect(again.stderr).toContain(`its last exchange ended: ${told}; ${way}`);
    const { stdout, stderr } = place.assent(flags, "go\n");
    expect(`${stdout}${stderr}`).toMatch(/^agent {3}More of it\.$/m);
    expect(`${stdout}${stderr}`).toContain(`system  ended: ${told}\n`);
  });

  verifies("LOOP-6c", "is in one event with how it ended, for whoever reads events", () => {
    const { stdout } = new Place(limited).assent(["run", "--json", ...flags, "go"]);
    expect(jsonLines<object>(stdout).at(-1)).toMatchObject({
      ...{ type: "exchange.ended", outcome: "iteration-limit", bound: "iterations", text: "More of it." },
    });
  });
});

describe("with nobody there to ask", () => {
  verifies("APPR-9a", "deny refuses the call, tells the model, and is what happens by default", () => {
    for (const flags of [[], ["--unattended=deny"]]) {
      const place = new Place(asking);
      expect(place.assent(["run", ...flags, "count"])).toMatchObject({ status: 3, stdout: "Done.\n" });
      expect(place.requests()[1]?.request.messages.at(-1)?.text).toBe("not approved: nobody-to-answer");
      expect(place.read("count")).toBe("");
    }
  });

  verifies("APPR-9b", "park leaves the question open, prints it as JSON, and answer with resume finish it", () => {
    const place = new Place(asking);
    const { status, stdout } = place.assent(["run", "--unattended=park", "count"]);
    const [request] = jsonLines<{ interaction_id: string; kind: string }>(stdout);
    expect({ status, kind: request?.kind }).toEqual({ status: 4, kind: "confirmation" });
    expect(place.pending().map((each) => each.request)).toEqual([request]);
    const id = request?.interaction_id ?? "";
    // Coming back before the answer finds the question where it was.
    expect(place.assent(["resume", id.split("-")[0] ?? ""]).status).toBe(4);
    expect(place.assent(["answer", id, "1"]).status).toBe(0);
    expect(place.assent(["resume", id.split("-")[0] ?? ""])).toMatchObject({ status: 0, stdout: "Done.\n" });
    expect(place.read("count")).toBe("x\n");
  });

  verifies("APPR-9c", "abort ends the exchange and the session", () => {
    const place = new Place(asking);
    const { status, stdout } = place.assent(["run", "--json", "--unattended=abort", "count"]);
    expect(status).toBe(1);
    expect(typesOf(stdout).slice(-2)).toEqual(["exchange.ended", "session.aborted"]);
    expect(place.requests()).toHaveLength(1);
    expect(place.read("count")).toBe("");
  });

  test("a question of the model is told as unanswered", () => {
    const question = { tool: "ask", arguments: { question: "Which one?", options: ["A", "B"] } };
    const place = new Place([{ calls: [question] }, { text: "Then not." }]);
    expect(place.assent(["run", "ask me"])).toMatchObject({ status: 3, stdout: "Then not.\n" });
    expect(place.requests()[1]?.request.messages.at(-1)?.text).toBe("nobody-to-answer");
  });
});

describe.skipIf(noTerminal)(`with a person at the terminal${needsTerminal}`, () => {
  verifies("APPR-9d", "they are asked there though stdin is a pipe, and --unattended wins over them", async () => {
    const place = new Place(asking);
    const piped = place.startInTerminal(["run", "--json"], { stdin: "count it" });
    await piped.shows("2) No");
    await piped.answer("1");
    expect(await piped.ended).toBe(0);
    expect(place.read("count")).toBe("x\n");
    const denied = place.startInTerminal(["run", "--unattended=deny", "count"]);
    expect(await denied.ended).toBe(3);
    expect(denied.output).not.toContain("1) Yes");
  });

  test("what was typed before the question came, and an end of input, answer nothing", async () => {
    const place = new Place([{ ...terminal(counting), delay_ms: 700 }, { text: "Done." }]);
    const run = place.startInTerminal(["run", "count"]);
    await until("the request is out", () => (place.requests().length === 1 ? true : undefined));
    run.type("1\n1");
    await run.shows("2) No");
    run.type("1\n");
    await new Promise((resolve) => setTimeout(resolve, 600));
    run.type("\u0004");
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(place.read("count")).toBe("");
    expect(place.pending()).toHaveLength(1);
    await run.answer("2");
    expect(await run.ended).toBe(3);
    expect(place.read("count")).toBe("");
  });

  test("Ctrl-C at a question refuses the call and stops", async () => {
    const place = new Place(asking);
    const run = place.startInTerminal(["run", "count"]);
    await run.shows("2) No");
    await run.answer("\u0003");
    expect(await run.ended).toBe(130);
    expect(place.sessions()[0]).toMatchObject({ open: false, outcome: "stopped" });
    expect(place.requests()).toHaveLength(1);
  });
});

verifies("CLI-3", "--json prints every recorded event, one a line, and nothing else", () => {
  const place = new Place(asking);
  const { status, stdout } = place.assent(["run", "--json", "count"]);
  expect(status).toBe(3);
  const events = jsonLines<{ seq: number; at: number; session: string; type: string }>(stdout);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index + 1));
  expect(events.map(({ type }) => type)).toEqual([
    ...["session.created", "exchange.started", "context.changed", "model.replied", "call.judged"],
    ...["interaction.requested", "interaction.resolved", "call.refused", "turn.closed"],
    ...["model.replied", "turn.closed", "exchange.ended"],
  ]);
  const { session } = events[0] ?? {};
  for (const line of stdout.trimEnd().split("\n"))
    expect(line).toMatch(/^\{"seq":\d+,"at":\d+,"session":"[^"]+","type":/);
  expect(events.every((event) => event.session === session && typeof event.at === "number")).toBe(true);
});

describe("what a session leaves behind", () => {
  const background = "sleep 64 & echo $! > pid";
  const isAlive = (place: Place) => existsSync(`/proc/${place.read("pid").trim()}/stat`);

  test("is ended when its process leaves", async () => {
    const place = new Place([terminal(background), { text: "Done." }]);
    expect(place.assent(["run", "go"]).stdout).toBe("Done.\n");
    await until("the child is gone", () => (place.read("pid") !== "" && !isAlive(place)) || undefined);
  });

  test("and what a process that was killed has left is ended by stop --kill", async () => {
    const place = new Place([terminal(`${background}; sleep 65`), { text: "Done." }]);
    place.start(["run", "go"]);
    await until("the command runs", () => (place.read("pid") === "" ? undefined : true));
    const { session = "" } = place.sessions()[0] ?? {};
    process.kill(await place.holder(), "SIGKILL");
    await until("nobody holds it", () => (place.sessions()[0]?.holder === null ? true : undefined));
    expect(isAlive(place)).toBe(true);
    expect(place.assent(["stop", "--kill", session])).toMatchObject({ status: 0 });
    await until("the child is gone", () => !isAlive(place) || undefined);
  });
});

verifies("CLU-2", "sessions are shared by a file alone: nothing listens, and nothing is left running", () => {
  const place = new Place(asking);
  const alone = () => {
    const environs = readdirSync("/proc").filter((name) => /^\d+$/.test(name));
    const carriers = environs.filter((pid) => environOf(pid).includes(`ASSENT_HOME=${place.home}`));
    const files = readdirSync(place.home, { recursive: true, withFileTypes: true });
    return [carriers, files.filter((entry) => entry.isSocket()).map(({ name }) => name)];
  };
  expect(place.assent(["run", "--unattended=park", "count"]).status).toBe(4);
  expect(alone()).toEqual([[], []]);
  const [{ session = "", request = { interaction_id: "" } } = {}] = place.pending();
  expect(place.assent(["answer", request.interaction_id, "1"]).status).toBe(0);
  expect(alone()).toEqual([[], []]);
  expect(place.assent(["resume", session])).toMatchObject({ status: 0, stdout: "Done.\n" });
  expect(place.read("count")).toBe("x\n");
  expect(alone()).toEqual([[], []]);
  const found = loaded(new Place(answered), ["run", "hi"]);
  expect(found.filter((each) => /^adapters\/http\/|^node:(?:http2?|https|net)$|hono/.test(each))).toEqual([]);
  expect(found).toContain("node:sqlite");
});

function environOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8");
  } catch {
    return "";
  }
}

describe("sessions go on", () => {
  test("who resumes sees the command, its output and how it ended, as one who ran it does", () => {
    const place = new Place([terminal("rm -rf none; echo seen; echo oops >&2; exit 9"), { text: "Done." }]);
    place.assent(["run", "--unattended=park", "look"]);
    const { session = "" } = place.sessions()[0] ?? {};
    place.assent(["answer", `${session}-1`, "yes"]);
    const { stderr } = place.assent(["resume", session]);
    const shown = [
      "prompt  look",
      "tool    $ rm -rf none; echo seen; echo oops >&2; exit 9",
      "tool    seen",
      "tool    oops",
    ];
    for (const line of [...shown, "tool    exit code 9", "system  ended: answered"])
      expect(stderr).toContain(`${line}\n`);
    expect(stderr).toMatch(/system {2}answered by \S+ in answer: yes\n/);
  });

  test("who resumes after a no sees that it was a no", () => {
    const place = new Place(asking);
    place.assent(["run", "--unattended=park", "count"]);
    const { session = "" } = place.sessions()[0] ?? {};
    place.assent(["answer", `${session}-1`, "no"]);
    const { stderr } = place.assent(["resume", session]);
    expect(stderr).toMatch(/system {2}declined by \S+ in answer: no\n/);
    expect(stderr).toContain("system  ended: answered, with something refused or unanswered\n");
  });

  test("--read-only denies a command, whatever it is, and the model is told", () => {
    const place = new Place([terminal("echo 1"), { text: "Denied." }]);
    const { status, stdout } = place.assent(["run", "--read-only", "--json", "go"]);
    const events = jsonLines<{ type: string; rule?: string; verdict?: string }>(stdout);
    expect(events.find(({ type }) => type === "call.judged")).toMatchObject({ verdict: "deny", rule: "read-only" });
    expect(typesOf(stdout)).not.toContain("call.started");
    expect(status).toBe(3);
  });

  test("resume without a session goes on with the newest one of its folder", () => {
    const place = new Place(asking);
    const none = place.assent(["resume"]);
    expect(none.status).toBe(2);
    expect(none.stderr).toMatch(/^assent: no session was in \S+; assent sessions lists all\n$/);
    place.assent(["run", "--unattended=park", "count"]);
    place.assent(["answer", `${place.sessions()[0]?.session}-1`, "yes"]);
    expect(place.assent(["resume"])).toMatchObject({ status: 0, stdout: "Done.\n" });
    expect(place.read("count")).toBe("x\n");
  });

  test("a shell without a terminal in which nothing was begun leaves no session that resume would take", () => {
    const place = new Place(asking);
    place.assent(["run", "--unattended=park", "count"]);
    const { session } = place.sessions()[0] ?? {};
    expect(place.assent([], "/status\n").status).toBe(0);
    place.assent([], "/helpp\n");
    expect(place.sessions().map((each) => each.session)).toEqual([session]);
    place.assent(["answer", `${session}-1`, "yes"]);
    expect(place.assent(["resume"])).toMatchObject({ status: 0, stdout: "Done.\n" });
  });

  test("--session and --continue add an exchange to an earlier session", () => {
    const place = new Place([{ text: "One." }, { text: "Two." }, { text: "Three." }]);
    expect(place.assent(["run", "1"]).stdout).toBe("One.\n");
    const { session = "" } = place.sessions()[0] ?? {};
    expect(place.assent(["run", "--session", session.slice(0, 6), "2"]).stdout).toBe("Two.\n");
    expect(place.assent(["run", "--continue"], "3 from stdin").stdout).toBe("Three.\n");
    expect(place.sessions()).toHaveLength(1);
    expect(place.requests().map(({ request }) => request.closing.split("\n").at(-1))).toEqual([
      "1",
      "2",
      "3 from stdin",
    ]);
  });

  test("the store is the person's own: 0600 in a folder of 0700", () => {
    const place = new Place(answered);
    place.assent(["run", "hi"]);
    expect(statSync(place.home).mode & 0o777).toBe(0o700);
    expect(statSync(join(place.home, "journal.db")).mode & 0o777).toBe(0o600);
  });
});

describe("bad input is told in one line that names the thing", () => {
  test.each<[string, readonly string[], RegExp]>([
    ["an unknown option", ["run", "--jsn", "hi"], /^assent: unknown option "--jsn"; did you mean --json\?\n/],
    ["an unknown command", ["rum"], /^assent: unknown command "rum"; did you mean run\?\n/],
    ["an unknown session", ["resume", "nosuch"], /^assent: no session has the id or name "nosuch"\n/],
    ["an unknown session to stop", ["stop", "nosuch"], /^assent: no session has the id or name "nosuch"\n/],
    [
      "an unknown question",
      ["answer", "nosuch-1", "1"],
      /^assent: no interaction has the id "nosuch-1"; assent pending lists them\n$/,
    ],
    ["no reply", ["answer", "nosuch-1"], /^assent: expected <id> <reply>, found "nosuch-1"\n$/],
    [
      "a wrong limit",
      ["run", "--max-turns", "0", "hi"],
      /^assent: --max-turns: expected a positive integer or "unlimited", found "0"\n/,
    ],
    [
      "a wrong way",
      ["run", "--unattended", "yes", "hi"],
      /^assent: --unattended: expected deny, park, abort, found "yes"\n/,
    ],
    [
      "an unknown model",
      ["run", "--model", "gpt", "hi"],
      /^assent: --model: expected <provider>:<model>, .*, found "gpt"\n/,
    ],
    ["a script that is not there", ["run", "--model", "scripted:none", "hi"], /^assent: cannot read .*none: ENOENT/],
    ["a folder that is not there", ["run", "--cwd", "none", "hi"], /^assent: --cwd: no folder .*none\n/],
    ["a blank prompt", ["run", "  "], /^assent: the prompt is blank\n/],
    [
      "a wrong time",
      ["run", "--expire", "soon", "hi"],
      /^assent: --expire: expected a number of seconds above 0, found "soon"\n/,
    ],
  ])("%s", (_what, argv, told) => {
    const { status, stdout, stderr } = new Place(answered).assent(argv);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(told);
  });

  test("wrong usage records nothing", () => {
    const place = new Place(answered);
    for (const flags of [["--unattended=no"], ["--expire=0"], ["--max-turns=0"], ["--model=x"], ["--cwd=none"]]) {
      expect(place.assent(["run", ...flags, "hi"]).status).toBe(2);
    }
    expect(place.sessions()).toEqual([]);
  });

  test("a home where no folder can be made, though the system says it is not there", () => {
    const place = new Place(answered);
    place.env["ASSENT_HOME"] = "/proc/assent/home";
    const { status, stderr } = place.assent(["run", "hi"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^assent: \/proc\/assent\/home\/journal\.db: it cannot be opened for writing \(.*\)\n$/);
  });

  test("a folder that is gone", () => {
    const place = new Place(answered);
    const gone = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const { status, stderr } = place.assent(["run", "hi"], "", ["sh", "-c", gone, "sh"]);
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: "assent: the folder you are in does not exist any more\n",
    });
  });

  test("an output that cannot be written", () => {
    const place = new Place(answered);
    const { status, stderr } = place.assent(["run", "hi"], "", ["sh", "-c", 'exec "$@" >/dev/full', "sh"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/\nassent: cannot write the output: .*ENOSPC.*\n$/);
  });

  test("a corrupt script, with its file, line and what is wrong", () => {
    const place = new Place([]);
    writeFileSync(place.script, '# a comment\n{"text":"fine"}\n{"text":5}\n');
    const { status, stderr } = place.assent(["run", "hi"]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/^assent: .*script\.jsonl, line 3: text: expected string, found 5\n/);
    expect(place.sessions()).toEqual([]);
  });

  test("a home that cannot be written", () => {
    const place = new Place(answered);
    writeFileSync(place.home, "a file where the folder should be");
    const { status, stderr } = place.assent(["run", "hi"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^assent: .*journal\.db: it cannot be opened for writing \(.*\)\n$/);
  });

  test("a store that is no database, which is left as it is", () => {
    const place = new Place(answered);
    mkdirSync(place.home);
    const file = join(place.home, "journal.db");
    writeFileSync(file, "garbage".repeat(1_000));
    chmodSync(file, 0o600);
    const { status, stderr } = place.assent(["sessions"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^assent: .*journal\.db: the store is damaged \(.*\)\n$/);
    expect(readFileSync(file, "utf8")).toBe("garbage".repeat(1_000));
  });

  test("an answer that is none, and one that comes too late", () => {
    const place = new Place(asking);
    place.assent(["run", "--unattended=park", "count"]);
    const { session = "" } = place.sessions()[0] ?? {};
    const answer = (line: string) => place.assent(["answer", `${session}-1`, line]);
    expect(answer("option 2")).toMatchObject({ status: 3, stderr: expect.stringContaining("(attempt 1 of 4)") });
    expect(answer("2").status).toBe(0);
    expect(answer("1")).toMatchObject({ status: 3, stderr: expect.stringContaining("already_resolved: ") });
  });
});
