import * as v from "valibot";
import { expect, test } from "vitest";
import { readApi } from "../../src/wire/api.ts";
import { readArguments } from "../../src/wire/arguments.ts";
import { readAuditLine, readHeads } from "../../src/wire/audit-line.ts";
import { readCatalogueEntry } from "../../src/wire/catalogue-file.ts";
import { isEventType } from "../../src/wire/events.ts";
import { replyLine } from "../../src/wire/interaction-lines.ts";
import { readModels } from "../../src/wire/models-file.ts";
import { readCheckLine, readRules } from "../../src/wire/policy-lines.ts";
import { readReceived, receivedEvent } from "../../src/wire/received.ts";
import { readFlowLine, readJudgedLine, readResultLine } from "../../src/wire/scenario-lines.ts";
import { readScript } from "../../src/wire/script.ts";
import { decodeClientFile, decodeToken, encodeClientFile, encodeToken } from "../../src/wire/token.ts";
import { verifies } from "../requirements/verifies.ts";

const notJson = expect.stringMatching(/^expected JSON: /);

test("a command to be judged is read with its place, and what is wrong with a line is said", () => {
  const place = { cwd: "/project", home: "/home/dev" };
  expect(readCheckLine(`\ufeff${JSON.stringify({ command: "ls", ...place })}`)).toEqual({
    type: "read",
    command: "ls",
    ...place,
  });
  expect(readCheckLine(null)).toEqual({ type: "broken", reason: "the line is too long" });
  expect(readCheckLine("{")).toEqual({ type: "broken", reason: notJson });
  expect(readCheckLine('{"command":"ls","cwd":"project"}')).toEqual({
    type: "broken",
    reason: 'cwd: expected an absolute path, found "project"',
  });
  expect(readCheckLine('{"command":5,"cwd":"/"}')).toEqual({
    type: "broken",
    reason: expect.stringMatching(/^expected \{"command", "cwd"\}: command: /),
  });
});

test("rules of people are read whole, or what is wrong with them is said", () => {
  const rule = {
    name: "no-deploy",
    command: ["deploy", ["--now", "-n"]],
    verdict: "deny",
    reason: "deploys",
    examples: { match: ["deploy -n"], differ: ["deploy"] },
  };
  expect(readRules(JSON.stringify({ rules: [rule] }))).toEqual({ type: "read", rules: [rule] });
  expect(readRules("[")).toEqual({ type: "broken", reason: notJson });
  expect(readRules(JSON.stringify({ rules: [{ ...rule, verdict: "allow" }] }))).toEqual({
    type: "broken",
    reason: expect.stringMatching(/^rules\.0\.verdict: /),
  });
  expect(readRules(JSON.stringify({ rules: [{ ...rule, command: [] }] }))).toMatchObject({ type: "broken" });
  const wrong = (content: unknown) => readRules(JSON.stringify(content));
  for (const list of [[], [rule]])
    expect(wrong(list)).toEqual({ type: "broken", reason: "value: expected Object, found Array" });
  expect(wrong({ rules: [[]] })).toEqual({ type: "broken", reason: "rules.0: expected Object, found Array" });
  expect(wrong({})).toEqual({ type: "broken", reason: "rules: is missing" });
  expect(wrong({ rules: [{}] })).toEqual({ type: "broken", reason: "rules.0.name: is missing" });
});

test("what a client receives is JSON or something else, and an event only with all that an event has", () => {
  expect(readReceived("[1]")).toEqual({ type: "json", value: [1] });
  expect(readReceived("<html>")).toEqual({ type: "other" });
  const line = { v: 1, seq: 3, at: 5, session: "s", type: "stop.requested", mode: "kill" };
  expect(receivedEvent(line)).toEqual({ seq: 3, session: "s", event: { type: "stop.requested", at: 5, mode: "kill" } });
  expect(receivedEvent({ ...line, type: "session.created", cwd: "/" })).toEqual({
    seq: 3,
    session: "s",
    event: { type: "session.created", at: 5, mode: "kill", cwd: "/", session: "s" },
  });
  for (const missing of ["seq", "at", "session", "type"]) {
    expect([missing, receivedEvent({ ...line, [missing]: null })]).toEqual([missing, null]);
  }
  expect([null, [], "x"].map(receivedEvent)).toEqual([null, null, null]);
});

