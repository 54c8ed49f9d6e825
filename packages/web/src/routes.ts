import { useEffect, useState } from "preact/hooks";

export type Route =
  | { readonly name: "inbox" | "sessions" | "grants" | "new" }
  | { readonly name: "session" | "audit"; readonly session: string }
  | { readonly name: "unknown"; readonly path: string };

/** The part after `#`: the server has one page, and nothing of where in it a person is. */
export function routeOf(hash: string): Route {
  const path = hash.replace(/^#\/?/, "").replace(/\/$/, "");
  if (path === "") return { name: "inbox" };
  if (path === "sessions" || path === "grants" || path === "new") return { name: path };
  const [, session, rest] = /^sessions\/([^/]+)(?:\/(audit))?$/.exec(path) ?? [];
  if (session === undefined) return { name: "unknown", path };
  return { name: rest === undefined ? "session" : "audit", session: decoded(session) };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

export function sessionPath(session: string): string {
  return `#/sessions/${encodeURIComponent(session)}`;
}

export function useRoute(): Route {
  const [hash, setHash] = useState(location.hash);
  useEffect(() => {
    const onChange = (): void => setHash(location.hash);
    window.addEventListener("hashchange", onChange);
    return () => window.removeEventListener("hashchange", onChange);
  }, []);
  return routeOf(hash);
}
