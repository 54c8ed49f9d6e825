import { randomUUID } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { Flow } from "../../src/core/index.ts";
import {
  type Holder,
  JournalError,
  type MemoryStore,
  memoryStore,
  openHost,
  openMemoryJournal,
  openSecrets,
  openVolatileGrants,
  type Secrets,
  type SessionHost,
  systemClock,
} from "../../src/runtime/index.ts";
import { policy } from "../policy/cautious.ts";
import { verifies } from "../requirements/verifies.ts";

const made: string[] = [];
afterEach(() => {
  for (const folder of made.splice(0)) rmSync(folder, { recursive: true, force: true });
  newId = countedId;
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "assent-secrets-"));
  made.push(path);
  return join(path, "secrets");
}

const acted = { by: { name: "ada", adapter: "test" }, authority: "act" } as const;
const flow = {
  steps: [
    { key: "token", question: "What is the token?", options: [], allow_free_text: true, sensitive: true },
    { key: "env", question: "Which environment?", options: [{ id: "1", label: "Staging" }], allow_free_text: true },
  ],
};

let ids = 0;
const countedId = () => `n${++ids}`;
let newId = countedId;
function process(store: MemoryStore, secrets: Secrets, pid = 1, journal = openMemoryJournal(store)): SessionHost {
  const holder: Holder = { pid, started: "1", boot: "", host: String(pid) };
  return openHost({
    ...{
      journal,
      secrets,
      grants: openVolatileGrants(),
      tools: [],
      policy,
      clock: systemClock,
      holder,
      expiryMs: null,
    },
    ...{ newId, runs: () => false, softOffers: "regenerate", context: () => "" },
    provider: { ask: async () => ({ type: "abandoned" }) },
  });
}

function begun(host: SessionHost, asked: Flow = flow): string {
  const created = host.create({ cwd: "/", limits: {} });
  if ("refusal" in created) throw new Error(created.refusal.detail);
  host.submit(created.session, { type: "flow", flow: asked, name: "flow", arguments: "{}", ...acted });
  return created.session;
}

function reply(host: SessionHost, session: string, line: string) {
  const interaction = host.view(session).interactions[0]?.request.interaction_id ?? "none";
  return host.submit(session, { type: "reply", interaction, line, shown: null, ...acted });
}

