import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Place } from "../e2e/product.ts";
import { verifies } from "../requirements/verifies.ts";
import { type Attack, attacks, type Target } from "./attacks.ts";
import { type Raw, rawly } from "./raw.ts";
import { cookieFor, counted, eventually, recorded, Served, tokenFor, totalEvents } from "./served.ts";

const place = new Place([], {}, afterAll);
let served: Served;
let target: Target;
let slow: readonly { readonly what: string; readonly came: Promise<Raw> }[];

beforeAll(async () => {
  served = await Served.at(place);
  const approval = await served.asked(counted);
  const other = await served.asked();
  const answered = await served.asked();
  await served.respond(answered.id, { selected_option_id: "1", answer_id: "k" });
  await served.outcome(answered.session);
  const revoked = tokenFor(place, "gone", "--role", "admin");
  place.assent(["token", "revoke", "gone"]);
  const admin = tokenFor(place, "Ada", "--role", "admin");
  target = {
    ...{ port: served.port, ...approval, other: other.id, answered: answered.id, admin, revoked },
    answerer: tokenFor(place, "Ann"),
    viewer: tokenFor(place, "Vic", "--role", "viewer"),
    cookie: await cookieFor(served, admin),
  };
  slow = startSlow();
});

/** What is sent so slowly that it never ends; what became of it is told at the end of this file. */
function startSlow(): typeof slow {
  const head = (path: string, more: string) =>
    `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\nContent-Type: application/json\r\n${more}`;
  const answer = `/v1/interactions/${target.id}/response`;
  const known = `Authorization: Bearer ${target.admin}\r\n`;
  return [
    { what: "nothing is sent", bytes: "" },
    { what: "headers do not end", bytes: head(answer, known) },
    { what: "a body does not come", bytes: `${head(answer, known)}Content-Length: 18\r\n\r\n` },
    { what: "a body does not end", bytes: `${head(answer, known)}Content-Length: 18\r\n\r\n{"confirmed":true` },
    {
      what: "chunks do not end",
      bytes: `${head(answer, known)}Transfer-Encoding: chunked\r\n\r\n12\r\n{"confirmed":true}`,
    },
    { what: "a stranger's body does not end", bytes: `${head("/v1/login", "")}Content-Length: 18\r\n\r\n{` },
  ].map(({ what, bytes }) => ({ what, came: rawly(served.port, bytes, 40_000) }));
}

function expectedOf({ status }: Attack): readonly number[] {
  return typeof status === "number" ? [status] : status;
}

/** Whether what came is what was expected: one of several, or one after the other where so many came. */
function isExpected(attack: Attack, { statuses, text }: Raw): boolean {
  const expected = expectedOf(attack);
  if (attack.without?.test(text)) return false;
  const [first] = statuses;
  if (first === undefined) return expected.includes(0);
  if (statuses.length > 1) return JSON.stringify(statuses) === JSON.stringify(expected);
  return expected.includes(first) || expected.includes(0);
}

const named = `each of ${attacks.length} hostile requests is refused, and nothing has happened`;
verifies(["SRV-3a", "SRV-3b", "SRV-2c", "INT-12a", "INT-12b"], named, async () => {
  expect(attacks.length).toBeGreaterThanOrEqual(40);
  expect(new Set(attacks.map(({ what }) => what)).size).toBe(attacks.length);
  let before = totalEvents(place);
  const wrong: unknown[] = [];
  for (const attack of attacks) {
    const came = await rawly(served.port, attack.sends(target));
    const { statuses } = came;
    if (!isExpected(attack, came))
      wrong.push({ what: attack.what, expected: attack.status, statuses, text: came.text });
    const events = totalEvents(place);
    if (events !== before || place.read("count") !== "") wrong.push({ what: attack.what, events: events - before });
    before = events;
  }
  expect(wrong).toEqual([]);
  expect((await served.call(`/v1/interactions/${target.id}`)).body).toMatchObject({ state: "open", attempts: 0 });
  expect(served.running.errors).not.toContain("a request failed");
});

