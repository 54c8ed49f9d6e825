// What a model over HTTP costs: from the start of `assent run` to its first request, and from an answer to the next request,
// beside a bare Node program that does the same with one connection and `bash -c`. In turns, so that both meet the same machine.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { median } from "./median.ts";

const launcher = join(import.meta.dirname, "..", "packages", "assent", "bin", "assent.cjs");
const folder = mkdtempSync(join(tmpdir(), "assent-bench-"));
const rounds = 7;

const bare = `
import { execFile } from "node:child_process";
import { Agent, request } from "node:http";
const url = new URL(process.env.OPENAI_BASE_URL + "/chat/completions");
const agent = new Agent({ keepAlive: true });
const messages = [{ role: "user", content: "Run the commands." }];
const post = (body) => new Promise((resolve) => {
  const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
  const sent = request(url, { method: "POST", agent, headers }, (answer) => {
    let text = "";
    answer.setEncoding("utf8").on("data", (part) => { text += part; }).on("end", () => resolve(JSON.parse(text)));
  });
  sent.end(body);
});
const run = (command) => new Promise((resolve) => execFile("bash", ["-c", command], (_error, out) => resolve(out)));
for (;;) {
  const { message } = (await post(JSON.stringify({ model: "m", messages }))).choices[0];
  messages.push(message);
  if (!message.tool_calls) break;
  const [call] = message.tool_calls;
  messages.push({ role: "tool", tool_call_id: call.id, content: await run(JSON.parse(call.function.arguments).command) });
}
agent.destroy();
`;

type Times = { readonly first: number; readonly gaps: readonly number[] };

/** The least that a model can be: commands, then a text; at once, and on one line of the clock. */
function answer(response: ServerResponse, step: number, { turns, streams }: { turns: number; streams: boolean }): void {
  const call = {
    id: `call_${step}`,
    type: "function",
    function: { name: "terminal", arguments: `{"command":"echo ${step}"}` },
  };
  const said =
    step <= turns
      ? { role: "assistant", content: null, tool_calls: [{ index: 0, ...call }] }
      : { role: "assistant", content: "done" };
  const finish_reason = step <= turns ? "tool_calls" : "stop";
  const usage = { prompt_tokens: 100, completion_tokens: 8 };
  if (!streams) {
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ choices: [{ index: 0, message: said, finish_reason }], usage }));
    return;
  }
  response.setHeader("content-type", "text/event-stream");
  const events = [
    { choices: [{ index: 0, delta: said }] },
    { choices: [{ index: 0, delta: {}, finish_reason }] },
    { choices: [], usage },
  ];
  response.end([...events.map((event) => JSON.stringify(event)), "[DONE]"].map((data) => `data: ${data}\n\n`).join(""));
}

async function measure(argv: readonly string[], turns: number, streams: boolean): Promise<Times> {
  const arrivals: number[] = [];
  const answered: number[] = [];
  const server = createServer((request, response) => {
    arrivals.push(performance.now());
    const step = arrivals.length;
    response.on("finish", () => answered.push(performance.now()));
    request.resume().on("end", () => answer(response, step, { turns, streams }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const models = {
    ASSENT_MODEL: "openai-chat:m",
    OPENAI_BASE_URL: `http://127.0.0.1:${port}/v1`,
    OPENAI_API_KEY: "none",
  };
  const env = { ...process.env, ...models, ASSENT_HOME: join(folder, "home"), ASSENT_MAX_TURNS: "unlimited" };
  const begin = performance.now();
  // In a session of its own it has no terminal, whoever measures.
  const child = spawn(process.execPath, argv, { cwd: folder, env, stdio: "ignore", detached: true });
  const code = await new Promise((resolve) => child.on("exit", resolve));
  server.close();
  server.closeAllConnections();
  if (code !== 0 || arrivals.length !== turns + 1)
    throw new Error(`${argv[0]}: code ${code}, ${arrivals.length} requests`);
  const gaps = arrivals.slice(1).map((arrival, index) => arrival - (answered[index] ?? Number.NaN));
  return { first: (arrivals[0] ?? Number.NaN) - begin, gaps };
}

const program = join(folder, "bare.mjs");
writeFileSync(program, bare);
try {
  const ours = [launcher, "run", "Run the commands."];
  for (const turns of [25, 200]) {
    const all: { assent: Times; bare: Times }[] = [];
    // The first round fills caches, and does not count.
    for (let round = 0; round <= rounds; round++) {
      const times = { assent: await measure(ours, turns, true), bare: await measure([program], turns, false) };
      if (round > 0) all.push(times);
    }
    const row = (what: string, of: (times: Times) => number) => {
      const [mine, theirs] = [median(all.map(({ assent }) => of(assent))), median(all.map(({ bare }) => of(bare)))];
      process.stdout.write(
        `${what.padEnd(38)} ${mine.toFixed(1)} ms; bare ${theirs.toFixed(1)} ms, ratio ${(mine / theirs).toFixed(2)}\n`,
      );
    };
    if (turns === 25) row("start to the first request", ({ first }) => first);
    row(`answer to the next request, ${turns} turns`, ({ gaps }) => median(gaps));
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
