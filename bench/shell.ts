// The shell as a person meets it, in a real terminal: how long until one can type, how much memory it has then, and how
// long a typed character takes to be seen, at rest and while a command floods its output.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";
import { type IPty, spawn } from "@lydell/node-pty";
import { median } from "./median.ts";

const root = join(import.meta.dirname, "..");
const launcher = join(root, "packages", "assent", "bin", "assent.cjs");
const rounds = 15;
const keys = 300;
const floodBytes = 100_000_000;

const scratch = mkdtempSync(join(tmpdir(), "assent-bench-"));
const script = join(scratch, "script.jsonl");
const flood = `yes 'a line of a flood, as long as lines are' | head -c ${floodBytes}`;
const floods = 12;
const reply = JSON.stringify({ calls: [{ tool: "terminal", arguments: { command: flood } }] });
writeFileSync(script, `${reply}\n{"text":"it is over"}\n`.repeat(floods));

class Window {
  readonly pty: IPty;
  #seen = "";
  #wanted: { readonly text: string; readonly found: () => void } | null = null;

  constructor(argv: string[]) {
    const env = {
      ...process.env,
      ASSENT_HOME: join(scratch, "home"),
      ASSENT_MODEL: `scripted:${script}`,
      NO_COLOR: "1",
    };
    this.pty = spawn(process.execPath, argv, { cols: 100, rows: 30, cwd: scratch, env });
    this.pty.onData((part) => {
      this.#seen = (this.#seen + part).slice(-200_000);
      if (this.#wanted === null || !this.#seen.includes(this.#wanted.text)) return;
      this.#wanted.found();
      this.#wanted = null;
    });
  }

  /** How long until this is on its way to the screen. */
  async until(text: string): Promise<number> {
    const begin = performance.now();
    if (!this.#seen.includes(text)) await new Promise<void>((found) => (this.#wanted = { text, found }));
    return performance.now() - begin;
  }

  has(text: string): boolean {
    return this.#seen.includes(text);
  }

  forget(): void {
    this.#seen = "";
  }
}

async function started(argv: string[], sign: string): Promise<{ readonly ms: number; readonly window: Window }> {
  const begin = performance.now();
  const window = new Window(argv);
  await window.until(sign);
  return { ms: performance.now() - begin, window };
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1_024;
}

/** Each character is one that nothing else writes; as many as are wanted, or as there is time for. */
async function echoes(window: Window, count: number, isOver = () => false): Promise<number[]> {
  const times: number[] = [];
  for (let index = 0; index < count && !isOver(); index += 1) {
    const character = String.fromCodePoint(0x4e00 + index);
    const echo = window.until(character);
    window.pty.write(character);
    times.push(await echo);
    await wait(5);
  }
  return times;
}

function told(what: string, value: string): void {
  process.stdout.write(`${what.padEnd(44)} ${value}\n`);
}

function percentiles(all: readonly number[]): string {
  const times = all.toSorted((one, other) => one - other);
  const at = (part: number) => (times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0).toFixed(1);
  return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms of ${times.length} keys`;
}

const isBuilt = existsSync(join(root, "packages", "assent", "dist", "cli.cjs"));
if (!isBuilt) process.stdout.write("from source; npm run build makes what is published\n");
// What was compiled is kept by a shell that is left as people leave it.
const warming = await started([launcher], "\u276f ");
const left = new Promise<void>((resolve) => warming.window.pty.onExit(() => resolve()));
warming.window.pty.write("\x04");
await left;
const bare: number[] = [];
const shells: number[] = [];
const sizes: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const node = await started(["-e", "process.stdout.write('ready')"], "ready");
  bare.push(node.ms);
  const shell = await started([launcher], "\u276f ");
  shells.push(shell.ms);
  await wait(300);
  sizes.push(residentMb(shell.window.pty.pid));
  shell.window.pty.kill("SIGKILL");
}
const over = median(shells) - median(bare);
told("a bare node until it has written", `${median(bare).toFixed(1)} ms`);
told("assent until its prompt", `${median(shells).toFixed(1)} ms, ${over.toFixed(1)} ms over a bare node`);
told("resident at the prompt", `${median(sizes).toFixed(0)} MB`);

const { window } = await started([launcher], "\u276f ");
await wait(300);
told("echo at rest", percentiles(await echoes(window, 100)));
const during: number[] = [];
for (let round = 0; round < floods && during.length < keys; round += 1) {
  window.forget();
  window.pty.write("\x15go\r");
  await window.until("a line of a flood");
  during.push(...(await echoes(window, keys, () => window.has("it is over"))));
  await window.until("it is over");
}
told(`echo during floods of ${floodBytes / 1_000_000} MB`, percentiles(during));
window.pty.kill("SIGKILL");
rmSync(scratch, { recursive: true, force: true });
