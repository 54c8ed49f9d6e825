import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Grant, SessionEvent } from "../../src/core/index.ts";
import type { Policy } from "../../src/policy/index.ts";
import {
  type Grants,
  GrantsError,
  memoryStore,
  openGrants,
  openHost,
  openMemoryJournal,
  openVolatileGrants,
  openVolatileSecrets,
  type Tool,
} from "../../src/runtime/index.ts";
import { encodeGrant } from "../../src/wire/index.ts";
import { ruleOf } from "../core/grants.ts";
import { verifies } from "../requirements/verifies.ts";
import { settled, VirtualClock } from "../simulation/virtual-clock.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "assent-grants-"));
  made.push(path);
  return join(path, "grants");
}

const command = "rm -rf build";
const always: Grant = { ...ruleOf(command), id: "g-s-2", scope: "project", created: 5 };
const twice: Grant = { ...ruleOf(command), id: "g-s-4", scope: "user", created: 3, expires: 9_000, uses: 2 };

describe.each<[string, () => Grants]>([
  ["in files", () => openGrants(folder())],
  ["in memory", () => openVolatileGrants()],
])("grants %s", (_name, open) => {
  test("are there when they are put, once, and gone when they are removed", () => {
    const grants = open();
    expect([grants.list(), grants.damage(), grants.remove("g-s-2")]).toEqual([[], [], false]);
    grants.put(twice);
    for (const again of [always, always]) grants.put(again);
    expect(grants.list()).toEqual([twice, always]);
    expect([grants.remove("g-s-4"), grants.remove("g-s-4")]).toEqual([true, false]);
    expect(grants.list()).toEqual([always]);
  });

  verifies("APPR-7g", "count for as many calls as they were given for, each of them once", () => {
    const grants = open();
    grants.put(twice);
    const left = (call?: string) => grants.list(call).map(({ uses }) => uses);
    expect([grants.use("g-s-4", "s/t1c1"), grants.use("g-s-4", "s/t1c1"), left()]).toEqual([true, true, [1]]);
    expect([grants.use("g-s-4", "s/t2c1"), left(), left("s/t2c1")]).toEqual([true, [0], [1]]);
    expect([grants.use("g-s-4", "s/t3c1"), grants.use("g-s-4", "s/t2c1"), left()]).toEqual([false, true, [0]]);
    expect(grants.use("unheard-of", "s/t1c1")).toBe(false);
  });
});

