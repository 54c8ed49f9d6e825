import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { lintFlow } from "../../src/core/index.ts";
import { completeSlash, readModelLine, runModelLine, whyNotLaunched } from "../../src/slash/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { accepted, connected, everything, secret, sentry, tool } from "./connected.ts";
import { TestPlace } from "./place.ts";

beforeEach(() => vi.stubEnv("ASSENT_RUN", undefined));
afterEach(() => void vi.unstubAllEnvs());

const answering = { ...everything, accepted: accepted({ tools: [tool("echo"), tool("add")] }) };

async function placeWith(configured = [sentry, answering]): Promise<TestPlace> {
  return new TestPlace({ around: { integrations: await connected(configured) } });
}

async function textOf(place: TestPlace, line: string): Promise<string> {
  const result = await place.type(line);
  return result.type === "told" ? result.text : result.type === "wrong" ? `wrong: ${result.problem}` : result.type;
}

describe("/integrations lists", () => {
  verifies("INTG-2a", "what is set up, then what can be, in columns", async () => {
    const place = await placeWith();
    const listed = await textOf(place, "/integrations");
    expect(listed.split("\n")).toEqual([
      "everything  not verified  mcp, 2 tools",
      "sentry      passed        6 tools",
      expect.stringMatching(/^datadog {5}not set up {4}Datadog: .+ \(also dd\)$/),
      expect.stringMatching(/^github {6}not set up {4}GitHub: /),
      expect.stringMatching(/^mcp {9}any number {4}MCP server: /),
    ]);
    expect(await textOf(place, "/integrations list")).toBe(listed);
  });

  test("one object a line with --json, in a form that stays", async () => {
    const place = await placeWith();
    const lines = (await textOf(place, "/integrations list --json")).split("\n").map((line) => JSON.parse(line));
    expect(lines.map(({ name, set_up }) => [name, set_up])).toEqual([
      ["everything", true],
      ["sentry", true],
      ["datadog", false],
      ["github", false],
      ["mcp", false],
    ]);
    expect(lines[1]).toEqual({
      ...{ name: "sentry", service: "sentry", title: "Sentry", set_up: true, since: "2026-01-31T12:00:00.000Z" },
      ...{ status: "passed", detail: "sentry.example answered 200", checked: "2026-01-31T12:00:00.000Z" },
      ...{ tools_by: "http", connected: false, tools: 6 },
    });
    expect(lines[0]).toMatchObject({ status: null, detail: null, tools_by: "mcp", connected: true, tools: 2 });
  });

  test("why one failed, and what is not used", async () => {
    const failed = { ...sentry, checked: { status: "failed", detail: "401: not accepted", at: "" } } as const;
    const off = { ...everything, accepted: accepted({ connected: false, tools: [tool("echo")] }) };
    const listed = await textOf(await placeWith([failed, off]), "/integrations");
    expect(listed.split("\n").slice(0, 2)).toEqual([
      "everything  not verified  mcp, disconnected",
      "sentry      failed        6 tools; 401: not accepted",
    ]);
  });
});

