import { expect, test } from "vitest";
import type { SlashResult } from "../../src/slash/index.ts";
import { verifies } from "../requirements/verifies.ts";
import { TestPlace } from "./place.ts";

function textOf(result: SlashResult): string {
  return result.type === "told" ? result.text : result.type === "wrong" ? `wrong: ${result.problem}` : result.type;
}

const call = (command: string) => ({ calls: [{ tool: "terminal", arguments: { command }, id: command }] });

async function asked(): Promise<TestPlace> {
  const place = new TestPlace({ replies: [call("echo a"), call("rm -rf \u202ebuild"), { text: "done" }] });
  place.prompt("go");
  await place.work();
  return place;
}

verifies("SESS-5g", "/audit lists each call in a line in which nothing hides", async () => {
  const place = await asked();
  const lines = textOf(await place.type("/audit")).split("\n");
  expect(lines[0]).toMatch(/^call +when +tool +verdict +decided by +came of it +digest +what$/);
  expect(lines[1]).toMatch(/^t1c1 +\S+Z +terminal +allow +rule nothing-found +finished, exit 0 +[0-9a-f]{8} +echo a$/);
  expect(lines[2]).toMatch(/^t2c1 +\S+Z +terminal +ask +rule \S+ +open +[0-9a-f]{8} +rm -rf \\u\{202e\}build$/);
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
