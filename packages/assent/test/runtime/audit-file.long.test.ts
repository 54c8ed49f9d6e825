/** An exported audit stands for itself: whatever is changed in it is found, at the line where it is. */
import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type AuditRecord, auditOf, type SessionEvent } from "../../src/core/index.ts";
import { auditLines, type ChainBreak, type ChainCheck, checkAuditFile } from "../../src/runtime/index.ts";
import { story, terminal } from "../core/story.ts";
import { verifies } from "../requirements/verifies.ts";

const head = "ab".repeat(32);

const whole = { session: "s", events: 9, before: 0, head, found: null, breaks: [], more: 0 };

function exported(records: readonly AuditRecord[], check: ChainCheck = whole): readonly string[] {
  return auditLines({ session: "s", cwd: "/work", version: "0", at: 5, records, check });
}

function checked(lines: readonly string[], wanted?: string) {
  return checkAuditFile(Buffer.from(lines.map((line) => `${line}\n`).join("")), wanted);
}

/** A session of so many commands, each with an answer of its own. */
function told(commands: readonly (readonly [command: string, reply: string])[]): readonly SessionEvent[] {
  const session = story().prompt();
  for (const [command, reply] of commands) {
    session.model("", terminal(command)).judge("ask").reply(reply);
    if (session.work.type === "run-tools") session.start().finish(session.running[0] ?? "", "ok", { exit: 0 });
  }
  return session.events;
}

/** Texts that a line must not stumble over, and replies that mean yes, no, or no with a reason. */
const commands = fc.array(
  fc.tuple(
    fc.oneof(
      fc.string({ minLength: 1, unit: "binary" }),
      fc.constantFrom('x","hash":"y"}', "a\nb", "\u2028", "\ud800"),
    ),
    fc.constantFrom("1", "2", "because I say so, in words"),
  ),
  { minLength: 1, maxLength: 5 },
);

verifies("SESS-5h", "any exported audit verifies, and tells the head of the journal and its own", () => {
  fc.assert(
    fc.property(commands, (given) => {
      const lines = exported(auditOf(told(given)));
      const check = checked(lines);
      expect(check).toMatchObject({
        session: "s",
        records: lines.length - 2,
        journal: { head },
        found: null,
        breaks: [],
      });
      expect(lines.every((line) => !line.includes("\n"))).toBe(true);
      expect(checked(lines, head).found).toBe(null);
      expect(checked(lines, check.head ?? "").found).toBe(lines.length);
      expect(checked(lines, "00".repeat(32)).found).toBe(null);
    }),
    { numRuns: 200 },
  );
});

verifies("SESS-5h", "any byte of any line, changed to any other, is found at that line and at no other", () => {
  fc.assert(
    fc.property(commands, fc.nat(), fc.nat(), fc.integer({ min: 1, max: 255 }), (given, which, where, by) => {
      const lines = exported(auditOf(told(given))).map((line) => Buffer.from(`${line}\n`));
      const index = which % lines.length;
      const bytes = lines[index] ?? Buffer.alloc(0);
      // All but its end.
      const at = where % (bytes.length - 1);
      bytes[at] = (bytes[at] ?? 0) ^ by;
      const [first, ...others] = checkAuditFile(Buffer.concat(lines)).breaks.map(({ line }) => line);
      expect(first).toBe(index + 1);
      // A line end in it makes two of it.
      expect(others).toEqual(bytes[at] === 10 ? [index + 2] : []);
    }),
    { numRuns: 1_000 },
  );
});

const one = exported(
  auditOf(
    told([
      ["rm -rf build", "1"],
      ["rm -rf dist", "2"],
    ]),
  ),
);

test.each<[string, readonly string[], readonly string[]]>([
  ["the end is missing", one.slice(0, -1), ["7 end: the end of the audit is missing"]],
  ["the header is missing", one.slice(1), ["1 verdict of call t1c1: it does not follow"]],
  ["a line is missing", one.toSpliced(2, 1), ["3 execution of call t1c1: it does not follow"]],
  ["two lines are exchanged", one.with(2, one[3] ?? "").with(3, one[2] ?? ""), ["3 ", "4 ", "5 "]],
  ["a line is there twice", one.toSpliced(2, 0, one[2] ?? ""), ["4 answer of call t1c1: it does not follow"]],
  ["something follows the end", [...one, one[1] ?? ""], ["8 verdict of call t1c1: it does not follow"]],
  ["a line is no line", one.with(2, "hello"), ["3 : it does not end with prev and hash"]],
  ["there is nothing", [], ["1 end: the end of the audit is missing"]],
])("of an export it is told that %s", (_what, lines, expected) => {
  const found = checked(lines).breaks.map(({ line, what, reason }) => `${line} ${what}: ${reason}`);
  expect(found).toHaveLength(expected.length);
  for (const [index, text] of expected.entries()) expect(found[index]).toContain(text);
});

verifies("SESS-5h", "an export of a session that was changed says so, with all that was known of it", () => {
  const named = { type: "call.judged", call: "t1c1" };
  const broken: ChainBreak = { seq: 3, what: "changed", reason: "it is not as it was recorded", ...named };
  const journal = { events: 9, before: 2, head, breaks: [broken], more: 7 };
  expect(checked(exported([], { ...whole, ...journal }))).toMatchObject({ breaks: [], journal });
  expect(checked(one.slice(0, -1)).journal).toBe(null);
});

test("lines that somebody has hashed anew are found by the head that was written down", () => {
  const check = checked(one);
  const forged = exported(auditOf(told([["ls", "1"]])));
  expect(checked(forged).breaks).toEqual([]);
  expect(checked(forged, check.head ?? "").found).toBe(null);
  // They still name the journal's head, which proves nothing of them.
  expect(checked(forged)).toMatchObject({ journal: { head } });
  expect(checked(forged, head).found).toBe(null);
});

test("two exports in one file are told as that, once", () => {
  expect(checked([...one, ...exported(auditOf(told([["ls", "1"]])))]).breaks).toEqual([
    {
      line: one.length + 1,
      what: "header",
      reason: "another audit begins here: each is verified by itself, in a file of its own",
    },
  ]);
});

test("the hash of a line is that of its bytes before the hash, as any tool computes it", () => {
  for (const line of one) {
    const [, covered = "", hash] = /^(.*),"hash":"([0-9a-f]{64})"\}$/.exec(line) ?? [];
    expect(createHash("sha256").update(covered).digest("hex")).toBe(hash);
  }
});

test("an export of another form is not read as if it were this one", () => {
  const other = auditOf([]);
  const [header = ""] = exported(other);
  expect(header).toContain('"v":1,');
  const covered = header.replace(/,"hash".*$/, "").replace('"v":1,', '"v":2,');
  const newer = `${covered},"hash":"${createHash("sha256").update(covered).digest("hex")}"}`;
  expect(checked([newer]).breaks).toEqual([{ line: 1, what: "header", reason: "expected version 1, found 2" }]);
});
