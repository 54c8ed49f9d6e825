import { expect, test } from "vitest";
import { approvalRequest, questionRequest, turnLimitRequest } from "./index.ts";
import { approvalDraft, approvalOf } from "./request.ts";

const yesNo = [
  { id: "yes", label: "Yes" },
  { id: "no", label: "No" },
];

test("a question is what was drafted, under its id", () => {
  const draft = {
    question: "Which?",
    options: [{ id: "a", label: "A", description: "the first" }],
    allow_free_text: false,
    multi_select: true,
    timeout_ms: 500,
    sensitive: true,
  };
  expect(questionRequest("s-1", draft)).toEqual({
    interaction_id: "s-1",
    kind: "question",
    ...draft,
    allow_cancel: true,
  });
  const least = { question: "Name?", options: [], allow_free_text: true };
  expect(questionRequest("s-2", least)).toStrictEqual({
    interaction_id: "s-2",
    kind: "question",
    ...least,
    allow_cancel: true,
  });
});

test("a draft cannot pass for something else than a question under its id", () => {
  const draft = { question: "Which?", options: [], allow_free_text: true };
  const posing = { ...draft, interaction_id: "s-1", kind: "confirmation", allow_cancel: false };
  expect(questionRequest("s-2", posing)).toEqual({
    interaction_id: "s-2",
    kind: "question",
    ...draft,
    allow_cancel: true,
  });
});

test("an approval is a confirmation bound to its subject's digest, and takes a reason for a no", () => {
  const draft = { question: "Approve command: ls? (yes/no)", subject: { command: ["ls"], cwd: "/" } };
  const request = {
    interaction_id: "s-1",
    kind: "confirmation",
    question: draft.question,
    options: yesNo,
    allow_free_text: true,
    allow_cancel: true,
    subject: draft.subject,
    subject_digest: "sha256:abc",
  };
  expect(approvalRequest("s-1", draft, "sha256:abc")).toStrictEqual(request);
  expect(approvalRequest("s-1", { ...draft, timeout_ms: 9 }, "sha256:abc")).toStrictEqual({
    ...request,
    timeout_ms: 9,
  });
});

test("the question at the turn limit is constant, names the flag and takes yes or no only", () => {
  expect(turnLimitRequest("s-1")).toStrictEqual({
    interaction_id: "s-1",
    kind: "confirmation",
    question: "The turn limit (--max-turns) is reached; continue for another round?",
    options: yesNo,
    allow_free_text: false,
    allow_cancel: true,
  });
});

test("an approval shows what is decided on: a command, a change, or the arguments of a tool", () => {
  expect(approvalDraft({ tool: "terminal", cwd: "/p", command: "rm a\nrm b" })).toEqual({
    question: "Approve command: rm a\\nrm b? (yes/no)",
    subject: { command: ["rm a", "rm b"], cwd: "/p" },
  });
  expect(approvalDraft({ tool: "edit", cwd: "/p", change: { path: "a.txt", diff: "-x\n+y\n" } })).toEqual({
    question: "Approve command: edit a.txt? (yes/no)",
    subject: { tool: "edit", path: "a.txt", cwd: "/p", diff: ["-x", "+y"] },
  });
  expect(approvalDraft({ tool: "look", cwd: "/p", more: { at: 1 } })).toEqual({
    question: 'Approve command: look {"at":1}? (yes/no)',
    subject: { tool: "look", arguments: { at: 1 }, cwd: "/p" },
  });
});

test("of a tool of others it is said whose it is, what that one claims, and what has changed", () => {
  const call = { tool: "look", cwd: "/p" };
  const whole = { tool: "look", arguments: null, cwd: "/p", server: "s" };
  expect(approvalDraft({ ...call, outside: { server: "s", claims: [] } }).subject).toEqual(whole);
  const outside = { server: "s", claims: ["reads", "no network"], changed: { was: ["a"], now: ["b"] } };
  expect(approvalDraft({ ...call, outside }).subject).toEqual({
    ...whole,
    "says of itself": "reads, no network",
    "it was": ["a"],
    "it is now": ["b"],
  });
});

test("an approval is read back from its request as it was drafted", () => {
  const draft = { question: "Approve?", subject: { a: 1 }, timeout_ms: 5, metadata: { b: 2 } };
  expect(approvalOf(approvalRequest("s-1", draft, "d"))).toEqual(draft);
  expect(approvalOf(approvalRequest("s-1", { question: "Approve?", subject: null }, "d"))).toStrictEqual({
    question: "Approve?",
    subject: null,
  });
});
