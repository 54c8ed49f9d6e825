import { type FlowStep, renderBlock, visibleLine } from "../../../src/core/index.ts";
import { begin, type Dice, equal, holds, meet, type Told } from "./check.ts";
import { blockOf, Played } from "./expected.ts";
import { flowOf } from "./flows.ts";
import {
  answerSteps,
  type Intended,
  type Intentions,
  intend,
  intentions,
  misreply,
  pairsOf,
  plainKeys,
  typePairs,
} from "./intended.ts";

/** Restarts and edits lead back to the confirmation, with exactly the last answers. */
export function checkReturns(dice: Dice, told: Told): void {
  const flow = flowOf(dice, plainKeys);
  if (flow.steps.length === 1) return;
  begin(told, { flow });
  const played = new Played(flow, told);
  const last = new Map(intentions(dice, flow));
  answerSteps(dice, played, last);
  for (let count = dice.between(1, 6); count > 0; count--) {
    misreply(dice, played);
    const back = dice.weighted({ restart: 2, edit: 5, pairs: 2 });
    meet(told, back);
    if (back === "restart") restart(dice, played, last);
    else if (back === "edit") edit(dice, played, last);
    else change(dice, played, last);
    atConfirmation(played, last);
  }
  played.must(dice.pick(["1", "yes", "Y"]));
  equal("confirmed", played.play.final, "confirmed");
}

function restart(dice: Dice, played: Played, last: Map<string, Intended>): void {
  played.must("2", { type: "selected", options: ["restart"] });
  equal("a restart clears every answer", played.play.state, { answers: [], choosing: false });
  for (const [key, answer] of intentions(dice, played.play.flow)) last.set(key, answer);
  if (dice.chance(0.4)) typePairs(dice, played, pairsOf(last));
  answerSteps(dice, played, last);
}

function edit(dice: Dice, played: Played, last: Map<string, Intended>): void {
  const { steps } = played.play.flow;
  const index = dice.below(steps.length);
  const step = steps[index];
  holds(step !== undefined, "a step to edit");
  const others = otherAnswers(played, step.key);
  played.must("3", { type: "selected", options: ["edit"] });
  misreply(dice, played);
  played.must(String(index + 1), { type: "selected", options: [step.key] });
  equal(
    "the chosen step is asked",
    renderBlock(played.play.request),
    blockOf(
      step.question,
      step.options.map(({ label }) => label),
    ),
  );
  equal("no other step is asked", played.expected.step?.key, step.key);
  last.set(step.key, intend(dice, step));
  answerSteps(dice, played, last);
  equal("an edit changes no other step", otherAnswers(played, step.key), others);
}

function otherAnswers({ play }: Played, key: string): unknown {
  return play.state.answers.filter((each) => each.key !== key);
}

/** Pairs at the confirmation, over earlier answers; or at the choice of a step, which they take the place of. */
function change(dice: Dice, played: Played, last: Map<string, Intended>): void {
  if (dice.chance(0.3)) played.must("3", { type: "selected", options: ["edit"] });
  const step = dice.pick(played.play.flow.steps);
  const answer = intend(dice, step);
  if (answer.pair === null) {
    if (played.expected.choosing) played.must(String(played.play.flow.steps.indexOf(step) + 1));
    if (played.expected.step !== undefined) last.set(step.key, answer);
    answerSteps(dice, played, last);
    return;
  }
  played.must(answer.pair);
  last.set(step.key, answer);
}

function atConfirmation(played: Played, last: Intentions): void {
  holds(played.open, "the flow is open");
  const values = played.play.flow.steps.map((step) => `- ${step.key}: ${visibleLine(intendedValue(step, last))}`);
  const block = blockOf(["Summary:", ...values].join("\n"), ["Confirm", "Restart", "Edit specific step"]);
  equal("back at the confirmation with the last answers", renderBlock(played.play.request), block);
}

function intendedValue(step: FlowStep, last: Intentions): string {
  const means = last.get(step.key)?.typed.means;
  if (step.sensitive) return "set";
  if (means?.type === "free-text") return means.text;
  const chosen = means?.type === "selected" ? means.options : [];
  return step.options
    .filter(({ id }) => chosen.includes(id))
    .map(({ label }) => label)
    .join(", ");
}
