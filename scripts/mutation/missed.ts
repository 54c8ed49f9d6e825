import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./sample.ts";
import { type MutantResult, missed } from "./score.ts";

/** Writes down each mutant that no test noticed as soon as that is known: a run takes long, and they can be looked at meanwhile. */
class Missed {
  onMutantTested({ status, mutatorName, fileName, location: { start }, replacement = "" }: MutantResult): void {
    const file = process.env["MUTANTS_MISSED"];
    if (file === undefined || !missed.includes(status)) return;
    const at = `${relative(root, fileName)}:${start.line}:${start.column}`;
    appendFileSync(file, `${status} ${mutatorName} ${at} ${replacement.replaceAll(/\s+/gu, " ")}\n`);
  }
}

export const strykerPlugins = [{ kind: "Reporter", name: "missed", injectableClass: Missed }];
