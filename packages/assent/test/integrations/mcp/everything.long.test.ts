import { type ChildProcess, spawn } from "node:child_process";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Flow } from "../../../src/core/index.ts";
import { openMcpServers } from "../../../src/integrations/mcp/servers.ts";
import type { FormAnswer, FormEnd, McpServer, McpWatch } from "../../../src/integrations/types.ts";
import { systemClock } from "../../../src/runtime/index.ts";
import { verifies } from "../../requirements/verifies.ts";

const manifest = createRequire(import.meta.url).resolve("@modelcontextprotocol/server-everything/package.json");
const program = join(dirname(manifest), "dist", "index.js");

const asked: Flow[] = [];

/** Takes the first option, or types what fits. */
async function ask(flow: Flow): Promise<FormEnd> {
  asked.push(flow);
  const answer = ({ options: [first] }: Flow["steps"][number]): FormAnswer =>
    first === undefined ? { text: "7" } : { options: [first.id] };
  return { type: "filled", answers: Object.fromEntries(flow.steps.map((step) => [step.key, answer(step)])) };
}

const progress: string[] = [];

function watch(more: Partial<McpWatch> = {}): McpWatch {
  const { signal } = new AbortController();
  return { session: "s", signal, onProgress: (line) => void progress.push(line), ask, ...more };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address !== null ? address.port : 0;
}

describe.each(["stdio", "streamableHttp"])("the reference server by %s:", (way) => {
  const sample = async ({ text }: { readonly text: string }) => `said to ${text}`;
  const servers = openMcpServers({ log: () => undefined, clock: systemClock, version: "0.1.0", cwd: tmpdir(), sample });
  let web: ChildProcess | null = null;
  let server: McpServer = {
    name: "everything",
    address: { type: "command", command: [process.execPath, program, "stdio"], env: {} },
    sampling: true,
  };
  const call = (tool: string, given = {}, more = {}) => servers.call(server, { tool, arguments: given }, watch(more));

  beforeAll(async () => {
    if (way === "stdio") return;
    const port = await freePort();
    const child = spawn(process.execPath, [program, way], {
      env: { ...process.env, PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    web = child;
    await new Promise((resolve) =>
      child.stderr.on("data", (said) => String(said).includes("listening") && resolve(said)),
    );
    server = { ...server, address: { type: "url", url: `http://127.0.0.1:${port}/mcp`, headers: {} } };
  });
  afterAll(async () => {
    await servers.closeAll();
    web?.kill();
  });

  verifies("BRG-1a", "what it offers is listed, its tools are called, its resources and prompts read", async () => {
    const offers = await servers.open(server, watch());
    if ("failed" in offers) throw new Error(offers.failed);
    expect(offers).toMatchObject({ title: "Everything Reference Server", protocol: "2025-11-25", problems: [] });
    expect(offers.tools.map(({ offered }) => offered)).toEqual(
      expect.arrayContaining(["everything__echo", "everything__get-sum"]),
    );
    expect(offers.prompts.map(({ name }) => name)).toContain("args-prompt");
    expect(await call("echo", { message: "hi" })).toEqual({ text: "Echo: hi", isError: false });
    expect(await call("get-sum", { a: 1, b: 2 })).toEqual({ text: "The sum of 1 and 2 is 3.", isError: false });
    expect(await call("get-tiny-image")).toMatchObject({
      text: expect.stringMatching(/\[image image\/png, [\d,]+ bytes\]/),
    });
    expect(await call("get-sum", { a: "no" })).toMatchObject({ isError: true });
    const [resource] = offers.resources;
    expect(await servers.read(server, resource?.uri ?? "", watch())).toMatchObject({
      text: expect.stringMatching(/\S/),
      isError: false,
    });
    const prompt = { name: "args-prompt", arguments: { city: "Oslo" } };
    expect(await servers.prompt(server, prompt, watch())).toMatchObject({ text: expect.stringContaining("Oslo") });
  });

  test("progress is told; a call that is stopped ends at once, and others go on", async () => {
    progress.length = 0;
    await call("trigger-long-running-operation", { duration: 0.2, steps: 2 });
    expect(progress[0]).toBe("1 of 2");
    const controller = new AbortController();
    const stopped = call("trigger-long-running-operation", { duration: 100, steps: 1 }, { signal: controller.signal });
    controller.abort();
    expect(await stopped).toEqual({ failed: "everything was not waited for any longer" });
    expect(await call("echo", { message: "still here" })).toEqual({ text: "Echo: still here", isError: false });
  });

  test("what it asks is put to the person, and what it wants from the model is asked about first", async () => {
    asked.length = 0;
    expect(await call("trigger-elicitation-request")).toMatchObject({
      text: expect.stringContaining('"action": "accept"'),
    });
    expect(asked.map(({ steps }) => steps.length)).toEqual([1, 7, 6]);
    asked.length = 0;
    const sampled = await call("trigger-sampling-request", { prompt: "Why?", maxTokens: 10 });
    expect(sampled).toMatchObject({ text: expect.stringMatching(/said to .*Why\?/) });
    expect(asked[0]?.steps[0]?.question).toBe("May everything have your model answer this?");
  });
});
