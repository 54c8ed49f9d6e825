import { expect, test } from "vitest";
import type { Overview } from "../../src/runtime/index.ts";
import { openMemoryJournal } from "../../src/runtime/index.ts";
import { describeSession } from "../../src/runtime/outline.ts";
import { KeptOverview } from "../../src/runtime/overview.ts";
import { verifies } from "../requirements/verifies.ts";
import { acting, allowed, asks, Bench, prompt } from "./bench.ts";

const unheard = { onFollowed: () => {}, onForgotten: () => {} };

/** What the overview says, as the slow way of finding it out would. */
function inStep(overview: Overview, bench: Bench): void {
  const { sessions } = openMemoryJournal(bench.store).outline();
  const seen = { holder: null, now: bench.clock.now() };
  const expected = sessions.map((each) => describeSession(each, seen));
  const told = [...overview.sessions].map(({ asked, ...standing }) => ({
    ...standing,
    ...{ asks: asked.some(({ deadline }) => deadline > seen.now), holder: null },
  }));
  expect(told).toEqual(expected);
  expect(overview.size).toBe(expected.length);
}

/** After a look that took long there is a rest: on a busy machine that may be many times the usual one. */
const noticedMs = 5_000;

test("it is in step with what this process and others do, and tells of each session that changed", async () => {
  const bench = new Bench(allowed, asks, { text: "done" });
  let made = 0;
  const newId = () => `s${++made}`;
  const [own, other] = [bench.process(1, { newId }), bench.process(2, { newId })];
  own.create({ cwd: "/early", limits: {} });
  const overview = own.overview();
  inStep(overview, bench);
  const changed: string[] = [];
  const end = overview.listen((session) => changed.push(session));
  own.create({ cwd: "/own", limits: {} });
  // What this process does is known at once.
  expect(changed).toEqual(["s2"]);
  inStep(overview, bench);
  other.create({ cwd: "/other", limits: {} });
  other.submit("s3", prompt());
  other.hold("s3", { unattended: () => null });
  expect(overview.session("s3")).toBeNull();
  await bench.pass(noticedMs);
  expect(new Set(changed)).toEqual(new Set(["s2", "s3"]));
  expect(overview.session("s3")).toMatchObject({ open: true, prompt: "go", asked: [{ interaction: "s3-1" }] });
  inStep(overview, bench);
  other.submit("s3", { type: "reply", interaction: "s3-1", line: "no", shown: null, ...acting });
  await bench.pass(noticedMs);
  expect(overview.session("s3")).toMatchObject({ open: false, outcome: "answered", asked: [] });
  inStep(overview, bench);
  other.remove("s1");
  await bench.pass(noticedMs);
  expect([overview.session("s1"), changed.at(-1)]).toEqual([null, "s1"]);
  inStep(overview, bench);
  end();
  const heard = changed.length;
  own.create({ cwd: "/late", limits: {} });
  expect(changed).toHaveLength(heard);
  // Who asks is told the newest, though nobody listens.
  other.create({ cwd: "/later", limits: {} });
  inStep(own.overview(), bench);
});

test("nothing is read again where nothing has changed, and looking is not all that is done", () => {
  const bench = new Bench();
  const journal = openMemoryJournal(bench.store);
  let reads = 0;
  const counted = {
    ...journal,
    heads: () => {
      reads += 1;
      const until = performance.now() + 3;
      while (performance.now() < until);
      return journal.heads();
    },
  };
  const overview = new KeptOverview(counted, unheard);
  for (let now = 0; now < 1_000; now += 50) overview.look(now);
  expect(reads).toBe(0);
  const host = bench.process(2);
  host.create({ cwd: "/work", limits: {} });
  overview.look(1_000);
  expect([reads, overview.size]).toEqual([1, 1]);
  // It took 3 ms, so for 30 it is not looked again; who must know at once does.
  host.submit("s", prompt());
  overview.look(1_020);
  expect([reads, overview.session("s")?.open]).toEqual([1, false]);
  overview.refresh(1_020);
  expect([reads, overview.session("s")?.open]).toEqual([2, true]);
});

