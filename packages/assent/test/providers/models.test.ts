import { describe, expect, test } from "vitest";
import { type CatalogueEntry, catalogue } from "../../src/providers/catalogue.ts";
import {
  contextOf,
  type Environment,
  firstModel,
  type NamedModel,
  placeOf,
  readModelName,
  serverPlaces,
  targetOf,
} from "../../src/providers/models.ts";

type Named = Extract<NamedModel, { type: "named" }>;

function named(name: string): Named {
  const read = readModelName(name);
  if (read.type !== "named") throw new Error(`${name} is ${read.type}`);
  return read;
}

function entry(name: string): CatalogueEntry {
  return named(`${name}:any`).entry;
}

const key = { OPENAI_API_KEY: "k1", ANTHROPIC_API_KEY: "k2", GEMINI_API_KEY: "k3" };

describe("a model is named by its provider and its own name:", () => {
  test.each([
    ["openai-chat:gpt-4o", "openai-chat", "gpt-4o"],
    ["openai-responses:gpt-5", "openai-responses", "gpt-5"],
    ["openai:gpt-5", "openai-responses", "gpt-5"],
    ["anthropic:claude-sonnet-4-5", "anthropic", "claude-sonnet-4-5"],
    ["google:gemini-2.5-pro", "google", "gemini-2.5-pro"],
    ["ollama:qwen3:8b", "ollama", "qwen3:8b"],
    ["llama.cpp:models/a:b/c.gguf", "llama.cpp", "models/a:b/c.gguf"],
    ["lmstudio:x", "lmstudio", "x"],
    ["vllm:org/model", "vllm", "org/model"],
  ])("%s", (name, provider, model) => {
    const read = named(name);
    expect([read.entry.name, read.model]).toEqual([provider, model]);
  });

  test.each(["", "gpt-5", "openai", "openai:", "openai: ", ":gpt-5", ":"])("%j is incomplete", (name) => {
    expect(readModelName(name)).toEqual({ type: "incomplete" });
  });

  test("a provider that is not known is told with those that are", () => {
    expect(readModelName("opnai:gpt-5")).toEqual({
      type: "unknown-provider",
      provider: "opnai",
      known: [
        ...["openai-responses", "openai", "openai-chat", "anthropic", "google"],
        ...["ollama", "llama.cpp", "lmstudio", "vllm"],
      ],
    });
  });

  test("names of the language itself are no providers", () => {
    expect(readModelName("constructor:x").type).toBe("unknown-provider");
  });
});

