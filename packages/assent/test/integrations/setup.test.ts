import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { replyToFlow, startFlow } from "../../src/core/index.ts";
import { openConfigured } from "../../src/integrations/store.ts";
import { openVolatileSecrets, removeQuietly, writePrivate } from "../../src/runtime/index.ts";
import { acme, at, openHome, planted } from "./place.ts";

test("the set-up is a flow: a step for each field, secrets sensitive, usual values and none as options", () => {
  const { integrations, add, entry } = openHome();
  add("acme", acme);
  expect(integrations.setUpFlow(entry("acme"), {})).toEqual({
    steps: [
      {
        key: "token",
        question: "What is its API token?",
        options: [],
        allow_free_text: true,
        sensitive: true,
        response_schema: {
          type: "string",
          pattern: "\\s*(?:(?=\\S.{6,}\\S)(?:\\S{8,}))\\s*",
          description: "8 characters",
        },
        subject: { from: "Acme", message: ["its page"] },
      },
      {
        key: "url",
        question: "At which address is it?",
        options: [{ id: "usual", label: "https://acme.example" }],
        allow_free_text: true,
      },
      { key: "team", question: "Which team is it?", options: [{ id: "none", label: "None" }], allow_free_text: true },
    ],
  });
});

test("what does not fit is told where it is asked, with what was expected", () => {
  const { integrations, add, entry } = openHome();
  add("acme", acme);
  const flow = integrations.setUpFlow(entry("acme"), {}) ?? { steps: [] };
  const play = replyToFlow(startFlow(flow), "short");
  expect([play.request.sensitive, play.notice]).toEqual([true, expect.stringContaining("expected 8 characters")]);
  const lines = [` ${planted} `, "1", "None", "1"];
  const end = lines.reduce((next, line) => replyToFlow(next, line), play);
  expect([end.final, end.asked]).toEqual(["confirmed", ["token", "url", "team", "@confirm"]]);
  const given = integrations.given(entry("acme"), {}, end);
  expect(given).toEqual({
    name: "acme",
    service: "acme",
    fields: { url: "https://acme.example" },
    secrets: { token: "flow-1" },
  });
});

test("what is known is not asked, but for secrets; a command that takes no token is not asked for one", () => {
  const { integrations, entry } = openHome();
  const keys = (known: Readonly<Record<string, string>>) =>
    integrations.setUpFlow(entry("mcp"), known)?.steps.map(({ key, question }) => [key, question]) ?? null;
  const token = ["token", "What is its token, or none where it needs none?"];
  const address = ["address", "Which command starts it, or at which URL is it?"];
  expect(keys({})).toEqual([["name", "What should it be called?"], address, token]);
  expect(keys({ name: "x" })).toEqual([address, token]);
  expect(keys({ name: "x", address: "https://mcp.example/mcp", token: "t" })).toEqual([token]);
  expect(keys({ name: "x", address: "T={token} npx x" })).toEqual([token]);
  expect(keys({ name: "x", address: "npx x" })).toBeNull();
});

test("whoever enters a token for a URL that is known already sees whom it goes to", () => {
  const { integrations, entry } = openHome();
  const subjects = (address: string) =>
    integrations.setUpFlow(entry("mcp"), { name: "x", address })?.steps.map(({ key, subject }) => [key, subject]);
  expect(subjects("https://mcp.exämple:8443/mcp?key=1")).toEqual([
    ["token", { from: "MCP server", message: ["it is sent to mcp.xn--exmple-cua:8443"] }],
  ]);
  expect(subjects("T={token} npx x")).toEqual([["token", undefined]]);
});

