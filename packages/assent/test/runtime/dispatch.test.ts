import { expect, test } from "vitest";
import type { Session } from "../../src/core/index.ts";
import {
  type Dispatch,
  openDispatch,
  openMemoryJournal,
  type Ports,
  type SessionHost,
  type Tool,
} from "../../src/runtime/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { acting, allowed, asks, Bench, changed, prompt, tools } from "./bench.ts";

/** A server's process on a bench: what it takes up, what rests, and what it could not do. */
class Server {
  readonly host: SessionHost;
  readonly dispatch: Dispatch;
  readonly takenUp: string[] = [];
  readonly rested: string[] = [];
  readonly failed: string[] = [];

  constructor(bench: Bench, pid: number, change: Partial<Ports> = {}) {
    this.host = bench.process(pid, { newId: numbered(`s${pid}x`), ...change });
    this.dispatch = openDispatch({
      ...{ host: this.host, clock: bench.clock, options: (_: Session) => ({ unattended: () => null }) },
      onTakenUp: (session) => this.takenUp.push(session),
      onRest: (session) => this.rested.push(session),
      onFailure: (session, error) => this.failed.push(`${session}: ${error instanceof Error ? error.message : error}`),
    });
  }

  begin(): string {
    const created = this.host.create({ cwd: "/work", limits: {} });
    if ("refusal" in created) throw new Error(created.refusal.detail);
    this.host.submit(created.session, prompt());
    return created.session;
  }
}

function numbered(name: string): () => string {
  let made = 0;
  return () => {
    made += 1;
    return `${name}${made}`;
  };
}

/** Time passes in steps, and between them comes what is left for a moment later. */
async function pass(bench: Bench, ms: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += 50) {
    await bench.pass(50);
    for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve));
  }
}

function yes(host: SessionHost, session: string) {
  return host.submit(session, { type: "reply", interaction: `${session}-1`, line: "1", shown: null, ...acting });
}

verifies("SESS-4h", "what has something to do is taken up, and left as soon as it rests", async () => {
  const bench = new Bench(allowed, { text: "done" });
  const server = new Server(bench, 1);
  const session = server.begin();
  await pass(bench, 100);
  expect(bench.ran).toEqual(["echo a"]);
  expect(server.host.view(session).lastEnding?.outcome).toBe("answered");
  expect([server.dispatch.held(), server.host.holder(session)]).toEqual([0, null]);
  expect(server.rested).toEqual([session]);
  // It was begun here: nobody had left it.
  expect(server.takenUp).toEqual([]);
  server.host.submit(session, prompt("again"));
  await pass(bench, 100);
  expect(server.rested).toEqual([session, session]);
});

verifies("SESS-4h", "a session at a question is nobody's, and its answer from anywhere lets it go on", async () => {
  const bench = new Bench(asks, { text: "done" });
  const server = new Server(bench, 1);
  const session = server.begin();
  await pass(bench, 100);
  expect([server.dispatch.held(), server.host.holder(session)]).toEqual([0, null]);
  expect(yes(bench.process(2), session).refusal).toBeNull();
  // Whoever answered might have been about to go on with it.
  await pass(bench, 400);
  expect(bench.ran).toEqual([]);
  await pass(bench, 600);
  expect(bench.ran).toEqual(["touch a"]);
  expect(server.host.view(session).lastEnding?.outcome).toBe("answered");
});

verifies("SESS-4h", "what another process works on is left to it until that has died", async () => {
  const bench = new Bench(asks, { text: "done" });
  const other = bench.process(2, { newId: () => "other" });
  other.create({ cwd: "/work", limits: {} });
  other.submit("other", prompt());
  other.hold("other", { unattended: () => null });
  await bench.pass(100);
  const server = new Server(bench, 1);
  yes(server.host, "other");
  // The other process does not get to it any more.
  bench.alive.delete(2);
  await other.close();
  bench.alive.add(2);
  await pass(bench, 50);
  bench.alive.delete(2);
  await pass(bench, 1_100);
  expect(bench.ran).toEqual(["touch a"]);
  expect(server.host.view("other").lastEnding?.outcome).toBe("answered");
  expect(server.takenUp).toEqual(["other"]);
});

test("what was left in the middle before it began is taken up", async () => {
  const bench = new Bench(asks, { text: "done" });
  const first = new Server(bench, 1);
  const session = first.begin();
  await pass(bench, 100);
  await first.dispatch.close(0);
  await first.host.close();
  yes(bench.process(2), session);
  const next = new Server(bench, 3);
  await pass(bench, 100);
  expect(next.takenUp).toEqual([session]);
  expect(bench.ran).toEqual(["touch a"]);
});

test("so many are worked on at once and no more, and the others have their turn", async () => {
  const bench = new Bench();
  let asked = 0;
  const provider: Ports["provider"] = {
    ask: async () => {
      asked += 1;
      await new Promise<void>((resolve) => void bench.clock.after(500, resolve));
      return { type: "replied", text: "Done.", calls: [], usage: { input: 0, output: 0, cached: 0 } };
    },
  };
  const server = new Server(bench, 1, { provider });
  const sessions = Array.from({ length: 300 }, () => server.begin());
  await pass(bench, 100);
  expect([server.dispatch.held(), asked]).toEqual([256, 256]);
  await pass(bench, 1_500);
  expect([server.dispatch.held(), asked]).toEqual([0, 300]);
  const ends = sessions.map((session) => server.host.view(session).lastEnding?.outcome);
  expect(new Set(ends)).toEqual(new Set(["answered"]));
});

