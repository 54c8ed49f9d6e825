import { hash } from "node:crypto";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test, vi } from "vitest";
import type { ModelRequest } from "../../src/core/index.ts";
import { requestDigest } from "../core/replaying.ts";
import { verifies } from "../requirements/verifies.ts";
import { jsonLines, Place, type Scripted, terminal, until } from "./product.ts";

vi.setConfig({ testTimeout: 60_000 });

const sha256 = (text: string) => `sha256:${hash("sha256", text)}`;

type Report = {
  readonly session: string;
  readonly same: boolean;
  readonly recorded: number;
  readonly requests: number;
  readonly digests: { readonly events: string; readonly requests: string };
  readonly given: { readonly rejected: number; readonly secrets: number; readonly replies: number };
};

type Sent = { readonly wanted: "reply" | "summary"; readonly number: number; readonly request: ModelRequest };

function onlySession(place: Place): string {
  const [first] = place.sessions();
  if (first === undefined) throw new Error("expected a session, came none");
  return first.session;
}

function reportOn(place: Place): Report {
  const [report] = jsonLines<Report>(place.assent(["replay", "--json", onlySession(place)]).stdout);
  if (report === undefined) throw new Error("expected a report, came none");
  return report;
}

/** A run that is asked about a command, has it granted for the session after a reply that was none, asks something, and ends. */
const asked: readonly Scripted[] = [
  { calls: [{ tool: "agentic", arguments: { user_prompt: "clean it", objective: "clean" } }] },
  terminal("rm -rf build"),
  terminal("rm -rf build", "call_B"),
  { calls: [{ tool: "ask", arguments: { question: "Which one is it?", options: ["Red", "Blue"] } }] },
  { calls: [{ tool: "complete", arguments: { result: "It is clean.", status: "success" } }] },
];

async function played(): Promise<Place> {
  const place = new Place(asked);
  place.assent(["run", "--unattended=park", "clean it"]);
  const first = await place.question();
  place.assent(["answer", first, "huh 1"]);
  place.assent(["answer", first, "3"]);
  const session = onlySession(place);
  place.assent(["resume", session, "--unattended=park"]);
  place.assent(["answer", await place.question(), "2"]);
  expect(place.assent(["resume", session]).status).toBe(0);
  return place;
}

verifies(
  ["SESS-6a", "CLI-1g"],
  "a session of several processes is replayed, and asks the model what it was really asked",
  async () => {
    const place = await played();
    const session = onlySession(place);
    const { status, stdout } = place.assent(["replay", session]);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      new RegExp(`^ok {2}${session}: the same, byte for byte\\n {4}events +\\d+ {2}sha256:[0-9a-f]{64}\\n {4}inputs `),
    );
    expect(stdout).toContain("    given      why 1 reply was no answer: what was typed is not recorded\n");
    expect(stdout).toContain(
      `    given      of ${asked.length} replies of the model whether it refused, and what was to `,
    );
    const report = reportOn(place);
    expect(report).toMatchObject({
      same: true,
      requests: asked.length,
      given: { rejected: 1, secrets: 0, replies: asked.length },
    });
    const sent = new Map(jsonLines<Sent>(place.read("log")).map((each) => [each.number, each]));
    const digests = [...sent.values()].map((each) => `${requestDigest(each, sha256)}\n`);
    expect(report.digests.requests).toBe(sha256(digests.join("")));
    // The other digest is that of the file that /export writes.
    place.assent(["--session", session], `/export ${place.file("out.jsonl")}\n`);
    expect(reportOn(place).digests.events).toBe(sha256(readFileSync(place.file("out.jsonl"), "utf8")));
  },
);

verifies("SESS-6b", "an event that somebody changed is named, with the exit code 6", async () => {
  const place = await played();
  const session = onlySession(place);
  const changed = change(place, "call.cleared", '"call":"t2c1"', '"call":"t1c1"');
  const { status, stdout } = place.assent(["replay", session]);
  expect(status).toBe(6);
  const [head, recorded, derived] = stdout.split("\n");
  expect(head).toBe(
    `!!  ${session}: event ${changed} differs, of the input response; the ${changed - 1} before it are the same`,
  );
  expect(recorded).toMatch(/^ {4}recorded {2}.*"call":"t1c1"\}$/);
  expect(derived).toMatch(/^ {4}derived {3}.*"call":"t2c1"\}$/);
  expect(jsonLines(place.assent(["replay", "--json", session]).stdout)[0]).toMatchObject({
    same: false,
    events: changed - 1,
    difference: { seq: changed, input: "response" },
  });
});