test("a token and where a server is are read as they were written, and nothing else opens anything", () => {
  const token = { id: "t", name: "laptop", role: "viewer", hash: "h", created: 1, expires: 2 } as const;
  expect(decodeToken(encodeToken(token))).toEqual(token);
  expect(decodeToken("")).toEqual({ reason: notJson });
  expect(decodeToken(JSON.stringify({ v: 2, ...token }))).toEqual({ reason: expect.stringMatching(/^v: /) });
  expect(decodeToken(JSON.stringify({ v: 1, ...token, role: "owner" }))).toEqual({
    reason: expect.stringMatching(/^role: /),
  });
  const file = { url: "http://127.0.0.1:1", pid: 5 };
  expect(decodeClientFile(encodeClientFile(file))).toEqual(file);
  expect(decodeClientFile("{}")).toEqual({ reason: expect.stringMatching(/^url: /) });
});

test("models are read by their names, and a list is none", () => {
  expect(readModels("{}")).toEqual({ type: "read", models: {} });
  expect(readModels("x")).toEqual({ type: "broken", reason: notJson });
  expect(readModels("[]")).toEqual({ type: "broken", reason: "value: expected Object, found Array" });
  expect(readModels('{"mine":5}')).toEqual({ type: "broken", reason: expect.stringMatching(/^mine/) });
});

test("a script is read line by line, and the first line that is wrong is told", () => {
  const replies = [{ text: "hello" }, { calls: [] }];
  expect(readScript(`# a note\n\n${replies.map((reply) => JSON.stringify(reply)).join("\n")}\n`)).toEqual({
    type: "script",
    replies,
  });
  expect(readScript('{"text":"a"}\n{')).toEqual({ type: "broken", line: 2, reason: notJson });
  expect(readScript("{}")).toEqual({
    type: "broken",
    line: 1,
    reason: "expected one of text, calls, failure, overflow, found none",
  });
  expect(readScript('{"text":"a","delay_ms":0.5}')).toMatchObject({
    reason: "delay_ms: expected safe_integer, found 0.5",
  });
  expect(readScript('{"text":5}')).toEqual({ type: "broken", line: 1, reason: expect.stringMatching(/^text: /) });
});

test("the lines of a scenario are read, and a misspelled field is no field that is left out", () => {
  const judged = { verdict: "ask", rule: "r", reason: "why" };
  expect(readJudgedLine(JSON.stringify(judged))).toEqual({ type: "read", value: judged });
  expect(readJudgedLine("x")).toEqual({ type: "broken", reason: notJson });
  expect(readJudgedLine(JSON.stringify({ ...judged, verdct: "ask" }))).toMatchObject({ type: "broken" });
  expect(readResultLine('{"type":"output","text":"done"}')).toEqual({
    type: "read",
    value: { type: "output", text: "done" },
  });
  const flow = { steps: [{ key: "where", instruction: "Where to?", options: [], allow_free_text: true }] };
  expect(readFlowLine(JSON.stringify(flow))).toMatchObject({ type: "read" });
  expect(readFlowLine("x")).toEqual({ type: "broken", reason: notJson });
  expect(readFlowLine("{}")).toMatchObject({ type: "broken" });
  expect([isEventType("call.finished"), isEventType("toString")]).toEqual([true, false]);
});