/** A terminal whose commands take so long, unless they are ended. */
function slowTerminal(bench: Bench, ms: number): Tool {
  const tool = tools.find(({ name }) => name === "terminal");
  if (tool?.hands === undefined) throw new Error("there is no terminal");
  const run = (_plan: unknown, { signal }: { readonly signal: AbortSignal }) =>
    new Promise<{ type: "output"; text: string; exit: number }>((resolve) => {
      bench.clock.after(ms, () => resolve({ type: "output", text: "whole", exit: 0 }));
      signal.addEventListener("abort", () => resolve({ type: "output", text: "ended", exit: 1 }));
    });
  return { ...tool, hands: { ...tool.hands, run } };
}

verifies("SRV-4c", "closing waits for what runs, cancels nothing, and leaves the rest to the next", async () => {
  for (const [ms, patience, output] of [
    [300, 1_000, "whole"],
    [5_000, 200, "ended"],
  ] as const) {
    const bench = new Bench(allowed, { text: "done" });
    const server = new Server(bench, 1, { tools: [slowTerminal(bench, ms)] });
    const session = server.begin();
    await pass(bench, 100);
    expect(server.dispatch.held()).toBe(1);
    const closed = server.dispatch.close(patience);
    await pass(bench, patience + 300);
    await closed;
    const left = server.host.view(session);
    expect(left.lastCommand).toMatchObject({ output });
    expect(server.host.holder(session)).toBeNull();
    // What comes now is for others.
    server.begin();
    await pass(bench, 100);
    expect(server.dispatch.held()).toBe(0);
    const next = new Server(bench, 2, { tools: [slowTerminal(bench, 0)] });
    await pass(bench, 200);
    expect(next.host.view(session).lastEnding?.outcome).toBe("answered");
  }
});

test("that the time for an answer has passed is recorded though nobody is there", async () => {
  const bench = new Bench(asks, { text: "done" });
  const server = new Server(bench, 1, { expiryMs: 1_000 });
  const session = server.begin();
  await pass(bench, 500);
  expect(server.host.questions({ offset: 0, most: 9 }).total).toBe(1);
  await pass(bench, 2_500);
  expect(server.host.question(`${session}-1`)).toMatchObject({ state: "expired" });
  expect(bench.ran).toEqual([]);
  expect(server.host.view(session).lastEnding?.outcome).toBe("answered");
});

test("a session that cannot be worked on is told of, and the others go on", async () => {
  const bench = new Bench(allowed, { text: "done" });
  const server = new Server(bench, 1);
  const broken = server.begin();
  const { hold } = server.host;
  server.host.hold = (session, options) => {
    if (session === broken) throw new Error("no hands");
    return hold.call(server.host, session, options);
  };
  const session = server.begin();
  await pass(bench, 100);
  expect(server.failed).toEqual([`${broken}: no hands`]);
  expect(server.host.view(session).lastEnding?.outcome).toBe("answered");
});

test("a session that fails again and again is tried ever later, and at once again when it works", async () => {
  const bench = new Bench(allowed, { text: "done" }, { text: "done again" });
  const server = new Server(bench, 1);
  const { hold } = server.host;
  let tried = 0;
  server.host.hold = () => {
    tried += 1;
    throw new Error(tried < 5 ? "no hands" : "no feet");
  };
  const session = server.begin();
  await pass(bench, 8_000);
  // After 0, 0.5, 1.5, 3.5 and 7.5 seconds. What is said again is nothing new.
  expect([tried, server.failed]).toEqual([5, [`${session}: no hands`, `${session}: no feet`]]);
  server.host.hold = hold;
  await pass(bench, 9_000);
  expect([server.failed.length, server.host.view(session).lastEnding?.outcome]).toEqual([2, "answered"]);
});

verifies(
  "SESS-5i",
  "a session that was changed and whose question has expired is tried ever later and told of once",
  async () => {
    const bench = new Bench(asks, { text: "done" });
    const first = new Server(bench, 1, { expiryMs: 1_000 });
    const session = first.begin();
    await pass(bench, 100);
    await first.dispatch.close(0);
    await first.host.close();
    const mended = changed(bench.store, session, (line) => line.replace("touch a", "touch b"));
    const journal = openMemoryJournal(bench.store);
    let taken = 0;
    const takeLease: typeof journal.takeLease = (...given) => {
      taken += 1;
      return journal.takeLease(...given);
    };
    const next = new Server(bench, 2, { journal: { ...journal, takeLease } });
    await pass(bench, 9_500);
    // 1, 1.5, 2.5, 4.5 and 8.5 seconds after it was asked.
    expect(taken).toBe(5);
    expect(next.failed).toEqual([expect.stringMatching(/^s1x1: session s1x1: event \d+ \(/)]);
    expect(next.takenUp).toEqual([]);
    expect(next.host.holder(session)).toBeNull();
    mended();
    await pass(bench, 9_000);
    expect(next.takenUp).toEqual([session]);
    expect(next.host.view(session).interactions).toEqual([]);
  },
);