test("a text that was changed and decides nothing comes out the same, but not as it was recorded", async () => {
  const place = await played();
  const session = onlySession(place);
  expect(place.assent(["replay", session]).stderr).toBe("");
  const changed = change(place, "exchange.started", '"prompt":"', '"prompt":"not ');
  const { status, stdout, stderr } = place.assent(["replay", session]);
  expect(status).toBe(6);
  expect(stdout).toMatch(/^!! {2}\w+: the same, byte for byte, as it is now, but it is not as it was recorded\n/);
  expect(jsonLines(place.assent(["replay", "--json", session]).stdout)[0]).toMatchObject({
    same: true,
    as_recorded: false,
  });
  expect(stdout).toMatch(/\n {4}given {6}what these say: texts, .* are as they are recorded\n/);
  expect(stderr).toBe(
    `assent: session ${session} is not as it was recorded; it is replayed as it is now\n` +
      `assent: event ${changed} (exchange.started): it is not as it was recorded\n`,
  );
});

test("what is shown of an event that differs does nothing to the terminal", async () => {
  const place = new Place([{ text: "Done." }]);
  place.assent(["run", "say done"]);
  change(place, "exchange.ended", '"text":"Done."', '"text":"\\u001b[2J\\u202e"');
  const { status, stdout } = place.assent(["replay", onlySession(place)]);
  expect(status).toBe(6);
  for (const hidden of ["\u001b", "\u202e"]) expect(stdout).not.toContain(hidden);
});

verifies("SESS-6a", "a session whose process was killed in the middle of a command is replayed", async () => {
  const place = new Place([terminal("touch started; sleep 60"), { text: "It was killed." }]);
  const running = place.start(["run", "wait"]);
  await until("the command runs", () => existsSync(place.file("started")) || undefined);
  process.kill(await place.holder(), "SIGKILL");
  await running.ended;
  expect(place.assent(["resume", onlySession(place)]).stdout).toContain("It was killed.");
  expect(reportOn(place).same).toBe(true);
});

verifies("SESS-6a", "a flow with a secret in it is replayed without knowing the secret", async () => {
  const place = new Place([]);
  const steps = [
    { key: "env", instruction: "Which environment?", options: ["Staging", "Production"] },
    {
      key: "key",
      instruction: "What is the key?",
      options: [],
      sensitive: true,
      pattern: "[a-z]{4}-[0-9]{4}",
      expected: "a key",
    },
  ];
  writeFileSync(place.file("flow.json"), JSON.stringify({ steps }));
  place.assent(["flow", place.file("flow.json"), "--unattended=park"]);
  for (const line of ["1", "no key", "abcd-1234", "2", "env=2", "1"]) {
    place.assent(["answer", await place.question(), line]);
    place.assent(["resume", onlySession(place), "--unattended=park"]);
    if (place.pending().length === 0) break;
  }
  const report = reportOn(place);
  expect(report.same).toBe(true);
  expect(report.given.secrets).toBeGreaterThan(0);
});

