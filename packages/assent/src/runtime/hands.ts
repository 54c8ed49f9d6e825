import type { ToolResult } from "../core/index.ts";
import type { Policy } from "../policy/index.ts";
import { messageOf } from "../wire/index.ts";
import { checkHands, checkPolicy } from "./check-options.ts";
import { Countdown } from "./countdown.ts";
import type { Clock, Fact, Hands, LeftBehind, Plan, Ports, Tool, WatchedCall } from "./ports.ts";
import { allEnded, settled } from "./sound.ts";

/**
 * The hands of a host's tools, by the tool's name, and the policy that judges what they would do. Those that come later are
 * loaded together, once: nothing is planned before.
 */
export class ToolHands {
  readonly #tools: readonly Tool[];
  readonly #joined: () => readonly Tool[];
  readonly #openPolicy: () => Promise<Policy>;
  #policy: Policy | null;
  readonly #loaded = new Map<string, Hands>();
  #ready: boolean;
  #loading: Promise<void> | null = null;

  constructor({ tools, joined = () => [], policy }: Pick<Ports, "tools" | "joined" | "policy">) {
    this.#tools = tools;
    this.#joined = joined;
    this.#policy = typeof policy === "function" ? null : policy;
    this.#openPolicy = typeof policy === "function" ? policy : async () => policy;
    // As elsewhere, of two tools with one name the first counts.
    for (const { name, hands } of tools.toReversed()) if (typeof hands === "object") this.#loaded.set(name, hands);
    this.#ready = this.#policy !== null && !tools.some(({ hands }) => typeof hands === "function");
  }

  get ready(): boolean {
    return this.#ready;
  }

  get policy(): Policy {
    if (this.#policy === null) throw new Error("a call was judged before the policy was loaded");
    return this.#policy;
  }

  get all(): readonly Hands[] {
    return [...this.#loaded.values()];
  }

  of(tool: string): Hands | undefined {
    const known = this.#loaded.get(tool);
    if (known !== undefined) return known;
    // Nothing is loaded for those that come and go: what they need they load themselves.
    const hands = this.#joined().find(({ name }) => name === tool)?.hands;
    return typeof hands === "object" ? hands : undefined;
  }

  load(): Promise<void> {
    if (this.#ready) return Promise.resolve();
    this.#loading ??= this.#load().finally(() => {
      // What failed once is tried again by whoever needs it next.
      this.#loading = null;
    });
    return this.#loading;
  }

  async #load(): Promise<void> {
    const [policy, ...loaded] = await Promise.all([
      this.#openPolicy(),
      ...this.#tools.map(async ({ name, hands }) => [name, await loadedHands(name, hands)] as const),
    ]);
    checkPolicy(policy);
    this.#policy = policy;
    for (const [name, hands] of loaded.toReversed()) if (hands !== undefined) this.#loaded.set(name, hands);
    this.#ready = true;
  }
}

async function loadedHands(tool: string, hands: Tool["hands"]): Promise<Hands | undefined> {
  if (typeof hands !== "function") return hands;
  let loaded: Hands;
  try {
    loaded = await hands();
  } catch (error) {
    throw new Error(`the hands of ${tool} could not be loaded: ${messageOf(error)}`, { cause: error });
  }
  checkHands(tool, loaded);
  return loaded;
}

const merged = new WeakMap<readonly Tool[], WeakMap<readonly Tool[], readonly Tool[]>>();

/** All tools as they are now, the lasting ones first: of two with one name the first counts. */
export function toolsNow({ tools, joined }: Pick<Ports, "tools" | "joined">): readonly Tool[] {
  const more = joined?.() ?? [];
  if (more.length === 0) return tools;
  // Several hosts may share either list.
  const known = merged.get(tools) ?? new WeakMap<readonly Tool[], readonly Tool[]>();
  merged.set(tools, known);
  const all = known.get(more) ?? [...tools, ...more];
  known.set(more, all);
  return all;
}

/** What is left of the time that a call may take. Then it is told to end; how it ended is its tool's to say. */
export class CallTime {
  #left: Countdown | null;
  #asked = 0;