describe("grants in files", () => {
  test("are for their owner alone, can be read by people, and are shared by all who open them", () => {
    const path = folder();
    openGrants(path).put(always);
    const file = join(path, "g-s-2.json");
    expect([statSync(path).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    expect(readdirSync(path)).toEqual(["g-s-2.json"]);
    expect(openGrants(path).list()).toEqual([always]);
    expect(encodeGrant(always).split("\n").slice(0, 4)).toEqual([
      "{",
      '  "v": 1,',
      '  "id": "g-s-2",',
      '  "scope": "project",',
    ]);
  });

  const whole = encodeGrant(always);
  const damages: readonly (readonly [string, string, string])[] = [
    ["half a file", whole.slice(0, 40), "expected JSON: "],
    ["an empty file", "", "expected JSON: "],
    ["another scope", whole.replace('"project"', '"session"'), 'scope: expected ("project" | "user"), found "session"'],
    ["a field that it does not know", whole.replace('"v": 1,', '"v": 1, "only": "mondays",'), "only: no such field"],
    ["a newer version", whole.replace('"v": 1', '"v": 2'), "v: expected 1, found 2"],
    ["a rule without its text", whole.replace('"signature"', '"signatures"'), "signature: is missing"],
    ["another grant", whole.replace("g-s-2", "g-s-9"), 'id: expected "g-s-2", found "g-s-9"'],
  ];
  for (const [name, text, reason] of damages) {
    verifies("APPR-7g", `grant nothing with ${name}, name the file, and take no other with them`, () => {
      const path = folder();
      const grants = openGrants(path);
      grants.put(always);
      grants.put(twice);
      const file = join(path, "g-s-2.json");
      writeFileSync(file, text);
      expect(grants.list()).toEqual([twice]);
      expect(grants.use("g-s-2", "s/t1c1")).toBe(false);
      expect(grants.damage()).toEqual([expect.stringContaining(`${file}: ${reason}`)]);
      expect([grants.remove("g-s-2"), grants.damage()]).toEqual([true, []]);
    });
  }

  test("are none where something else stands in their place, and the failure names it", () => {
    const path = folder();
    writeFileSync(path, "");
    const grants = openGrants(path);
    expect(grants.list()).toEqual([]);
    expect(grants.damage()).toEqual([expect.stringContaining(path)]);
    expect(() => grants.put(always)).toThrow(GrantsError);
    expect(() => grants.put(always)).toThrow(path);
  });

  test("leave nothing behind when they cannot be saved, nor count a use that cannot be counted", () => {
    const path = folder();
    mkdirSync(join(path, "g-s-2.json", "in the way"), { recursive: true });
    const grants = openGrants(path);
    expect(() => grants.put(always)).toThrow(GrantsError);
    expect(readdirSync(path)).toEqual([]);
    grants.put(twice);
    writeFileSync(join(path, "uses"), "");
    expect([grants.use("g-s-4", "s/t1c1"), grants.list()]).toEqual([false, [{ ...twice, uses: 0 }]]);
  });
});

/** Whatever is run asks, unless it is granted as it is. */
const policy: Policy = {
  version: "test",
  judge({ command: given = "" }, grants = []) {
    const grantable = ruleOf(given);
    const grant = grants.find(({ signature }) => signature === grantable.signature);
    if (grant === undefined) return { verdict: "ask", rule: "any", reason: "it asks", grantable };
    return { verdict: "allow", rule: "granted", reason: "a person granted it", granted: grant.id };
  },
};

const tool: Tool = {
  name: "terminal",
  description: "runs",
  parameters: { type: "object" },
  tier: "elevated",
  read: (given) => ({ type: "tool", parallel: false, command: given }),
  hands: {
    plan: (given, { cwd }) => ({ tool: "terminal", cwd, command: given }),
    run: async () => ({ type: "output", text: "ran" }),
  },
};

const acted = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;

/** A session whose model runs the same command, again and again. */
class Room {
  readonly clock = new VirtualClock();
  readonly events: SessionEvent[] = [];
  readonly #host;
  readonly #session: string;
  #seen = 0;

  constructor(grants: Grants, judging: Policy = policy) {
    let replies = 0;
    const calls = [{ id: "c", tool: "terminal", arguments: command }];
    const usage = { input: 1, output: 1, cached: 0 };
    this.#host = openHost({
      ...{ journal: openMemoryJournal(memoryStore()), secrets: openVolatileSecrets(), grants, tools: [tool] },
      policy: judging,
      ...{ clock: this.clock, newId: () => "s", runs: () => false, expiryMs: null, softOffers: "off" },
      holder: { pid: 1, started: "1", boot: "", host: "1" },
      context: () => "",
      provider: {
        ask: async () => {
          replies += 1;
          return { type: "replied", text: "", calls: replies % 2 === 1 ? calls : [], usage };
        },
      },
    });
    const created = this.#host.create({ cwd: "/project", limits: {} });
    this.#session = "session" in created ? created.session : "";
    this.#host.hold(this.#session, { unattended: () => null });
  }

  async prompt(): Promise<readonly string[]> {
    const prompt = { type: "prompt", text: "go", delivery: "now", entry: "submitted", ...acted } as const;
    this.#host.submit(this.#session, prompt);
    return this.#news();
  }

  async reply(line: string): Promise<readonly string[]> {
    const interaction = this.#host.view(this.#session).interactions[0]?.request.interaction_id ?? "none";
    this.#host.submit(this.#session, { type: "reply", interaction, line, shown: null, ...acted });
    return this.#news();
  }

  get asked() {
    return this.#host.view(this.#session).interactions[0]?.request;
  }

  judged() {
    return this.events.findLast((event) => event.type === "call.judged");
  }

  /** What has happened to calls and grants since the last time. */
  async #news(): Promise<readonly string[]> {
    await settled();
    const watch = this.#host.watch(this.#session, { after: this.#seen });
    watch.finish();
    const types: string[] = [];
    for await (const watched of watch) {
      if (watched.type !== "recorded") continue;
      this.#seen = watched.seq;
      this.events.push(watched.event);
      if (/^(call|grant)\./.test(watched.event.type)) types.push(watched.event.type);
    }
    return types;
  }
}

