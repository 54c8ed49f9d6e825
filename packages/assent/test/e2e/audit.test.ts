import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import type { AuditRecord } from "../../src/core/index.ts";
import type { ChainCheck } from "../../src/runtime/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { jsonLines, Place, type Ran, terminal } from "./product.ts";

/** A session with a command that needed nobody, one that was allowed and one that was not. */
async function audited(): Promise<{ readonly place: Place; readonly session: string }> {
  const place = new Place([
    terminal("echo plain", "a"),
    terminal("rm -rf one\u200b", "b"),
    terminal("rm -rf two", "c"),
    { text: "Done." },
  ]);
  place.assent(["run", "go", "--unattended=park"]);
  for (const reply of ["yes", "not today"]) {
    const id = await place.question();
    place.assent(["answer", id, reply]);
    place.assent(["resume", id.replace(/-\d+$/, ""), "--unattended=park"]);
  }
  const [listed] = place.sessions();
  return { place, session: listed?.session ?? "" };
}

/** Changes the store behind Assent's back. */
function tamper(place: Place, sql: string): void {
  const database = new DatabaseSync(join(place.home, "journal.db"));
  database.exec(sql);
  database.close();
}

const headIn = ({ stdout, stderr }: Ran) => /sha256:([0-9a-f]{64})\n/.exec(`${stdout}${stderr}`)?.[1] ?? "";

verifies(
  ["SESS-5g", "CLI-1g"],
  "assent audit lists the calls of the newest session here, and tells the head of its chain",
  async () => {
    const { place, session } = await audited();
    const here = place.assent(["audit"]);
    const [head, plain, one, two, ...rest] = here.stdout.split("\n");
    expect(head).toMatch(/^call +when +tool +verdict +decided by +came of it +digest +what$/);
    expect(plain).toMatch(/^t1c1 .* allow +rule nothing-found +finished, exit 0 +[0-9a-f]{8} +echo plain$/);
    expect(one).toMatch(/^t2c1 .* ask +\S+ \(answer\): yes +finished, exit 0 +[0-9a-f]{8} +rm -rf one\\u\{200b\}$/);
    expect(two).toMatch(/^t3c1 .* ask +\S+ \(answer\): not today +refused +[0-9a-f]{8} +rm -rf two$/);
    expect(rest).toEqual([""]);
    expect(here.status).toBe(0);
    expect(here.stderr).toMatch(/^assent: \d+ events as they were recorded; head sha256:[0-9a-f]{64}\n$/);
    expect(place.assent(["audit", session.slice(0, 5)]).stdout).toBe(here.stdout);
    const json = place.assent(["audit", session, "--json"]);
    expect(json.stderr).toBe("");
    expect(jsonLines<AuditRecord>(json.stdout)).toMatchObject([
      { call: "t1c1", verdict: "allow", rule: "nothing-found", answers: [], exit: 0 },
      {
        call: "t2c1",
        verdict: "ask",
        answers: [{ state: "answered", said: "yes", by: { adapter: "answer" } }],
        exit: 0,
      },
      {
        call: "t3c1",
        verdict: "ask",
        answers: [{ state: "declined", said: "not today" }],
        started: null,
        end: "refused",
      },
    ]);
  },
);

