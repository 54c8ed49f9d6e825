import { expect, test } from "vitest";
import { approvalRequest, questionRequest, turnLimitRequest } from "./index.ts";

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