describe("/integrations show", () => {
  verifies("INTG-2a", "tells what was set up, and of a secret only that it is there", async () => {
    const place = await placeWith();
    expect((await textOf(place, "/integrations show Sentry")).split("\n")).toEqual([
      "Sentry: Projects, issues and the events behind them (also sentry-io)",
      "  state         set up 2026-01-31T12:00:00.000Z; passed 2026-01-31T12:00:00.000Z: sentry.example answered 200",
      "  organization  acme",
      "  url           https://sentry.example",
      "  token         kept, and shown nowhere",
      "  tools         projects, issues, issue, events, event, releases",
    ]);
  });

  test("has the same with --json, without a secret and without its length", async () => {
    const place = await placeWith();
    const shown = JSON.parse(await textOf(place, "/integrations show sentry --json"));
    expect(shown).toMatchObject({
      fields: { organization: "acme", url: "https://sentry.example" },
      secrets: ["token"],
      aliases: ["sentry-io"],
      asked: [
        { key: "token", secret: true, optional: false },
        { key: "organization", secret: false, optional: false },
        { key: "url", secret: false, optional: false },
      ],
      tool_names: ["projects", "issues", "issue", "events", "event", "releases"],
    });
    const all = await Promise.all(
      ["list", "list --json", "show sentry", "show sentry --json"].map((part) =>
        textOf(place, `/integrations ${part}`),
      ),
    );
    expect(all.join("\n")).not.toContain(secret);
    expect(all.join("\n")).not.toMatch(new RegExp(`\\b${secret.length}\\b`));
  });

  test("tells what a service needs that is not set up", async () => {
    const shown = await textOf(await placeWith(), "/integrations show dd");
    expect(shown).toContain("state            not set up; /integrations setup datadog begins");
    expect(shown).toMatch(/api_key {10}a secret; .*API Keys/);
    expect(shown).toMatch(/site {13}usually api\.datadoghq\.com; /);
  });

  test("says of what can be there several times what it is", async () => {
    const shown = await textOf(await placeWith(), "/integrations show mcp");
    expect(shown).toContain("state    any number can be set up; /integrations setup mcp begins\n");
  });

  test("leaves out what the variables of a command are set to, and options that look like a key", async () => {
    const address = `API_KEY=sk-live-1234 B='x y'z T={token} npx -y a@1 --api-key s3cr3t --auth-token="a b" --port 80 c`;
    const place = await placeWith([{ ...everything, fields: { address } }]);
    const shown = "API_KEY=… B=… T={token} npx -y a@1 --api-key … --auth-token=… --port 80 c";
    expect(await textOf(place, "/integrations show everything")).toContain(`address  ${shown}\n`);
    expect(await textOf(place, "/mcp")).toContain(shown);
    expect(JSON.parse(await textOf(place, "/mcp --json")).address).toBe(shown);
  });

  test("leaves a key out of an address", async () => {
    const keyed = { ...everything, fields: { address: "https://ada:pass@mcp.example/sse?api_key=abc" } };
    const place = await placeWith([keyed]);
    expect(await textOf(place, "/integrations show everything")).toContain("address  https://mcp.example/sse?…\n");
    expect(await textOf(place, "/mcp")).toContain("https://mcp.example/sse?…");
  });

  test.each([
    ["/integrations show sentri", 'no service is named "sentri"; did you mean sentry?'],
    ["/integrations show", "show: expected a service, found none"],
    ["/integrations show a b", 'show: expected a service, found "a b"'],
    ["/integrations lst", 'expected list, show, verify, setup, remove, found "lst"; did you mean list?'],
    ["/integrations list x", 'list: expected no argument, found "x"'],
    ["/integrations show --jsn", 'show: unknown option "--jsn"; did you mean --json?'],
    ["/integrations setup sentry --json", "setup: it lists nothing, and takes no --json"],
    ["/integrations setup nothing-like-it", 'no service is named "nothing-like-it"'],
    ["/integrations remove github", "github is not set up"],
    ["/integrations remove sentr", 'nothing is set up under the name "sentr"; did you mean sentry?'],
    ["/integrations verify sentr", 'no service is named "sentr"; did you mean sentry?'],
  ])("%s is told with what was expected", async (line, problem) => {
    expect(await (await placeWith()).type(line)).toEqual({ type: "wrong", problem });
  });
});

describe("/integrations verify", () => {
  test("says missing of what is not set up, and nothing where nothing is", async () => {
    const none = await placeWith([]);
    expect(await textOf(none, "/integrations verify")).toBe("nothing is set up; /integrations lists what can be");
    expect(await textOf(none, "/integrations verify gh")).toMatch(/^github {2}missing {2}github is not set up; /);
    const line = JSON.parse(await textOf(none, "/integrations verify github --json"));
    expect(line).toEqual({
      ...{ name: "github", status: "missing", checked: expect.any(String) },
      detail: "github is not set up; /integrations setup github does that",
    });
  });

  verifies("INTG-2a", "tries everything that is set up", async () => {
    const refused = { ...sentry, fields: { organization: "acme", url: "http://127.0.0.1:1" } };
    const lines = (await textOf(await placeWith([everything, refused]), "/integrations verify")).split("\n");
    expect(lines).toEqual([
      expect.stringMatching(/^everything {2}failed {2}.*it did not start/),
      expect.stringMatching(/^sentry {6}failed {2}/),
    ]);
    expect(lines.join("\n")).not.toContain(secret);
  });
});

