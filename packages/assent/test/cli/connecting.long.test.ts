import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { openSurrounded, type Surrounded } from "../../src/cli/around.ts";
import type { Json } from "../../src/core/index.ts";
import { readSlash } from "../../src/slash/index.ts";
import { openVendor, vendorToken } from "../fixtures/vendor.ts";
import { verifies } from "../requirements/verifies.ts";

const patience = { timeout: 30_000 };
const ada = { name: "ada", adapter: "test" };
const acting = { by: ada, authority: "act" } as const;

let home = "";
let url = "";
let assent: Surrounded;
let session = "";

beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), "assent-connecting-"));
  const script = join(home, "script.jsonl");
  const said = { text: "Said." };
  const shifty = { calls: [{ tool: "shifty__shifty", arguments: {} }] };
  const replies = [said, said, said, shifty, said, shifty, said];
  writeFileSync(script, replies.map((reply) => JSON.stringify(reply)).join("\n"));
  vi.stubEnv("ASSENT_HOME", join(home, "home"));
  vi.stubEnv("ASSENT_RUN", undefined);
  vi.stubEnv("ASSENT_SCRIPT_LOG", join(home, "log"));
  const vendor = await openVendor();
  url = vendor.url;
  assent = openSurrounded();
  assent.useModel(`scripted:${script}`, false);
  const created = assent.host.create({ cwd: home, limits: {} });
  session = "session" in created ? created.session : "";
  assent.host.hold(session, { unattended: () => null });
  return vendor.close;
});

afterAll(async () => {
  await assent.host.close();
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

async function enter(line: string, ...answers: readonly string[]): Promise<string> {
  const { host, around } = assent;
  const read = readSlash(line, around.commands());
  if (read === null || !("command" in read)) throw new Error(`${line} is no command`);
  await read.command.run(read.given, { host, session, by: ada, around });
  for (const answer of answers) await reply(answer);
  await vi.waitUntil(() => host.view(session).exchange === null, patience);
  return host.view(session).lastResult?.text ?? "";
}

/** Answers the open question, once there is one, and tells what it was about. */
async function reply(line: string): Promise<Json | undefined> {
  const { host } = assent;
  const open = await vi.waitUntil(() => host.view(session).interactions[0]?.request, patience);
  host.submit(session, { type: "reply", interaction: open.interaction_id, line, shown: null, ...acting });
  return open.subject;
}

/** What the approval of what the model calls was about, once it is answered with yes and all is done. */
async function approved(): Promise<Json | undefined> {
  const { host } = assent;
  host.submit(session, { type: "prompt", text: "use it", delivery: "now", entry: "typed", ...acting });
  const subject = await reply("yes");
  await vi.waitUntil(() => host.view(session).exchange === null, patience);
  return subject;
}

type Asked = { readonly request: { readonly closing: string }; readonly tools: readonly { readonly name: string }[] };

/** What the model is told when it is asked something now. */
async function asked(): Promise<{ readonly told: string | undefined; readonly tools: readonly string[] }> {
  const { host } = assent;
  host.submit(session, { type: "prompt", text: "is sentry installed?", delivery: "now", entry: "typed", ...acting });
  await vi.waitUntil(() => host.view(session).exchange === null, patience);
  const last: Asked = JSON.parse(readFileSync(join(home, "log"), "utf8").trim().split("\n").at(-1) ?? "");
  const told = /^integrations: .*$/m.exec(JSON.stringify(last.request).replaceAll("\\n", "\n"))?.[0];
  return { told, tools: last.tools.map(({ name }) => name).filter((name) => name.startsWith("sentry")) };
}

verifies(
  ["SEL-6b", "INTG-2c"],
  "what is connected is in the next request, and is gone from the one after its removal",
  async () => {
    expect(await asked()).toEqual({ told: "integrations: none", tools: [] });
    const order: Readonly<Record<string, string>> = { organization: "acme", url };
    const entry = assent.around.integrations.catalogue.find("sentry");
    const answers = (entry?.fields ?? []).map(({ key, secret }) => (secret ? vendorToken : (order[key] ?? "")));
    expect(await enter("/integrations setup sentry", ...answers, "1")).toMatch(/sentry is set up: passed \(/);
    const connected = await asked();
    expect(connected.told).toBe(`integrations: ${assent.around.integrations.describe()}`);
    expect(connected.told).toContain("sentry (passed)");
    expect(connected.tools).not.toEqual([]);
    expect(assent.around.tools.map(({ name }) => name)).toEqual(expect.arrayContaining([...connected.tools]));
    expect(await enter("/integrations remove sentry", "1")).toContain("sentry is removed, with its secrets");
    expect(await asked()).toEqual({ told: "integrations: none", tools: [] });
  },
);

verifies(
  "INTG-5c",
  "a tool that its server has changed is put to the person again, as it was and as it is, and their yes accepts it",
  async () => {
    const { integrations } = assent.around;
    const fixture = join(import.meta.dirname, "..", "fixtures", "hostile-mcp.ts");
    const told = await enter(`/mcp connect shifty ${process.execPath} ${fixture} changes-told`, "1");
    expect(told).toContain("shifty is connected: 3 tools");
    const described = () =>
      integrations.servers.offers("shifty")?.tools.find(({ name }) => name === "shifty")?.description;
    const first = await approved();
    expect(first).toMatchObject({ tool: "shifty__shifty", server: "shifty" });
    expect(first).not.toHaveProperty("it is now");
    await vi.waitUntil(() => described() === "Reads your mail.", patience);
    expect(await approved()).toMatchObject({
      "it was": expect.arrayContaining(["Reads the weather."]),
      "it is now": expect.arrayContaining(["Reads your mail."]),
    });
    const accepted = integrations.find("shifty")?.accepted?.tools.find(({ name }) => name === "shifty");
    expect(accepted?.description).toBe("Reads your mail.");
  },
);

test("the commands that servers bring stand beside the others", async () => {
  const { integrations } = assent.around;
  const known = assent.around.commands().map(({ name }) => name);
  const fields = { address: "weather-server" };
  await integrations.save({ name: "weather", service: "mcp", fields, secrets: {} }, () => null);
  const prompts = [{ name: "plan", description: "Plans a day.", arguments: [] }];
  integrations.accept("weather", { connected: true, tools: [], prompts, resources: false, sampling: false });
  const now = assent.around.commands().map(({ name }) => name);
  expect(now.filter((name) => !known.includes(name))).toEqual(["weather:plan"]);
});

verifies(
  "INTG-4a",
  "the secret that was entered is in no file but its own, and that is gone with what it was for",
  () => {
    const files = readdirSync(home, { recursive: true, encoding: "utf8" }).map((name) => join(home, name));
    const holding = files.filter((file) => existsSync(file) && !file.endsWith("secrets") && isIn(file));
    expect(holding).toEqual([]);
  },
);

function isIn(file: string): boolean {
  try {
    return readFileSync(file).includes(vendorToken);
  } catch {
    return false;
  }
}
