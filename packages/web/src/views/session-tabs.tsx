import type { JSX } from "preact";
import { sessionPath } from "../routes.ts";

export function SessionTabs({
  session,
  at,
}: {
  readonly session: string;
  readonly at: "session" | "audit";
}): JSX.Element {
  return (
    <nav class="tabs" aria-label="Session">
      <a href={sessionPath(session)} aria-current={at === "session" ? "page" : undefined}>
        Timeline
      </a>
      <a href={`${sessionPath(session)}/audit`} aria-current={at === "audit" ? "page" : undefined}>
        Audit
      </a>
    </nav>
  );
}
