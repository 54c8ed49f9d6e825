import { Hono } from "hono";
import type { Clock, Grants, SessionHost, SignIns, Tokens } from "../../runtime/index.ts";
import type { ApiCreation } from "../../wire/api.ts";
import type { Env } from "./env.ts";
import { grantRoutes } from "./grants.ts";
import { type Names, namesGuard, Rates, roleGuard, tokenGuard } from "./guard.ts";
import { interactionRoutes } from "./interactions.ts";
import { Metrics } from "./metrics.ts";
import { type Page, pageRoutes } from "./page.ts";
import { refuse, refuseFailed } from "./refusing.ts";
import { sessionRoutes } from "./sessions.ts";
import { signing } from "./signing.ts";
import { openStreams, type Streams } from "./streams.ts";

/** What the server is made of. */
export type Serving = {
  readonly host: SessionHost;
  readonly grants: Grants;
  readonly tokens: Tokens;
  readonly signIns: SignIns;
  readonly clock: Clock;
  readonly names: Names;
  /** The name of its cookie: browsers do not tell ports apart. */
  readonly cookie: string;
  /** A ticket that counts once, for the token it stands for; `null` for any other. */
  readonly redeem: (ticket: string) => string | null;
  /** Makes a session where and with what model that can be done. */
  readonly begin: (creation: ApiCreation) => Promise<Begun>;
  readonly page: Page;
  /** The published documents. */
  readonly documents: { readonly schema: () => string; readonly openapi: () => string };
  /** How many sessions are worked on here. */
  readonly held: () => number;
  /** What went wrong inside, for the log. */
  readonly onError: (error: unknown) => void;
};

export type Begun = { readonly session: string } | { readonly status: 400 | 404; readonly detail: string };

/** What the routes share. */
export type Routing = Serving & { readonly metrics: Metrics; readonly streams: Streams; readonly rates: Rates };

/** The API and the page, as one function from a request to an answer (SRV-1). */
export function openApp(serving: Serving): { readonly app: Hono<Env>; readonly streams: Streams } {
  const metrics = new Metrics();
  const streams = openStreams(serving.clock, (bearer) => serving.tokens.counting(bearer) !== null);
  const rates = new Rates(() => serving.clock.now());
  const routing: Routing = { ...serving, metrics, streams, rates };
  gauges(routing);
  const app = new Hono<Env>();
  app.use(async (c, next) => {
    await next();
    metrics.count("assent_http_responses_total", { status: c.res.status });
    for (const [name, value] of Object.entries(always)) c.res.headers.set(name, value);
  });
  app.use(namesGuard(serving.names));
  app.get("/healthz", (c) => c.json({ ok: true }));
  app.route("/", signing(routing));
  const guarded = tokenGuard(serving, rates);
  for (const path of ["/v1/*", "/metrics", "/openapi.json"]) app.use(path, guarded, noStore());
  app.on(["POST", "PUT", "PATCH", "DELETE"], "/v1/*", roleGuard("answerer"));
  app.get("/v1/me", (c) => {
    const { name, role } = c.get("bearer");
    return c.json({ name, role });
  });
  app.get("/metrics", (c) => c.text(metrics.text()));
  app.get("/openapi.json", (c) => c.body(serving.documents.openapi(), 200, json));
  app.get("/v1/schema", (c) => c.body(serving.documents.schema(), 200, json));
  app.route("/", sessionRoutes(routing));
  app.route("/", interactionRoutes(routing));
  app.route("/", grantRoutes(routing));
  app.route("/", pageRoutes(serving.page));
  app.notFound((c) => refuse(c, 404, "not_found", "there is nothing here"));
  app.onError((error, c) => {
    serving.onError(error);
    return refuseFailed(c, error);
  });
  return { app, streams };
}

const json = { "content-type": "application/json" };

/** Nothing from elsewhere, nothing inline, in no frame; and nobody guesses types or learns where a link came from. */
const always: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; " +
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
};

function noStore(): Parameters<Hono<Env>["use"]>[1] {
  return async (c, next) => {
    await next();
    c.res.headers.set("cache-control", "no-store");
  };
}

function gauges({ metrics, host, streams, held }: Routing): void {
  metrics.gauge("assent_resident_bytes", () => process.memoryUsage.rss());
  metrics.gauge("assent_uptime_seconds", () => Math.floor(process.uptime()));
  metrics.gauge("assent_sessions", () => host.overview().size);
  metrics.gauge("assent_sessions_worked_on", held);
  metrics.gauge("assent_interactions_open", () => host.questions({ offset: 0, most: 0 }).total);
  metrics.gauge("assent_streams", () => streams.count);
}
