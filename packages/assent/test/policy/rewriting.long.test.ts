import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { judgeCommand } from "../../src/policy/shell/index.ts";
import { dangerousForms } from "./rewriting/forms.ts";
import { harmlessSeeds } from "./rewriting/harmless.ts";
import { type Rewritten, rewrite, rewritingOf, shrink, stepNames } from "./rewriting/index.ts";
import { changedMeanings } from "./rewriting/meaning.ts";
import { dangerousSeeds } from "./rewriting/seeds.ts";
import { world } from "./world.ts";

/** `npm run campaign rewriting 50000` makes more; `REWRITINGS_FROM=<number>` starts elsewhere. */
const wanted = Number(process.env["REWRITINGS"] ?? 5_000);
const from = Number(process.env["REWRITINGS_FROM"] ?? 0);
const numbers = Array.from({ length: wanted }, (_, index) => from + index);
const shown = 60;
/** What cannot be told from the text is asked about, rightly: text that was encoded, a script that was written and run. */
const mostHarmless = 0.15;

const isAllowed = (command: string) => judgeCommand(command, world).verdict === "allow";

test("every seed of a dangerous command is asked about as it is", () => {
  expect(dangerousSeeds.length).toBeGreaterThanOrEqual(150);
  expect(dangerousSeeds.map(({ source }) => source).filter(isAllowed)).toEqual([]);
});

test("every form in which people write a dangerous command is asked about", () => {
  expect(dangerousForms().length).toBeGreaterThanOrEqual(600);
  expect(dangerousForms().filter(isAllowed)).toEqual([]);
});

test(`none of ${wanted} rewrites of dangerous commands runs without being asked about`, { timeout: 3_600_000 }, () => {
  const missed = new Map<string, Rewritten>();
  const met = new Set<string>();
  let count = 0;
  for (const number of numbers) {
    const rewriting = rewritingOf(number, dangerousSeeds);
    const rewritten = rewrite(rewriting);
    for (const step of rewritten.steps) met.add(step);
    if (!isAllowed(rewritten.command)) continue;
    count++;
    const least = shrink(rewriting, isAllowed);
    missed.set(least.command, least);
  }
  const least = [...missed.values()].sort((a, b) => a.command.length - b.command.length).slice(0, shown);
  process.stdout.write(
    `rewrites: ${wanted} of ${dangerousSeeds.length} dangerous commands, ${count} allowed\n${told(least)}`,
  );
  expect(least).toEqual([]);
  // A step that is never met proves nothing.
  if (wanted >= 5_000) expect(stepNames.filter((name) => !met.has(name))).toEqual([]);
});

test("the same rewrites of harmless commands are seldom asked about", () => {
  const asked = new Map<string, number>();
  const met = new Map<string, number>();
  let count = 0;
  const least = new Map<string, Rewritten>();
  for (const number of numbers.slice(0, 5_000)) {
    const rewriting = rewritingOf(number, harmlessSeeds);
    const rewritten = rewrite(rewriting);
    for (const step of rewritten.steps) met.set(step, (met.get(step) ?? 0) + 1);
    if (isAllowed(rewritten.command)) continue;
    count++;
    const smallest = shrink(rewriting, (command) => !isAllowed(command));
    for (const step of smallest.steps) asked.set(step, (asked.get(step) ?? 0) + 1);
    least.set(smallest.command, smallest);
  }
  const total = Math.min(wanted, 5_000);
  const byStep = [...asked]
    .sort(([, a], [, b]) => b - a)
    .map(([step, times]) => `  ${step}: ${times} of ${met.get(step)}\n`);
  const percent = ((count / total) * 100).toFixed(1);
  process.stdout.write(`harmless rewrites: ${total}, ${count} asked (${percent} %)\n${byStep.join("")}`);
  if (process.env["REWRITINGS_SHOWN"]) process.stdout.write(told([...least.values()]));
  expect(count / total).toBeLessThanOrEqual(mostHarmless);
});

test("rewrites are commands that bash can parse, and the same for the same number", () => {
  const some = numbers
    .filter((_, index) => index % Math.ceil(wanted / 200) === 0)
    .map((number) => rewritingOf(number, dangerousSeeds));
  const commands = some.map((each) => rewrite(each).command);
  expect(some.map((each) => rewrite(each).command)).toEqual(commands);
  expect(commands.filter((command) => spawnSync("bash", ["-n", "-c", command]).status !== 0)).toEqual([]);
});

test("rewrites mean the same: a harmless program is called with the same words", () => {
  expect(changedMeanings(150)).toEqual([]);
});

function told(rewritten: readonly Rewritten[]): string {
  return rewritten.map(({ command, steps }) => `  ${JSON.stringify(command)}  [${steps.join(" > ")}]\n`).join("");
}
