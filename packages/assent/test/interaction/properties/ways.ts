/** The same answers in several ways. */
import { flowSummary, playedAnswers, renderBlock } from "../../../src/core/index.ts";
import { begin, type Dice, equal, holds, type Told } from "./check.ts";
import { Played, withoutSecrets } from "./expected.ts";
import { flowOf } from "./flows.ts";
import { answerSteps, type Intentions, intentions, pairsOf, plainKeys, typePairs } from "./intended.ts";
import { rightPair } from "./typed.ts";

export function checkWays(dice: Dice, told: Told): void {
  const flow = flowOf(dice, plainKeys);
  const intended = intentions(dice, flow);
  const ways = [
    () => {
      const played = new Played(flow, told);
      answerSteps(dice, played, intended);
      return played;
    },
    () => {
      const played = new Played(flow, told);
      typePairs(dice, played, dice.shuffled(pairsOf(intended)));
      answerSteps(dice, played, intended);
      return played;
    },
    () => inParts(dice, new Played(flow, told), intended),
  ];
  const ends = ways.map((way, index) => {
    begin(told, { flow, way: index });
    return endOf(way());
  });
  for (const end of ends) equal("every way of giving the answers ends the same", end, ends[0]);
}

/** Over several lines in any order, some steps answered first in another way, some where they are asked. */
function inParts(dice: Dice, played: Played, intended: Intentions): Played {
  const { steps } = played.play.flow;
  if (steps.length > 1) {
    const others = dice.some(steps, dice.below(steps.length)).filter((step) => intended.get(step.key)?.pair != null);
    typePairs(
      dice,
      played,
      others.map((step) => rightPair(dice, step)).map(({ key, value }) => `${key}=${value}`),
    );
  }
  let left = dice.shuffled(pairsOf(intended));
  while (left.length > 0 && played.open) {
    const { step } = played.expected;
    // At a sensitive step no pair is read: it is answered, then the pairs go on.
    const asked = step === undefined ? undefined : intended.get(step.key);
    if (asked !== undefined && (step?.sensitive || dice.chance(0.3))) {
      played.type(asked.typed);
      continue;
    }
    const count = dice.between(1, left.length);
    typePairs(dice, played, left.slice(0, count));
    left = left.slice(count);
  }
  answerSteps(dice, played, intended);
  return played;
}

/** At the confirmation, then confirmed: all that is known then, without the names of secrets. */
function endOf(played: Played): unknown {
  const { expected } = played;
  holds(expected.step === undefined, "every step is answered");
  const asked = played.open ? renderBlock(played.play.request) : null;
  equal("a flow of several steps asks for its confirmation", asked !== null, played.play.flow.steps.length > 1);
  if (played.open) played.must("1", { type: "confirmed", confirmed: true });
  equal("confirmed", played.play.final, "confirmed");
  const { flow, state } = played.play;
  return [asked, withoutSecrets(state), flowSummary(flow, state), Object.entries(playedAnswers(played.play))];
}