test("an entry of the catalogue is read with what it leaves out, and what its text breaks is said in words", () => {
  const least = { name: "x", title: "X", about: "An X." };
  expect(readCatalogueEntry(`\ufeff${JSON.stringify(least)}`)).toEqual({
    type: "read",
    entry: { ...least, aliases: [], fields: [], verify: null, tools: { type: "none" }, named: false },
  });
  expect(readCatalogueEntry("x")).toEqual({ type: "broken", reason: notJson });
  expect(readCatalogueEntry("[]")).toEqual({ type: "broken", reason: "value: expected Object, found Array" });
  expect(readCatalogueEntry("{}")).toEqual({ type: "broken", reason: "name: is missing" });
  expect(readCatalogueEntry(JSON.stringify({ ...least, name: "X y" }))).toEqual({
    type: "broken",
    reason: 'name: expected lower-case letters, digits and dashes, at most 24, found "X y"',
  });
});

test("the arguments of a call are an object, and what else they are is said", () => {
  const schema = v.object({ path: v.string() });
  expect(readArguments(schema, '{"path":"a"}')).toEqual({ type: "read", value: { path: "a" } });
  expect(readArguments(schema, "{")).toMatchObject({ type: "invalid", reason: expect.stringMatching(/are not JSON/) });
  expect(readArguments(schema, "[]")).toEqual({
    type: "invalid",
    reason: "the arguments are wrong: value: expected Object, found Array",
  });
});

test("the body of a request is as its schema has it, or it is said what is wrong without repeating it", () => {
  const schema = v.object({ path: v.string() });
  expect(readApi(schema, { path: "a" })).toEqual({ value: { path: "a" } });
  const refused = readApi(schema, { path: { secret: "hunter2" } });
  expect(refused).toEqual({ reason: expect.stringContaining("path") });
  expect(JSON.stringify(refused)).not.toContain("hunter2");
});

test("a line of an audit that was changed is still read, for its hash tells; one that is none says why", () => {
  expect(readAuditLine('{"a":1,"prev":"p","hash":"h"}')).toEqual({
    body: { a: 1, prev: "p" },
    covered: '{"a":1,"prev":"p"',
    prev: "p",
    hash: "h",
  });
  expect(readAuditLine('{"a":,"prev":"p","hash":"h"}')).toMatchObject({ body: {}, prev: "p", hash: "h" });
  expect(readAuditLine('{"a":1}')).toBe("it does not end with prev and hash");
});

verifies(
  "SESS-5d",
  "heads that were kept are read as audit verify --json prints them, and a line that is none is named",
  () => {
    const [one, two] = ["a", "0"].map((digit) => digit.repeat(64));
    const lines = [
      { session: "s", head: one, events: 5 },
      { session: "empty", head: null },
      { session: "t", head: two },
    ];
    const printed = lines.map((line) => JSON.stringify(line));
    expect(readHeads(`${printed.join("\n\n")}\n`)).toEqual([
      { session: "s", head: one },
      { session: "t", head: two },
    ]);
    expect(readHeads("")).toEqual([]);
    const wrong = [
      "{",
      "[]",
      '{"session":"s"}',
      `{"head":"${one}"}`,
      '{"session":"s","head":5}',
      '{"session":"s","head":"A"}',
    ];
    for (const line of [...wrong, `{"session":"s","head":"${one}0"}`])
      expect([line, readHeads(`${printed[0]}\n${line}`)]).toEqual([
        line,
        "line 2: expected what audit verify --json prints: session and head",
      ]);
  },
);

test("a flow that is none is refused by the filter of replies", () => {
  const request = { interaction_id: "i", kind: "question", question: "Which?", options: [], allow_free_text: true };
  expect(JSON.parse(replyLine(JSON.stringify({ request, input: "a", flow: {} })))).toEqual({
    type: "refused",
    refusal: { code: "invalid_value", detail: "steps: is missing" },
  });
});

test("a question that is none is refused by the filter of replies", () => {
  expect(JSON.parse(replyLine(JSON.stringify({ request: { question: 5 }, input: "a" })))).toEqual({
    type: "refused",
    refusal: { code: "invalid_value", detail: "question: expected string, found 5" },
  });
});
