import { describe, expect, test } from "vitest";
import type { Session, SessionEvent } from "../../src/core/index.ts";
import {
  type Hands,
  JournalError,
  type Live,
  openMemoryJournal,
  type Plan,
  type Ports,
  type SessionHost,
  type Tool,
  type Watched,
} from "../../src/runtime/index.ts";
import { policy } from "../policy/cautious.ts";
import { verifies } from "../requirements/verifies.ts";
import { settled } from "../simulation/virtual-clock.ts";
import { type ActingTool, actingTool } from "../tools/eager.ts";
import { acting, allowed, asks, Bench, changed, prompt, tools } from "./bench.ts";

function started(host: SessionHost, unattended: "deny" | null = null): void {
  host.create({ cwd: "/work", limits: {} });
  host.submit("s", prompt());
  host.hold("s", { unattended: () => unattended });
}

/** A process that could record the prompt, and nothing from then on. */
function promptedOnFullDisk(bench: Bench): SessionHost {
  const journal = openMemoryJournal(bench.store);
  let writable = true;
  const append: typeof journal.append = (...given) => {
    if (!writable) throw new JournalError("full", "the disk is full");
    return journal.append(...given);
  };
  const host = bench.process(1, { journal: { ...journal, append } });
  host.create({ cwd: "/work", limits: {} });
  host.submit("s", prompt());
  writable = false;
  return host;
}

function yes(host: SessionHost) {
  return host.submit("s", { type: "reply", interaction: "s-1", line: "1", shown: null, ...acting });
}

function outcome(session: Session): string | undefined {
  return session.lastEnding?.outcome;
}

/** A process that counts how often it looks whether a session is as it was recorded, and at how many events. */
function counting(bench: Bench, pid: number): { readonly host: SessionHost; readonly looked: () => readonly number[] } {
  const journal = openMemoryJournal(bench.store);
  const looks: number[] = [];
  const verify: typeof journal.verify = (...given) => {
    const checks = journal.verify(...given);
    looks.push(checks.reduce((sum, { events }) => sum + events, 0));
    return checks;
  };
  return { host: bench.process(pid, { journal: { ...journal, verify } }), looked: () => looks };
}

verifies(
  "SESS-5i",
  "whoever recorded a question itself need not look at the session again, and another process looks once",
  async () => {
    const bench = new Bench(asks, asks, { text: "done" });
    const first = counting(bench, 1);
    started(first.host);
    await bench.pass(0);
    yes(first.host);
    await bench.pass(200);
    expect([bench.ran, first.looked()]).toEqual([["touch a"], []]);
    await first.host.close();
    bench.alive.delete(1);
    const second = counting(bench, 2);
    second.host.hold("s", { unattended: () => null });
    await bench.pass(0);
    const { refusal } = second.host.submit("s", {
      type: "reply",
      interaction: "s-2",
      line: "1",
      shown: null,
      ...acting,
    });
    await bench.pass(200);
    expect([refusal, second.looked().length, bench.ran.length]).toEqual([null, 1, 2]);
    // Who begins something new in it looks as well, and then at nothing more.
    const third = counting(bench, 3);
    await second.host.close();
    third.host.submit("s", prompt("again"));
    third.host.hold("s", { unattended: () => "deny" });
    await bench.pass(200);
    third.host.submit("s", prompt("and again"));
    await bench.pass(200);
    expect(third.looked()).toHaveLength(1);
  },
);

verifies(
  "SESS-5i",
  "who answers beside a process that works looks at each event once, however often it answers",
  async () => {
    const bench = new Bench(...Array.from({ length: 12 }, () => asks), { text: "done" });
    started(bench.process(1));
    await bench.pass(0);
    const answering = counting(bench, 2);
    for (let asked = 1; asked <= 12; asked++) {
      const reply = { type: "reply", interaction: `s-${asked}`, line: "1", shown: null, ...acting } as const;
      expect(answering.host.submit("s", reply).refusal).toBeNull();
      await bench.pass(400);
    }
    expect(bench.ran).toHaveLength(12);
    const sum = answering.looked().reduce((one, other) => one + other, 0);
    expect(answering.looked()).toHaveLength(12);
    expect(sum).toBeLessThanOrEqual(answering.host.view("s").seq);
  },
);

