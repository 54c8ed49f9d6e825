/**
 * The official scenarios for MCP clients, against the one in Assent: `npm run campaign mcp-conformance [scenario]`. Those
 * of OAuth and of extensions are left out, because the client has neither. Each runs at every revision of the protocol that
 * it applies to. With `--client <url>` this is the client that a scenario starts.
 */
import { spawn } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import type { Flow, FlowStep, Json } from "../packages/assent/src/core/index.ts";
import { openMcpServers } from "../packages/assent/src/integrations/mcp/servers.ts";
import type { FormAnswer, McpServer, McpWatch, Offers } from "../packages/assent/src/integrations/types.ts";
import { systemClock } from "../packages/assent/src/runtime/index.ts";

/** The scenario → the revisions at which it is played. */
const scenarios: Readonly<Record<string, readonly string[]>> = {
  initialize: ["2025-06-18", "2025-11-25"],
  tools_call: ["2025-06-18", "2025-11-25", "2026-07-28"],
  "elicitation-sep1034-client-defaults": ["2025-11-25"],
  "sse-retry": ["2025-11-25"],
  "json-schema-2020-12-preservation": ["2025-11-25", "2026-07-28"],
  "json-schema-ref-no-deref": ["2026-07-28"],
  "request-metadata": ["2026-07-28"],
  "sep-2322-client-request-state": ["2026-07-28"],
  "http-standard-headers": ["2026-07-28"],
  "http-custom-headers": ["2026-07-28"],
  "http-invalid-tool-headers": ["2026-07-28"],
};

type Check = { readonly id: string; readonly status: string; readonly errorMessage?: string };
export type Played = {
  readonly scenario: string;
  readonly revision: string;
  readonly passed: number;
  readonly warned: readonly string[];
  readonly failed: readonly string[];
};

/** Plays one scenario at one revision, in a process of its own that starts the client in another. */
export async function playScenario(scenario: string, revision: string): Promise<Played> {
  const folder = mkdtempSync(join(tmpdir(), "assent-mcp-"));
  const client = [process.execPath, import.meta.filename, "--client"];
  const suite = createRequire(import.meta.url).resolve("@modelcontextprotocol/conformance/dist/index.js");
  const argv = [suite, "client", "--scenario", scenario, "--spec-version", revision, "-o", folder, "--command"];
  const { said, code } = await ran([...argv, client.map((word) => `"${word}"`).join(" ")]);
  const files = globSync(join(folder, "**", "checks.json"));
  const checks: readonly Check[] = files.flatMap((file) => JSON.parse(readFileSync(file, "utf8")));
  rmSync(folder, { recursive: true, force: true });
  const of = (status: string) => checks.filter((check) => check.status === status);
  const failed = of("FAILURE").map(({ id, errorMessage }) => (errorMessage ? `${id}: ${errorMessage}` : id));
  const other = code !== 0 && failed.length === 0 ? [`ended with ${code}: ${said.slice(-400)}`] : [];
  const none = checks.length === 0 && other.length === 0 ? ["checked nothing"] : [];
  const warned = of("WARNING").map(({ id }) => id);
  return { scenario, revision, passed: of("SUCCESS").length, warned, failed: [...failed, ...other, ...none] };
}

function ran(argv: readonly string[]): Promise<{ readonly said: string; readonly code: number | null }> {
  const child = spawn(process.execPath, argv, { stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding("utf8").on("data", (text) => (said += text));
  return new Promise((resolve) => child.on("close", (code) => resolve({ said, code })));
}

/** Connects, and uses everything that is offered, all at the same time. */
async function beClient(url: string): Promise<void> {
  const servers = openMcpServers({ log: () => {}, clock: systemClock, version: "0.0.0", cwd: homedir() });
  const server: McpServer = { name: "scenario", address: { type: "url", url, headers: {} }, sampling: false };
  const watch: McpWatch = {
    session: "s",
    signal: AbortSignal.timeout(25_000),
    onProgress: () => {},
    ask: async (flow) => ({ type: "filled", answers: answersTo(flow) }),
  };
  const offers = await servers.open(server, watch);
  if ("failed" in offers) tell(offers.failed);
  else {
    const called = wantedCalls(offers).map((call) => servers.call(server, call, watch));
    const read = offers.resources.slice(0, 1).map(({ uri }) => servers.read(server, uri, watch));
    const prompted = offers.prompts
      .slice(0, 1)
      .map(({ name }) => servers.prompt(server, { name, arguments: {} }, watch));
    for (const ended of await Promise.all([...called, ...read, ...prompted])) tell(JSON.stringify(ended));
  }
  await servers.closeAll();
}

/** A person who takes what is proposed: the first option where there are any, else a text that is a number, too. */
function answersTo({ steps }: Flow): Readonly<Record<string, FormAnswer>> {
  const answer = ({ options: [first] }: FlowStep): FormAnswer =>
    first === undefined ? { text: "1" } : { options: [first.id] };
  return Object.fromEntries(steps.map((step) => [step.key, answer(step)]));
}

type Wanted = { readonly tool: string; readonly arguments: Json };

/** The calls that the scenario asks for, or else one of each tool. */
function wantedCalls({ tools }: Offers): readonly Wanted[] {
  const { toolCalls } = JSON.parse(process.env["MCP_CONFORMANCE_CONTEXT"] ?? "{}");
  if (Array.isArray(toolCalls))
    return toolCalls.map(({ name, arguments: given }) => ({ tool: name, arguments: given }));
  return tools.map(({ name, parameters }) => ({
    tool: name,
    arguments: argumentsFor(parameters, tools[0]?.parameters),
  }));
}

/** Something of each kind that a schema wants; where it wants a schema, the one of the first tool as it came here. */
function argumentsFor(schema: Json, first: Json = {}): Json {
  const { properties = {} } = schema as { properties?: Record<string, { type?: string }> };
  const some: Readonly<Record<string, Json>> = { number: 5, integer: 3, boolean: true, object: first, array: [] };
  return Object.fromEntries(Object.entries(properties).map(([key, { type }]) => [key, some[type ?? ""] ?? "text"]));
}

function tell(line: string): void {
  process.stdout.write(`${line}\n`);
}

async function main(only: string | undefined): Promise<void> {
  const wanted = Object.entries(scenarios).filter(([scenario]) => only === undefined || scenario === only);
  const all: Played[] = [];
  tell("| scenario | revision | checks | result |\n|---|---|---|---|");
  for (const [scenario, revisions] of wanted) {
    for (const revision of revisions) {
      const played = await playScenario(scenario, revision);
      all.push(played);
      const { passed, warned, failed } = played;
      const warnings = warned.length === 0 ? "" : ` (a warning: ${warned.join(", ")})`;
      const result = failed.length === 0 ? `passed${warnings}` : `failed: ${failed.join("; ")}`;
      tell(`| ${scenario} | ${revision} | ${passed} of ${passed + failed.length} | ${result} |`);
    }
  }
  const failures = all.filter(({ failed }) => failed.length > 0);
  tell(`\nmcp-conformance: ${all.length} scenarios, ${failures.length} failed`);
  if (failures.length > 0 || all.length === 0) process.exitCode = 1;
}

if (import.meta.main) {
  const [first, second = ""] = process.argv.slice(2);
  await (first === "--client" ? beClient(second) : main(first));
}
