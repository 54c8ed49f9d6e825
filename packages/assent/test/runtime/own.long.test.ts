import { describe, expect, test } from "vitest";
import { entries, type Flow, type InputBody, type SessionEvent } from "../../src/core/index.ts";
import { scriptedProvider } from "../../src/providers/index.ts";
import {
  type HoldOptions,
  type Lend,
  memoryStore,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  type Place,
  type Plan,
  type SessionHost,
  systemClock,
  type Tool,
  type WatchedCall,
} from "../../src/runtime/index.ts";
import { enteredCommand } from "../../src/tools/index.ts";
import type { ScriptedReply } from "../../src/wire/index.ts";
import { policy } from "../policy/cautious.ts";
import { verifies } from "../requirements/verifies.ts";

const acting = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;

/** A host with one tool that acts; what it was asked to do is written down. */
class Bench {
  readonly placed: Place[] = [];
  readonly watched: WatchedCall[] = [];
  readonly closed: (readonly string[])[] = [];
  readonly secrets = new Map<string, string>();
  readonly kept: (string | null)[] = [];
  readonly journal = openMemoryJournal(memoryStore(() => true));
  readonly host: SessionHost;
  #ids = 0;
  #finish: () => void = () => {};
  /** Until it is let go, a call runs. */
  holds = false;

