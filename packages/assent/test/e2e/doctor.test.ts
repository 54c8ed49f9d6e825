import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import http from "node:http";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { jsonLines, Place, type Ran } from "./product.ts";

/** Nothing of the machine that runs the tests: no key, no model, and no server at any of the usual places. */
const bare: NodeJS.ProcessEnv = {
  ...{ ASSENT_MODEL: "", OPENAI_API_KEY: "", ANTHROPIC_API_KEY: "", GEMINI_API_KEY: "", GOOGLE_API_KEY: "" },
  ...{ OPENAI_BASE_URL: "", ANTHROPIC_BASE_URL: "", GEMINI_BASE_URL: "", OLLAMA_HOST: "127.0.0.1:1" },
  ...{ LLAMA_CPP_BASE_URL: "http://127.0.0.1:1/v1", LMSTUDIO_BASE_URL: "http://127.0.0.1:1/v1" },
  ...{ VLLM_BASE_URL: "http://127.0.0.1:1/v1", ASSENT_MODEL_DISCOVERY_MS: "30000" },
};

function place(env: NodeJS.ProcessEnv = {}): Place {
  return new Place([{ text: "Hello." }], { ...bare, ...env });
}

type Found = { readonly status: string; readonly what: string; readonly why: string };

/** What it says of one thing. */
function saidOf(what: string, { stdout }: { readonly stdout: string }): Found | undefined {
  return jsonLines<Found>(stdout).find((found) => found.what === what);
}

async function serve(handler: http.RequestListener): Promise<string> {
  const server = http.createServer(handler);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
}

/** Runs it while this process can serve. */
async function run(at: Place, argv: readonly string[]): Promise<Ran> {
  const running = at.start(argv);
  running.endInput();
  const status = await running.ended;
  return { status, stdout: running.output, stderr: running.errors };
}

function models(...ids: readonly string[]): http.RequestListener {
  return (_, response) => response.end(JSON.stringify({ data: ids.map((id) => ({ id })) }));
}

