import type { ServerResponse } from "node:http";
import { afterEach, expect, test } from "vitest";
import { apiClient, type Changed, type Watched } from "../../src/client.ts";
import { type Answering, json, line, stream, type TestServer, testServer } from "./server.ts";

let server: TestServer | null = null;
afterEach(async () => {
  await server?.down();
  server = null;
});

async function open(answering: Answering): Promise<TestServer> {
  server = await testServer(answering);
  return server;
}

/** What is watched, shortly, until `enough` of it has come. */
async function collect(
  watching: AsyncIterable<Watched | Changed>,
  enough: (all: string[]) => boolean,
): Promise<string[]> {
  const all: string[] = [];
  for await (const each of watching) {
    all.push(shortly(each));
    if (enough(all)) break;
  }
  return all;
}

function shortly(each: Watched | Changed): string {
  if (each.type === "connection") return each.state;
  if (each.type === "event") return String(each.seq);
  if (each.type === "ended") return `ended ${each.status} ${each.error.code}`;
  if (each.type === "live" || each.type === "dropped") return each.type;
  if (each.type === "gone") return `gone ${each.session}`;
  return each.type === "caught-up" ? `caught-up ${each.seq}` : each.session.session;
}

test("events, live parts and what was dropped come as they are sent", async () => {
  const { url, seen } = await open((_, response) => {
    stream(response).write(`: hello\n\n${line(6)}event: live\ndata: {"type":"text","request":1,"text":"a"}\n\n`);
    response.write('event: dropped\ndata: {"count":2}\n\nevent: caught-up\ndata: {"seq":6}\n\n');
  });
  const all = await collect(apiClient({ url }).watch("s1", { after: 5 }), (got) => got.includes("caught-up 6"));
  expect(all).toEqual(["connected", "6", "live", "dropped", "caught-up 6"]);
  expect(seen[0]).toMatchObject({
    path: "/v1/sessions/s1/events?after=5",
    headers: { accept: "text/event-stream", "last-event-id": "5" },
  });
});

test("an event is read as the journal has it", async () => {
  const { url } = await open((_, response) => stream(response).write(line(1)));
  for await (const each of apiClient({ url }).watch("s1")) {
    if (each.type !== "event") continue;
    expect(each).toEqual({
      type: "event",
      seq: 1,
      session: "s1",
      event: { type: "turn.closed", at: 1, turn: 1, counted: true },
    });
    break;
  }
});

test("a server that goes away and comes back leaves no gap and repeats nothing", async () => {
  let newest = 3;
  const { url, down, up, seen } = await open((request, response) => {
    // Sends again what the client has already, as a server may.
    const after = Math.max(0, Number(new URL(request.url ?? "", "http://x").searchParams.get("after")) - 2);
    stream(response);
    for (let seq = after + 1; seq <= newest; seq++) response.write(line(seq));
  });
  const all = await collect(apiClient({ url }).watch("s1"), (got) => {
    if (got.at(-1) === "3") {
      void down().then(() => {
        newest = 5;
        return up();
      });
    }
    return got.at(-1) === "5";
  });
  expect(all).toEqual(["connected", "1", "2", "3", "lost", "connected", "4", "5"]);
  expect(seen.at(-1)).toMatchObject({ path: "/v1/sessions/s1/events?after=3", headers: { "last-event-id": "3" } });
});

test("a gap is not passed on: the missing events are fetched first", async () => {
  let count = 0;
  const { url, seen } = await open((_, response) => {
    count += 1;
    stream(response).write(count === 1 ? `${line(1)}${line(3)}` : `${line(2)}${line(3)}${line(4)}`);
  });
  const all = await collect(apiClient({ url }).watch("s1"), (got) => got.at(-1) === "4");
  expect(all.filter((each) => /^\d+$/.test(each))).toEqual(["1", "2", "3", "4"]);
  expect(seen.map(({ path }) => path.slice(-7))).toEqual(["after=0", "after=1"]);
});

test("what is missing twice is not there, and holds nothing up", async () => {
  const { url } = await open((_, response) => stream(response).write(`${line(1)}${line(3)}`));
  const all = await collect(apiClient({ url }).watch("s1"), (got) => got.at(-1) === "3");
  expect(all.filter((each) => /^\d+$/.test(each))).toEqual(["1", "3"]);
});

test("a connection that falls silent counts as lost", async () => {
  let count = 0;
  const { url } = await open((_, response) => {
    count += 1;
    stream(response).write(count === 1 ? line(1) : line(2));
  });
  const all = await collect(apiClient({ url }).watch("s1", { idleMs: 60 }), (got) => got.includes("2"));
  expect(all).toEqual(["connected", "1", "lost", "connected", "2"]);
});

test.each([401, 403, 404])("it ends at %i, with the server's reason", async (status) => {
  const { url, seen } = await open((_, response) =>
    json(response, status, { error: { code: "no", detail: "not for you" } }),
  );
  expect(await collect(apiClient({ url }).watch("s1"), () => false)).toEqual([`ended ${status} no`]);
  expect(await collect(apiClient({ url }).changes(), () => false)).toEqual([`ended ${status} no`]);
  expect(seen.length).toBe(2);
});

test("a server that is busy is tried again", async () => {
  let count = 0;
  const { url } = await open((_, response) => {
    count += 1;
    if (count < 3) json(response, 503, { error: { code: "busy", detail: "later" } });
    else stream(response).write(line(1));
  });
  expect(await collect(apiClient({ url }).watch("s1"), (got) => got.at(-1) === "1")).toEqual([
    "lost",
    "connected",
    "1",
  ]);
});

test("aborted, it ends without a word and leaves no connection", async () => {
  const alive = new Set<ServerResponse>();
  const { url } = await open((_, response) => {
    alive.add(response);
    response.on("close", () => alive.delete(response));
    stream(response).write(line(1));
  });
  const leaving = new AbortController();
  const all = await collect(apiClient({ url }).watch("s1", { signal: leaving.signal }), (got) => {
    if (got.at(-1) === "1") setTimeout(() => leaving.abort(), 20);
    return false;
  });
  expect(all).toEqual(["connected", "1"]);
  await expect.poll(() => alive.size).toBe(0);
});

test("aborted while it waits to connect again, it ends at once", async () => {
  const away = await open(() => {});
  await away.down();
  const leaving = new AbortController();
  const all = await collect(apiClient({ url: away.url }).changes({ signal: leaving.signal }), () => {
    setTimeout(() => leaving.abort(), 10);
    return false;
  });
  expect(all).toEqual(["lost"]);
  await away.up();
});

test("changes are sessions, and whoever breaks off leaves no connection", async () => {
  const alive = new Set<ServerResponse>();
  const { url } = await open((_, response) => {
    alive.add(response);
    response.on("close", () => alive.delete(response));
    stream(response).write('event: session\ndata: {"session":"s7"}\n\n');
  });
  expect(await collect(apiClient({ url }).changes(), (got) => got.length === 2)).toEqual(["connected", "s7"]);
  await expect.poll(() => alive.size).toBe(0);
});
