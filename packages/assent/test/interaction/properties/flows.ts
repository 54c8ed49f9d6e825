import { type Flow, lintFlow, type QuestionDraft } from "../../../src/core/index.ts";
import { type Dice, equal, frozen } from "./check.ts";

export const keys = [
  "constructor __proto__ toString hasOwnProperty length env Env region a.b a,b 1 2 yes no cancel abort stopwatch",
  "@edit @confirm confirm restart ключ 键 مفتاح e\u0301 \u00e9 🙂 - ! /text #1 1) key: ' \" {} $& ".concat(
    "x".repeat(40),
  ),
].flatMap((some) => some.split(" "));
export const badKeys = ["=x", "a b", "", "x".repeat(41), "a=b", "a\u00a0b", "a\n", "a\u200bb", "\t"] as const;
const labels = [
  "Red|Dark red|Синий|Тёмно-синий цвет|赤い|东京|أحمر|लाल रंग|สีแดง|Ελλάδα|ירוק|빨강|A, B|1 and 2|Yes|No|Cancel",
  "stop|a=1|/text|🙂 smile|Summary:|C++|$&",
].flatMap((some) => some.split("|"));
const ids = "a b c yes no confirm restart edit constructor __proto__ 1 2 3 ключ A 0 red-one".split(" ");
const questions = [
  "Which colour?|Какой цвет?|どれですか？|أي لون؟|कौन सा रंग?|Choose a region|Name it|สีอะไร|Type yes or no",
  "Summary of what?|Value of $& and $1?",
].flatMap((some) => some.split("|"));

export function flowOf(dice: Dice, known: readonly string[] = keys): Flow {
  const chosen = dice.some(known, Math.min(known.length, dice.between(1, 7)));
  const flow = { steps: chosen.map((key) => ({ key, ...questionOf(dice), ...timed(dice) })) };
  if (dice.chance(0.1)) equal("the flow is one", lintFlow(flow), []);
  return frozen(flow);
}

export function timed(dice: Dice): { readonly timeout_ms?: number } {
  return dice.chance(0.1) ? { timeout_ms: 500 } : {};
}

export function questionOf(dice: Dice): QuestionDraft {
  const type = dice.weighted({ one: 8, text: 3, many: 5, sensitive: 2 });
  const question = dice.pick(questions);
  if (type === "text") return { question, options: [], allow_free_text: true };
  if (type === "sensitive") return { question, options: [], allow_free_text: true, sensitive: true };
  const options = optionsOf(dice, dice.between(1, 7));
  const draft = { question, options, allow_free_text: dice.chance(0.6) };
  return type === "many" ? { ...draft, multi_select: true, ...boundsOf(dice, options.length) } : draft;
}

function optionsOf(dice: Dice, count: number): QuestionDraft["options"] {
  const names = dice.some(ids, count);
  return dice.some(labels, count).map((label, index) => ({ id: names[index] ?? label, label }));
}

function boundsOf(dice: Dice, count: number): Partial<QuestionDraft> {
  const least = dice.between(0, count);
  const most = Math.max(1, dice.between(least, count + 1));
  return {
    ...(dice.chance(0.4) ? { min_selected: least } : {}),
    ...(dice.chance(0.4) ? { max_selected: most } : {}),
  };
}
