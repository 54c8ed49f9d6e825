import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { Follow } from "../state/follow.ts";
import { idOf } from "../state/inbox.ts";
import { may } from "../state/page.ts";
import { useStore } from "../state/store.ts";
import { Card } from "./card.tsx";
import { usePage, useRole } from "./context.ts";
import { PromptBox, Waiting } from "./prompt-box.tsx";
import { useReadingAlong } from "./reading-along.ts";
import { SessionHead } from "./session-head.tsx";
import { Stopping } from "./stopping.tsx";
import { TimelineView } from "./timeline.tsx";
import { Working } from "./working.tsx";

/** One session, live. */
export function SessionView({ session }: { readonly session: string }): JSX.Element {
  const page = usePage();
  const [follow, setFollow] = useState<Follow | null>(null);
  useEffect(() => {
    const opened = new Follow(page, session);
    setFollow(opened);
    return () => opened.close();
  }, [page, session]);
  useLayoutEffect(() => {
    page.inbox.setView({ session });
    return () => page.inbox.setView("none");
  }, [page, session]);
  return follow === null ? <h1>Session</h1> : <Followed follow={follow} session={session} />;
}

function Followed({ follow, session }: { readonly follow: Follow; readonly session: string }): JSX.Element {
  const page = usePage();
  const role = useRole();
  const state = useStore(follow.state, (value) => value);
  const { detail, missing, connection } = state;
  const slot = useStore(page.inbox.state, ({ slots }) => slots.find((each) => each.session === session));
  const question = slot?.question ?? null;
  useReadingAlong(state, question === null ? null : idOf(question));
  if (detail === null) {
    return (
      <>
        <h1>Session</h1>
        <p class="lead">{missing ?? "Asking the server …"}</p>
      </>
    );
  }
  return (
    <>
      <SessionHead detail={detail} />
      {missing === null ? null : <p class="notice">{missing}</p>}
      <TimelineView follow={follow} asked={detail.interaction} />
      <Working follow={follow} isAsking={question !== null} />
      {slot === undefined ? null : <Card key={session} slot={slot} inSession={true} />}
      <Waiting waiting={detail.waiting} />
      <div class="dock">
        {detail.open ? <Stopping session={session} stop={detail.exchange?.stop ?? null} /> : null}
        {may(role, "work") ? (
          <PromptBox detail={detail} />
        ) : (
          <p class="muted">Your role is {role}: only an admin can write to the agent.</p>
        )}
        {connection === "lost" ? <p class="muted">Not connected: what happens now is shown later.</p> : null}
      </div>
    </>
  );
}
