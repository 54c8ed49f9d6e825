import type { AuditRecord } from "../core/index.ts";
import { chainLines } from "../show/index.ts";
import { auditTable } from "./audit-told.ts";
import { whyLines } from "./audit-why.ts";
import { quoted, type SlashCommand, type SlashPlace, type SlashResult, told, wordsOf, wrong } from "./command.ts";
import { suggestion } from "./names.ts";

export const audit: SlashCommand = {
  name: "audit",
  usage: "/audit [<call> | verify]",
  does: "lists all calls with who or what decided on them; or tells all about one, or whether what is recorded was changed",
  more: "assent audit does the same for any session, and exports it.",
  examples: ["/audit", "/audit t4c1", "/audit verify"],
  tier: "safe",
  who: "anyone",
  complete: (_typed, { host, session }) => ["verify", ...host.audit(session).map(({ call }) => call)],
  run(given, place) {
    const [word, ...others] = wordsOf(given);
    if (others.length > 0) return wrong(`expected a call or verify, found ${quoted(given)}`);
    if (word === undefined) return told(listed(place));
    return word === "verify" ? told(verified(place)) : why(word, place);
  },
};

function listed({ host, session }: SlashPlace): string {
  const records = host.audit(session);
  if (records.length === 0) return "no call was made";
  const isWhole = host.verify(session).every(({ breaks }) => breaks.length === 0);
  return [...auditTable(records), ...(isWhole ? [] : ["the record does NOT verify: /audit verify tells where"])].join(
    "\n",
  );
}

function verified({ host, session }: SlashPlace): string {
  return host.verify(session).flatMap(chainLines).join("\n");
}

function why(typed: string, { host, session }: SlashPlace): SlashResult {
  const found = callNamed(host.audit(session), typed, ["verify"]);
  if ("problem" in found) return wrong(found.problem);
  const events = host.events(session, { after: 0, most: Number.MAX_SAFE_INTEGER });
  const [check] = host.verify(session);
  return told(whyLines(session, found, { events, check }).join("\n"));
}

/** A call by its id or the beginning of it, where only one begins so. `others`: what could have been meant beside calls. */
export function callNamed(
  records: readonly AuditRecord[],
  typed: string,
  others: readonly string[] = [],
): AuditRecord | { readonly problem: string } {
  const exact = records.filter(({ call }) => call === typed);
  const found = exact.length > 0 ? exact : records.filter(({ call }) => typed !== "" && call.startsWith(typed));
  const [first, ...more] = found;
  if (first !== undefined && more.length === 0) return first;
  const calls = records.map(({ call }) => call);
  if (first !== undefined) {
    return { problem: `${quoted(typed)} fits ${found.length} calls: ${found.map(({ call }) => call).join(", ")}` };
  }
  const near = suggestion(typed, [...others, ...calls]);
  const last = calls.length === 0 ? "; it has none" : `; the last ones are ${calls.slice(-3).join(", ")}`;
  return { problem: `no call has the id ${quoted(typed)}${near === "" ? last : near}` };
}