test.each([
  ["API_KEY=sk-live-0123456789 npx x", "API_KEY"],
  ["LEVEL=1 GITHUB_PERSONAL_ACCESS_TOKEN='ghp_abc def' npx x", "GITHUB_PERSONAL_ACCESS_TOKEN"],
  ["db_password=hunter2 npx x", "db_password"],
  ["WHATEVER=ghp_0123456789abcdef npx x", "WHATEVER"],
  ["https://mcp.example/mcp?a=1&api_key=0123456789", "api_key"],
  ["docker run -e API_KEY=sk-live-0123456789 img", "API_KEY", " before the command"],
  ["npx x --api-key sk-live-0123456789", "api-key", " before the command"],
  ["npx x --apiToken=0123456789", "apiToken", " before the command"],
])("a secret is not taken as a part of a command or URL: %s", async (address, variable, before = "") => {
  const { integrations, setUp, entry } = openHome();
  const failed = `address: ${variable} looks like a secret, and what stands here is shown: write ${variable}={token}${before}, and it is asked for where nobody sees it`;
  expect(await setUp("mcp", { name: "x", address, token: "none" })).toEqual({ failed });
  expect(integrations.knownFault(entry("mcp"), { address })).toBe(failed);
  expect(integrations.configured()).toEqual([]);
});

test("what is wrong with a URL is told without it, and a token is no part of a host", () => {
  const { integrations, entry } = openHome();
  const fault = (address: string) => integrations.knownFault(entry("mcp"), { address });
  expect(fault("https://u:passw0rd1@h.example/mcp")).toMatch(
    /^address: expected a URL such as https:\/\/example.com, w/,
  );
  expect(fault("https://{token}.h.example/")).toBe("address: {token} goes behind the host, in the path or the query");
});

test("a secret that is typed where a command is asked for is not taken, so that no journal has it", () => {
  const { integrations, entry } = openHome();
  const flow = integrations.setUpFlow(entry("mcp"), { name: "x" }) ?? { steps: [] };
  const said = (line: string) => replyToFlow(startFlow(flow), line).notice;
  const expected = expect.stringContaining("expected a command or a URL, with NAME={token} where a secret goes");
  expect(said("API_KEY=sk-live-0123456789 npx x")).toEqual(expected);
  expect(said("A=1 db_password=hunter2hunter2 npx x")).toEqual(expected);
  for (const line of ["API_KEY=sk-live-01234 OTHER={token} npx x", "npx x --api-key sk-live-01234"]) {
    expect(said(line)).toEqual(expected);
  }
  expect(said("https://h.example/mcp?api_key=sk-live-01234 ")).not.toBeNull();
  expect(said("https://u:passw0rd@h.example/mcp")).toEqual(expected);
  const fine = [
    "npx monkey something-long --key-file somewhere",
    "KEY={token} npx x",
    "AUTH_TOKEN='Authorization: Bearer {token}' npx x",
    "npx x",
    "KEY=/a/key.pem npx x",
  ];
  expect([...fine, "https://mcp.example/"].map(said)).toEqual([null, null, null, null, null, null]);
});

test.each([
  "API_KEY={token} npx x",
  "AUTH='Bearer {token}' npx x",
  "LEVEL=debug TOKEN_LIMIT=4096 KEY_FILE=/home/ada/key AUTH=none npx x",
  "SSH_KEY=~/.ssh/id_ed25519 MONKEY_NAME=fred npx x",
  "npx x",
  "https://mcp.example/mcp",
  "https://mcp.example/mcp?key={token}",
  "https://mcp.example/mcp?keyword=cats",
  "KEYBOARD=us-intl TOKENIZER=cl100k_base MAX_TOKENS=2000000 npx x",
])("what is no secret is taken: %s", (address) => {
  const { integrations, entry } = openHome();
  expect(integrations.knownFault(entry("mcp"), { address })).toBeNull();
});

test("what is to be saved has the name of a secret and not the secret", async () => {
  const { integrations, setUp, add, folder } = openHome();
  add("acme", acme);
  const saved = await setUp("acme", { token: ` ${planted}\n`, team: "blue" });
  const configured = {
    name: "acme",
    service: "acme",
    fields: { url: "https://acme.example", team: "blue" },
    secrets: ["token"],
    since: at,
    checked: null,
    accepted: null,
  };
  expect(saved).toEqual(configured);
  expect(integrations.configured()).toEqual([configured]);
  expect(integrations.values()).toEqual([planted]);
  const home = join(folder, "integrations");
  expect(readdirSync(home)).toEqual(["acme.json", "secrets"]);
  expect(readFileSync(join(home, "acme.json"), "utf8")).not.toContain(planted);
  expect(readFileSync(join(home, "secrets", "acme.token"), "utf8")).toBe(planted);
  for (const file of ["acme.json", "secrets/acme.token"]) expect(statSync(join(home, file)).mode & 0o777).toBe(0o600);
});

