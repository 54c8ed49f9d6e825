// Makes schema/openapi.json: the HTTP API as OpenAPI 3.1, from the schemas that check what goes over it (SRV-1).
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { GenericSchema } from "valibot";
import manifest from "../package.json" with { type: "json" };
import * as api from "../src/wire/api.ts";
import { interactionResponse } from "../src/wire/interaction.ts";
import { define } from "./schema.ts";

const file = join(import.meta.dirname, "..", "schema", "openapi.json");

const named: Readonly<Record<string, GenericSchema>> = {
  Error: api.apiError,
  Me: api.apiMe,
  Login: api.apiLogin,
  SignedIn: api.apiSignedIn,
  Sessions: api.apiSessions,
  SessionDetail: api.apiSessionDetail,
  Creation: api.apiCreation,
  Created: api.apiCreated,
  Prompt: api.apiPrompt,
  Stop: api.apiStop,
  Accepted: api.apiAccepted,
  Events: api.apiEvents,
  Interactions: api.apiInteractions,
  Interaction: api.apiInteraction,
  InteractionResponse: interactionResponse,
  Reply: api.apiReply,
  Answered: api.apiAnswered,
  Audit: api.apiAudit,
  Grants: api.apiGrants,
};

type Route = {
  readonly does: string;
  /** The least role; none where no token is needed. */
  readonly role?: "viewer" | "answerer" | "admin";
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** The name of the answer's schema, or its type where it is no JSON of ours. */
  readonly answer: string;
  readonly refusals?: Readonly<Record<number, string>>;
};

const paging = { limit: "how many, at most 1000 (100)", offset: "how many to pass over (0)" };
const answering = {
  400: "malformed, or more than one answer field: costs no attempt",
  403: "a token that may only look",
  404: "unknown",
  409: "it has ended already; `winner` tells how, by whom and when",
  410: "its time has passed",
  413: "the body is larger than 1 MiB",
  422: "not an answer to this question; `attempt` tells which of four, `aborted` that it was the last",
  423: "`not_as_recorded`: somebody has changed the store; nothing was done, and the question stands as before",
  429: "too many requests",
};

/** Every route of the server but the page's files. */
export const routes: Readonly<Record<string, Route>> = {
  "GET /healthz": { does: "Whether the server runs.", answer: "object" },
  "POST /v1/login": {
    does: "A token or a ticket against a cookie; bound to a key, it counts only with that in `x-assent-key`.",
    body: "Login",
    answer: "SignedIn",
    refusals: { 401: "unknown" },
  },
  "POST /v1/logout": { does: "The cookie goes.", answer: "object" },
  "GET /v1/me": { does: "Whose token it is.", role: "viewer", answer: "Me" },
  "GET /v1/sessions": {
    does: "All sessions, the one that changed last first.",
    role: "viewer",
    query: paging,
    answer: "Sessions",
  },
  "POST /v1/sessions": { does: "A new session.", role: "admin", body: "Creation", answer: "Created" },
  "GET /v1/sessions/{id}": {
    does: "One session.",
    role: "viewer",
    answer: "SessionDetail",
    refusals: { 404: "unknown" },
  },
  "POST /v1/sessions/{id}/prompts": {
    does: "A prompt; while an exchange is open it steers that one.",
    role: "admin",
    body: "Prompt",
    answer: "Accepted",
    refusals: { 404: "unknown", 409: "the session takes none" },
  },
  "POST /v1/sessions/{id}/stop": {
    does: "Ends the open exchange; `kill` also ends what runs.",
    role: "answerer",
    body: "Stop",
    answer: "Accepted",
    refusals: { 404: "unknown", 409: "nothing is open" },
  },
  "GET /v1/sessions/{id}/events": {
    does: "Recorded events; with `Accept: text/event-stream` also every new one, and what is live.",
    role: "viewer",
    query: {
      after: "the number of the last event that is known (0)",
      limit: "how many, at most 1000; not of a stream",
    },
    headers: { "Last-Event-ID": "as `after`, of a stream" },
    answer: "Events",
    refusals: { 404: "unknown", 429: "too many streams" },
  },
  "GET /v1/sessions/{id}/audit": {
    does: "Its calls: who or what decided on each, and what came of it.",
    role: "viewer",
    answer: "Audit",
    refusals: { 404: "unknown" },
  },
  "GET /v1/changes": {
    does: "A stream: every session that comes to a milestone, from now on, as `session`; one that is deleted as `gone`.",
    role: "viewer",
    answer: "text/event-stream",
    refusals: { 429: "too many streams" },
  },
  "GET /v1/interactions": {
    does: "Every question that is not closed, the oldest first.",
    role: "viewer",
    query: { state: "open", ...paging },
    answer: "Interactions",
  },
  "GET /v1/interactions/{id}": {
    does: "One question, whatever became of it.",
    role: "viewer",
    answer: "Interaction",
    refusals: { 404: "unknown" },
  },
  "POST /v1/interactions/{id}/response": {
    does: "An answer. The first wins; the same again is accepted without effect.",
    role: "answerer",
    headers: { "Idempotency-Key": "as `answer_id`" },
    body: "InteractionResponse",
    answer: "Answered",
    refusals: answering,
  },
  "POST /v1/interactions/{id}/reply": {
    does: "An answer as if typed at the question.",
    role: "answerer",
    body: "Reply",
    answer: "Answered",
    refusals: answering,
  },
  "GET /v1/grants": { does: "What people granted for longer than a session.", role: "viewer", answer: "Grants" },
  "DELETE /v1/grants/{id}": {
    does: "Takes a grant back.",
    role: "admin",
    query: { session: "the session for which it was granted, where it was for one" },
    answer: "object",
    refusals: { 404: "unknown" },
  },
  "GET /v1/schema": { does: "The JSON Schema of questions and answers.", role: "viewer", answer: "object" },
  "GET /openapi.json": { does: "This document.", role: "viewer", answer: "object" },
  "GET /metrics": { does: "Numbers, in the text form of Prometheus.", role: "viewer", answer: "text/plain" },
};

