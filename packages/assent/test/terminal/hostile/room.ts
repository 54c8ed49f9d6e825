import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InputDraft, ToolResult } from "../../../src/core/index.ts";
import { runPlan } from "../../../src/runtime/hands.ts";
import type { Fact, Hands, Place, Typed } from "../../../src/runtime/ports.ts";
import { nobodyAnswers } from "../../fixtures/nobody.ts";
import { all, described, descriptors, isAlive, kill, look, marked, now, zombies } from "./processes.ts";
import type { Reaction } from "./row.ts";
import { actingTool, type EagerTool, eagerTools } from "./subject.ts";

/** How long anything may take that must come to an end; nothing else is measured by the clock. */
const patienceMs = 30_000;
/** The marker of all that is started here begins so. */
export const ours = `hostile-${process.pid}-`;

/** What these tests start carries variables: one that commands see, one that they do not. */
process.env["HOSTILE_SECRET"] = "do not tell";
process.env["HOSTILE_OPEN"] = "open";

let rooms = 0;

/** One session with its tools, a folder to work in and all that it is told; as a real session would keep it. */
export class Room {
  readonly session: string;
  readonly folder = realpathSync(mkdtempSync(join(tmpdir(), "assent-hostile-")));
  readonly here = join(this.folder, "here");
  readonly spilled = join(this.folder, "spilled");
  readonly facts: Fact[] = [];
  readonly asked: InputDraft[] = [];
  readonly #tools: readonly EagerTool[];
  readonly #reactions: readonly Reaction[] | undefined;
  readonly #since = now();
  #terminal: Place["terminal"] = { state: "never" };
  #calls = 0;

  constructor(reactions?: readonly Reaction[]) {
    rooms += 1;
    this.session = `${ours}${rooms}`;
    this.#reactions = reactions;
    mkdirSync(this.here);
    mkdirSync(this.spilled, { mode: 0o700 });
    this.#tools = eagerTools({
      ...{ shell: "bash", folder: this.spilled, hidden: ["HOSTILE_SECRET"], pty: reactions !== undefined },
    });
  }

  /** Makes a call as the runtime does: what cannot be read is never run. */
  async call(name: string, given: object, { signal, cwd = this.here }: Circumstances = {}): Promise<ToolResult> {
    const tool = actingTool(this.#tools, name);
    const text = JSON.stringify(given);
    const read = tool.read(text);
    if (read.type === "invalid") return { type: "error", text: read.reason };
    this.#calls += 1;
    const call = `c${this.#calls}`;
    const plan = tool.hands.plan(text, { session: this.session, cwd, terminal: this.#terminal, seen: [] });
    return inTime(`${name} ${text.slice(0, 200)} returns`, runPlan(plan, tool.hands, this.#watched(call, signal)));
  }

  /** The process that was told of last. */
  newest(): string {
    return this.facts.findLast((fact) => fact.type === "process")?.process ?? "none";
  }

  /** What the programs wrote down. */
  pids(): readonly number[] {
    const file = join(this.here, "pids");
    return existsSync(file) ? readFileSync(file, "utf8").split(/\s+/).filter(Boolean).map(Number) : [];
  }

  /** Of what was written down, what lives. */
  reported(): readonly number[] {
    return this.pids().filter((pid) => {
      const seen = look(pid);
      return seen !== null && isAlive(seen) && seen.born >= this.#since;
    });
  }

  /** Ends the session and says what it should have ended. */
  async close({ escapes = false } = {}): Promise<readonly string[]> {
    const failures: string[] = [];
    for (const { name, hands } of this.#tools) {
      const closed = inTime(`${name} closes the session`, hands?.close?.(this.session, []) ?? Promise.resolve());
      await closed.catch((error: unknown) => failures.push(String(error)));
    }
    if (escapes) this.clear();
    const alive = await left("processes are alive", () => [
      ...new Set([...marked(`${this.session}/`), ...this.reported()]),
    ]);
    failures.push(...alive.map((text) => `after the session was closed ${text}`));
    this.clear();
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
    return failures;
  }

  /** Ends by force whatever still lives, also what only its parent knows of. */
  clear(): void {
    for (let rounds = 0; rounds < 50; rounds++) {
      const found = [...marked(`${this.session}/`), ...this.reported()];
      if (found.length === 0) return;
      for (const pid of [...found, ...found.flatMap(children)]) kill(pid);
    }
  }

  #watched(call: string, signal = new AbortController().signal): Parameters<Hands["run"]>[1] {
    return {
      ...{ session: this.session, call, signal, onOutput: () => {}, attended: this.#reactions !== undefined },
      tell: (fact) => this.#tell(fact),
      ...nobodyAnswers,
      ask: (draft) => this.#react(draft),
      lend: null,
    };
  }

  #tell(fact: Fact): void {
    this.facts.push(fact);
    if (fact.type !== "terminal") return;
    const { state, cwd } = fact;
    this.#terminal = state === "opened" ? { state: "open", cwd } : { state: "closed", cwd, lost: state === "lost" };
  }

  async #react(draft: InputDraft): Promise<Typed | null> {
    this.asked.push(draft);
    const reactions = this.#reactions ?? [null];
    const reaction = reactions[Math.min(this.asked.length, reactions.length) - 1];
    return reaction === undefined ? new Promise(() => {}) : reaction;
  }
}

/** Tries something and says also what this process did not give back: children that nobody asked for, descriptors. */
export async function watched(play: () => Promise<readonly string[]>): Promise<readonly string[]> {
  const before = descriptors();
  const more = () => {
    const open = descriptors();
    const found = [...open].filter(([name, to]) => before.get(name) !== to && !isOwn(to));
    return open.size > before.size ? found.map(([name, to]) => `${name} → ${to}`) : [];
  };
  const failures = await play();
  const unasked = await left("children are zombies", zombies);
  return [...failures, ...unasked, ...(await left("descriptors are open that were not before", more))];
}

export type Circumstances = { readonly signal?: AbortSignal; readonly cwd?: string };

/** The folder by which this is read. */
function isOwn(to: string): boolean {
  return to === "closed" || /^\/proc\/\d+\/fd$/.test(to);
}

function children(pid: number): readonly number[] {
  return all()
    .filter((seen) => seen.parent === pid && isAlive(seen))
    .map((seen) => seen.pid);
}

/** What does not go away, though it is waited for. */
async function left(what: string, find: () => readonly (number | string)[]): Promise<readonly string[]> {
  const gone = await eventually(() => find().length === 0, 5_000);
  const found = gone ? [] : find();
  if (found.length === 0) return [];
  const shown = found.slice(0, 5).map((one) => (typeof one === "number" ? described(one) : one));
  return [`${found.length} ${what}: ${shown.join(", ")}`];
}

/** Whether it comes to be so; not how fast. */
export async function eventually(look: () => boolean, ms = patienceMs): Promise<boolean> {
  const end = performance.now() + ms;
  while (!look()) {
    if (performance.now() > end) return false;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return true;
}

/** A wait that does not itself last for ever: that is what is tested here. */
async function inTime<T>(what: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`waited ${patienceMs / 1_000} s in vain until ${what}`)), patienceMs);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