test.each([
  [{ token: "short" }, "token: expected 8 characters"],
  [{ token: "long enough\u0007 with a bell" }, "token: expected 8 characters"],
  [{ token: planted, url: "http://acme.example" }, /^url: expected https, found http/],
  [{ token: planted, url: "acme" }, /^url: expected a URL/],
  [{}, "token: it is no longer kept"],
])("what does not fit is told without a secret, and nothing is saved", async (typed, reason) => {
  const { integrations, setUp, add } = openHome();
  add("acme", acme);
  const failed = typeof reason === "string" ? reason : expect.stringMatching(reason);
  expect(await setUp("acme", typed)).toEqual({ failed });
  expect([integrations.configured(), integrations.values()]).toEqual([[], []]);
});

test("a secret of fewer than 8 characters is not taken, whatever the service says: ordinary texts would have it in them", async () => {
  const { integrations, add, entry, setUp } = openHome();
  add("acme", {
    ...acme,
    fields: [{ ...acme.fields[0], pattern: "[a-z]+", expected: "letters" }, ...acme.fields.slice(1)],
  });
  const said = (name: string, known: Readonly<Record<string, string>>, line: string) =>
    replyToFlow(startFlow(integrations.setUpFlow(entry(name), known) ?? { steps: [] }), line).notice;
  expect(said("acme", {}, "deploys")).toContain("expected letters");
  expect(said("acme", {}, "deployed")).toBe(null);
  const server = { name: "x", address: "T={token} npx x" };
  expect(said("mcp", server, " deploy  ")).toContain("expected at least 8 characters");
  expect([said("mcp", server, "none"), said("mcp", server, "a deploy key")]).toEqual([null, null]);
  expect(await setUp("mcp", { ...server, token: "deploy" })).toMatchObject({
    failed: expect.stringMatching(/^token: expected/),
  });
});

const mcp = { address: "npx server", token: "none" };

test.each([
  [{ ...mcp, name: "github" }, "name: github is what GitHub is called"],
  [{ ...mcp, name: "mcp" }, "name: mcp is what all of them are called"],
  [{ ...mcp, name: "Not One" }, 'name: expected lower-case letters, digits and dashes, at most 24, found "Not One"'],
  [{ ...mcp, name: "x", address: "a | b" }, /^address: expected one command, found \|/],
  [{ ...mcp, name: "x", token: planted }, "token: the command does not say where it goes, as in TOKEN={token} npx …"],
  [{ ...mcp, name: "x", address: "T={token} npx x" }, "token: is missing"],
])("an MCP server is not set up with what it could not be used by", async (typed, reason) => {
  const { setUp } = openHome();
  expect(await setUp("mcp", typed)).toEqual({
    failed: typeof reason === "string" ? reason : expect.stringMatching(reason),
  });
});

const accepted = { connected: true, tools: [], prompts: [], resources: false, sampling: true };

