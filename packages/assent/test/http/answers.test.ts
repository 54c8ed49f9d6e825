import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { afterAll, beforeAll, expect } from "vitest";
import { Place, terminal } from "../e2e/product.ts";
import { verifies } from "../requirements/verifies.ts";
import { rawly } from "./raw.ts";
import { cookieFor, counted, done, eventually, recorded, Served, scriptAt, tokenFor, typesOf } from "./served.ts";

const place = new Place([], {}, afterAll);
let served: Served;
let ann: string;
beforeAll(async () => {
  served = await Served.at(place);
  ann = tokenFor(place, "Ann");
});

/** How many invalid answers a question has had. */
async function attempts(id: string): Promise<number> {
  return (await served.call(`/v1/interactions/${id}`)).body.attempts;
}

verifies(["SRV-2a", "INT-6b"], "an answer is accepted; the same again is accepted without effect", async () => {
  const { session, id } = await served.asked();
  const answer = { selected_option_id: "2", answer_id: "k1" };
  const first = await served.respond(id, answer, { token: ann });
  expect(first).toMatchObject({ status: 200, body: { accepted: true, replayed: false, seq: expect.any(Number) } });
  expect(await served.outcome(session)).toBe("answered");
  const before = typesOf(recorded(place, session));
  expect(before.filter((type) => type === "interaction.resolved")).toHaveLength(1);
  const again = await served.respond(id, answer, { token: ann });
  expect(again).toMatchObject({ status: 200, body: { accepted: true, replayed: true, seq: 0 } });
  // By whom it is sent again does not matter: it is the same answer.
  expect(await served.respond(id, answer)).toMatchObject({ status: 200, body: { replayed: true } });
  const other = await served.respond(id, { ...answer, selected_option_id: "1" }, { token: ann });
  expect(other).toMatchObject({
    status: 409,
    body: { error: { code: "already_resolved", winner: { state: "answered", by: { name: "Ann", adapter: "http" } } } },
  });
  expect(typesOf(recorded(place, session))).toEqual(before);
});

verifies(["SRV-2a", "INT-6b"], "Idempotency-Key is the answer's id, and must not contradict it", async () => {
  const { id } = await served.asked();
  const headers = { "idempotency-key": "k2" };
  const said = await served.respond(id, { selected_option_id: "1", answer_id: "k3" }, { headers });
  expect(said).toMatchObject({
    status: 400,
    body: { error: { code: "contradiction", detail: "answer_id and Idempotency-Key disagree" } },
  });
  expect(await attempts(id)).toBe(0);
  expect(await served.respond(id, { selected_option_id: "1" }, { headers })).toMatchObject({
    body: { replayed: false },
  });
  expect(await served.respond(id, { selected_option_id: "1" }, { headers })).toMatchObject({
    body: { replayed: true },
  });
  expect(await served.respond(id, { selected_option_id: "1", answer_id: "k2" })).toMatchObject({
    body: { replayed: true },
  });
  expect((await served.respond(id, { selected_option_id: "3" }, { headers })).status).toBe(409);
});

verifies("INT-1b", "camelCase is understood, and unknown fields are kept", async () => {
  const { session, id } = await served.asked();
  const answer = { selectedOptionId: "3", answerId: "k4", x_trace: { deep: [1] }, metadata: { from: "a script" } };
  expect((await served.respond(id, { interactionId: id, ...answer })).status).toBe(200);
  const [resolved] = recorded(place, session).flatMap(({ event }) =>
    event.type === "interaction.resolved" ? [event] : [],
  );
  expect(resolved).toMatchObject({
    state: "answered",
    by: { name: "owner", adapter: "http" },
    shown: null,
    response: {
      interaction_id: id,
      selected_option_id: "3",
      answer_id: "k4",
      x_trace: { deep: [1] },
      metadata: { from: "a script" },
      cancelled: false,
    },
  });
});

