import type { GrantRule, JudgedCall, Session } from "../../src/core/index.ts";

/** A rule as a policy would make it. */
export function ruleOf(command: string): GrantRule {
  return {
    tool: "terminal",
    match: "exact",
    signature: JSON.stringify([command]),
    display: command,
    root: "/project",
    categories: ["recursive-deletion"],
  };
}

/** `grantable` asks, with a rule that can be granted; `granted` is allowed by a grant of the session, if it has one. */
export type Word = "allow" | "granted" | "ask" | "grantable" | "deny";

export function judged({ grants }: Session, call: { id: string; arguments: string }, word: Word): JudgedCall {
  const { id, arguments: given } = call;
  const base = { call: id, rule: "walk", reason: "walk", digest: `digest of ${given}`, facts: null };
  const approval = { question: `Approve command: ${given}? (yes/no)`, subject: given, timeout_ms: 5_000 };
  switch (word) {
    case "allow":
    case "deny":
      return { ...base, verdict: word };
    case "granted": {
      const [grant] = grants;
      const granted = grant === undefined ? {} : { granted: { id: grant.id, scope: grant.scope } };
      return { ...base, verdict: "allow", ...granted };
    }
    case "ask":
      return { ...base, verdict: "ask", approval };
    case "grantable":
      return { ...base, verdict: "ask", approval, grant: ruleOf(given) };
    default:
      return word satisfies never;
  }
}
