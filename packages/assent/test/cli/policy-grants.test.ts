import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openAssent, openSavedGrants } from "../../src/cli/open.ts";
import { policyGrants } from "../../src/cli/policy-grants.ts";
import type { Grant } from "../../src/core/index.ts";
import { openSqliteJournal } from "../../src/runtime/index.ts";
import { ruleOf } from "../core/grants.ts";

let home = "";
let printed = { stdout: "", stderr: "" };

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), "assent-grants-"));
  vi.stubEnv("ASSENT_HOME", home);
  vi.stubEnv("ASSENT_RUN", undefined);
  printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    vi.spyOn(process[name], "write").mockImplementation((text) => {
      printed[name] += String(text);
      return true;
    });
  }
});

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(home, { recursive: true });
});

const rule = ruleOf("rm -rf build");
const always: Grant = { ...rule, id: "g-s-2", scope: "project", created: 0 };
const spent: Grant = { ...rule, id: "g-s-4", scope: "user", created: 1, expires: 60_000, uses: 3 };

async function run(...argv: readonly string[]) {
  printed = { stdout: "", stderr: "" };
  return { code: await policyGrants(argv), ...printed };
}

test("what is granted is listed, each with what it lets run, where, and for how long", async () => {
  expect(await run()).toEqual({ code: 0, stdout: "", stderr: "assent: nothing is granted\n" });
  openSavedGrants().put(spent);
  openSavedGrants().put(always);
  const stdout = [
    "g-s-2  project  exact terminal: rm -rf build (recursive-deletion)",
    "  /project  created 1970-01-01T00:00:00.000Z",
    "g-s-4  user  exact terminal: rm -rf build (recursive-deletion)",
    "  /project  created 1970-01-01T00:00:00.001Z, expires 1970-01-01T00:01:00.000Z, 3 uses left, does not count any more",
    "",
  ].join("\n");
  expect(await run()).toEqual({ code: 0, stdout, stderr: "" });
  const json = (await run("--json")).stdout.trim().split("\n");
  expect(json.map((line) => JSON.parse(line))).toEqual([
    { ...always, counts: true },
    { ...spent, counts: false },
  ]);
});

test("what cannot be read is named", async () => {
  openSavedGrants().put(always);
  const file = join(home, "grants", "g-s-2.json");
  writeFileSync(file, "{");
  const { code, stdout, stderr } = await run();
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(`assent: cannot be read, and grants nothing: ${file}: expected JSON`);
});

test("a grant is revoked by its id, once", async () => {
  openSavedGrants().put(always);
  expect(await run("revoke", "g-s-2")).toEqual({ code: 0, stdout: "", stderr: "assent: grant g-s-2 is revoked\n" });
  expect(openSavedGrants().list()).toEqual([]);
  await expect(run("revoke", "g-s-2")).rejects.toThrow('no grant has the id "g-s-2"');
  await expect(run("revoke", "nonsense")).rejects.toThrow('no grant has the id "nonsense"');
});

test("what a session was granted is listed and revoked, too", async () => {
  const { host } = openAssent();
  const created = host.create({ cwd: "/project", limits: {} });
  await host.close();
  if ("refusal" in created) throw new Error(created.refusal.detail);
  const { session } = created;
  expect(await run("--session", session)).toMatchObject({ code: 0, stderr: "assent: nothing is granted\n" });
  const id = `g-${session}-1`;
  await expect(run("revoke", id)).rejects.toThrow(`no grant has the id "${id}"`);
  const journal = openSqliteJournal(join(home, "journal.db"));
  const grant: Grant = { ...rule, id, scope: "session", created: 0 };
  const by = { name: "ada", adapter: "test" };
  journal.append(session, 1, [{ type: "grant.added", at: 0, grant, call: "t1c1", by }]);
  journal.close();
  expect(JSON.parse((await run("--session", session, "--json")).stdout)).toEqual({ ...grant, counts: true });
  expect(await run("revoke", id)).toMatchObject({ code: 0, stderr: `assent: grant ${id} is revoked\n` });
  expect(await run("--session", session)).toMatchObject({ stdout: "", stderr: "assent: nothing is granted\n" });
});

test("a command that an agent runs revokes nothing", async () => {
  openSavedGrants().put(always);
  vi.stubEnv("ASSENT_RUN", "s/t1c1");
  const told = "assent: a command that an agent runs cannot change what is granted\n";
  expect(await run("revoke", "g-s-2")).toEqual({ code: 3, stdout: "", stderr: told });
  expect(openSavedGrants().list()).toEqual([always]);
});