const malformed: readonly (readonly [what: string, body: string, code: string])[] = [
  ["nothing", "", "invalid_response"],
  ["no JSON", "{", "malformed_json"],
  ["no object", '"1"', "invalid_value"],
  ["a list", '[{"selected_option_id":"1"}]', "invalid_value"],
  ["null", "null", "invalid_value"],
  ["a number as an option", '{"selected_option_id":1}', "invalid_value"],
  ["a word for yes", '{"confirmed":"yes"}', "invalid_value"],
  ["cancelled as a word", '{"cancelled":"true","selected_option_id":"1"}', "invalid_value"],
  ["a number as its id", '{"selected_option_id":"1","answer_id":7}', "invalid_value"],
  ["an option and a text", '{"selected_option_id":"1","free_text":"x"}', "invalid_response"],
  ["an option and a cancel", '{"selected_option_id":"1","cancelled":true}', "invalid_response"],
  ["a text and a yes", '{"free_text":"x","confirmed":true}', "invalid_response"],
  ["no answer field", '{"metadata":{"a":1}}', "invalid_response"],
  ["options that disagree", '{"selected_option_id":"1","selected_option_ids":["2"]}', "invalid_response"],
  ["both spellings", '{"selected_option_id":"1","selectedOptionId":"2"}', "contradiction"],
  ["another question", '{"interaction_id":"other-1","selected_option_id":"1"}', "contradiction"],
  ["a key that is no field", '{"selected_option_id":"1","__proto__":{"cancelled":true}}', "forbidden_key"],
];

verifies("SRV-2b", "what is malformed is 400 and costs no attempt", async () => {
  const { session, id } = await served.asked();
  const before = recorded(place, session).length;
  const told: unknown[] = [];
  for (const [what, body] of malformed) {
    const { status, body: said } = await served.call(`/v1/interactions/${id}/response`, { body, method: "POST" });
    told.push([what, status, said.error?.code]);
  }
  expect(told).toEqual(malformed.map(([what, , code]) => [what, 400, code]));
  for (const body of ["[]", "{}", '{"line":1}', '{"line":"1","more":2}']) {
    const { status } = await served.call(`/v1/interactions/${id}/reply`, { body });
    expect([body, status]).toEqual([body, 400]);
  }
  expect(await attempts(id)).toBe(0);
  expect(recorded(place, session)).toHaveLength(before);
});

verifies("INT-11d", "a connection that is lost, also in the middle of an answer, answers nothing", async () => {
  const { session, id } = await served.asked();
  const before = recorded(place, session).length;
  const body = JSON.stringify({ selected_option_id: "1" });
  const sent = (request: string, length: number, part: string) => {
    const fields = [`Host: 127.0.0.1:${served.port}`, `Authorization: Bearer ${served.token}`, "Connection: close"];
    const head = [`${request} HTTP/1.1`, ...fields, "Content-Type: application/json", `Content-Length: ${length}`];
    return rawly(served.port, `${head.join("\r\n")}\r\n\r\n${part}`, length === part.length ? 5_000 : 200);
  };
  const answer = `POST /v1/interactions/${id}/response`;
  // What came would be an answer by itself, but more was to come.
  expect(await sent(answer, body.length + 1, body)).toMatchObject({ statuses: [] });
  expect(await sent(answer, body.length, "")).toMatchObject({ statuses: [] });
  expect((await served.call(`/v1/interactions/${id}`)).body).toMatchObject({ state: "open", attempts: 0 });
  expect(recorded(place, session)).toHaveLength(before);
  expect(await sent(answer, body.length, body)).toMatchObject({ statuses: [200] });
});

verifies("SRV-2e", "an invalid answer is 422 with the attempt it was, and the fourth ends the question", async () => {
  const { session, id } = await served.asked();
  for (const attempt of [1, 2, 3]) {
    const said = await served.respond(id, { selected_option_id: "9", answer_id: `wrong ${attempt}` });
    expect(said).toMatchObject({ status: 422 });
    expect(said.body).toEqual({ error: { code: "invalid_option", detail: "no option has the id 9", attempt } });
    expect(await attempts(id)).toBe(attempt);
  }
  // Sent again it costs nothing more.
  const again = await served.respond(id, { selected_option_id: "9", answer_id: "wrong 3" });
  expect(again).toMatchObject({ status: 422, body: { error: { attempt: 3 } } });
  const last = await served.respond(id, { free_text: " " });
  expect(last).toMatchObject({ status: 422 });
  expect(last.body).toEqual({
    error: { code: "invalid_response", detail: "free text is never blank", attempt: 4, aborted: true },
  });
  const late = await served.respond(id, { selected_option_id: "1" });
  expect(late).toMatchObject({
    status: 409,
    body: { error: { code: "already_resolved", winner: { state: "aborted", by: { name: "owner", adapter: "http" } } } },
  });
  expect(await served.outcome(session)).toBe("answered");
  expect((await served.call(`/v1/interactions/${id}`)).body).toMatchObject({ state: "aborted" });
});