verifies(
  "SESS-5g",
  "assent audit why tells all about one call, named by its beginning or with its session",
  async () => {
    const { place, session } = await audited();
    const why = place.assent(["audit", "why", "t2"]);
    for (const line of [
      /^call +t2c1 of session \w+$/m,
      /^command +rm -rf one\\u\{200b\}$/m,
      /^asked for +\S+ by the model, in its reply 2$/m,
      /^verdict +\S+ ask, by the rule [\w-]+: it /m,
      /^found +delete-recursive \(delete\): it deletes folders .*$/m,
      /^answer +\S+ answered by \S+ \(answer\): yes$/m,
      /^sameness +what was started is what was judged and asked about: the digests are equal$/m,
      /^ended +\S+ finished, exit 0, after \d+ ms$/m,
    ]) {
      expect(why.stdout).toMatch(line);
    }
    expect(why.stdout).not.toContain("verify");
    expect(place.assent(["audit", "why", `${session}/t2c1`]).stdout).toBe(why.stdout);
    expect(place.assent(["audit", "why", "--session", session, "t2c1"]).stdout).toBe(why.stdout);
    const json = jsonLines<{ call: string; events: readonly { type: string }[] }>(
      place.assent(["audit", "why", "t3c1", "--json"]).stdout,
    );
    expect(json[0]?.events.map(({ type }) => type)).toEqual([
      ...["model.replied", "call.judged", "interaction.requested", "interaction.resolved", "call.refused"],
    ]);
    const wrong = (...argv: string[]) => place.assent(["audit", ...argv]);
    expect(wrong("why", "t4c1")).toMatchObject({ status: 2, stderr: expect.stringContaining("did you mean t1c1?") });
    expect(wrong("why", "t")).toMatchObject({ status: 2, stderr: expect.stringContaining("fits 3 calls: t1c1, t2c1") });
    expect(wrong("why")).toMatchObject({ status: 2, stderr: "assent: expected <call>, found none\n" });
    expect(wrong("verfy")).toMatchObject({ status: 2, stderr: expect.stringContaining("did you mean verify?") });
  },
);

verifies(["SESS-5b", "SESS-5g"], "assent audit verify names what was changed, and ends with 1", async () => {
  const { place, session } = await audited();
  const whole = place.assent(["audit", "verify"]);
  expect(whole).toMatchObject({ status: 0, stdout: expect.stringMatching(/^ok {2}\w+ {2}\d+ events as they were /) });
  tamper(
    place,
    `UPDATE events SET line = replace(line, '"verdict":"ask"', '"verdict":"all"') WHERE line LIKE '%t3c1%'`,
  );
  const changed = place.assent(["audit", "verify", session]);
  expect(changed.status).toBe(1);
  expect(changed.stdout).toMatch(/^!! .*\n +event \d+ \(call.judged, call t3c1\): it is not as it was recorded\n$/);
  const [check] = jsonLines<ChainCheck>(place.assent(["audit", "verify", "--json"]).stdout);
  expect(check).toMatchObject({ session, breaks: [{ what: "changed", type: "call.judged", call: "t3c1" }] });
  const told = { own: place.assent(["audit", "why", "t3c1"]), other: place.assent(["audit", "why", "t2c1"]) };
  expect([told.own.status, told.other.status]).toEqual([1, 1]);
  expect(told.own.stdout).toMatch(
    /\nrecord +does NOT verify: events of this call are not as they were recorded\n +event \d+ \(call.judged, call t3c1\): it is not/,
  );
  expect(told.own.stdout).not.toContain("sameness");
  expect(told.other.stdout).toMatch(
    /\nsameness +cannot be told, for the record does not verify; as it stands, what was started is .* equal\nrecord +does NOT verify: events of the session are not as they were recorded\n +event \d+ \(call.judged, call t3c1\)/,
  );
  tamper(
    place,
    `UPDATE events SET line = replace(line, 'not today', 'go ahead') WHERE line LIKE '%interaction.resolved%'`,
  );
  expect(place.assent(["audit", "verify"]).stdout).toMatch(
    /\n +event \d+ \(interaction.resolved, call t3c1\): it is not/,
  );
  // What is listed from it is worth no more.
  const listed = place.assent(["audit"]);
  expect(listed.status).toBe(1);
  expect(listed.stderr).toContain("(call.judged, call t3c1): it is not as it was recorded");
});

