import type { InputBody } from "../../src/core/index.ts";
import { scriptedProvider } from "../../src/providers/index.ts";
import {
  type MemoryStore,
  memoryStore,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  type Ports,
  type SessionHost,
  type Tool,
} from "../../src/runtime/index.ts";
import type { ScriptedReply } from "../../src/wire/index.ts";
import { policy } from "../policy/cautious.ts";
import { settled, VirtualClock } from "../simulation/virtual-clock.ts";
import { type EagerTool, eagerTools } from "../tools/eager.ts";

export const tools = eagerTools();

export const acting = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;
export const asks: ScriptedReply = { calls: [{ tool: "terminal", arguments: { command: "touch a" }, id: "c" }] };
export const allowed: ScriptedReply = { calls: [{ tool: "terminal", arguments: { command: "echo a" }, id: "c" }] };

/** Processes on one store, on one clock, with commands that only write down that they ran. */
export class Bench {
  readonly clock = new VirtualClock();
  readonly store: MemoryStore;
  readonly ran: string[] = [];
  readonly alive = new Set<number>();
  readonly secrets = new Map<string, string>();
  readonly #replies: readonly ScriptedReply[];

  constructor(...replies: readonly ScriptedReply[]) {
    this.#replies = replies;
    this.store = memoryStore(({ pid }) => this.alive.has(pid));
  }

  process(pid: number, change: Partial<Ports> = {}): SessionHost {
    this.alive.add(pid);
    return openHost({
      journal: openMemoryJournal(this.store),
      secrets: openVolatileSecrets(this.secrets),
      grants: openVolatileGrants(),
      provider: scriptedProvider({ replies: this.#replies, name: "test", clock: this.clock }),
      tools: tools.map((tool) => this.#recording(tool)),
      ...{ policy, clock: this.clock, holder: { pid, started: "1", boot: "", host: String(pid) }, newId: () => "s" },
      runs: () => false,
      ...{ expiryMs: null, softOffers: "regenerate", context: () => "" },
      ...change,
    });
  }

  /** Lets time pass, a look at a time, and everything that follows from each. */
  async pass(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    await settled();
    while (this.clock.advanceTo(end)) await settled();
    await settled();
  }

  #recording(tool: EagerTool): Tool {
    if (tool.hands === undefined) return tool;
    const run = async ({ command = "" }) => {
      this.ran.push(command);
      return { type: "output", text: `ran ${command}`, exit: 0 } as const;
    };
    return { ...tool, hands: { ...tool.hands, run } };
  }
}

export function prompt(text = "go"): InputBody {
  return { type: "prompt", text, delivery: "now", entry: "submitted", ...acting };
}

/** Somebody changes the first event of a session in the store that this changes; what it returns puts it right. */
export function changed(store: MemoryStore, session: string, change: (line: string) => string): () => void {
  const rows = store.sessions.get(session) ?? [];
  const index = rows.findIndex(({ line }) => change(line) !== line);
  const row = rows[index];
  if (row === undefined) throw new Error("no event is changed by it");
  rows[index] = { ...row, line: change(row.line) };
  store.revision += 1;
  return () => {
    rows[index] = row;
    store.revision += 1;
  };
}