describe("what is there is told, a line each:", () => {
  test("with nothing there it says what to do, and fails", () => {
    const { status, stdout, stderr } = place().assent(["doctor"]);
    expect({ status, stderr }).toEqual({ status: 1, stderr: "" });
    const lines = stdout.trimEnd().split("\n");
    expect(lines.filter((line) => !/^(?:ok|--|!!) {2}\S/.test(line))).toEqual([]);
    expect(stdout).toMatch(/^ok {2}Node +\d+\./);
    expect(stdout).toMatch(/^-- {2}home +\S+ is not there yet; the first session makes it$/m);
    expect(stdout).toMatch(/^-- {2}OPENAI_API_KEY +not set$/m);
    expect(stdout).toMatch(/^-- {2}ollama +http:\/\/127\.0\.0\.1:1\/v1: refused: nothing listens there$/m);
    expect(lines.at(-1)).toMatch(/^!! {2}model +no model is set: name one with --model or ASSENT_MODEL, .*assent demo/);
  });

  test("it makes nothing where nothing is", () => {
    const at = place();
    at.assent(["doctor"]);
    expect(at.assent(["doctor", "--json"]).stdout).toContain('"what":"home","why":"');
    expect(saidOf("home", at.assent(["doctor", "--json"]))?.status).toBe("absent");
  });

  test("a home that others can read, and a journal that is none, are problems", () => {
    const at = place();
    mkdirSync(at.home);
    chmodSync(at.home, 0o755);
    writeFileSync(join(at.home, "journal.db"), "not a journal, whatever its name says".repeat(200));
    const said = at.assent(["doctor", "--json"]);
    expect(saidOf("home", said)).toEqual({
      status: "problem",
      what: "home",
      why: `${at.home} is open to others (755): chmod 700 it`,
    });
    expect(saidOf("journal", said)?.status).toBe("problem");
  });

  test("a home that cannot be made is a problem", () => {
    const at = place();
    writeFileSync(at.home, "");
    const ASSENT_HOME = join(at.home, "deep", "er");
    expect(saidOf("home", at.assent(["doctor", "--json"], "", ["env", `ASSENT_HOME=${ASSENT_HOME}`]))).toEqual({
      status: "problem",
      what: "home",
      why: `${ASSENT_HOME} cannot be made: ${at.home} is not a folder`,
    });
  });

  test("sessions are counted", () => {
    const at = place();
    expect(at.assent(["run", "--model", `scripted:${at.script}`, "hi"]).status).toBe(0);
    const said = at.assent(["doctor", "--json"]);
    expect(saidOf("home", said)).toEqual({ status: "ok", what: "home", why: `${at.home} is yours alone (700)` });
    expect(saidOf("journal", said)).toEqual({ status: "ok", what: "journal", why: "sessions: 1" });
  });

  test("a key is there and has a length, and is never shown", () => {
    const { status, stdout } = place({ OPENAI_API_KEY: "sk-never-shown-1" }).assent(["doctor", "--json"]);
    expect(status).toBe(0);
    expect(stdout).not.toContain("never");
    expect(saidOf("OPENAI_API_KEY", { stdout })?.why).toBe("set, 16 characters");
    expect(saidOf("GEMINI_API_KEY", place({ GEMINI_API_KEY: "k" }).assent(["doctor", "--json"]))?.why).toBe(
      "set, 1 character",
    );
    expect(saidOf("model", { stdout })).toEqual({
      status: "ok",
      what: "model",
      why: "openai-responses:gpt-5 (OPENAI_API_KEY is set), at https://api.openai.com/v1, window 400000 tokens",
    });
  });

  test("a key that no header can hold is a problem, and is not shown either", () => {
    const { stdout } = place({ OPENAI_API_KEY: "sk-never\nshown" }).assent(["doctor", "--json"]);
    expect(stdout).not.toContain("never");
    expect(saidOf("OPENAI_API_KEY", { stdout })).toEqual({
      status: "problem",
      what: "OPENAI_API_KEY",
      why: "set, 14 characters: expected letters, digits and signs of ASCII alone, found something else",
    });
  });

  test("a shell that is not there is a problem of the variable that names it", () => {
    expect(saidOf("shell", place({ ASSENT_SHELL: "nosuch" }).assent(["doctor", "--json"]))).toEqual({
      status: "problem",
      what: "shell",
      why: "nosuch, which ASSENT_SHELL names, was not found on PATH: commands cannot be run",
    });
  });

  test.each([
    ["ASSENT_MODEL_DISCOVERY_MS", "1.5", 2_147_483_647],
    ["ASSENT_MODEL_RETRIES", "11", 10],
  ])("%s=%s is an error, also where the model is named", (variable, value, most) => {
    const { status, stderr } = place({ [variable]: value }).assent(["run", "--model", "ollama:m", "hi"]);
    const expected = `a whole number from 0 to ${most}`;
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining(`${variable}: expected ${expected}, found "${value}"`),
    });
  });

  test.each([
    ["http://127.0.0.1:99999/v1", "a port from 0 to 65535"],
    ["http://", "a host behind http://"],
  ])("with the address %s a model is a usage error that says what is wrong with it", (OPENAI_BASE_URL, expected) => {
    const { status, stderr } = place({ OPENAI_BASE_URL }).assent(["run", "--model", "openai-chat:m", "hi"]);
    expect(status).toBe(2);
    expect(stderr).toMatch(`assent: OPENAI_BASE_URL: expected ${expected}, found "${OPENAI_BASE_URL}"`);
    expect(stderr).not.toMatch(/^\s+at /m);
  });

  test.each([
    [{ ANTHROPIC_API_KEY: "k", GEMINI_API_KEY: "k" }, /^anthropic:claude-\S+ \(ANTHROPIC_API_KEY is set\)/],
    [{ GOOGLE_API_KEY: "k" }, /^google:gemini-\S+ \(GOOGLE_API_KEY is set\)/],
    [
      { OPENAI_API_KEY: "k", OPENAI_BASE_URL: "https://router.example/v1" },
      /^no model is set, and OPENAI_BASE_URL names router\.example, whose models .* --model openai-chat:<model>/,
    ],
    [
      { ASSENT_MODEL: "vllm:org/m" },
      /^vllm:org\/m \(ASSENT_MODEL\), at http:\/\/127\.0\.0\.1:1\/v1, window not known; refused: /,
    ],
  ])("with %j the model is told, or why there is none", (env, why) => {
    expect(saidOf("model", place(env).assent(["doctor", "--json"]))?.why).toMatch(why);
  });

  test("a wrong place and a wrong number are problems", () => {
    const env = { OPENAI_BASE_URL: "api.openai.com", ASSENT_MODEL_RETRIES: "-1", ASSENT_MODEL_DISCOVERY_MS: "soon" };
    const { stdout } = place(env).assent(["doctor", "--json"]);
    const problems = jsonLines<Found>(stdout).filter(({ status }) => status === "problem");
    expect(problems.slice(0, 3)).toEqual([
      {
        status: "problem",
        what: "OPENAI_BASE_URL",
        why: 'OPENAI_BASE_URL: expected a URL that begins with http:// or https://, found "api.openai.com"',
      },
      {
        status: "problem",
        what: "servers",
        why: 'ASSENT_MODEL_DISCOVERY_MS: expected a whole number from 0 to 2147483647, found "soon"',
      },
      {
        status: "problem",
        what: "settings",
        why: 'ASSENT_MODEL_RETRIES: expected a whole number from 0 to 10, found "-1"',
      },
    ]);
  });
});

