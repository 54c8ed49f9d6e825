import type { InputBody, Session, SessionEvent } from "../../src/core/index.ts";
import { openPolicy } from "../../src/policy/index.ts";
import { scriptedProvider } from "../../src/providers/index.ts";
import {
  type HoldOptions,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  type Ports,
  type SessionHost,
  type Tool,
} from "../../src/runtime/index.ts";
import {
  offeredCommands,
  readModelLine,
  readSlash,
  runModelLine,
  type SlashPlace,
  type SlashResult,
  type Surroundings,
  slashCommands,
} from "../../src/slash/index.ts";
import { runInteractive } from "../../src/tools/run-interactive.ts";
import { slashTool } from "../../src/tools/slash.ts";
import type { ScriptedReply } from "../../src/wire/index.ts";
import { settled, VirtualClock } from "../simulation/virtual-clock.ts";
import { eagerTools } from "../tools/eager.ts";
import { nothingConnected } from "./connected.ts";

const policy = openPolicy({ platform: "linux", home: "/home/ada", own: [] });

const ada = { name: "ada", adapter: "test" } as const;
export const acting = { by: ada, authority: "act" } as const;

export type PlaceOptions = {
  readonly replies?: readonly ScriptedReply[];
  readonly cwd?: string;
  readonly ports?: Partial<Ports>;
  readonly around?: Partial<Surroundings>;
  readonly more?: readonly Tool[];
};

/** A host of its own with one session, whose commands only say that they ran. */
export class TestPlace {
  readonly clock = new VirtualClock();
  readonly host: SessionHost;
  readonly place: SlashPlace;
  /** Which models were used, one after the other. */
  readonly used: string[] = [];
  /** Whether a person has named the last of them for the session that is open. */
  named = false;
  #ids = 0;

  constructor({ replies = [], cwd = "/work", ports = {}, around = {}, more = [] }: PlaceOptions = {}) {
    const grants = openVolatileGrants();
    const slash = slashTool({
      commands: offeredCommands,
      setsUp: true,
      read: readModelLine,
      whyNotLaunched: () => null,
      run: (line, where) => runModelLine(line, { ...this.place, ...where }),
    });
    const tools = [...eagerTools().map(saying), slash, runInteractive(() => null), ...more];
    this.host = openHost({
      journal: openMemoryJournal(),
      secrets: openVolatileSecrets(),
      ...{ grants, tools, policy, clock: this.clock },
      provider: scriptedProvider({ replies, name: "test", clock: this.clock }),
      holder: { pid: 1, started: "1", boot: "", host: "1" },
      newId: () => `s${++this.#ids}`,
      runs: () => false,
      ...{ expiryMs: null, softOffers: "regenerate", context: () => "cwd: /work" },
      ...ports,
    });
    this.host.create({ cwd, limits: {} });
    this.place = { host: this.host, session: "s1", by: ada, around: this.#around(tools, grants, around) };
  }

  get session(): Session {
    return this.host.view("s1");
  }

  #around(tools: readonly Tool[], grants: Surroundings["grants"], more: Partial<Surroundings>): Surroundings {
    return {
      version: "1.2.3",
      program: ["assent"],
      commands: () => slashCommands,
      model: {
        name: () => this.used.at(-1) ?? null,
        use: async (name, { named }) => {
          if (!name.includes(":")) throw new Error(`expected <provider>:<model>, found ${name}`);
          this.used.push(name);
          this.named = named;
          return name;
        },
        unname: () => {
          this.named = false;
        },
        offered: async () => ["ollama:qwen3", "openai:gpt-5"],
        setUp: () => ({
          steps: [{ key: "provider", question: "Which provider?", options: [], allow_free_text: true }],
        }),
      },
      ...{ tools, grants, integrations: nothingConnected() },
      doctor: async () => "ok  all is well",
      explain: async (command, cwd) => `allow: ${command} in ${cwd}`,
      rules: async () => "no rules",
      ...more,
    };
  }

  /** A line as the shell runs it. */
  async type(line: string): Promise<SlashResult> {
    const read = readSlash(line, this.place.around.commands());
    if (read === null || !("command" in read)) throw new Error(`${line} is no command`);
    return read.command.run(read.given, this.place);
  }

  submit(body: InputBody) {
    return this.host.submit("s1", body);
  }

  prompt(text: string, delivery: "now" | "next" = "now") {
    return this.submit({ type: "prompt", text, delivery, entry: "typed", ...acting });
  }

  reply(interaction: string, line: string) {
    return this.submit({ type: "reply", interaction, line, shown: null, ...acting });
  }

  /** Works on the session until nothing can go on by itself. */
  async work(options: Partial<HoldOptions> = {}): Promise<void> {
    this.host.hold("s1", { unattended: () => null, ...options });
    await this.pass();
  }

  async pass(): Promise<void> {
    await settled();
    for (let step = 0; step < 20; step++) {
      this.clock.advance();
      await settled();
    }
  }

  async events(): Promise<readonly SessionEvent[]> {
    const watch = this.host.watch("s1", { after: 0 });
    watch.finish();
    const found: SessionEvent[] = [];
    for await (const watched of watch) if (watched.type === "recorded") found.push(watched.event);
    return found;
  }
}

function saying(tool: Tool): Tool {
  if (typeof tool.hands !== "object") return tool;
  const run = async ({ command = "" }) => ({ type: "output", text: `ran ${command}`, exit: 0 }) as const;
  return { ...tool, hands: { ...tool.hands, run } };
}
