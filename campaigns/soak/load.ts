/** What people and programs do with a server all day: begin, ask, answer, watch, leave and stop. */
import { setTimeout as sleep } from "node:timers/promises";
import type { ScriptEntry } from "../../packages/assent/src/testing/index.ts";
import type { Served } from "../../packages/assent/test/http/served.ts";
import { Streamed } from "../../packages/assent/test/http/streamed.ts";
import type { Random } from "../../packages/assent/test/simulation/random.ts";

export type Counts = { sessions: number; exchanges: number; answers: number; stops: number; watched: number };

/** What the model says, whoever asks: a command, a command to be asked about, a question, or the end of an exchange. */
export function replies(random: Random, count: number): readonly ScriptEntry[] {
  const call = (tool: string, given: Readonly<Record<string, string | readonly string[]>>) => ({
    calls: [{ tool, arguments: { ...given } }],
  });
  return Array.from({ length: count }, (_, number): ScriptEntry => {
    const kind = random.weighted({ text: 4, command: 4, asked: 2, question: 1 });
    if (kind === "command") return call("terminal", { command: `echo ${number} ${"y".repeat(random.below(2_000))}` });
    if (kind === "asked") return call("terminal", { command: `rm -rf none-${number}; echo ${number}` });
    if (kind === "question") return call("ask", { question: `Which, ${number}?`, options: ["This", "That"] });
    return { text: `Done ${number}. ${"Words. ".repeat(random.below(100))}` };
  });
}

export type Busy = { readonly counts: Counts; readonly random: Random; readonly isOver: () => boolean };

/** One person after another, until it is over; each looks as long as their session has something to do. */
export async function keepBusy(served: Served, busy: Busy): Promise<void> {
  const { counts, random, isOver } = busy;
  while (!isOver()) {
    const { body } = await served.call("/v1/sessions", { body: { prompt: "go" } });
    counts.sessions += 1;
    counts.exchanges += 1;
    const watching = random.chance(0.5) ? await Streamed.of(served, `/v1/sessions/${body.session}/events`) : null;
    if (watching !== null) counts.watched += 1;
    await visit(served, body.session, busy);
    // Some leave as soon as it rests, some while it goes on.
    if (random.chance(0.5)) watching?.close();
    await visit(served, body.session, busy);
    watching?.close();
    await sleep(random.below(200));
  }
}

/** A few prompts, answered to their ends or stopped. */
async function visit(served: Served, session: string, busy: Busy): Promise<void> {
  const { counts, random, isOver } = busy;
  for (let prompts = random.below(3); ; prompts--) {
    if (random.chance(0.15)) await stop(served, session, counts);
    await restOf(served, session, busy);
    if (prompts === 0 || isOver()) return;
    const { status } = await served.call(`/v1/sessions/${session}/prompts`, { body: { text: "again" } });
    // A "no" at the turn limit was the end of it.
    if (status !== 200) return;
    counts.exchanges += 1;
  }
}

async function stop(served: Served, session: string, counts: Counts): Promise<void> {
  const { status } = await served.call(`/v1/sessions/${session}/stop`, { body: { mode: "graceful" } });
  if (status === 200) counts.stops += 1;
}

/** Answers what is asked until the exchange has ended. */
async function restOf(served: Served, session: string, busy: Busy): Promise<void> {
  for (let tries = 0; tries < 2_000; tries++) {
    const { body } = await served.call(`/v1/sessions/${session}`);
    if (typeof body.interaction === "string") await answer(served, body.interaction, busy);
    else if (body.exchange === null) return;
    await sleep(20);
  }
  throw new Error(`waited in vain until session ${session} rests`);
}

/** By the number of an option, as it would be typed. */
async function answer(served: Served, id: string, { counts, random }: Busy): Promise<void> {
  const { status } = await served.call(`/v1/interactions/${id}/reply`, {
    body: { line: random.chance(0.7) ? "1" : "2" },
  });
  if (status === 200) counts.answers += 1;
}
