import { readFileSync } from "node:fs";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { apiClient } from "../../src/client.ts";
import { Place, terminal } from "../e2e/product.ts";
import { verifies } from "../requirements/verifies.ts";
import { colours, done, eventually, recorded, Served } from "./served.ts";
import { Streamed } from "./streamed.ts";

const place = new Place([], {}, afterAll);
let served: Served;
let quiet: Streamed;
beforeAll(async () => {
  served = await Served.at(place);
  // What is said when nothing happens is heard at the end of this file.
  const { session } = await served.asked();
  quiet = await Streamed.of(served, `/v1/sessions/${session}/events`);
});

function countTo(newest: number, from = 1): readonly number[] {
  return Array.from({ length: newest - from + 1 }, (_, index) => from + index);
}

verifies(
  "SRV-1f",
  "all that is recorded comes, then that this is all, then every new event as it is recorded",
  async () => {
    const { session, id } = await served.asked();
    const path = `/v1/sessions/${session}/events`;
    const before = recorded(place, session);
    const newest = before.length;
    const [all, some, resumed, both] = await Promise.all([
      Streamed.of(served, path),
      Streamed.of(served, `${path}?after=3`),
      Streamed.of(served, path, { "last-event-id": "3" }),
      // A browser that connects again asks for the address it was given, and says where it was.
      Streamed.of(served, `${path}?after=1`, { "last-event-id": "3" }),
    ]);
    for (const each of [all, some, resumed, both])
      await each.has("it is in step", () => each.named("caught-up").length > 0);
    expect(all.numbers).toEqual(countTo(newest));
    for (const each of [some, resumed, both]) expect(each.numbers).toEqual(countTo(newest, 4));
    expect(JSON.parse(all.named("caught-up")[0]?.data ?? "")).toEqual({ seq: newest });
    expect(all.messages.at(-1)?.event).toBe("caught-up");
    const listed = (await served.call(path)).body.events;
    expect(all.messages.filter(({ event }) => event === undefined).map(({ data }) => JSON.parse(data))).toEqual(listed);
    await served.respond(id, { selected_option_id: "1" });
    await served.outcome(session);
    const end = recorded(place, session).length;
    for (const each of [all, some]) await each.has("the end has come", () => each.numbers.at(-1) === end);
    expect(all.numbers).toEqual(countTo(end));
    expect(some.numbers).toEqual(countTo(end, 4));
    expect(JSON.parse(all.named("caught-up").at(-1)?.data ?? "")).toEqual({ seq: end });
    // What the model says is seen as it comes, in its place.
    expect(all.named("live").length).toBeGreaterThan(0);
    for (const each of [all, some, resumed, both]) each.close();
  },
);

test("one that follows from beyond the end, or from no number, is told or waits", async () => {
  const { session } = await served.asked();
  const path = `/v1/sessions/${session}/events`;
  const headers = { accept: "text/event-stream" };
  expect((await served.call(`${path}?after=x`, { headers })).status).toBe(400);
  expect((await served.call("/v1/sessions/none/events", { headers })).status).toBe(404);
  const beyond = await Streamed.of(served, `${path}?after=99`);
  const odd = await Streamed.of(served, path, { "last-event-id": "x" });
  await odd.has("from the first", () => odd.numbers[0] === 1);
  expect(beyond.numbers).toEqual([]);
  for (const each of [beyond, odd]) each.close();
});

verifies("SRV-1f", "sessions that come to a milestone are told, each as the list has it", async () => {
  const changes = await Streamed.of(served, "/v1/changes");
  const { session, id } = await served.asked([colours, done], { name: "told" });
  const of = () =>
    changes
      .named("session")
      .map(({ data }) => JSON.parse(data))
      .filter((each) => each.session === session);
  await changes.has("it asks", () => of().some(({ interaction }) => interaction === id));
  await served.respond(id, { selected_option_id: "1" });
  await changes.has("it has ended", () => of().at(-1)?.outcome === "answered");
  const { body } = await served.call("/v1/sessions");
  expect(of().at(-1)).toEqual(body.sessions.find((each: { session: string }) => each.session === session));
  changes.close();
  await eventually("its place is free again", async () => {
    const { body: numbers } = await served.call("/metrics");
    return /assent_streams (\d+)/.exec(numbers)?.[1] === "1" || undefined;
  });
});

