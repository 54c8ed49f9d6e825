import type { SessionSummary } from "../runtime/index.ts";

export { nearest, suggestion } from "../wire/nearest.ts";

/** The sessions that are meant: by the id or the name as it is, or else by the beginning of the id. */
export function sessionsNamed(sessions: readonly SessionSummary[], typed: string): readonly SessionSummary[] {
  const exact = sessions.filter(({ session, name }) => session === typed || name === typed);
  return exact.length > 0 ? exact : sessions.filter(({ session }) => typed !== "" && session.startsWith(typed));
}