describe("the environment says where a model is and what opens it:", () => {
  test("the vendor's own service", () => {
    expect(targetOf(named("openai:gpt-5"), key, null)).toEqual({
      type: "found",
      keyName: "OPENAI_API_KEY",
      target: {
        name: "openai-responses:gpt-5",
        model: "gpt-5",
        baseUrl: "https://api.openai.com/v1",
        key: "k1",
        mostOutput: null,
        native: true,
      },
    });
  });

  type Case = [name: string, env: Environment, baseUrl: string, native: boolean];
  test.each<Case>([
    ["openai-chat:x", { OPENAI_BASE_URL: "https://api.openai.com/v1/" }, "https://api.openai.com/v1", true],
    ["openai-chat:x", { OPENAI_BASE_URL: "https://router.example/api/v1//" }, "https://router.example/api/v1", false],
    ["openai-chat:x", { OPENAI_BASE_URL: "http://api.openai.com/v1" }, "http://api.openai.com/v1", false],
    ["openai-chat:x", { OPENAI_BASE_URL: "http://10.0.0.5:8000/v1" }, "http://10.0.0.5:8000/v1", false],
    ["openai-chat:x", { OPENAI_BASE_URL: "" }, "https://api.openai.com/v1", true],
    ["anthropic:x", {}, "https://api.anthropic.com", true],
    ["anthropic:x", { ANTHROPIC_BASE_URL: "https://api.anthropic.com/v1" }, "https://api.anthropic.com", true],
    ["anthropic:x", { ANTHROPIC_BASE_URL: "https://proxy.example/claude/v1/" }, "https://proxy.example/claude", false],
    ["google:x", {}, "https://generativelanguage.googleapis.com/v1beta/openai", true],
    ["ollama:x", {}, "http://127.0.0.1:11434/v1", false],
    ["ollama:x", { OLLAMA_HOST: "0.0.0.0" }, "http://127.0.0.1:11434/v1", false],
    ["ollama:x", { OLLAMA_HOST: "0.0.0.0:9000" }, "http://127.0.0.1:9000/v1", false],
    ["ollama:x", { OLLAMA_HOST: ":9000" }, "http://127.0.0.1:9000/v1", false],
    ["ollama:x", { OLLAMA_HOST: "9000" }, "http://127.0.0.1:9000/v1", false],
    ["ollama:x", { OLLAMA_HOST: "[::]:9000" }, "http://[::1]:9000/v1", false],
    ["ollama:x", { OLLAMA_HOST: "gpu.example" }, "http://gpu.example:11434/v1", false],
    ["ollama:x", { OLLAMA_HOST: "gpu.example:80" }, "http://gpu.example/v1", false],
    ["ollama:x", { OLLAMA_HOST: "https://gpu.example" }, "https://gpu.example/v1", false],
    ["ollama:x", { OLLAMA_HOST: "http://gpu.example:9000/v1" }, "http://gpu.example:9000/v1", false],
    ["llama.cpp:x", {}, "http://127.0.0.1:8080/v1", false],
    ["llama.cpp:x", { LLAMA_CPP_BASE_URL: "http://127.0.0.1:8081/v1" }, "http://127.0.0.1:8081/v1", false],
    ["lmstudio:x", {}, "http://127.0.0.1:1234/v1", false],
    ["vllm:x", {}, "http://127.0.0.1:8000/v1", false],
  ])("%s with %j is at %s", (name, env, baseUrl, native) => {
    expect(targetOf(named(name), { ...key, ...env }, null)).toMatchObject({
      type: "found",
      target: { baseUrl, native },
    });
  });

  test.each([
    ["openai:x", ["OPENAI_API_KEY"]],
    ["openai-chat:x", ["OPENAI_API_KEY"]],
    ["anthropic:x", ["ANTHROPIC_API_KEY"]],
    ["google:x", ["GEMINI_API_KEY", "GOOGLE_API_KEY"]],
  ])("%s without a key names where it would be", (name, variables) => {
    const blank = { OPENAI_API_KEY: "", ANTHROPIC_API_KEY: " \n" };
    expect(targetOf(named(name), blank, null)).toEqual({ type: "no-key", variables });
  });

  test.each([
    ...["http://127.0.0.1:8080/v1", "http://localhost:1/v1", "http://[::1]:1/v1", "https://127.8.9.1/v1"],
    ...["http://0.0.0.0:8000/v1", "http://0:8000/v1", "http://[::]:8000/v1"],
    ...["http://[::ffff:127.0.0.1]:1/v1", "http://[::ffff:127.255.0.9]:1/v1", "http://[::ffff:0.0.0.0]:1/v1"],
  ])("a server of this machine needs no key: %s", (OPENAI_BASE_URL) => {
    expect(targetOf(named("openai-chat:x"), { OPENAI_BASE_URL }, null)).toMatchObject({
      type: "found",
      keyName: "OPENAI_API_KEY",
      target: { key: null },
    });
  });

  test.each([
    ...["http://0.0.0.1/v1", "http://10.0.0.0/v1", "http://0.0.0.0.example/v1", "http://localhost.example/v1"],
    ...["http://[::2]/v1", "http://[::ffff:128.0.0.1]/v1", "http://[::ffff:0.0.0.1]/v1", "http://[7f00::1]/v1"],
  ])("one of another machine does: %s", (OPENAI_BASE_URL) => {
    expect(targetOf(named("openai-chat:x"), { OPENAI_BASE_URL }, null)).toMatchObject({ type: "no-key" });
  });

  test("either of Google's variables counts, the first before the second", () => {
    const found = (env: Environment) => targetOf(named("google:x"), env, null);
    expect(found({ GOOGLE_API_KEY: "b" })).toMatchObject({ keyName: "GOOGLE_API_KEY", target: { key: "b" } });
    expect(found({ GOOGLE_API_KEY: "b", GEMINI_API_KEY: "a" })).toMatchObject({
      keyName: "GEMINI_API_KEY",
      target: { key: "a" },
    });
  });

  test("a local server gets nobody's key", () => {
    expect(targetOf(named("ollama:x"), key, null)).toMatchObject({ keyName: null, target: { key: null } });
  });

  test("the line end of a pasted key is no part of it, and what no header can hold is told without it", () => {
    const found = (OPENAI_API_KEY: string) => targetOf(named("openai:x"), { OPENAI_API_KEY }, null);
    expect(found(" abc\n")).toMatchObject({ target: { key: "abc" } });
    expect(found("a\nb")).toEqual({ type: "bad-key", variable: "OPENAI_API_KEY" });
    expect(found("ключ")).toEqual({ type: "bad-key", variable: "OPENAI_API_KEY" });
  });

  test.each([
    ["api.openai.com", "a URL that begins with http:// or https://", "api.openai.com"],
    ["ftp://a/v1", "a URL that begins with http:// or https://", "ftp://a/v1"],
    ["http://", "a host behind http://", "http://"],
    ["https:///v1", "a host behind https://", "https:///v1"],
    ["http://127.0.0.1:99999/v1", "a port from 0 to 65535", "http://127.0.0.1:99999/v1"],
    ["http://localhost:eighty/v1", "a port from 0 to 65535", "http://localhost:eighty/v1"],
    ["http://[::1:80/v1", "a URL with a valid host", "http://[::1:80/v1"],
    ["http://my host/v1", "a URL with a valid host", "http://my host/v1"],
    ["http://me:secret@a:99999/v1", "a URL without a user and a password", "one with them"],
    ["https://a/v1?x=1", "a URL without ? and #", "https://a/v1?x=1"],
    ["https://me:secret@a/v1", "a URL without a user and a password", "one with them"],
  ])("%s is no place", (OPENAI_BASE_URL, expected, found) => {
    const place = { type: "bad-url", variable: "OPENAI_BASE_URL", expected, found };
    expect(placeOf(entry("openai"), { OPENAI_BASE_URL })).toEqual(place);
    expect(targetOf(named("openai:x"), { ...key, OPENAI_BASE_URL }, null)).toEqual(place);
  });

  test.each([
    ["99999", "a port from 0 to 65535"],
    ["localhost:99999", "a port from 0 to 65535"],
    ["my host", "a URL with a valid host"],
    ["ftp://a", "a URL that begins with http:// or https://"],
  ])("%s is no place of Ollama's", (OLLAMA_HOST, expected) => {
    const place = { type: "bad-url", variable: "OLLAMA_HOST", expected, found: OLLAMA_HOST };
    expect(placeOf(entry("ollama"), { OLLAMA_HOST })).toEqual(place);
  });

  test("a key goes over a plain connection only where a person has named it", () => {
    const plain = { ...entry("openai"), baseUrl: "http://models.example/v1" };
    const found = targetOf({ type: "named", entry: plain, model: "x" }, key, null);
    expect(found).toEqual({ type: "plain", url: "http://models.example/v1" });
    const said = { ...key, OPENAI_BASE_URL: plain.baseUrl };
    expect(targetOf({ type: "named", entry: plain, model: "x" }, said, null)).toMatchObject({ type: "found" });
  });

  test("how long a reply may be is what a person says", () => {
    expect(targetOf(named("openai:gpt-5"), key, 99)).toMatchObject({ target: { mostOutput: 99 } });
  });
});

