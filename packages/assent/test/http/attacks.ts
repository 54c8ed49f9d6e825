/** What the attacks find: a question whose yes would run a command, and tokens of every kind. */
export type Target = {
  readonly port: number;
  readonly session: string;
  /** An approval that is open. */
  readonly id: string;
  /** A question of another session that is open. */
  readonly other: string;
  /** A question that was answered by `{"selected_option_id":"1","answer_id":"k"}`. */
  readonly answered: string;
  readonly admin: string;
  readonly answerer: string;
  readonly viewer: string;
  readonly revoked: string;
  /** Of a browser in which an admin signed in. */
  readonly cookie: string;
};

export type Attack = {
  readonly what: string;
  /** The bytes that are sent. */
  readonly sends: (target: Target) => string;
  /** The statuses of the answers; 0 where there need be none. */
  readonly status: number | readonly number[];
  /** What must not be in the answer. */
  readonly without?: RegExp;
};

type Written = {
  readonly method?: string;
  readonly path?: string;
  /** `null` leaves one of the usual headers out. */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly body?: string;
  /** Lines as they are, after the headers. */
  readonly lines?: readonly string[];
  readonly version?: string;
};

const yes = '{"confirmed":true}';

/** A request that would be a person's yes, but for what is written. */
function request(target: Target, { method = "POST", path, headers = {}, body = yes, lines = [], version }: Written) {
  const usual: Readonly<Record<string, string | null>> = {
    Host: `127.0.0.1:${target.port}`,
    Connection: "close",
    Authorization: `Bearer ${target.admin}`,
    "Content-Type": "application/json",
    "Content-Length": String(Buffer.byteLength(body)),
    ...headers,
  };
  const written = Object.entries(usual).flatMap(([name, value]) => (value === null ? [] : [`${name}: ${value}`]));
  const first = `${method} ${path ?? `/v1/interactions/${target.id}/response`} ${version ?? "HTTP/1.1"}`;
  return [first, ...written, ...lines, "", body].join("\r\n");
}

type Writing = (target: Target) => Written;

function attack(what: string, status: Attack["status"], writing: Writing, without?: RegExp): Attack {
  return { what, status, sends: (target) => request(target, writing(target)), ...(without ? { without } : {}) };
}

function header(name: string, value: string | ((target: Target) => string)): Writing {
  return (target) => ({ headers: { [name]: typeof value === "string" ? value : value(target) } });
}

const none = { Authorization: null };

const strangers: readonly Attack[] = [
  attack("no token", 401, () => ({ headers: none })),
  attack(
    "another scheme",
    401,
    header("Authorization", ({ admin }) => `Basic ${btoa(`admin:${admin}`)}`),
  ),
  attack(
    "the token without a scheme",
    401,
    header("Authorization", ({ admin }) => admin),
  ),
  attack("a token twice", 401, ({ admin }) => ({ lines: [`Authorization: Bearer ${admin}`] })),
  attack("no token after the scheme", 401, header("Authorization", "Bearer ")),
  attack("a token of another's making", 401, header("Authorization", `Bearer assent_0123456789_${"A".repeat(43)}`)),
  attack("a path as a token", 401, header("Authorization", "Bearer assent_../../client_x")),
  attack(
    "a token with another end",
    401,
    header("Authorization", ({ admin }) => `Bearer ${admin}x`),
  ),
  attack(
    "a token in other letters",
    401,
    header("Authorization", ({ admin }) => `Bearer ${admin.toUpperCase()}`),
  ),
  attack(
    "a token that was taken back",
    401,
    header("Authorization", ({ revoked }) => `Bearer ${revoked}`),
  ),
  attack("the token in the query", 401, ({ id, admin }) => ({
    ...{ headers: none, path: `/v1/interactions/${id}/response?token=${admin}&access_token=${admin}` },
  })),
  attack("the token in the body", 401, ({ admin }) => ({
    ...{ headers: none, body: `{"confirmed":true,"token":"${admin}"}` },
  })),
  attack("the token in a header of its own", 401, ({ admin }) => ({
    headers: { ...none, "X-Api-Key": admin, Token: admin },
  })),
  attack("the token in another cookie", 401, ({ admin }) => ({ headers: { ...none, Cookie: `assent=${admin}` } })),
  attack("a cookie beside a wrong token", 401, ({ cookie, port }) => ({
    headers: { Authorization: "Bearer x", Cookie: cookie, Origin: `http://127.0.0.1:${port}` },
  })),
];

