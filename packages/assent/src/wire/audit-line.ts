import { isLooseRecord, type Loose } from "./loose.ts";

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
  try {
    const body: unknown = JSON.parse(`${covered}}`);
    return isLooseRecord(body) ? { body, covered, prev, hash } : "it is no JSON object";
  } catch {
    // Its hash says whether it was changed.
    return { body: {}, covered, prev, hash };
  }
}
