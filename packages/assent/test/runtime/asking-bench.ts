import { expect } from "vitest";
import type { Flow, FlowStep, SessionEvent, Unattended } from "../../src/core/index.ts";
import {
  memoryStore,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  type SessionHost,
  systemClock,
  type Tool,
  type WatchedCall,
} from "../../src/runtime/index.ts";
import { policy } from "../policy/cautious.ts";

const acting = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;
export const colour: FlowStep = {
  key: "__proto__",
  question: "Which colour?",
  options: ["Red", "Blue"].map((label, index) => ({ id: String(index + 1), label })),
  allow_free_text: true,
};
export const token: FlowStep = {
  key: "token",
  question: "Which token?",
  options: [],
  allow_free_text: true,
  sensitive: true,
};
/** One question. */
export const one: Flow = { steps: [colour] };

export type Asks = (watched: WatchedCall) => Promise<string>;

/** A session with a tool that asks people while it runs. */
export class Bench {
  readonly secrets = new Map<string, string>();
  readonly journal = openMemoryJournal(memoryStore(() => true));
  readonly host: SessionHost;
  session = "none";

  constructor(asks: Asks, expiryMs: number | null = null) {
    const tool: Tool = {
      ...{ name: "asking", description: "", parameters: {}, tier: "safe" },
      read: () => ({ type: "tool", parallel: false }),
      hands: {
        plan: (_given, { cwd }) => ({ tool: "asking", cwd, command: "echo a", more: null }),
        run: async (_plan, watched) => ({ type: "output", text: await asks(watched) }),
      },
    };
    this.host = openHost({
      ...{ journal: this.journal, secrets: openVolatileSecrets(this.secrets), grants: openVolatileGrants(), policy },
      provider: { ask: async () => ({ type: "abandoned" }) },
      ...{ tools: [tool], runs: () => true, clock: systemClock },
      ...{ holder: { pid: 1, started: "1", boot: "", host: "1" }, newId: () => "n" },
      ...{ expiryMs, softOffers: "off", context: () => "" },
    });
  }

  begin(unattended: Unattended | null = null) {
    this.enter();
    return this.host.hold(this.session, { unattended: () => unattended });
  }

  /** A person's own call is to run, as soon as somebody holds the session. */
  enter(): void {
    const created = this.host.create({ cwd: "/work", limits: {} });
    if ("refusal" in created) throw new Error(created.refusal.detail);
    this.session = created.session;
    const asks = { type: "tool", parallel: false } as const;
    const call = { type: "command", text: "!ask", tool: "asking", arguments: "{}", asks } as const;
    this.host.submit(this.session, { ...call, ...acting });
  }

  async reply(...lines: readonly string[]): Promise<void> {
    for (const line of lines) {
      await expect.poll(() => this.#open()).toBeDefined();
      const interaction = this.#open() ?? "none";
      expect(
        this.host.submit(this.session, { type: "reply", interaction, line, shown: null, ...acting }),
      ).toMatchObject({
        refusal: null,
      });
    }
  }

  /** What the call ended with. */
  async end(): Promise<string> {
    await expect.poll(() => this.host.view(this.session).exchange).toBeNull();
    const finished = this.events().find((event) => event.type === "call.finished");
    await this.host.close();
    return finished?.result.text ?? "none";
  }

  events(): readonly SessionEvent[] {
    return this.journal.read(this.session, 0).events.map(({ event }) => event);
  }

  #open(): string | undefined {
    return this.host.view(this.session).interactions[0]?.request.interaction_id;
  }
}
