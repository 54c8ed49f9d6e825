import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Role } from "../assent.ts";
import type { Page } from "../state/page.ts";
import { useStore } from "../state/store.ts";

export const PageContext = createContext<Page | null>(null);

export function usePage(): Page {
  const page = useContext(PageContext);
  if (page === null) throw new Error("a view outside of the page");
  return page;
}

export function useRole(): Role {
  return useStore(usePage().state, ({ signedIn }) => (signedIn.type === "in" ? signedIn.me.role : "viewer"));
}
