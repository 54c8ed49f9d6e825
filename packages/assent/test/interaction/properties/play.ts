import { lintFlow } from "../../../src/core/index.ts";
import { begin, type Dice, equal, holds, type Told } from "./check.ts";
import { Played } from "./expected.ts";
import { badKeys, flowOf, questionOf } from "./flows.ts";
import { typedLine, unicodeText } from "./typed.ts";

/** Any lines: one end or none, and nothing after it. */
export function checkPlay(dice: Dice, told: Told): void {
  const flow = flowOf(dice);
  begin(told, { flow });
  const played = new Played(flow, told);
  const most = dice.between(1, 24);
  for (let count = 0; count < most; count++) played.type(typedLine(dice, played.asked));
  const { final } = played.play;
  for (const line of ["cancel", "1", "yes", "", unicodeText(dice, 5)]) played.type({ line, means: null });
  const expected = final === "open" ? "cancelled" : final;
  equal("every sequence has one end", played.play.final, expected);
  badFlow(dice);
}

/** What is no key makes no flow. */
function badFlow(dice: Dice): void {
  const step = { key: dice.pick(badKeys), ...questionOf(dice) };
  const repeated = { key: "twice", question: "Name it", options: [], allow_free_text: true };
  const steps = dice.chance(0.2) ? [repeated, repeated] : dice.shuffled([step, repeated]);
  holds(lintFlow({ steps }).length > 0, `a flow with the keys ${JSON.stringify(steps.map(({ key }) => key))} is none`);
}
