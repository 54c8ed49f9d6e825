import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as v from "valibot";
import { expect, onTestFinished, test, vi } from "vitest";
import {
  type AuditRecord,
  defineTool,
  type HostOptions,
  openGrants,
  openHome,
  openHost,
  openMemoryJournal,
  openModel,
  openSecrets,
  openSqliteJournal,
  openTools,
  type Policy,
  type ScriptedReply,
  type SessionHost,
  scriptedModel,
  type Tool,
} from "../../src/index.ts";
import { verifies } from "../requirements/verifies.ts";

const acting = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;
const source = join(import.meta.dirname, "..", "..", "src");

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), "assent-library-"));
  onTestFinished(() => rmSync(made, { recursive: true, force: true }));
  return made;
}

function calls(tool: string, given: object): ScriptedReply {
  return { calls: [{ tool, arguments: { ...given } }] };
}

/** One prompt to its end or to a question; what became of its calls. */
async function prompted(host: SessionHost, cwd: string, text = "go"): Promise<readonly AuditRecord[]> {
  const made = host.create({ cwd });
  if ("refusal" in made) throw new Error(made.refusal.detail);
  const hold = host.hold(made.session);
  host.submit(made.session, { type: "prompt", text, delivery: "now", entry: "submitted", ...acting });
  for await (const watched of host.watch(made.session)) {
    if (watched.type !== "recorded") continue;
    if (["exchange.ended", "interaction.requested"].includes(watched.event.type)) break;
  }
  await hold.release();
  return host.audit(made.session);
}

function opened(replies: readonly ScriptedReply[], more: Partial<HostOptions> = {}): SessionHost {
  const journal = openMemoryJournal();
  return openHost({ journal, provider: scriptedModel({ replies }), tools: openTools(), ...more });
}

const danger = calls("terminal", { command: "rm -rf build" });
const done = { text: "Done." };

verifies(
  "LIB-1b",
  "a host needs a journal, a provider and tools; what is dangerous is asked about all the same",
  async () => {
    const [record] = await prompted(opened([danger, done]), "/");
    expect(record).toMatchObject({ what: "rm -rf build", verdict: "ask", rule: "delete-recursive", end: "open" });
  },
);

verifies("LIB-1b", "the policy that is given decides, at once or when it has come", async () => {
  const deny: Policy = { version: "none", judge: () => ({ verdict: "deny", rule: "none", reason: "nothing runs" }) };
  for (const policy of [deny, async () => deny]) {
    const [record] = await prompted(opened([danger, done], { policy }), "/");
    expect(record).toMatchObject({ verdict: "deny", rule: "none", end: "refused" });
  }
});

verifies("LIB-1b", "the model is told where and when it works, unless the program says otherwise", async () => {
  const told: string[] = [];
  const onQuestion = ({ request }: { request: { closing: string } }) => void told.push(request.closing);
  const provider = scriptedModel({ replies: [done], onQuestion });
  await prompted(opened([], { provider }), "/");
  await prompted(opened([], { provider, context: () => "in a shop" }), "/");
  expect(told[0]).toMatch(/cwd: \/\nplatform: \w+\ndate: \d{4}-\d\d-\d\d/);
  expect(told[1]).toContain("in a shop");
});

