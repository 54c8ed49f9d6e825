import { type Context, Hono } from "hono";
import { renderBlock } from "../../core/interaction/index.ts";
import { digestOf, type SessionHost, type Submitted } from "../../runtime/index.ts";
import { type ApiAnswered, type ApiInteractions, apiReply } from "../../wire/api.ts";
import { readResponse } from "../../wire/index.ts";
import type { Routing } from "./app.ts";
import { readBody, readBodyAs } from "./body.ts";
import type { Env } from "./env.ts";
import { personOf } from "./guard.ts";
import { partOf } from "./paging.ts";
import { refuse, refuseAs } from "./refusing.ts";
import { toldDamage, toldQuestion } from "./telling.ts";

/** Every question to a person, and its answer (INT-1). */
export function interactionRoutes({ host, metrics }: Routing): Hono<Env> {
  const routes = new Hono<Env>();
  routes.get("/v1/interactions", (c) => {
    const state = c.req.query("state") ?? "open";
    if (state !== "open") {
      return refuse(c, 400, "invalid_value", `state: expected open, found ${JSON.stringify(state)}`);
    }
    const part = partOf(c);
    if ("reason" in part) return refuse(c, 400, "invalid_value", part.reason);
    const { questions, total } = host.questions(part);
    const overview = host.overview();
    const interactions = questions.map((each) => toldQuestion(each, overview.session(each.session)));
    return c.json({ interactions, total, damage: toldDamage(overview) } satisfies ApiInteractions);
  });
  routes.get("/v1/interactions/:id", (c) => {
    const found = host.question(c.req.param("id"), { dated: true });
    if (found === null) return unknown(c);
    return c.json(toldQuestion(found, host.overview().session(found.session)));
  });
  routes.post("/v1/interactions/:id/response", async (c) => {
    const body = await readBody(c);
    if ("refused" in body) return body.refused;
    const answer = respond(c, host, body.value);
    metrics.count("assent_answers_total", { status: answer.status });
    return answer;
  });
  routes.post("/v1/interactions/:id/reply", async (c) => {
    const read = await readBodyAs(c, apiReply);
    if ("refused" in read) return read.refused;
    const interaction = c.req.param("id");
    const acting = actingOn(c, host, interaction);
    if (acting === null) return unknown(c);
    const { session, ...by } = acting;
    const { line } = read.value;
    const answer = answered(c, host.submit(session, { type: "reply", interaction, line, ...by }));
    metrics.count("assent_answers_total", { status: answer.status });
    return answer;
  });
  return routes;
}

/** A response in wire form; whose answer it is repeated is told by its `answer_id`, or by the header that is made for that. */
function respond(c: Context<Env>, host: SessionHost, given: unknown): Response {
  const interaction = c.req.param("id") ?? "";
  const key = c.req.header("idempotency-key") || undefined;
  const isObject = typeof given === "object" && given !== null && !Array.isArray(given);
  const named = isObject ? { interaction_id: interaction, ...given } : given;
  const read = readResponse(named);
  if (read.type === "refused") return refuse(c, 400, read.refusal.code, read.refusal.detail);
  const response =
    key === undefined || read.value.answer_id !== undefined ? read.value : { ...read.value, answer_id: key };
  if (key !== undefined && response.answer_id !== key) {
    return refuse(c, 400, "contradiction", "answer_id and Idempotency-Key disagree");
  }
  if (response.interaction_id !== interaction) {
    return refuse(c, 400, "contradiction", "interaction_id names another interaction than the address");
  }
  const acting = actingOn(c, host, interaction);
  if (acting === null) return unknown(c);
  const { session, ...by } = acting;
  return answered(c, host.submit(session, { type: "response", response, ...by }));
}

/** Who answers, and what they were shown: the page shows what is stored, of programs nobody knows (INT-10). */
function actingOn(c: Context<Env>, host: SessionHost, interaction: string) {
  const found = host.question(interaction);
  if (found === null) return null;
  const bearer = c.get("bearer");
  const shown = bearer.via === "page" ? digestOf(renderBlock(found.request)) : null;
  return { session: found.session, by: personOf(bearer), authority: "act", shown } as const;
}

function answered(c: Context<Env>, { refusal, events }: Submitted): Response {
  if (refusal !== null) return refuseAs(c, refusal);
  const seq = events.at(-1)?.seq ?? 0;
  return c.json({ accepted: true, replayed: events.length === 0, seq } satisfies ApiAnswered);
}

function unknown(c: Context<Env>): Response {
  return refuse(c, 404, "unknown_interaction", "no interaction has this id");
}
