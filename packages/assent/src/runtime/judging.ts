import {
  approvalDraft,
  type Call,
  type Grant,
  type GrantUsed,
  type Json,
  type JudgedCall,
  liveGrants,
  type Session,
} from "../core/index.ts";
import type { OutsideTool, Plan, Policy, ShellFacts, Verdict } from "../policy/index.ts";
import { digestOf } from "./digest.ts";
import { type SessionHands, toolsNow } from "./hands.ts";
import type { OpenSession } from "./open-session.ts";
import type { Hands, Ports } from "./ports.ts";
import { handsOfBroken, soundPlan, verdictOf, wantedBy } from "./sound.ts";

export type Preparing = Pick<Ports, "rules" | "served" | "own"> & {
  readonly session: OpenSession;
  readonly hands: SessionHands;
};
/** `session` is what it was when the call came to be judged. */
export type Judging = Pick<Ports, "expiryMs" | "grants" | "clock" | "tools" | "joined"> & {
  readonly session: Session;
  readonly policy: Policy;
  /** Whether every call that could change something is denied. */
  readonly readOnly: boolean;
};

/** What a call would do, with the hands to do it. `untold`: paths that the policy wanted to know of, in vain. */
export type Prepared = {
  readonly plan: Plan;
  readonly digest: string;
  readonly hands: Hands;
  readonly untold: readonly string[];
  /** The policy could not be asked: this is the word on it. */
  readonly unjudged: Verdict | null;
};

/**
 * `null` for a call of a tool that this process does not have: the session may have begun with others. A tool that breaks before it
 * has said what it would do does nothing but say that it broke.
 */
export function prepareCall(call: Call, preparing: Preparing): Prepared | null {
  const hands = preparing.hands.of(call.tool);
  if (hands === undefined) return null;
  const around = { rules: preparing.rules?.(preparing.session.state.cwd) ?? [], served: preparing.served?.() ?? [] };
  try {
    return prepareWith(hands, { ...preparing, around, call });
  } catch (error) {
    return prepareWith(handsOfBroken(call.tool, error), { ...preparing, around, call });
  }
}

type Around = { readonly rules: NonNullable<Plan["rules"]>; readonly served: readonly string[] };
type PreparingCall = Preparing & { readonly around: Around; readonly call: Call };

function prepareWith(hands: Hands, { hands: all, own = [], session, around, call }: PreparingCall): Prepared {
  const { policy } = all;
  const { cwd, terminal, seen, filled } = session.state;
  const flow = filled?.call === call.id ? { flow: filled.flow, state: filled.state } : null;
  const listening = around.served.length === 0 ? {} : { served: around.served };
  const place = { session: session.id, cwd, terminal, seen, flow, own };
  const planned = { ...soundPlan(hands.plan(call.arguments, place)), ...listening };
  const told = wantedBy(policy, planned);
  const [wanted, unjudged] = "verdict" in told ? [[], told] : [told, null];
  const links = wanted.length === 0 ? {} : { links: hands.realPlaces?.(wanted, planned) ?? {} };
  const plan = { ...planned, ...links, ...(around.rules.length === 0 ? {} : { rules: around.rules }) };
  // A server that is started again, elsewhere, makes no other command of one that a person has said yes to.
  const { served: _served, ...lasting } = plan;
  const untold = wanted.filter((path) => !Object.hasOwn(plan.links ?? {}, path));
  return { plan, hands, digest: digestOf([policy.version, lasting]), untold, unjudged };
}

/** The policy's word on a call, with the digest of exactly what was judged (APPR-6). */
export function judgeCall(call: Call, prepared: Prepared | null, judging: Judging): JudgedCall {
  if (prepared === null) {
    const reason = `${call.tool} is not available here`;
    return { call: call.id, verdict: "deny", rule: "no-such-tool", reason, digest: "", facts: null };
  }
  const { plan, digest, untold, unjudged } = prepared;
  const word: Word = unjudged ?? judgePlan(plan, call, judging);
  const { rule, reason } = word;
  const judged = { call: call.id, rule, reason, digest, facts: factsOf(plan, untold, judging.policy) };
  if (word.verdict === "deny") return { ...judged, verdict: "deny" };
  if (word.verdict === "allow") return { ...judged, verdict: "allow", ...grantUsed(word) };
  const unread = word.grantable ? judging.grants.damage() : [];
  const found = word.findings === undefined ? {} : { findings: word.findings.map((finding) => ({ ...finding })) };
  const metadata = { rule, reason, ...found, ...(unread.length === 0 ? {} : { unread_grants: unread }) };
  const approval = { ...approvalDraft(plan), ...expiry(judging), metadata };
  return { ...judged, verdict: "ask", approval, grant: word.grantable ?? null };
}

