import { writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { ScriptEntry } from "../../src/testing/index.ts";
import { looseRecord } from "../../src/wire/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { eventsOf, formats, ModelPlace, resultsIn, toolsIn, userTextsIn } from "./model-place.ts";

const call = (tool: string, given: object | string, id?: string) => ({
  tool,
  arguments: typeof given === "string" ? given : { ...given },
  ...(id === undefined ? {} : { id }),
});
const command = (line: string): ScriptEntry => ({ calls: [call("terminal", { command: line })] });
const agentic: ScriptEntry = { calls: [call("agentic", { user_prompt: "do it", objective: "it is done" })] };
const complete: ScriptEntry = { calls: [call("complete", { result: "Done.", status: "success" })] };

/** Two files to read. */
function withFiles(place: ModelPlace): ModelPlace {
  writeFileSync(place.place.file("a.txt"), "alpha\n");
  writeFileSync(place.place.file("b.txt"), "beta\n");
  return place;
}

describe.each(formats)("with %s", (format) => {
  const open = (script: readonly ScriptEntry[], env: NodeJS.ProcessEnv = {}) => ModelPlace.open(format, script, env);

  verifies("PROG-3", "calls of one reply are answered under their ids, and the end tells tokens and cost", async () => {
    const reading: ScriptEntry = {
      text: "Looking.",
      calls: [call("read_file", { path: "a.txt" }, "call_one"), call("read_file", { path: "b.txt" }, "call_two")],
      usage: { input: 1_000, output: 20, cached: 800 },
    };
    const place = withFiles(
      await open([
        reading,
        { text: "Both are read.", usage: { input: 1_200, output: 10, cached: 1_000 } },
        { text: "Still there.", usage: { input: 1_300, output: 10 } },
      ]),
    );
    const first = await place.assent("run", "read both");
    expect(first).toEqual({ status: 0, stdout: "Both are read.\n", stderr: expect.any(String) });
    expect(first.stderr.split("\n").slice(-3)).toEqual([
      "system  ended: answered",
      "system  tokens: 2,200 in (1,800 cached), 30 out",
      "",
    ]);
    // The two may run together, and stand in the order in which they ended.
    const results = [...resultsIn(place.bodies[1] ?? {})].sort((one, other) => one.id.localeCompare(other.id));
    expect(results).toEqual([
      { id: "call_one", text: "     1\talpha" },
      { id: "call_two", text: "     1\tbeta" },
    ]);
    expect(userTextsIn(place.bodies[0] ?? {}).at(-1)).toMatch(/\n\nread both$/);
    place.writeModels({ [`${format}:m`]: { prices: { input: 2, output: 10, cached: 0.5 } } });
    const second = await place.assent("run", "--session", await place.session(), "and now?");
    expect(second.stdout).toBe("Still there.\n");
    expect(second.stderr).toContain(
      "tokens: 1,300 in, 10 out, cost 0.0027; session: 3,500 in (1,800 cached), 40 out, cost 0.0027\n",
    );
    expect(place.asked.flatMap(({ problems }) => problems)).toEqual([]);
  });

  verifies(
    ["SEL-2a", "LOOP-2c"],
    "tools go out as the API's own, each with name, description and JSON Schema",
    async () => {
      const place = await open([{ text: "hi" }]);
      await place.assent("run", "hello");
      const offered = toolsIn(place.bodies[0] ?? {});
      expect(offered.map(({ name }) => name)).toEqual([
        ...["agentic", "complete", "ask", "flow", "terminal", "process"],
        ...["read_file", "write_file", "edit_file", "list_files", "search_files", "slash_invoke", "run_interactive"],
      ]);
      for (const { description, parameters } of offered) {
        expect(description).toMatch(/\w+ \w+/);
        expect(parameters).toMatchObject({ type: "object", properties: expect.any(Object) });
      }
      expect(offered.find(({ name }) => name === "complete")).toMatchObject({
        description: expect.stringContaining("the objective is reached, or that it cannot be"),
        parameters: {
          properties: { status: { description: expect.stringContaining("failure: it cannot be reached") } },
        },
      });
    },
  );

  test("the first request has at most 12,288 bytes with all tools", async () => {
    const place = await open([{ text: "hi" }]);
    await place.assent("run", "hello");
    const [{ body = "", headers = {} } = {}] = place.asked;
    expect(Number(headers["content-length"])).toBe(Buffer.byteLength(body));
    expect(Buffer.byteLength(body)).toBeLessThanOrEqual(12_288);
  });

  verifies(
    "SEL-3a",
    "a call runs with the arguments that the model wrote, and they stay so in the history",
    async () => {
      const written = '{ "command" : "echo \\u0041; echo  b" }';
      const place = await open([{ calls: [call("terminal", written, "call_a")] }, { text: "ok" }]);
      const ran = await place.assent("run", "--json", "go");
      expect(eventsOf(ran).find(({ type }) => type === "model.replied")).toMatchObject({
        reply: { calls: [{ arguments: written }] },
      });
      expect(resultsIn(place.bodies[1] ?? {})).toEqual([{ id: "call_a", text: expect.stringMatching(/^A\nb\n?$/) }]);
      const sent = format === "anthropic" ? `"input":${written}` : `"arguments":${JSON.stringify(written)}`;
      expect(place.asked[1]?.body).toContain(sent);
    },
  );

  verifies("SEL-3b", "an unknown tool, wrong arguments and broken JSON are errors that the model reads", async () => {
    const place = await open([
      {
        calls: [
          call("teminal", { command: "echo x >> count" }, "call_a"),
          call("terminal", { command: 7 }, "call_b"),
          call("terminal", '{"command": "echo x >> count"', "call_c"),
          call("terminal", "[]", "call_d"),
        ],
      },
      { text: "I see." },
    ]);
    const ran = await place.assent("run", "go");
    expect({ ...ran, stderr: "" }).toEqual({ status: 0, stdout: "I see.\n", stderr: "" });
    expect(place.place.read("count")).toBe("");
    expect(place.asked[1]?.problems).toEqual([]);
    expect(resultsIn(place.bodies[1] ?? {})).toEqual([
      { id: "call_a", text: expect.stringMatching(/no tool is named "teminal"; there are .*terminal/) },
      { id: "call_b", text: expect.stringMatching(/command/) },
      { id: "call_c", text: expect.stringMatching(/JSON/) },
      { id: "call_d", text: expect.stringMatching(/expected/i) },
    ]);
  });

  verifies("SEL-3b", "a call that the output limit has cut is an error, and the next request is valid", async () => {
    const half = '{"command": "echo x >> count; echo';
    const place = await open([
      { text: "On it.", calls: [call("terminal", half, "call_a")], finish: "length" },
      { text: "A text that stops in the", finish: "length" },
    ]);
    const ran = await place.assent("run", "go");
    expect({ ...ran, stderr: "" }).toEqual({ status: 0, stdout: "A text that stops in the\n", stderr: "" });
    expect(ran.stderr.match(/^system {2}the reply was cut off at its output limit/gm)).toHaveLength(2);
    expect(place.place.read("count")).toBe("");
    expect(place.asked[1]?.problems).toEqual([]);
    expect(resultsIn(place.bodies[1] ?? {})).toEqual([
      { id: "call_a", text: expect.stringMatching(/output limit: do it in smaller parts/) },
    ]);
  });
});

describe("what a model thought", () => {
  const thoughts = {
    "openai-responses":
      '{"id":"rs_1","type":"reasoning","summary":[{"type":"summary_text","text":"a \\"thought\\" — of é"}],"encrypted_content":"sealed_1"}',
    anthropic: '{"type":"thinking","thinking":"a \\"thought\\" — of é","signature":"signature_1"}',
  };
  for (const format of ["openai-responses", "anthropic"] as const) {
    test(`goes back to it as it came, and not to another one: ${format}`, async () => {
      const script = [{ ...command("echo hi"), reasoning: 'a "thought" — of é' }, { text: "one" }, { text: "two" }];
      const place = await ModelPlace.open(format, script);
      await place.assent("run", "think");
      await place.assent("run", "--session", await place.session(), "same model");
      await place.assent("run", "--session", await place.session(), "--model", `${format}:other`, "other model");
      const has = place.asked.map(({ body }) => body.includes(thoughts[format]));
      expect(has).toEqual([false, true, true, false]);
      expect(place.asked.flatMap(({ problems }) => problems)).toEqual([]);
      expect(place.asked[3]?.body).not.toMatch(/thought|sealed|signature/);
      expect(resultsIn(place.bodies[3] ?? {})).toHaveLength(1);
    });
  }
});

describe.each(formats)("an outage in the middle of a run, with %s", (format) => {
  const script = [agentic, command("echo x >> count"), { fault: { status: 503 }, repeat: true }];

  verifies("SEL-10", "fails the exchange with class and remedy, and resume goes on from there", async () => {
    const place = await ModelPlace.open(format, script);
    const ran = await place.assent("run", "do it");
    const overloaded =
      /^system {2}the model failed \(overloaded\): HTTP 503 .*; wait a while, then assent resume [a-z\d]+; with another model: assent resume [a-z\d]+ --model <provider:model>$/m;
    expect({ ...ran, stderr: "" }).toEqual({ status: 1, stdout: "", stderr: "" });
    expect(ran.stderr).toMatch(overloaded);
    expect(ran.stderr).toMatch(/^system {2}ended: failed$/m);
    const session = await place.session();
    await place.down();
    // What was wrong is told again, then what is wrong now; the journal has both.
    const again = await place.assent("resume", session);
    const refused =
      /^system {2}the model failed \(refused\): 127\.0\.0\.1:\d+ refused the connection; check the address, .*$/m;
    expect({ ...again, stderr: "" }).toEqual({ status: 1, stdout: "", stderr: "" });
    expect(again.stderr).toMatch(/^prompt {2}do it\n/);
    expect(again.stderr).toMatch(overloaded);
    expect(again.stderr).toMatch(refused);
    const still = await place.assent("resume", "--json", session);
    expect(still.status).toBe(1);
    expect(still.stderr).toMatch(refused);
    expect(eventsOf(still)).toMatchObject([
      { type: "exchange.started", exchange: 3, resumes: 2, prompt: "do it" },
      { type: "run.started", objective: "it is done" },
      { type: "model.failed", failure: { class: "refused", remedy: expect.stringMatching(/then assent resume/) } },
      { type: "run.ended", outcome: "failed", reason: "model" },
      { type: "exchange.ended", outcome: "failed", reason: "model" },
    ]);
    await place.up([complete]);
    const well = await place.assent("resume", session);
    expect({ ...well, stderr: "" }).toEqual({ status: 0, stdout: "Done.\n", stderr: "" });
    expect(well.stderr).toMatch(/^system {2}going on where it failed\n/m);
    // What ran before the outage is in the request, and has run once.
    expect(resultsIn(place.bodies.at(-1) ?? {})).toHaveLength(2);
    expect(place.asked.flatMap(({ problems }) => problems)).toEqual([]);
    expect(place.place.read("count")).toBe("x\n");
    expect(await place.assent("resume", session)).toEqual({
      status: 0,
      stdout: "Done.\n",
      stderr: `assent: session ${session} rests; its last exchange ended: completed: success; there is nothing to go on with\n`,
    });
  });

  const faults: readonly (readonly [ScriptEntry, RegExp])[] = [
    [{ fault: { status: 401 } }, /\(unauthorised\): HTTP 401 .*; check the key in \w+_API_KEY, then assent resume/],
    [{ fault: { status: 429 } }, /\(rate-limited\): HTTP 429 .*; tried 2 times; wait a while, then assent resume/],
    [{ fault: { status: 500 } }, /\(server-error\): HTTP 500 .*; tried 2 times; the fault is the server's/],
    [{ text: "Half of", fault: { hang: 3 } }, /\(timeout\): no next event within 1 s; tried 2 times; check the server/],
    [
      { text: "Half of", fault: { cut: 3 } },
      /\(half-stream\): the reply broke off before its end.*; tried 2 times; check/,
    ],
  ];

  verifies(
    ["SEL-10", "CLI-5d"],
    "is told by its class, after as many tries as are set, and no tool runs again",
    async () => {
      const env = { ASSENT_MODEL_RETRIES: "1", ASSENT_MODEL_IDLE_TIMEOUT_MS: "1000" };
      for (const [fault, told] of faults) {
        const place = await ModelPlace.open(format, [command("echo x >> count"), { ...fault, repeat: true }], env);
        const ran = await place.assent("run", "go");
        expect(ran.stderr).toMatch(told);
        expect(ran.status).toBe(1);
        expect(place.asked).toHaveLength(told.source.includes("tried 2") ? 3 : 2);
        expect(place.place.read("count")).toBe("x\n");
      }
    },
    30_000,
  );
});

describe.each(formats)("a request that does not fit, with %s", (format) => {
  const message = "prompt is too long: 210000 tokens > 200000 maximum";
  const error = { code: "context_length_exceeded", type: "invalid_request_error", message };
  const tooLong: ScriptEntry = { fault: { status: 400, body: { type: "error", error } } };
  const long = (turn: number, input = 0): ScriptEntry => ({
    ...command(`seq ${turn} 1500`),
    usage: { input, output: 10 },
  });
  const earlier = [agentic, ...[1, 2, 3, 4, 5].map((turn) => long(turn))];
  const summaries = ({ bodies }: ModelPlace) =>
    bodies.filter((body) => userTextsIn(body).at(-1)?.startsWith("Summarise"));
  const without = ({ bodies }: ModelPlace) => bodies.filter((body) => toolsIn(body).length === 0);
  const last =
    /^system {2}the model failed \(overflow\): HTTP 400 .*prompt is too long.*; shorten the prompt, start a new session, or go on with a model that takes more: assent resume [a-z\d]+ --model <provider:model>$/m;

  for (const [where, script, requests] of [
    ["outside a run", [], 3],
    ["in a run with results", earlier, 10],
  ] as const) {
    verifies("SEL-9", `for ever, ends after one summary and one reply without tools: ${where}`, async () => {
      const place = await ModelPlace.open(format, [...script, { ...tooLong, repeat: true }]);
      const ran = await place.assent("run", "do it");
      expect({ ...ran, stderr: "" }).toEqual({ status: 1, stdout: "", stderr: "" });
      expect(ran.stderr).toMatch(last);
      expect(ran.stderr).toMatch(/^system {2}ended: failed: HTTP 400 .*prompt is too long/m);
      expect(place.asked).toHaveLength(requests);
      expect([summaries(place).length, without(place).length]).toEqual([1, 1]);
      expect(place.asked.flatMap(({ problems }) => problems)).toEqual([]);
    });
  }

  verifies(
    "SEL-9",
    "even after the summary, is answered without tools, and the request says what was left out",
    async () => {
      const place = await ModelPlace.open(format, [
        tooLong,
        { text: "A summary." },
        tooLong,
        { text: "In short: yes." },
      ]);
      const ran = await place.assent("run", "do it");
      expect({ ...ran, stderr: "" }).toEqual({ status: 0, stdout: "In short: yes.\n", stderr: "" });
      expect(ran.stderr).toContain("a reply without tools is asked for");
      expect(userTextsIn(place.bodies[3] ?? {})).toEqual([
        expect.stringMatching(/without tools, and say that the earlier history was left out\.\n\ndo it$/),
      ]);
    },
  );

  verifies("SEL-9", "once, goes on with shorter results; twice, with a summary", async () => {
    const once = await ModelPlace.open(format, [...earlier, tooLong, complete]);
    expect(await once.assent("run", "do it")).toMatchObject({ status: 0, stdout: "Done.\n" });
    const lengths = (body = {}) => resultsIn(body).map(({ text }) => text.length > 1_000);
    expect(lengths(once.bodies[6])).toEqual([false, true, true, true, true, true]);
    expect(lengths(once.bodies[7])).toEqual([false, false, false, true, true, true]);
    expect(summaries(once)).toEqual([]);

    const twice = await ModelPlace.open(format, [...earlier, tooLong, tooLong, { text: "Five lists." }, complete]);
    expect(await twice.assent("run", "do it")).toMatchObject({ status: 0, stdout: "Done.\n" });
    expectSummarised(twice, 9, "Five lists.");
  });

  verifies("SEL-9", "is seen to come where the window is known: first shorter results, then a summary", async () => {
    const growing = [5_000, 9_000, 13_000, 17_000, 21_000, 23_000, 29_500].map((input, turn) => long(turn + 1, input));
    const script = [agentic, ...growing, { text: "Seven lists." }, complete];
    const place = await ModelPlace.open(format, script, { ASSENT_MODEL_CONTEXT: "30000" });
    const ran = await place.assent("run", "--json", "do it");
    expect(ran.status).toBe(0);
    const changes = eventsOf(ran).filter(({ type }) => type.startsWith("history."));
    expect(changes.slice(0, 1)).toMatchObject([{ shortened: expect.any(Object) }]);
    expect(changes.slice(-2)).toMatchObject([
      { type: "history.outgrown", window: 30_000 },
      { type: "history.compacted", summary: "Seven lists." },
    ]);
    const [before = "", after = ""] = place.asked.slice(6, 8).map(({ body }) => body);
    expect(before.length - after.length).toBeGreaterThan(8_000);
    expect(eventsOf(ran).filter(({ type }) => type === "model.failed")).toEqual([]);
    expectSummarised(place, 9, "Seven lists.");
  });

  /** The n-th request asks for a summary with all tools, none of which may be called; the next begins with it. */
  function expectSummarised(place: ModelPlace, number: number, summary: string): void {
    const [asked = {}, next = {}] = place.bodies.slice(number - 1);
    expect(summaries(place)).toEqual([asked]);
    expect(asked["tool_choice"]).toEqual(format === "anthropic" ? { type: "none" } : "none");
    expect(toolsIn(asked)).toEqual(toolsIn(next));
    expect(userTextsIn(next).slice(0, 2)).toEqual([`[assent: summary of the session so far\n${summary}]`, "do it"]);
    expect(resultsIn(next)).toEqual([]);
    expect(place.asked.flatMap(({ problems }) => problems)).toEqual([]);
  }
});

describe("the budget of a run", () => {
  const prices = { "openai-chat:m": { prices: { input: 2, output: 10 } } };
  const turns = Array.from({ length: 9 }, (_, turn) => ({
    ...command(`echo ${turn}`),
    usage: { input: 1_000, output: 100 },
  }));

  for (const [flag, most, bound, requests] of [
    ["--max-tokens", "3000", "tokens", 4],
    ["--max-iteration-tokens", "1100", "iteration-tokens", 2],
    ["--max-calls", "2", "calls", 3],
    ["--max-cost", "0.01", "cost", 5],
  ] as const) {
    test(`ends it with exit code 5 and names the bound: ${flag}`, async () => {
      const place = await ModelPlace.open("openai-chat", [agentic, ...turns]);
      place.writeModels(prices);
      const ran = await place.assent("run", flag, most, "count");
      expect({ ...ran, stderr: "" }).toEqual({ status: 5, stdout: "", stderr: "" });
      expect(ran.stderr).toContain(`\nsystem  ended: budget: the limit on ${bound} (--max-${bound}) was reached\n`);
      expect(place.asked).toHaveLength(requests);
    });
  }

  test("in money is refused where nobody knows the prices", async () => {
    const place = await ModelPlace.open("openai-chat", []);
    expect(await place.assent("run", "--max-cost", "1", "hi")).toMatchObject({
      status: 2,
      stderr: expect.stringMatching(/--max-cost: the prices of openai-chat:m are not known; models\.json/),
    });
    expect(place.asked).toEqual([]);
  });
});

describe("which model is asked", () => {
  const served = (url: string) => ({
    ...{ GEMINI_API_KEY: "k", GEMINI_BASE_URL: `${url}/v1`, OLLAMA_HOST: url, LLAMA_CPP_BASE_URL: `${url}/v1` },
    ...{ LMSTUDIO_BASE_URL: `${url}/v1`, VLLM_BASE_URL: `${url}/v1` },
  });
  const noKeys = {
    OPENAI_API_KEY: "",
    ANTHROPIC_API_KEY: "",
    GEMINI_API_KEY: "",
    GOOGLE_API_KEY: "",
    ASSENT_MODEL: "",
  };

  verifies("CLI-5a", "is said by --model or ASSENT_MODEL, as provider:model", async () => {
    const place = await ModelPlace.open("openai-chat", []);
    Object.assign(place.place.env, served(place.url));
    const names = ["openai:a", "openai-responses:b", "anthropic:c", "google:d", "ollama:qwen3:8b"];
    const more = ["llama.cpp:e", "lmstudio:org/f", "vllm:g"];
    await place.assent("run", "hi");
    for (const name of [...names, ...more]) await place.assent("run", "--model", name, "hi");
    expect(place.asked.map(({ format, json }) => [format, looseRecord(json)["model"]])).toEqual([
      ["openai-chat", "m"],
      ["openai-responses", "a"],
      ["openai-responses", "b"],
      ["anthropic", "c"],
      ...["d", "qwen3:8b", "e", "org/f", "g"].map((model) => ["openai-chat", model]),
    ]);
  });

  verifies("CLI-5b", "is one that serves on this machine where no key is set", async () => {
    const place = await ModelPlace.open("openai-chat", [{ text: "hello" }], noKeys);
    Object.assign(place.place.env, { OLLAMA_HOST: place.url, ASSENT_MODEL_DISCOVERY_MS: "5000" });
    const ran = await place.assent("run", "hi");
    expect(ran).toMatchObject({ status: 0, stdout: "hello\n" });
    expect(ran.stderr).toContain(`assent: the model is ollama:scripted (found at ${place.url}/v1)\n`);
  });

  verifies("CLI-5c", "may be a script, which is asked by the same way", async () => {
    const place = await ModelPlace.open("openai-chat", []);
    writeFileSync(place.place.script, JSON.stringify({ text: "from a file" }));
    const ran = await place.assent("run", "--model", `scripted:${place.place.script}`, "hi");
    expect({ ...ran, stderr: "" }).toEqual({ status: 0, stdout: "from a file\n", stderr: "" });
    expect(place.asked).toEqual([]);
  });

  verifies("CLI-5e", "and with none at all it is said in one line what to do", async () => {
    const place = await ModelPlace.open("openai-chat", [], noKeys);
    Object.assign(place.place.env, { ...served("http://127.0.0.1:1"), GEMINI_API_KEY: "" });
    const { status, stderr } = await place.assent("run", "hi");
    expect(status).toBe(2);
    expect(stderr.split("\n")[0]).toMatch(
      /^assent: no model is set, and OPENAI_BASE_URL names none \(--model openai-chat:<model> goes there\): name one with --model or ASSENT_MODEL.*assent demo/,
    );
  });

  test.each([
    ["gpt-5", /--model: expected <provider>:<model>, .*found "gpt-5"; did you mean openai:gpt-5\?/],
    ["opena:gpt-5", /--model: expected a provider of .*openai.*, found "opena" in "opena:gpt-5".*openai/],
    [
      "google:gemini",
      /--model "google:gemini": expected the key for google in GEMINI_API_KEY or GOOGLE_API_KEY, found none/,
    ],
  ])("cannot be %s: what is wrong and what was expected is told", async (name, told) => {
    const place = await ModelPlace.open("openai-chat", [], noKeys);
    const ran = await place.assent("run", "--model", name, "hi");
    expect(ran).toMatchObject({ status: 2, stdout: "", stderr: expect.stringMatching(told) });
    expect(place.asked).toEqual([]);
  });
});
