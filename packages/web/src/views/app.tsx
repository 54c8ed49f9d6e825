import type { JSX } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { type Route, useRoute } from "../routes.ts";
import { keysOf } from "../state/keys.ts";
import type { Page } from "../state/page.ts";
import { useStore } from "../state/store.ts";
import { AuditView } from "./audit.tsx";
import { Banner, TopBar } from "./bars.tsx";
import { PageContext } from "./context.ts";
import { GrantsView } from "./grants.tsx";
import { InboxView } from "./inbox.tsx";
import { KeysHelp } from "./keys-help.tsx";
import { NewSessionView } from "./new-session.tsx";
import { SessionView } from "./session.tsx";
import { SessionsView } from "./sessions.tsx";
import { SignInView } from "./sign-in.tsx";

export function App({ page }: { readonly page: Page }): JSX.Element {
  const signedIn = useStore(page.state, (state) => state.signedIn);
  const announced = useStore(page.state, (state) => state.announced);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const route = useRoute();
  useKeys(page, () => setHelpOpen(true));
  useTitle(page, route);
  useFocusOnRoute(route);
  return (
    <PageContext.Provider value={page}>
      <button type="button" class="skip" onClick={() => document.getElementById("main")?.focus()}>
        Skip to the content
      </button>
      <TopBar route={route} showHelp={() => setHelpOpen(true)} />
      <Banner />
      <main id="main" tabIndex={-1} class={`view view-${route.name}`}>
        {signedIn.type === "in" ? (
          <View route={route} />
        ) : signedIn.type === "out" ? (
          <SignInView note={signedIn.note} />
        ) : (
          <>
            <h1>Assent</h1>
            <p class="lead">Asking the server …</p>
          </>
        )}
      </main>
      <p class="unseen" role="status" aria-live="polite">
        {announced}
      </p>
      <KeysHelp isOpen={isHelpOpen} close={() => setHelpOpen(false)} />
    </PageContext.Provider>
  );
}

function View({ route }: { readonly route: Route }): JSX.Element {
  switch (route.name) {
    case "inbox":
      return <InboxView />;
    case "sessions":
      return <SessionsView />;
    case "grants":
      return <GrantsView />;
    case "new":
      return <NewSessionView />;
    case "session":
      return <SessionView key={route.session} session={route.session} />;
    case "audit":
      return <AuditView key={route.session} session={route.session} />;
    case "unknown":
      return (
        <>
          <h1>Nothing here</h1>
          <p class="lead">
            This page has no such place. The <a href="#/">inbox</a> is there.
          </p>
        </>
      );
    default:
      return route satisfies never;
  }
}

function useKeys(page: Page, showHelp: () => void): void {
  useEffect(() => {
    const keys = keysOf(page, showHelp);
    document.addEventListener("keydown", keys.onKeyDown);
    document.addEventListener("pointerdown", keys.onPointer);
    document.addEventListener("pointermove", keys.onPointer, { passive: true });
    return () => {
      document.removeEventListener("keydown", keys.onKeyDown);
      document.removeEventListener("pointerdown", keys.onPointer);
      document.removeEventListener("pointermove", keys.onPointer);
    };
  }, [page]);
}

const titles: Readonly<Record<Route["name"], string>> = {
  inbox: "",
  sessions: "Sessions",
  session: "Session",
  audit: "Audit",
  grants: "Grants",
  new: "New session",
  unknown: "",
};

/** How many wait is seen without looking at the page. */
function useTitle(page: Page, route: Route): void {
  const open = useStore(page.inbox.state, ({ slots }) => slots.filter(({ question }) => question !== null).length);
  const isIn = useStore(page.state, ({ signedIn }) => signedIn.type === "in");
  useEffect(() => {
    const place = isIn ? titles[route.name] : "Sign in";
    document.title = `${open === 0 || !isIn ? "" : `(${open}) `}${place === "" ? "" : `${place} · `}Assent`;
  }, [open, isIn, route.name]);
}

/** Whoever goes elsewhere begins there, also with a screen reader. */
function useFocusOnRoute(route: Route): void {
  const isFirst = useRef(true);
  const place = "session" in route ? `${route.name} ${route.session}` : route.name;
  // Before anything below looks at where the page is scrolled to.
  useLayoutEffect(() => {
    if (!isFirst.current) {
      document.getElementById("main")?.focus({ preventScroll: true });
      window.scrollTo(0, 0);
    }
    isFirst.current = false;
  }, [place]);
}