test("of a session that cannot be read further what is known stays, and where it breaks off is told", () => {
  const bench = new Bench();
  const journal = openMemoryJournal(bench.store);
  const damage = { session: "s", seq: 2, reason: "it is torn" };
  let reads = 0;
  const torn = {
    ...journal,
    read: (...given: Parameters<typeof journal.read>) => {
      reads += 1;
      return { events: journal.read(...given).events.slice(0, 1), damage };
    },
  };
  const overview = new KeptOverview(torn, unheard);
  const host = bench.process(2);
  host.create({ cwd: "/work", limits: {} });
  host.submit("s", prompt());
  overview.refresh(0);
  expect(overview.session("s")).toMatchObject({ cwd: "/work", open: false, events: 1 });
  expect(overview.damage).toEqual([damage]);
  host.submit("s", prompt("more"));
  overview.refresh(0);
  expect(reads).toBe(1);
});

verifies(
  "INT-14a",
  "the time of a question that waits behind another begins when its turn comes, in lists too",
  async () => {
    const bench = new Bench({ calls: ["a", "b"].map((id) => ({ tool: "read_file", arguments: { path: id }, id })) });
    const host = bench.process(1);
    host.create({ cwd: "/work", limits: {} });
    host.submit("s", prompt());
    const calls = ["t1c1", "t1c2"];
    host.submit("s", { type: "model-result", request: 1, result: replied(calls) });
    const allow = { verdict: "allow", rule: "", reason: "", facts: null } as const;
    host.submit("s", { type: "verdicts", verdicts: calls.map((call) => ({ ...allow, call, digest: call })) });
    for (const call of calls) {
      host.submit("s", { type: "tool-start", call, digest: call });
      const draft = { question: `Input ${call}?`, options: [], allow_free_text: true, timeout_ms: 1_000 };
      host.submit("s", { type: "input-request", call, draft });
    }
    const listed = () => {
      const { questions } = host.questions({ offset: 0, most: 9 });
      return questions.map(({ request, state }) => [request.interaction_id, state]);
    };
    host.overview();
    expect(listed()).toEqual([
      ["s-1", "open"],
      ["s-2", "waiting"],
    ]);
    const alone = host.question("s-2");
    expect(alone).toMatchObject({ state: "waiting", at: host.questions({ offset: 1, most: 1 }).questions[0]?.at });
    bench.clock.skip(900);
    host.submit("s", { type: "reply", interaction: "s-1", line: "one", shown: null, ...acting });
    bench.clock.skip(900);
    expect(listed()).toEqual([["s-2", "open"]]);
    bench.clock.skip(200);
    expect(listed()).toEqual([]);
  },
);

function replied(ids: readonly string[]) {
  const calls = ids.map((id) => ({
    ...{ id, original: id, tool: "read_file", arguments: '{"path":"a"}' },
    asks: { type: "tool", parallel: true } as const,
  }));
  return { type: "replied", text: "", calls, usage: { input: 0, output: 0, cached: 0 } } as const;
}

test("more sessions than are kept folded stay answerable, each once", async () => {
  let made = 0;
  const bench = new Bench(asks, { text: "done" });
  const host = bench.process(1, { newId: () => `s${++made}` });
  const sessions = Array.from({ length: 70 }, () => {
    const created = host.create({ cwd: "/work", limits: {} });
    return "session" in created ? created.session : "";
  });
  const holdAll = () => sessions.map((session) => host.hold(session, { unattended: () => null }));
  for (const session of sessions) host.submit(session, prompt());
  const asking = holdAll();
  await bench.pass(0);
  await Promise.all(asking.map((hold) => hold.release()));
  expect(host.questions({ offset: 0, most: 200 }).total).toBe(70);
  const answer = (session: string) =>
    host.submit(session, { type: "reply", interaction: `${session}-1`, line: "1", shown: null, ...acting }).refusal
      ?.code;
  expect(sessions.map(answer)).toEqual(sessions.map(() => undefined));
  expect(sessions.map(answer)).toEqual(sessions.map(() => "already_resolved"));
  expect(host.questions({ offset: 0, most: 0 }).total).toBe(0);
  const working = holdAll();
  await bench.pass(50);
  expect(bench.ran).toHaveLength(70);
  await Promise.all(working.map((hold) => hold.release()));
});
