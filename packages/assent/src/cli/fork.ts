import { exitCodes } from "../adapters/headless/index.ts";
import type { Session } from "../core/index.ts";
import { describeDamage } from "../runtime/index.ts";
import { describeBreaks } from "../show/index.ts";
import { readFlags } from "./flags.ts";
import { refuseInsideRun } from "./inside.ts";
import { findSession, made, newestHere, openAssent } from "./open.ts";
import { stderr, stdout } from "./output.ts";
import { forkSpec } from "./specs/sessions.ts";

/** `assent fork`: a new session that goes on where another one is, also where that one takes no more (LIM-1, SESS-3). */
export async function fork(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, forkSpec);
  const refused = refuseInsideRun("fork a session");
  if (refused !== null) return refused;
  const { host } = openAssent();
  try {
    const [typed] = given.arguments;
    const origin = typed === undefined ? newestHere(host) : findSession(host, typed).session;
    const damage = host.damage(origin);
    // What can be read of it is taken along.
    if (damage !== null) stderr.write(`assent: ${describeDamage(damage)}\n`);
    const breaks = host.breaks(origin);
    if (breaks.length > 0) stderr.write(`assent: ${describeBreaks(origin, breaks)}\n`);
    const session = made(host.fork(origin));
    stdout.write(`${session}\n`);
    stderr.write(
      `assent: session ${session} begins where ${origin} is: assent run --session ${session} <prompt>, ` +
        `or assent --session ${session}, goes on${describeLimit(host.view(origin))}\n`,
    );
    return exitCodes.done;
  } finally {
    await host.close();
  }
}

/** Where it was the limit that ended the other one: the new one has the same. */
function describeLimit({ lastEnding, limits: { turns } }: Session): string {
  if (lastEnding?.outcome !== "turn-limit") return "";
  return `; after ${turns} ${turns === 1 ? "turn" : "turns"} you are asked again, unless --max-turns says otherwise`;
}
