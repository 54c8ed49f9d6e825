import { expect, test } from "vitest";
import { Place, type Scripted, terminal, until } from "../e2e/product.ts";
import { verifies } from "../requirements/verifies.ts";
import { colours, counted, done, eventually, recorded, Served, typesOf } from "./served.ts";

/** Leaves a byte when it begins and one when it ends. */
const working = terminal("echo b >> began; sleep 1; echo e >> ended");

const endings = ["SIGTERM", "SIGKILL"] as const;

for (const signal of endings) {
  verifies(
    ["SRV-4a", "SRV-4b", "SRV-4c", "INT-7"],
    `after ${signal} at a question it has the same id, is answered once, and its command runs once`,
    async () => {
      const place = new Place([]);
      const first = await Served.at(place);
      const { session, id } = await first.asked(counted);
      const idle = await first.session([], { prompt: undefined });
      const before = typesOf(recorded(place, session));
      const code = await first.end(signal);
      expect(code).toBe(signal === "SIGTERM" ? 0 : -2);
      expect(typesOf(recorded(place, session))).toEqual(before);
      // Also for who answers while no server runs.
      expect(place.pending().map(({ request }) => request.interaction_id)).toEqual([id]);
      const next = await Served.at(place);
      expect((await next.call(`/v1/interactions/${id}`)).body).toMatchObject({ state: "open", attempts: 0 });
      const answers = await Promise.all(Array.from({ length: 5 }, () => next.respond(id, { confirmed: true })));
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409]);
      expect(await next.outcome(session)).toBe("answered");
      expect(place.read("count")).toBe("x\n");
      expect((await next.call(`/v1/sessions/${idle}`)).body).toMatchObject({ status: "active", open: false });
      // The script's two replies were asked for once each.
      expect(place.requests().map(({ number }) => number)).toEqual([1, 2]);
      await next.end();
    },
  );
}

verifies(
  ["SRV-4a", "SRV-4c"],
  "told to end while a command runs it lets that come to its end, and goes on afterwards",
  async () => {
    const place = new Place([]);
    const first = await Served.at(place);
    const session = await first.session([working, colours, done]);
    await until("it runs", () => place.read("began") !== "" || undefined);
    expect((await first.call(`/v1/sessions/${session}`)).body).toMatchObject({ holder: { pid: first.pid } });
    expect(await first.end()).toBe(0);
    expect(place.read("ended")).toBe("e\n");
    expect(typesOf(recorded(place, session))).not.toContain("exchange.ended");
    const next = await Served.at(place);
    const id = await next.openIn(session);
    expect((await next.respond(id, { selected_option_id: "1" })).status).toBe(200);
    expect(await next.outcome(session)).toBe("answered");
    expect(place.read("began")).toBe("b\n");
    expect(typesOf(recorded(place, session))).not.toContain("call.unknown");
    await next.end();
  },
);

verifies(["SRV-4a", "SRV-4b"], "killed while a command runs it goes on without running that again", async () => {
  const place = new Place([]);
  const first = await Served.at(place);
  const session = await first.session([working, done]);
  await until("it runs", () => place.read("began") !== "" || undefined);
  await first.end("SIGKILL");
  const next = await Served.at(place);
  expect(await next.outcome(session)).toBe("answered");
  expect(place.read("began")).toBe("b\n");
  expect(typesOf(recorded(place, session)).filter((type) => type.startsWith("call."))).toEqual([
    ...["call.judged", "call.cleared", "call.started", "call.unknown"],
  ]);
  expect(next.running.output).toContain(`session ${session} goes on`);
  await next.end();
});

/** The second reply lets somebody wait. */
const slowly: readonly Scripted[] = [terminal("echo b >> began"), { ...done, delay_ms: 1_500 }];

verifies(
  ["SRV-4a", "SESS-4h"],
  "a session that a killed run has left in the middle is taken up by a server that runs",
  async () => {
    const place = new Place(slowly);
    const served = await Served.at(place);
    const run = place.start(["run", "go"]);
    await until("the second request is out", () => place.requests().length === 2 || undefined);
    const session = recordedSession(place);
    expect((await served.call(`/v1/sessions/${session}`)).body).toMatchObject({ open: true, outcome: null });
    run.kill("SIGKILL");
    await run.ended;
    expect(await served.outcome(session)).toBe("answered");
    expect(place.read("began")).toBe("b\n");
    expect(served.running.output).toContain(`session ${session} goes on`);
    expect((await served.call(`/v1/sessions/${session}`)).body).toMatchObject({ holder: null });
    await served.end();
  },
);

function recordedSession(place: Place): string {
  return place.sessions()[0]?.session ?? "";
}

verifies(
  "SESS-4h",
  "a session that a living process holds is left to it, and one that rests is held by nobody",
  async () => {
    const place = new Place(slowly);
    const served = await Served.at(place);
    const run = place.start(["run", "go"]);
    await until("the second request is out", () => place.requests().length === 2 || undefined);
    const { session = "", holder } = place.sessions()[0] ?? {};
    expect(holder?.pid).not.toBe(served.pid);
    expect((await served.call(`/v1/sessions/${session}`)).body.holder).toEqual({ pid: holder?.pid });
    expect(await run.ended).toBe(0);
    expect(place.requests()).toHaveLength(2);
    expect(served.running.output).not.toContain("goes on");
    const asked = await served.asked();
    // It is left a moment after it has asked.
    await eventually("nobody holds it", async () => {
      const { body } = await served.call(`/v1/sessions/${asked.session}`);
      const metrics = await served.call("/metrics");
      return (body.holder === null && metrics.body.includes("\nassent_sessions_worked_on 0\n")) || undefined;
    });
    await served.end();
  },
);

verifies("SRV-4b", "two servers that share their sessions run nothing twice", async () => {
  const place = new Place([]);
  const [one, other] = [await Served.at(place), await Served.at(place)];
  const sessions = await Promise.all(
    Array.from({ length: 16 }, (_, nth) => {
      const asking = [terminal(`rm -rf none; echo x >> asked-${nth}`), terminal(`echo x >> free-${nth}`), done];
      return (nth % 2 === 0 ? one : other).asked(asking);
    }),
  );
  const answers = await Promise.all(
    sessions.flatMap(({ id }) => [one, other, one].map((served) => served.respond(id, { confirmed: true }))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(sessions.length);
  expect(answers.filter(({ status }) => status === 409)).toHaveLength(2 * sessions.length);
  for (const [nth, { session }] of sessions.entries()) {
    expect(await (nth % 2 === 0 ? other : one).outcome(session)).toBe("answered");
    expect([place.read(`asked-${nth}`), place.read(`free-${nth}`)]).toEqual(["x\n", "x\n"]);
    expect(typesOf(recorded(place, session)).filter((type) => type === "call.started")).toHaveLength(2);
  }
  // Each request of each session was sent once.
  expect(place.requests()).toHaveLength(3 * sessions.length);
  await Promise.all([one.end(), other.end()]);
});

test("a command that runs for longer than a server waits is ended and told so, and the exchange goes on", async () => {
  const place = new Place([]);
  const first = await Served.at(place);
  const session = await first.session([terminal("echo b >> began; sleep 60; echo e >> ended"), done]);
  await until("it runs", () => place.read("began") !== "" || undefined);
  expect(await first.end()).toBe(0);
  expect(typesOf(recorded(place, session)).at(-1)).toBe("turn.closed");
  const next = await Served.at(place);
  expect(await next.outcome(session)).toBe("answered");
  expect([place.read("began"), place.read("ended")]).toEqual(["b\n", ""]);
  await next.end();
});