test("an MCP server gets its token where it needs it, and what was accepted of it stays while its address does", async () => {
  const { integrations, setUp } = openHome();
  await setUp("mcp", { name: "one", address: "https://mcp.example/mcp?x=1", token: planted });
  await setUp("mcp", { name: "two", address: "KEY={token} LEVEL=1 npx 'a b'", token: planted });
  expect(integrations.accept("one", accepted)).toBeNull();
  expect(integrations.server("one")).toEqual({
    name: "one",
    address: { type: "url", url: "https://mcp.example/mcp?x=1", headers: { authorization: `Bearer ${planted}` } },
    sampling: true,
  });
  expect(integrations.server("two")).toEqual({
    name: "two",
    address: { type: "command", command: ["npx", "a b"], env: { KEY: planted, LEVEL: "1" } },
    sampling: false,
  });
  await setUp("mcp", { name: "three", address: "https://mcp.example/mcp?key={token}", token: "a b+c/d=e" });
  expect(integrations.server("three")).toMatchObject({
    address: { url: "https://mcp.example/mcp?key=a%20b%2Bc%2Fd%3De", headers: {} },
  });
  const lacking = { failed: "token: is missing" };
  expect(await setUp("mcp", { name: "four", address: "https://a.example/?key={token}", token: "none" })).toEqual(
    lacking,
  );
  await integrations.remove("three");
  await setUp("mcp", { name: "one", address: "https://mcp.example/mcp?x=1", token: "none" });
  expect(integrations.find("one")).toMatchObject({ secrets: [], accepted });
  await setUp("mcp", { name: "one", address: "https://other.example/mcp", token: "none" });
  expect(integrations.find("one")).toMatchObject({ accepted: null });
  // What was removed or replaced may still open something.
  expect(integrations.values()).toEqual([planted, "a b+c/d=e"]);
  expect(integrations.describe()).toBe("one (mcp, no tools accepted), two (mcp, no tools accepted)");
});

test("a command that a person typed is started where they were, and from elsewhere it is another server", async () => {
  const { integrations } = openHome();
  const save = (folder: string, address: string) =>
    integrations.save({ name: "one", service: "mcp", fields: { address }, secrets: {}, folder }, () => null);
  await save("/project/a", "node server.js .");
  integrations.accept("one", accepted);
  expect(integrations.server("one")).toMatchObject({
    address: { command: ["node", "server.js", "."], cwd: "/project/a" },
  });
  await save("/project/a", "node server.js .");
  expect(integrations.find("one")).toMatchObject({ folder: "/project/a", accepted });
  await save("/project/b", "node server.js .");
  expect(integrations.find("one")).toMatchObject({ folder: "/project/b", accepted: null });
  await save("/project/b", "https://mcp.example/");
  expect(integrations.find("one")).not.toHaveProperty("folder");
});

test("an entry of the catalogue says how its server is started, with secrets in its variables alone", async () => {
  const { integrations, setUp, add } = openHome();
  const tools = { type: "mcp-command", command: ["run", "--team={team}", "--at", "{url}"], env: { TOKEN: "{token}" } };
  add("acme", { ...acme, tools });
  await setUp("acme", { token: planted });
  const address = { type: "command", command: ["run", "--at", "https://acme.example"], env: { TOKEN: planted } };
  expect(integrations.server("acme")).toEqual({ name: "acme", address, sampling: false });
});

test("what is removed is gone with its secrets, and its connection is closed", async () => {
  const closed: string[] = [];
  const { integrations, setUp, folder } = openHome({ close: async (name) => void closed.push(name) });
  await setUp("mcp", { name: "one", address: "https://mcp.example", token: planted });
  // Nothing was connected, so nothing is loaded in order to be closed.
  expect(closed).toEqual([]);
  await integrations.verify("one", {
    session: "s",
    signal: AbortSignal.abort(),
    onProgress() {},
    ask: async () => ({ type: "unanswered", why: "nobody" }),
  });
  // To try it leaves nothing running.
  expect(closed).toEqual(["one"]);
  expect(await integrations.remove("one")).toBeNull();
  expect(closed).toEqual(["one", "one"]);
  expect(readdirSync(join(folder, "integrations"), { recursive: true })).toEqual(["secrets"]);
  expect([integrations.configured(), integrations.values(), integrations.describe()]).toEqual([[], [planted], "none"]);
  const failed = "one is not set up; /integrations setup one does that";
  expect(await integrations.remove("one")).toEqual({ failed });
  expect(integrations.server("one")).toEqual({ failed });
  expect(integrations.accept("one", accepted)).toEqual({ failed });
});

test("a damaged file is told by its name, the others count, and its secrets stay hidden", async () => {
  const { integrations, setUp, add, folder } = openHome();
  add("acme", acme);
  await setUp("acme", { token: planted });
  await setUp("mcp", { name: "one", address: "npx x", token: "none" });
  const list = integrations.configured();
  expect(integrations.configured()).toBe(list);
  expect(integrations.values()).toBe(integrations.values());
  const file = join(folder, "integrations", "acme.json");
  writeFileSync(file, readFileSync(file, "utf8").replace('"since"', '"sense"'));
  expect(integrations.problems()).toEqual([`${file}: since: is missing`]);
  expect(integrations.configured().map(({ name }) => name)).toEqual(["one"]);
  expect(integrations.values()).toEqual([planted]);
});

