import type { JSX } from "preact";
import { useState } from "preact/hooks";
import type { Route } from "../routes.ts";
import { may } from "../state/page.ts";
import { useStore } from "../state/store.ts";
import { nextTheme, storedTheme, storeTheme } from "../theme.ts";
import { usePage, useRole } from "./context.ts";
import { Visible } from "./text.tsx";

type TopBarProps = { readonly route: Route; readonly showHelp: () => void };

export function TopBar({ route, showHelp }: TopBarProps): JSX.Element {
  const page = usePage();
  const signedIn = useStore(page.state, (state) => state.signedIn);
  return (
    <header class="top">
      <span class="brand">Assent</span>
      {signedIn.type === "in" ? <Places route={route} /> : null}
      <div class="tools">
        {signedIn.type === "in" ? (
          <>
            <span class="who">
              <Visible text={signedIn.me.name} /> <span class="muted">{signedIn.me.role}</span>
            </span>
            <button type="button" class="quiet keys-button" onClick={showHelp}>
              Keys
            </button>
          </>
        ) : null}
        <ThemeButton />
        {signedIn.type === "in" ? (
          <button type="button" class="quiet" onClick={() => void page.logout()}>
            Sign out
          </button>
        ) : null}
      </div>
    </header>
  );
}

const places: readonly { readonly name: Route["name"]; readonly path: string; readonly word: string }[] = [
  { name: "inbox", path: "#/", word: "Inbox" },
  { name: "sessions", path: "#/sessions", word: "Sessions" },
  { name: "new", path: "#/new", word: "New" },
  { name: "grants", path: "#/grants", word: "Grants" },
];

function Places({ route }: { readonly route: Route }): JSX.Element {
  const { inbox } = usePage();
  const open = useStore(inbox.state, ({ slots }) => slots.filter(({ question }) => question !== null).length);
  const at = route.name === "session" || route.name === "audit" ? "sessions" : route.name;
  const role = useRole();
  // Who cannot begin anything is not led there.
  const offered = places.filter(({ name }) => name !== "new" || may(role, "work"));
  return (
    <nav class="places" aria-label="Main">
      {offered.map(({ name, path, word }) => (
        <a key={name} href={path} aria-current={name === at ? "page" : undefined}>
          {word}
          {name === "inbox" && open > 0 ? (
            <span class="count">
              {open}
              <span class="unseen"> open</span>
            </span>
          ) : null}
        </a>
      ))}
    </nav>
  );
}

function ThemeButton(): JSX.Element {
  const [theme, setTheme] = useState(storedTheme);
  const change = (): void => {
    const next = nextTheme(theme);
    storeTheme(next);
    setTheme(next);
  };
  return (
    <button type="button" class="quiet" onClick={change} title="Light, dark, or as the system is">
      Theme: {theme}
    </button>
  );
}

/** What is shown may be old: that is said for as long as it is so. */
export function Banner(): JSX.Element | null {
  const connection = useStore(usePage().state, (state) => state.connection);
  if (connection !== "lost") return null;
  return (
    <p class="banner" role="alert">
      Connection lost. It is tried again by itself; what you have written stays.
    </p>
  );
}
