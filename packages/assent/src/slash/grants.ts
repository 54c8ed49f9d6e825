import type { Grant } from "../core/index.ts";
import { visibleLine } from "../core/interaction/index.ts";
import { GrantsError, isInsideRun } from "../runtime/index.ts";
import {
  quoted,
  type SlashCommand,
  type SlashPlace,
  type SlashResult,
  submit,
  told,
  unlessRefused,
  wordsOf,
  wrong,
} from "./command.ts";
import { suggestion } from "./names.ts";

export const grants: SlashCommand = {
  name: "grants",
  usage: "/grants [revoke <id>]",
  modelUsage: "/grants",
  does: "lists what you have allowed for longer than once, or takes it back",
  examples: ["/grants", "/grants revoke g-7f3k-2"],
  tier: (given) => (given.trim() === "" ? "safe" : "elevated"),
  who: "anyone",
  withheld: (given) => (given.trim() === "" ? null : "what an agent may do is not the agent's to change"),
  complete: (typed, place) =>
    /^revoke\s/.test(typed) ? [...sessionGrants(place), ...place.around.grants.list()].map(({ id }) => id) : ["revoke"],
  run(given, place) {
    const words = wordsOf(given);
    const [part = "", id = ""] = words;
    if (part === "") return told(listed(place));
    if (part !== "revoke") return wrong(`expected revoke <id>, found ${quoted(given)}${suggestion(part, ["revoke"])}`);
    if (words.length !== 2) return wrong(`revoke: expected one id, found ${quoted(words.slice(1).join(" "))}`);
    return revoke(id, place);
  },
};

function listed(place: SlashPlace): string {
  const { grants: saved } = place.around;
  const now = Date.now();
  const all = [...sessionGrants(place), ...saved.list()];
  const lines = all.map((grant) => describeGrant(grant, { counts: counts(grant, now) }));
  const damage = saved.damage().map((each) => `cannot be read, and grants nothing: ${visibleLine(each)}`);
  return [...(all.length === 0 ? ["nothing is granted"] : lines), ...damage].join("\n");
}

function sessionGrants({ host, session }: SlashPlace): readonly Grant[] {
  return host.view(session).grants;
}

function counts({ expires, uses }: Grant, now: number): boolean {
  return (expires ?? Number.POSITIVE_INFINITY) > now && uses !== 0;
}

/** Where it is kept does not matter to the person: the session's own first, then what is saved. */
function revoke(id: string, place: SlashPlace): SlashResult {
  // Whoever types here may be what a call has started (APPR-10).
  if (isInsideRun()) return wrong("a command that an agent runs cannot change what is granted");
  const own = sessionGrants(place);
  const revoked = told(`grant ${id} is revoked`);
  if (own.some((grant) => grant.id === id)) {
    return unlessRefused(place, submit(place, { type: "grant-revocation", grant: id }).refusal, revoked);
  }
  try {
    if (place.around.grants.remove(id)) return revoked;
  } catch (error) {
    if (error instanceof GrantsError) return wrong(error.message);
    throw error;
  }
  const known = [...own, ...place.around.grants.list()].map((grant) => grant.id);
  return wrong(`no grant has the id ${quoted(id)}${suggestion(id, known)}`);
}

/** What it lets run, where and for how long, in two lines. */
export function describeGrant(grant: Grant, still: { readonly counts: boolean }): string {
  const { id, scope, match, tool, display, root, categories, created, expires, uses } = grant;
  const limits = [
    `created ${new Date(created).toISOString()}`,
    ...(expires === undefined ? [] : [`expires ${new Date(expires).toISOString()}`]),
    ...(uses === undefined ? [] : [`${uses} uses left`]),
    ...(still.counts ? [] : ["does not count any more"]),
  ];
  const found = categories.length === 0 ? "" : ` (${categories.join(", ")})`;
  const what = `${match} ${tool}: ${display}${found}`;
  return `${visibleLine(`${id}  ${scope}  ${what}`)}\n  ${visibleLine(root)}  ${limits.join(", ")}`;
}
