import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { printCompletions } from "../../src/cli/complete.ts";
import { UsageError } from "../../src/cli/flags.ts";
import { integrations } from "../../src/cli/integrations.ts";
import { writePrivate } from "../../src/runtime/index.ts";
import { encodeIntegration } from "../../src/wire/index.ts";
import { secret, sentry } from "../slash/connected.ts";

let home = "";
let [out, err] = ["", ""];

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "assent-integrations-"));
  vi.stubEnv("ASSENT_HOME", home);
  vi.stubEnv("ASSENT_RUN", undefined);
  [out, err] = ["", ""];
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    err += text;
    return true;
  });
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

/** Saved as a set-up saves it. */
function saved(url = "https://sentry.example"): void {
  const fields = { organization: "acme", url };
  writePrivate(join(home, "integrations", "sentry.json"), encodeIntegration({ ...sentry, fields, checked: null }));
  writePrivate(join(home, "integrations", "secrets", "sentry.token"), secret);
}

async function problemOf(...argv: string[]): Promise<string> {
  try {
    return String(await integrations(argv));
  } catch (error) {
    if (error instanceof UsageError) return error.message;
    throw error;
  }
}

test("lists what is set up and what can be, with and without the word for it", async () => {
  saved();
  expect(await integrations([])).toBe(0);
  const listed = out;
  expect(listed.split("\n").slice(0, 2)).toEqual([
    "sentry   not verified  6 tools",
    expect.stringMatching(/^datadog {2}not set up {4}Datadog: /),
  ]);
  out = "";
  expect(await integrations(["list"])).toBe(0);
  expect(out).toBe(listed);
  out = "";
  await integrations(["--json"]);
  expect(JSON.parse(out.split("\n")[0] ?? "")).toMatchObject({ name: "sentry", status: null, tools: 6 });
  expect(err).toBe("");
});

test("a file that cannot be read is told, and the rest is listed", async () => {
  saved();
  writeFileSync(join(home, "integrations", "broken.json"), "{");
  expect(await integrations(["list"])).toBe(1);
  expect(out).toMatch(/^sentry /);
  expect(err).toMatch(/^assent: cannot be read: .*broken\.json: /);
});

test("the example of the guide is a service that can be set up", async () => {
  const guide = readFileSync(join(import.meta.dirname, "../../../../docs/guide/integrations.md"), "utf8");
  const [, example = ""] = /```json\n([\s\S]*?)```/.exec(guide) ?? [];
  writePrivate(join(home, "catalogue", "tickets.json"), example);
  expect(await integrations(["list"])).toBe(0);
  expect([out.split("\n").at(-2), err]).toEqual([
    "tickets  not set up  Our tickets: Tickets and their comments (also tt)",
    "",
  ]);
});

test("shows one, and of its secret only that it is there", async () => {
  saved();
  expect(await integrations(["show", "sentry"])).toBe(0);
  expect(await integrations(["show", "sentry", "--json"])).toBe(0);
  expect(out).toContain("token         kept, and shown nowhere");
  expect(out).not.toContain(secret);
});

test.each([
  [["show", "sentri"], 'no service is named "sentri"; did you mean sentry?'],
  [["verify", "sentri"], 'no service is named "sentri"; did you mean sentry?'],
  [["setup", "sentri"], 'no service is named "sentri"; did you mean sentry?'],
  [["remove", "github"], 'nothing is set up under the name "github"'],
  [["show"], "expected <service>, found none"],
  [["shw"], 'integrations: expected list, show, verify, setup, remove, found "shw"; did you mean show?'],
])("%j is wrong", async (argv, problem) => {
  expect(await problemOf(...argv)).toBe(problem);
});

test("verifies: 0 when all passed, 1 when one did not", async () => {
  let status = 200;
  const server = createServer((request, response) => {
    response.statusCode = request.headers.authorization === `Bearer ${secret}` ? status : 401;
    response.end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const address = server.address();
  saved(`http://127.0.0.1:${typeof address === "object" ? address?.port : 0}`);
  expect(await integrations(["verify"])).toBe(0);
  expect(out).toMatch(/^sentry {2}passed {2}.+\n$/);
  out = "";
  status = 401;
  expect(await integrations(["verify", "sentry", "--json"])).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ name: "sentry", status: "failed", detail: expect.stringContaining("401") });
  expect(await integrations(["verify", "github"])).toBe(1);
  expect(out + err).not.toContain(secret);
});

test("with nothing set up there is nothing to verify", async () => {
  expect(await integrations(["verify"])).toBe(0);
  expect([out, err]).toEqual(["", "assent: nothing is set up\n"]);
});

test("removes one with its secrets", async () => {
  saved();
  expect(await integrations(["remove", "sentry"])).toBe(0);
  expect(err).toBe("assent: sentry is removed, with its secrets\n");
  expect(existsSync(join(home, "integrations", "sentry.json"))).toBe(false);
  expect(readdirSync(join(home, "integrations", "secrets"))).toEqual([]);
});

test("begins a set-up in a session of its own, which waits where it is told to", async () => {
  expect(await integrations(["setup", "sentry", "--unattended", "park"])).toBe(4);
  expect(JSON.parse(out)).toMatchObject({ question: "What is its auth token?", sensitive: true });
});

test.each([[["setup", "sentry"]], [["remove", "sentry"]]])("%j is not for what an agent runs", async (argv) => {
  saved();
  vi.stubEnv("ASSENT_RUN", "s1/c1");
  expect(await integrations(argv)).toBe(3);
  expect(err).toBe("assent: a command that an agent runs cannot change what is connected\n");
  expect(existsSync(join(home, "integrations", "sentry.json"))).toBe(true);
});

test.each([
  [
    ["integrations", "s"],
    ["show", "setup"],
  ],
  [
    ["integrations", "setup", ""],
    ["datadog", "github", "mcp", "sentry"],
  ],
  [["integrations", "remove", ""], ["sentry"]],
  [["integrations", "verify", "--j"], ["--json"]],
])("%j is completed", async (argv, words) => {
  saved();
  await printCompletions(argv);
  expect(
    out
      .trim()
      .split("\n")
      .map((line) => line.split("\t")[0]),
  ).toEqual(words);
});
