// What a turn costs: the real `assent run`, with its durable journal, beside a bare loop that spawns the same commands.
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { openSqliteJournal } from "../packages/assent/src/index.ts";
import { median } from "./median.ts";

const launcher = join(import.meta.dirname, "..", "packages", "assent", "bin", "assent.cjs");
const folder = mkdtempSync(join(tmpdir(), "assent-bench-"));

const floor = `
import { spawn } from "node:child_process";
const starts = [];
for (let turn = 1; turn <= Number(process.argv[2]) + 1; turn++) {
  starts.push(Date.now());
  await new Promise((resolve) => {
    const child = spawn("bash", ["-c", "echo turn " + turn], { stdio: ["ignore", "pipe", "pipe"] });
    let output = "";
    child.stdout.on("data", (part) => { output += part; });
    child.stderr.on("data", (part) => { output += part; });
    child.on("close", resolve);
  });
}
process.stdout.write(starts.join(" "));
`;

type Measured = { readonly turnMs: number; readonly lateTurnMs: number; readonly peakMb: number };

function scriptOf(turns: number): string {
  const call = (turn: number) => ({ tool: "terminal", arguments: { command: `echo turn ${turn}` } });
  const replies = Array.from({ length: turns }, (_, index) => ({ calls: [call(index + 1)] }));
  return [...replies, { text: "done" }].map((reply) => JSON.stringify(reply)).join("\n");
}

/** Runs a process to its end; when its turns began comes from its journal or from itself, its peak from the system. */
async function measure(argv: readonly string[]): Promise<Measured> {
  const home = mkdtempSync(join(folder, "home-"));
  const env = { ...process.env, ASSENT_HOME: home };
  const child = spawn(process.execPath, argv, { cwd: folder, env, stdio: ["ignore", "pipe", "ignore"] });
  let peak = 0;
  // The system keeps the highest mark: the last look before the end is enough.
  const look = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid ?? 0));
  }, 50);
  const output = text(child.stdout);
  const code = await new Promise((resolve) => child.on("close", resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`${argv.join(" ")}: expected exit code 0, found ${code}`);
  const times = timesInJournal(home) ?? (await output).trim().split(" ").map(Number);
  const perTurn = (from: number, to: number) => ((times[to] ?? 0) - (times[from] ?? 0)) / (to - from);
  const last = times.length - 1;
  return { turnMs: perTurn(0, last), lateTurnMs: perTurn(Math.max(0, last - 25), last), peakMb: peak / 1024 };
}

function timesInJournal(home: string): readonly number[] | null {
  const file = join(home, "journal.db");
  if (!existsSync(file)) return null;
  const journal = openSqliteJournal(file);
  const session = journal.outline().sessions[0]?.session ?? "";
  const { events } = journal.read(session, 0);
  journal.close();
  return events.flatMap(({ event }) => (event.type === "model.replied" ? [event.at] : []));
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

async function compare(turns: number, rounds: number): Promise<void> {
  const script = join(folder, `${turns}.jsonl`);
  const bare = join(folder, "floor.mjs");
  writeFileSync(script, scriptOf(turns));
  writeFileSync(bare, floor);
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    const argv = ["run", "--model", `scripted:${script}`, "--max-turns", "unlimited", "go"];
    theirs.push(await measure([bare, String(turns)]));
    ours.push(await measure([launcher, ...argv]));
  }
  const figure = (of: readonly Measured[], name: keyof Measured) => median(of.map((each) => each[name]));
  const ratio = median(ours.map((each, round) => each.turnMs / (theirs[round]?.turnMs ?? Number.NaN)));
  const late = median(ours.map((each, round) => each.lateTurnMs / (theirs[round]?.turnMs ?? Number.NaN)));
  process.stdout.write(
    `run of ${turns} turns: ${figure(ours, "turnMs").toFixed(2)} ms a turn, floor ${figure(theirs, "turnMs").toFixed(2)} ms, ` +
      `ratio ${ratio.toFixed(2)}; last 25 turns ${late.toFixed(2)}; peak ${figure(ours, "peakMb").toFixed(0)} MB, ` +
      `floor ${figure(theirs, "peakMb").toFixed(0)} MB (median of ${rounds})\n`,
  );
}

try {
  await compare(25, 31);
  await compare(500, 9);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
