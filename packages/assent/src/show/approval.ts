import type { InteractionRequest, Json } from "../core/index.ts";
import { visibleLine } from "../core/interaction/index.ts";

/** Why a command is asked about, as its approval says: the part of it, and what really runs where that differs. */
export type AskedPart = {
  readonly reason: string;
  readonly start: number;
  readonly end: number;
  readonly effective: string | null;
};

/** What the policy has found, as it stands in a request's metadata. */
export function askedParts({ metadata }: InteractionRequest): readonly AskedPart[] {
  const findings = isRecord(metadata) ? metadata["findings"] : undefined;
  return Array.isArray(findings) ? findings.flatMap(partOf) : [];
}

function partOf(finding: Json): readonly AskedPart[] {
  if (!isRecord(finding)) return [];
  const { reason, span, effective } = finding;
  if (typeof reason !== "string" || !isRecord(span)) return [];
  const { start, end } = span;
  if (typeof start !== "number" || typeof end !== "number") return [];
  return [{ reason, start, end, effective: typeof effective === "string" ? effective : null }];
}

/** Each reason once, and what really runs where the command does not show it. */
export function reasonLines(parts: readonly AskedPart[]): readonly string[] {
  const told = parts.map(({ reason, effective }) => {
    const runs = effective === null ? "" : `; what runs is ${visibleLine(effective)}`;
    return `it ${reason}${runs}`;
  });
  return [...new Set(told)];
}

/** The lines of a command, each with a line of carets under what it is asked for. */
export function markedLines(
  command: readonly string[],
  parts: readonly AskedPart[],
  widest: number,
): readonly string[] {
  const length = command.join("\n").length;
  // All of it needs no mark.
  if (parts.every(({ start, end }) => start <= 0 && end >= length)) return command;
  let begin = 0;
  return command.flatMap((line) => {
    const from = begin;
    begin += line.length + 1;
    const carets = caretsUnder(
      line,
      parts.map(({ start, end }) => [start - from, end - from] as const),
    );
    if (carets === "") return [line];
    // Where a line wraps, marks under it would point elsewhere: then the part itself is shown.
    return visibleLine(line).length <= widest ? [line, carets] : [line, ...partsIn(line, from, parts)];
  });
}

function partsIn(line: string, from: number, parts: readonly AskedPart[]): readonly string[] {
  const texts = parts.map(({ start, end }) => line.slice(Math.max(0, start - from), Math.max(0, end - from)));
  return [...new Set(texts)].filter((text) => text !== "").map((text) => `there: ${text}`);
}

/** Where hidden characters are shown as escapes, the carets are as long as the escapes. */
function caretsUnder(line: string, spans: readonly (readonly [start: number, end: number])[]): string {
  let carets = "";
  let at = 0;
  for (const character of line) {
    const isMarked = spans.some(([start, end]) => at >= start && at < end);
    // A tab stays one, so that what is under it stays under it.
    const blank = character === "\t" ? "\t" : " ".repeat(visibleLine(character).length);
    carets += isMarked ? "^".repeat(character === "\t" ? 1 : visibleLine(character).length) : blank;
    at += character.length;
  }
  return carets.trimEnd();
}

export function isRecord(value: unknown): value is { readonly [key: string]: Json } {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