export function openapi(): string {
  const document = {
    openapi: "3.1.0",
    info: {
      title: "Assent",
      version: manifest.version,
      license: { name: manifest.license, identifier: manifest.license },
    },
    servers: [{ url: "http://127.0.0.1:4815" }],
    security: [{ token: [] }, { cookie: [] }],
    paths: paths(),
    components: {
      securitySchemes: {
        token: { type: "http", scheme: "bearer" },
        cookie: { type: "apiKey", in: "cookie", name: "assent_4815" },
      },
      schemas: Object.fromEntries(Object.entries(named).map(([name, schema]) => [name, define(schema)])),
    },
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}

function paths(): Readonly<Record<string, object>> {
  const found: Record<string, Record<string, object>> = {};
  for (const [key, route] of Object.entries(routes)) {
    const [method = "", path = ""] = key.split(" ");
    found[path] = { ...found[path], [method.toLowerCase()]: operation(path, route) };
  }
  return found;
}

function operation(path: string, { does, role, query = {}, headers = {}, body, answer, refusals = {} }: Route) {
  const places = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => ({
    name,
    in: "path",
    required: true,
    schema: text,
  }));
  const guarded = role === undefined ? {} : { 401: "no token", ...(role === "viewer" ? {} : { 403: "another role" }) };
  const all = Object.entries({ ...(body === undefined ? {} : { 400: "malformed" }), ...guarded, ...refusals });
  return {
    summary: role === undefined || role === "viewer" ? does : `${does} For ${role}s.`,
    ...(role === undefined ? { security: [] } : {}),
    parameters: [...places, ...parameters("query", query), ...parameters("header", headers)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: content(body) } }),
    responses: {
      200: { description: "accepted", content: content(answer) },
      ...Object.fromEntries(all.map(([status, description]) => [status, { description, content: content("Error") }])),
    },
  };
}

const text = { type: "string" };

function parameters(where: "query" | "header", given: Readonly<Record<string, string>>) {
  return Object.entries(given).map(([name, description]) => ({ name, in: where, description, schema: text }));
}

function content(name: string) {
  if (name.includes("/")) return { [name]: { schema: text } };
  return {
    "application/json": { schema: name === "object" ? { type: "object" } : { $ref: `#/components/schemas/${name}` } },
  };
}

if (import.meta.main) writeFileSync(file, openapi());
