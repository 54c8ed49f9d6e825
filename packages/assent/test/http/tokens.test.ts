import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Role } from "../../src/wire/token.ts";
import { Place } from "../e2e/product.ts";
import { verifies } from "../requirements/verifies.ts";
import { guardedRoutes } from "./roles.ts";
import { cookieFor, eventually, recorded, Served, tokenFor } from "./served.ts";

const place = new Place([], {}, afterAll);
let served: Served;
const bearers = new Map<Role, string>();
beforeAll(async () => {
  served = await Served.at(place);
  for (const role of ["viewer", "answerer", "admin"] as const) {
    bearers.set(role, tokenFor(place, `the ${role}`, "--role", role));
  }
});

/** The status alone: some answers never end. */
async function statusOf(route: string, token: string | null, body?: object): Promise<number> {
  const [method = "", path = ""] = route.split(" ");
  const ending = new AbortController();
  const response = await fetch(`${served.url}${path}`, {
    ...{ method, signal: ending.signal },
    headers: {
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  ending.abort();
  return response.status;
}

verifies(
  ["SRV-3d", "SRV-1c", "SRV-2c"],
  "each route lets those in whose role is enough, and nobody without a token",
  async () => {
    const ranks: readonly (Role | null)[] = [null, "viewer", "answerer", "admin"];
    const told: unknown[] = [];
    const expected: unknown[] = [];
    const { session } = await served.asked();
    for (const { route: written, least, body, status } of guardedRoutes) {
      const route = written.replace(":session", session);
      for (const [rank, role] of ranks.entries()) {
        const token = role === null ? null : (bearers.get(role) ?? "");
        told.push([route, role, await statusOf(route, token, body)]);
        const refused = role === null ? 401 : 403;
        expected.push([route, role, rank >= ranks.indexOf(least) ? status : refused]);
      }
    }
    expect(told).toEqual(expected);
  },
);

verifies(["SRV-3d", "INT-12b"], "who may only look costs no attempt and changes nothing", async () => {
  const { session, id } = await served.asked();
  const before = recorded(place, session).length;
  const token = bearers.get("viewer") ?? "";
  const refused = { error: { code: "not_authorized", detail: "expected a token for answerer, found one for viewer" } };
  for (const body of [{ selected_option_id: "1" }, { selected_option_id: "9" }, { free_text: "" }, { nonsense: 1 }]) {
    expect(await served.respond(id, body, { token })).toMatchObject({ status: 403, body: refused });
  }
  for (const [path, body] of [
    [`/v1/interactions/${id}/reply`, { line: "1" }],
    [`/v1/sessions/${session}/stop`, { mode: "kill" }],
  ] as const) {
    expect(await served.call(path, { token, body })).toMatchObject({ status: 403, body: refused });
  }
  const admin = "expected a token for admin, found one for answerer";
  const answerer = bearers.get("answerer") ?? "";
  expect(await served.call(`/v1/sessions/${session}/prompts`, { token: answerer, body: { text: "x" } })).toMatchObject({
    status: 403,
    body: { error: { code: "not_authorized", detail: admin } },
  });
  expect((await served.call(`/v1/interactions/${id}`, { token })).body).toMatchObject({ state: "open", attempts: 0 });
  expect(recorded(place, session)).toHaveLength(before);
});

function filesBelow(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true }).flatMap((entry) =>
    entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
  );
}

verifies(
  ["SRV-1e", "CLI-1f"],
  "a token is told once: what is kept is a hash, in files that nobody else can read",
  async () => {
    const made = place.assent(["token", "create", "Bo", "--role", "viewer", "--expires", "2", "--json"]);
    const { token, ...told } = JSON.parse(made.stdout);
    expect(token).toMatch(/^assent_[0-9a-f]{10}_[\w-]{43}$/);
    expect(told).toEqual({
      ...{ id: token.split("_")[1], name: "Bo", role: "viewer" },
      ...{ created: expect.any(Number), expires: expect.any(Number) },
    });
    expect((await served.call("/v1/me", { token })).body).toEqual({ name: "Bo", role: "viewer" });
    const listed = place.assent(["token", "list", "--json"]).stdout;
    expect(listed).toContain(JSON.stringify(told));
    const secret = token.slice(-43);
    const files = filesBelow(place.home);
    expect(files.filter((file) => readFileSync(file).includes(secret))).toEqual([]);
    const own = files.filter((file) => readFileSync(file).includes(served.token));
    expect(own).toEqual([join(place.home, "client.json")]);
    for (const file of [...own, ...filesBelow(join(place.home, "tokens"))]) {
      expect([file, statSync(file).mode & 0o777]).toEqual([file, 0o600]);
    }
    expect(statSync(join(place.home, "tokens")).mode & 0o077).toBe(0);
    expect(served.running.output).not.toContain(served.token);
  },
);

verifies(
  ["SRV-1c", "CLI-1f"],
  "a token that is taken back or over opens nothing within a second, also as a cookie",
  async () => {
    const token = tokenFor(place, "Cy");
    const short = tokenFor(place, "Di", "--expires", "0.00002");
    const cookie = await cookieFor(served, token);
    const ways = [{ token }, { token: null, headers: { cookie } }];
    for (const way of ways)
      expect(await served.call("/v1/me", way)).toMatchObject({ status: 200, body: { name: "Cy" } });
    expect(place.assent(["token", "revoke", "Cy"])).toMatchObject({ status: 0, stdout: "" });
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    for (const way of ways) expect((await served.call("/v1/me", way)).status).toBe(401);
    expect((await served.call("/v1/login", { token: null, body: { token } })).status).toBe(401);
    await eventually("the other is over", async () => {
      return (await served.call("/v1/me", { token: short })).status === 401 || undefined;
    });
    expect(place.assent(["token", "list"]).stdout).toMatch(/Di {2}since \S+ {2}over since/);
    expect(place.assent(["token", "revoke", "Cy"])).toMatchObject({ status: 2 });
  },
);

verifies("SRV-1c", "a stream ends when the token that opened it is taken back", async () => {
  const token = tokenFor(place, "Eve");
  const { session } = await served.asked();
  const streams = await Promise.all(
    [`/v1/sessions/${session}/events`, "/v1/changes"].map((path) =>
      fetch(`${served.url}${path}`, { headers: { authorization: `Bearer ${token}`, accept: "text/event-stream" } }),
    ),
  );
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  place.assent(["token", "revoke", "Eve"]);
  const ended = await Promise.all(streams.map((stream) => stream.text().then(() => "ended")));
  expect(ended).toEqual(["ended", "ended"]);
});

verifies("SRV-1d", "a token is exchanged for a cookie that no script reads and no other site sends", async () => {
  const token = bearers.get("answerer") ?? "";
  const { status, body, headers } = await served.call("/v1/login", { token: null, body: { token: ` ${token}\n` } });
  expect({ status, body }).toEqual({ status: 200, body: { name: "the answerer", role: "answerer" } });
  const set = headers.get("set-cookie") ?? "";
  expect(set).toMatch(/^assent_\d+=[\w.-]+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Strict$/);
  expect(headers.get("cache-control")).toBe("no-store");
  // What a browser has opens nothing but as this cookie: it is not the token, and no bearer's either.
  const value = set.slice(set.indexOf("=") + 1, set.indexOf(";"));
  expect(set).not.toContain(token.slice(-20));
  expect((await served.call("/v1/me", { token: value })).status).toBe(401);
  expect(
    (await served.call("/v1/me", { token: null, headers: { cookie: `assent_${served.port}=${token}` } })).status,
  ).toBe(401);
  const cookie = `other=1; assent_${served.port}=${value}; more=2`;
  expect(await served.call("/v1/me", { token: null, headers: { cookie } })).toMatchObject({ status: 200 });
  // That of another server on this machine is not this one's.
  const foreign = `assent_${served.port + 1}=${value}`;
  expect((await served.call("/v1/me", { token: null, headers: { cookie: foreign } })).status).toBe(401);
  // Bound to a key, it is nothing without that: another port of this machine, which browsers send it to, has no use for it.
  const login = await served.call("/v1/login", { token: null, body: { token, bind: true } });
  const bound = { cookie: login.headers.get("set-cookie")?.split(";")[0] ?? "" };
  expect((await served.call("/v1/me", { token: null, headers: bound })).status).toBe(401);
  const both = { ...bound, "x-assent-key": login.body.key };
  expect((await served.call("/v1/me", { token: null, headers: both })).status).toBe(200);
  const out = await served.call("/v1/logout", { method: "POST", token: null, headers: { cookie } });
  expect(out).toMatchObject({ status: 200, body: {} });
  expect(out.headers.get("set-cookie")).toBe(`assent_${served.port}=; Max-Age=0; Path=/; HttpOnly; SameSite=Strict`);
  for (const wrong of [{ token: "none" }, { ticket: "none" }]) {
    expect((await served.call("/v1/login", { token: null, body: wrong })).status).toBe(401);
  }
  for (const wrong of [{}, { token, ticket: "x" }, { token: 5 }, []]) {
    expect((await served.call("/v1/login", { token: null, body: wrong })).status).toBe(400);
  }
  const secure = await served.call("/v1/login", {
    ...{ token: null, body: { token } },
    headers: { "x-forwarded-proto": "https" },
  });
  expect(secure.headers.get("set-cookie")).toMatch(/; SameSite=Strict; Secure$/);
});

verifies("SRV-1d", "the ticket in the address counts once", async () => {
  const { ticket } = served;
  expect(ticket).toMatch(/^[\w-]{32}$/);
  const body = { ticket };
  const said = await Promise.all(Array.from({ length: 5 }, () => served.call("/v1/login", { token: null, body })));
  expect(said.map(({ status }) => status).sort()).toEqual([200, 401, 401, 401, 401]);
  expect(said.find(({ status }) => status === 200)?.body).toEqual({ name: "owner", role: "admin" });
  expect(filesBelow(place.home).filter((file) => readFileSync(file).includes(ticket))).toEqual([]);
});

test("what is wrong with a token's name, role or time is told", () => {
  const wrong = (...argv: readonly string[]) => place.assent(["token", ...argv]);
  expect(wrong("create", "the viewer").stderr).toContain('there is a token named "the viewer" already');
  for (const argv of [
    ["create"],
    ["create", ""],
    ["create", "a/b"],
    ["create", "x".repeat(61)],
    ["create", "Flo", "--role", "root"],
    ["create", "Flo", "--expires", "0"],
    ["create", "Flo", "--expires", "soon"],
    ["revoke", "nobody"],
    ["nothing"],
  ]) {
    expect([argv, wrong(...argv).status]).toEqual([argv, 2]);
  }
  const inside = place.assent(["token", "create", "Flo"], "", ["env", "ASSENT_RUN=a/b"]);
  expect(inside).toEqual({
    status: 3,
    stdout: "",
    stderr: "assent: a command that an agent runs cannot make a token\n",
  });
  expect(place.assent(["token", "list"]).stdout).not.toContain("Flo");
});

test("a token whose file is damaged opens nothing and is named", async () => {
  const token = tokenFor(place, "Gil");
  const file = join(place.home, "tokens", `${token.split("_")[1]}.json`);
  writeFileSync(file, readFileSync(file, "utf8").replace('"answerer"', '"god"'));
  await eventually("it is noticed", async () => (await served.call("/v1/me", { token })).status === 401 || undefined);
  const listed = place.assent(["token", "list"]);
  expect(listed.status).toBe(1);
  expect(listed.stderr).toContain(`cannot be read, and opens nothing: ${file}`);
});

/** One request over a unix socket. */
function overSocket(socketPath: string, token: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: `Bearer ${token}`, host: "localhost" };
    const sent = request({ socketPath, path: "/v1/me", headers }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on("error", reject);
    sent.end();
  });
}

