import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { jsonLines, needsTerminal, noTerminal, type Scripted, until } from "./product.ts";
import { call, filesUnder, kept, once, TerminalPlace } from "./terminal-product.ts";

const input = "The command waits for input; ^D ends it.";
const secretInput = "The command waits for a secret.";
const done = { text: "Done." };

/** One command in a terminal. */
function running(command: string, ...flags: readonly string[]) {
  const place = new TerminalPlace([once(command), done]);
  const run = place.startInTerminal(["run", ...flags, "go"]);
  return { place, run };
}

/** What was asked by commands themselves. */
function inputQuestions(place: TerminalPlace) {
  return place
    .eventsOf("interaction.requested")
    .filter(({ purpose }) => purpose.type === "terminal-input")
    .map(({ request }) => request);
}

describe.skipIf(noTerminal)(`a command that waits for input${needsTerminal}`, () => {
  verifies("TERM-6", "asks the person at the terminal, and gets the line that is typed", async () => {
    const { place, run } = running("read x; echo got $x");
    await run.reply(input, "a line");
    expect(await run.ended).toBe(0);
    expect(place.results()).toMatchObject([{ type: "output", text: "got a line\n", exit: 0 }]);
    expect(place.lastTold()).toBe("got a line\n");
    expect(run.output).toContain("tool    got a line\nsystem  ended: answered\n");
  });

  verifies("TERM-6", "can read many lines, one empty, until the person ends the input", async () => {
    const { place, run } = running("cat");
    await run.reply(input, "first");
    await run.reply(input, "  second ");
    await run.reply(input, "");
    await run.reply(input, "42");
    await run.reply(input, "^D");
    expect(await run.ended).toBe(0);
    expect(place.results()).toMatchObject([{ type: "output", text: "first\n  second \n\n42\n", exit: 0 }]);
    expect(inputQuestions(place)).toHaveLength(5);
  });

  verifies("TERM-6", "and has a menu gets the number that is typed", async () => {
    const { place, run } = running('read -p "Choose [1-3]: " c; echo "chose=$c"');
    await run.reply(input, "2");
    expect(await run.ended).toBe(0);
    expect(run.output).toContain("Choose [1-3]: ");
    expect(inputQuestions(place)).toMatchObject([{ options: [], allow_free_text: true }]);
    expect(place.results()[0]?.text).toContain("chose=2\n");
  });

  verifies("TERM-6", "and has a default takes an empty line", async () => {
    const { place, run } = running('read -p "Port [8080]: " p; echo "port=" $p 8080');
    await run.reply(input, "");
    expect(await run.ended).toBe(0);
    expect(place.results()[0]?.text).toContain("port= 8080\n");
  });

  verifies("TERM-6", "in the persistent shell is asked for as well, and the shell goes on", async () => {
    const place = new TerminalPlace([kept("read x"), kept("echo kept $x"), done]);
    const run = place.startInTerminal(["run", "go"]);
    await run.reply(input, "in the shell");
    expect(await run.ended).toBe(0);
    expect(place.results()[1]?.text).toBe("kept in the shell\n");
  });

  verifies("INT-13b", "has its time when it was answered, however long that took", async () => {
    const place = new TerminalPlace([call({ command: "read x; echo got $x", timeout_s: 2 }), done]);
    const run = place.startInTerminal(["run", "go"]);
    await run.asked(input);
    await new Promise((resolve) => setTimeout(resolve, 2_200));
    await run.reply(input, "late");
    expect(await run.ended).toBe(0);
    expect(place.results()).toMatchObject([{ type: "output", text: "got late\n", exit: 0 }]);
  });

  verifies("TERM-6", "is not any that is only silent", async () => {
    const server = `node -e 'require("net").createServer().listen(0); setTimeout(() => process.exit(), 1200)'`;
    const place = new TerminalPlace([once("sleep 1"), once(`sleep 1 | cat; ${server}`), done]);
    const run = place.startInTerminal(["run", "go"]);
    expect(await run.ended).toBe(0);
    expect(inputQuestions(place)).toEqual([]);
    expect(place.results()).toMatchObject([{ exit: 0 }, { exit: 0 }]);
  });
});

