import type { Flow, Grant } from "../../src/core/index.ts";
import type { Policy } from "../../src/policy/index.ts";
import {
  type Clock,
  type Grants,
  GrantsError,
  type Journal,
  JournalError,
  type MemoryStore,
  type ModelQuestion,
  memoryStore,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  type Ports,
  type SessionHost,
  type Tool,
} from "../../src/runtime/index.ts";
import { ruleOf } from "../core/grants.ts";
import { policy } from "../policy/cautious.ts";
import { type EagerTool, eagerTools } from "../tools/eager.ts";
import { eventOf } from "./lines.ts";
import { Random } from "./random.ts";
import { replyTo } from "./script.ts";
import { VirtualClock } from "./virtual-clock.ts";

const tools = eagerTools();

/** What a person granted before, for some calls only. */
export const given: Grant = { ...ruleOf("touch file-0"), id: "given", scope: "user", created: 0, uses: 2 };

/** What a command asks while it runs: one question, or several and a summary. */
const options = ["First", "Second"].map((label, index) => ({ id: String(index + 1), label }));
const asked: Flow = {
  steps: ["one", "two"].map((key) => ({ key, question: `Which ${key}?`, options, allow_free_text: true })),
};

/** Whatever asks can be granted, and is then allowed as it is. */
const granting: Policy = {
  version: policy.version,
  judge(plan, grants = []) {
    const word = policy.judge(plan);
    if (word.verdict !== "ask" || plan.command === undefined) return word;
    const grantable = ruleOf(plan.command);
    const grant = grants.find(({ signature }) => signature === grantable.signature);
    if (grant === undefined) return { ...word, grantable };
    return { verdict: "allow", rule: "granted", reason: "a person granted it", granted: grant.id };
  },
};

/** The process died at this moment: whatever it would have done next, it did not. */
export class Crash extends Error {}

/** What outlives processes: the store, time, and what commands have done to the world. */
export class World {
  readonly seed: number;
  readonly clock = new VirtualClock();
  readonly store: MemoryStore;
  readonly secrets = new Map<string, string>();
  readonly grants = new Map<string, Grant>([[given.id, given]]);
  readonly uses = new Map<string, readonly string[]>();
  /** What was put there, each time. */
  readonly saved: Grant[] = [];
  readonly alive = new Set<number>();
  /** How what commands asked ended, as they were told. */
  readonly forms: { readonly call: string; readonly end: string }[] = [];
  /** How often each call was really started. */
  readonly starts = new Map<string, number>();
  readonly questions: { readonly process: number; readonly question: ModelQuestion }[] = [];
  /** The name of every point of I/O so far. */
  readonly points: string[] = [];
  readonly expiryMs: number | null;
  readonly #crashAt: ReadonlySet<number>;
  #processes = 0;

  constructor(seed: number, crashAt: readonly number[]) {
    this.seed = seed;
    this.#crashAt = new Set(crashAt);
    this.expiryMs = new Random(seed, 7).chance(0.5) ? 400 : null;
    this.store = memoryStore(({ pid }) => this.alive.has(pid));
  }

