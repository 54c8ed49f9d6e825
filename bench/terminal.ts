// What the terminal costs: a command beside a bare child process, one in a shell that stays, and a flood beside a bare pipe.
import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { openRedacting } from "../packages/assent/src/runtime/redaction.ts";
import { changedFiles } from "../packages/assent/src/terminal/index.ts";
import { Shell } from "../packages/assent/src/terminal/persistent.ts";
import { openSpill } from "../packages/assent/src/terminal/spill.ts";
import { TypedSecrets } from "../packages/assent/src/terminal/typed-secrets.ts";
import { type Fared, type Flood, measureFlood, TimedTerminal } from "../packages/assent/test/terminal/floods.ts";
import { median } from "./median.ts";

type Work = () => Promise<unknown>;

/** Each in turn, round by round, so that a busy machine is busy for all; the medians in milliseconds. */
async function interleaved<const T extends string>(
  works: Readonly<Record<T, Work>>,
  rounds: number,
): Promise<Record<T, number>> {
  const names = Object.keys(works) as T[];
  const times = new Map<T, number[]>(names.map((name) => [name, []]));
  const warmUps = Math.ceil(rounds / 10);
  for (let round = -warmUps; round < rounds; round++) {
    for (const name of names) {
      const since = performance.now();
      await works[name]();
      if (round >= 0) times.get(name)?.push(performance.now() - since);
    }
  }
  return Object.fromEntries(names.map((name) => [name, median(times.get(name) ?? [])])) as Record<T, number>;
}

function print(what: string, ...figures: readonly string[]): void {
  process.stdout.write(`${what.padEnd(34)} ${figures.join("; ")}\n`);
}

function ms(time: number): string {
  return `${time.toFixed(2)} ms`;
}

function spawnBare(): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", "true"], { stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.on("data", () => {});
    child.stderr.on("data", () => {});
    child.once("close", () => resolve());
  });
}

async function commands(plain: TimedTerminal, typed: TimedTerminal): Promise<void> {
  const rounds = 101;
  const command = "true";
  const once = await interleaved(
    { bare: spawnBare, tool: () => plain.run({ command }), typed: () => typed.run({ command }) },
    rounds,
  );
  const ratio = (once.tool / once.bare).toFixed(2);
  print("a command", ms(once.tool), `bare ${ms(once.bare)}, ratio ${ratio}`, `with a terminal ${ms(once.typed)}`);
}

async function persistentCommands(plain: TimedTerminal, typed: TimedTerminal): Promise<void> {
  const given = { command: "true", persistent: true };
  const shell = await openShell(plain.here, plain.folder);
  const stays = await interleaved(
    { shell: shell.run, tool: () => plain.run(given), typed: () => typed.run(given) },
    201,
  );
  await shell.close();
  const figures = [`the shell alone ${ms(stays.shell)}`, `with a terminal ${ms(stays.typed)}`];
  print("a command in the shell that stays", ms(stays.tool), ...figures);
}

/** The shell without the tool around it. */
async function openShell(cwd: string, folder: string): Promise<{ run: Work; close: Work }> {
  const { signal } = new AbortController();
  const shell = await Shell.open({ cwd, marker: `bench-${process.pid}/c`, env: process.env, attended: false });
  const command = {
    ...{ command: "true", timeoutMs: 60_000, onOutput: () => {}, grace: () => () => 0 },
    watched: { signal, ask: async () => null, attended: false },
    spill: (name: string) => openSpill({ folder, session: "bench", name }),
    secrets: new TypedSecrets(openRedacting(() => [])),
  };
  return { run: () => shell.run(command, cwd), close: () => shell.close() };
}

async function crowdedFolder(terminal: TimedTerminal): Promise<void> {
  for (let n = 0; n < 4_000; n++) {
    const folder = join(terminal.here, `${n % 40}`);
    if (n < 40) mkdirSync(folder);
    writeFileSync(join(folder, `${n}.txt`), "");
  }
  const roots = [terminal.here];
  const found = await interleaved(
    {
      files: () => changedFiles({ roots, since: Date.now() }),
      tool: () => terminal.run({ command: "true" }),
    },
    31,
  );
  print("changed files of 4,000", ms(found.files), `a command there ${ms(found.tool)}`);
}

/** Each in a process of its own, in turn with the bare pipe. */
async function flood(command: string, timeout_s: number, rounds: number): Promise<void> {
  const found = { bare: [] as Fared[], ephemeral: [] as Fared[], persistent: [] as Fared[] };
  const hows: readonly Flood["how"][] = ["bare", "ephemeral", "persistent"];
  for (let round = 0; round < rounds; round++) {
    for (const how of hows) found[how].push(await measureFlood({ command, how, timeout_s }));
  }
  for (const how of hows) {
    const perByte = ({ ms, bytes }: Fared) => ms / bytes;
    const ratio = median(found[how].map((each, round) => perByte(each) / perByte(found.bare[round] ?? each)));
    const figure = (of: (each: Fared) => number) => median(found[how].map(of));
    const most = (of: (each: Fared) => number) => Math.max(...found[how].map(of)).toFixed(1);
    print(
      `${command} (${how})`,
      `${figure(({ bytes, ms }) => bytes / ms / 1e6).toFixed(2)} GB/s, time a byte ${ratio.toFixed(2)} of bare`,
      `memory +${most(({ grownMb }) => grownMb)} MB`,
      `loop delay p99 ${most(({ p99Ms }) => p99Ms)} ms (the worst of ${rounds})`,
    );
  }
}

const plain = new TimedTerminal();
const typed = new TimedTerminal({ attended: true });
try {
  await commands(plain, typed);
  await persistentCommands(plain, typed);
  await plain.run({ close: true });
  const left = await interleaved(
    {
      left: () => typed.run({ command: "sleep 300 & echo done", persistent: true }),
      leaves: () => plain.run({ command: "sleep 300 & echo done" }),
    },
    11,
  );
  print("sleep 300 & echo done", ms(left.leaves), `with a terminal, in the shell that stays ${ms(left.left)}`);
  await crowdedFolder(plain);
} finally {
  await plain.close();
  await typed.close();
}
await flood("yes | head -c 100000000", 60, 3);
await flood("head -c 100000000 /dev/zero", 60, 3);
await flood("yes", 1, 3);