describe.skipIf(noTerminal)(`a command that asks for a secret${needsTerminal}`, () => {
  const secret = "correct-horse-7";
  const asks = `read -s -p "Password: " p; echo "len \${#p} is $p"`;

  /** Nowhere: not in a file that is left, not on the screen. */
  function expectNoTrace(place: TerminalPlace, screen: string) {
    expect(place.filesWith(secret)).toEqual([]);
    expect(JSON.stringify(place.events())).not.toContain(secret);
    expect(screen).not.toContain(secret);
    expect(readdirSync(join(place.home, "secrets"))).toEqual([]);
  }

  verifies(["TERM-6", "INT-2c"], "gets it, and it is nowhere else, though the command prints it", async () => {
    const place = new TerminalPlace([once(`${asks}; echo "$p" >&2`), done]);
    const json = place.file("events");
    const run = place.startInTerminal(["run", "--json", "go"], { to: json });
    await run.reply(secretInput, secret);
    expect(await run.ended).toBe(0);
    expect(run.output).toContain("Password: ");
    const text = place.results()[0]?.text ?? "";
    expect(text).toContain(`len ${secret.length} is [secret]\n`);
    expect(text).toMatch(/stderr:\nPassword: \n?\[secret\]\n/);
    // On a busy machine it takes long enough to be told how long.
    expect(place.lastTold().replace(/\[\d+\.\d s\]$/, "")).toBe(text);
    expect(inputQuestions(place)).toMatchObject([{ sensitive: true, options: [] }]);
    expect(jsonLines<{ type: string }>(readFileSync(json, "utf8")).map(({ type }) => type)).toContain("call.finished");
    expectNoTrace(place, run.output);
  });

  verifies(
    ["TERM-6", "TERM-3a"],
    "that turns the echo off itself and floods with it, leaves it in no file",
    async () => {
      const flood = 'for i in {1..3000}; do echo "$i: $p and more of the same"; done';
      const { place, run } = running(`stty -echo </dev/tty; read p </dev/tty; stty echo </dev/tty; ${flood}`);
      await run.reply(secretInput, secret);
      expect(await run.ended).toBe(0);
      const spilled = filesUnder(place.cache);
      expect(spilled).toHaveLength(1);
      expect(readFileSync(spilled[0] ?? "", "utf8")).toContain("3000: [secret] and more of the same\n");
      expect(place.results()[0]?.text).toContain("1: [secret] and");
      expectNoTrace(place, run.output);
    },
  );

  verifies(["TERM-6", "INT-2c"], "can be given it by another process, as JSON on its stdin", async () => {
    const { place, run } = running(asks);
    const id = await run.asked(secretInput);
    const response = { interaction_id: id, free_text: secret, cancelled: false, answer_id: "k1" };
    expect(place.assent(["answer", "-"], JSON.stringify(response))).toMatchObject({ status: 0 });
    expect(await run.ended).toBe(0);
    expect(place.results()[0]?.text).toContain(`len ${secret.length} is [secret]\n`);
    expectNoTrace(place, run.output);
  });

  verifies(["TERM-6", "INT-2c"], "and dies with its product after it was given leaves none behind", async () => {
    const { place, run } = running(asks);
    const id = await run.asked(secretInput);
    const holder = await place.holder();
    process.kill(holder, "SIGSTOP");
    const response = { interaction_id: id, free_text: secret, cancelled: false, answer_id: "k1" };
    expect(place.assent(["answer", "-"], JSON.stringify(response))).toMatchObject({ status: 0 });
    expect(filesUnder(join(place.home, "secrets")).map((file) => statSync(file).mode & 0o777)).toEqual([0o600]);
    process.kill(holder, "SIGKILL");
    await until("nobody holds it", () => (place.sessions()[0]?.holder === null ? true : undefined));
    expect(place.assent(["resume", id.split("-")[0] ?? ""]).status).toBe(0);
    expect(place.eventsOf("call.unknown")).toHaveLength(1);
    expectNoTrace(place, run.output);
    await place.nothingRuns();
  });

  describe("leaves no trace of it", () => {
    const ask = 'read -s -p "Password: " p';
    const ways: readonly (readonly [string, readonly Scripted[], number])[] = [
      ["in its next question", [once(`${ask}; echo "typed $p"; read -p "And now? " x`)], 1],
      ["on its own terminal", [once(`${ask}; echo "typed $p" >/dev/tty; read -p "And now? " x`)], 1],
      ["in what it leaves in the background", [once(`${ask}; bash -c 'sleep 60; true' x "$p" &`)], 0],
      ["in the names of changed files", [once(`${ask}; touch "made-$p"`)], 0],
      ["in a later command of the same shell", [kept(ask), kept('echo "now $p"')], 0],
    ];
    for (const [where, calls, questions] of ways) {
      verifies("TERM-6", where, async () => {
        const place = new TerminalPlace([...calls, done]);
        const run = place.startInTerminal(["run", "go"]);
        await run.reply(secretInput, secret);
        for (let nth = 0; nth < questions; nth++) await run.reply(input, "x");
        expect(await run.ended).toBe(0);
        expectNoTrace(place, run.output);
      });
    }
  });

  test("takes stop for the secret itself, but cancel is no secret", async () => {
    const place = new TerminalPlace([once(asks), once(asks), done]);
    const run = place.startInTerminal(["run", "go"]);
    await run.reply(secretInput, "stop");
    await run.reply(secretInput, "cancel");
    const code = await run.ended;
    expect({ code, results: place.results() }).toMatchObject({
      code: 3,
      results: [{ text: expect.stringMatching(/^len 4 is \[secret\]\n/) }, { type: "error" }],
    });
  });
});