  start(): Process {
    this.#processes += 1;
    return new Process(this, this.#processes);
  }

  /** What happens right here: mostly nothing. A fifth of what goes wrong at the journal is a disk that fails once. */
  reach(name: string): "nothing" | "crash" | "fault" {
    this.points.push(name);
    const { length } = this.points;
    if (!this.#crashAt.has(length)) return "nothing";
    return length % 5 === 0 && /^(append|read|take|look|save)/.test(name) ? "fault" : "crash";
  }
}

/** One process on the world's store: every port it has passes a point at which it may die, before and after. */
export class Process {
  readonly pid: number;
  readonly host: SessionHost;
  readonly #world: World;

  constructor(world: World, pid: number) {
    this.#world = world;
    this.pid = pid;
    world.alive.add(pid);
    this.host = openHost(this.#ports());
  }

  get dead(): boolean {
    return !this.#world.alive.has(this.pid);
  }

  kill(): void {
    this.#world.alive.delete(this.pid);
  }

  #point(name: string): void {
    const happens = this.dead ? "nothing" : this.#world.reach(name);
    if (happens === "crash") this.kill();
    if (this.dead) throw new Crash(name);
    if (happens === "fault") throw name.startsWith("save") ? new GrantsError(name) : new JournalError("io", name);
  }

  #around<T>(name: string, body: () => T): T {
    this.#point(`${name} before`);
    const result = body();
    this.#point(`${name} after`);
    return result;
  }

  #ports(): Ports {
    const { clock, expiryMs } = this.#world;
    return {
      journal: this.#journal(openMemoryJournal(this.#world.store)),
      secrets: openVolatileSecrets(this.#world.secrets),
      grants: this.#grants(openVolatileGrants(this.#world.grants, this.#world.uses)),
      provider: { ask: (question) => this.#ask(question) },
      tools: tools.map((tool) => (tool.hands === undefined ? tool : this.#simulated(tool))),
      runs: () => false,
      policy: granting,
      clock: this.#clock(clock),
      holder: { pid: this.pid, started: String(this.pid), boot: "", host: String(this.pid) },
      newId: () => "s",
      expiryMs,
      softOffers: "regenerate",
      context: () => this.#around("context", () => `day ${Math.floor(clock.now() / 5_000)}`),
    };
  }

  #journal(journal: Journal): Journal {
    return {
      append: (...given) => this.#around("append", () => journal.append(...given)),
      read: (...given) => this.#around("read", () => this.#read(...given)),
      outline: () => this.#around("outline", () => journal.outline()),
      heads: () => journal.heads(),
      revision: () => journal.revision(),
      takeLease: (...given) => this.#around("take lease", () => journal.takeLease(...given)),
      releaseLease: (...given) => this.#around("release lease", () => journal.releaseLease(...given)),
      leaseHolder: (...given) => this.#around("look at lease", () => journal.leaseHolder(...given)),
      remove: (session) => journal.remove(session),
      verify: (...given) => journal.verify(...given),
      close: () => journal.close(),
    };
  }

  #read(session: string, after: number, most?: number): ReturnType<Journal["read"]> {
    const rows = this.#world.store.sessions.get(session) ?? [];
    const events = rows.slice(after, most === undefined ? undefined : after + most).flatMap(({ line }) => {
      const decoded = eventOf(line);
      return decoded.type === "event" ? [{ seq: decoded.seq, session, event: decoded.event }] : [];
    });
    return { events, damage: null };
  }

  #grants(grants: Grants): Grants {
    return {
      ...grants,
      use: (...given) => this.#around("use", () => grants.use(...given)),
      put: (grant) => {
        this.#point("save before");
        this.#world.saved.push(grant);
        grants.put(grant);
        try {
          this.#point("save after");
        } catch (error) {
          if (error instanceof GrantsError) grants.remove(grant.id);
          throw error;
        }
      },
    };
  }

  /** A dead process is called by no timer. */
  #clock(clock: Clock): Clock {
    return { now: () => clock.now(), after: (ms, then) => clock.after(ms, () => this.dead || then()) };
  }

  async #ask(question: ModelQuestion) {
    this.#point("ask before");
    this.#world.questions.push({ process: this.pid, question });
    const random = new Random(this.#world.seed, question.number, 1);
    if (random.chance(0.5)) await this.#wait(random.below(120));
    return this.#around("answer", () => replyTo(question, this.#world.seed));
  }

  #simulated(tool: EagerTool): Tool {
    const { hands } = tool;
    if (hands === undefined) return tool;
    return {
      ...tool,
      hands: {
        plan: (given, place) => hands.plan(given, place),
        run: async (_plan, { call, signal, form }) => {
          this.#point("spawn before");
          this.#world.starts.set(call, (this.#world.starts.get(call) ?? 0) + 1);
          this.#point("spawn after");
          const random = new Random(this.#world.seed, this.#world.points.length, 2);
          if (random.chance(0.5)) await this.#wait(random.below(120));
          if (random.chance(0.2)) {
            const end = await form(asked);
            this.#world.forms.push({ call, end: end.type === "filled" ? "confirmed" : end.why });
          }
          this.#point("end of command");
          return { type: "output", text: signal.aborted ? "killed" : `did ${call}`, exit: 0 };
        },
      },
    };
  }

  #wait(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#world.clock.after(ms, resolve);
    });
  }
}