verifies(
  "SRV-1b",
  "at a unix socket it is its owner's alone; one that a killed server left is replaced, a file is not",
  async () => {
    const own = new Place([]);
    const path = own.file("socket");
    const first = await Served.at(own, "--socket", path);
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(JSON.parse(own.read("home/client.json"))).toMatchObject({ url: "http://localhost", socket: path });
    expect(await overSocket(path, first.token)).toBe(200);
    const second = own.assent(["serve", "--socket", path]);
    expect(second).toMatchObject({ status: 2 });
    expect(second.stderr).toContain(`cannot listen at ${path}`);
    expect(await overSocket(path, first.token)).toBe(200);
    await first.end("SIGKILL");
    expect(statSync(path).isSocket()).toBe(true);
    const next = await Served.at(own, "--socket", path);
    // The owner's programs keep their token.
    expect(next.token).toBe(first.token);
    expect(await overSocket(path, next.token)).toBe(200);
    expect(await next.end()).toBe(0);
    expect(() => statSync(path)).toThrow("ENOENT");
    const file = own.file("precious");
    writeFileSync(file, "data");
    expect(await refusedServe(own, "--socket", file)).toMatchObject({ status: 2 });
    expect(own.read("precious")).toBe("data");
  },
);

verifies("SRV-1b", "it listens on loopback by default, and says what it cannot do", async () => {
  expect(served.url).toBe(`http://127.0.0.1:${served.port}`);
  const taken = await refusedServe(place, "--listen", `127.0.0.1:${served.port}`);
  expect(taken).toEqual({
    status: 2,
    told: expect.stringContaining(
      `cannot listen at 127.0.0.1:${served.port}: listen EADDRINUSE: address already in use 127.0.0.1:${served.port}` +
        "; something listens there already, --listen names another place",
    ),
  });
  for (const [argv, told] of [
    [["--listen", "nowhere"], 'expected <port> or <address>:<port>, found "nowhere"'],
    [["--listen", "70000"], "--listen: expected"],
    [["--listen", "1", "--socket", "x"], "--listen and --socket exclude each other"],
    [["--socket", ""], "--socket needs a value"],
    [["--socket", "/"], "--socket: expected the path of a socket, found the folder /"],
    [["--origin", "assent.example"], "--origin: expected an address such as https://assent.example"],
    [["--origin", "https://a.example/path"], "--origin: expected"],
    [["--liste", "1"], "--listen"],
    [["more"], "more"],
  ] as const) {
    const ran = await refusedServe(place, ...argv);
    expect([argv, ran]).toEqual([argv, { status: 2, told: expect.stringContaining(told) }]);
  }
  const inside = place.assent(["serve"], "", ["env", "ASSENT_RUN=a/b"]);
  expect(inside).toMatchObject({ status: 3, stderr: "assent: a command that an agent runs cannot serve sessions\n" });
});

/** One that ends by itself, within a time in which any would. */
async function refusedServe(at: Place, ...argv: readonly string[]) {
  const running = at.start(["serve", ...argv]);
  const late = setTimeout(() => running.kill("SIGKILL"), 10_000);
  const status = await running.ended;
  clearTimeout(late);
  return { status, told: running.errors };
}
