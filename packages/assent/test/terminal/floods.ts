import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { text as textOf } from "node:stream/consumers";
import type { ToolResult } from "../../src/core/index.ts";
import type { Fact, Hands } from "../../src/runtime/ports.ts";
import { nobodyAnswers } from "../fixtures/nobody.ts";
import { actingTool, eagerTools } from "../tools/eager.ts";

/** So much the process that runs the tool may grow while a flood goes through. */
export const mostGrowthMb = 40;

/** One command that writes without measure; `bare` is a child whose output is only counted. */
export type Flood = {
  readonly command: string;
  readonly how: "bare" | "ephemeral" | "persistent";
  /** `bare` is killed after this long. */
  readonly timeout_s: number;
};

/** How the process fared that read it. */
export type Fared = {
  readonly ms: number;
  readonly bytes: number;
  /** The most that it had resident, above what it had before. */
  readonly grownMb: number;
  /** How late its event loop came, sampled each millisecond. */
  readonly p99Ms: number;
  readonly latestMs: number;
  readonly result: Pick<ToolResult, "type" | "text">;
};

/** Measures one in a process that has done nothing else. */
export async function measureFlood(flood: Flood): Promise<Fared> {
  const { ASSENT_RUN: _marker, ...env } = process.env;
  const argv = ["--expose-gc", "--disable-warning=ExperimentalWarning", import.meta.filename, JSON.stringify(flood)];
  const child = spawn(process.execPath, argv, { env, stdio: ["ignore", "pipe", "pipe"] });
  const said = Promise.all([textOf(child.stdout), textOf(child.stderr)]);
  const code = await new Promise((resolve) => child.once("close", resolve));
  const [found, errors] = await said;
  if (code !== 0) throw new Error(`${flood.how} ${flood.command}: expected exit code 0, came ${code}: ${errors}`);
  return JSON.parse(found);
}

/** What is wrong with the result of a flood of `y` lines: it must be its head and its tail, and say how much is between. */
export function formFaults({ result: { text }, bytes }: Fared): readonly string[] {
  const found = /^((?:y\n)+)\[… (\d+) bytes left out; only the first \d+ bytes are in \S+ …\]\n((?:y\n)+)/.exec(text);
  if (found === null) return [`expected a head, how much is left out, and a tail; came ${text.slice(0, 300)}`];
  const [head, tail] = [found[1]?.length ?? 0, found[3]?.length ?? 0];
  const isRight = head > 8_192 && tail > 8_192 && head + tail <= 32_768;
  return isRight ? [] : [`expected 8 to 32 KiB of head and tail of ${bytes} bytes, came ${head} and ${tail}`];
}

/** The terminal of one session, called as the runtime calls it. */
export class TimedTerminal {
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "assent-timed-")));
  readonly here = join(this.folder, "here");
  readonly #session: string = crypto.randomUUID();
  readonly #attended: boolean;
  readonly #hands: Hands;
  #calls = 0;

  constructor({ attended = false } = {}) {
    this.#attended = attended;
    mkdirSync(this.here);
    const tools = eagerTools({ folder: join(this.folder, "spilled"), pty: attended });
    this.#hands = actingTool(tools, "terminal").hands;
  }

  run(given: object): Promise<ToolResult> {
    this.#calls += 1;
    const session = this.#session;
    const place = { session, cwd: this.here, terminal: { state: "never" }, seen: [] } as const;
    return this.#hands.run(this.#hands.plan(JSON.stringify(given), place), {
      ...{ session, call: `c${this.#calls}`, signal: new AbortController().signal, attended: this.#attended },
      onOutput: () => {},
      tell: (_fact: Fact) => {},
      ...nobodyAnswers,
      lend: null,
    });
  }

  async close(): Promise<void> {
    await this.#hands.close?.(this.#session, []);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Came = { readonly bytes: number; readonly result: Fared["result"] };

async function measureHere({ command, how, timeout_s }: Flood): Promise<Fared> {
  const terminal = new TimedTerminal();
  const persistent = how === "persistent";
  const flow = (): Promise<Came> =>
    how === "bare"
      ? countBare(command, timeout_s * 1_000)
      : terminal.run({ command, persistent, timeout_s }).then((result) => ({ bytes: bytesOf(result), result }));
  // What is loaded and opened once is no part of the flood.
  await (how === "bare" ? countBare("true", 10_000) : terminal.run({ command: "true", persistent }));
  globalThis.gc?.();
  // The highest mark begins anew.
  writeFileSync("/proc/self/clear_refs", "5");
  const before = memoryMb("VmRSS");
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  const since = performance.now();
  const came = await flow();
  const ms = performance.now() - since;
  delay.disable();
  const grownMb = memoryMb("VmHWM") - before;
  await terminal.close();
  return { ms, grownMb, p99Ms: delay.percentile(99) / 1e6, latestMs: delay.max / 1e6, ...came };
}

function countBare(command: string, most: number): Promise<Came> {
  return new Promise((resolve) => {
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "pipe"], detached: true });
    let bytes = 0;
    const count = (part: Buffer) => {
      bytes += part.length;
    };
    child.stdout.on("data", count);
    child.stderr.on("data", count);
    const timer = setTimeout(() => process.kill(-(child.pid ?? Number.NaN), "SIGKILL"), most);
    child.once("close", () => {
      clearTimeout(timer);
      resolve({ bytes, result: { type: "output", text: "" } });
    });
  });
}

/** How much came, as the result tells it. */
function bytesOf({ text }: ToolResult): number {
  const [, binary] = /^\[binary output, (\d+) bytes/.exec(text) ?? [];
  if (binary !== undefined) return Number(binary);
  const [note = "", left = "0"] = /^\[… (\d+) bytes left out.*\n/m.exec(text) ?? [];
  return Number(left) + Buffer.byteLength(text) - Buffer.byteLength(note);
}

function memoryMb(which: "VmRSS" | "VmHWM"): number {
  const [, found] = new RegExp(`${which}:\\s+(\\d+)`).exec(readFileSync("/proc/self/status", "utf8")) ?? [];
  return Number(found) / 1_024;
}

if (import.meta.main) {
  const [given = ""] = process.argv.slice(2);
  process.stdout.write(JSON.stringify(await measureHere(JSON.parse(given))), () => process.exit(0));
}
