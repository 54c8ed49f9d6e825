import { userInfo } from "node:os";
import { afterAll, beforeAll, expect, test } from "vitest";
import { jsonLines, needsTerminal, noTerminal, Place, terminal } from "../e2e/product.ts";
import { verifies } from "../requirements/verifies.ts";
import { Random } from "../simulation/random.ts";
import { cookieFor, done, eventually, recorded, Served, scriptAt, tokenFor } from "./served.ts";

/** `RACES=1000 npx vitest run http/races` runs more rounds; `RACE_SEED=<seed>` mixes them anew. */
const rounds = Number(process.env["RACES"] ?? 20);
const random = new Random(Number(process.env["RACE_SEED"] ?? 1));
const answersARound = 50;
/** In so many rounds a person at a terminal answers too: each takes a second. */
const terminalRounds = noTerminal ? 0 : Math.max(2, Math.floor(rounds / 100));

const place = new Place([], {}, afterAll);
let served: Served;
let ann: string;
let cookie: string;
beforeAll(async () => {
  served = await Served.at(place);
  ann = tokenFor(place, "Ann");
  cookie = await cookieFor(served, ann);
});

type Winner = {
  readonly by: { readonly name: string; readonly adapter: string };
  readonly response: { readonly answer_id?: string };
};
/** What one who answered was told. */
type Told =
  | { readonly type: "accepted"; readonly key: string; readonly yes: boolean }
  | { readonly type: "late"; readonly winner: Winner }
  | { readonly type: "odd"; readonly what: unknown };

type Answering = { readonly id: string; readonly nth: number };

function bodyOf({ id, nth }: Answering) {
  const yes = nth % 2 === 0;
  return { yes, key: `k${nth}`, body: { interaction_id: id, confirmed: yes, answer_id: `k${nth}` } };
}

async function overHttp(answering: Answering, way: "bearer" | "page"): Promise<Told> {
  const { yes, key, body } = bodyOf(answering);
  const request = way === "bearer" ? { token: ann } : { token: null, headers: { cookie, origin: served.url } };
  const said = await served.respond(answering.id, body, request);
  if (said.status === 200 && said.body.replayed === false) return { type: "accepted", key, yes };
  if (said.status === 409 && said.body.error.code === "already_resolved") {
    return { type: "late", winner: said.body.error.winner };
  }
  return { type: "odd", what: said };
}

async function byCommand(answering: Answering): Promise<Told> {
  const { yes, key, body } = bodyOf(answering);
  const running = place.start(["answer", "-"]);
  running.type(JSON.stringify(body));
  running.endInput();
  await running.ended;
  const [said] = jsonLines<{ accepted: boolean; code?: string; winner?: Winner }>(running.output);
  if (said?.accepted) return { type: "accepted", key, yes };
  if (said?.code === "already_resolved" && said.winner !== undefined) return { type: "late", winner: said.winner };
  return { type: "odd", what: running.output };
}

/** All at once, but for the command, whose start takes longer than all the others. */
async function race(id: string, round: number): Promise<readonly Told[]> {
  const command = byCommand({ id, nth: 0 });
  await new Promise((resolve) => setTimeout(resolve, random.below(250)));
  const others = Array.from({ length: answersARound - 1 }, (_, index) =>
    overHttp({ id, nth: index + 1 }, (index + round) % 3 === 0 ? "page" : "bearer"),
  );
  return await Promise.all([command, ...others]);
}

/** How it was decided, as it is recorded; it must have been decided once. */
function decisionIn(session: string) {
  const resolved = recorded(place, session).flatMap(({ event }) =>
    event.type === "interaction.resolved" && "by" in event && "response" in event ? [event] : [],
  );
  expect(resolved).toHaveLength(1);
  const [decision] = resolved;
  if (decision === undefined) throw new Error("nothing was decided");
  return decision;
}

/** One was accepted, unless it was typed; all the others name the one that is recorded; and what followed, followed once. */
function judge(session: string, told: readonly Told[], file: string): string {
  expect(told.filter(({ type }) => type === "odd")).toEqual([]);
  const { by, response, state } = decisionIn(session);
  const accepted = told.flatMap((each) => (each.type === "accepted" ? [each] : []));
  const isTyped = response.answer_id === undefined;
  expect(accepted.map(({ key, yes }) => ({ key, yes }))).toEqual(
    isTyped ? [] : [{ key: response.answer_id, yes: state === "answered" }],
  );
  const winners = told.flatMap((each) => (each.type === "late" ? [each.winner] : []));
  expect(winners).toHaveLength(told.length - accepted.length);
  for (const winner of winners) expect(winner).toMatchObject({ by, response });
  expect(place.read(file)).toBe(state === "answered" ? "x\n" : "");
  return by.adapter;
}

const named = `in ${rounds} rounds of ${answersARound} answers one is accepted, the others are told whose, and one thing follows`;
verifies(
  ["INT-6a", "SRV-2d"],
  named,
  async () => {
    const adapters = new Set<string>();
    for (let round = 0; round < rounds; round++) {
      const file = `count-${round}`;
      const { session, id } = await served.asked([terminal(`rm -rf none; echo x >> ${file}`), done]);
      const told = await race(id, round);
      await served.outcome(session);
      adapters.add(judge(session, told, file));
    }
    for (const adapter of adapters) expect(["http", "page", "answer"]).toContain(adapter);
    expect(adapters.size).toBeGreaterThan(1);
  },
  120_000 + rounds * 3_000,
);

verifies(
  ["INT-6a", "INT-6c"],
  `in ${terminalRounds} rounds also a person at the terminal that asks answers${needsTerminal}`,
  async () => {
    for (let round = 0; round < terminalRounds; round++) {
      const file = `typed-${round}`;
      const model = scriptAt(place, [terminal(`rm -rf none; echo x >> ${file}`), done]);
      const run = place.startInTerminal(["run", "--model", model, "go"]);
      await run.shows("2) No");
      const { request, session } = await eventually("it is listed", async () => {
        const { body } = await served.call("/v1/interactions");
        return body.interactions[0];
      });
      const typing = run.answer("1");
      // Keys count from a moment after the question on: that is when the others answer.
      await new Promise((resolve) => setTimeout(resolve, 450 + random.below(300)));
      const told = await race(request.interaction_id, round);
      await typing;
      await run.ended;
      const winner = judge(session, told, file);
      if (!winner.startsWith("terminal"))
        expect(run.output).toMatch(/(answered|declined) by (Ann|\S+) in (http|page|answer)/);
      else expect(decisionIn(session).by.name).toBe(userInfo().username);
    }
  },
  120_000 + terminalRounds * 5_000,
);

test("the same answer sent ten times at once is accepted ten times and counts once", async () => {
  for (let round = 0; round < 5; round++) {
    const file = `same-${round}`;
    const { session, id } = await served.asked([terminal(`rm -rf none; echo x >> ${file}`), done]);
    const body = { confirmed: true, answer_id: "same" };
    const said = await Promise.all(Array.from({ length: 10 }, () => served.respond(id, body, { token: ann })));
    expect(said.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(said.filter((each) => !each.body.replayed)).toHaveLength(1);
    expect(await served.outcome(session)).toBe("answered");
    expect(decisionIn(session).response.answer_id).toBe("same");
    expect(place.read(file)).toBe("x\n");
  }
});