verifies("SESS-5g", "assent audit why never says that what was changed of its call is of others", async () => {
  for (const [change, told] of [
    [
      `UPDATE events SET line = replace(line, '"t2c1"', '"t9c1"')`,
      String.raw`event \d+ \(call.judged, call t9c1\): it is not`,
    ],
    ["DELETE FROM events", String.raw`event \d+: it is missing`],
  ] as const) {
    const { place, session } = await audited();
    // What is of another call comes first in the session.
    tamper(
      place,
      `UPDATE events SET line = replace(line, 'echo plain', 'echo plane') WHERE line LIKE '%"call.judged"%'`,
    );
    tamper(place, `${change} WHERE line LIKE '%"call.judged"%"t2c1"%'`);
    const why = place.assent(["audit", "why", "t2c1"]);
    expect([change, why.status, why.stdout]).toEqual([
      change,
      1,
      expect.stringMatching(
        new RegExp(
          `\\nrecord +does NOT verify: events of the session are not as they were recorded, possibly of this call\\n +${told}`,
        ),
      ),
    ]);
    const json = place.assent(["audit", "why", "t2c1", "--json"]);
    const [check] = jsonLines<ChainCheck>(place.assent(["audit", "verify", session, "--json"]).stdout);
    expect(jsonLines(json.stdout)).toMatchObject([{ call: "t2c1", check }]);
    expect(check?.breaks.length).toBeGreaterThan(0);
  }
});

verifies("SESS-5d", "a head that was written down finds out whoever makes all hashes anew", async () => {
  const { place, session } = await audited();
  const head = headIn(place.assent(["audit", "verify", session]));
  place.assent(["run", "more", "--session", session, "--unattended=deny"]);
  const kept = place.assent(["audit", "verify", "--head", `sha256:${head}`]);
  expect(kept).toMatchObject({
    status: 0,
    stderr: expect.stringContaining(`of session ${session}: everything up to it`),
  });
  tamper(place, `UPDATE events SET hash = lower(hex(randomblob(32)))`);
  const lost = place.assent(["audit", "verify", "--head", head]);
  expect(lost).toMatchObject({ status: 1, stderr: expect.stringContaining("was changed or removed") });
  expect(place.assent(["audit", "verify", "--head", "abc"])).toMatchObject({
    status: 2,
    stderr: 'assent: --head: expected sha256: and 64 hexadecimal digits, found "abc"\n',
  });
});

verifies("SESS-5d", "all heads that were written down are held against the store at once", async () => {
  const { place, session } = await audited();
  const heads = place.file("heads.jsonl");
  writeFileSync(heads, place.assent(["audit", "verify", "--json"]).stdout);
  place.assent(["run", "more", "--session", session]);
  const verify = (...more: string[]) => place.assent(["audit", "verify", "--kept", heads, ...more]);
  const [kept] = jsonLines<ChainCheck>(readFileSync(heads, "utf8"));
  expect(verify()).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(
      new RegExp(`^ok {2}${session} .*\\n {6}all is as it was kept, up to event ${kept?.events}\\n$`),
    ),
  });
  expect(jsonLines<ChainCheck>(verify("--json").stdout)).toMatchObject([{ session, found: kept?.events }]);
  // Whoever makes all hashes anew leaves a chain that is whole.
  writeFileSync(heads, JSON.stringify({ session, head: "0".repeat(64) }));
  expect(verify()).toMatchObject({
    status: 1,
    stdout: expect.stringMatching(
      /^!! {2}\w+ .* as they were recorded; .*\n {6}no event has the head that was kept\n$/,
    ),
  });
  writeFileSync(heads, `\n${JSON.stringify({ session: "gone", head: kept?.head })}\n{"session":"old","head":null}\n`);
  expect(verify()).toMatchObject({ status: 1, stdout: "!!  gone  it is not there any more\n" });
  writeFileSync(heads, "nothing");
  const wrong = `assent: --kept: ${heads}: line 1: expected what audit verify --json prints: session and head\n`;
  expect(verify()).toMatchObject({ status: 2, stderr: wrong });
  expect(verify("--file", heads)).toMatchObject({ status: 2, stderr: expect.stringContaining("--kept names ") });
});

