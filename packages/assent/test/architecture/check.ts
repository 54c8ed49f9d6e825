import { type CastRules, checkCasts } from "./casts.ts";
import { checkCycles } from "./cycles.ts";
import { checkIndexes, type IndexRules } from "./indexes.ts";
import { checkLayers, type LayerRules } from "./layers.ts";
import { checkPurity, type PurityRules } from "./purity.ts";
import { checkSizes, type SizeRules } from "./sizes.ts";
import { parseSource, type Source } from "./source.ts";
import type { Violation } from "./violation.ts";
import { checkWords, type WordRules } from "./words.ts";

export type Rules = {
  readonly layers: LayerRules;
  readonly purity: PurityRules;
  readonly indexes: IndexRules;
  readonly sizes: SizeRules;
  readonly words: WordRules;
  readonly casts: CastRules;
};

/** Everything in which these sources (path relative to `src` → text) break the rules, in the order of files and lines. */
export function checkArchitecture(files: ReadonlyMap<string, string>, rules: Rules): Violation[] {
  const sources = [...files].map(([path, text]) => parseSource(path, text));
  const violations = [
    ...sources.flatMap(syntaxErrors),
    ...checkLayers(sources, rules.layers),
    ...checkCycles(sources),
    ...checkPurity(sources, rules.purity),
    ...checkIndexes(sources, rules.indexes, rules.layers),
    ...checkSizes(sources, rules.sizes),
    ...checkWords(sources, rules.words),
    ...checkCasts(sources, rules.casts),
  ];
  return violations.sort((one, other) => compare(one.file, other.file) || one.line - other.line);
}

/** A file that cannot be parsed would pass every other rule. */
function syntaxErrors({ path, syntaxErrors: errors }: Source): Violation[] {
  return errors.map(({ line, message }) => ({
    rule: "syntax",
    file: path,
    line,
    message: `expected TypeScript that parses: came ${message}`,
  }));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