verifies("SRV-2e", "each kind of invalid answer has its code", async () => {
  const approval = await served.asked(counted);
  const wrong = async (response: object, id = approval.id) => {
    const { status, body } = await served.respond(id, response);
    return { status, code: body.error.code, attempt: body.error.attempt };
  };
  expect(await wrong({ selected_option_ids: ["yes", "no"] })).toEqual({
    status: 422,
    code: "invalid_option",
    attempt: 1,
  });
  // Two that disagree are no answer at all.
  expect(await wrong({ confirmed: true, selected_option_id: "no" })).toMatchObject({ status: 400, attempt: undefined });
  expect(place.read("count")).toBe("");
  const limited = await served.asked([terminal("echo 1"), done], { limits: { turns: 1 } });
  expect(await wrong({ free_text: "sure" }, limited.id)).toEqual({
    status: 422,
    code: "free_text_not_allowed",
    attempt: 1,
  });
  await served.call(`/v1/sessions/${approval.session}/stop`, { body: {} });
  await served.call(`/v1/sessions/${limited.session}/stop`, { body: {} });
});

verifies("SRV-2d", "every other end is 409 and tells how, by whom and when", async () => {
  const ends = async (end: (id: string, session: string) => Promise<unknown>, approval = false) => {
    const { session, id } = await served.asked(approval ? counted : undefined);
    await end(id, session);
    const { status, body } = await served.respond(id, approval ? { confirmed: true } : { selected_option_id: "1" });
    const { code, winner } = body.error;
    const { request: _request, ...now } = (await served.call(`/v1/interactions/${id}`)).body;
    expect(now).toMatchObject({ state: winner.state, resolution: winner });
    return { status, code, state: winner.state, by: winner.by?.name, said: winner.response?.free_text };
  };
  const late = { status: 409, code: "already_resolved", said: undefined };
  const by = { token: ann };
  expect(await ends((id) => served.respond(id, { free_text: "Mauve" }, by))).toEqual({
    ...late,
    state: "answered",
    by: "Ann",
    said: "Mauve",
  });
  expect(await ends((id) => served.respond(id, { confirmed: false }, by), true)).toEqual({
    ...late,
    state: "declined",
    by: "Ann",
  });
  expect(await ends((id) => served.respond(id, { cancelled: true }, by))).toEqual({
    ...late,
    state: "cancelled",
    by: "Ann",
  });
  expect(
    await ends(async (id) => {
      for (const nth of [1, 2, 3, 4]) await served.respond(id, { selected_option_id: `${nth}0` }, by);
    }),
  ).toEqual({ ...late, state: "aborted", by: "Ann" });
  expect(await ends((_, session) => served.call(`/v1/sessions/${session}/stop`, { body: {}, ...by }))).toEqual({
    ...late,
    state: "withdrawn",
    by: undefined,
  });
  expect(place.read("count")).toBe("");
});

verifies("SRV-2d", "what has expired is 410", async () => {
  const model = scriptAt(place, counted);
  const { stdout } = place.assent(["run", "--json", "--unattended=park", "--expire=1", "--model", model, "go"]);
  const id = /"interaction_id":"([^"]+)"/.exec(stdout)?.[1] ?? "";
  const said = await eventually("it expires", async () => {
    const { body } = await served.call(`/v1/interactions/${id}`);
    return body.state === "expired" ? served.respond(id, { confirmed: true }) : undefined;
  });
  expect(said).toMatchObject({ status: 410, body: { error: { code: "expired" } } });
  expect(place.read("count")).toBe("");
});

verifies("SRV-2c", "a question or a session that there is not is 404", async () => {
  const { session, id } = await served.asked();
  const unknown = { code: "unknown_interaction", detail: "no interaction has this id" };
  for (const wrong of ["none-1", `${session}-99`, session, "-", `${id}0`]) {
    const got = await served.call(`/v1/interactions/${wrong}`);
    expect([wrong, got.status, got.body]).toEqual([wrong, 404, { error: unknown }]);
    const posted = await served.respond(wrong, { selected_option_id: "1" });
    expect([wrong, posted.status, posted.body]).toEqual([wrong, 404, { error: unknown }]);
    const replied = await served.call(`/v1/interactions/${wrong}/reply`, { body: { line: "1" } });
    expect([wrong, replied.status]).toEqual([wrong, 404]);
  }
  const none = { error: { code: "no_session", detail: "no session has this id" } };
  for (const path of ["", "/events", "/audit"]) {
    expect(await served.call(`/v1/sessions/none${path}`)).toMatchObject({ status: 404, body: none });
  }
  for (const [path, body] of [
    ["/prompts", { text: "go" }],
    ["/stop", {}],
  ] as const) {
    expect(await served.call(`/v1/sessions/none${path}`, { body })).toMatchObject({ status: 404, body: none });
  }
  // Nothing of that has made one.
  expect((await served.call("/v1/sessions/none")).status).toBe(404);
  expect((await served.call("/v1/nothing")).status).toBe(404);
});