test("what cannot be saved leaves everything as it was", async () => {
  const { integrations, setUp, add, folder } = openHome();
  add("acme", acme);
  await setUp("acme", { token: planted });
  mkdirSync(join(folder, "integrations", `acme.json.${process.pid}.new`));
  const saved = await setUp("acme", { token: "another-secret" });
  expect(saved).toEqual({ failed: expect.stringMatching(/^acme could not be saved: EISDIR/) });
  expect(readFileSync(join(folder, "integrations", "secrets", "acme.token"), "utf8")).toBe(planted);
  expect(integrations.values()).toEqual([planted]);
});

test("a new secret is never there beside an old address, whenever this process dies", async () => {
  const seen: unknown[] = [];
  const secrets = openVolatileSecrets();
  const folder = mkdtempSync(join(tmpdir(), "assent-store-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const look = () => {
    const { list, secret } = openConfigured(options);
    for (const { name, fields } of list()) seen.push([fields["url"], secret(name, "token")]);
  };
  const options = {
    folder,
    secrets: {
      ...{ read: secrets.read.bind(secrets), names: secrets.names.bind(secrets) },
      put(kept: Parameters<typeof secrets.put>[0]) {
        secrets.put(kept);
        look();
      },
      remove(name: string) {
        secrets.remove(name);
        look();
      },
    },
    write: (file: string, text: string) => {
      writePrivate(file, text);
      look();
    },
    remove: removeQuietly,
  };
  const store = openConfigured(options);
  const saved = (url: string) => ({
    ...{ name: "acme", service: "acme", fields: { url }, secrets: ["token"] },
    ...{ since: at, checked: null, accepted: null },
  });
  store.put(saved("https://old.example"), { token: "old-token" });
  look();
  store.put(saved("https://old.example"), { token: "newer-token" });
  store.put(saved("https://new.example"), { token: "new-token" });
  look();
  expect(new Set(seen.map((each) => JSON.stringify(each)))).toEqual(
    new Set(
      [
        '["https://old.example","newer-token"]',
        '["https://old.example","old-token"]',
        '["https://new.example","new-token"]',
      ].sort(),
    ),
  );
});

test("what cannot be saved at another address leaves the one of before", async () => {
  const { integrations, setUp, add, folder } = openHome();
  add("acme", acme);
  await setUp("acme", { token: planted });
  const before = integrations.configured();
  mkdirSync(join(folder, "integrations", `acme.json.${process.pid}.new`));
  // What is in the way cannot be written to, and is not removed either.
  const saved = await setUp("acme", { token: "another-secret", url: "https://other.example" });
  expect(saved).toEqual({ failed: expect.stringMatching(/^acme could not be saved: EISDIR/) });
  expect([integrations.configured(), integrations.values()]).toEqual([before, [planted]]);
});

test("where only the file was to be written, a failure leaves the secrets alone", async () => {
  const puts: string[] = [];
  const kept = openVolatileSecrets();
  const secrets = {
    ...{ read: kept.read.bind(kept), names: kept.names.bind(kept), remove: kept.remove.bind(kept) },
    put: (secret: Parameters<typeof kept.put>[0]) => {
      puts.push(secret.name);
      kept.put(secret);
    },
  };
  const fails = () => {
    throw new Error("the disk is full");
  };
  const store = openConfigured({ folder: "/nowhere", secrets, write: fails, remove: () => undefined });
  kept.put({ name: "acme.token", value: planted });
  const configured = { name: "acme", service: "acme", fields: {}, secrets: ["token"], since: at } as const;
  expect(store.put({ ...configured, checked: null, accepted: null })).toEqual({
    failed: "acme could not be saved: the disk is full",
  });
  expect(puts).toEqual([]);
});
