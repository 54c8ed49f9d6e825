import { type Exceptions, type Excused, excusedBy } from "./exceptions.ts";
import { functionName, isFunction } from "./functions.ts";
import type { Source } from "./source.ts";
import type { Violation } from "./violation.ts";

export type SizeRules = {
  readonly fileLines: number;
  readonly functionLines: number;
  /** A file here may be long; its functions need their own line, `file#function`. */
  readonly exceptions: Exceptions;
};

export function checkSizes(sources: readonly Source[], rules: SizeRules): Violation[] {
  const excused = excusedBy("sizes", rules.exceptions);
  const tooLong = sources.flatMap((source) => [
    ...longFile(source, rules.fileLines, excused),
    ...longFunctions(source, rules.functionLines, excused),
  ]);
  return [...tooLong, ...excused.unneeded()];
}

function longFile({ path, text }: Source, limit: number, excused: Excused): Violation[] {
  const lines = text.split("\n").length - (text.endsWith("\n") ? 1 : 0);
  if (lines <= limit || excused.has(path)) return [];
  return [{ rule: "sizes", file: path, line: 1, message: `file: expected at most ${limit} lines, came ${lines}` }];
}

function longFunctions(source: Source, limit: number, excused: Excused): Violation[] {
  return source.visits.filter(isFunction).flatMap((visit) => {
    const line = source.lineAt(visit.node.start);
    const lines = source.lineAt(visit.node.end) - line + 1;
    const name = functionName(visit);
    if (lines <= limit || excused.has(`${source.path}#${name}`)) return [];
    const message = `function ${name}: expected at most ${limit} lines, came ${lines}`;
    return [{ rule: "sizes", file: source.path, line, message }];
  });
}
