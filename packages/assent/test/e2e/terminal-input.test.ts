import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { jsonLines, needsTerminal, noTerminal, until } from "./product.ts";
import { approved, kept, once, TerminalPlace } from "./terminal-product.ts";

const input = "The command waits for input.";
const secretInput = "The command waits for a secret.";
const done = { text: "Done." };

/** One command in a terminal, approved by the person there. */
async function running(command: string, ...flags: readonly string[]) {
  const place = new TerminalPlace([once(command), done]);
  const run = place.startInTerminal(["run", ...flags, "go"]);
  await run.approve();
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
    const { place, run } = await running("read x; echo got $x");
    await run.reply(input, "a line");
    expect(await run.ended).toBe(0);
    expect(place.results()).toMatchObject([{ type: "output", text: "got a line\n", exit: 0 }]);
    expect(place.lastTold()).toBe("got a line\n");
    expect(run.output).toContain("tool    got a line\nsystem  ended: answered\n");
  });

  verifies("TERM-6", "can read many lines, one empty, until the person ends the input", async () => {
    const { place, run } = await running("cat");
    await run.reply(input, "first");
    await run.reply(input, "  second ");
    await run.reply(input, "1");
    await run.reply(input, "2");
    expect(await run.ended).toBe(0);
    expect(place.results()).toMatchObject([{ type: "output", text: "first\n  second \n\n", exit: 0 }]);
    expect(inputQuestions(place)).toHaveLength(4);
  });

  verifies("TERM-6", "and shows a number offers no options: a number that is typed reaches it", async () => {
    const { place, run } = await running('read -p "Port [8080]: " p; echo "port=$p"');
    await run.reply(input, "2");
    expect(await run.ended).toBe(0);
    expect(run.output).toContain("Port [8080]: ");
    expect(inputQuestions(place)).toMatchObject([{ options: [], allow_free_text: true }]);
    expect(place.results()[0]?.text).toContain("port=2\n");
  });

  verifies("TERM-6", "in the persistent shell is asked for as well, and the shell goes on", async () => {
    const place = new TerminalPlace([kept("read x"), kept("echo kept $x"), done]);
    const run = place.startInTerminal(["run", "go"]);
    await run.approve();
    await run.reply(input, "in the shell");
    await run.approve();
    expect(await run.ended).toBe(0);
    expect(place.results()[1]?.text).toBe("kept in the shell\n");
  });

  verifies("TERM-6", "is not any that is only silent", async () => {
    const server = `node -e 'require("net").createServer().listen(0); setTimeout(() => process.exit(), 2000)'`;
    const place = new TerminalPlace([once("sleep 2"), once("sleep 1 | cat"), once(server), done]);
    const run = place.startInTerminal(["run", "go"]);
    await run.approve();
    await run.approve();
    expect(await run.ended).toBe(0);
    expect(inputQuestions(place)).toEqual([]);
    expect(place.results()).toMatchObject([{ exit: 0 }, { exit: 0 }, { exit: 0 }]);
  });
});

