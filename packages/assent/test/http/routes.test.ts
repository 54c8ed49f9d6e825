import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as v from "valibot";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openapi, routes } from "../../scripts/openapi.ts";
import * as api from "../../src/wire/api.ts";
import { encodeEvent } from "../../src/wire/index.ts";
import { Place, terminal } from "../e2e/product.ts";
import { verifies } from "../requirements/verifies.ts";
import { guardedRoutes } from "./roles.ts";
import { colours, counted, done, recorded, Served, typesOf } from "./served.ts";

const place = new Place([terminal("echo 1"), { text: "From the default model." }], {}, afterAll);
let served: Served;
beforeAll(async () => {
  served = await Served.at(place);
});

/** What a schema knows of an answer, which must be all of it. */
function whole<const S extends v.GenericSchema>(schema: S, value: unknown): v.InferOutput<S> {
  const read = v.safeParse(schema, value);
  if (!read.success) throw new Error(JSON.stringify({ issues: v.flatten(read.issues), value }));
  expect(read.output).toEqual(value);
  return read.output;
}

async function got<const S extends v.GenericSchema>(path: string, schema: S): Promise<v.InferOutput<S>> {
  const { status, body } = await served.call(path);
  expect([path, status]).toEqual([path, 200]);
  return whole(schema, body);
}

