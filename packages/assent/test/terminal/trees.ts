import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { Random } from "../simulation/random.ts";
import { described, isAlive, look, marked } from "./hostile/processes.ts";
import { eventually, Room } from "./hostile/room.ts";

/** How a tree is ended: the call is stopped, its time is over, its session closed, or the product gets the signal. */
export type Way = "abort" | "timeout" | "close" | "SIGTERM" | "SIGINT";

/** The same number of the same seed is always the same trial. */
export type Numbered = { readonly seed: number; readonly number: number };

export type Ended = Numbered & {
  readonly way: Way;
  /** Some of it hear no SIGTERM. */
  readonly deaf: boolean;
  readonly size: number;
  /** From the request until all of it was gone. */
  readonly ms: number;
  /** What was not as it must be: above all, what survived. */
  readonly failures: readonly string[];
};

export type Tree = { readonly command: string; readonly size: number; readonly deaf: boolean };

/** In turn. */
const ways: readonly Way[] = [
  ...(["abort", "close", "timeout", "SIGTERM", "abort", "close", "abort"] as const),
  ...(["timeout", "close", "abort", "SIGINT", "close", "abort", "timeout"] as const),
];
/** Of the trees, so many have somebody in them who hears no SIGTERM. */
const deafShare = 0.3;
/** What is not gone by then survives. */
const patienceMs = 8_000;

/** How a process starts another. `escaped` do not stay with their parent: of one without the marker nothing leads there. */
const links = {
  child: { weight: 3, escaped: false, write: (of: string) => `bash ${of} &` },
  bare: { weight: 2, escaped: false, write: (of: string) => `env -i bash ${of} &` },
  session: { weight: 2, escaped: false, write: (of: string) => `setsid bash ${of} &` },
  nohup: { weight: 1, escaped: false, write: (of: string) => `nohup bash ${of} > /dev/null 2>&1 &` },
  daemon: { weight: 1, escaped: true, write: (of: string) => `setsid -f bash ${of}` },
  orphan: { weight: 2, escaped: true, write: (of: string) => `( bash ${of} & )` },
} as const;
type Link = keyof typeof links;

/** What it does when it has started all others; each holds on for longer than any trial. */
const rests = ["exec sleep 1000", "wait; exec sleep 1000", "while :; do sleep 0.05; done"] as const;

export function wayOf({ number }: Numbered): Way {
  return ways[number % ways.length] ?? "abort";
}

/** Writes the programs of a tree into a folder; each of its processes adds its pid to `pids` there. */
export function plant({ seed, number }: Numbered, folder: string, pids: string): Tree {
  mkdirSync(folder, { recursive: true });
  return new Gardener(new Random(seed, number, 2), folder, pids).tree();
}

class Gardener {
  readonly #random: Random;
  readonly #folder: string;
  readonly #pids: string;
  readonly #most: number;
  readonly #deafTree: boolean;
  #size = 0;
  #deaf = false;

  constructor(random: Random, folder: string, pids: string) {
    this.#random = random;
    this.#folder = folder;
    this.#pids = pids;
    this.#most = 2 + random.below(11);
    this.#deafTree = random.chance(deafShare);
  }