  constructor(tool: string, controller: AbortController, { clock, ...all }: Pick<Ports, "tools" | "joined" | "clock">) {
    const ms = toolsNow(all).find(({ name }) => name === tool)?.timeoutMs;
    this.#left = ms === undefined ? null : new Countdown(clock, ms, () => controller.abort("timeout"));
  }

  /** Stands still until they have answered: the time that people take is not the call's (INT-13). */
  async without<T>(answer: Promise<T>): Promise<T> {
    this.#asked += 1;
    this.#left?.pause();
    try {
      return await answer;
    } finally {
      this.#asked -= 1;
      if (this.#asked === 0) this.#left?.resume();
    }
  }

  end(): void {
    this.#left?.end();
    this.#left = null;
  }
}

/** What cannot be done is allowed because nothing is done: no tool gets to run it. */
export async function runPlan(plan: Plan, hands: Hands, watched: WatchedCall): Promise<ToolResult> {
  return plan.fails === undefined ? hands.run(plan, watched) : { type: "error", text: plan.fails };
}

export type Handling = {
  readonly session: string;
  readonly hands: ToolHands;
  readonly clock: Clock;
  readonly tell: (fact: Fact) => void;
  readonly onReady: () => void;
  readonly onFailure: (error: unknown) => void;
};

/** The hands as one session has them: before they do anything they know what an earlier process left running in it. */
export class SessionHands {
  readonly #handling: Handling;
  #left: LeftBehind | null = null;
  #needed = false;
  #cancel: (() => void) | null = null;

  constructor(handling: Handling) {
    this.#handling = handling;
  }

  get ready(): boolean {
    return this.#handling.hands.ready && this.#left === null;
  }

  of(tool: string): Hands | undefined {
    return this.#handling.hands.of(tool);
  }

  get policy(): Policy {
    return this.#handling.hands.policy;
  }

  /** Loads them, and tells when they can be used. */
  need(): void {
    if (this.ready || this.#needed) return;
    this.#needed = true;
    const { onReady, onFailure } = this.#handling;
    void this.#load().then(onReady, onFailure);
  }

  /** They may be needed soon: loads them in a moment, when what is more urgent has been done. */
  expect(): void {
    if (this.ready || this.#needed || this.#cancel !== null) return;
    this.#cancel = this.#handling.clock.after(0, () => this.need());
  }

  /** They are not needed after all, unless something was left running: of that the session wants to know. */
  forgo(): void {
    if (this.#left === null) this.#stopExpecting();
  }

  adopt(processes: LeftBehind["processes"]): void {
    const { session, hands, tell } = this.#handling;
    this.#left = { session, processes, tell };
    if (hands.ready) this.#tellLeft();
    else this.expect();
  }

  /** Ends whatever runs in the session but these. Where nothing was done and nothing was left, nothing is loaded for it. */
  async close(kept: readonly string[]): Promise<void> {
    const { session, hands } = this.#handling;
    this.#stopExpecting();
    if (!hands.ready && this.#left === null) return;
    await this.#bounded(() => this.#load());
    await allEnded(hands.all.map((each) => this.#bounded(async () => each.close?.(session, kept))));
  }

  /** Who leaves waits no longer for hands than for what they do. */
  async #bounded(start: () => Promise<void>): Promise<void> {
    const { session, clock } = this.#handling;
    const end = await settled(start, { signal: AbortSignal.abort(), clock });
    if (end === "given-up") throw new Error(`session ${session}: a tool was told to close and has not done so in time`);
    if ("threw" in end) throw end.threw;
  }

  async #load(): Promise<void> {
    await this.#handling.hands.load();
    this.#tellLeft();
  }

  #tellLeft(): void {
    const left = this.#left;
    if (left === null) return;
    this.#left = null;
    for (const each of this.#handling.hands.all) each.adopt?.(left);
  }

  #stopExpecting(): void {
    this.#cancel?.();
    this.#cancel = null;
  }
}
