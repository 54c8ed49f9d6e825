import type { Flow, FlowStep } from "../../../src/core/index.ts";
import { type Dice, holds } from "./check.ts";
import type { Played } from "./expected.ts";
import { keys } from "./flows.ts";
import { invalid, rightPair, type Typed, textLine } from "./typed.ts";

/** An answer that was made up for a step, as a line at the step and, where it has numbers, as a pair. */
export type Intended = { readonly typed: Typed; readonly pair: string | null };
export type Intentions = ReadonlyMap<string, Intended>;

/** One with "stop" in its key stops where free text is off, and one named as the mark of a text is a command. */
export const plainKeys = keys.filter((key) => !/stop/.test(key));

export function intend(dice: Dice, step: FlowStep): Intended {
  if (step.options.length === 0 || step.sensitive || (step.allow_free_text && dice.chance(0.15))) {
    return { typed: textLine(dice, step), pair: null };
  }
  const { key, value, options } = rightPair(dice, step);
  return { typed: { line: value, means: { type: "selected", options: options ?? [] } }, pair: `${key}=${value}` };
}

export function intentions(dice: Dice, flow: Flow): Intentions {
  return new Map(flow.steps.map((step) => [step.key, intend(dice, step)]));
}

/** Answers every step that is still asked, one at a time, maybe after a few lines that are no answers. */
export function answerSteps(dice: Dice, played: Played, intended: Intentions): void {
  for (let step = played.expected.step; step !== undefined && played.open; step = played.expected.step) {
    const answer = intended.get(step.key);
    holds(answer !== undefined, `an answer is intended for ${step.key}`);
    misreply(dice, played);
    played.type(answer.typed);
  }
}

export function misreply(dice: Dice, played: Played): void {
  if (!dice.chance(0.15)) return;
  for (let count = dice.between(1, 3); count > 0 && played.play.attempts < 3; count--) {
    const { sensitive, options } = played.play.request;
    const lines = sensitive || options.length === 0 ? ["", " "] : ["", "0", "1,", "option 1", "Cancel", "unheard=1"];
    played.type({ line: dice.pick(lines), means: invalid });
  }
}

export function pairsOf(intended: Intentions): readonly string[] {
  return [...intended.values()].flatMap(({ pair }) => (pair === null ? [] : [pair]));
}

/** As one line, where pairs are read: not at a sensitive question. */
export function typePairs(dice: Dice, played: Played, pairs: readonly string[]): void {
  if (!played.open || pairs.length === 0 || played.play.request.sensitive) return;
  const wrong = dice.chance(0.3) ? ["unheard-of=1"] : [];
  played.must(dice.shuffled([...pairs, ...wrong]).join(" "));
}