verifies("SESS-5h", "an export is verified without the store, and a changed line is named", async () => {
  const { place, session } = await audited();
  const file = place.file("audit.jsonl");
  const written = place.assent(["audit", "export", session, "--output", file]);
  expect(written).toMatchObject({ status: 0, stdout: "" });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const printed = place.assent(["audit", "export", session]);
  expect(printed.stdout.split("\n").length).toBe(readFileSync(file, "utf8").split("\n").length);
  expect(place.assent(["audit", "export", "--output", file])).toMatchObject({ status: 2 });
  const elsewhere = new Place([]);
  const copy = elsewhere.file("copy.jsonl");
  copyFileSync(file, copy);
  const verify = () => elsewhere.assent(["audit", "verify", "--file", copy]);
  const head = headIn(place.assent(["audit", "verify", session]));
  expect(verify()).toMatchObject({
    status: 0,
    stdout: expect.stringMatching(`^ok .*\n.* events as they were recorded; head sha256:${head}\n$`),
  });
  const [kept = ""] =
    /(?<=^assent: .*audit.jsonl: 7 records; head of the export sha256:)\w+$/m.exec(written.stderr) ?? [];
  expect(written.stderr).toContain(` events as they were recorded; head sha256:${head}\n`);
  const against = (hash: string) => elsewhere.assent(["audit", "verify", "--file", copy, "--head", hash]);
  expect(against(kept)).toMatchObject({ status: 0, stderr: expect.stringContaining("the head is that of line 9: ") });
  expect(against(head)).toMatchObject({ status: 1, stderr: expect.stringContaining("it is the head of the journal") });
  writeFileSync(copy, readFileSync(file, "utf8").replace('"said":"not today"', '"said":"not toddy"'));
  expect(verify()).toMatchObject({
    status: 1,
    stdout: `!!  ${copy}: it is not as it was exported\n      line 8 (answer of call t3c1): it is not as it was exported\n`,
  });
  expect(elsewhere.assent(["audit", "verify", "--file", elsewhere.file("none")]).status).toBe(2);
  // What was wrong with the journal is wrong with what was exported from it.
  tamper(place, `UPDATE events SET line = replace(line, 'not today', 'not toddy')`);
  const printedAfter = place.assent(["audit", "export", session]);
  expect(printedAfter.status).toBe(1);
  writeFileSync(copy, printedAfter.stdout);
  const found = verify();
  expect(found.status).toBe(1);
  expect(found.stdout).toMatch(/^!! .*, as they were exported; .*\n.* the journal, when it was exported: \d+ events; /);
  expect(found.stdout).toContain("(interaction.resolved, call t3c1): it is not as it was recorded\n");
});

/** A session that waits for an approval, and what is said of it once its events are not as they were recorded. */
function parked(): { readonly place: Place; readonly session: string; readonly told: (event: string) => string } {
  const place = new Place([terminal("rm -rf one"), { text: "Done." }]);
  expect(place.assent(["run", "go", "--unattended=park"]).status).toBe(4);
  const [{ session = "" } = {}] = place.sessions();
  const told = (event: string) =>
    `session ${session}: event ${event}: it is not as it was recorded; nothing is done that rests on it: ` +
    `assent audit verify ${session} tells what was changed, assent stop ${session} ends an exchange that is open, ` +
    `assent fork ${session} goes on from here in a new one`;
  return { place, session, told };
}

