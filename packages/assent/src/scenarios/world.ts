import { setImmediate } from "node:timers/promises";
import type { ToolResult } from "../core/index.ts";
import type { Plan, Policy } from "../policy/index.ts";
import { scriptedProvider } from "../providers/index.ts";
import type { Clock, Hands, ModelQuestion, Provider, Tool, WatchedCall } from "../runtime/index.ts";
import { openRedacting } from "../runtime/redaction.ts";
import { openTools, type SlashPort } from "../tools/index.ts";
import type { JudgedForm, Meanwhile, SessionPart } from "./scenario.ts";
import type { PlayScreen } from "./screen.ts";
import { deedOf, plainPlaces, planOf, playedPolicy, verdictOf } from "./stand-ins.ts";

export type WorldOptions = {
  readonly part: SessionPart;
  readonly screen: PlayScreen;
  readonly clock: Clock;
  /** A real model, in the place of the script. */
  readonly live: Provider | null;
  /** Something is typed while something else is under way. */
  readonly type: (typed: Meanwhile) => Promise<void>;
  /** The commands of the shell, as far as a model may run them: they concern the session alone, and are real. */
  readonly slash: SlashPort;
};

/** Tools that reach no further than Assent itself. */
const ownTools: readonly string[] = ["slash_invoke", "run_interactive"];

/** What a session of a play meets outside: the model, the tools and the policy, as the scenario has them. */
export class World {
  readonly #options: WorldOptions;
  readonly #policy = playedPolicy();
  /** Words of the policy that wait for the calls they are about. */
  readonly #judged: JudgedForm[] = [];
  /** The word on the call that is being judged. */
  #word: JudgedForm | null = null;
  readonly #changes = new Map<string, NonNullable<Plan["change"]>>();
  #ran = 0;
  /** What is typed during a live play, by what is under way. */
  readonly #meanwhile: { readonly during: "model" | "command"; readonly typed: Meanwhile }[] = [];
  /** Real requests and commands that are under way. */
  readonly #outside = new Set<Promise<unknown>>();
  readonly asked: ModelQuestion[] = [];
  readonly executed: string[] = [];

  constructor(options: WorldOptions) {
    this.#options = options;
  }

  expect(judged: readonly JudgedForm[]): void {
    this.#judged.push(...judged);
  }

  expectTyping(during: "model" | "command", typed: Meanwhile): void {
    this.#meanwhile.push({ during, typed });
  }

  /** Resolves when something of it has ended; `null` when nothing real is under way. */
  outside(): Promise<unknown> | null {
    return this.#outside.size === 0 ? null : Promise.race(this.#outside);
  }

  provider(): Provider {
    const { part, clock, live } = this.#options;
    const { window } = part.settings;
    const name = "of the scenario";
    const script = scriptedProvider({ replies: part.script.map(({ reply }) => reply), name, clock });
    return {
      window: live === null ? window : (live.window ?? null),
      ask: async (question, watched) => {
        // A model takes a moment, in which all that came before is shown; and who has left by then has not asked.
        await setImmediate();
        if (watched.signal.aborted) return { type: "abandoned" };
        this.asked.push(question);
        if (live !== null) return this.#real(this.#askLive(live, question, watched));
        const line = part.script[question.number - 1];
        if (line !== undefined) await this.#begin(line.line, line.meanwhile);
        this.expect(line?.judged ?? []);
        return script.ask(question, watched);
      },
    };
  }

  policy(): Policy {
    const real = this.#policy;
    return {
      version: real.version,
      wants: (plan) => real.wants?.(plan) ?? [],
      judge: (plan, grants = []) => {
        // Asked a second time with what is granted, it is about the same call.
        if (grants.length === 0) this.#word = this.#judged.shift() ?? null;
        const word = this.#word;
        if (word === null) return real.judge(plan, grants);
        if (grants.length === 0) this.#options.screen.form(word.line);
        return verdictOf(word.judged);
      },
    };
  }

  tools(): readonly Tool[] {
    const { part, slash } = this.#options;
    const redacting = openRedacting(() => []);
    const tools = openTools({ shell: "bash", folder: "/nowhere", hidden: [], pty: false, redacting, slash });
    return tools.map((tool) => {
      const { hands } = tool;
      if (hands === undefined) return tool;
      const isReal = part.settings.real || ownTools.includes(tool.name);
      if (!isReal) return { ...tool, hands: this.#hands(tool.name) };
      const own = (given: Hands) => this.#realHands(tool.name, given);
      return { ...tool, hands: typeof hands === "function" ? async () => own(await hands()) : own(hands) };
    });
  }

  #hands(tool: string): Hands {
    return {
      plan: (given, place) => ({ ...planOf(tool, given, place), ...this.#change(`${tool} ${given}`) }),
      run: (plan, watched) => this.#run(plan, watched),
      realPlaces: plainPlaces,
    };
  }

  /** What it does is told by the arguments, as of any other: what else is in the plan differs from machine to machine. */
  #realHands(tool: string, hands: Hands): Hands {
    const planned = new Map<string, Plan>();
    return {
      ...hands,
      plan: (given, place) => {
        const plan = hands.plan(given, place);
        planned.set(JSON.stringify(plan.more), planOf(tool, given, place));
        return plan;
      },
      run: async (plan, watched) => {
        await this.#start(planned.get(JSON.stringify(plan.more)) ?? plan);
        return this.#real(hands.run(plan, watched));
      },
    };
  }

  /** The change that a call is about, where a word on it says so: no file is there to tell. */
  #change(call: string): Pick<Plan, "change"> {
    // It is planned once more before it runs, and must be the same then.
    const change = this.#changes.get(call) ?? this.#judged[0]?.judged.change;
    if (change === undefined) return {};
    this.#changes.set(call, change);
    return { change };
  }

  async #run(plan: Plan, { signal }: WatchedCall): Promise<ToolResult> {
    const line = await this.#start(plan);
    await setImmediate();
    if (signal.aborted) return { type: "output", text: "[stopped]", signal: "SIGTERM" };
    return line?.result?.result ?? { type: "output", text: `ran ${deedOf(plan)}`, exit: 0 };
  }

  async #start(plan: Plan) {
    await setImmediate();
    const { part, screen, live } = this.#options;
    const deed = deedOf(plan);
    this.executed.push(deed);
    // A real model may do the same in another order.
    const line = live === null ? part.commands[this.#ran++] : part.commands.find(({ command }) => command === deed);
    const expected = line?.command === deed ? line : null;
    screen.form(`executes ${deed}`);
    if (live === null) await this.#type(expected?.meanwhile ?? []);
    else await this.#typeLive("command");
    if (live === null && expected?.result) screen.form(expected.result.line);
    return expected;
  }

  async #begin(line: string, meanwhile: readonly Meanwhile[]): Promise<void> {
    this.#options.screen.form(line);
    await this.#type(meanwhile);
  }

  async #type(meanwhile: readonly Meanwhile[]): Promise<void> {
    for (const typed of meanwhile) await this.#options.type(typed);
  }

  async #askLive(live: Provider, question: ModelQuestion, watched: Parameters<Provider["ask"]>[1]) {
    const answer = live.ask(question, watched);
    await this.#typeLive("model");
    return answer;
  }

  async #typeLive(during: "model" | "command"): Promise<void> {
    const next = this.#meanwhile[0];
    if (next?.during !== during) return;
    this.#meanwhile.shift();
    await this.#options.type(next.typed);
  }

  async #real<T>(under: Promise<T>): Promise<T> {
    this.#outside.add(under);
    try {
      return await under;
    } finally {
      this.#outside.delete(under);
    }
  }
}
