import { type Context, Hono } from "hono";
import { isBlank } from "../../core/interaction/index.ts";
import type { Standing, Submitted } from "../../runtime/index.ts";
import { type ApiAccepted, type ApiAudit, type ApiSessions, apiCreation, apiPrompt, apiStop } from "../../wire/api.ts";
import { encodeEvent } from "../../wire/index.ts";
import type { Routing } from "./app.ts";
import { readBodyAs } from "./body.ts";
import type { Env } from "./env.ts";
import { personOf, roleGuard } from "./guard.ts";
import { numberIn, partOf } from "./paging.ts";
import { refuse, refuseAs } from "./refusing.ts";
import { bodyOf, changeEvents, sessionEvents } from "./stream.ts";
import { toldDamage, toldDetail, toldSession } from "./telling.ts";

/** How many events are told at once. */
const mostEvents = 1_000;

export function sessionRoutes(routing: Routing): Hono<Env> {
  const { host } = routing;
  const routes = new Hono<Env>();
  routes.get("/v1/sessions", (c) => listSessions(c, routing));
  routes.post("/v1/sessions", roleGuard("admin"), (c) => begin(c, routing));
  routes.get("/v1/changes", (c) => followAll(c, routing));
  // What is said of one session is said of one that there is.
  routes.use("/v1/sessions/:id/*", async (c, next) => (isKnown(c, routing) ? next() : unknown(c)));
  routes.get("/v1/sessions/:id", (c) => {
    const standing = host.overview().session(c.req.param("id"));
    return standing === null ? unknown(c) : c.json(toldDetail(standing, host.view(standing.session), host));
  });
  routes.get("/v1/sessions/:id/events", (c) => {
    const follows = (c.req.header("accept") ?? "").includes("text/event-stream");
    return follows ? followOne(c, routing) : listEvents(c, routing);
  });
  routes.get("/v1/sessions/:id/audit", (c) => {
    const session = c.req.param("id");
    const [check] = host.verify(session);
    const { events = 0, before = 0, head = null, breaks = [], more = 0 } = check ?? {};
    const chain = { events, before, head, breaks, more };
    return c.json({ session, records: host.audit(session, events), chain } satisfies ApiAudit);
  });
  routes.post("/v1/sessions/:id/prompts", roleGuard("admin"), async (c) => {
    const read = await readBodyAs(c, apiPrompt);
    if ("refused" in read) return read.refused;
    const { text, delivery = "now" } = read.value;
    return accepted(
      c,
      host.submit(c.req.param("id"), { type: "prompt", text, delivery, entry: "submitted", ...actingOf(c) }),
    );
  });
  routes.post("/v1/sessions/:id/stop", async (c) => {
    const read = await readBodyAs(c, apiStop);
    if ("refused" in read) return read.refused;
    const { mode = "graceful" } = read.value;
    return accepted(c, host.submit(c.req.param("id"), { type: "stop", mode, ...actingOf(c) }));
  });
  return routes;
}

function listSessions(c: Context<Env>, { host }: Routing): Response {
  const part = partOf(c);
  if ("reason" in part) return refuse(c, 400, "invalid_value", part.reason);
  const overview = host.overview();
  const newest = [...overview.sessions].sort((one, other) => other.changed - one.changed);
  const sessions = newest.slice(part.offset, part.offset + part.most).map((each) => toldSession(each, host));
  return c.json({ sessions, total: newest.length, damage: toldDamage(overview) } satisfies ApiSessions);
}

async function begin(c: Context<Env>, { host, begin: make }: Routing): Promise<Response> {
  const read = await readBodyAs(c, apiCreation);
  if ("refused" in read) return read.refused;
  const { name, prompt } = read.value;
  // Before anything is made: what is refused leaves nothing behind.
  if (prompt !== undefined && isBlank(prompt)) return refuse(c, 400, "blank_prompt", "the prompt is blank");
  if (name !== undefined && isBlank(name)) return refuse(c, 400, "invalid_name", "a name has a visible character");
  const made = await make(read.value);
  if ("status" in made) return refuse(c, made.status, "invalid_value", made.detail);
  const { session } = made;
  const acting = actingOf(c);
  const named = name === undefined ? null : host.submit(session, { type: "name", name, ...acting }).refusal;
  if (named !== null) return refuseAs(c, named);
  if (prompt === undefined) return c.json({ session });
  const { refusal } = host.submit(session, {
    ...{ type: "prompt", text: prompt, delivery: "now", entry: "submitted" },
    ...acting,
  });
  return refusal === null ? c.json({ session }) : refuseAs(c, refusal);
}