verifies("SESS-5j", "what was changed before the exchange that is open is told once, and work goes on", async () => {
  const bench = new Bench({ text: "first" }, asks, { text: "done" }, { text: "again" });
  const first = bench.process(1);
  started(first);
  await bench.pass(200);
  first.submit("s", prompt("more"));
  await bench.pass(200);
  await first.close();
  bench.alive.delete(1);
  changed(bench.store, "s", (line) => line.replace('"first"', '"FIRST"'));
  const second = counting(bench, 2);
  const told: unknown[] = [];
  const onBreaks = (breaks: readonly unknown[]) => told.push(...breaks);
  const hold = second.host.hold("s", { unattended: () => null, onBreaks });
  const reply = { type: "reply", interaction: "s-1", line: "1", shown: null, ...acting } as const;
  expect(second.host.submit("s", reply).refusal).toBeNull();
  await bench.pass(200);
  await hold.release();
  second.host.hold("s", { unattended: () => null, onBreaks });
  second.host.submit("s", prompt("again"));
  await bench.pass(200);
  expect(second.host.view("s").lastResult?.text).toBe("again");
  expect(told).toMatchObject([{ what: "changed", type: "model.replied" }]);
  expect(second.host.breaks("s")).toEqual(told);
  expect(second.looked()).toHaveLength(1);
  // What another adds is looked at for itself, and what is known stays known.
  bench.process(3).submit("s", { type: "name", name: "clean", ...acting });
  expect(second.host.breaks("s")).toEqual(told);
  expect(second.looked()).toHaveLength(2);
});

verifies(
  "SESS-5i",
  "what was changed in the exchange that is open is not acted upon until it is put right",
  async () => {
    const bench = new Bench(asks, { text: "done" });
    const first = bench.process(1);
    started(first);
    await bench.pass(200);
    await first.close();
    bench.alive.delete(1);
    const mended = changed(bench.store, "s", (line) => line.replace("touch a", "touch b"));
    const second = bench.process(2);
    const reply = { type: "reply", interaction: "s-1", line: "1", shown: null, ...acting } as const;
    const { code, detail } = second.submit("s", reply).refusal ?? {};
    expect([code, detail]).toEqual(["not_as_recorded", expect.stringContaining("(model.replied)")]);
    expect(() => second.hold("s")).toThrow(expect.objectContaining({ code: "not_as_recorded", session: "s" }));
    expect(second.holder("s")).toBeNull();
    mended();
    expect(second.submit("s", reply).refusal).toBeNull();
    second.hold("s", { unattended: () => null });
    await bench.pass(200);
    expect(bench.ran).toEqual(["touch a"]);
  },
);

verifies("SESS-4c", "what another process recorded is noticed within 200 ms", async () => {
  const bench = new Bench(asks, { text: "done" });
  const working = bench.process(1);
  started(working);
  await bench.pass(0);
  expect(yes(bench.process(2)).refusal).toBeNull();
  await settled();
  expect(bench.ran).toEqual([]);
  await bench.pass(200);
  expect(bench.ran).toEqual(["touch a"]);
  expect(outcome(working.view("s"))).toBe("answered");
});

verifies("INT-5a", "a question that could not be recorded is shown nowhere, and is once it was", async () => {
  const bench = new Bench(asks, { text: "done" });
  const journal = openMemoryJournal(bench.store);
  const append: typeof journal.append = (session, expected, events) => {
    if (events.some(({ type }) => type === "interaction.requested")) throw new JournalError("full", "the disk is full");
    return journal.append(session, expected, events);
  };
  const [full, other] = [bench.process(1, { journal: { ...journal, append } }), bench.process(2)];
  full.create({ cwd: "/work", limits: {} });
  const shown: string[] = [];
  const show = (where: string) => (request: { readonly interaction_id: string }) => {
    shown.push(`${where} ${request.interaction_id}`);
    return null;
  };
  const watched = (async () => {
    for await (const each of full.watch("s", { after: 0 })) {
      if (each.type === "recorded" && each.event.type === "interaction.requested") show("watched")(each.event.request);
    }
  })();
  watched.catch(() => {});
  full.submit("s", prompt());
  full.hold("s", { unattended: show("asked") });
  await bench.pass(100);
  await expect(watched).rejects.toThrow("the disk is full");
  for (const host of [full, other]) {
    for (const { request } of [...host.view("s").interactions, ...host.interactions().open]) show("open")(request);
  }
  expect(shown).toEqual([]);
  other.hold("s", { unattended: show("asked") });
  await bench.pass(100);
  expect(shown).toContain("asked s-1");
  expect(other.interactions().open).toHaveLength(1);
});

