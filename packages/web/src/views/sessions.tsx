import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { ApiSession } from "../assent.ts";
import { sessionPath } from "../routes.ts";
import { may, sessionsPerPage } from "../state/page.ts";
import { useStore } from "../state/store.ts";
import { usePage, useRole } from "./context.ts";
import { Damage } from "./inbox.tsx";
import { firstLine, State, titleOf } from "./session-head.tsx";
import { Ago, Visible } from "./text.tsx";

export function SessionsView(): JSX.Element {
  const page = usePage();
  const role = useRole();
  const list = useStore(page.state, (state) => state.list);
  const [offset, setOffset] = useState(0);
  const [told, setTold] = useState<string | null>(null);
  useEffect(() => {
    const fetchList = (): void => void page.listSessions(offset).then(setTold);
    fetchList();
    return page.onChange((session) => {
      if (session === null) fetchList();
    });
  }, [page, offset]);
  return (
    <>
      <div class="title-line">
        <h1>Sessions</h1>
        {may(role, "work") ? (
          <a class="button" href="#/new">
            New session
          </a>
        ) : null}
      </div>
      <p class="lead">{list.loaded ? counted(list.total) : (told ?? "Asking the server …")}</p>
      <Damage lines={list.damage} />
      <ul class="sessions">
        {list.sessions.map((session) => (
          <SessionRow key={session.session} session={session} />
        ))}
      </ul>
      {list.total > sessionsPerPage ? <Paging offset={offset} total={list.total} go={setOffset} /> : null}
    </>
  );
}

function counted(total: number): string {
  if (total === 0) return "None yet.";
  return total === 1 ? "One session." : `${total} sessions, the newest change first.`;
}

function SessionRow({ session }: { readonly session: ApiSession }): JSX.Element {
  const { session: id, name, prompt, cwd, changed } = session;
  return (
    <li class="session-row">
      <State session={session} />
      <div class="session-words">
        <a href={sessionPath(id)}>
          <Visible text={titleOf(session)} />
        </a>
        {name === null || prompt === null ? null : (
          <span class="prompt-line">
            <Visible text={firstLine(prompt) ?? ""} />
          </span>
        )}
        <span class="cwd">
          <Visible text={cwd} />
        </span>
      </div>
      <span class="when">
        <Ago at={changed} />
      </span>
    </li>
  );
}

type PagingProps = { readonly offset: number; readonly total: number; readonly go: (offset: number) => void };

function Paging({ offset, total, go }: PagingProps): JSX.Element {
  const last = Math.min(total, offset + sessionsPerPage);
  return (
    <nav class="paging" aria-label="Pages">
      <button type="button" disabled={offset === 0} onClick={() => go(Math.max(0, offset - sessionsPerPage))}>
        Newer
      </button>
      <span>
        {offset + 1} to {last} of {total}
      </span>
      <button type="button" disabled={last >= total} onClick={() => go(offset + sessionsPerPage)}>
        Older
      </button>
    </nav>
  );
}