describe.skipIf(noTerminal)(`the end of a question for input without a line for it${needsTerminal}`, () => {
  const waits = "echo begun; read x; echo never";
  const killed = {
    type: "error",
    text: expect.stringMatching(/^begun\n\[it waited for input, and nobody gave it\]\n\[killed: /),
  };

  verifies("ANS-7k", "cancel kills the command, and the model goes on with an error result", async () => {
    const { place, run } = running(waits);
    await run.reply(input, "cancel");
    expect({ code: await run.ended, results: place.results() }).toMatchObject({ code: 3, results: [killed] });
    expect(place.lastTold()).toContain("begun\n");
    expect(place.requests()).toHaveLength(2);
    expect(run.output).toContain("\nFLOW_CANCEL\n");
    expect(run.output).toContain("Done.");
    await place.nothingRuns();
  });

  verifies("ANS-7k", "the fourth invalid reply does the same", async () => {
    const { place, run } = running(waits);
    for (const line of ["Cancel", "Cancel.", "ABORT", "abort!"]) await run.reply(input, line);
    expect({ code: await run.ended, results: place.results() }).toMatchObject({ code: 3, results: [killed] });
    expect(place.eventsOf("interaction.rejected").map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(run.output).toContain("\nSTEP_ABORT\n");
    expect(place.requests()).toHaveLength(2);
    await place.nothingRuns();
  });

  verifies("ANS-7k", "so does its expiry", async () => {
    const { place, run } = running(waits, "--expire", "1");
    expect({ code: await run.ended, results: place.results() }).toMatchObject({ code: 3, results: [killed] });
    expect(run.output).toContain(input);
    expect(run.output).toContain("expired without an answer");
    expect(place.requests()).toHaveLength(2);
    await place.nothingRuns();
  });

  verifies("ANS-7k", "stop kills it and stops the exchange", async () => {
    const { place, run } = running(waits);
    await run.reply(input, "stop");
    expect(await run.ended).toBe(130);
    expect(place.events().at(-1)).toMatchObject({ type: "exchange.ended", outcome: "stopped" });
    expect(place.results()[0]?.text).toMatch(/^begun\n\[stopped\]\n\[killed: /);
    expect(place.requests()).toHaveLength(1);
    await place.nothingRuns();
  });

  verifies("ANS-7k", "so does assent stop, though it is the graceful one", async () => {
    const { place, run } = running(waits);
    const id = await run.asked(input);
    expect(place.assent(["stop", id.split("-")[0] ?? ""]).status).toBe(0);
    expect(await run.ended).toBe(130);
    expect(place.results()[0]?.text).toMatch(/^begun\n\[stopped\]\n\[killed: /);
    await place.nothingRuns();
  });

  test("an end of input at the question leaves it open", async () => {
    const { place, run } = running(waits);
    const id = await run.asked(input);
    await new Promise((resolve) => setTimeout(resolve, 600));
    run.type("\u0004");
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(place.open()).toBe(id);
    await run.reply(input, "now");
    expect(await run.ended).toBe(0);
  });

  test("a command that ends while it is asked takes its question away, and the product ends", async () => {
    const { place, run } = running('read -t 3 x; echo "status $?"');
    await run.asked(input);
    await run.shows("Done.");
    expect(await Promise.race([run.ended, later(10_000)])).toBe(0);
    expect(place.eventsOf("interaction.resolved").at(-1)).toMatchObject({ state: "withdrawn", reason: "call-ended" });
    expect(place.results()).toMatchObject([{ type: "output", text: "status 142\n" }]);
  });

  test("another process answers it while it stands on the screen", async () => {
    const { place, run } = running("read x; echo got $x");
    const id = await run.asked(input);
    expect(place.pending()).toMatchObject([{ request: { interaction_id: id, question: input } }]);
    expect(place.assent(["answer", id, "from afar"])).toEqual({
      ...{ status: 0, stdout: "" },
      stderr: expect.stringMatching(/^assent: answered by \S+ in answer: from afar\n$/),
    });
    expect(await run.ended).toBe(0);
    expect(run.output).toMatch(/answered by \S+ in answer: from afar\n/);
    expect(place.results()[0]?.text).toBe("got from afar\n");
  });

  verifies("SESS-2c", "killed with it, the command is unknown, told once, and nothing of it is left", async () => {
    const place = new TerminalPlace([once("echo x >> count; read x; echo y >> count"), done]);
    const run = place.startInTerminal(["run", "go"]);
    const id = await run.asked(input);
    await place.killHolder();
    const { status, stdout, stderr } = place.assent(["resume", id.split("-")[0] ?? ""]);
    expect({ status, stdout }).toEqual({ status: 0, stdout: "Done.\n" });
    expect(stderr.match(/outcome unknown/g)).toHaveLength(1);
    expect(place.open()).toBeUndefined();
    expect(place.eventsOf("call.unknown")).toHaveLength(1);
    expect(place.eventsOf("interaction.resolved").at(-1)).toMatchObject({ interaction: id, state: "withdrawn" });
    expect(place.lastTold()).toMatch(/^outcome unknown/);
    expect(place.assent(["answer", id, "late"]).status).toBe(3);
    // Its terminal has hung up on it: it may have got a step further before that reached it.
    expect(place.read("count")).toMatch(/^x\n(?:y\n)?$/);
    await place.nothingRuns();
  });
});

describe("a command that would ask when nobody can answer", () => {
  for (const unattended of ["deny", "park", "abort"]) {
    verifies(["TERM-6", "ANS-7k"], `has no input and no terminal (${unattended}), and says so`, () => {
      const place = new TerminalPlace([once('cat; read x; echo "read: $?"; read p </dev/tty'), done]);
      expect(place.assent(["run", "--unattended", unattended, "go"])).toMatchObject({ status: 0, stdout: "Done.\n" });
      expect(inputQuestions(place)).toEqual([]);
      const { text = "", exit } = place.results()[0] ?? {};
      expect(exit).toBe(1);
      expect(text).toMatch(/^read: 1\nstderr:\n.*\/dev\/tty: .*\n\[stdin was empty: nobody can type here\]$/);
    });
  }

  verifies("TERM-6", "also where nothing was said of it", () => {
    const place = new TerminalPlace([once("cat"), done]);
    expect(place.assent(["run", "go"]).status).toBe(0);
    expect(place.lastTold()).toBe("[no output; stdin was empty: nobody can type here]");
  });
});

function later(ms: number): Promise<"it still runs"> {
  return new Promise((resolve) => {
    setTimeout(() => resolve("it still runs"), ms).unref();
  });
}
