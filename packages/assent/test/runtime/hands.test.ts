import { expect, test } from "vitest";
import type { BackgroundProcess, Limits } from "../../src/core/index.ts";
import type { Policy } from "../../src/policy/index.ts";
import { scriptedProvider } from "../../src/providers/index.ts";
import { toolsNow } from "../../src/runtime/hands.ts";
import {
  type Hands,
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
import { actingTool, eagerTools } from "../tools/eager.ts";

const acting = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;
const calls: ScriptedReply = { calls: [{ tool: "terminal", arguments: { command: "echo a" }, id: "c" }] };
const left = { process: "77", pid: 77, since: 5, command: "sleep" };
const forever = new Promise<never>(() => {});

/** Processes on one store, whose one tool writes down what becomes of its hands. */
class Bench {
  readonly clock = new VirtualClock();
  readonly log: string[] = [];
  readonly alive = new Set<number>();
  readonly store = memoryStore(({ pid }) => this.alive.has(pid));
  /** What loading waits for. */
  loading: Promise<void> = Promise.resolve();
  run: Hands["run"] = async () => ({ type: "output", text: "" });
  close = async (): Promise<void> => {};
  #sessions = 0;

  process(pid: number, replies: readonly ScriptedReply[], change: Partial<Ports> = {}): SessionHost {
    this.alive.add(pid);
    const model = scriptedProvider({ replies, name: "test", clock: this.clock });
    return openHost({
      journal: openMemoryJournal(this.store),
      secrets: openVolatileSecrets(),
      grants: openVolatileGrants(),
      provider: {
        ask: (...given) => {
          this.log.push("ask");
          return model.ask(...given);
        },
      },
      tools: [this.tool()],
      ...{ policy, clock: this.clock, holder: { pid, started: "1", boot: "", host: String(pid) } },
      ...{ newId: () => `s${++this.#sessions}`, expiryMs: null, softOffers: "off", context: () => "" },
      runs: ({ pid: found }: BackgroundProcess) => found === left.pid,
      ...change,
    });
  }

  tool(): Tool {
    const { hands, ...light } = actingTool(eagerTools(), "terminal");
    const slow: Hands = {
      plan: (...given) => {
        this.log.push("plan");
        return hands.plan(...given);
      },
      run: (...given) => {
        this.log.push("run");
        return this.run(...given);
      },
      close: (session) => {
        this.log.push(`close ${session}`);
        return this.close();
      },
      adopt: ({ session, processes }) => {
        this.log.push(`adopt ${session} ${processes.map(({ process }) => process).join()}`);
      },
    };
    const load = async () => {
      this.log.push("load");
      await this.loading;
      return slow;
    };
    return { ...light, hands: load };
  }

  async pass(ms: number): Promise<void> {
    const end = this.clock.now() + ms;
    await settled();
    while (this.clock.advanceTo(end)) await settled();
    await settled();
  }

  /** What was written down since the last time. */
  became(): readonly string[] {
    return this.log.splice(0);
  }

  /** A session whose process died while a call ran, after it had left something in the background. */
  async crashed(limits: Partial<Limits> = {}): Promise<void> {
    this.run = (_plan, { tell }) => {
      tell({ type: "process", state: "started", ...left });
      return forever;
    };
    started(this.process(1, [calls]), limits);
    await this.pass(50);
    this.alive.delete(1);
    expect(this.became()).toEqual(["ask", "load", "plan", "run"]);
  }
}

function started(host: SessionHost, limits: Partial<Limits> = {}): string {
  const created = host.create({ cwd: "/work", limits });
  if ("refusal" in created) throw new Error(created.refusal.detail);
  const { session } = created;
  host.submit(session, { type: "prompt", text: "go", delivery: "now", entry: "submitted", ...acting });
  host.hold(session, { unattended: () => null });
  return session;
}

test("hands are loaded while the model thinks, once it was asked", async () => {
  const bench = new Bench();
  const host = bench.process(1, [{ ...calls, delay_ms: 100 }, { text: "done" }]);
  started(host);
  expect(bench.became()).toEqual(["ask"]);
  await bench.pass(10);
  expect(bench.became()).toEqual(["load"]);
  await bench.pass(200);
  expect(bench.became()).toEqual(["plan", "run", "ask"]);
  await host.close();
  expect(bench.became()).toEqual(["close s1"]);
});

test("a model that answers at once and calls nothing needs no hands, nor does leaving", async () => {
  const bench = new Bench();
  const host = bench.process(1, [{ text: "done" }]);
  const session = started(host);
  await bench.pass(200);
  expect(host.view(session).lastEnding?.outcome).toBe("answered");
  await host.close();
  expect(bench.became()).toEqual(["ask"]);
});

test("who leaves before the model has answered loads nothing", async () => {
  const bench = new Bench();
  const host = bench.process(1, [{ ...calls, delay_ms: 100 }]);
  started(host);
  await host.close();
  await bench.pass(200);
  expect(bench.became()).toEqual(["ask"]);
});

test("a call is not judged before the hands are there, and then at once", async () => {
  const bench = new Bench();
  const { promise, resolve } = Promise.withResolvers<void>();
  bench.loading = promise;
  const host = bench.process(1, [calls, { text: "done" }]);
  const session = started(host);
  await bench.pass(500);
  expect(bench.became()).toEqual(["ask", "load"]);
  const events = openMemoryJournal(bench.store)
    .read(session, 0)
    .events.map(({ event }) => event.type);
  expect(events.at(-1)).toBe("model.replied");
  resolve();
  await settled();
  expect(bench.became()).toEqual(["plan", "run", "ask"]);
  expect(host.view(session).lastEnding?.outcome).toBe("answered");
});

test("all sessions of a host have the same hands", async () => {
  const bench = new Bench();
  const host = bench.process(1, [calls, { text: "done" }]);
  started(host);
  started(host);
  await bench.pass(100);
  expect(bench.log.filter((each) => each === "load")).toEqual(["load"]);
  expect(bench.log.filter((each) => each === "run")).toEqual(["run", "run"]);
});

test("hands that cannot be loaded end the work, told to who watches, and the session is free", async () => {
  const bench = new Bench();
  bench.loading = Promise.reject(new Error("no such file"));
  const host = bench.process(1, [calls, { text: "done" }]);
  const session = started(host);
  const watched = (async () => {
    for await (const _each of host.watch(session, { after: 0 }));
  })();
  watched.catch(() => {});
  await bench.pass(100);
  await expect(watched).rejects.toThrow("no such file");
  expect(host.holder(session)).toBeNull();
  // Another process may have what was missing here.
  bench.became();
  bench.loading = Promise.resolve();
  const next = bench.process(2, [calls, { text: "done" }]);
  next.hold(session, { unattended: () => null });
  await bench.pass(100);
  expect(bench.became()).toEqual(["load", "plan", "run", "ask"]);
});

test("what a dead process left running is known at once, and adopted before anything is planned", async () => {
  const bench = new Bench();
  await bench.crashed();
  bench.run = async () => ({ type: "output", text: "" });
  const host = bench.process(2, [calls, calls, { text: "done" }]);
  host.hold("s1", { unattended: () => null });
  expect(host.view("s1").processes).toEqual([left]);
  expect(bench.became()).toEqual(["ask"]);
  await bench.pass(100);
  expect(bench.became()).toEqual(["load", "adopt s1 77", "plan", "run", "ask"]);
});

test("it is adopted before anything is planned also where another session has had the hands loaded", async () => {
  const bench = new Bench();
  await bench.crashed();
  bench.run = async () => ({ type: "output", text: "" });
  const { promise, resolve } = Promise.withResolvers<void>();
  bench.loading = promise;
  const host = bench.process(2, [calls, { ...calls, delay_ms: 0 }, { text: "done" }]);
  started(host);
  await settled();
  host.hold("s1", { unattended: () => null });
  resolve();
  await settled();
  expect(bench.became()).toEqual(["ask", "load", "ask", "plan", "run", "ask"]);
  await bench.pass(0);
  expect(bench.became().slice(0, 3)).toEqual(["adopt s1 77", "plan", "run"]);
});

test("what does not run any more has ended, without its hands having to say so", async () => {
  const bench = new Bench();
  await bench.crashed();
  const host = bench.process(2, [], { runs: () => false });
  host.hold("s1", { unattended: () => null });
  expect(host.view("s1").processes).toEqual([]);
});

test("what a dead process left running goes with the session, though nothing else was done in it", async () => {
  const bench = new Bench();
  await bench.crashed();
  const host = bench.process(2, []);
  const hold = host.hold("s1", { unattended: () => null });
  await hold.release();
  expect(bench.became()).toEqual(["ask", "load", "adopt s1 77", "close s1"]);
});

test("hands that cannot be loaded to end what was left running are told to who leaves, and the session is free", async () => {
  const bench = new Bench();
  await bench.crashed();
  bench.loading = Promise.reject(new Error("no such file"));
  const host = bench.process(2, []);
  const hold = host.hold("s1", { unattended: () => null });
  await expect(hold.release()).rejects.toThrow("no such file");
  expect(host.holder("s1")).toBeNull();
  expect(hold.works()).toBe(false);
});

test("what a dead process left running in a session that is over is ended", async () => {
  const bench = new Bench();
  await bench.crashed({ turns: 1 });
  const host = bench.process(2, []);
  host.hold("s1", { unattended: () => "abort" });
  expect(host.view("s1").status).toBe("aborted");
  await bench.pass(100);
  expect(bench.became()).toEqual(["load", "adopt s1 77", "close s1"]);
  expect(host.view("s1").processes).toEqual([]);
});

test("a tool that joins is offered and called from the next request on, and is unknown once it has left", async () => {
  const bench = new Bench();
  const none: readonly Tool[] = [];
  const echo: Tool = {
    ...{ name: "there__echo", description: "Says it.", parameters: {}, tier: "safe" },
    read: () => ({ type: "tool", parallel: false }),
    hands: {
      plan: (_given, { cwd }) => ({ tool: "there__echo", cwd, tier: "safe" }),
      run: async () => ({ type: "output", text: "heard" }),
    },
  };
  let joined = none;
  const call = (id: string): ScriptedReply => ({ calls: [{ tool: "there__echo", arguments: {}, id }] });
  const offered: string[][] = [];
  const model = scriptedProvider({
    replies: [call("a"), call("b"), call("c"), { text: "done" }],
    ...{ name: "test", clock: bench.clock },
    onQuestion({ number, tools }) {
      offered.push(tools.map(({ name }) => name));
      joined = number === 1 ? [echo] : joined;
      joined = number === 3 ? none : joined;
    },
  });
  const lenient: Policy = { version: "1", judge: () => ({ verdict: "allow", rule: "any", reason: "a test" }) };
  const host = bench.process(1, [], { provider: model, policy: lenient, joined: () => joined });
  const session = started(host);
  await bench.pass(50);
  expect(offered).toEqual([["terminal"], ["terminal", "there__echo"], ["terminal", "there__echo"], ["terminal"]]);
  const { events } = openMemoryJournal(bench.store).read(session, 0);
  expect(events.flatMap(({ event }) => (event.type.startsWith("call.") ? [event.type] : []))).toEqual([
    "call.invalid",
    ...["call.judged", "call.cleared", "call.started", "call.finished"],
    ...["call.judged", "call.refused"],
  ]);
  await host.close();
});

test("hosts that share the tools that come and go have their own beside them, and each the same list each time", () => {
  const named = (name: string): Tool => ({ ...new Bench().tool(), name });
  const shared = [named("shared")];
  const one = { tools: [named("one")], joined: () => shared };
  const two = { tools: [named("two")], joined: () => shared };
  const names = (host: typeof one) => toolsNow(host).map(({ name }) => name);
  expect([names(one), names(two), names(one)]).toEqual([
    ["one", "shared"],
    ["two", "shared"],
    ["one", "shared"],
  ]);
  expect(toolsNow(one)).toBe(toolsNow(one));
});

test("a policy that cannot be opened is told at once, also while hands are still loaded", async () => {
  const bench = new Bench();
  bench.loading = forever;
  const failing = () => Promise.reject(new Error("no such policy"));
  const host = bench.process(1, [calls], { policy: failing });
  const session = started(host);
  const watch = host.watch(session);
  await bench.pass(50);
  const ended = (async () => {
    for await (const _ of watch);
  })();
  await expect(ended).rejects.toThrow("no such policy");
});

test("hands that never close are not waited for for ever, and the session is free", async () => {
  const bench = new Bench();
  bench.close = () => forever;
  const host = bench.process(1, [calls, { text: "done" }]);
  const session = started(host);
  await bench.pass(50);
  const closed = expect(host.close()).rejects.toThrow("told to close and has not done so in time");
  await bench.pass(11_000);
  await closed;
  expect(host.holder(session)).toBeNull();
});

test.each<[string, () => Promise<void>]>([
  ["by a promise", () => Promise.reject(new Error("cannot close"))],
  [
    "at once",
    () => {
      throw new Error("cannot close");
    },
  ],
])(
  "hands that cannot close, told %s, keep no other session from being left, and who leaves is told",
  async (_, close) => {
    const bench = new Bench();
    bench.close = close;
    const host = bench.process(1, [calls, { text: "done" }]);
    const sessions = [started(host), started(host)];
    await bench.pass(50);
    await expect(host.close()).rejects.toThrow("cannot close");
    expect(sessions.map((session) => host.holder(session))).toEqual([null, null]);
  },
);

test("hands that cannot close do not keep the end of a running call from being recorded", async () => {
  const bench = new Bench();
  bench.close = () => Promise.reject(new Error("cannot close"));
  bench.run = (_plan, { signal }) =>
    new Promise((resolve) => {
      const end = () => bench.clock.after(500, () => resolve({ type: "output", text: "late" }));
      signal.addEventListener("abort", end);
    });
  const host = bench.process(1, [calls]);
  const session = started(host);
  await bench.pass(50);
  const closed = expect(host.close()).rejects.toThrow("cannot close");
  await bench.pass(1_000);
  await closed;
  const { events } = openMemoryJournal(bench.store).read(session, 0);
  expect(events.map(({ event }) => event)).toContainEqual(
    expect.objectContaining({ type: "call.finished", result: { type: "output", text: "late" } }),
  );
});
