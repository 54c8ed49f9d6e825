import { type Deciders, type Draft, refuse } from "./draft.ts";
import type { Person } from "./events.ts";
import { type GrantRule, type GrantUsed, grantId, type SavedScope } from "./grant.ts";
import type { Refusal } from "./inputs.ts";
import { type Answer, type ApprovalDraft, ruleRequest, visibleLine } from "./interaction/index.ts";
import { requestInteraction } from "./questions.ts";
import { findCall, type Interaction, type Session } from "./state.ts";

/** What people say about grants, and what became of saving one. */
export const grantDeciders: Deciders<"grant-result" | "grant-revocation"> = {
  "grant-result": (draft, { call: id, failure }) => {
    const call = findCall(draft.session, id);
    if (call?.status.type !== "granting") return refuse("unknown_call", `call ${id} has no rule to be saved`);
    const { grant, by } = call.status;
    if (failure === undefined) draft.emit({ type: "grant.added", grant, call: id, by });
    else draft.emit({ type: "grant.failed", grant: grant.id, call: id, reason: failure });
    draft.emit({ type: "call.cleared", call: id });
    return null;
  },
  "grant-revocation": (draft, { grant, by }) => {
    const known = draft.session.grants.some(({ id }) => id === grant);
    if (!known) return refuse("unknown_grant", `no grant of session ${draft.session.id} has the id ${grant}`);
    draft.emit({ type: "grant.removed", grant, by });
    return null;
  },
};

/** An approval got a yes: once, for the session, or for longer, which is asked about once more. */
export function approve(draft: Draft, { request, purpose }: Interaction, { answer, by }: Yes): void {
  if (purpose.type !== "approval") return;
  const { call } = purpose;
  const status = findCall(draft.session, call)?.status;
  const rule = status?.type === "judged" ? status.grant : null;
  const scope = "options" in answer ? answer.options[0] : undefined;
  if (rule !== null && (scope === "project" || scope === "user")) {
    const { timeout_ms, subject_digest = "" } = request;
    const shown = { ...ruleDraft(rule, scope), ...(timeout_ms === undefined ? {} : { timeout_ms }) };
    requestInteraction(draft, { type: "grant", call, scope }, (id) => ruleRequest(id, shown, subject_digest));
    return;
  }
  if (rule !== null && scope === "session") {
    const grant = { ...rule, id: grantId(request.interaction_id), scope, created: draft.at } as const;
    draft.emit({ type: "grant.added", grant, call, by });
  }
  draft.emit({ type: "call.cleared", call });
}

type Yes = { readonly answer: Answer; readonly by: Person };

/** A verdict by a grant that the session does not have any more. */
export function refuseLost({ grants }: Session, used: GrantUsed | undefined): Refusal | null {
  if (used?.scope !== "session" || grants.some(({ id }) => id === used.id)) return null;
  return refuse("unknown_grant", `grant ${used.id} does not count any more`);
}

const reaches: Readonly<Record<SavedScope, string>> = { project: "in this project", user: "for me everywhere" };

/** All of the rule is the subject; the question names what it lets run. */
function ruleDraft(rule: GrantRule, scope: SavedScope): ApprovalDraft {
  const { tool, match, signature, display, root, categories } = rule;
  return {
    question: `Save this rule: always allow ${visibleLine(display)} ${reaches[scope]}? (yes/no)`,
    subject: { command: display.split("\n"), match, scope, root, categories, tool, signature },
  };
}