verifies("SRV-2a", "a line is read as if it had been typed at the question", async () => {
  const { session, id } = await served.asked();
  const reply = (line: string) => served.call(`/v1/interactions/${id}/reply`, { body: { line }, token: ann });
  expect(await reply("option 2")).toMatchObject({ status: 422, body: { error: { attempt: 1 } } });
  // A command of the shell is no answer, and costs nothing.
  expect(await reply("/help")).toMatchObject({ status: 400, body: { error: { code: "invalid_response" } } });
  expect(await attempts(id)).toBe(1);
  expect(await reply("2")).toMatchObject({ status: 200, body: { accepted: true, replayed: false } });
  expect(await reply("2")).toMatchObject({ status: 409, body: { error: { winner: { by: { name: "Ann" } } } } });
  expect(await served.outcome(session)).toBe("answered");
  const approval = await served.asked([terminal("rm -rf none"), done]);
  expect((await served.call(`/v1/interactions/${approval.id}/reply`, { body: { line: "cancel" } })).status).toBe(200);
  expect(await served.outcome(approval.session)).toBe("cancelled");
});

verifies(
  ["INT-14b", "INT-14c"],
  "questions of all sessions are listed, the oldest first, and none holds up another",
  async () => {
    const asked = [await served.asked(), await served.asked(), await served.asked()];
    const listed = async () => {
      const { body } = await served.call("/v1/interactions?limit=1000");
      const all: readonly { request: { interaction_id: string } }[] = body.interactions;
      const ids = all.map(({ request }) => request.interaction_id);
      return ids.filter((id) => asked.some((each) => each.id === id));
    };
    expect(await listed()).toEqual(asked.map(({ id }) => id));
    expect(place.pending().map(({ request }) => request.interaction_id)).toEqual(
      expect.arrayContaining(await listed()),
    );
    const [first, second, third] = asked;
    expect((await served.respond(third?.id ?? "", { selected_option_id: "1" })).status).toBe(200);
    expect(await served.outcome(third?.session ?? "")).toBe("answered");
    expect(await listed()).toEqual([first?.id, second?.id]);
  },
);

verifies(
  ["INT-12a", "INT-10b"],
  "who answered is whose token it was, whatever the body says; a page says what it has shown",
  async () => {
    const claims = {
      by: { name: "root", adapter: "terminal" },
      metadata: { by: "root" },
      authority: "act",
      shown: "x",
    };
    const answeredBy = async (headers: Readonly<Record<string, string>>, token: string | null) => {
      const { session, id } = await served.asked();
      const said = await served.respond(id, { selected_option_id: "1", ...claims }, { headers, token });
      expect(said.status).toBe(200);
      const event = recorded(place, session).find((each) => each.event.type === "interaction.resolved")?.event;
      if (event?.type !== "interaction.resolved" || event.state !== "answered") throw new Error("not answered");
      return { by: event.by, shown: event.shown };
    };
    expect(await answeredBy({}, ann)).toEqual({ by: { name: "Ann", adapter: "http" }, shown: null });
    const cookie = await cookieFor(served, ann);
    expect(await answeredBy({ cookie, origin: served.url }, null)).toEqual({
      by: { name: "Ann", adapter: "page" },
      // Of the block as every surface shows it.
      shown: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
  },
);

verifies(
  ["SRV-2d", "SESS-5i"],
  "where somebody has changed the store it is 423, nothing has ended and nobody has won",
  async () => {
    // Asked by another process: what the server has asked itself it knows.
    const model = scriptAt(place, counted);
    expect(place.assent(["run", "count it", "--unattended=park", "--model", model]).status).toBe(4);
    const { session = "" } = place.sessions().at(-1) ?? {};
    const id = `${session}-1`;
    const database = new DatabaseSync(join(place.home, "journal.db"));
    const change = database.prepare("UPDATE events SET line = replace(line, ?, ?) WHERE line LIKE ? AND seq > 1");
    change.run("count it", "count on", `%"session":"${session}"%`);
    database.close();
    const { status, body } = await served.respond(id, { confirmed: true });
    expect([status, body.error]).toEqual([
      423,
      { code: "not_as_recorded", detail: expect.stringContaining(`session ${session}: event `) },
    ]);
    expect((await served.call(`/v1/interactions/${id}`)).body).toMatchObject({ state: "open", attempts: 0 });
    expect((await served.call(`/v1/sessions/${session}/stop`, { body: {} })).status).toBe(200);
  },
);
