import {
  type Call,
  type EventOf,
  evolve,
  type Grant,
  liveGrants,
  newSession,
  type Session,
  type SessionEvent,
  turnCalls,
} from "../core/index.ts";
import type { Plan, Policy, ShellFacts, Verdict } from "../policy/index.ts";
import { asJson, type JudgedFacts, parseJson, readFacts, type ShellNames } from "../wire/index.ts";
import { byPerson, readOnlyDenial } from "./judging.ts";
import { secretMark } from "./ports.ts";

/** By what calls are judged again; all else is as it was recorded. */
export type JudgingAgain = {
  /** The policy for somebody with that home, which really is at `realHome`; without one, for the person at this machine, as it is now. */
  readonly policy: (home: string | null | undefined, realHome: string | undefined) => Policy;
  /** The rules that people have written, for work in that folder. */
  readonly rules: (cwd: string) => NonNullable<Plan["rules"]>;
  /** Grants that outlive a session and are still there. */
  readonly kept: readonly Grant[];
  /** Those that were once saved, as far as they are known: they count only for what they allowed then. */
  readonly recorded: readonly Grant[];
};

/** One call that was judged in a session, and the policy's word on it now (SESS-6). */
export type JudgedAgain = {
  readonly call: string;
  readonly at: number;
  readonly tool: string;
  /** The command, or the arguments. */
  readonly what: string;
  readonly was: Word;
  /** What was not recorded and had to be taken as it is now. */
  readonly assumed: readonly string[];
} & ({ readonly now: Word } | { readonly unknown: string });

export type Word = Pick<Verdict, "verdict" | "rule" | "reason">;

type Judged = { readonly event: EventOf<"call.judged">; readonly call: Call; readonly session: Session };

/** Every call of a session that was judged, by the facts of then, in the order in which they were judged for the last time. */
export function judgeAgain(events: Iterable<SessionEvent>, judging: JudgingAgain): readonly JudgedAgain[] {
  const judged = new Map<string, Judged>();
  let session = newSession();
  for (const event of events) {
    const call = event.type === "call.judged" ? turnCalls(session).find(({ id }) => id === event.call) : undefined;
    if (event.type === "call.judged" && call !== undefined) {
      judged.delete(event.call);
      judged.set(event.call, { event, call, session });
    }
    session = evolve(session, event);
  }
  return [...judged.values()].map((each) => {
    const { event, call } = each;
    const { verdict, rule, reason, at } = event;
    const what = commandOf(call) ?? call.arguments;
    const told = { call: call.id, at, tool: call.tool, what, was: { verdict, rule, reason } };
    return { ...told, ...wordOn(each, judging) };
  });
}

type Again = { readonly assumed: readonly string[] } & ({ readonly now: Word } | { readonly unknown: string });

function wordOn(judged: Judged, judging: JudgingAgain): Again {
  const { event, call } = judged;
  const { verdict, rule, reason } = event;
  if (isNotPolicys(event)) return { now: { verdict, rule, reason }, assumed: [] };
  const facts = readFacts(event.facts);
  if (facts === null) return unknown("what it was judged by is not recorded");
  if (JSON.stringify([call.arguments, event.facts]).includes(secretMark)) {
    return unknown("a value that is hidden stands in it");
  }
  const plan = planOf(judged, facts, judging.rules(judged.session.cwd));
  if (plan === null) return unknown("what it was about is not recorded: an earlier version did not keep it");
  const policy = judging.policy(facts.home, facts.real_home);
  const { links: _links, ...asked } = plan;
  const missing = policy.wants?.(asked).find((path) => !isTold(path, facts));
  if (missing !== undefined) return unknown(`where ${missing} led then is not recorded`);
  const word = withGrants(plan, judged, { ...judging, policy });
  const assumed = facts.home === undefined ? ["home"] : [];
  if ("unknown" in word) return unknown(word.unknown);
  const unread = plan.shell == null ? [] : ownNames(plan.shell);
  // Where something is not known the policy is stricter, never laxer: what it allows without knowing, it allows.
  if (unread.length > 0 && word.verdict !== "allow") {
    return unknown(`what its shell had defined is recorded by name only: ${unread.join(", ")}`);
  }
  return { now: { verdict: word.verdict, rule: word.rule, reason: word.reason }, assumed };
}

type Unknown = { readonly unknown: string };

function unknown(why: string): Again {
  return { unknown: why, assumed: [] };
}

