import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { describe, expect, test, vi } from "vitest";
import { verifies } from "../requirements/verifies.ts";
import { jsonLines, needsTerminal, noTerminal, Place, type Running } from "./product.ts";

vi.setConfig({ testTimeout: 60_000 });

const asking = {
  calls: [{ tool: "ask", arguments: { question: "Which colour?", options: ["Red", "Green", "Blue"] }, id: "call_A" }],
};
const answers = 50;

type Accepted = {
  readonly accepted: boolean;
  readonly code?: string;
  readonly winner?: { readonly by: object; readonly at: number; readonly response: { readonly answer_id: string } };
};

/** One answer of one process, in wire form. */
async function send(place: Place, response: object): Promise<Accepted> {
  const running = place.start(["answer", "-"]);
  running.type(JSON.stringify(response));
  running.endInput();
  await running.ended;
  const [result] = jsonLines<Accepted>(running.output);
  if (result === undefined) throw new Error(running.output);
  return result;
}

verifies(
  ["INT-6a", "INT-6b"],
  `of ${answers} answers from as many processes one is accepted, the others are told whose`,
  async () => {
    const place = new Place([asking, { text: "Done." }]);
    expect(place.assent(["run", "--unattended", "park", "paint it"]).status).toBe(4);
    const id = await place.question();
    const option = (index: number) => String((index % 3) + 1);
    const body = (index: number) => ({ interaction_id: id, selected_option_id: option(index), answer_id: `k${index}` });
    const results = await Promise.all(Array.from({ length: answers }, (_, index) => send(place, body(index))));
    const won = results.flatMap(({ accepted }, index) => (accepted ? [index] : []));
    expect(won).toHaveLength(1);
    const winner = won[0] ?? 0;
    for (const { winner: told, code } of results.filter(({ accepted }) => !accepted)) {
      expect(code).toBe("already_resolved");
      expect(told).toMatchObject({ state: "answered", by: { adapter: "answer" }, at: expect.any(Number) });
      expect(told?.response).toMatchObject({ answer_id: `k${winner}`, selected_option_id: option(winner) });
    }
    // Sent again it is accepted, and changes nothing; with another answer it is not the same.
    expect(await send(place, body(winner))).toEqual({ accepted: true });
    expect(await send(place, { ...body(winner), selected_option_id: option(winner + 1) })).toMatchObject({
      accepted: false,
      code: "already_resolved",
    });
    const late = place.assent(["answer", id, "1"]);
    expect(late.status).toBe(3);
    expect(late.stderr).toMatch(/already_resolved: .* answered by \w+ in answer at \d{4}-\d\d-\d\dT/);
    const session = id.split("-")[0] ?? "";
    expect(place.assent(["resume", session])).toMatchObject({ status: 0, stdout: "Done.\n" });
    const label = ["Red", "Green", "Blue"][winner % 3];
    expect(place.requests()[1]?.request.messages.at(-1)).toMatchObject({ role: "tool", text: label });
  },
);

test("a wrong answer in wire form is told apart: malformed, not valid here, of no question", async () => {
  const place = new Place([asking]);
  place.assent(["run", "--unattended", "park", "paint it"]);
  const id = await place.question();
  const tell = (input: string) => place.assent(["answer", "-"], input);
  expect(tell("nope")).toMatchObject({ status: 2, stdout: expect.stringContaining('"code":"malformed_json"') });
  expect(tell('{"interaction_id":5}')).toMatchObject({ status: 2, stdout: expect.stringContaining("invalid_value") });
  const wrong = tell(JSON.stringify({ interactionId: id, selectedOptionId: "9" }));
  expect(wrong).toMatchObject({ status: 3, stdout: expect.stringContaining('"code":"invalid_option"') });
  expect(JSON.parse(wrong.stdout)).toMatchObject({ accepted: false, attempt: 1 });
  const both = JSON.stringify({ interaction_id: id, selected_option_id: "1", free_text: "x" });
  expect(JSON.parse(tell(both).stdout)).not.toHaveProperty("attempt");
  expect(tell('{"interaction_id":"none-1","cancelled":true}').stdout).toContain("unknown_interaction");
});

