import type { AuditAnswer, AuditRecord } from "../core/index.ts";
import { visibleLine } from "../core/interaction/index.ts";
import { aligned } from "./listing.ts";

/** As much of a command, and of who decided, as a line of a table has room for. */
const mostWhat = 60;
const mostDecided = 40;
/** As much of a digest as tells it from the others of a session. */
const shownDigits = 8;

/** All calls of a session, a line each: when, what, who or what decided, and what came of it. */
export function auditTable(records: readonly AuditRecord[]): readonly string[] {
  const head = ["call", "when", "tool", "verdict", "decided by", "came of it", "digest", "what"];
  const rows = records.map((record) => [
    record.call,
    toldTime(record.at),
    record.tool,
    record.verdict ?? "-",
    cut(decidedBy(record), mostDecided),
    toldEnd(record),
    shortDigest(record.digest),
    cut(record.what, mostWhat),
  ]);
  return aligned([head, ...rows].map((row) => row.map(visibleLine)));
}

/** The person whose word counted, or the grant or the rule that needed none. */
function decidedBy(record: AuditRecord): string {
  const { answers, grant, rule, by, verdict } = record;
  const answer = answers.findLast(({ about }) => about !== "terminal-input");
  if (answer !== undefined) return toldAnswer(answer);
  if (isAsked(record)) return "nobody yet";
  if (grant !== null) return `grant ${grant}`;
  if (rule !== null) return `rule ${rule}`;
  return by === null || verdict !== null ? "-" : toldPerson(by);
}

/** Its question is open. */
function isAsked({ verdict, end, answers }: AuditRecord): boolean {
  return verdict === "ask" && end === "open" && answers.length === 0;
}

/** Who said what; how it ended where nobody did. */
function toldAnswer({ by, state, said }: AuditAnswer): string {
  if (by === null) return state === "expired" ? "nobody, in time" : "nobody: it was withdrawn";
  return `${toldPerson(by)}: ${state === "answered" || state === "declined" ? said : state}`;
}

/** Of exactly what was judged: `why` has all of it. */
function shortDigest(digest: string | null): string {
  return digest === null || digest === "" ? "-" : digest.replace("sha256:", "").slice(0, shownDigits);
}

export function toldPerson({ name, adapter }: NonNullable<AuditRecord["by"]>): string {
  return `${name} (${adapter})`;
}

export function toldEnd({ end, exit, signal }: Pick<AuditRecord, "end" | "exit" | "signal">): string {
  return [end, ...(exit === null ? [] : [`exit ${exit}`]), ...(signal === null ? [] : [signal])].join(", ");
}

export function toldTime(at: number): string {
  return new Date(at).toISOString().replace(/\.\d+Z$/, "Z");
}

/** By whole characters; what hides in it takes as much room as it takes when it is shown. */
function cut(text: string, most: number): string {
  const shown = [...visibleLine(text)];
  return shown.length <= most ? shown.join("") : `${shown.slice(0, most - 1).join("")}…`;
}
