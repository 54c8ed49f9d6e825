import { exitCodes } from "../adapters/headless/index.ts";
import { type Grant, liveGrants } from "../core/index.ts";
import { describeGrant } from "../slash/index.ts";
import { readFlags, UsageError } from "./flags.ts";
import { refuseInsideRun } from "./inside.ts";
import { findSession, openAssent, openSavedGrants, person } from "./open.ts";
import { stderr, stdout } from "./output.ts";
import { policySpec } from "./specs/policy.ts";

/** `assent policy grants`: what people granted for longer than a session, or for one; or `add` and `revoke`. */
export async function policyGrants(argv: readonly string[]): Promise<number> {
  if (argv[0] === "revoke") return revoke(argv.slice(1));
  if (argv[0] === "add") return add(argv.slice(1));
  const given = readFlags(argv, policySpec.parts.grants);
  const session = given.text("session");
  const saved = openSavedGrants();
  const grants = session === undefined ? saved.list() : await grantsOf(session);
  const live = new Set(liveGrants(grants, Date.now()));
  for (const grant of grants) {
    const counts = live.has(grant);
    stdout.write(`${given.has("json") ? JSON.stringify({ ...grant, counts }) : describeGrant(grant, { counts })}\n`);
  }
  if (grants.length === 0 && !given.has("json")) stderr.write("assent: nothing is granted\n");
  const damage = session === undefined ? saved.damage() : [];
  for (const each of damage) stderr.write(`assent: cannot be read, and grants nothing: ${each}\n`);
  return damage.length === 0 ? exitCodes.done : exitCodes.failed;
}

/** What an agent may do is not the agent's to change (APPR-10). */
const changing = "change what is granted";

/** Saves a rule that no question has led to: for a prefix, or for a number of hours or calls (APPR-7). */
async function add(argv: readonly string[]): Promise<number> {
  const refused = refuseInsideRun(changing);
  if (refused !== null) return refused;
  const [{ grantFrom }, { openJudge }] = await Promise.all([
    import("./policy-grants-add.ts"),
    import("./policy-judged.ts"),
  ]);
  const grant = grantFrom(argv, await openJudge());
  openSavedGrants().put(grant);
  stdout.write(`${describeGrant(grant, { counts: true })}\n`);
  stderr.write(`assent: grant ${grant.id} is saved; assent policy grants revoke ${grant.id} takes it back\n`);
  return exitCodes.done;
}

/** Whatever it reaches: one that is saved, or one of a session. */
async function revoke(argv: readonly string[]): Promise<number> {
  const { arguments: given } = readFlags(argv, policySpec.parts.grants.parts.revoke);
  const [id = ""] = given;
  const refused = refuseInsideRun(changing);
  if (refused !== null) return refused;
  if (!openSavedGrants().remove(id)) await revokeInSession(id);
  stderr.write(`assent: grant ${id} is revoked\n`);
  return exitCodes.done;
}

/** A grant's id names the question that it comes from, and that its session. */
async function revokeInSession(grant: string): Promise<void> {
  const session = /^g-(.+)-\d+$/.exec(grant)?.[1] ?? "";
  const unknown = new UsageError(`no grant has the id ${JSON.stringify(grant)}; assent policy grants lists them`);
  if (session === "") throw unknown;
  const { host } = openAssent();
  try {
    const { refusal } = host.submit(session, {
      type: "grant-revocation",
      grant,
      by: person("policy"),
      authority: "act",
    });
    if (refusal?.code === "unknown_grant" || refusal?.code === "no_session") throw unknown;
    if (refusal !== null) throw new UsageError(refusal.detail);
  } finally {
    await host.close();
  }
}

async function grantsOf(typed: string): Promise<readonly Grant[]> {
  const { host } = openAssent();
  try {
    return host.view(findSession(host, typed).session).grants;
  } finally {
    await host.close();
  }
}
