import { fold, openInteraction, type Session, secretsOf } from "../core/index.ts";
import type { Journal, Secrets } from "./ports.ts";

/** Far longer than it takes to record an answer whose secret has been put away. */
const mostAnsweringMs = 60_000;

/** The names of the secrets that a session needs, and the sensitive question that is open in it. */
export type NeededSecrets = { readonly names: readonly string[]; readonly asked: string | null };

/** A secret goes with what needed it; with a question that is closed, whatever was put for it and did not count. */
export function forgetSecrets(session: Session, before: NeededSecrets, secrets: Secrets): NeededSecrets {
  const open = openInteraction(session)?.request;
  const asked = open?.sensitive ? open.interaction_id : null;
  const names = secretsOf(session);
  const closed = before.asked !== null && before.asked !== asked ? secrets.names(`${before.asked}.`, 0) : [];
  for (const name of [...before.names, ...closed]) if (!names.includes(name)) secrets.remove(name);
  return { names, asked };
}

/** Removes what a process that died left behind, and tells which secrets the session has lost. */
export function sweepSecrets(session: Session, secrets: Secrets): readonly string[] {
  const needed = secretsOf(session);
  // One that has just been put may belong to an answer that is about to be recorded.
  for (const name of secrets.names(`${session.id}-`, mostAnsweringMs)) {
    if (!needed.includes(name)) secrets.remove(name);
  }
  return needed.filter((name) => secrets.read(name) === null);
}

/** The same in all sessions: one that had ended when its process died may never be taken over again. */
export function sweepLeftSecrets(journal: Journal, secrets: Secrets): void {
  // Before the number of its question; what follows that may have any form, also that of a session's own id.
  const left = secrets.names("", mostAnsweringMs).flatMap((name) => /^(.*)-\d+\./s.exec(name)?.[1] ?? []);
  for (const session of new Set(left)) {
    const { events, damage } = journal.read(session, 0);
    if (damage === null) sweepSecrets(fold(events.map(({ event }) => event)), secrets);
  }
}