describe.skipIf(noTerminal)(`a command that asks for a secret${needsTerminal}`, () => {
  const secret = "correct-horse-7";

  /** Nowhere: not in a file that is left, not on the screen. */
  function expectNoTrace(place: TerminalPlace, screen: string) {
    expect(place.filesWith(secret)).toEqual([]);
    expect(screen).not.toContain(secret);
    expect(readdirSync(join(place.home, "secrets"))).toEqual([]);
  }

  verifies(["TERM-6", "INT-2e"], "gets it, and it is nowhere else, though the command prints it", async () => {
    const place = new TerminalPlace([once('read -s -p "Password: " p; echo "len ${#p} is $p"; echo "$p" >&2'), done]);
    const json = place.file("events");
    const run = place.startInTerminal(["run", "--json", "go"], { to: json });
    await run.approve();
    await run.reply(secretInput, secret);
    expect(await run.ended).toBe(0);
    expect(run.output).toContain("Password: ");
    const text = place.results()[0]?.text ?? "";
    expect(text).toContain(`len ${secret.length} is [secret]\n`);
    expect(text).toMatch(/stderr:\n(?:.*\n)?\[secret\]/);
    expect(place.lastTold()).toBe(text);
    expect(inputQuestions(place)).toMatchObject([{ sensitive: true, options: [] }]);
    expect(jsonLines<{ type: string }>(readFileSync(json, "utf8")).map(({ type }) => type)).toContain("call.finished");
    expectNoTrace(place, run.output);
  });

  verifies(
    ["TERM-6", "TERM-3"],
    "that turns the echo off itself and floods with it, leaves it in no file",
    async () => {
      const flood = 'for i in {1..3000}; do echo "$i: $p and more of the same"; done';
      const { place, run } = await running(`stty -echo </dev/tty; read p </dev/tty; stty echo </dev/tty; ${flood}`);
      await run.reply(secretInput, secret);
      expect(await run.ended).toBe(0);
      const spilled = filesIn(place.cache);
      expect(spilled).toHaveLength(1);
      expect(readFileSync(spilled[0] ?? "", "utf8")).toContain("3000: [secret] and more of the same\n");
      expect(place.results()[0]?.text).toContain("1: [secret] and");
      expectNoTrace(place, run.output);
    },
  );

  verifies(["TERM-6", "INT-2c"], "can be given it by another process, as JSON on its stdin", async () => {
    const { place, run } = await running('read -s -p "Password: " p; echo "len ${#p} is $p"');
    const id = await run.asked(secretInput);
    const response = { interaction_id: id, free_text: secret, cancelled: false, answer_id: "k1" };
    expect(place.assent(["answer", "-"], JSON.stringify(response))).toMatchObject({ status: 0 });
    expect(await run.ended).toBe(0);
    expect(place.results()[0]?.text).toContain(`len ${secret.length} is [secret]\n`);
    expectNoTrace(place, run.output);
  });

  test("takes stop for the secret itself, but cancel is no secret", async () => {
    const place = new TerminalPlace([once("read -s p; echo len ${#p}"), once("read -s p; echo len ${#p}"), done]);
    const run = place.startInTerminal(["run", "go"]);
    await run.approve();
    await run.reply(secretInput, "stop");
    await run.approve();
    await run.reply(secretInput, "cancel");
    expect(await run.ended).toBe(0);
    expect(place.results()).toMatchObject([{ text: "len 4\n" }, { type: "error" }]);
  });
});

