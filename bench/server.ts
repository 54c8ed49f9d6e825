// What the server costs: ten thousand open questions found again after a kill, answers at a steady rate, two hundred runs at once.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { type ApiClient, apiClient } from "../packages/assent/src/client.ts";
import { scriptedProvider } from "../packages/assent/src/providers/index.ts";
import {
  openHost,
  openSqliteJournal,
  openVolatileGrants,
  openVolatileSecrets,
  systemClock,
  thisProcess,
} from "../packages/assent/src/runtime/index.ts";
import { openTools } from "../packages/assent/src/tools/index.ts";
import { readScript } from "../packages/assent/src/wire/index.ts";

const launcher = join(import.meta.dirname, "..", "packages", "assent", "bin", "assent.cjs");
const folder = mkdtempSync(join(tmpdir(), "assent-bench-"));
const questions = Number(process.env["BENCH_QUESTIONS"] ?? 10_000);
const perSecond = 200;
const answerSeconds = Number(process.env["BENCH_ANSWER_SECONDS"] ?? 10);
const runs = 200;
const megabyte = 1024 * 1024;

type Server = { readonly child: ChildProcess; readonly client: ApiClient; readonly began: number };

/** Sessions that each wait for an answer, as a process that was killed has left them. */
async function seed(home: string, script: string): Promise<void> {
  const read = readScript(readFileSync(script, "utf8"));
  if (read.type === "broken") throw new Error(read.reason);
  let made = 0;
  const host = openHost({
    journal: openSqliteJournal(join(home, "journal.db")),
    secrets: openVolatileSecrets(),
    grants: openVolatileGrants(),
    provider: scriptedProvider({ replies: read.replies, name: script, clock: systemClock }),
    tools: openTools({
      ...{ shell: "bash", hidden: [], pty: false, folder: join(home, "output"), self: [home] },
      redacting: { now: () => null, bytes: notHere, texts: notHere },
    }),
    runs: () => false,
    policy: { version: "none", judge: () => ({ verdict: "deny", rule: "none", reason: "none" }) },
    clock: systemClock,
    holder: thisProcess(),
    newId: () => `q${String(++made).padStart(8, "0")}`,
    ...{ expiryMs: null, softOffers: "off", context: () => "" },
  });
  const by = { name: "bench", adapter: "bench" };
  for (let each = 0; each < questions; each++) {
    const created = host.create({ cwd: folder, limits: {}, model: `scripted:${script}` });
    if ("refusal" in created) throw new Error(created.refusal.detail);
    const { session } = created;
    host.submit(session, { type: "prompt", text: "ask", delivery: "now", entry: "submitted", by, authority: "act" });
    const hold = host.hold(session, { unattended: () => "park" });
    while (host.view(session).interactions.length === 0) await sleep(0);
    await hold.release();
  }
  await host.close();
}

function notHere(): never {
  throw new Error("no command runs here");
}