const asViewer = ({ viewer }: Target) => ({ Authorization: `Bearer ${viewer}` });
const asAnswerer = ({ answerer }: Target) => ({ Authorization: `Bearer ${answerer}` });

const roles: readonly Attack[] = [
  attack("a viewer answers", 403, (target) => ({ headers: asViewer(target) })),
  attack("a viewer types", 403, (target) => ({
    ...{ headers: asViewer(target), path: `/v1/interactions/${target.id}/reply`, body: '{"line":"yes"}' },
  })),
  attack("a viewer stops", 403, (target) => ({
    ...{ headers: asViewer(target), path: `/v1/sessions/${target.session}/stop`, body: '{"mode":"kill"}' },
  })),
  attack("a viewer begins a session", 403, (target) => ({
    ...{ headers: asViewer(target), path: "/v1/sessions", body: '{"prompt":"go"}' },
  })),
  attack("an answerer begins a session", 403, (target) => ({
    ...{ headers: asAnswerer(target), path: "/v1/sessions", body: '{"prompt":"go"}' },
  })),
  attack("an answerer prompts", 403, (target) => ({
    ...{ headers: asAnswerer(target), path: `/v1/sessions/${target.session}/prompts`, body: '{"text":"go"}' },
  })),
  attack("an answerer takes a grant back", 403, (target) => ({
    ...{ headers: asAnswerer(target), method: "DELETE", path: "/v1/grants/any", body: "" },
  })),
  attack("a viewer says that they are an admin", 403, (target) => ({
    headers: { ...asViewer(target), "X-Role": "admin", "X-User": "owner" },
    body: '{"confirmed":true,"role":"admin","by":{"name":"owner"}}',
  })),
];

function withId(what: string, id: (target: Target) => string, status: Attack["status"] = 404): Attack {
  return attack(what, status, (target) => ({ path: `/v1/interactions/${id(target)}/response` }), /X-Injected: 1/i);
}

const ids: readonly Attack[] = [
  attack("another question's id in the body", 400, ({ other }) => ({
    body: `{"confirmed":true,"interaction_id":"${other}"}`,
  })),
  withId("an id that goes up", ({ id }) => `..%2finteractions%2f${id}`),
  withId("an id of dots", () => "%2e%2e%2f%2e%2e%2fetc%2fpasswd"),
  withId("an id with an end inside", ({ id }) => `${id}%00`),
  withId("an id of nothing else", () => "%00"),
  withId("an id of 12,000 characters", () => "a".repeat(12_000)),
  withId("an id in wide digits", ({ session }) => encodeURIComponent(`${session}-１`)),
  withId("an id with a line end", ({ id }) => `${id}%0d%0aX-Injected:%201`),
  withId("an id in half of a character", () => "%c3%28-1"),
  withId("an id that is no escape", ({ id }) => `${id}%zz`),
  withId("an id with a quote", ({ id }) => `${id}'%20OR%20'1'='1`),
  withId("an id with a parameter", ({ id }) => `${id};x=1`),
  withId("an id of a property", () => "__proto__-1"),
  withId("an empty id", () => ""),
  withId("a negative number", ({ session }) => `${session}--1`),
  withId("a number with a zero before it", ({ session }) => `${session}-01`),
];

const hosts: readonly Attack[] = [
  ...(
    [
      ["another name", () => "evil.example"],
      ["another name with the port", (port: number) => `evil.example:${port}`],
      ["no port", () => "127.0.0.1"],
      ["another port", (port: number) => `127.0.0.1:${port + 1}`],
      ["a name that begins as ours", (port: number) => `localhost.evil.example:${port}`],
      ["a name that leads here", (port: number) => `127.0.0.1.rebound.example:${port}`],
      ["a name that ends as ours", (port: number) => `evil-localhost:${port}`],
      ["somebody at ours", (port: number) => `evil@127.0.0.1:${port}`],
      ["ours at somebody", (port: number) => `127.0.0.1:${port}@evil.example`],
      ["another address of this machine", (port: number) => `127.0.0.2:${port}`],
      ["every address", (port: number) => `0.0.0.0:${port}`],
      ["ours as one number", (port: number) => `2130706433:${port}`],
      ["ours with a dot", (port: number) => `localhost.:${port}`],
      ["nothing", () => ""],
    ] as const
  ).map(([what, host]) => attack(`a Host of ${what}`, [403, 400], ({ port }) => ({ headers: { Host: host(port) } }))),
  attack("no Host", 400, () => ({ headers: { Host: null } })),
  attack("no Host, in an old version", [400, 403], () => ({ headers: { Host: null }, version: "HTTP/1.0" })),
  attack("two Hosts", [400, 403], () => ({ lines: ["Host: evil.example"] })),
  attack("another Host that somebody vouches for", 403, ({ port }) => ({
    headers: { Host: "evil.example", "X-Forwarded-Host": `127.0.0.1:${port}`, Forwarded: `host=127.0.0.1:${port}` },
  })),
  attack("a target of another name", [400, 403], ({ id }) => ({
    path: `http://evil.example/v1/interactions/${id}/response`,
  })),
  attack("a target of another port", [400, 403], ({ id, port }) => ({
    path: `http://127.0.0.1:${port + 1}/v1/interactions/${id}/response`,
  })),
  attack("a target with a name in it", [400, 403, 404], ({ id, port }) => ({
    path: `//evil.example:${port}/v1/interactions/${id}/response`,
  })),
  attack("a target that is no path", [400, 404], ({ id }) => ({ path: `v1/interactions/${id}/response` })),
];