describe("a server on this machine:", () => {
  test("is told with its models, and the first of them would be used", async () => {
    const at = place({ OLLAMA_HOST: await serve(models("nomic-embed-text", "qwen3:8b", "b", "c")) });
    const said = await run(at, ["doctor", "--json"]);
    const url = `${at.env["OLLAMA_HOST"]}/v1`;
    expect(said.status).toBe(0);
    expect(saidOf("ollama", said)?.why).toBe(`${url}: 4 models: nomic-embed-text, qwen3:8b, b, …`);
    expect(saidOf("model", said)?.why).toBe(`ollama:qwen3:8b (found at ${url}), at ${url}, window not known`);
  });

  test.each([
    ["vllm:nope", "VLLM_BASE_URL", "/v1"],
    ["openai-chat:nope", "OPENAI_BASE_URL", "/v1"],
    ["anthropic:nope", "ANTHROPIC_BASE_URL", ""],
  ])("that does not list the model makes it a problem: %s", async (name, variable, path) => {
    const at = place({ [variable]: `${await serve(models("none", "b", "c", "d"))}${path}` });
    const said = await run(at, ["doctor", "--json", "--model", name]);
    expect(said.status).toBe(1);
    expect(saidOf("model", said)).toMatchObject({
      status: "problem",
      why: expect.stringMatching(
        /; nope is not among what the server lists \(4 models: none, b, c, …\); did you mean none\?$/,
      ),
    });
  });

  test.each([
    ["ollama:qwen3", "OLLAMA_HOST", "qwen3:latest"],
    ["llama.cpp:anything", "LLAMA_CPP_BASE_URL", "/models/real.gguf"],
  ])("that answers to %s as another name is none", async (name, variable, id) => {
    const at = place({ [variable]: `${await serve(models(id))}/v1` });
    expect(saidOf("model", await run(at, ["doctor", "--json", "--model", name]))?.status).toBe("ok");
  });

  test.each([
    ["OPENAI_BASE_URL", "openai-chat", "/v1", {}],
    ["OPENAI_BASE_URL", "openai-chat", "/v1", { OPENAI_API_KEY: "k" }],
    ["ANTHROPIC_BASE_URL", "anthropic", "", {}],
    ["GEMINI_BASE_URL", "google", "/v1", { GEMINI_API_KEY: "k" }],
  ])(
    "that %s names is asked where nobody has named a model, and how one is named is told: %s",
    async (variable, name, path, keys) => {
      const server = await serve((request, response) => {
        if (request.url === "/v1/models") models("embed-1", "a", "b", "c")(request, response);
        else response.writeHead(404).end();
      });
      const at = place({ ...keys, [variable]: `${server}${path}` });
      const said = await run(at, ["doctor", "--json"]);
      const has = "4 models: embed-1, a, b, …";
      expect(said.status).toBe(1);
      expect(saidOf(variable, said)).toEqual({
        ...{ status: "ok", what: variable },
        why: `${server}/v1: ${has}; --model ${name}:a names one`,
      });
      expect(saidOf("model", said)?.why).toBe(
        `no model is set, and ${variable} names ${new URL(server).host}, which has ${has}; name one with --model ${name}:a or ASSENT_MODEL`,
      );
      expect((await run(at, ["doctor", "--json", "--model", `${name}:a`])).status).toBe(0);
    },
  );

  test("that a variable names is told as missing where it is not there, and where its path is not that of an API", async () => {
    const OPENAI_BASE_URL = await serve((_, response) => response.writeHead(404).end());
    expect(saidOf("OPENAI_BASE_URL", await run(place({ OPENAI_BASE_URL }), ["doctor", "--json"]))).toEqual({
      ...{ status: "absent", what: "OPENAI_BASE_URL" },
      why: `${OPENAI_BASE_URL}: not a model server: status 404; the base URL usually ends with /v1`,
    });
    const gone = place({ OPENAI_BASE_URL: "http://127.0.0.1:1/v1" }).assent(["doctor", "--json"]);
    expect(saidOf("OPENAI_BASE_URL", gone)?.why).toBe("http://127.0.0.1:1/v1: refused: nothing listens there");
    expect(saidOf("model", gone)?.why).toContain("OPENAI_BASE_URL names none (--model openai-chat:<model> goes there)");
  });

  test("that is asked once is not asked again where its model is used", async () => {
    let asked = 0;
    const server = await serve((request, response) => {
      asked += 1;
      models("m")(request, response);
    });
    const said = await run(place({ OPENAI_BASE_URL: `${server}/v1` }), [
      "doctor",
      "--json",
      "--model",
      "openai-chat:m",
    ]);
    expect({ status: said.status, asked }).toEqual({ status: 0, asked: 1 });
  });

  test("that is something else is told as that", async () => {
    const at = place({ OLLAMA_HOST: await serve((_, response) => response.end("<html>")) });
    const said = await run(at, ["doctor", "--json"]);
    expect(said.status).toBe(1);
    expect(saidOf("ollama", said)?.why).toMatch(/: not a model server: it answered with something else than JSON$/);
  });

  test("that is silent keeps nobody", async () => {
    const OLLAMA_HOST = await serve(() => {});
    const said = await run(place({ OLLAMA_HOST, ASSENT_MODEL_DISCOVERY_MS: "40" }), ["doctor", "--json"]);
    expect(saidOf("ollama", said)?.why).toMatch(
      /: time-out: no answer within 40 ms; ASSENT_MODEL_DISCOVERY_MS gives it more time$/,
    );
  });

  const slow: http.RequestListener = (request, response) => setTimeout(() => models("m")(request, response), 400);

  test("that is slow can be used where it is named", async () => {
    const at = place({ OLLAMA_HOST: await serve(slow), ASSENT_MODEL_DISCOVERY_MS: "50" });
    const said = await run(at, ["doctor", "--json", "--model", "ollama:m"]);
    expect(said.status).toBe(0);
    expect(saidOf("model", said)).toMatchObject({ status: "ok" });
    expect(saidOf("ollama", said)?.status).toBe("absent");
  });

  test("that is slow is told of where a model is looked for in vain", async () => {
    const at = place({ OLLAMA_HOST: await serve(slow), ASSENT_MODEL_DISCOVERY_MS: "50" });
    const { status, stderr } = await run(at, ["run", "hi"]);
    expect(status).toBe(2);
    expect(stderr).toMatch(/; ollama did not answer within 50 ms: ASSENT_MODEL_DISCOVERY_MS gives it more time; /);
    const never = await run(place({ ...at.env, ASSENT_MODEL_DISCOVERY_MS: "0" }), ["run", "hi"]);
    expect(never.stderr).not.toContain("did not answer");
  });
});

