import { expect, test } from "vitest";
import { type ChainCheck, openMemoryJournal } from "../../src/runtime/index.ts";
import type { SlashResult } from "../../src/slash/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { type PlaceOptions, TestPlace } from "./place.ts";

function textOf(result: SlashResult): string {
  return result.type === "told" ? result.text : result.type === "wrong" ? `wrong: ${result.problem}` : result.type;
}

const call = (command: string) => ({ calls: [{ tool: "terminal", arguments: { command }, id: command }] });

async function asked(ports: PlaceOptions["ports"] = {}): Promise<TestPlace> {
  const place = new TestPlace({ replies: [call("echo a"), call("rm -rf \u202ebuild"), { text: "done" }], ports });
  place.prompt("go");
  await place.work();
  return place;
}

verifies("SESS-5g", "/audit lists each call in a line in which nothing hides", async () => {
  const place = await asked();
  const lines = textOf(await place.type("/audit")).split("\n");
  expect(lines[0]).toMatch(/^call +when +tool +verdict +decided by +came of it +digest +what$/);
  expect(lines[1]).toMatch(/^t1c1 +\S+Z +terminal +allow +rule nothing-found +finished, exit 0 +[0-9a-f]{8} +echo a$/);
  expect(lines[2]).toMatch(/^t2c1 +\S+Z +terminal +ask +nobody yet +open +[0-9a-f]{8} +rm -rf \\u\{202e\}build$/);
  expect(lines).toHaveLength(3);
});

verifies("SESS-5g", "/audit <call> tells everything about it, and what is close to a call that is none", async () => {
  const place = await asked();
  const told = textOf(await place.type("/audit t2"));
  expect(told).toMatch(/^call {7}t2c1 of session s1\ntool {7}terminal\ncommand {4}rm -rf \\u\{202e\}build\n/);
  expect(told).toMatch(/\nverdict +\S+ ask, by the rule \S+: it /);
  expect(told).toMatch(/\nfound +hidden-characters \(obfuscated\): it has a character .*, there: \\u\{202e\}\n/);
  expect(told).toMatch(/\nquestion +\S+ s1-1: Approve command: /);
  expect(textOf(await place.type("/audit t3c1"))).toMatch(/^wrong: no call has the id "t3c1"; did you mean t[12]c1\?$/);
  expect(textOf(await place.type("/audit t"))).toBe('wrong: "t" fits 2 calls: t1c1, t2c1');
  expect(textOf(await place.type("/audit verfy"))).toContain("did you mean verify?");
  expect(textOf(await place.type("/audit t1c1 more"))).toContain("wrong: expected a call or verify");
});

verifies("SESS-5g", "/audit verify tells whether what is recorded was changed", async () => {
  const place = await asked();
  const { seq } = place.session;
  expect(textOf(await place.type("/audit verify"))).toMatch(
    new RegExp(`^${seq} events as they were recorded; head sha256:[0-9a-f]{64}$`),
  );
});

test("/audit of a session without calls says so, and its arguments are completed", async () => {
  const place = new TestPlace();
  expect(textOf(await place.type("/audit"))).toBe("no call was made");
  expect(textOf(await place.type("/audit x"))).toContain('no call has the id "x"; it has none');
});

verifies("SESS-5g", "/audit and /audit <call> say so where the record does not verify", async () => {
  const changed = {
    what: "changed",
    type: "call.judged",
    call: "t1c1",
    reason: "it is not as it was recorded",
  } as const;
  const journal = openMemoryJournal();
  const whole = journal.verify.bind(journal);
  const verify = (session: string | null): readonly ChainCheck[] =>
    whole(session).map((check) => ({
      ...check,
      breaks: [
        { ...changed, seq: 5 },
        { ...changed, seq: 6 },
      ],
      more: 1,
    }));
  const place = await asked({ journal: Object.assign(journal, { verify }) });
  const line = "the record does NOT verify: /audit verify tells where";
  expect(
    textOf(await place.type("/audit"))
      .split("\n")
      .at(-1),
  ).toBe(line);
  const own = textOf(await place.type("/audit t1c1"));
  expect(own).toMatch(
    /\nsameness +cannot be told, for the record does not verify; as it stands, what was started is what was judged: the digests are equal\n/,
  );
  expect(own).toMatch(
    /\nrecord +does NOT verify: events of this call are .*\n +event 5 \(call.judged, call t1c1\): it is not .*\n +and 2 more\nevents/,
  );
  const other = textOf(await place.type("/audit t2c1"));
  expect(other).toMatch(/\nrecord +does NOT verify: events of the session are not as they were recorded\n +event 5/);
  const sound = await asked();
  for (const typed of ["/audit", "/audit t1c1"]) expect(textOf(await sound.type(typed))).not.toContain("verify");
});