  constructor(replies: readonly ScriptedReply[] = [], tool: Partial<Tool> & { readonly plan?: Partial<Plan> } = {}) {
    this.host = openHost({
      ...{ journal: this.journal, secrets: openVolatileSecrets(this.secrets), grants: openVolatileGrants(), policy },
      provider: scriptedProvider({ replies, name: "test", clock: systemClock }),
      ...{ tools: [this.#tool(tool)], runs: () => true, clock: systemClock },
      ...{ holder: { pid: 1, started: "1", boot: "", host: "1" }, newId: () => `n${++this.#ids}` },
      ...{ expiryMs: null, softOffers: "off", context: () => "" },
    });
  }

  #tool({ plan, ...change }: Partial<Tool> & { readonly plan?: Partial<Plan> }): Tool {
    return {
      ...{ name: "terminal", description: "", parameters: {}, tier: "elevated" },
      read: () => ({ type: "tool", parallel: false }),
      hands: {
        plan: (given, place) => {
          this.placed.push(place);
          return { tool: "terminal", cwd: place.cwd, command: "echo a", more: given, ...plan };
        },
        run: async (_plan, watched) => {
          this.watched.push(watched);
          this.kept.push(...this.secrets.values());
          if (this.holds) {
            await new Promise<void>((resolve) => {
              this.#finish = resolve;
            });
          }
          return { type: "output", text: "ran" };
        },
        close: async (_session, kept) => void this.closed.push(kept),
      },
      ...change,
    };
  }

  finish(): void {
    this.#finish();
  }

  begin(options: Partial<HoldOptions> = {}) {
    const created = this.host.create({ cwd: "/work", limits: { turns: 3 }, model: "test" });
    const session = "session" in created ? created.session : "none";
    return { session, hold: this.host.hold(session, { unattended: () => null, ...options }) };
  }

  events(session: string): readonly SessionEvent[] {
    return this.journal.read(session, 0).events.map(({ event }) => event);
  }

  async rests(session: string): Promise<void> {
    await expect.poll(() => this.host.view(session).exchange).toBeNull();
  }
}

const prompt: InputBody = { type: "prompt", text: "go", delivery: "now", entry: "submitted", ...acting };
const command = (text: string): InputBody => ({
  type: "command",
  text: `!${text}`,
  ...enteredCommand(text),
  ...acting,
});
const calls: ScriptedReply = { calls: [{ tool: "terminal", arguments: { command: "echo a" }, id: "c" }] };

describe("a person's command", () => {
  verifies("SEL-5a", "is planned, judged and run by the tool, and the model is never asked", async () => {
    const bench = new Bench();
    const { session } = bench.begin();
    bench.host.submit(session, command("echo a"));
    await bench.rests(session);
    expect(bench.watched.map(({ call }) => call)).toEqual(["e1"]);
    expect(bench.events(session).map(({ type }) => type)).toEqual([
      ...["session.created", "exchange.started", "command.entered", "call.judged", "call.cleared", "call.started"],
      ...["call.finished", "exchange.ended"],
    ]);
    await bench.host.close();
  });

  test("can be given the terminal of the one who holds the session, and of nobody else", async () => {
    const lend: Lend = async (use) => use();
    const bench = new Bench();
    const { session } = bench.begin({ lend });
    bench.host.submit(session, command("echo a"));
    await bench.rests(session);
    const other = bench.begin();
    bench.host.submit(other.session, command("echo a"));
    await bench.rests(other.session);
    expect(bench.watched.map((watched) => watched.lend)).toEqual([lend, null]);
    await bench.host.close();
  });
});

describe("what is held read-only", () => {
  const denied = { verdict: "deny", rule: "read-only" };

  test("denies every call of a tool that could change something", async () => {
    const bench = new Bench([calls, { text: "Done." }]);
    const { session } = bench.begin({ readOnly: true });
    bench.host.submit(session, prompt);
    await bench.rests(session);
    expect(bench.events(session).find(({ type }) => type === "call.judged")).toMatchObject(denied);
    expect(bench.watched).toEqual([]);
    await bench.host.close();
  });

  test("denies a call whose plan says so, of a tool that is safe otherwise", async () => {
    const bench = new Bench([calls, { text: "Done." }], { tier: "safe", plan: { tier: "elevated" } });
    const { session } = bench.begin({ readOnly: true });
    bench.host.submit(session, prompt);
    await bench.rests(session);
    expect(bench.events(session).find(({ type }) => type === "call.judged")).toMatchObject(denied);
    await bench.host.close();
  });

  test("lets a safe tool run", async () => {
    const bench = new Bench([calls, { text: "Done." }], { tier: "safe" });
    const { session } = bench.begin({ readOnly: true });
    bench.host.submit(session, prompt);
    await bench.rests(session);
    expect(bench.watched).toHaveLength(1);
    await bench.host.close();
  });
});

describe("a flow that is filled in for a tool", () => {
  const flow: Flow = {
    steps: [
      { key: "name", question: "Which name?", options: [{ id: "1", label: "One" }], allow_free_text: true },
      { key: "key", question: "Which key?", options: [], allow_free_text: true, sensitive: true },
    ],
  };

  test("is run without asking once more, with its answers, and its secret is there until it has ended", async () => {
    const bench = new Bench([], { plan: { command: "rm -rf /" } });
    bench.holds = true;
    const { session } = bench.begin();
    const given = { type: "flow", flow, name: "/model setup", arguments: "{}", tool: "terminal", ...acting } as const;
    expect(bench.host.submit(session, given).refusal).toBeNull();
    for (const line of ["1", "hunter2", "1"]) {
      const interaction = bench.host.view(session).interactions[0]?.request.interaction_id ?? "none";
      bench.host.submit(session, { type: "reply", interaction, line, shown: null, ...acting });
    }
    await expect.poll(() => bench.watched.length).toBe(1);
    const [secret = "none"] = bench.secrets.keys();
    expect(bench.placed.at(-1)?.flow).toEqual({
      flow,
      state: {
        answers: [
          { key: "name", answer: { type: "selected", options: ["1"] } },
          { key: "key", answer: { type: "set", secret } },
        ],
        choosing: false,
      },
    });
    expect(bench.kept).toEqual(["hunter2"]);
    expect(bench.events(session).find(({ type }) => type === "call.judged")).toMatchObject({
      ...{ call: "e1", verdict: "allow", rule: "person" },
    });
    bench.finish();
    await bench.rests(session);
    expect(bench.secrets.size).toBe(0);
    expect(JSON.stringify(bench.events(session))).not.toContain("hunter2");
    await bench.host.close();
  });
});

describe("processes in the background", () => {
  test("that a person keeps are named to the tools when the session is closed", async () => {
    const bench = new Bench();
    const { session, hold } = bench.begin();
    for (const pid of [7, 8]) {
      const started = { state: "started", process: String(pid), pid, since: 1, command: "serve" } as const;
      bench.host.submit(session, { type: "process", ...started });
    }
    bench.host.submit(session, { type: "keeping", process: "7", ...acting });
    await hold.release();
    expect(bench.closed).toEqual([["7"]]);
    expect(bench.host.view(session).processes.map(({ process }) => process)).toEqual(["7", "8"]);
    await bench.host.close();
  });
});

describe("a fork", () => {
  verifies(
    "SESS-3a",
    "has the folder, limits, model and history of its origin, and a name of its own to get",
    async () => {
      const bench = new Bench([{ text: "Done." }]);
      const { session } = bench.begin();
      bench.host.submit(session, { type: "name", name: "first", ...acting });
      bench.host.submit(session, prompt);
      await bench.rests(session);
      const origin = bench.host.view(session);
      const created = bench.host.fork(session);
      expect(created).toEqual({ session: "n2" });
      const { cwd, limits, model, name, history, turns } = bench.host.view("n2");
      expect({ cwd, limits, model, name, turns }).toEqual({
        ...{ cwd: "/work", limits: origin.limits, model: "test", name: null, turns: 0 },
      });
      expect(entries(history)).toEqual(entries(origin.history));
      expect(bench.events("n2").at(-1)).toMatchObject({
        type: "session.forked",
        ...{ from: session, until: origin.seq, name: "first" },
      });
      expect(bench.host.view(session)).toEqual(origin);
      await bench.host.close();
    },
  );

  test("of a session that is not there is refused", () => {
    expect(new Bench().host.fork("nowhere")).toMatchObject({ refusal: { code: "no_session" } });
  });
});