describe.skipIf(noTerminal)(`the end of a question for input without a line for it${needsTerminal}`, () => {
  const waits = "echo begun; read x; echo never";
  const killed = {
    type: "error",
    text: expect.stringMatching(/^begun\n\[it waited for input, and nobody gave it\]\n\[killed: /),
  };

  verifies("ANS-7k", "cancel kills the command, and the model goes on with an error result", async () => {
    const { place, run } = await running(waits);
    await run.reply(input, "cancel");
    const code = await run.ended;
    expect(place.results()).toMatchObject([killed]);
    expect(place.lastTold()).toContain("begun\n");
    expect(place.requests()).toHaveLength(2);
    expect(run.output).toContain("\nFLOW_CANCEL\n");
    expect(run.output).toContain("Done.");
    expect(code).toBe(3);
    await place.nothingRuns();
  });

  verifies("ANS-7k", "the fourth invalid reply does the same", async () => {
    const { place, run } = await running(waits);
    for (const line of ["", "Cancel.", "  ", "abort!"]) await run.reply(input, line);
    const code = await run.ended;
    expect(place.eventsOf("interaction.rejected").map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4]);
    expect(place.results()).toMatchObject([killed]);
    expect(run.output).toContain("\nSTEP_ABORT\n");
    expect(place.requests()).toHaveLength(2);
    expect(code).toBe(3);
    await place.nothingRuns();
  });

  verifies("ANS-7k", "so does its expiry", async () => {
    const place = new TerminalPlace([once(waits), done]);
    place.assent(["run", "--unattended=park", "go"]);
    const id = await place.question();
    place.assent(["answer", id, "yes"]);
    const run = place.startInTerminal(["resume", "--expire", "1", id.split("-")[0] ?? ""]);
    expect(await run.ended).toBe(3);
    expect(run.output).toContain(input);
    expect(run.output).toContain("expired without an answer");
    expect(place.results()).toMatchObject([killed]);
    expect(place.requests()).toHaveLength(2);
    await place.nothingRuns();
  });

  verifies("ANS-7k", "stop kills it and stops the exchange", async () => {
    const { place, run } = await running(waits);
    await run.reply(input, "stop");
    expect(await run.ended).toBe(130);
    expect(place.events().at(-1)).toMatchObject({ type: "exchange.ended", outcome: "stopped" });
    expect(place.results()[0]?.text).toMatch(/^begun\n\[stopped\]\n\[killed: /);
    expect(place.requests()).toHaveLength(1);
    await place.nothingRuns();
  });

  verifies("ANS-7k", "so does assent stop, though it is the graceful one", async () => {
    const { place, run } = await running(waits);
    const id = await run.asked(input);
    expect(place.assent(["stop", id.split("-")[0] ?? ""]).status).toBe(0);
    expect(await run.ended).toBe(130);
    expect(place.results()[0]?.text).toMatch(/^begun\n\[stopped\]\n\[killed: /);
    await place.nothingRuns();
  });

  test("an end of input at the question leaves it open", async () => {
    const { place, run } = await running(waits);
    const id = await run.asked(input);
    await new Promise((resolve) => setTimeout(resolve, 600));
    run.type("\u0004");
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(place.open()).toBe(id);
    await run.reply(input, "now");
    expect(await run.ended).toBe(0);
  });

  test("a command that ends while it is asked takes its question away", async () => {
    const { place, run } = await running('sh -c "sleep 3; kill \\$PPID" & read x');
    await run.asked(input);
    expect(await run.ended).toBe(0);
    expect(place.eventsOf("interaction.resolved").at(-1)).toMatchObject({ state: "withdrawn", reason: "call-ended" });
    await place.nothingRuns();
  });

  test("another process answers it while it stands on the screen", async () => {
    const { place, run } = await running("read x; echo got $x");
    const id = await run.asked(input);
    expect(place.pending()).toMatchObject([{ request: { interaction_id: id, question: input } }]);
    expect(place.assent(["answer", id, "from afar"])).toEqual({ status: 0, stdout: "", stderr: "" });
    expect(await run.ended).toBe(0);
    expect(run.output).toMatch(/answered by \S+ in answer: from afar\n/);
    expect(place.results()[0]?.text).toBe("got from afar\n");
  });

  verifies("SESS-2c", "killed with it, the command is unknown, told once, and nothing of it is left", async () => {
    const place = new TerminalPlace([once("echo x >> count; read x; echo y >> count"), done]);
    const run = place.startInTerminal(["run", "go"]);
    await run.approve();
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
    expect(place.read("count")).toBe("x\n");
    await place.nothingRuns();
  });
});

describe("a command that would ask when nobody can answer", () => {
  const tries = [
    ["read", 'read x; echo "status $?"', "status 1\n"],
    ["cat", "cat", "[no output; stdin was empty: nobody can type here]"],
    ["a program that opens the terminal", "read p </dev/tty", "stdin was empty: nobody can type here"],
  ] as const;

  for (const unattended of ["deny", "park", "abort"]) {
    verifies(["TERM-6", "ANS-7k"], `has no input and no terminal (${unattended}), and says so`, async () => {
      const place = new TerminalPlace([once(tries[0][1]), once(tries[1][1]), once(tries[2][1]), done]);
      const { status, stdout } = await approved(place, ["--unattended", unattended]);
      expect({ status, stdout }).toEqual({ status: 0, stdout: "Done.\n" });
      expect(inputQuestions(place)).toEqual([]);
      const results = place.results();
      for (const [nth, [, , told]] of tries.entries()) expect(results[nth]?.text).toContain(told);
      expect(results[2]?.text).toContain("/dev/tty");
    });
  }

  test("the same without a word of what to do, in a place without a terminal", async () => {
    const place = new TerminalPlace([once("tty; test -t 0 || echo none; cat"), done]);
    const { status } = await approved(place, []);
    expect(status).toBe(0);
    expect(place.results()[0]?.text).toContain("none\n");
  });
});

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => join(folder, name))
    .filter((name) => name.endsWith(".txt"));
}
