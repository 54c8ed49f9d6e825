import { exitCodes } from "../adapters/headless/index.ts";
import { renderBlock, visibleText } from "../core/index.ts";
import { type Damage, describeDamage } from "../runtime/index.ts";
import { plainLines, saidSubject } from "../show/index.ts";
import { sessionLine, sessionState } from "../slash/index.ts";
import { readFlags } from "./flags.ts";
import { refuseInsideRun } from "./inside.ts";
import { findSession, openAssent } from "./open.ts";
import { stderr, stdout } from "./output.ts";
import { outputFolder } from "./places.ts";
import { questionsSpec, sessionsSpec } from "./specs/sessions.ts";

/** `assent sessions`: every session, the one that changed last at the end; or `sessions delete`. */
export async function sessions(argv: readonly string[]): Promise<number> {
  if (argv[0] === "delete") return remove(argv.slice(1));
  const json = readFlags(argv, sessionsSpec).has("json");
  const { host } = openAssent();
  try {
    const { sessions: found, damage } = host.sessions();
    const damaged = new Set(damage.map(({ session }) => session));
    for (const each of found) {
      const state = damaged.has(each.session) ? "damaged" : sessionState(each);
      stdout.write(`${json ? JSON.stringify({ ...each, state }) : sessionLine(each, state)}\n`);
    }
    if (found.length === 0 && !json) stderr.write("assent: no sessions yet\n");
    return tellDamage(damage);
  } finally {
    await host.close();
  }
}

/** `assent sessions delete`: its events, its secrets and the outputs that it kept (TERM-3). */
async function remove(argv: readonly string[]): Promise<number> {
  const given = readFlags(argv, sessionsSpec.parts.delete);
  const refused = refuseInsideRun("delete a session");
  if (refused !== null) return refused;
  const { host } = openAssent();
  try {
    const { session } = findSession(host, given.arguments[0] ?? "");
    const holder = host.holder(session);
    if (holder !== null) {
      stderr.write(`assent: process ${holder.pid} works on session ${session}; stop it first\n`);
      return exitCodes.refused;
    }
    const { endLeftovers, removeSpills } = await import("../terminal/index.ts");
    // What a process that died left running would be known to nobody.
    await endLeftovers(session);
    removeSpills(outputFolder(), session);
    host.remove(session);
    stderr.write(`assent: session ${session} is deleted\n`);
    return exitCodes.done;
  } finally {
    await host.close();
  }
}

/** `assent pending`: every question that waits for an answer, whatever process asked it. */
export async function questions(argv: readonly string[]): Promise<number> {
  const json = readFlags(argv, questionsSpec).has("json");
  const { host } = openAssent();
  try {
    const { open, damage } = host.interactions();
    for (const { session, at, request } of open) {
      const since = new Date(at).toISOString();
      const about = plainLines(saidSubject(request));
      const text = `${request.interaction_id}  since ${since}\n${about}${visibleText(renderBlock(request))}\n`;
      stdout.write(json ? `${JSON.stringify({ session, at, request })}\n` : `${text}\n`);
    }
    if (open.length === 0 && !json) stderr.write("assent: no question waits\n");
    return tellDamage(damage);
  } finally {
    await host.close();
  }
}

function tellDamage(damage: readonly Damage[]): number {
  for (const each of damage) stderr.write(`assent: ${describeDamage(each)}\n`);
  return damage.length === 0 ? 0 : 1;
}
