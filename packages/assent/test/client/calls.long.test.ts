import { afterEach, expect, test } from "vitest";
import { apiClient } from "../../src/client.ts";
import { type Answering, json, type TestServer, testServer } from "./server.ts";

let server: TestServer | null = null;
afterEach(async () => {
  await server?.down();
  server = null;
});

async function open(answering: Answering): Promise<TestServer> {
  server = await testServer(answering);
  return server;
}

test("a call goes to its row of the API, with the token, and its answer is a value", async () => {
  const { url, seen } = await open((_, response) => json(response, 200, { accepted: true, seq: 7 }));
  const client = apiClient({ url: `${url}/`, token: "t0" });
  expect(await client.prompt("a b", { text: "hello", delivery: "next" })).toEqual({
    type: "ok",
    value: { accepted: true, seq: 7 },
  });
  expect(seen).toMatchObject([
    {
      method: "POST",
      path: "/v1/sessions/a%20b/prompts",
      headers: { authorization: "Bearer t0", "content-type": "application/json" },
      body: '{"text":"hello","delivery":"next"}',
    },
  ]);
});

test("each call has its path, its method and its parameters", async () => {
  const { url, seen } = await open((_, response) => json(response, 200, { events: [], newest: 0 }));
  const client = apiClient({ url });
  await client.login({ ticket: "once" });
  await client.logout();
  await client.me();
  await client.sessions({ limit: 5, offset: 10 });
  await client.create({ prompt: "go" });
  await client.session("s1");
  await client.stop("s1", { mode: "kill" });
  await client.events("s1", { after: 3, limit: 2 });
  await client.interactions();
  await client.interaction("s1-1");
  await client.reply("s1-1", "yes");
  await client.audit("s1");
  await client.grants();
  await client.removeGrant("g1");
  await client.removeGrant("g1", { session: "s1" });
  await client.schema();
  await client.openapi();
  await client.metrics();
  await client.health();
  expect(seen.map(({ method, path, body }) => `${method} ${path} ${body}`.trim())).toEqual([
    'POST /v1/login {"ticket":"once"}',
    "POST /v1/logout {}",
    "GET /v1/me",
    "GET /v1/sessions?limit=5&offset=10",
    'POST /v1/sessions {"prompt":"go"}',
    "GET /v1/sessions/s1",
    'POST /v1/sessions/s1/stop {"mode":"kill"}',
    "GET /v1/sessions/s1/events?after=3&limit=2",
    "GET /v1/interactions",
    "GET /v1/interactions/s1-1",
    'POST /v1/interactions/s1-1/reply {"line":"yes"}',
    "GET /v1/sessions/s1/audit",
    "GET /v1/grants",
    "DELETE /v1/grants/g1",
    "DELETE /v1/grants/g1?session=s1",
    "GET /v1/schema",
    "GET /openapi.json",
    "GET /metrics",
    "GET /healthz",
  ]);
});

test("a refusal has its status and the server's own words", async () => {
  const error = { code: "already_resolved", detail: "it is answered", winner: { state: "answered", at: 1 } };
  const { url } = await open((_, response) => json(response, 409, { error }));
  expect(await apiClient({ url }).reply("s1-1", "1")).toEqual({ type: "refused", status: 409, error });
});

test("what is not said by the server itself is not a refusal, unless it asks for another request", async () => {
  const { url } = await open(({ url: path }, response) => {
    response.writeHead(path === "/v1/me" ? 401 : 502, { "content-type": "text/html" }).end("<h1>no</h1>");
  });
  const client = apiClient({ url });
  expect(await client.grants()).toEqual({ type: "unreachable", reason: "HTTP 502" });
  expect(await client.me()).toEqual({
    type: "refused",
    status: 401,
    error: { code: "http_401", detail: "HTTP 401" },
  });
});

test("an answer that is no JSON is told, not thrown", async () => {
  const { url } = await open((_, response) => response.end("<!doctype html>"));
  expect(await apiClient({ url }).me()).toMatchObject({ type: "unreachable" });
});

test("a server that is not there is unreachable, with the reason", async () => {
  const away = await open(() => {});
  await away.down();
  expect(await apiClient({ url: away.url }).me()).toEqual({
    type: "unreachable",
    reason: expect.stringContaining("ECONNREFUSED"),
  });
  await away.up();
});

test("an answer that gets lost on its way back is sent again under the same id", async () => {
  let count = 0;
  const { url, seen } = await open((request, response) => {
    count += 1;
    if (count < 3) request.socket.destroy();
    else json(response, 200, { accepted: true, replayed: true, seq: 4 });
  });
  const result = await apiClient({ url }).respond("s1-1", { selected_option_id: "yes", confirmed: true });
  expect(result).toEqual({ type: "ok", value: { accepted: true, replayed: true, seq: 4 } });
  const ids = seen.map(({ headers }) => headers["idempotency-key"]);
  expect(ids).toEqual([ids[0], ids[0], ids[0]]);
  expect(ids[0]).toMatch(/^[0-9a-f]{32}$/);
  const bodies = new Set(seen.map(({ body }) => body));
  expect([...bodies].map((body) => JSON.parse(body))).toEqual([
    { cancelled: false, selected_option_id: "yes", confirmed: true, interaction_id: "s1-1", answer_id: ids[0] },
  ]);
});

test("an answer is not sent for ever, and not again once it was refused", async () => {
  let status = 0;
  const { url, seen } = await open((request, response) => {
    if (status === 0) request.socket.destroy();
    else json(response, status, { error: { code: "expired", detail: "too late" } });
  });
  const client = apiClient({ url });
  expect(await client.respond("s1-1", { free_text: "x" }, { tries: 2 })).toMatchObject({ type: "unreachable" });
  expect(seen.length).toBe(2);
  status = 410;
  expect(await client.respond("s1-1", { free_text: "x" })).toMatchObject({ type: "refused", status: 410 });
  expect(seen.length).toBe(3);
});

test("two answers have two ids", async () => {
  const { url, seen } = await open((_, response) => json(response, 200, { accepted: true, replayed: false, seq: 1 }));
  const client = apiClient({ url });
  await client.respond("s1-1", { free_text: "x" });
  await client.respond("s1-1", { free_text: "x" });
  expect(new Set(seen.map(({ headers }) => headers["idempotency-key"])).size).toBe(2);
});