verifies("INT-8c", "a question expires by itself while a process is there, and nobody said anything", async () => {
  const bench = new Bench(asks, { text: "done" });
  const host = bench.process(1, { expiryMs: 1_000 });
  started(host);
  await bench.pass(950);
  expect(host.interactions().open).toHaveLength(1);
  await bench.pass(100);
  expect(host.interactions().open).toEqual([]);
  expect(bench.ran).toEqual([]);
  expect(outcome(host.view("s"))).toBe("answered");
});

test("a question whose time has passed while nobody was there is not among the open ones", async () => {
  const bench = new Bench(asks, { text: "done" });
  started(bench.process(1, { expiryMs: 1_000 }));
  await bench.pass(0);
  bench.alive.delete(1);
  bench.clock.skip(5_000);
  expect(bench.process(2).interactions().open).toEqual([]);
});

verifies("SESS-4b", "only one of two works, and the other takes over once that one is dead or has left", async () => {
  const bench = new Bench(asks, { text: "done" });
  started(bench.process(1));
  const second = bench.process(2);
  const waiting = second.hold("s", { unattended: () => null });
  await bench.pass(200);
  expect(waiting.works()).toBe(false);
  bench.alive.delete(1);
  await bench.pass(100);
  expect(waiting.works()).toBe(true);
  const third = bench.process(3).hold("s", { unattended: () => null });
  await waiting.release();
  await bench.pass(100);
  expect(third.works()).toBe(true);
  yes(second);
  await bench.pass(200);
  expect(bench.ran).toEqual(["touch a"]);
});

test("an input is decided on what is newest, also by a process that has not looked for a while", () => {
  const bench = new Bench();
  const early = bench.process(1);
  expect(early.view("s").status).toBe("new");
  bench.process(2).create({ cwd: "/work", limits: {} });
  expect(early.submit("s", prompt()).refusal).toBeNull();
});

test("a watch replays what is recorded, then follows, without gap or repetition", async () => {
  const bench = new Bench(...Array.from({ length: 20 }, () => allowed), { text: "done" });
  const host = bench.process(1);
  const early = collect(host, 0);
  started(host);
  await bench.pass(100);
  const late = collect(bench.process(2), 0);
  const later = collect(bench.process(3), 40);
  await bench.pass(500);
  const { seq } = host.view("s");
  const all = Array.from({ length: seq }, (_, index) => index + 1);
  expect(numbers(early)).toEqual(all);
  expect(numbers(late)).toEqual(all);
  expect(numbers(later)).toEqual(all.slice(40));
});

test("what is live reaches who watches, in its place, and is not recorded", async () => {
  const bench = new Bench({ text: "hello" });
  const host = bench.process(1);
  const seen = collect(host, 0);
  started(host);
  await bench.pass(100);
  const shown = seen.map((each) => (each.type === "recorded" ? each.event.type : each.type));
  expect(shown).toEqual([
    "session.created",
    "exchange.started",
    "live",
    "model.replied",
    "turn.closed",
    "exchange.ended",
  ]);
});

verifies("TXT-4d", "a text that may still be discarded is not shown while it comes; that it comes is", async () => {
  const bench = new Bench();
  const talking = {
    ask: async (_question: unknown, { onText }: { onText: (text: string) => void }) => {
      for (const part of ["Shall ", "I push?"]) onText(part);
      return { type: "failed", failure: { class: "x", detail: "x", remedy: "", partial: "" } } as const;
    },
  };
  const seen = async (change: Partial<Ports>) => {
    const host = bench.process(1, { provider: talking, ...change });
    const watch = host.watch("s", { after: 0 });
    started(host);
    await bench.pass(0);
    watch.finish();
    const live: Live[] = [];
    for await (const watched of watch) if (watched.type === "live") live.push(watched.live);
    return live;
  };
  expect(await seen({})).toEqual([
    { type: "progress", request: 1, characters: 6 },
    { type: "progress", request: 1, characters: 13 },
  ]);
});

