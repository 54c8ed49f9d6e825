import { hash } from "node:crypto";
import { approvalDraft, type Call, type JudgedCall } from "../core/index.ts";
import type { Plan } from "../policy/index.ts";
import type { SessionHands } from "./hands.ts";
import type { OpenSession } from "./open-session.ts";
import type { Hands, Ports } from "./ports.ts";

export type Preparing = Pick<Ports, "policy"> & { readonly session: OpenSession; readonly hands: SessionHands };
export type Judging = Pick<Ports, "policy" | "expiryMs">;

/** What a call would do, with the hands to do it. */
export type Prepared = { readonly plan: Plan; readonly digest: string; readonly hands: Hands };

/** `null` for a call of a tool that this process does not have: the session may have begun with others. */
export function prepareCall(call: Call, { hands: all, policy, session }: Preparing): Prepared | null {
  const hands = all.of(call.tool);
  if (hands === undefined) return null;
  const { cwd, terminal, seen } = session.state;
  const plan = hands.plan(call.arguments, { session: session.id, cwd, terminal, seen });
  return { plan, hands, digest: digestOf([policy.version, plan]) };
}

/** The policy's word on a call, with the digest of exactly what was judged (APPR-6). */
export function judgeCall(call: Call, prepared: Prepared | null, judging: Judging): JudgedCall {
  if (prepared === null) {
    const reason = `${call.tool} is not available here`;
    return { call: call.id, verdict: "deny", rule: "no-such-tool", reason, digest: "", facts: null };
  }
  const { plan, digest } = prepared;
  const { verdict, rule, reason } = judging.policy.judge(plan);
  const judged = { call: call.id, rule, reason, digest, facts: { cwd: plan.cwd } };
  if (verdict !== "ask") return { ...judged, verdict };
  return { ...judged, verdict, approval: { ...approvalDraft(plan), ...expiry(judging), metadata: { rule, reason } } };
}

/** When a question of this process expires, as part of its draft. */
export function expiry({ expiryMs }: Pick<Ports, "expiryMs">): { readonly timeout_ms?: number } {
  return expiryMs === null ? {} : { timeout_ms: expiryMs };
}

export function digestOf(shown: unknown): string {
  return `sha256:${hash("sha256", JSON.stringify(shown))}`;
}