/** What no policy decided, and so none decides otherwise. */
function isNotPolicys({ verdict, rule, reason, facts }: EventOf<"call.judged">): boolean {
  const said = ({ verdict: own, rule: name, reason: why }: Word) => verdict === own && rule === name && reason === why;
  const cannotBeDone = verdict === "allow" && rule === "does-nothing";
  return facts === null || cannotBeDone || said(byPerson) || said(readOnlyDenial);
}

function isTold(path: string, { links, untold }: JudgedFacts): boolean {
  return Object.hasOwn(links, path) || untold.includes(path);
}

/** What the call would have done then, as far as it decides the verdict; `null` where that is not recorded. */
function planOf({ call, session }: Judged, facts: JudgedFacts, rules: NonNullable<Plan["rules"]>): Plan | null {
  const { tool } = call;
  const { cwd, served, links, shell } = facts;
  const plan = {
    ...{ tool, cwd },
    ...(rules.length === 0 ? {} : { rules }),
    ...(served === undefined ? {} : { served }),
  };
  const command = commandOf(call);
  if (command !== undefined) {
    const defined = shell === undefined ? {} : { shell: shell === null ? null : shellOf(shell) };
    return { ...plan, command, links, more: { folder: session.cwd }, ...defined };
  }
  if (tool === "terminal" || tool === "process") return plan;
  // Who kept the home kept all of it.
  return facts.home === undefined ? null : { ...plan, ...otherParts(call, facts) };
}

function otherParts(call: Call, { paths, tier, outside }: JudgedFacts): Partial<Plan> {
  const given = parseJson(call.arguments);
  const told =
    outside === undefined
      ? {}
      : {
          outside: {
            ...{ server: outside.server, definition: outside.definition, claims: [] },
            ...(outside.changed ? { changed: { was: [], now: [] } } : {}),
          },
        };
  return {
    ...(paths === undefined ? {} : { paths }),
    ...(tier === undefined ? {} : { tier }),
    ...(given.type === "parsed" ? { more: asJson(given.value) } : {}),
    ...told,
  };
}

function commandOf({ asks }: Call): string | undefined {
  return asks.type === "tool" ? asks.command : undefined;
}

/** What a shell had defined, without the texts, of which none is known. */
function shellOf(names: ShellNames): ShellFacts {
  const { functions, aliases, traps, variables, places, options, disabled, inherited } = names;
  const texts = (of: readonly string[]) => Object.fromEntries(of.map((name) => [name, null]));
  return {
    ...{ functions: texts(functions), aliases: texts(aliases), traps: texts(traps), variables: texts(variables) },
    places: Object.fromEntries(places.map((name) => [name, ""])),
    ...{ options, disabled, inherited },
  };
}

/** What came with the person's own environment means what it always means to them: its text decides nothing. */
function ownNames({ functions, aliases, traps, variables, inherited }: ShellFacts): readonly string[] {
  const names = [functions, aliases, traps, variables].flatMap((texts) => Object.keys(texts));
  return names.filter((name) => !inherited.includes(name));
}

/**
 * With the grants that counted then: those of the session, which its journal has, the one by which it was allowed, and of
 * those that outlive sessions the ones that are still there. That no other covered it is known of a call that was asked about.
 */
function withGrants(plan: Plan, { event, session }: Judged, { policy, kept, recorded }: Granting): Verdict | Unknown {
  const word = policy.judge(plan, []);
  if (word.verdict !== "ask" || !word.grantable) return word;
  const { granted, at } = event;
  // Of other tools a grant covers one call, to its last argument: what was covered then is covered now.
  if (granted !== undefined && plan.command === undefined && plan.paths === undefined) {
    return { ...word, verdict: "allow", rule: event.rule, reason: event.reason };
  }
  const used = [...kept, ...recorded].find(({ id }) => id === granted?.id);
  const lasting = kept.filter(({ created, uses }) => created <= at && uses === undefined);
  const counted = liveGrants([...session.grants, ...lasting], at);
  const again = policy.judge(plan, used === undefined ? counted : [unlimited(used), ...counted]);
  const isLost = granted !== undefined && used === undefined && session.grants.every(({ id }) => id !== granted.id);
  if (again.verdict === "ask" && isLost)
    return { unknown: `grant ${granted.id}, by which it was allowed, is not kept any more` };
  return again;
}

type Granting = Pick<JudgingAgain, "kept" | "recorded"> & { readonly policy: Policy };

/** It counted then, whatever is left of it. */
function unlimited({ uses: _uses, expires: _expires, ...grant }: Grant): Grant {
  return grant;
}
