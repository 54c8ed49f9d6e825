import { expect, test } from "vitest";
import type { Flow, Unattended } from "../../src/core/index.ts";
import { type FormEnd, openMemoryJournal, type Tool } from "../../src/runtime/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { type Asks, Bench, colour, one, token } from "./asking-bench.ts";
import { acting, prompt, Bench as TimedBench } from "./bench.ts";

const telling =
  (flow: Flow): Asks =>
  async ({ form }) =>
    JSON.stringify(await form(flow));

test("a running call gets the answers to its flow, and of a secret its value", async () => {
  const ends: FormEnd[] = [];
  const bench = new Bench(async ({ form }) => {
    ends.push(await form({ steps: [colour, token] }));
    return "it is hunter2";
  });
  bench.begin();
  await bench.reply("2", "hunter2");
  expect(bench.secrets.size).toBe(1);
  await bench.reply("1");
  // What was typed unseen is seen nowhere, also where the call says it.
  expect(await bench.end()).toBe("it is [secret]");
  expect(ends).toEqual([
    {
      type: "filled",
      answers: Object.fromEntries([
        ["__proto__", { options: ["2"] }],
        ["token", { text: "hunter2" }],
      ]),
    },
  ]);
  expect(bench.secrets.size).toBe(0);
  expect(JSON.stringify(bench.events())).not.toContain("hunter2");
});

test("what a call asks at once is asked one after the other", async () => {
  const bench = new Bench(async ({ form }) => JSON.stringify(await Promise.all([form(one), form(one), form(one)])));
  bench.begin();
  await bench.reply("1", "2", "green");
  const answers = [{ options: ["1"] }, { options: ["2"] }, { text: "green" }];
  expect(JSON.parse(await bench.end())).toEqual(
    answers.map((answer) => ({ type: "filled", answers: Object.fromEntries([["__proto__", answer]]) })),
  );
});

test.each<[Unattended]>([["deny"], ["park"]])(
  "where nobody is there, a call is told so at once: %s",
  async (unattended) => {
    const bench = new Bench(telling(one));
    bench.begin(unattended);
    expect(JSON.parse(await bench.end())).toEqual({ type: "unanswered", why: "nobody" });
  },
);

test("a cancel is told, and so is everything asked after it", async () => {
  const bench = new Bench(async ({ form }) => JSON.stringify([await form(one), await form(one)]));
  bench.begin();
  await bench.reply("cancel");
  const cancelled = { type: "unanswered", why: "cancelled" };
  expect(JSON.parse(await bench.end())).toEqual([cancelled, cancelled]);
  expect(bench.events().at(-1)).toMatchObject({ type: "exchange.ended", outcome: "cancelled" });
});

test("a question of a running call expires like others, and the call goes on", async () => {
  const bench = new Bench(telling(one), 1);
  bench.begin();
  expect(JSON.parse(await bench.end())).toEqual({ type: "unanswered", why: "expired" });
});

test("what is no flow is the call's own fault", async () => {
  const bench = new Bench(telling({ steps: [] }));
  bench.begin();
  expect(await bench.end()).toContain("it asked for a flow that is none: expected 1 to 7 steps, found none");
});

test("a call that is told to end waits for no answer, and its question goes with it", async () => {
  const ends: FormEnd[] = [];
  const bench = new Bench(async ({ form }) => {
    ends.push(...(await Promise.all([form(one), form(one)])), await form(one));
    return "left";
  });
  const hold = bench.begin();
  await expect.poll(() => bench.host.view(bench.session).interactions.length).toBe(1);
  expect(bench.host.interactions().open).toHaveLength(1);
  await hold.release();
  const stopped = { type: "unanswered", why: "stopped" };
  expect(ends).toEqual([stopped, stopped, stopped]);
  expect(bench.events().filter(({ type }) => type === "interaction.resolved")).toMatchObject([
    { state: "withdrawn", reason: "call-ended" },
  ]);
  await bench.host.close();
});

test("a question that who asked takes back is withdrawn, and the next one is asked", async () => {
  const takenBack = new AbortController();
  const bench = new Bench(async ({ form }) => {
    const first = form(one, takenBack.signal);
    return JSON.stringify([await first, await form(one, AbortSignal.abort()), await form(one)]);
  });
  bench.begin();
  await expect.poll(() => bench.host.interactions().open.length).toBe(1);
  takenBack.abort();
  await expect
    .poll(() => bench.events().filter(({ type }) => type === "interaction.resolved"))
    .toMatchObject([{ state: "withdrawn", reason: "taken-back" }]);
  await expect.poll(() => bench.host.interactions().open.length).toBe(1);
  await bench.reply("1");
  const stopped = { type: "unanswered", why: "stopped" };
  expect(JSON.parse(await bench.end())).toEqual([
    stopped,
    stopped,
    { type: "filled", answers: Object.fromEntries([["__proto__", { options: ["1"] }]]) },
  ]);
});

test("without the process that runs its call, a question is not open", async () => {
  const bench = new Bench(telling(one));
  bench.begin();
  await expect.poll(() => bench.host.interactions().open.length).toBe(1);
  bench.journal.releaseLease(bench.session, { pid: 1, started: "1", boot: "", host: "1" });
  expect(bench.host.interactions().open).toEqual([]);
  await bench.host.close();
});

/** Works for 400 ms, asks two things at once, and works on until it is told to end. */
function slowTool({ clock }: TimedBench): Tool {
  return {
    ...{ name: "slow", description: "", parameters: {}, tier: "safe", timeoutMs: 1_000 },
    read: () => ({ type: "tool", parallel: false }),
    hands: {
      plan: (_given, { cwd }) => ({ tool: "slow", cwd, command: "echo a" }),
      run: async (_plan, { form, signal }) => {
        const told = new Promise((resolve) => signal.addEventListener("abort", resolve));
        await new Promise<void>((resolve) => void clock.after(400, resolve));
        const answers = await Promise.all([form(one), form(one)]);
        await told;
        return { type: "error", text: `${answers.map(({ type }) => type).join(", ")}, then ${signal.reason}` };
      },
    },
  };
}

verifies("INT-13b", "the time that a tool may take stands still while its call asks, and then goes on", async () => {
  const bench = new TimedBench({ calls: [{ tool: "slow", arguments: {}, id: "c" }] }, { text: "Done." });
  const host = bench.process(1, { tools: [slowTool(bench)] });
  host.create({ cwd: "/work", limits: {} });
  host.hold("s", { unattended: () => null });
  host.submit("s", prompt());
  const results = () =>
    openMemoryJournal(bench.store)
      .read("s", 0)
      .events.flatMap(({ event }) => (event.type === "call.finished" ? [event.result.text] : []));
  for (const interaction of ["s-1", "s-2"]) {
    await bench.pass(5_000);
    host.submit("s", { type: "reply", interaction, line: "1", shown: null, ...acting });
  }
  await bench.pass(599);
  expect(results()).toEqual([]);
  await bench.pass(1);
  expect(results()).toEqual(["filled, filled, then timeout"]);
  await bench.pass(5_000);
  expect(host.view("s").lastEnding).toMatchObject({ outcome: "answered" });
});
