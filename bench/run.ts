// What a turn costs: the real `assent run`, with its durable journal, beside a bare loop that spawns the same commands.
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

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
process.stdout.write(starts.map((at) => JSON.stringify({ type: "model.replied", at })).join("\\n") + "\\n");
`;

type Measured = { readonly turnMs: number; readonly lateTurnMs: number; readonly peakMb: number };

function scriptOf(turns: number): string {
  const call = (turn: number) => ({ tool: "terminal", arguments: { command: `echo turn ${turn}` } });
  const replies = Array.from({ length: turns }, (_, index) => ({ calls: [call(index + 1)] }));
  return [...replies, { text: "done" }].map((reply) => JSON.stringify(reply)).join("\n");
}

/** Runs a process to its end; the times of its turns come from its own lines, its peak memory from the system. */
async function measure(argv: readonly string[]): Promise<Measured> {
  const env = { ...process.env, ASSENT_HOME: mkdtempSync(join(folder, "home-")) };
  const child = spawn(process.execPath, argv, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  let peak = 0;
  const look = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid ?? 0));
  }, 5);
  let output = "";
  child.stdout.on("data", (part: Buffer) => {
    output += part.toString("utf8");
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  clearInterval(look);
  if (code !== 0) throw new Error(`${argv.join(" ")}: expected exit code 0, found ${code}`);
  const times = output.split("\n").flatMap((line) => {
    const [, at] = /"type":"model.replied".*?"at":(\d+)|"at":(\d+).*?"type":"model.replied"/.exec(line)?.filter(Boolean) ?? [];
    return at === undefined ? [] : [Number(at)];
  });
  const perTurn = (from: number, to: number) => ((times[to] ?? 0) - (times[from] ?? 0)) / (to - from);
  const last = times.length - 1;
  return { turnMs: perTurn(0, last), lateTurnMs: perTurn(Math.max(0, last - 25), last), peakMb: peak / 1024 };
}

function peakOf(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function compare(turns: number, rounds: number): Promise<void> {
  const script = join(folder, `${turns}.jsonl`);
  const bare = join(folder, "floor.mjs");
  writeFileSync(script, scriptOf(turns));
  writeFileSync(bare, floor);
  const ours: Measured[] = [];
  const theirs: Measured[] = [];
  for (let round = 0; round < rounds; round++) {
    const argv = ["run", "--json", "--model", `scripted:${script}`, "--max-turns", "unlimited", "go"];
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
  await compare(25, 7);
  await compare(500, 3);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
