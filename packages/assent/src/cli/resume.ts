import { exitCode, exitCodes, showText } from "../adapters/headless/index.ts";
import type { Session } from "../core/index.ts";
import { describeDamage, JournalError } from "../runtime/index.ts";
import { describeOutcome, forkFor, plainLines, promptFor, saidLastFailure, saidPrompt } from "../show/index.ts";
import { openSurrounded, type Surrounded } from "./around.ts";
import { type Given, readFlags, UsageError } from "./flags.ts";
import { waysOf } from "./follow.ts";
import { refuseInsideRun } from "./inside.ts";
import { followAll } from "./launched.ts";
import { findSession, modelName, newestHere, person } from "./open.ts";
import { stderr, stdout } from "./output.ts";
import { resumeSpec } from "./specs/following.ts";

/** `assent resume`: goes on with an open exchange, or watches it while another process works on it (SESS-4). */
export async function resume(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, resumeSpec);
  const refused = refuseInsideRun("go on with a session");
  if (refused !== null) return refused;
  const assent = openSurrounded(waysOf(given));
  const { host } = assent;
  try {
    const [typed] = given.arguments;
    const session = typed === undefined ? newestHere(host) : findSession(host, typed).session;
    const state = host.view(session);
    const damage = host.damage(session);
    if (damage !== null) throw new JournalError("damaged", describeDamage(damage));
    if (state.exchange === null && state.failed !== null) {
      const code = await takeUp(assent, state, given);
      if (code !== null) return code;
    }
    return await goOn(assent, session, given);
  } finally {
    await host.close();
  }
}

async function goOn(assent: Surrounded, session: string, given: Given): Promise<number> {
  const { host, useModel } = assent;
  const state = host.view(session);
  const named = given.text("model");
  if (state.exchange === null) {
    // Nobody is asked, but a model that there is not is a slip all the same.
    if (named !== undefined) await modelName(named, state.model);
    return tellEnd(state, { json: given.has("json") });
  }
  // What a person began without a model goes on without one.
  if (!state.exchange.entered) useModel(await modelName(named, state.model), given.has("model"));
  const holder = host.holder(session);
  if (holder !== null && !given.has("json")) {
    stderr.write(`assent: process ${holder.pid} works on session ${session}; watching\n`);
  }
  // From the model's last reply on it can be seen what is going on.
  const { ordinal, since } = state.exchange;
  return await followAll(assent, { session, exchange: ordinal, after: since - 1, joins: true, given });
}

/** The model failed in the last exchange: what was wrong is told again, and it goes on from there (SEL-10, SESS-3). */
async function takeUp(assent: Surrounded, state: Session, given: Given): Promise<number | null> {
  const { host, useModel } = assent;
  const { id: session, failed, seq } = state;
  if (failed === null) return exitCodes.done;
  stderr.write(plainLines([...saidPrompt(failed.prompt), ...saidLastFailure(failed.failure, session)]));
  useModel(await modelName(given.text("model"), state.model), given.has("model"));
  const { events, refusal } = host.submit(session, { type: "resumption", by: person("resume"), authority: "act" });
  // Another process has just done so: it can be watched.
  if (refusal?.code === "exchange_open") return null;
  if (refusal?.code === "not_as_recorded") throw new JournalError(refusal.code, refusal.detail, session);
  const started = events.find(({ event }) => event.type === "exchange.started")?.event;
  if (refusal !== null || started?.type !== "exchange.started") {
    throw new UsageError(refusal?.detail ?? `session ${session} did not go on`);
  }
  return followAll(assent, { session, exchange: started.exchange, after: seq, joins: false, given });
}

/** There is nothing to go on with: how the last exchange ended is told again, with its result and its exit code. */
function tellEnd({ id, status, lastEnding, lastResult }: Session, { json }: { readonly json: boolean }): number {
  const last = lastEnding === null ? "" : `; its last exchange ended: ${describeOutcome(lastEnding)}`;
  const goesOn = (lastEnding && promptFor(id, lastEnding)) || "there is nothing to go on with";
  const [what, way] = status === "aborted" ? ["is aborted", forkFor(id)] : ["rests", goesOn];
  stderr.write(`assent: session ${id} ${what}${last}; ${way}\n`);
  if (lastEnding === null || lastResult === null) return exitCodes.done;
  const { text, refused } = lastResult;
  if (!json) stdout.write(showText(text));
  return exitCode({ ...lastEnding, ...(refused ? { refused } : {}) });
}