test("who is slow misses the oldest of what is live and is told how much, and no event", async () => {
  const bench = new Bench();
  const flood = {
    ask: async (_question: unknown, { onText }: { onText: (text: string) => void }) => {
      for (let part = 0; part < 1_000; part++) onText(String(part));
      return { type: "replied", text: "end", calls: [], usage: { input: 0, output: 0, cached: 0 } } as const;
    },
  };
  const host = bench.process(1, { provider: flood, softOffers: "warn" });
  const watch = host.watch("s", { after: 0 });
  started(host);
  await bench.pass(0);
  watch.finish();
  const seen: Watched[] = [];
  for await (const watched of watch) seen.push(watched);
  const dropped = seen.flatMap((each) => (each.type === "dropped" ? [each.count] : []));
  const live = seen.flatMap((each) => (each.type === "live" && each.live.type === "text" ? [each.live.text] : []));
  expect(dropped).toEqual([744]);
  expect({ first: live[0], last: live.at(-1), count: live.length }).toEqual({ first: "744", last: "999", count: 256 });
  expect(numbers(seen)).toEqual([1, 2, 3, 4, 5]);
});

test("a journal that fails ends the work, and is told to who watches, after all that was recorded", async () => {
  const bench = new Bench(allowed, { text: "done" });
  const host = promptedOnFullDisk(bench);
  const seen: SessionEvent["type"][] = [];
  const watched = (async () => {
    for await (const each of host.watch("s", { after: 0 })) if (each.type === "recorded") seen.push(each.event.type);
  })();
  watched.catch(() => {});
  host.hold("s", { unattended: () => null });
  await bench.pass(0);
  await expect(watched).rejects.toThrow("the disk is full");
  expect(seen).toEqual(["session.created", "exchange.started"]);
  expect(bench.ran).toEqual([]);
});

test("after a journal has failed nothing more is done, though it may work again", async () => {
  const bench = new Bench(allowed, allowed, { text: "done" });
  const journal = openMemoryJournal(bench.store);
  let appends = 0;
  const append: typeof journal.append = (...given) => {
    appends += 1;
    if (appends === 4) throw new JournalError("io", "once");
    return journal.append(...given);
  };
  const host = bench.process(1, { journal: { ...journal, append } });
  started(host);
  await bench.pass(300);
  expect(appends).toBe(4);
  expect(bench.ran).toEqual(["echo a"]);
  // What the command did was not recorded: the next process can only say that it does not know.
  bench.alive.delete(1);
  const next = bench.process(2);
  const seen = collect(next, 0);
  next.hold("s", { unattended: () => null });
  await bench.pass(300);
  expect(seen.flatMap((each) => (each.type === "recorded" ? [each.event.type] : []))).toContain("call.unknown");
  expect(bench.ran).toEqual(["echo a", "echo a"]);
});

