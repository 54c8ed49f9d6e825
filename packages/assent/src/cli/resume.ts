import { exitCode, exitCodes, showText } from "../adapters/headless/index.ts";
import type { Session } from "../core/index.ts";
import { describeDamage, JournalError } from "../runtime/index.ts";
import { readFlags } from "./flags.ts";
import { followExchange, followFlags, waysOf } from "./follow.ts";
import { refuseInsideRun } from "./inside.ts";
import { findSession, modelName, openAssent } from "./open.ts";
import { stderr, stdout } from "./output.ts";

/** `assent resume`: goes on with an open exchange, or watches it while another process works on it (SESS-4). */
export async function resume(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, { options: followFlags, arguments: ["<session>"] });
  const refused = refuseInsideRun("go on with a session");
  if (refused !== null) return refused;
  const { host, useModel } = openAssent(waysOf(given));
  try {
    const { session } = findSession(host, given.arguments[0] ?? "");
    const state = host.view(session);
    const damage = host.damage(session);
    if (damage !== null) throw new JournalError("damaged", describeDamage(damage));
    if (state.exchange === null) return tellEnd(state, { json: given.has("json") });
    // What a person began without a model goes on without one.
    if (!state.exchange.entered) useModel(modelName(given.text("model"), state.model));
    const holder = host.holder(session);
    if (holder !== null && !given.has("json")) {
      stderr.write(`assent: process ${holder.pid} works on session ${session}; watching\n`);
    }
    // From the model's last reply on it can be seen what is going on.
    const { ordinal, since } = state.exchange;
    return await followExchange(host, { session, exchange: ordinal, after: since - 1, joins: true, given });
  } finally {
    await host.close();
  }
}

/** There is nothing to go on with: how the last exchange ended is told again, with its result and its exit code. */
function tellEnd({ id, status, lastEnding, lastResult }: Session, { json }: { readonly json: boolean }): number {
  const last = lastEnding === null ? "" : `; its last exchange ended: ${lastEnding.outcome}`;
  const what = status === "aborted" ? "is aborted" : "rests";
  stderr.write(`assent: session ${id} ${what}${last}; there is nothing to go on with\n`);
  if (lastEnding === null || lastResult === null) return exitCodes.done;
  const { text, refused } = lastResult;
  if (!json) stdout.write(showText(text));
  return exitCode({ ...lastEnding, ...(refused ? { refused } : {}) });
}
