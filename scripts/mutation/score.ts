import { relative } from "node:path";
import type { Stryker } from "@stryker-mutator/core";
import type { Part } from "./parts.ts";
import { root, type Unit } from "./sample.ts";

export type MutantResult = Awaited<ReturnType<Stryker["runMutationTest"]>>[number];
type MutantStatus = MutantResult["status"];
type Found = { readonly part: Part; readonly units: readonly Unit[]; readonly results: readonly MutantResult[] };

const noticed: readonly MutantStatus[] = ["Killed", "Timeout"];
export const missed: readonly MutantStatus[] = ["Survived", "NoCoverage"];

/** A line for each group: its score with how far it may be off, and what it is made of. */
export function scoreLines(found: readonly Found[]): readonly string[] {
  const groups = [...new Set(found.map(({ part }) => part.group))];
  return groups.map((group) => {
    const units = found.filter(({ part }) => part.group === group).flatMap(clusters);
    const results = units.flat();
    const count = (...statuses: readonly MutantStatus[]) =>
      results.filter(({ status }) => statuses.includes(status)).length;
    const { score, margin } = estimate(units);
    return (
      `${group}: ${percent(score)} ± ${percent(margin)} of ${count(...noticed, ...missed)} mutants ` +
      `(${count("Killed")} killed, ${count("Timeout")} without an end, ${count("Survived")} survived, ` +
      `${count("NoCoverage")} that no test reaches; ${count("RuntimeError", "CompileError")} not runnable, ` +
      `${count("Ignored")} left out)`
    );
  });
}

/** Those of a declaration are noticed together or missed together: they are no independent draws. */
function clusters({ units, results }: Found): readonly (readonly MutantResult[])[] {
  return units.map(({ file, from, to }) =>
    results.filter(
      ({ fileName, location: { start } }) =>
        relative(root, fileName) === file && start.line >= from.line && start.line <= to.line,
    ),
  );
}

/** The score of a sample of clusters, and the half width of its 95 % interval. */
function estimate(units: readonly (readonly Pick<MutantResult, "status">[])[]): {
  score: number;
  margin: number;
} {
  const counted = units
    .map((mutants) => ({
      hits: mutants.filter(({ status }) => noticed.includes(status)).length,
      size: mutants.filter(({ status }) => [...noticed, ...missed].includes(status)).length,
    }))
    .filter(({ size }) => size > 0);
  const size = counted.reduce((sum, unit) => sum + unit.size, 0);
  const score = counted.reduce((sum, unit) => sum + unit.hits, 0) / size;
  const spread = counted.reduce((sum, unit) => sum + (unit.hits - score * unit.size) ** 2, 0);
  const margin = (1.96 * Math.sqrt((spread * counted.length) / (counted.length - 1))) / size;
  return { score, margin };
}

const percent = (share: number) => `${(share * 100).toFixed(1)} %`;