describe("policy.json", () => {
  const rule = {
    ...{ name: "pushes", command: ["git", "push"], verdict: "deny", reason: "no" },
    examples: { match: ["git push origin"], differ: ["git pull"] },
  };

  /** What is said of the rules in the home and in the folder. */
  function said(own: object | null, project: object | null): readonly Omit<Found, "what">[] {
    const at = place();
    const files = { [join(at.home, "policy.json")]: own, [at.file(".assent/policy.json")]: project };
    for (const [path, content] of Object.entries(files)) {
      if (content === null) continue;
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, JSON.stringify(content));
    }
    const found = jsonLines<Found>(at.assent(["doctor", "--json"]).stdout).filter(({ what }) => what === "policy.json");
    return found.map(({ status, why }) => ({ status, why: why.replaceAll(at.home, "~").replaceAll(at.folder, ".") }));
  }

  test("is counted where it is right, and not missed where it is not there", () => {
    expect(said(null, null)).toEqual([
      { status: "absent", why: "neither ~/policy.json nor ./.assent/policy.json is there" },
    ]);
    expect(said({ rules: [rule] }, { rules: [] })).toEqual([
      { status: "ok", why: "~/policy.json: 1 rule" },
      { status: "ok", why: "./.assent/policy.json: 0 rules" },
    ]);
  });

  test("that is broken is a problem, with the file, the key, what was expected and found", () => {
    expect(said([rule], null)).toEqual([
      {
        status: "problem",
        why: "~/policy.json: value: expected Object, found Array; until it is mended everything asks",
      },
    ]);
    const wrong = { rules: [{ ...rule, verdict: "allow" }] };
    const examples = { match: ["git pull"], differ: ["git fetch"] };
    expect(said(wrong, { rules: [{ ...rule, examples }] })).toEqual([
      {
        status: "problem",
        why: expect.stringMatching(
          /^~\/policy\.json: rules\.0\.verdict: expected .*"ask".*found "allow"; until .* everything asks$/,
        ),
      },
      {
        status: "problem",
        why: './.assent/policy.json: the rule "pushes" does not match "git pull", against its examples; until it is mended everything asks',
      },
    ]);
  });
});