verifies(
  "SRV-1f",
  "a client that connects again after kill -9 and a restart misses nothing and gets nothing twice",
  async () => {
    const own = new Place([]);
    const first = await Served.at(own, "--listen", "0");
    const { session, id } = await first.asked([colours, terminal("echo 1"), colours, done]);
    const ending = new AbortController();
    const seen: number[] = [];
    const states: string[] = [];
    const following = (async () => {
      const client = apiClient({ url: first.url, token: first.token });
      for await (const each of client.watch(session, { signal: ending.signal })) {
        if (each.type === "event") seen.push(each.seq);
        if (each.type === "connection") states.push(each.state);
      }
    })();
    await expect.poll(() => seen.length).toBe(recorded(own, session).length);
    await first.end("SIGKILL");
    const next = await Served.at(own, "--listen", String(first.port));
    expect(next.token).toBe(first.token);
    expect((await next.respond(id, { selected_option_id: "1" })).status).toBe(200);
    const second = await eventually("it asks again", async () => {
      const open = await next.openIn(session);
      return open === id ? undefined : open;
    });
    expect((await next.respond(second, { selected_option_id: "2" })).status).toBe(200);
    expect(await next.outcome(session)).toBe("answered");
    const newest = recorded(own, session).length;
    await expect.poll(() => seen.at(-1), { timeout: 15_000 }).toBe(newest);
    expect(seen).toEqual(countTo(newest));
    expect(states).toEqual(["connected", "lost", "connected"]);
    ending.abort();
    await following;
  },
);

test("when the server ends, streams end as streams do, and it does not wait for them", async () => {
  const own = new Place([]);
  const ending = await Served.at(own);
  const { session } = await ending.asked();
  const streams = [
    await Streamed.of(ending, `/v1/sessions/${session}/events`),
    await Streamed.of(ending, "/v1/changes"),
  ];
  const began = Date.now();
  expect(await ending.end()).toBe(0);
  expect(Date.now() - began).toBeLessThan(3_000);
  for (const each of streams) await each.has("it has ended", () => each.ended === "closed");
});

/** A session with twelve megabytes to tell: more than the system keeps for a connection. */
async function talkative(): Promise<string> {
  const { session } = await served.asked();
  for (let nth = 0; nth < 100; nth++) {
    const body = { text: "x".repeat(120_000), delivery: "next" };
    expect((await served.call(`/v1/sessions/${session}/prompts`, { body })).status).toBe(200);
  }
  return session;
}

function residentBytes(pid: number): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1_024;
}

const bounded = "who never reads costs a bounded amount, holds up nobody, and gets the rest when they read on";
verifies("SRV-3c", bounded, async () => {
  const session = await talkative();
  const newest = recorded(place, session).length;
  const before = residentBytes(served.pid);
  const sockets = Array.from({ length: 100 }, () => {
    const socket = connect(served.port, "127.0.0.1").pause();
    socket.write(
      `GET /v1/sessions/${session}/events HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n` +
        `Authorization: Bearer ${served.token}\r\nAccept: text/event-stream\r\n\r\n`,
    );
    return socket;
  });
  await eventually("all are followed", async () => {
    const { body } = await served.call("/metrics");
    return Number(/assent_streams (\d+)/.exec(body)?.[1]) >= 100 || undefined;
  });
  // Others are answered meanwhile.
  const other = await served.asked();
  expect((await served.respond(other.id, { selected_option_id: "1" })).status).toBe(200);
  expect(await served.outcome(other.session)).toBe("answered");
  // All that they could be told is eight times that.
  expect(residentBytes(served.pid) - before).toBeLessThan(150 * 1024 * 1024);
  const [late] = sockets;
  let text = "";
  late?.on("data", (part: Buffer) => {
    text += part.toString("latin1");
  });
  late?.resume();
  await expect.poll(() => text.includes("event: caught-up"), { timeout: 15_000 }).toBe(true);
  const numbers = [...text.matchAll(/^id: (\d+)$/gm)].map(([, number]) => Number(number));
  expect(numbers).toEqual(countTo(newest));
  for (const socket of sockets) socket.destroy();
  await eventually("their places are free again", async () => {
    const { body } = await served.call("/metrics");
    return Number(/assent_streams (\d+)/.exec(body)?.[1]) <= 1 || undefined;
  });
});

verifies("SRV-2c", "one bearer gets so many streams and no more, and a HEAD takes none of them", async () => {
  const { session } = await served.asked();
  const paths = [`/v1/sessions/${session}/events`, "/v1/changes"];
  for (let nth = 0; nth < 70; nth++) {
    for (const path of paths) {
      const headers = { accept: "text/event-stream" };
      expect((await served.call(path, { method: "HEAD", headers })).status).toBe(200);
    }
  }
  const open: Streamed[] = [];
  for (let nth = 0; nth < 127; nth++) open.push(await Streamed.of(served, "/v1/changes"));
  await expect(Streamed.of(served, "/v1/changes")).rejects.toThrow('429 {"error":{"code":"too_many"');
  await expect(Streamed.of(served, paths[0] ?? "")).rejects.toThrow("429");
  for (const each of open) each.close();
  await eventually("there is room again", async () => {
    const { body } = await served.call("/metrics");
    return Number(/assent_streams (\d+)/.exec(body)?.[1]) <= 1 || undefined;
  });
});

test("something is said now and then though nothing happens", async () => {
  await expect.poll(() => quiet.comments, { timeout: 20_000 }).toBeGreaterThan(0);
  quiet.close();
});
