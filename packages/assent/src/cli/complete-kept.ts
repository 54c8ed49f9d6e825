import { existsSync } from "node:fs";
import { join } from "node:path";
import { auditOf } from "../core/index.ts";
import {
  byLastChange,
  describeSession,
  type Journal,
  newestIn,
  openGrants,
  openSqliteJournal,
  type SessionOutline,
  type SessionSummary,
} from "../runtime/index.ts";
import type { Candidate } from "./complete.ts";
import { assentHome } from "./places.ts";

/** What is kept in Assent's home, by its id, the newest first. Nothing is made by looking. */
export function keptCandidates(what: "session" | "interaction" | "call" | "grant"): readonly Candidate[] {
  if (what === "grant") {
    const grants = openGrants(join(assentHome(), "grants")).list();
    return grants.map(({ id, scope }) => ({ word: id, about: `for the ${scope}` })).reverse();
  }
  const file = join(assentHome(), "journal.db");
  if (!existsSync(file)) return [];
  const journal = openSqliteJournal(file);
  const { sessions } = journal.outline();
  if (what === "interaction") return sessions.flatMap(openQuestions).reverse();
  const described = byLastChange(sessions.map((each) => describeSession(each, { holder: null, now: Date.now() })));
  return (what === "call" ? callsHere(journal, described) : described.map(toldSession)).reverse();
}

/** The calls of the newest session of this folder. */
function callsHere(journal: Journal, sessions: readonly SessionSummary[]): Candidate[] {
  const newest = newestIn(sessions, process.cwd());
  if (newest === undefined) return [];
  const records = auditOf(journal.read(newest.session, 0).events.map(({ event }) => event));
  return records.map(({ call, tool, what: about }) => ({ word: call, about: `${tool} ${about}` }));
}

/** By its name, or what was last asked for in it. */
function toldSession({ session, name, prompt }: SessionSummary): Candidate {
  return { word: session, about: name || (prompt ?? "") };
}

function openQuestions({ milestones }: SessionOutline): readonly Candidate[] {
  const open = new Map<string, string>();
  const now = Date.now();
  for (const { event } of milestones) {
    if (event.type === "interaction.requested" && event.at + (event.request.timeout_ms ?? now) > now)
      open.set(event.request.interaction_id, event.request.question);
    if (event.type === "interaction.resolved" || event.type === "interaction.expired") open.delete(event.interaction);
  }
  return [...open].map(([word, about]) => ({ word, about }));
}
