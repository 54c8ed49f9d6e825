import { renderBlock, visibleLine, visibleText } from "../core/index.ts";
import { type Damage, describeDamage, type SessionSummary } from "../runtime/index.ts";
import { readFlags } from "./flags.ts";
import { openAssent } from "./open.ts";

const flags = { options: { json: "boolean" }, arguments: { least: 0, most: 0 } } as const;

/** `assent sessions`: every session, the newest last. */
export async function sessions(argv: readonly string[]): Promise<number> {
  const json = readFlags(argv, flags).has("json");
  const { host } = openAssent();
  try {
    const { sessions: found, damage } = host.sessions();
    for (const each of found) process.stdout.write(`${json ? JSON.stringify(each) : describe(each)}\n`);
    if (found.length === 0 && !json) process.stderr.write("assent: no sessions yet\n");
    return tellDamage(damage);
  } finally {
    await host.close();
  }
}

/** `assent pending`: every question that waits for an answer, whatever process asked it. */
export async function questions(argv: readonly string[]): Promise<number> {
  const json = readFlags(argv, flags).has("json");
  const { host } = openAssent();
  try {
    const { open, damage } = host.interactions();
    for (const { session, at, request } of open) {
      const since = new Date(at).toISOString();
      const text = `${request.interaction_id}  since ${since}\n${visibleText(renderBlock(request))}\n`;
      process.stdout.write(json ? `${JSON.stringify({ session, at, request })}\n` : `${text}\n`);
    }
    if (open.length === 0 && !json) process.stderr.write("assent: no question waits\n");
    return tellDamage(damage);
  } finally {
    await host.close();
  }
}

function describe({
  session,
  name,
  status,
  changed,
  open,
  asks,
  outcome,
  holder,
  cwd,
  prompt,
}: SessionSummary): string {
  const state = asks ? "asks" : open ? (holder === null ? "interrupted" : "works") : (outcome ?? "new");
  const by = holder === null ? "" : ` (process ${holder.pid})`;
  const what = visibleLine(name ?? prompt ?? "").slice(0, 60);
  const where = visibleLine(cwd);
  const when = new Date(changed).toISOString();
  return `${session}  ${when}  ${status === "aborted" ? "aborted" : state}${by}  ${where}  ${what}`;
}

function tellDamage(damage: readonly Damage[]): number {
  for (const each of damage) process.stderr.write(`assent: ${describeDamage(each)}\n`);
  return damage.length === 0 ? 0 : 1;
}