const origins: readonly Attack[] = (
  [
    ["another site", () => "http://evil.example"],
    ["another port", (port: number) => `http://127.0.0.1:${port + 1}`],
    ["nowhere", () => "null"],
    ["nothing", () => ""],
    ["another scheme", (port: number) => `https://127.0.0.1:${port}`],
    ["no port", () => "http://127.0.0.1"],
    ["one that begins as ours", (port: number) => `http://127.0.0.1:${port}.evil.example`],
    ["one that begins as ours, with digits", (port: number) => `http://127.0.0.1:${port}0`],
    ["ours with a path", (port: number) => `http://127.0.0.1:${port}/`],
    ["ours and another", (port: number) => `http://127.0.0.1:${port} http://evil.example`],
    ["a file", () => "file://"],
    ["an extension", () => "chrome-extension://abcdefghijklmnop"],
  ] as const
).flatMap(([what, origin]) => [
  attack(`an Origin of ${what}`, 403, ({ cookie, port }) => ({
    headers: { ...none, Cookie: cookie, Origin: origin(port) },
  })),
  attack(`a token, and an Origin of ${what}`, 403, ({ port }) => ({ headers: { Origin: origin(port) } })),
]);

const ofPage = ({ cookie, port }: Target) => ({ ...none, Cookie: cookie, Origin: `http://127.0.0.1:${port}` });

const sites: readonly Attack[] = [
  attack("a cookie that does not say where it comes from", 403, ({ cookie }) => ({
    headers: { ...none, Cookie: cookie },
  })),
  attack("the same to take a grant back", 403, ({ cookie }) => ({
    ...{ headers: { ...none, Cookie: cookie }, method: "DELETE", path: "/v1/grants/any", body: "" },
  })),
  ...["cross-site", "same-site", "nonsense"].map((site) =>
    attack(`a browser that says ${site}`, 403, (target) => ({
      headers: { ...ofPage(target), "Sec-Fetch-Site": site },
    })),
  ),
  attack("a look from another site", 403, ({ cookie, id }) => ({
    ...{ method: "GET", path: `/v1/interactions/${id}`, body: "" },
    headers: { ...none, Cookie: cookie, "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors" },
  })),
  ...[
    "text/plain",
    "text/plain; charset=application/json",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/jsonp",
    "application/json-patch+json",
    "text/json",
    "",
  ].map((type) =>
    attack(`a body of type ${JSON.stringify(type)}`, 415, (target) => ({
      headers: { ...ofPage(target), "Content-Type": type },
    })),
  ),
  attack("a body of no type", 415, (target) => ({ headers: { ...ofPage(target), "Content-Type": null } })),
  attack("a form that signs in", 415, ({ admin }) => ({
    ...{ path: "/v1/login", body: `token=${admin}` },
    headers: { ...none, "Content-Type": "application/x-www-form-urlencoded" },
  })),
  attack("another site signs in", 403, ({ admin }) => ({
    ...{ path: "/v1/login", body: `{"token":"${admin}"}`, headers: { ...none, Origin: "http://evil.example" } },
  })),
  attack(
    "another site signs out",
    403,
    () => ({
      ...{ path: "/v1/logout", body: "", headers: { ...none, Origin: "null", "Content-Type": "text/plain" } },
    }),
    /set-cookie/i,
  ),
  attack(
    "a question before a request of another site",
    403,
    () => ({
      ...{ method: "OPTIONS", body: "" },
      headers: { ...none, Origin: "http://evil.example", "Access-Control-Request-Method": "POST" },
    }),
    /access-control-allow/i,
  ),
  attack(
    "the same from this site",
    [401, 404],
    ({ port }) => ({
      ...{ method: "OPTIONS", body: "" },
      headers: { ...none, Origin: `http://127.0.0.1:${port}`, "Access-Control-Request-Method": "POST" },
    }),
    /access-control-allow/i,
  ),
];