verifies(
  "ANS-5b",
  "the codes are all that is printed when the last attempt is spent, or the flow cancelled",
  async () => {
    const place = new Place([asking, asking]);
    place.assent(["run", "--unattended", "park", "paint it"]);
    const id = await place.question();
    expect(place.assent(["answer", id, "option 2"])).toMatchObject({ status: 3, stdout: "" });
    expect(place.assent(["answer", id, ""]).stderr).toContain("attempt 2 of 4");
    expect(place.assent(["answer", id, "I choose 1"])).toMatchObject({ status: 3, stdout: "" });
    expect(place.assent(["answer", id, "probably 3"])).toEqual({ status: 3, stdout: "STEP_ABORT\n", stderr: "" });
    const again = new Place([asking]);
    again.assent(["run", "--unattended", "park", "paint it"]);
    const other = await again.question();
    expect(again.assent(["answer", other, "cancel"])).toEqual({ status: 0, stdout: "FLOW_CANCEL\n", stderr: "" });
  },
);

describe.skipIf(noTerminal)(`two places to answer from${needsTerminal}`, () => {
  verifies(["INT-6c", "INT-5c"], "show the same bytes, and the one that was slower says who answered", async () => {
    const place = new Place([asking, { text: "Done." }]);
    const run = place.startInTerminal(["run", "paint it"]);
    const block = "Which colour?\n\n1) Red\n2) Green\n3) Blue";
    await run.shows(block);
    const id = await place.question();
    const session = id.split("-")[0] ?? "";
    const watching = place.startInTerminal(["resume", session]);
    await watching.shows(block);
    const [listed] = place.pending();
    const late = place.start(["resume", session, "--json"]);
    await late.shows("interaction.requested");
    const events = jsonLines<{ type: string; request?: object }>(late.output);
    const recorded = events.find(({ type }) => type === "interaction.requested");
    expect(JSON.stringify(recorded?.request)).toBe(JSON.stringify(listed?.request));
    expect(place.assent(["answer", id, "2"]).status).toBe(0);
    for (const terminal of [run, watching]) await terminal.shows("in answer: 2");
    expect(await run.ended).toBe(0);
    expect(await watching.ended).toBe(0);
  });

  verifies("ANS-4b", "climb one ladder: what was typed in one counts in the other", async () => {
    const place = new Place([asking, { text: "Done." }]);
    const run = place.startInTerminal(["run", "paint it"]);
    await run.shows("3) Blue");
    const id = await place.question();
    for (const line of ["option 2", "1, 3"]) expect(place.assent(["answer", id, line]).status).toBe(3);
    await run.shows("Format: 1 / 2 / 1,3");
    await typeUntil(run, "maybe 1", "Type 1 to 3.");
    expect(place.assent(["answer", id, ""])).toMatchObject({ status: 3, stdout: "STEP_ABORT\n" });
    await run.shows("STEP_ABORT");
    expect(await run.ended).toBe(3);
    expect(run.output.split("Which colour?\n\n1) Red\n2) Green\n3) Blue").length - 1).toBe(4);
    expect(place.requests()[1]?.request.messages.at(-1)).toMatchObject({ text: "STEP_ABORT", failed: true });
  });
});

/** Keys do not count in the first moment of a question. */
async function typeUntil(running: Running, line: string, shown: string): Promise<void> {
  for (let tries = 0; tries < 20 && !running.output.includes(shown); tries++) {
    await new Promise((resolve) => setTimeout(resolve, 600));
    if (!running.output.includes(shown)) running.type(`${line}\n`);
    await new Promise((resolve) => setTimeout(resolve, 400));
  }
  await running.shows(shown);
}

const deploy = {
  steps: [
    { key: "env", instruction: "Which environment?", options: ["Staging", "Production"] },
    { key: "token", instruction: "What is the token?", sensitive: true },
    { key: "region", instruction: "Which region?", options: ["EU", "US"] },
  ],
};

