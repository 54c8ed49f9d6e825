/**
 * Changes the code in small ways and looks whether the tests notice: `npm run mutation`, `npm run mutation -- policy`,
 * `npm run mutation -- --from 3` for another sample, `--thin 3` for a third of it, `--all` for all mutants (many hours).
 */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Stryker } from "@stryker-mutator/core";
import { type Part, parts } from "./parts.ts";
import { rangeOf, root, sampled, type Unit, unitsOf } from "./sample.ts";
import { type MutantResult, scoreLines } from "./score.ts";

const usage =
  "npm run mutation -- [core] [policy] [policy-tables] [--from <n>] [--thin <n>] [--all] [--concurrency <n>]";
const { values, positionals } = argumentsGiven();
const from = wholeNumber("from", 0);
const thin = wholeNumber("thin", 1);
const concurrency = wholeNumber("concurrency", 1);
const known: ReadonlySet<string> = new Set(parts.flatMap(({ group, name }) => [group, name]));
for (const each of positionals) if (!known.has(each)) fail(`expected ${[...known].join(", ")}; found ${each}`);

function argumentsGiven() {
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        all: { type: "boolean", default: false },
        from: { type: "string", default: "0" },
        thin: { type: "string", default: "1" },
        concurrency: { type: "string", default: "1" },
      },
    });
  } catch (error) {
    return fail(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(name: "from" | "thin" | "concurrency", least: number): number {
  const given = values[name];
  if (/^\d+$/.test(given) && Number(given) >= least) return Number(given);
  return fail(`--${name}: expected a whole number from ${least} on, found ${JSON.stringify(given)}`);
}

function fail(reason: string): never {
  process.stderr.write(`${reason}\nusage: ${usage}\n`);
  process.exit(2);
}

const reports = join(root, "node_modules", ".cache", "mutation");
mkdirSync(reports, { recursive: true });
const chosen = parts.filter(
  ({ group, name }) => positionals.length === 0 || positionals.includes(group) || positionals.includes(name),
);
const found: { part: Part; units: readonly Unit[]; results: readonly MutantResult[] }[] = [];
for (const part of chosen) {
  const all = unitsOf(part);
  const units = values.all ? all : sampled(all, part.every * thin, from);
  process.env["MUTATED"] = part.name;
  process.env["MUTANTS_MISSED"] = join(reports, `${part.name}-missed.txt`);
  rmSync(process.env["MUTANTS_MISSED"], { force: true });
  const results = await mutated(part, units);
  found.push({ part, units, results });
}
process.stdout.write(`${scoreLines(found).join("\n")}\n`);

async function mutated(part: Part, units: readonly Unit[]): Promise<readonly MutantResult[]> {
  const stryker = new Stryker({
    mutate: units.map(rangeOf),
    mutator: { excludedMutations: [...part.excludedMutations] },
    plugins: ["@stryker-mutator/vitest-runner", join(import.meta.dirname, "missed.ts")],
    testRunner: "vitest",
    vitest: { configFile: "scripts/mutation/vitest.config.ts", related: false },
    coverageAnalysis: "perTest",
    // What runs when a file is loaded cannot be changed for one test; nearly all of it are tables.
    ignoreStatic: true,
    concurrency,
    // A mutant that never ends is found by how often it runs; on a busy machine the clock would call slow ones killed.
    timeoutMS: 20_000,
    timeoutFactor: 3,
    dryRunTimeoutMinutes: 20,
    // TypeScript 7 has no API by which it could be rewritten, and vitest does not need it.
    tsconfigFile: "none",
    disableTypeChecks: false,
    tempDirName: ".stryker-tmp",
    ignorePatterns: ["/bench", "/campaigns", "/docs", "/examples", "/packages/web", "/coverage"],
    reporters: ["json", "progress-append-only", "missed"],
    jsonReporter: { fileName: join(reports, `${part.name}.json`) },
  });
  return await stryker.runMutationTest();
}