test("text with characters that hide or end others is kept as it is", async () => {
  const free_text = "a\u0000b\ud800c\u202ed\u2028e\r\nf\u001b[31m";
  const { session, id } = await served.asked();
  expect((await served.respond(id, { free_text })).status).toBe(200);
  const event = recorded(place, session).find((each) => each.event.type === "interaction.resolved")?.event;
  expect(event).toMatchObject({ response: { free_text } });
  expect((await served.call(`/v1/interactions/${id}`)).body.resolution.response.free_text).toBe(free_text);
  // Also on a stream, where a line end would begin another event.
  const { body } = await served.call(`/v1/sessions/${session}/events`);
  expect(JSON.stringify(body.events)).toContain(JSON.stringify(free_text));
});

verifies("SRV-2c", "who tries tokens is told to wait, and those who have one are answered meanwhile", async () => {
  const tries = await Promise.all(
    Array.from({ length: 300 }, (_, nth) => served.call("/v1/me", { token: `assent_0123456789_${nth}` })),
  );
  const count = (status: number) => tries.filter((each) => each.status === status).length;
  expect(count(401) + count(429)).toBe(300);
  expect(count(429)).toBeGreaterThan(100);
  const late = tries.find(({ status }) => status === 429);
  expect(late?.headers.get("retry-after")).toBe("1");
  expect(late?.body).toEqual({ error: { code: "too_many", detail: "too many requests; wait a second" } });
  expect((await served.call("/v1/me")).status).toBe(200);
  await eventually("strangers may try again", async () => {
    const { status } = await served.call("/v1/me", { token: null });
    return status === 401 || undefined;
  });
});

function residentBytes(): number {
  const [, kilobytes = "0"] = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${served.pid}/status`, "utf8")) ?? [];
  return Number(kilobytes) * 1_024;
}

verifies("SRV-3c", "2,000 connections at once cost little and hold up nobody", async () => {
  const before = residentBytes();
  const sockets: Socket[] = [];
  for (let nth = 0; nth < 2_000; nth++) {
    const socket = connect(served.port, "127.0.0.1");
    socket.on("error", () => {});
    // Some say nothing, some half of something, some are answered.
    if (nth % 3 === 1) socket.write("GET /v1/me HTTP/1.1\r\nHost:");
    if (nth % 3 === 2) socket.write(`GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:${served.port}\r\n\r\n`);
    sockets.push(socket);
  }
  await Promise.all(
    sockets.map(
      (socket) => new Promise((resolve) => (socket.connecting ? socket.once("connect", resolve) : resolve(null))),
    ),
  );
  const began = Date.now();
  const { session, id } = await served.asked();
  expect((await served.respond(id, { selected_option_id: "1" })).status).toBe(200);
  expect(await served.outcome(session)).toBe("answered");
  expect(Date.now() - began).toBeLessThan(5_000);
  expect(residentBytes() - before).toBeLessThan(150 * 1024 * 1024);
  for (const socket of sockets) socket.destroy();
  expect((await served.call("/healthz")).status).toBe(200);
});

verifies("SRV-3b", "what comes too slowly is given up after a while, without effect", async () => {
  const before = totalEvents(place);
  const came = await Promise.all(slow.map(async ({ what, came: coming }) => ({ what, ...(await coming) })));
  for (const { what, closed, statuses } of came) {
    expect([what, closed, statuses]).toEqual([what, true, [408]]);
  }
  expect(totalEvents(place)).toBe(before);
  expect((await served.call(`/v1/interactions/${target.id}`)).body).toMatchObject({ state: "open", attempts: 0 });
  expect(place.read("count")).toBe("");
  expect(served.running.errors).not.toContain("a request failed");
  // The question is as good as new.
  expect((await served.respond(target.id, { confirmed: true })).status).toBe(200);
  expect(await served.outcome(target.session)).toBe("answered");
  expect(place.read("count")).toBe("x\n");
});
