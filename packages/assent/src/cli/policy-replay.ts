import { realpathSync } from "node:fs";
import { resolve } from "node:path";
import { exitCodes } from "../adapters/headless/index.ts";
import { type Grant, type SessionEvent, visibleLine } from "../core/index.ts";
import type { Policy } from "../policy/index.ts";
import { describeDamage, type JudgedAgain, type JudgingAgain, judgeAgain, type SessionHost } from "../runtime/index.ts";
import { machineContradiction, machinePolicy } from "../runtime/machine-policy.ts";
import { readRules } from "../wire/index.ts";
import { readText } from "./files.ts";
import { type Given, readFlags, UsageError } from "./flags.ts";
import { allEvents, findSession, openAssent } from "./open.ts";
import { stderr, stdout } from "./output.ts";
import { projectRules, writtenRules } from "./rules.ts";
import { policyReplaySpec } from "./specs/replaying.ts";

/** `assent policy replay`: which calls that were judged would be judged otherwise (SESS-6). */
export async function policyReplay(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, policyReplaySpec);
  if (given.has("all") && given.arguments.length > 0)
    throw new UsageError("--all means every session: name none with it");
  const rules = rulesFrom(given.text("with"));
  const { host, grants } = openAssent();
  try {
    const sessions = sessionsMeant(host, given).map((session) => ({ session, events: eventsOf(host, session) }));
    const recorded = sessions.flatMap(({ events }) => savedIn(events));
    const judging = { policy: policies(), rules, kept: grants.list(), recorded };
    const tally = { all: 0, changed: 0, unknown: 0, assumed: 0 };
    for (const { session, events } of sessions) {
      for (const judged of judgeAgain(events, judging)) {
        count(tally, judged);
        if (isListed(judged)) stdout.write(given.has("json") ? asJson(session, judged) : described(session, judged));
      }
    }
    if (!given.has("json")) stderr.write(`assent: ${summary(tally)}\nassent: ${basis}\n`);
    return tally.changed === 0 ? exitCodes.done : exitCodes.differs;
  } finally {
    await host.close();
  }
}

function rulesFrom(file: string | undefined): JudgingAgain["rules"] {
  if (file === undefined) return writtenRules;
  const written = readRules(readText(file));
  if (written.type === "broken") throw new UsageError(`--with: ${file}: ${written.reason}`);
  // As rules of a person they would make everything ask, and what is to be seen here is what they change.
  const fault = machineContradiction(written.rules, resolve("."));
  if (fault !== null) throw new UsageError(`--with: ${file}: ${fault}`);
  return (cwd) => [...written.rules, ...projectRules(cwd)];
}

function sessionsMeant(host: SessionHost, given: Given): readonly string[] {
  if (given.arguments.length > 0) {
    return [...new Set(given.arguments.map((typed) => findSession(host, typed).session))];
  }
  const { sessions } = host.sessions();
  const here = [resolve("."), realpathSync(".")];
  return sessions.filter(({ cwd }) => given.has("all") || here.includes(cwd)).map(({ session }) => session);
}

/** Of a damaged session what can be read, and that there is more. */
function eventsOf(host: SessionHost, session: string): readonly SessionEvent[] {
  const events = allEvents(host, session);
  const damage = host.damage(session);
  if (damage !== null) stderr.write(`assent: ${describeDamage(damage)}\n`);
  return events.map(({ event }) => event);
}

/** Also those that are gone from their store by now. */
function savedIn(events: readonly SessionEvent[]): readonly Grant[] {
  return events.flatMap((event) =>
    event.type === "grant.added" && event.grant.scope !== "session" ? [event.grant] : [],
  );
}

function policies(): JudgingAgain["policy"] {
  const known = new Map<string, Policy>();
  return (home, realHome) => {
    const key = JSON.stringify([home, realHome]);
    const policy = known.get(key) ?? machinePolicy({ home, realHome });
    known.set(key, policy);
    return policy;
  };
}

/** Nobody looks anything up again: what a path led to then is nowhere but in the record. */
const basis =
  "given: folders, homes, links, files and shells as they were recorded then; grants as they counted then, as far as they are kept; " +
  "rules of projects, platform and Assent's own places as they are now";

type Tally = { all: number; changed: number; unknown: number; assumed: number };

function count(tally: Tally, judged: JudgedAgain): void {
  tally.all += 1;
  if ("unknown" in judged) tally.unknown += 1;
  else if (isListed(judged)) tally.changed += 1;
  if (judged.assumed.length > 0) tally.assumed += 1;
}

function isListed(judged: JudgedAgain): boolean {
  return "unknown" in judged || judged.now.verdict !== judged.was.verdict;
}

function asJson(session: string, judged: JudgedAgain): string {
  return `${JSON.stringify({ session, ...judged })}\n`;
}

const longestShown = 200;

function described(session: string, judged: JudgedAgain): string {
  const { call, tool, what, was } = judged;
  const shown = visibleLine(tool === "terminal" ? what : `${tool} ${what}`);
  const cut = shown.length > longestShown ? `${shown.slice(0, longestShown)}…` : shown;
  const came =
    "unknown" in judged
      ? `cannot be judged again: ${judged.unknown}; it was ${was.verdict} (${was.rule})`
      : `${was.verdict} (${was.rule}) → ${judged.now.verdict} (${judged.now.rule}): ${judged.now.reason}`;
  return `${session} ${call}  ${cut}\n    ${visibleLine(came)}\n`;
}

function summary({ all, changed, unknown, assumed }: Tally): string {
  const same = all - changed - unknown;
  const parts = [
    `${changed} of ${all} ${all === 1 ? "call" : "calls"} would be judged otherwise, ${same} as before`,
    ...(unknown === 0 ? [] : [`${unknown} cannot be judged again`]),
    ...(assumed === 0 ? [] : [`${assumed} by the home folder of now, for theirs was not recorded`]),
  ];
  return parts.join("; ");
}
