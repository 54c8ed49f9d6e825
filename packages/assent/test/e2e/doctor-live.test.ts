import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import {
  type ModelServer,
  type ModelServerOptions,
  openModelServer,
  type ScriptEntry,
} from "../../src/testing/index.ts";
import { jsonLines, Place, type Running } from "./product.ts";

async function serve(script: readonly ScriptEntry[], more: Partial<ModelServerOptions> = {}): Promise<ModelServer> {
  const server = await openModelServer({ script, ...more });
  onTestFinished(() => server.close());
  return server;
}

const lines = Array.from({ length: 320 }, (_, index) => `line ${index + 1}\n`).join("");
const called = (...keys: readonly string[]): ScriptEntry => ({
  calls: keys.map((key) => ({ tool: "lookup", arguments: { key } })),
});

/** What a model does that does what it is told, request by request. */
const obedient: readonly ScriptEntry[] = [
  { text: "ready", usage: { input: 30, output: 2 } },
  called("violet"),
  called("red", "blue"),
  { text: "It is 7316." },
  { text: lines },
  { text: lines, fault: { hang: 5 } },
  { text: "ready" },
  { fault: { error: { message: "context_length_exceeded: maximum context length is 2000 tokens", status: 400 } } },
];

function examine(model: string, server: string, env: NodeJS.ProcessEnv = {}): Running {
  const settings = { ASSENT_MODEL: model, ASSENT_MODEL_CONTEXT: "2000", ASSENT_MODEL_RETRIES: "0" };
  const keys = { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "" };
  const places = { OPENAI_BASE_URL: `${server}/v1`, ANTHROPIC_BASE_URL: server };
  return new Place([], { ...settings, ...keys, ...places, ...env }).start(["doctor", "--live", "--json"]);
}

type Result = { readonly step: string; readonly verdict: string; readonly detail: string };

function verdicts({ output }: Running): Record<string, string> {
  const results = output.split("\n").filter((line) => line.startsWith("{"));
  return Object.fromEntries(
    jsonLines<Result>(results.join("\n")).map(({ step, verdict, detail }) => [
      step,
      verdict === "fail" ? `fail: ${detail}` : verdict,
    ]),
  );
}

describe.each(["openai-chat:m", "openai:m", "anthropic:m"])("%s", (model) => {
  test("passes every step when it does what it is told", async () => {
    const running = examine(model, (await serve(obedient)).url);
    const status = await running.ended;
    expect(verdicts(running)).toEqual({
      text: "pass",
      "tool call": "pass",
      "parallel calls": "pass",
      "tool result back": "pass",
      "long output": "pass",
      stop: "pass",
      overflow: "pass",
    });
    expect(running.errors).toMatch(/^assent: examines \S+:m\. This costs about 10000 tokens, and one request of /);
    expect(running.errors).toContain("      long output begins, at most 180 s\n");
    expect(running.errors).toMatch(/\nassent: 7 passed, 0 failed, 0 skipped\n$/);
    expect(status).toBe(0);
  });
});

test("what a model cannot do is told, and what cannot be tried is left out", async () => {
  const clumsy = [
    { text: "yes", usage: null },
    { text: "violet" },
    called("red"),
    { text: lines, finish: "length" },
    { text: "line 1", repeat: true },
  ];
  const running = examine("openai-chat:m", (await serve(clumsy)).url, { ASSENT_MODEL_CONTEXT: "0" });
  const status = await running.ended;
  expect(verdicts(running)).toMatchObject({
    text: 'fail: expected the word ready, found "yes"',
    "tool call": 'fail: expected a call of lookup, found the text "violet"',
    "parallel calls": "skip",
    "tool result back": "skip",
    "long output": "fail: the reply was cut after 320 lines; ASSENT_MODEL_MAX_OUTPUT allows longer ones",
    overflow: "skip",
  });
  expect(status).toBe(1);
});

test("where nothing answers, each step says so", async () => {
  const running = examine("openai-chat:m", "http://127.0.0.1:1");
  expect(await running.ended).toBe(1);
  expect(verdicts(running)["text"]).toMatch(/^fail: refused: 127\.0\.0\.1:1 refused the connection/);
});

test("Ctrl-C ends it, with what was found so far", async () => {
  const server = await serve([{ text: "ready", fault: { hang: "answer" } }]);
  const running = examine("openai-chat:m", server.url);
  await server.waitFor(1);
  running.kill("SIGINT");
  expect(await running.ended).toBe(130);
  expect(verdicts(running)).toEqual({});
  expect(running.errors).toMatch(/\nassent: 0 passed, 0 failed, 0 skipped; 0 of 7 steps were done\n$/);
});

describe("assent run", () => {
  const none = { ASSENT_MODEL: "", OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "", GEMINI_API_KEY: "", GOOGLE_API_KEY: "" };

  test("takes the model of a server on this machine when nobody names one, and says so", async () => {
    const { url } = await serve([{ text: "Hello there." }], { models: ["tiny:1b"] });
    const place = new Place([], { ...none, OLLAMA_HOST: url, ASSENT_MODEL_DISCOVERY_MS: "30000" });
    const running = place.start(["run", "hi"]);
    running.endInput();
    expect(await running.ended).toBe(0);
    expect(running.errors).toContain(`assent: the model is ollama:tiny:1b (found at ${url}/v1)\n`);
    expect(running.output).toContain("Hello there.\n");
  });

  test("tells what a reply has cost where models.json tells the prices", async () => {
    const { url } = await serve([{ text: "Hello.", usage: { input: 1_000, output: 100, cached: 400 } }]);
    const place = new Place([], { ...none, OPENAI_BASE_URL: `${url}/v1` });
    mkdirSync(place.home, { mode: 0o700 });
    const prices = { input: 10, output: 100, cached: 1 };
    writeFileSync(join(place.home, "models.json"), JSON.stringify({ "openai-chat:m": { prices } }));
    const running = place.start(["run", "--json", "--model", "openai-chat:m", "--max-cost", "5", "hi"]);
    running.endInput();
    expect(await running.ended).toBe(0);
    const events = jsonLines<{ type: string; reply?: { usage: object } }>(running.output);
    expect(events.find(({ type }) => type === "model.replied")?.reply?.usage).toEqual({
      ...{ input: 1_000, output: 100, cached: 400 },
      cost: 0.0164,
    });
  });
});