async function start(home: string, model: string): Promise<Server> {
  const began = performance.now();
  const argv = [launcher, "serve", "--listen", "0", "--model", model];
  const env = { ...process.env, ASSENT_HOME: home };
  const child = spawn(process.execPath, argv, { cwd: folder, env, stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr?.on("data", (part) => {
      said += part;
      const found = /listening on (\S+)/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on("exit", () => reject(new Error(said)));
  });
  for (;;) {
    const file: { url: string; token: string } = JSON.parse(readFileSync(join(home, "client.json"), "utf8"));
    if (file.url === url) return { child, began, client: apiClient({ url, token: file.token }) };
    await sleep(1);
  }
}

async function listAll(client: ApiClient): Promise<readonly string[]> {
  const ids: string[] = [];
  for (;;) {
    const part = await client.interactions({ limit: 1_000, offset: ids.length });
    if (part.type !== "ok") throw new Error(JSON.stringify(part));
    ids.push(...part.value.interactions.map(({ request }) => request.interaction_id));
    if (part.value.interactions.length === 0 || ids.length >= part.value.total) return ids;
  }
}

function residentMb(child: ChildProcess, peak = false): number {
  const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
  return (Number(new RegExp(`${peak ? "VmHWM" : "VmRSS"}:\\s+(\\d+)`).exec(status)?.[1]) * 1024) / megabyte;
}

async function killed({ child }: Server): Promise<void> {
  const gone = new Promise((resolve) => child.on("exit", resolve));
  child.kill("SIGKILL");
  await gone;
}

async function openQuestions(home: string, script: string): Promise<void> {
  const first = await start(home, `scripted:${script}`);
  await killed(first);
  const server = await start(home, `scripted:${script}`);
  const ids = await listAll(server.client);
  const listedMs = performance.now() - server.began;
  if (ids.length !== questions) throw new Error(`expected ${questions} open questions, found ${ids.length}`);
  say(
    `${questions} open questions after kill -9: all listed ${(listedMs / 1_000).toFixed(2)} s after the start, ` +
      `${residentMb(server.child).toFixed(0)} MB`,
  );
  await answers(server, ids);
  await killed(server);
}

/** At a steady rate, whether or not those before have been taken: nobody waits for anybody. */
async function answers({ client, child }: Server, ids: readonly string[]): Promise<void> {
  const took: number[] = [];
  const sent: Promise<void>[] = [];
  const began = performance.now();
  for (const [index, id] of ids.slice(0, perSecond * answerSeconds).entries()) {
    const due = began + (index * 1_000) / perSecond;
    const wait = due - performance.now();
    if (wait > 0) await sleep(wait);
    sent.push(
      client.respond(id, { selected_option_id: "1" }).then((result) => {
        if (result.type !== "ok") throw new Error(JSON.stringify(result));
        took.push(performance.now() - due);
      }),
    );
  }
  await Promise.all(sent);
  took.sort((one, other) => one - other);
  const at = (part: number) => (took[Math.min(took.length - 1, Math.floor(took.length * part))] ?? 0).toFixed(1);
  say(
    `${took.length} answers at ${perSecond} a second: p50 ${at(0.5)} ms, p99 ${at(0.99)} ms, slowest ${at(1)} ms; ` +
      `peak ${residentMb(child, true).toFixed(0)} MB`,
  );
}

async function manyRuns(home: string): Promise<void> {
  const script = join(folder, "run.jsonl");
  const call = (turn: number) => ({ calls: [{ tool: "terminal", arguments: { command: `echo turn ${turn}` } }] });
  writeFileSync(
    script,
    [...[1, 2, 3, 4, 5].map(call), { text: "done" }].map((line) => JSON.stringify(line)).join("\n"),
  );
  const server = await start(home, `scripted:${script}`);
  const began = performance.now();
  const sessions = await Promise.all(Array.from({ length: runs }, () => server.client.create({ prompt: "go" })));
  const ended: number[] = [];
  const waiting = new Set(sessions.map((each) => (each.type === "ok" ? each.value.session : "")));
  while (waiting.size > 0) {
    const listed = await server.client.sessions({ limit: 1_000 });
    for (const { session, outcome } of listed.type === "ok" ? listed.value.sessions : []) {
      if (outcome !== null && waiting.delete(session)) ended.push(performance.now() - began);
    }
    await sleep(50);
  }
  const seconds = (ms = 0) => (ms / 1_000).toFixed(1);
  say(
    `${runs} runs of 5 commands at once: the first ended after ${seconds(ended[0])} s, the last after ` +
      `${seconds(ended.at(-1))} s; peak ${residentMb(server.child, true).toFixed(0)} MB`,
  );
  await killed(server);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

try {
  const script = join(folder, "ask.jsonl");
  const ask = { tool: "ask", arguments: { question: "Which one?", options: ["This", "That"] } };
  writeFileSync(script, `${JSON.stringify({ calls: [ask] })}\n${JSON.stringify({ text: "Thank you." })}\n`);
  const home = join(folder, "home");
  mkdirSync(home);
  await seed(home, script);
  await openQuestions(home, script);
  await manyRuns(join(folder, "runs"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}
