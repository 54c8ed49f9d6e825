import { render } from "preact";
import { apiClient } from "./assent.ts";
import { Drafts, tabStorage } from "./drafts.ts";
import { storedKey } from "./signed-in.ts";
import { Page } from "./state/page.ts";
import { applyTheme, storedTheme } from "./theme.ts";
import { App } from "./views/app.tsx";

applyTheme(storedTheme());

/** A ticket counts once and is nobody's business afterwards: it leaves the address before anything else is done. */
function takeTicket(): string | null {
  const [, ticket] = /^#ticket=(.+)$/.exec(location.hash) ?? [];
  if (ticket === undefined) return null;
  history.replaceState(null, "", `${location.pathname}#/`);
  // Tickets have no characters that an address would escape.
  return ticket;
}

const ticket = takeTicket();
const root = document.getElementById("page");
if (root !== null) {
  const page = new Page(apiClient({ url: location.origin, key: storedKey }), new Drafts(tabStorage()));
  render(<App page={page} />, root);
  void page.start(ticket);
}
