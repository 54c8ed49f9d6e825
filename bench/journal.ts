// The durable journal: what an append costs, and how long `assent resume` takes to be where a long session stopped.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  decide,
  evolve,
  type InputBody,
  newSession,
  openSqliteJournal,
  type SessionEvent,
} from "../packages/assent/src/index.ts";
import { median } from "./median.ts";

const launcher = join(import.meta.dirname, "..", "packages", "assent", "bin", "assent.cjs");
const folder = mkdtempSync(join(tmpdir(), "assent-bench-"));
const output = "some output of a command, as long as such a line may well be\n".repeat(4);

/** A session of so many events, turn after turn, that stands at an approval. */
function longSession(events: number): SessionEvent[] {
  let session = newSession();
  const recorded: SessionEvent[] = [];
  const give = (body: InputBody) => {
    for (const event of decide(session, { ...body, at: recorded.length }).events) {
      recorded.push(event);
      session = evolve(session, event);
    }
  };
  give({ type: "creation", session: "long", cwd: folder, limits: { turns: "unlimited" } });
  give({
    type: "prompt",
    text: "go",
    delivery: "now",
    entry: "submitted",
    by: { name: "ada", adapter: "bench" },
    authority: "act",
  });
  for (let turn = 1; recorded.length < events; turn++) {
    const last = recorded.length >= events - 6;
    reply(give, turn);
    const judged = { call: `t${turn}c1`, rule: "bench", reason: "", digest: "d", facts: null };
    const approval = { question: "Approve command: echo? (yes/no)", subject: null };
    give({
      type: "verdicts",
      verdicts: [last ? { ...judged, verdict: "ask", approval } : { ...judged, verdict: "allow" }],
    });
    if (last) break;
    give({ type: "tool-start", call: `t${turn}c1`, digest: "d" });
    give({ type: "tool-result", call: `t${turn}c1`, result: { type: "output", text: output, exit: 0 } });
  }
  return recorded;
}

function reply(give: (body: InputBody) => void, turn: number): void {
  const asks = { type: "tool", parallel: false, command: `echo ${turn}` } as const;
  const call = { id: `call_${turn}`, tool: "terminal", arguments: `{"command":"echo ${turn}"}`, asks };
  const usage = { input: 900, output: 60, cached: 800 };
  give({ type: "model-result", request: turn, result: { type: "replied", text: "and on", calls: [call], usage } });
}

function timed(body: () => void): number {
  const begin = performance.now();
  body();
  return performance.now() - begin;
}

function medianOf(rounds: number, body: () => void): number {
  return median(Array.from({ length: rounds }, () => timed(body)));
}

function assent(home: string, argv: readonly string[], expected: number): void {
  const env = { ...process.env, ASSENT_HOME: home };
  const { status, stderr } = spawnSync("setsid", ["-w", process.execPath, launcher, ...argv], {
    env,
    encoding: "utf8",
  });
  if (status !== expected)
    throw new Error(`assent ${argv.join(" ")}: expected exit code ${expected}, found ${status}: ${stderr}`);
}

function benchAppend(): void {
  const journal = openSqliteJournal(join(folder, "append", "journal.db"));
  const event: SessionEvent = { type: "context.changed", at: 1, text: output };
  let seq = 0;
  const times = Array.from({ length: 2_000 }, () => timed(() => journal.append("s", seq++, [event]))).sort(
    (a, b) => a - b,
  );
  journal.close();
  const at = (share: number) => (times[Math.floor(times.length * share)] ?? Number.NaN).toFixed(2);
  process.stdout.write(
    `durable append: median ${at(0.5)} ms, 95 % ${at(0.95)} ms, 99 % ${at(0.99)} ms (2,000 of them)\n`,
  );
}

function benchResume(events: number): void {
  const home = join(folder, `home-${events}`);
  const journal = openSqliteJournal(join(home, "journal.db"));
  journal.append("long", 0, longSession(events));
  journal.close();
  const start = medianOf(5, () => assent(home, ["--version"], 0));
  const resume = medianOf(5, () => assent(home, ["resume", "--model", `scripted:${script}`, "long"], 4));
  process.stdout.write(
    `resume of ${events.toLocaleString("en")} events: ${(resume - start).toFixed(0)} ms beyond the start of the process ` +
      `(${resume.toFixed(0)} − ${start.toFixed(0)} ms, medians of 5)\n`,
  );
}

const script = join(folder, "script.jsonl");
writeFileSync(script, "");
try {
  benchAppend();
  benchResume(10_000);
  benchResume(100_000);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