type Word = Verdict & { readonly by?: Grant };

export const byPerson: Word = { verdict: "allow", rule: "person", reason: "a person filled it in and confirmed it" };
export const readOnlyDenial: Word = {
  verdict: "deny",
  rule: "read-only",
  reason: "nothing may be changed here: this was started as read-only",
};

/** Only what would be asked, and can be granted, is held against the grants. */
function judgePlan(plan: Plan, call: Call, judging: Judging): Word {
  const { policy, grants, clock, session, readOnly } = judging;
  const { id } = call;
  const tier = toolsNow(judging).find(({ name }) => name === call.tool)?.tier;
  if (readOnly && (tier === "elevated" || plan.tier === "elevated")) return readOnlyDenial;
  if (session.filled?.call === id) return byPerson;
  const word = verdictOf(() => policy.judge(plan, []));
  if (word.verdict !== "ask" || !word.grantable) return word;
  const user = `${session.id}/${id}`;
  let live = liveGrants([...session.grants, ...grants.list(user)], clock.now());
  while (live.length > 0) {
    const granted = verdictOf(() => policy.judge(plan, live));
    if (granted.verdict !== "allow") return granted;
    const by = live.find((grant) => grant.id === granted.granted);
    if (by === undefined) return word;
    // What the session itself counts is counted when the call is cleared.
    const counts = by.uses === undefined || by.scope === "session" || grants.use(by.id, user);
    if (counts) return { ...granted, by };
    live = live.filter((grant) => grant !== by);
  }
  return word;
}

function grantUsed({ by }: Word): { readonly granted?: GrantUsed } {
  return by === undefined ? {} : { granted: { id: by.id, scope: by.scope } };
}

/**
 * What was known when it was judged: all that it takes to judge it again (SESS-6). Of the shell only names: what stands behind
 * them is long, and may be secret.
 */
function factsOf(plan: Plan, untold: readonly string[], { home, realHome }: Policy): { readonly [key: string]: Json } {
  const { cwd, links, shell, paths, tier, outside, served } = plan;
  return {
    cwd,
    ...(home === undefined ? {} : { home }),
    ...(realHome === undefined ? {} : { real_home: realHome }),
    ...(links === undefined ? {} : { links }),
    ...(untold.length === 0 ? {} : { untold }),
    ...(shell === undefined ? {} : { shell: shell === null ? null : namesOf(shell) }),
    ...(paths === undefined ? {} : { paths: paths.map((path) => ({ ...path })) }),
    ...(tier === undefined ? {} : { tier }),
    ...(outside === undefined ? {} : { outside: outsideFacts(outside) }),
    ...(served === undefined ? {} : { served }),
  };
}

function outsideFacts({ server, definition, changed }: OutsideTool): { readonly [key: string]: Json } {
  return { server, definition, ...(changed === undefined ? {} : { changed: true }) };
}

function namesOf(shell: ShellFacts): { readonly [key: string]: Json } {
  const { options, disabled, inherited, ...named } = shell;
  const names = Object.entries(named).map(([kind, texts]) => [kind, Object.keys(texts)] as const);
  const all = [
    ...names,
    ["options", options] as const,
    ["disabled", disabled] as const,
    ["inherited", inherited] as const,
  ];
  // What is not there is not told of.
  return Object.fromEntries(all.filter(([, told]) => Object.keys(told).length > 0));
}

/** When a question of this process expires, as part of its draft. */
export function expiry({ expiryMs }: Pick<Ports, "expiryMs">): { readonly timeout_ms?: number } {
  return expiryMs === null ? {} : { timeout_ms: expiryMs };
}