  tree(): Tree {
    const root = this.#grow(0, false);
    // Whether the command's own shell stays or becomes the root.
    const command = this.#random.chance(0.5) ? `bash ${root}` : `bash ${root}; echo over`;
    return { command, size: this.#size, deaf: this.#deaf };
  }

  /** `bare`: it or one that it comes from has an empty environment. */
  #grow(depth: number, bare: boolean): string {
    this.#size += 1;
    const file = join(this.#folder, `${this.#size}.sh`);
    const isDeaf = this.#deafTree && (this.#random.chance(0.3) || (!this.#deaf && this.#size === this.#most));
    this.#deaf ||= isDeaf;
    const lines = [...(isDeaf ? ["trap '' TERM"] : []), `echo $$ >> ${this.#pids}`];
    for (let more = this.#random.below(depth < 4 ? 4 : 1); more > 0 && this.#size < this.#most; more--) {
      lines.push(this.#branch(depth, bare));
    }
    const nested = depth < 4 && this.#size < this.#most && this.#random.chance(0.4);
    if (nested) lines.push(`bash ${this.#grow(depth + 1, bare)}`);
    lines.push(rests[this.#random.below(rests.length)] ?? rests[0]);
    writeFileSync(file, `${lines.join("\n")}\n`);
    return file;
  }

  #branch(depth: number, bare: boolean): string {
    if (this.#random.chance(0.25)) {
      const parts = Array.from({ length: 2 + this.#random.below(2) }, () => `bash ${this.#grow(depth + 1, bare)}`);
      return `${parts.join(" | ")} &`;
    }
    const link = this.#link(bare);
    return links[link].write(this.#grow(depth + 1, bare || link === "bare"));
  }

  #link(bare: boolean): Link {
    const weight = (link: Link) => (bare && links[link].escaped ? 0 : links[link].weight);
    return this.#random.weighted({
      ...{ child: weight("child"), bare: weight("bare"), session: weight("session") },
      ...{ nohup: weight("nohup"), daemon: weight("daemon"), orphan: weight("orphan") },
    });
  }
}

/** The clock that all processes of a machine share. */
export function clockMs(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

export function pidsIn(file: string): readonly number[] {
  try {
    return readFileSync(file, "utf8").split("\n").filter(Boolean).map(Number);
  } catch {
    return [];
  }
}

export function isGone(pid: number): boolean {
  const seen = look(pid);
  return seen === null || !isAlive(seen);
}

/** Looks each millisecond until all are gone; when that was, or `null` when it is not so in time. */
export async function goneAt(pids: readonly number[], signal?: AbortSignal): Promise<number | null> {
  let left = pids;
  let end = Number.POSITIVE_INFINITY;
  for (;;) {
    left = left.filter((pid) => !isGone(pid));
    const now = clockMs();
    if (left.length === 0) return now;
    // From the end of the trial on the patience counts.
    if (signal === undefined || signal.aborted) end = Math.min(end, now + patienceMs);
    if (now > end) return null;
    await sleep(1);
  }
}

type Said =
  | { readonly type: "ready"; readonly number: number; readonly pids: readonly number[] }
  | ({ readonly type: "done"; readonly requested: number } & Omit<Ended, "ms">);

/** Trees are ended one after the other in another process, which does only that; this one looks. */
export async function tryTrees(seed: number, numbers: readonly number[]): Promise<readonly Ended[]> {
  const { ASSENT_RUN: _marker, ...env } = process.env;
  const argv = ["--disable-warning=ExperimentalWarning", import.meta.filename, String(seed), ...numbers.map(String)];
  const child = spawn(process.execPath, argv, { env, stdio: ["pipe", "pipe", "inherit"] });
  const found: Ended[] = [];
  let over = new AbortController();
  let gone: Promise<number | null> = Promise.resolve(null);
  for await (const line of createInterface(child.stdout)) {
    const said: Said = JSON.parse(line);
    if (said.type === "ready") {
      over = new AbortController();
      gone = goneAt(said.pids, over.signal);
      continue;
    }
    over.abort();
    const { type: _type, requested, ...ended } = said;
    const at = await gone;
    found.push({ ...ended, ms: (at ?? Number.POSITIVE_INFINITY) - requested });
    child.stdin.write("next\n");
  }
  const missing = numbers.filter((number) => !found.some((ended) => ended.number === number));
  if (missing.length > 0) throw new Error(`expected a result of each trial of seed ${seed}, came none of ${missing}`);
  return found;
}

/** In the process that runs the tool: one trial. */
async function play(numbered: Numbered): Promise<void> {
  const random = new Random(numbered.seed, numbered.number, 3);
  const way = wayOf(numbered);
  const persistent = random.chance(0.4);
  // With a person there, the command has a terminal.
  const room = new Room(random.chance(0.25) ? [] : undefined);
  const tree = plant(numbered, join(room.folder, "tree"), join(room.here, "pids"));
  const opened = persistent ? await room.call("terminal", { command: "echo $$", persistent }) : { text: "0" };
  const shell = Number.parseInt(opened.text, 10);
  const controller = new AbortController();
  const timeout_s = way === "timeout" ? 1 + random.next() : 60;
  const given = { command: tree.command, persistent, timeout_s };
  const due = clockMs() + timeout_s * 1_000;
  let returned = false;
  const pending = room.call("terminal", given, { signal: controller.signal }).finally(() => {
    returned = true;
  });
  const isReady = () => room.pids().length === tree.size;
  await eventually(() => isReady() || returned);
  const failures = isReady() ? [] : [`expected ${tree.size} processes, came ${room.pids().length}`];
  say({ type: "ready", number: numbered.number, pids: room.pids() });
  await sleep(10 + random.below(300));
  if (returned && way !== "timeout") failures.push(`it ended before the kill: ${(await pending).text.slice(0, 300)}`);
  const requested = way === "timeout" ? due : clockMs();
  if (way === "abort") controller.abort("stopped");
  if (way === "close") failures.push(...(await room.close()));
  const { text } = await pending;
  if (way !== "close") {
    const survivors = [...new Set([...room.reported(), ...marked(`${room.session}/`)])].filter((pid) => pid !== shell);
    failures.push(...survivors.map((pid) => `survived: ${described(pid)}; the result says ${text.slice(-300)}`));
    failures.push(...(await room.close()));
  }
  say({ type: "done", ...numbered, way, deaf: tree.deaf, size: tree.size, requested, failures });
}

function say(said: Said): void {
  process.stdout.write(`${JSON.stringify(said)}\n`);
}

async function main([seed, ...numbers]: readonly number[]): Promise<void> {
  const heard = createInterface(process.stdin)[Symbol.asyncIterator]();
  for (const number of numbers) {
    await play({ seed: seed ?? 0, number });
    // Whoever started it to know is gone.
    if ((await heard.next()).done === true) break;
  }
  process.exit(0);
}

if (import.meta.main) await main(process.argv.slice(2).map(Number));
