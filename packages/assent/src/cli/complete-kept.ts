import { existsSync } from "node:fs";
import { join } from "node:path";
import { auditOf } from "../core/index.ts";
import { type Journal, openGrants, openSqliteJournal, type SessionOutline } from "../runtime/index.ts";
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
  if (what === "call") return callsHere(journal, sessions).reverse();
  const found = what === "session" ? sessions.map(describeSession) : sessions.flatMap(openQuestions);
  return found.reverse();
}

/** The calls of the newest session of this folder. */
function callsHere(journal: Journal, sessions: readonly SessionOutline[]): Candidate[] {
  const here = process.cwd();
  const changed = ({ milestones }: SessionOutline) => milestones.at(-1)?.event.at ?? 0;
  const [newest] = sessions
    .filter(({ milestones: [first] }) => first?.event.type === "session.created" && first.event.cwd === here)
    .toSorted((one, other) => changed(other) - changed(one));
  if (newest === undefined) return [];
  const records = auditOf(journal.read(newest.session, 0).events.map(({ event }) => event));
  return records.map(({ call, tool, what: about }) => ({ word: call, about: `${tool} ${about}` }));
}

/** By its name, or what was last asked for in it. */
function describeSession({ session, milestones }: SessionOutline): Candidate {
  const about = { name: "", prompt: "" };
  for (const { event } of milestones) {
    if (event.type === "session.renamed") about.name = event.name;
    if (event.type === "exchange.started") about.prompt = event.prompt;
  }
  return { word: session, about: about.name || about.prompt };
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