describe("assent flow", () => {
  function withFlow(flow: object = deploy): Place {
    const place = new Place([]);
    writeFileSync(place.file("flow.json"), JSON.stringify(flow));
    return place;
  }

  verifies(["FLOW-5b", "FLOW-2"], "half answered survives kill -9 and is finished by another process", async () => {
    const place = withFlow();
    expect(place.assent(["flow", "flow.json", "--unattended", "park"]).status).toBe(4);
    const ask = async () => (await place.question()).split("-");
    const [session = "", first] = await ask();
    expect(place.assent(["answer", `${session}-${first}`, "2"]).status).toBe(0);
    const killed = place.start(["resume", session, "--unattended", "park"]);
    killed.kill("SIGKILL");
    await killed.ended;
    expect(place.assent(["answer", `${session}-2`, "hunter2"]).status).toBe(0);
    expect(readdirSync(`${place.home}/secrets`)).toHaveLength(1);
    expect(place.assent(["answer", `${session}-3`, "region=2 env=1"]).status).toBe(0);
    const parked = place.assent(["resume", session, "--unattended", "park"]);
    expect(parked.status).toBe(4);
    expect(JSON.parse(parked.stdout).question).toBe("Summary:\n- env: Staging\n- token: set\n- region: US");
    const result = '{"env":"Staging","token":"set","region":"US"}\n';
    expect(place.assent(["answer", `${session}-4`, "yes"])).toMatchObject({ status: 0, stdout: result });
    expect(place.assent(["resume", session])).toMatchObject({ status: 0, stdout: result });
    expect(place.assent(["sessions", "--json"]).stdout).toContain('"outcome":"answered"');
    expect(readdirSync(`${place.home}/secrets`)).toEqual([]);
    const files = readdirSync(place.home).filter((file) => file.startsWith("journal"));
    for (const file of files) expect(readFileSync(`${place.home}/${file}`).includes("hunter2")).toBe(false);
    expect(place.requests()).toEqual([]);
  });

  test.skipIf(noTerminal)(
    `asks on the terminal, hides what is sensitive, and prints the answers as JSON${needsTerminal}`,
    async () => {
      const place = withFlow();
      const flow = place.startInTerminal(["flow", "flow.json"]);
      await flow.shows("2) Production");
      await flow.answer("1");
      await flow.shows("What is the token?");
      // Keys that only move are no part of it.
      await flow.answer("hunx\u007f\u001b[Ater2\u001b[3~");
      await flow.shows("Which region?");
      const folder = `${place.home}/secrets`;
      const kept = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, "utf8"));
      expect(kept).toEqual(["hunter2"]);
      await flow.answer("1");
      await flow.shows("- token: set");
      await flow.answer("1");
      expect(await flow.ended).toBe(0);
      expect(flow.output).toContain('{"env":"Staging","token":"set","region":"EU"}');
      expect(flow.output).not.toContain("hunter2");
    },
  );

  test("that was cancelled says so again, by its exit code", async () => {
    const place = withFlow();
    place.assent(["flow", "flow.json", "--unattended", "park"]);
    const id = await place.question();
    expect(place.assent(["answer", id, "cancel"]).stdout).toBe("FLOW_CANCEL\n");
    expect(place.assent(["resume", id.split("-")[0] ?? ""])).toMatchObject({ status: 3, stdout: "" });
  });

  test("lets its questions expire, all of them", async () => {
    const place = withFlow();
    place.assent(["flow", "flow.json", "--unattended", "park", "--expire", "60"]);
    const id = await place.question();
    expect(place.pending()[0]?.request).toMatchObject({ timeout_ms: 60_000 });
    place.assent(["answer", id, "1"]);
    expect(place.pending()[0]?.request).toMatchObject({ timeout_ms: 60_000 });
  });

  test("takes no command of the shell for an answer", async () => {
    const place = withFlow();
    place.assent(["flow", "flow.json", "--unattended", "park"]);
    const id = await place.question();
    const told = place.assent(["answer", id, "/help"]);
    expect(told).toMatchObject({ status: 3, stdout: "" });
    expect(told.stderr).toContain("/help is a command of the shell, not an answer");
    expect(told.stderr).not.toContain("attempt");
    expect(place.assent(["answer", id, "/text /help"]).status).toBe(0);
  });

  test.each([
    ["that is not there", null, "cannot read flow.json"],
    ["that is not JSON", "{", "flow.json: expected JSON"],
    ["without steps", '{"steps":[]}', "flow.json: expected 1 to 7 steps, found none"],
    [
      "with a wrong type",
      '{"steps":[{"key":"a","instruction":5}]}',
      "flow.json: steps.0.instruction: expected string, found 5",
    ],
    [
      "whose question breaks the contract",
      '{"steps":[{"key":"a","instruction":"A?","options":["Other"]}]}',
      "flow.json: step 1 (a): an option is an Other; free text is possible anyway (option-other)",
    ],
  ])("says what is wrong with a file %s, and begins nothing", (_, text, told) => {
    const place = new Place([]);
    if (text !== null) writeFileSync(place.file("flow.json"), text);
    const ran = place.assent(["flow", "flow.json"]);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain(told);
    expect(place.assent(["sessions"]).stdout).toBe("");
  });

  verifies("ANS-7j", "without anybody to ask ends with 3, and says why", () => {
    const ran = withFlow().assent(["flow", "flow.json"]);
    expect(ran).toMatchObject({ status: 3, stdout: "" });
    expect(ran.stderr).toContain("nobody to answer (deny)");
  });
});