describe("models.json", () => {
  function withFile(content: string, env: NodeJS.ProcessEnv = {}): Place {
    const at = place({ OPENAI_API_KEY: "k", ...env });
    mkdirSync(at.home, { mode: 0o700 });
    writeFileSync(join(at.home, "models.json"), content);
    return at;
  }
  const written = { "openai:gpt-x": { context: 5_000, max_output: 700, prices: { input: 1, output: 2 } } };

  test("says what is known of a model, by either name of its provider", () => {
    const said = withFile(JSON.stringify(written)).assent(["doctor", "--json", "--model", "openai-responses:gpt-x"]);
    expect(saidOf("models.json", said)?.why).toBe("models: 1");
    expect(saidOf("model", said)?.why).toMatch(/window 5000 tokens, replies of at most 700 tokens, prices known$/);
  });

  test("is overridden by the environment", () => {
    const env = { ASSENT_MODEL_CONTEXT: "6000", ASSENT_MODEL_MAX_OUTPUT: "800" };
    const said = withFile(JSON.stringify(written), env).assent(["doctor", "--json", "--model", "openai:gpt-x"]);
    expect(saidOf("model", said)?.why).toMatch(/window 6000 tokens, replies of at most 800 tokens, prices known$/);
  });

  test.each([
    ["{", /models\.json: expected JSON: /],
    ["[]", /models\.json: value: expected Object, found Array$/],
    ['{"openai:x":{"context":"large"}}', /models\.json: openai:x\.context: expected number, found "large"$/],
    ['{"openai:x":{"context":0}}', /models\.json: openai:x\.context: expected >=1, found 0$/],
    ['{"openai:x":{"window":1}}', /models\.json: openai:x\.window: no such field$/],
    ['{"openai:x":{"prices":{"input":1}}}', /models\.json: openai:x\.prices\.output: is missing$/],
    ['{"opnai:x":{}}', /models\.json: expected a provider of .*, found "opnai" in "opnai:x"; did you mean openai\?$/],
    ['{"openai:x":{},"openai-responses:x":{}}', /models\.json: "openai-responses:x" is there twice$/],
  ])("%s is told with the file and the key", (content, why) => {
    const at = withFile(content);
    const said = at.assent(["doctor", "--json"]);
    expect(said.status).toBe(1);
    expect(saidOf("models.json", said)?.why).toMatch(why);
    expect(at.assent(["run", "--model", "openai:x", "hi"]).stderr.trimEnd()).toMatch(why);
  });
});

describe("a model that cannot be used is told before anything is recorded:", () => {
  test.each<[argv: readonly string[], env: NodeJS.ProcessEnv, told: RegExp]>([
    [[], {}, /^assent: no model is set: .* looked for a key in OPENAI_API_KEY, .* and for models of ollama, /],
    [
      ["--model", "openai:gpt-5"],
      {},
      /^assent: --model "openai:gpt-5": expected the key .* in OPENAI_API_KEY, found none/,
    ],
    [["--model", "google:g"], {}, /in GEMINI_API_KEY or GOOGLE_API_KEY, found none\n$/],
    [["--model", "opnai:gpt-5"], {}, /^assent: --model: expected a provider of .*; did you mean openai\?\n$/],
    [["--model", "claude-x"], {}, /, found "claude-x"; did you mean anthropic:claude-x\?\n$/],
    [["--model", "scripted:"], {}, /^assent: --model: expected <provider>:<model>, .*, found "scripted:"\n$/],
    [[], { ASSENT_MODEL: "opnai:gpt-5" }, /^assent: ASSENT_MODEL: expected a provider of /],
    [
      ["--model", "ollama:x"],
      { ASSENT_MODEL_IDLE_TIMEOUT_MS: "1s" },
      /^assent: ASSENT_MODEL_IDLE_TIMEOUT_MS: expected /,
    ],
    [["--model", "ollama:x"], { ASSENT_MODEL_MAX_OUTPUT: "1.5" }, /^assent: ASSENT_MODEL_MAX_OUTPUT: expected /],
    [["--model", "ollama:x"], { OLLAMA_HOST: "ftp://a" }, /^assent: OLLAMA_HOST: expected a URL /],
    [
      ["--model", "openai:x"],
      { OPENAI_API_KEY: "a b" },
      /^assent: OPENAI_API_KEY: expected letters, .* something else\n$/,
    ],
  ])("%j with %j", (argv, env, told) => {
    const at = place(env);
    const { status, stdout, stderr } = at.assent(["run", ...argv, "hi"]);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
    expect(stderr).toMatch(told);
    expect(at.sessions()).toEqual([]);
  });
});