test("a window is what a person says, what is known of the vendor's model, or not known", () => {
  expect(contextOf(named("openai:gpt-4o"), 5)).toBe(5);
  expect(contextOf(named("openai:gpt-4o"), null)).toBe(128_000);
  expect(contextOf(named("ollama:gpt-4o"), null)).toBe(null);
});

test("the servers of this machine are looked for where they are said to be, in their order", () => {
  expect(serverPlaces({ OLLAMA_HOST: ":7000", VLLM_BASE_URL: "nowhere" })).toEqual([
    { name: "ollama", baseUrl: "http://127.0.0.1:7000/v1" },
    { name: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
    { name: "lmstudio", baseUrl: "http://127.0.0.1:1234/v1" },
  ]);
});

test("the first model of the first server that has one is taken, and none that only makes vectors", () => {
  const at = (name: string, models: readonly string[]) => ({ type: "found", name, baseUrl: "", models }) as const;
  const gone = { type: "missing", name: "ollama", baseUrl: "", why: "refused", detail: "" } as const;
  expect(firstModel([gone, at("llama.cpp", []), at("lmstudio", ["text-embedding-x", "qwen:8b", "b"])])).toBe(
    "lmstudio:qwen:8b",
  );
  expect(firstModel([gone, at("vllm", [])])).toBe(null);
});

test("every provider has a name of its own", () => {
  const names = catalogue.flatMap(({ name, short }) => (short === undefined ? [name] : [name, short]));
  expect(new Set(names).size).toBe(names.length);
});