verifies("SRV-1a", "the OpenAPI document is that of now and lists exactly the routes that there are", async () => {
  const { status, body, headers } = await served.call("/openapi.json");
  expect([status, headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(`${JSON.stringify(body, null, 2)}\n`).toBe(openapi());
  const shaped = (route: string) => route.replace(/\{\w+\}|:session|none(-1)?/g, "x");
  // The table of roles shows that each is there; what is not in it is not (below).
  expect(guardedRoutes.map(({ route }) => shaped(route)).sort()).toEqual(Object.keys(routes).map(shaped).sort());
  const roles = new Map(guardedRoutes.map(({ route, least }) => [shaped(route), least]));
  for (const [route, { role = null }] of Object.entries(routes)) {
    expect([route, role]).toEqual([route, roles.get(shaped(route))]);
  }
});

verifies(
  "SRV-1a",
  "a session is made, prompted, followed and stopped, and every answer is as its schema says",
  async () => {
    const made = await served.call("/v1/sessions", {
      body: { cwd: place.folder, name: "paint", limits: { turns: 7 } },
    });
    const { session } = whole(api.apiCreated, made.body);
    expect(await got(`/v1/sessions/${session}`, api.apiSessionDetail)).toEqual({
      ...{ session, name: "paint", cwd: place.folder, status: "active", open: false, outcome: null, prompt: null },
      ...{ created: expect.any(Number), changed: expect.any(Number), events: 2, interaction: null, holder: null },
      ...{ model: place.env["ASSENT_MODEL"], limits: { turns: 7, iterations: 25 }, turns: 0 },
      ...{ usage: { input: 0, output: 0, cached: 0 }, exchange: null, waiting: [], grants: [] },
    });
    const prompted = await served.call(`/v1/sessions/${session}/prompts`, { body: { text: "go" } });
    expect(whole(api.apiAccepted, prompted.body)).toEqual({ accepted: true, seq: 3 });
    expect(await served.outcome(session)).toBe("answered");
    expect(recorded(place, session)[2]?.event).toMatchObject({ prompt: "go", by: { name: "owner", adapter: "http" } });
    const idle = await served.call(`/v1/sessions/${session}/stop`, { body: {} });
    expect(idle).toMatchObject({ status: 409, body: { error: { code: "nothing_to_stop" } } });
    const audit = await got(`/v1/sessions/${session}/audit`, api.apiAudit);
    expect(audit).toMatchObject({
      session,
      records: [{ tool: "terminal", what: "echo 1", verdict: "allow", exit: 0 }],
      chain: { before: 0, head: expect.stringMatching(/^[0-9a-f]{64}$/), breaks: [], more: 0 },
    });
    const events = await got(`/v1/sessions/${session}/events`, api.apiEvents);
    expect(events.events).toHaveLength(events.newest);
    expect(events.events).toEqual(recorded(place, session).map((each) => JSON.parse(encodeEvent(each))));
  },
);

verifies("SRV-1a", "a session that asks is in the lists, and what is open is told with it", async () => {
  const { session, id } = await served.asked(counted, { cwd: place.folder, name: "count it" });
  const { interactions, total } = await got("/v1/interactions?state=open", api.apiInteractions);
  expect(total).toBe(interactions.length);
  const listed = interactions.find(({ request }) => request.interaction_id === id);
  const { attempts, ...alone } = await got(`/v1/interactions/${id}`, api.apiInteraction);
  expect(attempts).toBe(0);
  expect(alone).toEqual(listed);
  expect(alone).toMatchObject({ session, session_name: "count it", cwd: place.folder, state: "open" });
  expect(alone.request).toMatchObject({ kind: "confirmation", interaction_id: id });
  const detail = await got(`/v1/sessions/${session}`, api.apiSessionDetail);
  expect(detail).toMatchObject({
    ...{ open: true, outcome: null, interaction: id, holder: null },
    exchange: { ordinal: 1, prompt: "go", by: { name: "owner", adapter: "http" }, run: null, stop: null },
  });
  const sessions = await got("/v1/sessions", api.apiSessions);
  expect(sessions.sessions[0]).toMatchObject({ session, name: "count it", interaction: id });
  const stopped = await served.call(`/v1/sessions/${session}/stop`, { body: { mode: "kill" } });
  expect(stopped).toMatchObject({ status: 200, body: { accepted: true } });
  expect(await served.outcome(session)).toBe("stopped");
  const closed = await got(`/v1/interactions/${id}`, api.apiInteraction);
  expect(closed).toMatchObject({ state: "withdrawn", at: alone.at, resolution: { state: "withdrawn" } });
  expect(place.read("count")).toBe("");
});

verifies("SRV-1a", "what is granted is listed and taken back, for a session and for longer", async () => {
  const grantable = [terminal("rm -rf build", "a"), terminal("rm -rf build", "b"), done];
  const { session, id } = await served.asked(grantable, { cwd: place.folder });
  expect((await served.respond(id, { selected_option_id: "session" })).status).toBe(200);
  expect(await served.outcome(session)).toBe("answered");
  const { grants } = await got(`/v1/sessions/${session}`, api.apiSessionDetail);
  expect(grants).toHaveLength(1);
  const own = `/v1/grants/${grants[0]?.id}?session=${session}`;
  expect((await served.call(own, { method: "DELETE" })).status).toBe(200);
  expect(await got(`/v1/sessions/${session}`, api.apiSessionDetail)).toMatchObject({ grants: [] });
  expect(await served.call(own, { method: "DELETE" })).toMatchObject({
    status: 404,
    body: { error: { code: "unknown_grant" } },
  });
  const lasting = await served.asked(grantable, { cwd: place.folder });
  await served.respond(lasting.id, { selected_option_id: "user" });
  const rule = `${lasting.session}-2`;
  expect((await served.respond(rule, { confirmed: true })).status).toBe(200);
  expect(await served.outcome(lasting.session)).toBe("answered");
  const saved = await got("/v1/grants", api.apiGrants);
  expect(saved).toMatchObject({ grants: [{ scope: "user" }], damage: [] });
  const path = `/v1/grants/${saved.grants[0]?.id}`;
  expect((await served.call(path, { method: "DELETE" })).status).toBe(200);
  expect(await got("/v1/grants", api.apiGrants)).toEqual({ grants: [], damage: [] });
  expect((await served.call(path, { method: "DELETE" })).status).toBe(404);
});

verifies("SRV-1a", "lists come in parts", async () => {
  const asked = [await served.asked(), await served.asked(), await served.asked()];
  const all = await got("/v1/sessions", api.apiSessions);
  const ids = all.sessions.map(({ session }) => session);
  // The one that changed last comes first.
  expect(ids.slice(0, 3)).toEqual(asked.map(({ session }) => session).reverse());
  const part = await got("/v1/sessions?limit=2&offset=1", api.apiSessions);
  expect(part.sessions.map(({ session }) => session)).toEqual(ids.slice(1, 3));
  expect(part.total).toBe(all.total);
  expect(await got("/v1/sessions?limit=0", api.apiSessions)).toEqual({ sessions: [], total: all.total, damage: [] });
  expect(await got("/v1/sessions?offset=9999", api.apiSessions)).toMatchObject({ sessions: [] });
  const open = await got("/v1/interactions?limit=1&offset=1", api.apiInteractions);
  expect(open).toMatchObject({ interactions: [{ session: asked[1]?.session }], total: 3 });
  const { session = "" } = asked[0] ?? {};
  const some = await got(`/v1/sessions/${session}/events?after=1&limit=2`, api.apiEvents);
  expect(some.events.map((event) => (event as { seq: number }).seq)).toEqual([2, 3]);
  for (const path of [
    "/v1/sessions?limit=1001",
    "/v1/sessions?limit=-1",
    "/v1/sessions?limit=1e3",
    "/v1/sessions?offset=x",
    "/v1/interactions?limit=",
    "/v1/interactions?state=closed",
    `/v1/sessions/${session}/events?after=-1`,
    `/v1/sessions/${session}/events?limit=1001`,
  ]) {
    const { status, body } = await served.call(path);
    const { code, detail } = whole(api.apiError, body).error;
    expect([path, status, code]).toEqual([path, 400, "invalid_value"]);
    const [, name, found] = /(\w+)=([^=&]*)$/.exec(path) ?? [];
    expect(detail).toMatch(new RegExp(`^${name}: expected .*, found "${found}"$`));
  }
});

test("a session that cannot be made is not made, and why is told", async () => {
  const { total } = await got("/v1/sessions", api.apiSessions);
  for (const [body, detail] of [
    [{ cwd: "relative" }, "cwd: expected the absolute path of a folder that exists"],
    [{ cwd: join(place.folder, "script.jsonl") }, "cwd: expected the absolute path of a folder that exists"],
    [{ model: "nobody:knows" }, "nobody:knows"],
    [{ prompt: "  " }, "the prompt is blank"],
    [{ limits: { turns: 0 } }, "turns"],
    [{ limits: { turns: 1, more: 1 } }, "more"],
    [{ name: 5 }, "name"],
    [{ nonsense: 1 }, "nonsense"],
  ] as const) {
    const said = await served.call("/v1/sessions", { body });
    expect([body, said.status]).toEqual([body, 400]);
    expect(whole(api.apiError, said.body).error.detail).toContain(detail);
  }
  expect(await got("/v1/sessions", api.apiSessions)).toMatchObject({ total });
});

test("text sent to an exchange that is open steers it or waits for its end", async () => {
  const { session, id } = await served.asked([colours, done, done]);
  const prompt = (body: object) => served.call(`/v1/sessions/${session}/prompts`, { body });
  expect((await prompt({ text: "softer", delivery: "now" })).status).toBe(200);
  expect((await prompt({ text: "and then", delivery: "next" })).status).toBe(200);
  const { waiting } = await got(`/v1/sessions/${session}`, api.apiSessionDetail);
  expect(waiting.map(({ type, text }) => [type, text])).toEqual([
    ["steering", "softer"],
    ["prompt", "and then"],
  ]);
  expect(await prompt({ text: " " })).toMatchObject({ status: 400, body: { error: { code: "blank_prompt" } } });
  expect((await prompt({ text: "x", delivery: "later" })).status).toBe(400);
  await served.respond(id, { selected_option_id: "1" });
  const steps = ["steering.sent", "exchange.ended", "exchange.started", "exchange.ended"];
  await expect
    .poll(() => typesOf(recorded(place, session)).filter((type) => steps.includes(type)), { timeout: 10_000 })
    .toEqual(["exchange.started", ...steps]);
});

verifies("SRV-1a", "the schema of the contract is the published one, and numbers are told for collectors", async () => {
  const { body } = await served.call("/v1/schema");
  const published = readFileSync(join(import.meta.dirname, "../../schema/interaction.json"), "utf8");
  expect(body).toEqual(JSON.parse(published));
  const metrics = await served.call("/metrics");
  expect(metrics.headers.get("content-type")).toMatch(/^text\/plain; ?charset=UTF-8$/);
  const { body: sessions } = await served.call("/v1/sessions?limit=0");
  expect(metrics.body).toContain(`\nassent_sessions ${sessions.total}\n`);
  for (const line of String(metrics.body).trim().split("\n")) {
    expect(line).toMatch(/^(# TYPE \w+ (counter|gauge)|\w+(\{\w+="\d+"\})? \d+)$/);
  }
  expect((await served.call("/healthz", { token: null })).body).toEqual({ ok: true });
});

test("what there is not is 404 for who may ask, with the same shape as every refusal", async () => {
  for (const [method, path] of [
    ["GET", "/v1"],
    ["GET", "/v1/"],
    ["GET", "/v2/sessions"],
    ["PUT", "/v1/sessions"],
    ["PATCH", "/v1/sessions/x"],
    ["DELETE", "/v1/sessions/x"],
    ["POST", "/v1/grants"],
    ["POST", "/healthz"],
    ["POST", "/"],
    ["GET", "/assets/none.js"],
    ["GET", "/client.json"],
  ] as const) {
    const { status, body } = await served.call(path, { method });
    expect([method, path, status]).toEqual([method, path, 404]);
    whole(api.apiError, body);
  }
});

verifies("SRV-3a", "every answer forbids what a page of another site would need", async () => {
  for (const [path, status] of [
    ["/", 200],
    ["/healthz", 200],
    ["/v1/me", 200],
    ["/none", 404],
  ] as const) {
    const { headers, ...said } = await served.call(path, { headers: { origin: served.url } });
    expect([path, said.status]).toEqual([path, status]);
    expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; .*frame-ancestors 'none'$/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});