verifies(
  ["SESS-6c", "SESS-6d", "CLI-1g"],
  "policy replay lists exactly the calls that other rules would judge otherwise",
  () => {
    const place = new Place([terminal("ls -la"), terminal("echo a"), terminal("ls b\u001b[2J"), { text: "Done." }]);
    place.assent(["run", "--unattended=deny", "look"]);
    const session = onlySession(place);
    const rule = { name: "no-list", command: ["ls"], verdict: "deny", reason: "nobody lists here" };
    const rules = [{ ...rule, examples: { match: ["ls -l"], differ: ["cat x"] } }];
    writeFileSync(place.file("strict.json"), JSON.stringify({ rules }));
    const plain = place.assent(["policy", "replay"]);
    expect([plain.status, plain.stdout]).toEqual([0, ""]);
    expect(plain.stderr).toMatch(
      /^assent: 0 of 3 calls would be judged otherwise, 3 as before\nassent: given: folders, .* as they are now\n$/,
    );
    const strict = place.assent(["policy", "replay", "--with", "strict.json"]);
    expect(strict.status).toBe(6);
    expect(strict.stderr).toMatch(/^assent: 2 of 3 calls would be judged otherwise, 1 as before\nassent: given: /);
    const lines = strict.stdout.split("\n");
    expect(lines.slice(0, 2)).toEqual([
      `${session} t1c1  ls -la`,
      "    allow (nothing-found) → deny (no-list): nobody lists here",
    ]);
    expect(lines[2]).toMatch(new RegExp(`^${session} t3c1 {2}ls b`));
    expect(strict.stdout).not.toContain("\u001b");
    expect(
      jsonLines(place.assent(["policy", "replay", session, "--json", "--with", "strict.json"]).stdout)[0],
    ).toMatchObject({
      ...{ session, call: "t1c1", tool: "terminal", what: "ls -la" },
      was: { verdict: "allow", rule: "nothing-found" },
      now: { verdict: "deny", rule: "no-list", reason: "nobody lists here" },
    });
    // Sessions of another folder are not of this project.
    const elsewhere = place.assent(["policy", "replay", "--all", "--with", join(place.folder, "strict.json")], "", [
      ...["env", "-C", "/"],
    ]);
    expect(elsewhere.status).toBe(6);
    expect(place.assent(["policy", "replay"], "", ["env", "-C", "/"]).stderr).toContain("0 of 0 calls");
  },
);

verifies("SESS-6c", "policy replay does not count a grant that was taken back for a call that asked", async () => {
  const command = "mkdir -p build && rm -rf build";
  const place = new Place([terminal(command), { text: "Done." }]);
  const run = async (reply: string) => {
    place.assent(["run", "--unattended=park", "clean"]);
    const question = await place.question();
    place.assent(["answer", question, reply]);
    place.assent(["resume", question.replace(/-\d+$/, ""), "--unattended=park"]);
  };
  await run("4");
  place.assent(["answer", await place.question(), "yes"]);
  place.assent(["resume", onlySession(place), "--unattended=park"]);
  const [grant] = jsonLines<{ id: string }>(place.assent(["policy", "grants", "--json"]).stdout);
  expect(place.assent(["policy", "grants", "revoke", grant?.id ?? ""]).status).toBe(0);
  await run("2");
  expect(place.assent(["policy", "replay", "--all"])).toMatchObject({ status: 0, stdout: "" });
});

test("what cannot be meant is told", () => {
  const place = new Place([]);
  writeFileSync(place.file("broken.json"), '{"rules": [{"verdict": "allow"}]}');
  const tried = (...argv: readonly string[]) => {
    const { status, stderr } = place.assent(argv);
    return [status, stderr];
  };
  expect(tried("replay")).toEqual([2, expect.stringMatching(/^assent: no session was in /)]);
  expect(tried("replay", "x")).toEqual([2, 'assent: no session has the id or name "x"\n']);
  expect(tried("policy", "replay", "--with", "none.json")[0]).toBe(2);
  expect(tried("policy", "replay", "--with", "broken.json")).toEqual([
    2,
    expect.stringContaining("--with: broken.json: "),
  ]);
  const examples = { match: ["git push origin"], differ: ["git push --dry-run"] };
  const pushes = { name: "pushes", command: ["git", "push"], verdict: "deny", reason: "no", examples };
  writeFileSync(place.file("contradicts.json"), JSON.stringify({ rules: [pushes] }));
  expect(tried("policy", "replay", "--with", "contradicts.json")).toEqual([
    2,
    'assent: --with: contradicts.json: the rule "pushes" matches "git push --dry-run", against its examples\n',
  ]);
  expect(tried("policy", "replay", "--all", "x")).toEqual([
    2,
    "assent: --all means every session: name none with it\n",
  ]);
});

/** Changes a stored event, as nobody should; returns its number. */
function change(place: Place, type: string, from: string, to: string): number {
  const database = new DatabaseSync(join(place.home, "journal.db"));
  try {
    for (const { session, seq, line } of database.prepare("SELECT session, seq, line FROM events ORDER BY seq").all()) {
      const text = String(line);
      if (!text.includes(`"type":"${type}"`) || !text.includes(from)) continue;
      const changed = database.prepare("UPDATE events SET line = ? WHERE session = ? AND seq = ?");
      changed.run(text.replace(from, to), session ?? null, seq ?? null);
      return Number(seq);
    }
  } finally {
    database.close();
  }
  throw new Error(`no event ${type} has ${from}`);
}