verifies(
  "LIB-1b",
  "one thing opens all hosts: that of the command line, which is that of the server, and that of scenarios",
  () => {
    const files = globSync("**/*.ts", { cwd: source, exclude: ["**/*.test.ts"] });
    const opening = files.filter((file) => /\bopenHost\(\{/.test(readFileSync(join(source, file), "utf8")));
    expect(opening.sort()).toEqual(["cli/open.ts", "scenarios/play.ts"]);
    const making = files.filter((file) => /\bnew Host\(/.test(readFileSync(join(source, file), "utf8")));
    expect(making).toEqual(["runtime/host.ts"]);
  },
);

test("a session that nobody has a word for waits with its question, and another host on the journal answers it", async () => {
  const journal = openMemoryJournal();
  await prompted(opened([danger, done], { journal }), "/");
  const other = opened([danger, done], { journal });
  const [open] = other.interactions().open;
  const interaction = open?.request.interaction_id ?? "";
  const { refusal } = other.submit(open?.session ?? "", {
    type: "reply",
    interaction,
    line: "no",
    shown: null,
    ...acting,
  });
  expect(refusal).toBeNull();
  expect(other.audit(open?.session ?? "")).toMatchObject([{ end: "refused", answers: [{ by: acting.by }] }]);
});

test("a home keeps sessions, and is neither changed nor read without a person", async () => {
  const home = folder();
  const cwd = folder();
  for (const command of [`cat ${home}/journal.db`, `echo >> ${home}/grants/g.json`]) {
    const { journal, ...rest } = openHome(home);
    const provider = scriptedModel({ replies: [calls("terminal", { command }), done] });
    const [record] = await prompted(openHost({ journal, ...rest, provider }), cwd);
    expect(record).toMatchObject({ verdict: "ask", rule: "self-approval" });
    journal.close();
  }
  const reading = openHome(home);
  const provider = scriptedModel({ replies: [calls("read_file", { path: `${home}/journal.db` }), done] });
  expect(await prompted(openHost({ ...reading, provider }), cwd)).toMatchObject([{ verdict: "ask" }]);
  expect(openHost({ ...reading, provider }).sessions().sessions).toHaveLength(3);
  reading.journal.close();
});

verifies(
  ["APPR-10b", "APPR-10c"],
  "a home that is told by a relative path or a link is out of bounds as well",
  async () => {
    const top = folder();
    mkdirSync(join(top, "real"));
    symlinkSync("real", join(top, "link"));
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    for (const given of ["real", "link", join(top, "link")]) {
      process.chdir(top);
      const home = openHome(given);
      process.chdir(before);
      for (const call of touching("real")) {
        const provider = scriptedModel({ replies: [call, done] });
        expect(await prompted(openHost({ ...home, provider }), top)).toMatchObject([
          { verdict: "ask", rule: "self-approval" },
        ]);
      }
      home.journal.close();
    }
  },
);

verifies(
  ["APPR-10b", "APPR-10c"],
  "what a host keeps is out of bounds also where nothing but that is told",
  async () => {
    const top = folder();
    mkdirSync(join(top, "data"));
    const journal = openSqliteJournal(join(top, "data", "journal.db"));
    const [secrets, grants] = [openSecrets(join(top, "data", "secrets")), openGrants(join(top, "data", "grants"))];
    const more = [
      calls("terminal", { command: "rm data/journal.db-wal" }),
      calls("terminal", { command: "cat data/secrets/x" }),
    ];
    for (const call of [...touching("data"), ...more]) {
      expect(await prompted(opened([call, done], { journal, secrets, grants }), top)).toMatchObject([
        { verdict: "ask", rule: "self-approval" },
      ]);
    }
    const own = opened([calls("terminal", { command: "cat mine/x" }), done], { own: [join(top, "mine")] });
    expect(await prompted(own, top)).toMatchObject([{ verdict: "ask", rule: "self-approval" }]);
    const [other] = await prompted(
      opened([calls("terminal", { command: "touch data/notes" }), done], { journal }),
      top,
    );
    expect(other).toMatchObject({ verdict: "allow" });
    journal.close();
  },
);

verifies("APPR-10c", "the usual tools leave alone what the command line keeps", async () => {
  const home = folder();
  vi.stubEnv("ASSENT_HOME", home);
  onTestFinished(() => void vi.unstubAllEnvs());
  writeFileSync(join(home, "client.json"), "{}");
  for (const [tool, given] of [
    ["read_file", { path: join(home, "client.json") }],
    ["write_file", { path: join(home, "policy.json"), content: "{}" }],
    ["terminal", { command: `cat ${home}/client.json` }],
  ] as const) {
    expect(await prompted(opened([calls(tool, given), done]), folder())).toMatchObject([
      { verdict: "ask", rule: "self-approval" },
    ]);
  }
});

test("what is there but undefined has its usual value", async () => {
  const nothing: Partial<HostOptions> = JSON.parse("{}");
  const names = [
    "policy",
    "secrets",
    "grants",
    "clock",
    "newId",
    "holder",
    "runs",
    "context",
    "softOffers",
    "expiryMs",
  ];
  for (const name of names) Reflect.set(nothing, name, undefined);
  const [record] = await prompted(opened([danger, done], nothing), "/");
  expect(record).toMatchObject({ verdict: "ask", rule: "delete-recursive", end: "open" });
});

/** What an agent must not do to a folder in which a host keeps its journal and grants. */
function touching(home: string): readonly ScriptedReply[] {
  return [
    calls("terminal", { command: `cat ${home}/journal.db | wc -c` }),
    calls("terminal", { command: `echo '{}' > ${home}/grants/x.json` }),
    calls("read_file", { path: `${home}/journal.db` }),
    calls("write_file", { path: `${home}/grants/x.json`, content: "{}" }),
  ];
}

test("the usual tools are those of the command line that need no more than a machine", () => {
  expect(openTools().map(({ name }) => name)).toEqual([
    ...["agentic", "complete", "ask", "flow", "terminal", "process"],
    ...["read_file", "write_file", "edit_file", "list_files", "search_files"],
  ]);
});

const told = { name: "add", description: "Add two.", parameters: { type: "object" } } as const;
const schema = v.strictObject({ a: v.number(), b: v.pipe(v.string(), v.transform(Number)) });

test("a defined tool is given what its schema makes of the arguments, and the model reads what it gives", async () => {
  const add = defineTool({ ...told, schema, tier: "safe", run: ({ a, b }) => String(a + b) });
  expect(add.read("{")).toMatchObject({ type: "invalid" });
  expect(add.read("[]")).toEqual({ type: "invalid", reason: "the arguments are wrong: expected a JSON object" });
  expect(add.read('{"a":"1"}')).toMatchObject({ type: "invalid", reason: expect.stringContaining("number") });
  expect(add.read('{"a":1,"b":"2"}')).toEqual({ type: "tool", parallel: true });
  expect(await resultOf(add, { a: 1, b: "2" })).toEqual({ verdict: "allow", text: "3" });
});

test("a defined tool of the tier elevated is asked about, with its arguments as they came", async () => {
  const add = defineTool({ ...told, schema, tier: "elevated", run: () => "never" });
  const host = opened([calls("add", { a: 1, b: "2" }), done], { tools: [add] });
  expect(await prompted(host, "/")).toMatchObject([{ verdict: "ask", rule: "elevated-tool", end: "open" }]);
  expect(host.interactions().open[0]?.request.subject).toMatchObject({ arguments: { a: 1, b: "2" } });
});

test("what a defined tool throws is a failed call, and a schema that must be waited for is told", async () => {
  const run = () => {
    throw new Error("no such shelf");
  };
  const broken = defineTool({ ...told, schema, tier: "safe", run });
  expect(await resultOf(broken, { a: 1, b: "2" })).toMatchObject({ text: expect.stringContaining("no such shelf") });
  const later = v.pipeAsync(
    v.object({}),
    v.checkAsync(async () => true),
  );
  const slow = defineTool({ ...told, schema: later, tier: "safe", run: () => "" });
  expect(slow.read("{}")).toMatchObject({
    type: "invalid",
    reason: expect.stringContaining("does not answer at once"),
  });
});

async function resultOf(tool: Tool, given: object) {
  const host = opened([calls("add", given), done], { tools: [tool] });
  const [record] = await prompted(host, "/");
  const events = host.events(host.sessions().sessions[0]?.session ?? "", { after: 0, most: 100 });
  const finished = events.map(({ event }) => event).find(({ type }) => type === "call.finished");
  return { verdict: record?.verdict, text: finished?.type === "call.finished" ? finished.result.text : null };
}

test("a model is opened by its name; what is missing or unknown is told with what was expected", () => {
  const env = { ANTHROPIC_API_KEY: "k1" };
  expect(openModel("anthropic:claude-sonnet-4-5", { env }).window).toBe(200_000);
  expect(openModel("anthropic:new", { env, context: 1_000 }).window).toBe(1_000);
  expect(() => openModel("claude")).toThrow('model: expected <provider>:<model>, found "claude"');
  expect(() => openModel("acme:x")).toThrow(/^model: expected a provider of openai-responses, .*, found "acme"$/);
  expect(() => openModel("openai:x", { env })).toThrow(
    'model "openai:x": expected the key for openai-responses in OPENAI_API_KEY, found none',
  );
});