verifies(
  "INT-2c",
  "a sensitive answer is in a file for its owner alone before it is recorded, and nowhere else",
  () => {
    const path = folder();
    const store = memoryStore();
    let recorded = "";
    const real = openSecrets(path);
    const watching: Secrets = {
      ...real,
      put(secret) {
        recorded = JSON.stringify([...store.sessions.values()]);
        real.put(secret);
      },
    };
    const host = process(store, watching);
    const session = begun(host);
    expect(reply(host, session, "hunter2 ").refusal).toBeNull();
    expect(recorded).not.toContain("interaction.resolved");
    const [file = ""] = readdirSync(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
    expect(statSync(join(path, file)).mode & 0o777).toBe(0o600);
    expect(real.read(decodeURIComponent(file))).toBe("hunter2 ");
    expect(JSON.stringify([...store.sessions.values()])).not.toContain("hunter2");
  },
);

verifies("INT-2d", "it is deleted when its flow ends, however that ends and in whatever process", () => {
  for (const end of ["1", "cancel"]) {
    const path = folder();
    const store = memoryStore();
    const one = process(store, openSecrets(path));
    const session = begun(one);
    reply(one, session, "hunter2");
    expect(readdirSync(path)).toHaveLength(1);
    const other = process(store, openSecrets(path), 2);
    reply(other, session, "1");
    reply(other, session, end);
    expect(other.view(session).exchange).toBeNull();
    expect(readdirSync(path)).toEqual([]);
  }
});

verifies(
  "INT-2d",
  "the same answer_id with the same value is accepted again, with another value it is already resolved",
  () => {
    const secrets = openSecrets(folder());
    const host = process(memoryStore(), secrets);
    const session = begun(host);
    const interaction_id = host.view(session).interactions[0]?.request.interaction_id ?? "";
    const answer = (free_text: string) =>
      host.submit(session, {
        type: "response",
        response: { interaction_id, free_text, cancelled: false, answer_id: "k1" },
        shown: null,
        ...acted,
      });
    expect(answer("hunter2").refusal).toBeNull();
    expect(answer("hunter2")).toEqual({ refusal: null, events: [] });
    expect(answer("hunter3").refusal?.code).toBe("already_resolved");
  },
);

verifies("INT-2d", "one that is lost is asked for again by the process that takes the session over", async () => {
  const path = folder();
  const alive = new Set([1]);
  const store = memoryStore(({ pid }) => alive.has(pid));
  const one = process(store, openSecrets(path));
  const session = begun(one);
  reply(one, session, "hunter2");
  rmSync(path, { recursive: true });
  alive.delete(1);
  alive.add(2);
  const other = process(store, openSecrets(path), 2);
  const hold = other.hold(session, { unattended: () => null });
  expect(other.view(session).interactions[0]?.request.question).toBe("What is the token?");
  reply(other, session, "hunter2");
  expect(other.view(session).interactions[0]?.request.question).toBe("Which environment?");
  expect(readdirSync(path)).toHaveLength(1);
  await hold.release();
  await other.close();
});

test("of a question that is closed nothing stays that was put for it and did not count", () => {
  const path = folder();
  const secrets = openSecrets(path);
  const host = process(memoryStore(), secrets);
  const session = begun(host);
  secrets.put({ name: `${session}-1.lost`, value: "by a process that died before it recorded this" });
  reply(host, session, "hunter2");
  expect(readdirSync(path).map((file) => secrets.read(decodeURIComponent(file)))).toEqual(["hunter2"]);
});

test("an answer that cannot be recorded leaves no secret behind", () => {
  const path = folder();
  const store = memoryStore();
  const journal = openMemoryJournal(store);
  let full = false;
  const append: typeof journal.append = (...given) => {
    if (full) throw new JournalError("full", "the disk is full");
    return journal.append(...given);
  };
  const host = process(store, openSecrets(path), 1, { ...journal, append });
  const session = begun(host);
  full = true;
  expect(() => reply(host, session, "hunter2")).toThrow(JournalError);
  expect(readdirSync(path)).toEqual([]);
});

verifies("INT-2d", "a repeated answer is known as that while another sensitive question is open", () => {
  const two = { steps: flow.steps.map((step) => ({ ...step, options: [], sensitive: true })) };
  const host = process(memoryStore(), openSecrets(folder()));
  const session = begun(host, two);
  const answer = () =>
    host.submit(session, {
      type: "response",
      response: { interaction_id: `${session}-1`, free_text: "hunter2", cancelled: false, answer_id: "k1" },
      shown: null,
      ...acted,
    });
  expect(answer().refusal).toBeNull();
  expect(answer()).toEqual({ refusal: null, events: [] });
});

test("what a process that died left behind is swept away, but not what may be about to be recorded", async () => {
  const path = folder();
  const secrets = openSecrets(path);
  const store = memoryStore();
  const host = process(store, secrets);
  const session = begun(host);
  for (const name of [`${session}-1.old`, `${session}-1.new`, "another-1.old"]) secrets.put({ name, value: "x" });
  const hour = Date.now() / 1_000 - 3_600;
  for (const name of [`${session}-1.old`, "another-1.old"]) utimesSync(join(path, name), hour, hour);
  const hold = host.hold(session, { unattended: () => null });
  expect(readdirSync(path).sort()).toEqual([`${session}-1.new`, "another-1.old"].sort());
  await hold.release();
  await host.close();
});

describe.each<[string, () => string]>([
  ["that are counted", countedId],
  ["that are UUIDs", randomUUID],
])("with ids %s", (_, ids) => {
  verifies(
    "INT-2d",
    "a secret whose process died as its flow ended goes when any session is taken over; what a flow needs stays",
    async () => {
      newId = ids;
      const path = folder();
      const secrets = openSecrets(path);
      const store = memoryStore();
      const before = process(store, secrets);
      const [ended, half] = [begun(before), begun(before)];
      reply(before, ended, "hunter2");
      const name = decodeURIComponent(readdirSync(path)[0] ?? "");
      for (const line of ["1", "1"]) reply(before, ended, line);
      expect(readdirSync(path)).toEqual([]);
      secrets.put({ name, value: "hunter2" });
      reply(before, half, "hunter3");
      const hour = Date.now() / 1_000 - 3_600;
      for (const file of readdirSync(path)) utimesSync(join(path, file), hour, hour);
      const after = process(store, secrets, 2);
      const hold = after.hold(begun(after), { unattended: () => null });
      expect(readdirSync(path).map((file) => secrets.read(decodeURIComponent(file)))).toEqual(["hunter3"]);
      await hold.release();
      await after.close();
    },
  );
});

test("a file that is no secret is passed over, whatever its name", () => {
  const path = folder();
  mkdirSync(path);
  for (const name of ["50%", "%zz-1.old", ".DS_Store"]) writeFileSync(join(path, name), "");
  const secrets = openSecrets(path);
  secrets.put({ name: "a/b-1.c", value: "x" });
  expect(secrets.names("", 0).toSorted()).toEqual([".DS_Store", "a/b-1.c"]);
});

test("an answer whose secret cannot be kept is not recorded, and is told", () => {
  const path = folder();
  writeFileSync(path, "in the place of the folder");
  const host = process(memoryStore(), openSecrets(path));
  const session = begun(host);
  expect(() => reply(host, session, "hunter2")).toThrow(JournalError);
  expect(host.view(session).interactions).toHaveLength(1);
});

test("an answer that another process was faster with leaves no secret behind", () => {
  const path = folder();
  const store = memoryStore();
  const one = process(store, openSecrets(path));
  const session = begun(one);
  const other = process(store, openSecrets(path), 2);
  // Both know the question as open; the journal refuses the second.
  const interaction = other.view(session).interactions[0]?.request.interaction_id ?? "";
  reply(one, session, "first");
  expect(
    other.submit(session, { type: "reply", interaction, line: "second", shown: null, ...acted }).refusal?.code,
  ).toBe("already_resolved");
  expect(readdirSync(path).map((file) => openSecrets(path).read(decodeURIComponent(file)))).toEqual(["first"]);
});
