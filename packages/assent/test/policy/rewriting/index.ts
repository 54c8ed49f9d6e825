/** Rewrites of a command that mean the same, each made of up to four steps that can be dropped one at a time. */
import { Random } from "../../simulation/random.ts";
import { argvSteps } from "./argv.ts";
import { formDecoys, linesOfDecoys, listOfDecoys } from "./decoys.ts";
import { type Form, type Line, lineOf, type Seed, type Step } from "./form.ts";
import { lineSteps } from "./lines.ts";
import { listSteps } from "./lists.ts";
import { shellSteps } from "./shells.ts";
import { wayOfCommands, wayOfNames, wayOfWords } from "./ways.ts";
import { wordSteps } from "./words.ts";

/** A step with the number that its choices come from, so that it chooses alike when others are dropped. */
type Chosen = { readonly step: Step; readonly number: number };
export type Rewriting = { readonly seed: Seed; readonly chosen: readonly Chosen[] };
export type Rewritten = { readonly command: string; readonly steps: readonly string[] };

/** In the order in which they apply: words are quoted once they are known, lists are made of quoted words. */
const phases: readonly (readonly Step[])[] = [
  wayOfNames,
  argvSteps,
  wordSteps,
  wayOfWords,
  formDecoys,
  listSteps,
  listOfDecoys,
  wayOfCommands,
  lineSteps,
  shellSteps,
  linesOfDecoys,
];
const steps: readonly Step[] = phases.flat();

/** Tells which steps exist, so that a test can see that each was met. */
export const stepNames: readonly string[] = steps.map(({ name }) => name);

/** The rewriting of that number; the same for the same number and seeds. */
export function rewritingOf(number: number, seeds: readonly Seed[]): Rewriting {
  const random = new Random(0x5eed, number);
  const seed = seeds[number % seeds.length] ?? { source: "" };
  const wanted = 1 + random.below(4);
  const usable = usableFor(seed);
  const chosen = Array.from({ length: wanted }, () => ({
    step: usable[random.below(usable.length)],
    number: random.below(1_000_000),
  }));
  const distinct = chosen.filter(({ step }, index) => chosen.findIndex((each) => each.step === step) === index);
  const given = distinct.flatMap(({ step, number: own }) => (step === undefined ? [] : [{ step, number: own }]));
  // Steps of words come before those of lines; lines go around each other in any order, but for an alias.
  const rank = ({ step }: Chosen) =>
    step.name === "an alias" ? steps.length : step.on === "form" ? steps.indexOf(step) : steps.length - 1;
  return { seed, chosen: given.toSorted((a, b) => rank(a) - rank(b)) };
}

const usableSteps = new WeakMap<Seed, readonly Step[]>();

/** Those that can do something to the command as it is; tried a few times, because some only fit one of its words. */
function usableFor(seed: Seed): readonly Step[] {
  const known = usableSteps.get(seed);
  if (known !== undefined) return known;
  const { form } = seed;
  const fits = (step: Step) =>
    step.on === "line" ||
    (form !== undefined && [1, 2, 3, 4, 5].some((number) => step.apply(form, new Random(number))));
  const found = steps.filter(fits);
  usableSteps.set(seed, found);
  return found;
}

/** Steps that do not fit are left out, and not named. */
export function rewrite({ seed, chosen }: Rewriting): Rewritten {
  const named: string[] = [];
  let { form } = seed;
  for (const { step, number } of chosen) {
    const next: Form | undefined = form && step.on === "form" ? step.apply(form, new Random(number)) : undefined;
    if (next !== undefined) named.push(step.name);
    form = next ?? form;
  }
  let line: Line = form ? lineOf(form) : { text: seed.source, compound: true, bash: true };
  for (const { step, number } of chosen) {
    const next = step.on === "line" && !line.done ? step.apply(line, new Random(number)) : undefined;
    if (next !== undefined) named.push(step.name);
    line = next ?? line;
  }
  return { command: line.text, steps: named };
}

/** The least steps of it for which the same still holds. */
export function shrink(rewriting: Rewriting, stillHolds: (command: string) => boolean): Rewritten {
  for (const dropped of rewriting.chosen) {
    const fewer = { ...rewriting, chosen: rewriting.chosen.filter((each) => each !== dropped) };
    if (stillHolds(rewrite(fewer).command)) return shrink(fewer, stillHolds);
  }
  return rewrite(rewriting);
}
