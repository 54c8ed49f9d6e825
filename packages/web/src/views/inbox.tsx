import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { useStore } from "../state/store.ts";
import { Card } from "./card.tsx";
import { usePage } from "./context.ts";
import { Visible } from "./text.tsx";

/** Every open question of every session, the oldest first. */
export function InboxView(): JSX.Element {
  const { inbox } = usePage();
  const { slots, loaded, damage } = useStore(inbox.state, (state) => state);
  // Not an effect of the ordinary kind: the end of one of those may come after the beginning of the next view's.
  useLayoutEffect(() => {
    inbox.setView("all");
    return () => inbox.setView("none");
  }, [inbox]);
  const open = slots.filter(({ question }) => question !== null).length;
  return (
    <>
      <h1>Inbox</h1>
      <p class="lead">{!loaded ? "Asking the server …" : open === 0 ? "Nobody waits for you." : waiting(open)}</p>
      <Damage lines={damage} />
      <ul class="cards">
        {slots.map((slot) => (
          <li key={slot.session}>
            <Card slot={slot} inSession={false} />
          </li>
        ))}
      </ul>
      {loaded && slots.length === 0 ? (
        <p class="muted">
          Questions of your sessions appear here by themselves, and can be answered by click or number key.
        </p>
      ) : null}
    </>
  );
}

function waiting(open: number): string {
  return open === 1 ? "One question waits for an answer." : `${open} questions wait for an answer.`;
}

/** What the server could not read. */
export function Damage({ lines }: { readonly lines: readonly string[] }): JSX.Element | null {
  if (lines.length === 0) return null;
  return (
    <ul class="notice">
      {lines.map((line) => (
        <li key={line}>
          <Visible text={line} />
        </li>
      ))}
    </ul>
  );
}
