import type { Role } from "../../src/wire/token.ts";

/** Every route but the page's: the least role that gets past its guard, and what it says to who may. */
export type GuardedRoute = {
  readonly route: string;
  /** `null`: no token is needed. */
  readonly least: Role | null;
  readonly body?: object;
  /** The status for a bearer who may, of what is not there or not right: nothing is changed. */
  readonly status: number;
};

export const guardedRoutes: readonly GuardedRoute[] = [
  { route: "GET /healthz", least: null, status: 200 },
  { route: "POST /v1/login", least: null, body: { token: "none" }, status: 401 },
  { route: "POST /v1/logout", least: null, status: 200 },
  { route: "GET /v1/me", least: "viewer", status: 200 },
  { route: "GET /v1/sessions", least: "viewer", status: 200 },
  { route: "POST /v1/sessions", least: "admin", body: { cwd: "/no/such/folder" }, status: 400 },
  { route: "GET /v1/sessions/:session", least: "viewer", status: 200 },
  { route: "POST /v1/sessions/:session/prompts", least: "admin", body: { text: 5 }, status: 400 },
  { route: "POST /v1/sessions/:session/stop", least: "answerer", body: { mode: 5 }, status: 400 },
  { route: "GET /v1/sessions/:session/events", least: "viewer", status: 200 },
  { route: "GET /v1/sessions/:session/audit", least: "viewer", status: 200 },
  { route: "GET /v1/changes", least: "viewer", status: 200 },
  { route: "GET /v1/interactions", least: "viewer", status: 200 },
  { route: "GET /v1/interactions/none-1", least: "viewer", status: 404 },
  {
    ...{ route: "POST /v1/interactions/none-1/response", least: "answerer" },
    ...{ body: { confirmed: true }, status: 404 },
  },
  { route: "POST /v1/interactions/none-1/reply", least: "answerer", body: { line: "1" }, status: 404 },
  { route: "GET /v1/grants", least: "viewer", status: 200 },
  { route: "DELETE /v1/grants/none", least: "admin", status: 404 },
  { route: "GET /v1/schema", least: "viewer", status: 200 },
  { route: "GET /openapi.json", least: "viewer", status: 200 },
  { route: "GET /metrics", least: "viewer", status: 200 },
];
