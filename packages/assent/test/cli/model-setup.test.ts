import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openSurrounded, type Surrounded } from "../../src/cli/around.ts";
import { chooseModel, configureModel } from "../../src/cli/model.ts";
import { modelFlow, setUpModel } from "../../src/cli/model-setup.ts";
import { lintFlow } from "../../src/core/index.ts";
import { readSlash } from "../../src/slash/index.ts";
import { verifies } from "../requirements/verifies.ts";

/** A busy machine fails no test. */
const patience = { timeout: 30_000 };

const key = "sk-test-0123456789";
const variables = [
  "OPENAI_API_KEY",
  "OPENAI_BASE_URL",
  "ANTHROPIC_API_KEY",
  "ANTHROPIC_BASE_URL",
  "GEMINI_API_KEY",
  "GOOGLE_API_KEY",
  "ASSENT_MODEL",
  "ASSENT_RUN",
];
let home = "";

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "assent-set-up-"));
  vi.stubEnv("ASSENT_HOME", home);
  for (const name of variables) vi.stubEnv(name, undefined);
});

afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

test("the questions keep to the contract", () => {
  expect(lintFlow(modelFlow())).toEqual([]);
});

test("what is set up is used from then on, in every process, and its key is for the owner's eyes alone", async () => {
  const given = { provider: "Anthropic", key, model: null, address: null };
  expect(await setUpModel(given)).toEqual({ name: "anthropic:claude-sonnet-4-5" });
  const folder = join(home, "model");
  expect(readdirSync(folder).sort()).toEqual(["ANTHROPIC_API_KEY", "ASSENT_MODEL"]);
  expect(readdirSync(folder).map((file) => statSync(join(folder, file)).mode & 0o777)).toEqual([0o600, 0o600]);
  const chosen = await chooseModel(undefined, null, { servers: async () => [], named: [] });
  expect(chosen).toEqual({ name: "anthropic:claude-sonnet-4-5", by: "the model that was set up", found: false });
  expect(configureModel(chosen)).toMatchObject({ keyName: "ANTHROPIC_API_KEY", target: { key } });
});

test("another set-up takes the place of the one before, with its address", async () => {
  await setUpModel({ provider: "OpenAI", key, model: "gpt-5", address: null });
  const compatible = {
    provider: "OpenAI-compatible server, such as vLLM",
    key,
    model: "mine",
    address: "https://models.example/v1",
  };
  expect(await setUpModel(compatible)).toEqual({ name: "openai-chat:mine" });
  expect(configureModel({ name: "openai-chat:mine", by: "test" }).target.baseUrl).toBe("https://models.example/v1");
  await setUpModel({ provider: "OpenAI", key, model: "gpt-5", address: null });
  expect(configureModel({ name: "openai:gpt-5", by: "test" }).target.baseUrl).toBe("https://api.openai.com/v1");
});

test.each([
  [
    { provider: "OpenAI-compatible server, such as vLLM", key, model: null, address: "https://a.example/v1" },
    /expected the name of a model/,
  ],
  [
    { provider: "OpenAI", key: null, model: null, address: null },
    /expected the key for openai-responses in OPENAI_API_KEY, found none/,
  ],
  [{ provider: "OpenAI", key, model: null, address: "nowhere" }, /OPENAI_BASE_URL: expected a URL/],
  [
    { provider: "LM Studio", key: null, model: null, address: "http://127.0.0.1:99999" },
    /LMSTUDIO_BASE_URL: expected a port/,
  ],
  [{ provider: "OpenAI", key: "kéy", model: null, address: null }, /OPENAI_API_KEY: expected letters/],
  [{ provider: "Nobody", key, model: null, address: null }, /no provider is called "Nobody"/],
])("what could not be used is not saved: %j", async (given, problem) => {
  expect(await setUpModel(given)).toEqual({ problem: expect.stringMatching(problem) });
  expect(readdirSync(home)).toEqual([]);
});

test("a saved key goes nowhere else than where it was given for", async () => {
  await setUpModel({ provider: "Anthropic", key, model: null, address: null });
  vi.stubEnv("ANTHROPIC_BASE_URL", "https://elsewhere.example");
  expect(() => configureModel({ name: "anthropic:claude-sonnet-4-5", by: "test" })).toThrow(/found none/);
  await expect(chooseModel(undefined, null, { servers: async () => [], named: [] })).rejects.toThrow(/no model is set/);
  expect(await setUpModel({ provider: "Anthropic", key, model: null, address: null })).toEqual({
    problem: "ANTHROPIC_BASE_URL is set in the environment, and counts before what is saved",
  });
});

const ada = { name: "ada", adapter: "test" };

/** Answers the open question, once there is one. */
async function answer({ host }: Surrounded, session: string, line: string): Promise<void> {
  const open = await vi.waitUntil(() => host.view(session).interactions[0]?.request, patience);
  host.submit(session, {
    type: "reply",
    interaction: open.interaction_id,
    line,
    shown: null,
    by: ada,
    authority: "act",
  });
}

verifies(
  "FLOW-5c",
  "the whole set-up in a session: asked, confirmed, saved and used, with the key in no event",
  async () => {
    const surrounded = openSurrounded();
    const { host, around } = surrounded;
    try {
      const created = host.create({ cwd: home, limits: {} });
      const session = "session" in created ? created.session : "";
      host.hold(session, { unattended: () => null });
      const read = readSlash("/model setup");
      if (read === null || !("command" in read)) throw new Error("/model is a command");
      await read.command.run(read.given, { host, session, by: ada, around });
      for (const line of ["2", key, "1", "1", "yes"]) await answer(surrounded, session, line);
      await vi.waitUntil(() => host.view(session).exchange === null, patience);
      expect(host.view(session).lastResult?.text).toContain("saved; the model is anthropic:claude-sonnet-4-5");
      expect(around.model.name()).toBe("anthropic:claude-sonnet-4-5");
      expect(readFileSync(join(home, "model", "ANTHROPIC_API_KEY"), "utf8")).toBe(key);
      expect(await around.doctor()).toMatch(/^ok {2}ANTHROPIC_API_KEY +saved, 18 characters$/m);
      const watch = host.watch(session, { after: 0 });
      watch.finish();
      const events: unknown[] = [];
      for await (const watched of watch) events.push(watched);
      expect(JSON.stringify(events)).not.toContain(key);
      expect(readdirSync(join(home, "secrets"))).toEqual([]);
    } finally {
      await host.close();
    }
  },
);

test("of a model's name only its provider before it is known, not one that stands within it", async () => {
  const given = { provider: "Ollama", key: null, address: "http://127.0.0.1:9/v1" };
  expect(await setUpModel({ ...given, model: "my-ollama:7b" })).toEqual({ name: "ollama:my-ollama:7b" });
  expect(await setUpModel({ ...given, model: "ollama:qwen3" })).toEqual({ name: "ollama:qwen3" });
});