test("who leaves a session ends the command that runs there, and records how it ended", async () => {
  const bench = new Bench(allowed, { text: "done" });
  const { hands, ...tool } = terminalOf();
  const run = (_plan: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<{ type: "output"; text: string }>((resolve) => {
      signal.addEventListener("abort", () => resolve({ type: "output", text: "killed" }));
    });
  const host = bench.process(1, { tools: [{ ...tool, hands: { ...hands, run } }] });
  host.create({ cwd: "/work", limits: {} });
  host.submit("s", prompt());
  const hold = host.hold("s", { unattended: () => null });
  await bench.pass(0);
  expect(host.holder("s")?.pid).toBe(1);
  await hold.release();
  expect(host.holder("s")).toBeNull();
  expect(host.view("s").lastCommand).toMatchObject({ output: "killed" });
  expect(host.view("s").exchange?.phase.type).toBe("model");
});

test("text that comes while the model answers makes no second request", async () => {
  let asked = 0;
  const provider = {
    ask: () => {
      asked += 1;
      return new Promise<never>(() => {});
    },
  };
  const bench = new Bench();
  const host = bench.process(1, { provider });
  started(host);
  host.submit("s", prompt("and this"));
  await bench.pass(200);
  expect(asked).toBe(1);
});

test("a model client or a tool that throws is a failure like any other", async () => {
  const bench = new Bench(allowed, { text: "done" });
  const broken: Tool = {
    ...terminalOf(),
    hands: {
      plan: (_, { cwd }) => ({ tool: "terminal", cwd, command: "echo a" }),
      run: () => Promise.reject(new Error("no hands")),
    },
  };
  const host = bench.process(1, { tools: [broken] });
  started(host);
  await bench.pass(100);
  const result = host.view("s").lastCommand?.output;
  expect(result).toBe("terminal broke: no hands");
  const other = new Bench();
  const failing = other.process(1, { provider: { ask: () => Promise.reject(new Error("no wire")) } });
  started(failing);
  await other.pass(100);
  expect(failing.view("s").lastEnding).toMatchObject({ outcome: "failed", detail: "no wire" });
});

test("a tool that cannot read its arguments is the model's failed call, not the end of everything", async () => {
  const bench = new Bench(allowed, { text: "done" });
  const read = () => {
    throw new Error("no eyes");
  };
  const host = bench.process(1, { tools: [{ ...terminalOf(), read }] });
  started(host);
  await bench.pass(100);
  expect(outcome(host.view("s"))).toBe("answered");
  expect(bench.ran).toEqual([]);
});

test("facts that change all the time are recorded once a request", async () => {
  let looks = 0;
  const bench = new Bench(allowed, { text: "done" });
  const host = bench.process(1, { context: () => `look ${++looks}` });
  started(host);
  await bench.pass(100);
  expect(outcome(host.view("s"))).toBe("answered");
  expect(looks).toBe(2);
});

test("counts that are none are not recorded: the journal could not read them back", async () => {
  const usage = { input: Number.NaN, output: 1.5, cached: -1, cost: Number.POSITIVE_INFINITY };
  const provider = { ask: async () => ({ type: "replied", text: "done", calls: [], usage }) as const };
  const bench = new Bench();
  const host = bench.process(1, { provider });
  started(host);
  await bench.pass(100);
  expect(host.view("s").usage).toEqual({ input: 0, output: 0, cached: 0 });
  expect(bench.process(2).view("s").seq).toBe(host.view("s").seq);
});

test("a question that is parked leaves the session: its answer is not acted on here", async () => {
  const bench = new Bench(asks, { text: "done" });
  const host = bench.process(1);
  host.create({ cwd: "/work", limits: {} });
  host.submit("s", prompt());
  const hold = host.hold("s", { unattended: () => "park" });
  await bench.pass(0);
  yes(bench.process(2));
  await bench.pass(500);
  expect(bench.ran).toEqual([]);
  await hold.release();
  bench.process(3).hold("s", { unattended: () => null });
  await bench.pass(100);
  expect(bench.ran).toEqual(["touch a"]);
});

test("two hosts of one process do not work side by side", async () => {
  const bench = new Bench(asks, { text: "done" });
  const first = bench.process(1);
  started(first);
  const holder = { pid: 1, started: "1", boot: "", host: "second" };
  const second = bench.process(1, { holder }).hold("s", { unattended: () => null });
  await bench.pass(200);
  expect(second.works()).toBe(false);
});

test("a hold that could not be taken can be tried again", () => {
  const bench = new Bench(asks);
  const journal = openMemoryJournal(bench.store);
  let broken = true;
  const leaseHolder: typeof journal.leaseHolder = (session) => {
    if (broken) throw new JournalError("io", "once");
    return journal.leaseHolder(session);
  };
  const host = bench.process(1, { journal: { ...journal, leaseHolder } });
  host.create({ cwd: "/work", limits: {} });
  expect(() => host.hold("s", { unattended: () => null })).toThrow("once");
  broken = false;
  expect(host.hold("s", { unattended: () => null }).works()).toBe(true);
});

test("a journal that failed gives the lease back: another process can go on", async () => {
  const bench = new Bench(allowed, { text: "done" });
  const host = promptedOnFullDisk(bench);
  host.hold("s", { unattended: () => null });
  await bench.pass(100);
  expect(host.holder("s")).toBeNull();
  const next = bench.process(2);
  next.hold("s", { unattended: () => null });
  await bench.pass(100);
  expect(outcome(next.view("s"))).toBe("answered");
});

test("a call of a tool that this process does not have is refused, not run", async () => {
  const bench = new Bench(asks, { text: "done" });
  const first = bench.process(1);
  started(first);
  await bench.pass(0);
  bench.alive.delete(1);
  yes(bench.process(2));
  const without = bench.process(3, { tools: [] });
  without.hold("s", { unattended: () => null });
  await bench.pass(100);
  expect(bench.ran).toEqual([]);
  expect(outcome(without.view("s"))).toBe("answered");
});

test("what would be done is worked out anew before it starts: an approval of something else does not count", async () => {
  const bench = new Bench(asks, { text: "done" });
  let target = "harmless";
  const { hands, ...tool } = terminalOf();
  const plan: typeof hands.plan = (given, place) => ({ ...hands.plan(given, place), more: { target } });
  const run = async () => {
    bench.ran.push(target);
    return { type: "output", text: "" } as const;
  };
  const host = bench.process(1, { tools: [{ ...tool, hands: { plan, run } }] });
  started(host);
  await bench.pass(0);
  target = "something else";
  yes(host);
  await bench.pass(100);
  expect(bench.ran).toEqual([]);
  expect(outcome(host.view("s"))).toBe("answered");
});

test("what was judged under another policy is not run: the approval was for something else", async () => {
  const bench = new Bench(asks, { text: "done" });
  started(bench.process(1));
  await bench.pass(0);
  bench.alive.delete(1);
  yes(bench.process(2));
  const host = bench.process(3, { policy: { ...policy, version: "another" } });
  const seen = collect(host, 0);
  host.hold("s", { unattended: () => null });
  await bench.pass(100);
  expect(bench.ran).toEqual([]);
  const refused = seen.flatMap((each) =>
    each.type === "recorded" && each.event.type === "call.refused" ? [each.event.why] : [],
  );
  expect(refused).toEqual(["changed"]);
});

function terminalOf(): ActingTool {
  return actingTool(tools, "terminal");
}

function collect(host: SessionHost, after: number): Watched[] {
  const seen: Watched[] = [];
  void (async () => {
    for await (const watched of host.watch("s", { after })) seen.push(watched);
  })();
  return seen;
}

function numbers(seen: readonly Watched[]): readonly number[] {
  return seen.flatMap((each) => (each.type === "recorded" ? [each.seq] : []));
}

describe("a tool that", () => {
  /** What comes of a call of a tool that plans so, and whether it ran. */
  async function called(plan: Hands["plan"]) {
    const bench = new Bench(allowed, { text: "Done." });
    const ran: Plan[] = [];
    const run = async (given: Plan) => {
      ran.push(given);
      return { type: "output", text: "ran" } as const;
    };
    const terminal = { ...actingTool(tools, "terminal"), hands: { plan, run } };
    const host = bench.process(1, { tools: [terminal] });
    host.create({ cwd: "/work" });
    host.submit("s", prompt());
    const held = host.hold("s");
    await bench.pass(100);
    const results = host.events("s", { after: 0, most: 100 }).flatMap(({ event }) => {
      return event.type === "call.finished" ? [event.result] : [];
    });
    const { exchange } = host.view("s");
    await held.release();
    return { results, ran, exchange };
  }

  test("says that it cannot do something is not made to do it, for nobody was asked about it", async () => {
    const { results, ran } = await called(() => ({ tool: "terminal", cwd: "/work", fails: "there is no such place" }));
    expect({ results, ran }).toEqual({ results: [{ type: "error", text: "there is no such place" }], ran: [] });
  });

  test("breaks while it plans does nothing, and its session goes on", async () => {
    const plan = () => {
      throw new Error("no plan today");
    };
    const results = [{ type: "error", text: "terminal broke: no plan today" }];
    expect(await called(plan)).toEqual({ results, ran: [], exchange: null });
  });
});