describe("limits of a run:", () => {
  test.each<[argv: readonly string[], env: NodeJS.ProcessEnv, told: string]>([
    [["--max-tokens", "0"], {}, '--max-tokens: expected a positive integer, found "0"'],
    [["--max-iteration-tokens", "x"], {}, '--max-iteration-tokens: expected a positive integer, found "x"'],
    [["--max-calls", "1.5"], {}, '--max-calls: expected a positive integer, found "1.5"'],
    [["--max-time", "0"], {}, '--max-time: expected a number of seconds above 0, found "0"'],
    [["--max-cost", "-1"], {}, '--max-cost: expected a number above 0, found "-1"'],
    [[], { ASSENT_MAX_TURNS: "0" }, 'ASSENT_MAX_TURNS: expected a positive integer or "unlimited", found "0"'],
    [[], { ASSENT_MAX_ITERATIONS: "no" }, 'ASSENT_MAX_ITERATIONS: expected a positive integer, found "no"'],
    [
      ["--max-calls=3", "--continue"],
      {},
      "--max-calls is for a new session; of an earlier one only turns and iterations can be changed",
    ],
    [
      ["--max-cost=3", "--model=ollama:x"],
      {},
      "--max-cost: the prices of ollama:x are not known; models.json in ASSENT_HOME tells them",
    ],
  ])("%j with %j is told", (argv, env, told) => {
    const { status, stderr } = new Place([{ text: "Hello." }], env).assent(["run", ...argv, "hi"]);
    expect({ status, stderr }).toEqual({ status: 2, stderr: `assent: ${told}\n` });
  });

  function created(argv: readonly string[], env: NodeJS.ProcessEnv = {}): unknown {
    const { stdout } = new Place([{ text: "Hello." }], env).assent(["run", "--json", ...argv, "hi"]);
    return jsonLines<{ readonly type: string; readonly limits?: object }>(stdout)[0]?.limits;
  }

  test("flags become the session's limits", () => {
    const budget = [
      "--max-tokens=1000",
      "--max-iteration-tokens=100",
      "--max-calls=3",
      "--max-time=1.5",
      "--max-cost=0.25",
    ];
    expect(created([...budget, "--max-turns=7"])).toMatchObject({
      ...{ tokens: 1_000, iteration_tokens: 100, calls: 3, clock_ms: 1_500, cost: 0.25, turns: 7 },
    });
  });

  test("the environment says what they usually are, and flags win", () => {
    const env = { ASSENT_MAX_TURNS: "unlimited", ASSENT_MAX_ITERATIONS: "9" };
    expect(created(["--max-iterations=4"], env)).toMatchObject({ turns: "unlimited", iterations: 4 });
  });
});

test("no key reaches a command", () => {
  const command = "env | grep -c -E '^(OPENAI|ANTHROPIC|GEMINI|GOOGLE)_API_KEY=' || true";
  const env = { OPENAI_API_KEY: "a", ANTHROPIC_API_KEY: "b", GEMINI_API_KEY: "c", GOOGLE_API_KEY: "d" };
  const at = new Place([{ calls: [{ tool: "terminal", arguments: { command } }] }, { text: "Done." }], env);
  expect(at.assent(["run", "count"]).stderr).toContain("tool    0\n");
});

test("--live wants a real model", () => {
  const { status, stderr } = new Place([]).assent(["doctor", "--live"]);
  expect(status).toBe(2);
  expect(stderr).toMatch(/^assent: --live: expected a real model, found scripted:/);
});