function listEvents(c: Context<Env>, { host }: Routing): Response {
  const session = c.req.param("id") ?? "";
  const after = numberIn(c, "after", { usual: 0 });
  const most = numberIn(c, "limit", { usual: mostEvents, most: mostEvents });
  if (typeof after === "object") return refuse(c, 400, "invalid_value", after.reason);
  if (typeof most === "object") return refuse(c, 400, "invalid_value", most.reason);
  const lines = host.events(session, { after, most }).map(encodeEvent);
  const newest = host.overview().session(session)?.events ?? 0;
  // They are JSON already.
  return c.body(`{"events":[${lines.join(",")}],"newest":${newest}}`, 200, { "content-type": "application/json" });
}

const streamed = { "content-type": "text/event-stream", "cache-control": "no-store", "x-accel-buffering": "no" };

function followOne(c: Context<Env>, { host, clock, streams }: Routing): Response {
  const last = c.req.header("last-event-id");
  const after = last !== undefined && /^\d{1,15}$/.test(last) ? Number(last) : numberIn(c, "after", { usual: 0 });
  if (typeof after === "object") return refuse(c, 400, "invalid_value", after.reason);
  if (isHead(c)) return c.body(null, 200, streamed);
  const session = c.req.param("id") ?? "";
  const newest = host.overview().session(session)?.events ?? 0;
  const watch = host.watch(session, { after });
  const free = streams.open(c.get("bearer").id, () => watch.close());
  if (free === null) {
    watch.close();
    return tooManyStreams(c);
  }
  const end = () => {
    free();
    watch.close();
  };
  return c.body(
    bodyOf(sessionEvents(watch, { clock, known: after >= newest ? newest : null }), clock, end),
    200,
    streamed,
  );
}

function followAll(c: Context<Env>, { host, clock, streams }: Routing): Response {
  if (isHead(c)) return c.body(null, 200, streamed);
  const ending = new AbortController();
  const free = streams.open(c.get("bearer").id, () => ending.abort());
  if (free === null) return tooManyStreams(c);
  const told = new Map<string, string>();
  const describe = (session: string) => {
    const standing = host.overview().session(session);
    // What is no milestone changes nothing of interest here.
    const sign = standing === null ? "" : signOf(standing);
    if (told.get(session) === sign) return null;
    if (standing === null) {
      told.delete(session);
      return { name: "gone", data: JSON.stringify({ session }) } as const;
    }
    told.set(session, sign);
    return { name: "session", data: JSON.stringify(toldSession(standing, host)) } as const;
  };
  const end = () => {
    free();
    ending.abort();
  };
  return c.body(bodyOf(changeEvents({ host, clock, describe, signal: ending.signal }), clock, end), 200, streamed);
}

/** Differs when a milestone has come. */
function signOf({ changed, asked, open, name }: Standing): string {
  return `${changed} ${asked[0]?.interaction ?? ""} ${open} ${name ?? ""}`;
}

/** Who wants no body would never let go of one. */
function isHead(c: Context<Env>): boolean {
  return c.req.method === "HEAD";
}

function isKnown(c: Context<Env>, { host }: Routing): boolean {
  return host.overview().session(c.req.param("id") ?? "") !== null;
}

function actingOf(c: Context<Env>) {
  return { by: personOf(c.get("bearer")), authority: "act" } as const;
}

function accepted(c: Context<Env>, { refusal, events }: Submitted): Response {
  if (refusal !== null) return refuseAs(c, refusal);
  return c.json({ accepted: true, seq: events.at(-1)?.seq ?? 0 } satisfies ApiAccepted);
}

function unknown(c: Context<Env>): Response {
  return refuse(c, 404, "no_session", "no session has this id");
}

function tooManyStreams(c: Context<Env>): Response {
  c.header("retry-after", "5");
  return refuse(c, 429, "too_many", "too many streams are open");
}