const methods: readonly Attack[] = [
  ...["PUT", "PATCH", "DELETE", "OPTIONS", "QUERY", "PROPFIND"].map((method) =>
    attack(`the method ${method}`, [404, 405], () => ({ method })),
  ),
  attack("HEAD", 404, () => ({ method: "HEAD" })),
  attack("TRACE", [400, 404, 405], () => ({ method: "TRACE" }), /Bearer/),
  attack("CONNECT", 0, ({ port }) => ({ method: "CONNECT", path: `127.0.0.1:${port}` })),
  attack("a method that is none", 400, () => ({ method: "ANSWER" })),
  attack("a method in small letters", 400, () => ({ method: "post" })),
  attack("a GET that answers", 404, ({ id }) => ({
    ...{ method: "GET", path: `/v1/interactions/${id}/response?confirmed=true` },
  })),
  attack("a GET that says it is a POST", 404, () => ({
    ...{
      method: "GET",
      headers: { "X-HTTP-Method-Override": "POST", "X-Method-Override": "POST", "X-HTTP-Method": "POST" },
    },
  })),
  attack("a POST that says it is a DELETE", [404, 405], ({ session }) => ({
    ...{ path: `/v1/sessions/${session}?_method=DELETE`, headers: { "X-HTTP-Method-Override": "DELETE" } },
  })),
  attack(
    "an answer to a callback",
    200,
    ({ id }) => ({
      ...{ method: "GET", path: `/v1/interactions/${id}?callback=steal&jsonp=steal`, body: "" },
    }),
    /steal\(|content-type: (text|application)\/javascript/i,
  ),
  attack(
    "another protocol",
    [404, 400],
    () => ({
      ...{
        method: "GET",
        headers: { Connection: "Upgrade, close", Upgrade: "websocket", "Sec-WebSocket-Version": "13" },
      },
    }),
    / 101 /,
  ),
  attack("an answer that was accepted, sent again", 200, ({ answered }) => ({
    path: `/v1/interactions/${answered}/response`,
    body: '{"selected_option_id":"1","answer_id":"k"}',
  })),
  attack("the same with another answer", 409, ({ answered }) => ({
    path: `/v1/interactions/${answered}/response`,
    body: '{"selected_option_id":"2","answer_id":"k"}',
  })),
];

const tooMuch = 1024 * 1024 + 1;

function chunked(...lines: readonly string[]): Written {
  return { headers: { "Content-Length": null, "Transfer-Encoding": "chunked" }, body: lines.join("\r\n") };
}

/** What another server would take for the answer, hidden behind a request that is allowed. */
function smuggled({ port, id, admin }: Target): string {
  const lines = [`POST /v1/interactions/${id}/response HTTP/1.1`, `Host: 127.0.0.1:${port}`];
  const rest = [`Authorization: Bearer ${admin}`, "Content-Type: application/json", `Content-Length: ${yes.length}`];
  return [...lines, ...rest, "", yes].join("\r\n");
}

const framing: readonly Attack[] = [
  attack("a body that says it is too large", 413, () => ({ headers: { "Content-Length": String(tooMuch) } })),
  attack("a body that is too large and does not say so", 413, () =>
    chunked(...Array.from({ length: 17 }, () => `10000\r\n${" ".repeat(65_536)}`), "0", "", ""),
  ),
  attack("a length that is no number", 400, header("Content-Length", "0x12")),
  attack("a negative length", 400, header("Content-Length", "-1")),
  attack("a length with a sign", 400, header("Content-Length", "+18")),
  attack("a length beyond all numbers", 400, header("Content-Length", "99999999999999999999")),
  attack("two lengths", 400, () => ({ lines: ["Content-Length: 0"] })),
  attack("two lengths in one line", 400, header("Content-Length", "18, 18")),
  attack("a length and chunks", 400, (target) => ({
    headers: { "Transfer-Encoding": "chunked", "Content-Length": "5" },
    body: `0\r\n\r\n${smuggled(target)}`,
  })),
  attack("chunks and something else", 400, () => ({
    ...chunked(yes.length.toString(16), yes, "0", "", ""),
    headers: { "Content-Length": null, "Transfer-Encoding": "chunked, identity" },
  })),
  attack("chunks by another spelling", 400, () => ({
    ...chunked(yes.length.toString(16), yes, "0", "", ""),
    headers: { "Content-Length": null, "Transfer-Encoding": "xchunked" },
  })),
  attack("chunks with a space before the colon", 400, () => ({
    ...{ headers: { "Content-Length": null }, lines: ["Transfer-Encoding : chunked"] },
    body: ["12", yes, "0", "", ""].join("\r\n"),
  })),
  attack("a chunk whose length is no number", 400, () => chunked("zz", yes, "0", "", "")),
  attack("a chunk longer than it says", 400, () => chunked("2", yes, "0", "", "")),
  attack("a chunk with a length beyond all numbers", 400, () => chunked("fffffffffffffffff", yes, "0", "", "")),
  attack("a header over two lines", 400, () => ({ lines: ["X-Long: a", " b"] })),
  attack("a header with an end inside", 400, header("X-Nul", "a\0b")),
  attack("a line end alone", 400, () => ({ lines: ["X-A: 1\nX-B: 2\rX-C: 3"] })),
  attack("headers of 17 KB", 431, header("X-Large", "a".repeat(17 * 1024))),
  attack("3,000 headers", 431, () => ({ lines: Array.from({ length: 3_000 }, (_, nth) => `X-${nth}: 1`) })),
  {
    what: "a yes behind a look, without a token",
    status: [200, 401],
    sends: (target) =>
      request(target, { method: "GET", path: "/healthz", body: "", headers: { Connection: "keep-alive" } }) +
      request(target, { headers: none }),
  },
  {
    what: "a yes inside the body of a GET",
    // Its body is passed over, whatever is in it.
    status: 200,
    sends: (target) => {
      const body = smuggled({ ...target, admin: "none" });
      return request(target, { method: "GET", path: "/healthz", body });
    },
  },
  { what: "no HTTP at all", status: 400, sends: () => "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" },
  { what: "HTTP of the first version", status: 400, sends: () => "GET /v1/me\r\n\r\n" },
  { what: "HTTP of a later version", status: [400, 505], sends: () => "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" },
];

const bodies: readonly Attack[] = [
  attack("a prototype", 400, () => ({ body: '{"__proto__":{"confirmed":true}}' })),
  attack("a prototype deep inside", 400, () => ({ body: '{"confirmed":true,"metadata":{"a":[{"__proto__":1}]}}' })),
  attack("lists 10,000 deep", 400, () => ({
    body: `{"confirmed":true,"metadata":${"[".repeat(10_000)}${"]".repeat(10_000)}}`,
  })),
  attack("objects 100,000 deep", 400, () => ({
    body: `{"confirmed":true,"metadata":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`,
  })),
  attack("a number beyond all numbers", 400, () => ({ body: '{"confirmed":1e999}' })),
  attack("a number of 100,000 digits", 400, () => ({ body: `{"confirmed":${"9".repeat(100_000)}}` })),
  attack("JSON with a comment", 400, () => ({ body: '{"confirmed":true/**/}' })),
  attack("two answers one after the other", 400, () => ({ body: `${yes}${yes}` })),
  attack("half a body", 400, () => ({ body: '{"confirmed":tr' })),
  attack("a body that is packed", 400, () => ({
    headers: { "Content-Encoding": "gzip", "Content-Length": "4" },
    body: "\x1f\x8b\x08\x00",
  })),
  attack("bytes that are no text", 400, () => ({ body: "\xff\xfe{\x00", headers: { "Content-Length": "4" } })),
];

const secretFile = /root:|"token"|ASSENT/;
const files: readonly Attack[] = [
  "/assets/../../etc/passwd",
  "/assets/../../../../../../../../etc/passwd",
  "/assets/%2e%2e/%2e%2e/%2e%2e/%2e%2e/etc/passwd",
  "/assets/..%2f..%2f..%2f..%2fetc%2fpasswd",
  "/assets/..%252f..%252fetc%252fpasswd",
  "/assets/....//....//etc/passwd",
  "/assets/..\\..\\etc\\passwd",
  "/assets/..%5c..%5cetc%5cpasswd",
  "//etc/passwd",
  "/%00/etc/passwd",
  "/.../client.json",
  "/../home/client.json",
  "/assets/%c0%ae%c0%ae/client.json",
  "/file:///etc/passwd",
].map((path) =>
  attack(`the file ${path}`, [404, 400, 403], () => ({ method: "GET", path, body: "", headers: none }), secretFile),
);

export const attacks: readonly Attack[] = [
  ...strangers,
  ...roles,
  ...ids,
  ...hosts,
  ...origins,
  ...sites,
  ...methods,
  ...framing,
  ...bodies,
  ...files,
];