const ran = ["call.cleared", "call.started", "call.finished"];

describe("a session", () => {
  verifies(["APPR-7d", "APPR-7g"], "saves what a person confirmed, and asks no more", async () => {
    const grants = openGrants(folder());
    const room = new Room(grants);
    expect(await room.prompt()).toEqual(["call.judged"]);
    expect(await room.reply("4")).toEqual([]);
    expect(await room.reply("1")).toEqual(["grant.added", ...ran]);
    const [saved] = grants.list();
    expect(saved).toEqual({ ...always, created: room.clock.now() });
    expect(await room.prompt()).toEqual(["call.judged", ...ran]);
    expect(room.judged()).toMatchObject({ rule: "granted", granted: { id: "g-s-2", scope: "project" } });
    // Another session of another process.
    const other = new Room(grants);
    expect(await other.prompt()).toEqual(["call.judged", ...ran]);
    grants.remove("g-s-2");
    expect(await other.prompt()).toEqual(["call.judged"]);
  });

  verifies("APPR-7c", "that was granted something asks no more, and only that one", async () => {
    const grants = openGrants(folder());
    const room = new Room(grants);
    await room.prompt();
    expect(await room.reply("3")).toEqual(["grant.added", ...ran]);
    expect(await room.prompt()).toEqual(["call.judged", ...ran]);
    expect(room.judged()).toMatchObject({ granted: { id: "g-s-1", scope: "session" } });
    expect([grants.list(), await new Room(grants).prompt()]).toEqual([[], ["call.judged"]]);
  });

  verifies("APPR-7g", "asks again when a grant has expired or is used up", async () => {
    const grants = openGrants(folder());
    const room = new Room(grants);
    grants.put({ ...twice, expires: room.clock.now() + 1_000 });
    for (const _use of [1, 2]) expect(await room.prompt()).toEqual(["call.judged", ...ran]);
    expect(await room.prompt()).toEqual(["call.judged"]);
    const late = new Room(openVolatileGrants(new Map([["g", { ...always, id: "g", expires: 1 }]])));
    expect(await late.prompt()).toEqual(["call.judged"]);
  });

  test("in which a rule cannot be saved runs the call once, and says why", async () => {
    const path = folder();
    writeFileSync(path, "");
    const room = new Room(openGrants(path));
    await room.prompt();
    expect(room.asked?.metadata).toMatchObject({ unread_grants: [expect.stringContaining(path)] });
    await room.reply("5");
    expect(await room.reply("yes")).toEqual(["grant.failed", ...ran]);
    expect(room.events.find(({ type }) => type === "grant.failed")).toMatchObject({
      reason: expect.stringContaining(path),
    });
    expect(await room.prompt()).toEqual(["call.judged"]);
  });

  test("is not allowed by a policy that names a grant it was not given", async () => {
    const grants = openVolatileGrants(new Map([["g", { ...always, signature: "another" }]]));
    const hasty: Policy = {
      version: "hasty",
      judge: (plan, given = []) =>
        given.length === 0
          ? policy.judge(plan)
          : { verdict: "allow", rule: "granted", reason: "made up", granted: "made-up" },
    };
    expect(await new Room(grants, hasty).prompt()).toEqual(["call.judged"]);
  });
});