verifies(
  ["SESS-5i", "SESS-5j"],
  "a question that somebody has changed is answered by nobody, nor gone on with; it can be stopped",
  () => {
    const { place, session, told } = parked();
    tamper(
      place,
      `UPDATE events SET line = replace(line, 'rm -rf one', 'ls -la one') WHERE line LIKE '%interaction.requested%'`,
    );
    const [{ request: { interaction_id: id = "" } = {} } = {}] = place.pending();
    const words = told("6 (interaction.requested)");
    expect(place.assent(["answer", id, "yes"])).toEqual({
      ...{ status: 3, stdout: "" },
      stderr: `assent: not_as_recorded: ${words}\n`,
    });
    const response = { interaction_id: id, selected_option_id: "yes", cancelled: false };
    expect(JSON.parse(place.assent(["answer", "-"], JSON.stringify(response)).stdout)).toEqual({
      ...{ accepted: false, code: "not_as_recorded", detail: words },
    });
    expect(place.assent(["resume", session])).toMatchObject({
      ...{ status: 1, stdout: "" },
      stderr: expect.stringMatching(new RegExp(`^assent: ${words.replace(/[()]/g, ".")}$`, "m")),
    });
    expect(place.pending()).toHaveLength(1);
    expect(place.assent(["stop", session])).toMatchObject({ status: 0 });
    expect(place.pending()).toEqual([]);
    expect(place.requests()).toHaveLength(1);
    // What can be read is not lost for it: it is told where it is gone on with, and where it is copied.
    const warned =
      `session ${session}: event 6 (interaction.requested): it is not as it was recorded; what can be read of it ` +
      `is gone on with: assent audit verify ${session} tells more`;
    const ran = place.assent(["run", "--session", session, "again"]);
    expect([ran.status, ran.stdout, ran.stderr.split(warned).length]).toEqual([0, "Done.\n", 2]);
    expect(place.assent(["fork", session]).stderr).toContain(`assent: ${warned}\n`);
    const { stdout, stderr } = place.assent(["--session", session], "/fork\n");
    expect(`${stdout}${stderr}`).toContain(`session ${session}: event 6 (interaction.requested): `);
  },
);

verifies(
  "SESS-5i",
  "an exchange that the model's failure ended is not gone on with where its prompt was changed",
  () => {
    const place = new Place([{ text: "Never said." }]);
    writeFileSync(place.file("none.jsonl"), "");
    expect(place.assent(["run", "list them", "--model", `scripted:${place.file("none.jsonl")}`]).status).toBe(1);
    const [{ session = "" } = {}] = place.sessions();
    tamper(
      place,
      `UPDATE events SET line = replace(line, 'list them', 'wipe them') WHERE line LIKE '%exchange.started%'`,
    );
    const { status, stderr } = place.assent(["resume", session]);
    expect([status, stderr]).toEqual([1, expect.stringMatching(/event \d+ \(exchange\.started\): .*assent fork /)]);
    expect(place.requests()).toHaveLength(1);
  },
);

verifies("SESS-5i", "an answer that somebody has changed is not acted upon", () => {
  const { place, session, told } = parked();
  const [{ request: { interaction_id: id = "" } = {} } = {}] = place.pending();
  expect(place.assent(["answer", id, "no"]).status).toBe(0);
  const no = '"selected_option_id":"no"';
  tamper(place, `UPDATE events SET line = replace(line, '${no}', '${no.replace("no", "yes")}')`);
  const { status, stderr } = place.assent(["resume", session]);
  expect([status, stderr]).toEqual([1, expect.stringContaining(told("7 (interaction.resolved)"))]);
  expect(place.requests()).toHaveLength(1);
});

test("a session of which no event has a hash is not called well", async () => {
  const { place, session } = await audited();
  tamper(place, "UPDATE events SET hash = NULL; UPDATE chains SET before = 99, noted = NULL, head = NULL");
  // The last hash of all is also there.
  rmSync(join(place.home, "journal.db-last"));
  const { status, stdout } = place.assent(["audit", "verify"]);
  expect(status).toBe(0);
  expect(stdout).toMatch(new RegExp(`^\\?\\? {2}${session} .*: whether they were changed cannot be told\n$`));
});

test("a folder without a session, and a store without one, say so", () => {
  const place = new Place([]);
  expect(place.assent(["audit"])).toMatchObject({ status: 2, stderr: expect.stringContaining("no session was in ") });
  expect(place.assent(["audit", "verify"])).toMatchObject({ status: 0, stderr: "assent: no sessions yet\n" });
});
