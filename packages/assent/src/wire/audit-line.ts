import { parseJson } from "./json.ts";
import { type Loose, looseRecord } from "./loose.ts";

/** The form of an exported audit; a reader refuses a newer one. */
export const auditFileVersion = 1;

/**
 * A line of an exported audit. Its last field is the hash of all that stands before it in the line, and the one before that the
 * hash of the line before: so what is covered is bytes, and no reader has to know how they came about.
 */
export type AuditLine = {
  readonly body: Loose;
  readonly covered: string;
  readonly prev: string;
  readonly hash: string;
};

/** What the hash of a line covers. */
export function coveredLine(body: object, prev: string): string {
  return JSON.stringify({ ...body, prev }).slice(0, -1);
}

export function closedLine(covered: string, hash: string): string {
  return `${covered},"hash":"${hash}"}`;
}

/** A text says why it is no such line. */
export function readAuditLine(line: string): AuditLine | string {
  const [, covered, prev, hash] = /^(\{.*,"prev":"([^"]*)"),"hash":"([^"]*)"\}$/s.exec(line) ?? [];
  if (covered === undefined || prev === undefined || hash === undefined) return "it does not end with prev and hash";
  // Where it cannot be read, its hash says that it was changed.
  return { body: recordIn(`${covered}}`), covered, prev, hash };
}

/** A head that was kept, and the session that it is of. */
export type KeptHead = { readonly session: string; readonly head: string };

/** Of each session its head, as `audit verify --json` prints it, a line each; those that had none are left out. A text says what is wrong. */
export function readHeads(lines: string): readonly KeptHead[] | string {
  const kept: KeptHead[] = [];
  for (const [index, line] of lines.split("\n").entries()) {
    if (line.trim() === "") continue;
    const { session, head } = recordIn(line);
    const isHead = head === null || (typeof head === "string" && /^[0-9a-f]{64}$/.test(head));
    if (typeof session !== "string" || !isHead)
      return `line ${index + 1}: expected what audit verify --json prints: session and head`;
    if (typeof head === "string") kept.push({ session, head });
  }
  return kept;
}

function recordIn(text: string): Loose {
  const parsed = parseJson(text);
  return looseRecord(parsed.type === "parsed" ? parsed.value : null);
}