verifies("ANS-7j", "without anybody to ask the exit code tells what became of the question", () => {
  const command = { calls: [{ tool: "terminal", arguments: { command: "rm -r x" } }] };
  const harmless = { calls: [{ tool: "terminal", arguments: { command: "echo 1" } }] };
  const done = { text: "Done." };
  const code = (script: ConstructorParameters<typeof Place>[0], ...flags: readonly string[]) =>
    new Place(script).assent(["run", ...flags, "go"]).status;
  for (const script of [
    [asking, done],
    [command, done],
  ]) {
    expect([code(script), code(script, "--unattended=park"), code(script, "--unattended=abort")]).toEqual([3, 4, 1]);
  }
  const limited = (...flags: readonly string[]) => code([harmless, done], "--max-turns=1", ...flags);
  expect([limited(), limited("--unattended=park"), limited("--unattended=abort")]).toEqual([5, 4, 5]);
});

test.skipIf(noTerminal)(`a result that is told again is not obeyed by a terminal either${needsTerminal}`, async () => {
  const place = new Place([{ text: "red: \u001b[31mred" }]);
  expect(place.assent(["run", "colour"]).stdout).toBe("red: \u001b[31mred\n");
  const again = place.startInTerminal(["resume", place.sessions()[0]?.session ?? ""]);
  expect(await again.ended).toBe(0);
  expect(again.output).toContain("red: \\u{1b}[31mred");
  expect(again.output).not.toContain("\u001b[31m");
});

describe("assent interaction", () => {
  test("answers each line with a line, also bad ones, and ends with 0", () => {
    const place = new Place([]);
    const lines = ['{"text":"Done."}', "", "nope", '{"text":"Shall I push it?"}'];
    const { status, stdout } = place.assent(["interaction", "purity"], `${lines.join("\n")}`);
    expect(status).toBe(0);
    expect(jsonLines<{ soft_offer: boolean | null }>(stdout).map((each) => each.soft_offer)).toEqual([
      false,
      null,
      true,
    ]);
  });

  test("takes lines of many megabytes, and refuses one that is larger than any of the contract", () => {
    const place = new Place([]);
    const request = { question: "Which one?", options: [], allow_free_text: true };
    const megabyte = JSON.stringify({ request, input: "x".repeat(1_048_576) });
    const huge = JSON.stringify({ request, input: "x".repeat(17 * 1_048_576) });
    const large = JSON.stringify({ request: { ...request, metadata: "x".repeat(10_000_000) }, input: "1" });
    const results = jsonLines<{ type: string; refusal?: { code: string } }>(
      place.assent(["interaction", "reply"], `${megabyte}\n${huge}\n${large}\n${megabyte}`).stdout,
    );
    expect(results.map(({ type, refusal }) => refusal?.code ?? type)).toEqual([
      ...["free_text", "too_large", "too_large", "free_text"],
    ]);
  });

  test("says what it knows when asked for something else", () => {
    const ran = new Place([]).assent(["interaction", "lent"]);
    expect(ran).toMatchObject({ status: 2, stdout: "" });
    expect(ran.stderr).toContain("expected lint, reply, flow, purity");
  });

  verifies("INT-3", "assent schema interaction prints the published schema", () => {
    const { stdout } = new Place([]).assent(["schema", "interaction"]);
    const published = readFileSync(new URL("../../schema/interaction.json", import.meta.url), "utf8");
    expect(JSON.parse(stdout)).toEqual(JSON.parse(published));
  });
});

verifies(
  "TXT-4b",
  "a text that offers in prose is not seen until it is the last one, then with a line that says so",
  () => {
    const offer = { text: "Fixed. Let me know if you want me to push." };
    const place = new Place([offer, { text: "Fixed." }]);
    expect(place.assent(["run", "fix it"])).toMatchObject({
      status: 0,
      stdout: "Fixed.\n",
      stderr: expect.not.stringContaining("push"),
    });
    const stubborn = new Place([offer, offer, offer, offer]);
    const ran = stubborn.assent(["run", "fix it"]);
    expect(ran).toMatchObject({ status: 0, stdout: `${offer.text}\n` });
    expect(ran.stderr).toContain("system  the text asks or offers in prose");
    expect(stubborn.requests()).toHaveLength(4);
    const warned = new Place([offer]);
    expect(warned.assent(["run", "--soft-offers", "warn", "fix it"]).stdout).toBe(`${offer.text}\n`);
    expect(new Place([offer]).assent(["run", "--soft-offers", "off", "fix it"]).stderr).not.toContain("prose");
    expect(new Place([offer]).assent(["run", "--soft-offers", "never", "x"])).toMatchObject({ status: 2 });
  },
);