describe("/integrations setup", () => {
  verifies(["INTG-2a", "FLOW-5c"], "asks for what the service needs, and has its tool save it", async () => {
    const place = await placeWith([]);
    expect(await textOf(place, "/integrations setup sentry-io")).toBe("setting up Sentry; cancel leaves all as it is");
    expect(place.session.exchange?.prompt).toBe("/integrations setup sentry-io");
    const entered = (await place.events()).find((event) => event.type === "command.entered");
    expect(entered).toMatchObject({
      tool: "integration_setup",
      arguments: JSON.stringify({ service: "sentry", known: {} }),
      asks: { type: "flow", runs: true },
    });
    await place.work();
    expect(place.session.interactions[0]?.request).toMatchObject({
      question: "What is its auth token?",
      sensitive: true,
    });
  });

  test("of what has a name of its own keeps that name", async () => {
    const place = await placeWith();
    await place.type("/integrations setup everything");
    const entered = (await place.events()).find((event) => event.type === "command.entered");
    expect(entered).toMatchObject({ arguments: JSON.stringify({ service: "mcp", known: { name: "everything" } }) });
  });
});

describe("/integrations remove", () => {
  verifies("INTG-2a", "asks a person", async () => {
    const place = await placeWith();
    expect(await textOf(place, "/integrations remove sentry")).toBe("sentry stays unless you say so");
    const entered = (await place.events()).find((event) => event.type === "command.entered");
    expect(entered).toMatchObject({ tool: "integration_remove", arguments: '{"name":"sentry"}' });
    const flow = entered !== undefined && "asks" in entered && entered.asks.type === "flow" ? entered.asks.flow : null;
    expect(flow === null ? null : lintFlow(flow)).toEqual([]);
    await place.work();
    expect(place.session.interactions[0]?.request).toMatchObject({
      question: "Remove sentry and its secrets?",
      options: [{ label: "Remove" }, { label: "Keep" }],
    });
    expect(place.place.around.integrations.find("sentry")).not.toBeNull();
  });

  test("of a model is done once it is approved", async () => {
    const { place } = await placeWith();
    expect(await runModelLine("/integrations remove sentry", place)).toEqual({
      type: "output",
      text: "sentry is removed, with its secrets",
    });
    expect(place.around.integrations.find("sentry")).toBeNull();
  });
});

test.each(["setup sentry", "remove sentry"])("inside a run, /integrations %s changes nothing", async (part) => {
  const place = await placeWith();
  vi.stubEnv("ASSENT_RUN", "s1/c1");
  expect(await place.type(`/integrations ${part}`)).toEqual({
    type: "wrong",
    problem: "a command that an agent runs cannot change what is connected",
  });
  expect(place.session.exchange).toBeNull();
});

test.each([
  ["/integrations", { tier: "safe" }],
  ["/integrations list --json", { tier: "safe" }],
  ["/integrations show sentry", { tier: "safe" }],
  ["/integrations verify", { tier: "elevated" }],
  ["/integrations verify sentry", { tier: "elevated" }],
  ["/integrations remove sentry", { tier: "elevated" }],
  [
    "/integrations setup sentry",
    { refused: "/integrations: setting up is a person's; run_interactive begins it for them" },
  ],
])("for a model, %s", (line, asked) => {
  expect(readModelLine(line)).toEqual(asked);
});

test.each([
  ["/integrations ", ["list", "remove", "setup", "show", "verify"]],
  ["/integrations s", ["setup", "show"]],
  ["/integrations show s", ["sentry"]],
  ["/integrations setup ", ["datadog", "github", "mcp", "sentry"]],
  ["/integrations verify ", ["everything", "sentry"]],
  ["/integrations remove e", ["everything"]],
  ["/integrations verify sentry -", ["--json"]],
  ["/integrations list ", ["--json"]],
  ["/integrations setup sentry ", []],
])("%j is completed", async (line, choices) => {
  const { place } = await placeWith();
  expect((await completeSlash(line, line.length, place)).choices).toEqual(choices);
});

test("a set-up that a model would begin is told where there is no such service", async () => {
  const { integrations } = (await placeWith([])).place.around;
  const fault = (line: string) => whyNotLaunched(line, integrations);
  expect(fault("/integrations setup gh")).toBeNull();
  expect(fault("/mcp connect anything")).toBeNull();
  expect(fault("/integrations setup nothing")).toBe(
    'no service is named "nothing"; there are datadog, github, mcp, sentry. An MCP server: /mcp connect <name>',
  );
});
