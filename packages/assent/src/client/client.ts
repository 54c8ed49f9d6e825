import type { Json } from "../core/index.ts";
import type {
  ApiAccepted,
  ApiAnswered,
  ApiAudit,
  ApiCreated,
  ApiCreation,
  ApiGrants,
  ApiInteraction,
  ApiInteractions,
  ApiLogin,
  ApiMe,
  ApiPrompt,
  ApiSessionDetail,
  ApiSessions,
  ApiSignedIn,
  ApiStop,
} from "../wire/api-types.ts";
import type { RecordedEvent } from "../wire/events.ts";
import { receivedEvent } from "../wire/received.ts";
import { type GivenAnswer, type RespondOptions, respond } from "./respond.ts";
import { ask, askText, type Place, type Result } from "./result.ts";
import type { StreamOptions } from "./stream.ts";
import { type Changed, type Watched, type WatchOptions, watchChanges, watchSession } from "./watching.ts";

/** Which part of a list. */
export type Paging = { readonly limit?: number; readonly offset?: number };
/** Events after that number, at most so many. */
export type Stretch = { readonly after?: number; readonly limit?: number };
/** A stretch of the events of a session; `newest` is the number of the last one there is. */
export type Events = { readonly events: readonly RecordedEvent[]; readonly newest: number };
/** It was done, and there is nothing to tell of it. */
export type Done = Readonly<Record<string, never>>;

/** The HTTP API of `assent serve`, one method for each of its calls (SRV-1). Nothing here throws: a failure is a result. */
export type ApiClient = {
  login(by: ApiLogin): Promise<Result<ApiSignedIn>>;
  logout(): Promise<Result<Done>>;
  me(): Promise<Result<ApiMe>>;
  sessions(paging?: Paging): Promise<Result<ApiSessions>>;
  create(creation: ApiCreation): Promise<Result<ApiCreated>>;
  session(session: string): Promise<Result<ApiSessionDetail>>;
  prompt(session: string, prompt: ApiPrompt): Promise<Result<ApiAccepted>>;
  stop(session: string, stop?: ApiStop): Promise<Result<ApiAccepted>>;
  events(session: string, stretch?: Stretch): Promise<Result<Events>>;
  watch(session: string, options?: WatchOptions): AsyncIterable<Watched>;
  changes(options?: StreamOptions): AsyncIterable<Changed>;
  interactions(paging?: Paging): Promise<Result<ApiInteractions>>;
  interaction(interaction: string): Promise<Result<ApiInteraction>>;
  /** What gets lost on its way is sent again, and counts once. */
  respond(interaction: string, answer: GivenAnswer, options?: RespondOptions): Promise<Result<ApiAnswered>>;
  /** A line as it would be typed (ANS-1). Sent once: nothing tells whether a line that got lost had arrived. */
  reply(interaction: string, line: string): Promise<Result<ApiAnswered>>;
  audit(session: string): Promise<Result<ApiAudit>>;
  grants(): Promise<Result<ApiGrants>>;
  removeGrant(grant: string, of?: { readonly session?: string }): Promise<Result<Done>>;
  schema(): Promise<Result<Json>>;
  openapi(): Promise<Result<Json>>;
  metrics(): Promise<Result<string>>;
  health(): Promise<Result<string>>;
};

/** A client of the server at that place. */
export function apiClient(place: Place): ApiClient {
  return { ...aboutMe(place), ...aboutSessions(place), ...aboutQuestions(place), ...aboutTheServer(place) };
}

function aboutMe(place: Place): Pick<ApiClient, "login" | "logout" | "me"> {
  return {
    login: (by) => ask(place, "/v1/login", { method: "POST", body: by }),
    logout: () => ask(place, "/v1/logout", { method: "POST", body: {} }),
    me: () => ask(place, "/v1/me"),
  };
}

function aboutSessions(
  place: Place,
): Pick<ApiClient, "sessions" | "create" | "session" | "prompt" | "stop" | "events" | "watch" | "changes" | "audit"> {
  return {
    sessions: (paging) => ask(place, `/v1/sessions${asked(paging)}`),
    create: (body) => ask(place, "/v1/sessions", { method: "POST", body }),
    session: (session) => ask(place, of(session)),
    prompt: (session, body) => ask(place, `${of(session)}/prompts`, { method: "POST", body }),
    stop: (session, body = {}) => ask(place, `${of(session)}/stop`, { method: "POST", body }),
    events: (session, stretch) => eventsOf(place, session, stretch),
    watch: (session, options) => watchSession(place, session, options),
    changes: (options) => watchChanges(place, options),
    audit: (session) => ask(place, `${of(session)}/audit`),
  };
}

function aboutQuestions(place: Place): Pick<ApiClient, "interactions" | "interaction" | "respond" | "reply"> {
  const one = (interaction: string): string => `/v1/interactions/${encodeURIComponent(interaction)}`;
  return {
    interactions: (paging) => ask(place, `/v1/interactions${asked(paging)}`),
    interaction: (interaction) => ask(place, one(interaction)),
    respond: (interaction, answer, options) => respond(place, interaction, answer, options),
    reply: (interaction, line) => ask(place, `${one(interaction)}/reply`, { method: "POST", body: { line } }),
  };
}

function aboutTheServer(
  place: Place,
): Pick<ApiClient, "grants" | "removeGrant" | "schema" | "openapi" | "metrics" | "health"> {
  return {
    grants: () => ask(place, "/v1/grants"),
    removeGrant: (grant, session = {}) =>
      ask(place, `/v1/grants/${encodeURIComponent(grant)}${asked(session)}`, { method: "DELETE" }),
    schema: () => ask(place, "/v1/schema"),
    openapi: () => ask(place, "/openapi.json"),
    metrics: () => askText(place, "/metrics"),
    health: () => askText(place, "/healthz"),
  };
}

async function eventsOf(place: Place, session: string, stretch: Stretch = {}): Promise<Result<Events>> {
  const path = `${of(session)}/events${asked(stretch)}`;
  const result = await ask<{ readonly events: readonly unknown[]; readonly newest: number }>(place, path);
  if (result.type !== "ok") return result;
  const events = result.value.events.map(receivedEvent).filter((event) => event !== null);
  return { type: "ok", value: { events, newest: result.value.newest } };
}

function of(session: string): string {
  return `/v1/sessions/${encodeURIComponent(session)}`;
}

function asked(given: Readonly<Record<string, string | number | undefined>> = {}): string {
  const pairs = Object.entries(given).filter(([, value]) => value !== undefined);
  if (pairs.length === 0) return "";
  return `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`).join("&")}`;
}
