import type { Evolvers } from "./draft.ts";
import type { Person, Purpose } from "./events.ts";
import { setStatus } from "./exchange.ts";
import { type Call, type Session, turnCalls } from "./state.ts";

/** What a person can allow for more than once: made by the policy, shown and saved as it is (APPR-7). */
export type GrantRule = {
  readonly tool: string;
  /** `exact` matches what is the same to the last argument, `prefix` also what goes on from there. */
  readonly match: "exact" | "prefix";
  /** What exactly would run, in the policy's own canonical text. */
  readonly signature: string;
  /** The same in one line for people. */
  readonly display: string;
  /** The project's folder. */
  readonly root: string;
  /** What was found in it when it was granted. */
  readonly categories: readonly string[];
};

/** A rule by which a person let calls run, and for how long. */
export type Grant = GrantRule & {
  readonly id: string;
  readonly scope: GrantScope;
  readonly created: number;
  /** From this moment on it does not count. */
  readonly expires?: number;
  /** For how many more calls it counts. */
  readonly uses?: number;
};

/** How far a grant reaches; where it is kept follows from that: in the session's journal, or beside all of them. */
export type GrantScope = "session" | SavedScope;
/** Where a grant counts that outlives a session: in one project, or for the person everywhere. */
export type SavedScope = "project" | "user";

/** The grant by which a call was allowed. */
export type GrantUsed = { readonly id: string; readonly scope: GrantScope };

/** Those that count at this moment. */
export function liveGrants(grants: readonly Grant[], at: number): readonly Grant[] {
  return grants.filter(
    ({ expires, uses }) => (expires === undefined || at < expires) && (uses === undefined || uses > 0),
  );
}

/**
 * The life of a grant: a person allows a call for more than once. For the session that is said and done; a rule that outlives
 * it is shown once more, confirmed, then saved outside of the journal, and only then the call goes on (APPR-7).
 */
export const grantEvolvers: Evolvers<"grant.added" | "grant.removed" | "grant.failed"> = {
  "grant.added": (session, { grant }) => {
    const kept = grant.scope === "session" && session.grants.every(({ id }) => id !== grant.id);
    return kept ? { ...session, grants: [...session.grants, grant] } : session;
  },
  "grant.removed": (session, event) => ({
    ...session,
    grants: session.grants.filter(({ id }) => id !== event.grant),
  }),
  "grant.failed": (session) => session,
};

/** A rule got its yes: from here on it is to be saved, whatever happens to the exchange. */
export function markGranting(
  session: Session,
  purpose: Extract<Purpose, { type: "grant" }>,
  given: { readonly interaction: string; readonly at: number; readonly by: Person },
): Session {
  return setStatus(session, purpose.call, ({ status }) => {
    if (status.type !== "judged" || status.grant === null) return status;
    const { digest, grant: rule } = status;
    const grant = { ...rule, id: grantId(given.interaction), scope: purpose.scope, created: given.at };
    return { type: "granting", digest, grant, by: given.by };
  });
}

/** The call whose rule is to be saved now. */
export function grantToSave(session: Session): { readonly call: string; readonly grant: Grant } | null {
  for (const { id, status } of turnCalls(session)) {
    if (status.type === "granting") return { call: id, grant: status.grant };
  }
  return null;
}

/** One call less, if they are counted; a grant that is used up is none. What is saved is counted where it is saved. */
export function countUse(session: Session, { status }: Call): Session {
  const used = status.type === "judged" ? status.granted : null;
  if (used?.scope !== "session") return session;
  const grants = session.grants.flatMap((grant) => {
    if (grant.id !== used.id || grant.uses === undefined) return [grant];
    return grant.uses > 1 ? [{ ...grant, uses: grant.uses - 1 }] : [];
  });
  return { ...session, grants };
}

/** No two interactions have the same id, nor the grants that they lead to. */
export function grantId(interaction: string): string {
  return `g-${interaction}`;
}
