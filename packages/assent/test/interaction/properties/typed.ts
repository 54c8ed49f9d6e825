/** What people type: lines of every kind, with what they must mean where that is known. */
import type { Flow, FlowStep, InteractionRequest, QuestionDraft } from "../../../src/core/index.ts";
import type { Dice } from "./check.ts";

/** A line and, where it is known by how the line was made, what it must mean. */
export type Typed = { readonly line: string; readonly means: Means | null };
export type Means =
  | { readonly type: "invalid" | "stop" | "flow-cancel" | "command" }
  | { readonly type: "selected"; readonly options: readonly string[] }
  | { readonly type: "confirmed"; readonly confirmed: boolean }
  | { readonly type: "free-text"; readonly text: string }
  | { readonly type: "compact"; readonly applied: readonly Pair[]; readonly rejected: readonly string[] };
type Pair = { readonly key: string; readonly options: readonly string[] };
/** A question and the flow that it belongs to, if any. */
export type Asked = { readonly request: InteractionRequest; readonly flow: Flow | null };

export const invalid: Means = { type: "invalid" };

export function typedLine(dice: Dice, asked: Asked): Typed {
  const { request, flow } = asked;
  const kind = dice.weighted({
    ...{ answer: 34, number: 9, control: 9, near: 9, command: 7, unicode: 10, blank: 4, sentence: 5, huge: 0.15 },
    compact: flow === null ? 3 : 18,
  });
  const made = makers[kind](dice, asked);
  const ended = dice.chance(0.1) && !/[\r\n]$/.test(made.line);
  const line = ended ? `${made.line}${dice.pick(["\n", "\r\n"])}` : made.line;
  return { line, means: request.sensitive ? meansRaw(line, made) : made.means };
}

/** At a sensitive question everything is the value, but the two words that cancel (ANS-0). */
function meansRaw(typed: string, { means }: Typed): Means | null {
  const line = withoutEnd(typed);
  if (line === "abort" || line === "cancel") return { type: "flow-cancel" };
  if (/[\p{L}\p{N}]/u.test(line.replace(/\p{DI}/gu, ""))) return { type: "free-text", text: line };
  return means?.type === "invalid" && !/\S/.test(line) ? invalid : null;
}

export function withoutEnd(line: string): string {
  if (line.endsWith("\r\n")) return line.slice(0, -2);
  return line.endsWith("\n") ? line.slice(0, -1) : line;
}

const makers = {
  answer: answerLine,
  number: numberLine,
  control: controlLine,
  near: nearLine,
  command: commandLine,
  unicode: (dice) => ({ line: unicodeText(dice, dice.between(1, 30)), means: null }),
  blank: (dice) => ({ line: dice.pick(blanks), means: invalid }),
  sentence: sentenceLine,
  huge: (dice) => ({ line: dice.pick(huge)(dice.between(1_000, 20_000)), means: null }),
  compact: compactLine,
} satisfies Record<string, (dice: Dice, asked: Asked) => Typed>;

const blanks = ["", " ", "   ", "\t", "\n", "\r\n", "\u00a0", "\0", ..."\u200b\u2800\u3164\u2060\ufeff"];

const huge: readonly ((size: number) => string)[] = [
  (size) => "1,".repeat(size / 2),
  (size) => "9".repeat(size),
  (size) => "a".repeat(size),
  (size) => "env=1 ".repeat(size / 6),
  (size) => "stop ".repeat(size / 5),
  (size) => "漢".repeat(size / 4),
  (size) => "=".repeat(size),
  (size) => `${" ".repeat(size)}1`,
  (size) => "cancel\u200b".repeat(size / 7),
];

function answerLine(dice: Dice, asked: Asked): Typed {
  const { request } = asked;
  const { kind, options } = request;
  if (kind === "confirmation" && dice.chance(0.5)) {
    const word = dice.pick(["yes", "no", "y", "n"]);
    return { line: anyCase(dice, word), means: { type: "confirmed", confirmed: word.startsWith("y") } };
  }
  if (options.length === 0 || request.sensitive) return textLine(dice, request);
  if (request.allow_free_text && kind === "question" && dice.chance(0.2)) return textLine(dice, request);
  const numbers = chosenNumbers(dice, request);
  const chosen = options.filter((_, index) => numbers.includes(index + 1)).map(({ id }) => id);
  return { line: numbers.join(","), means: meansChosen(request, chosen) };
}

function meansChosen({ kind, options }: InteractionRequest, chosen: readonly string[]): Means {
  const says = { yes: true, session: true, project: true, user: true, confirm: true, no: false }[chosen.join()];
  const known = options.some(({ id }) => id === chosen[0]);
  if (kind === "confirmation" && known && says !== undefined) return { type: "confirmed", confirmed: says };
  return { type: "selected", options: chosen };
}

type Choosable = Pick<QuestionDraft, "options" | "multi_select" | "min_selected" | "max_selected">;

/** As many as may be chosen, in any order. */
function chosenNumbers(dice: Dice, asked: Choosable): readonly number[] {
  const { options, multi_select, min_selected = 1, max_selected = options.length } = asked;
  const numbers = options.map((_, index) => index + 1);
  if (!multi_select) return [dice.pick(numbers)];
  return dice.some(numbers, dice.between(Math.max(1, min_selected), Math.min(max_selected, options.length)));
}

/** A text that can be nothing else, or one that is marked as a text. */
export function textLine(
  dice: Dice,
  { sensitive, allow_free_text }: Pick<InteractionRequest, "sensitive" | "allow_free_text">,
): Typed {
  const text = dice.chance(0.5)
    ? `so it is ${unicodeText(dice, dice.between(0, 12))} and not otherwise`
    : dice.pick(["1", "cancel", "stop", "yes", "option 2", "env=1", " padded ", "/text", "1, 2", "a\nb", "Отмена"]);
  // The last six words of the long one make it no near miss, whatever its middle is.
  const marked = !sensitive && (text.length < 12 || dice.chance(0.2));
  if (sensitive) return { line: `v${text}`, means: { type: "free-text", text: `v${text}` } };
  const means: Means = allow_free_text ? { type: "free-text", text } : invalid;
  return marked ? { line: `/text ${text}`, means } : { line: text, means };
}

function sentenceLine(dice: Dice, { request }: Asked): Typed {
  const line = dice.pick([
    "I would really like option 1 if that is fine",
    "please take number 2, the one we talked about",
    "neither of them, because all are too expensive",
    "возьми второй вариант, номер 2, как договорились вчера",
    "cancel the first one and then go on please",
    "yes and no, it depends on the 1 of them",
  ]);
  return { line, means: meansText(request, line) };
}

function meansText({ allow_free_text }: InteractionRequest, text: string): Means {
  return allow_free_text ? { type: "free-text", text } : invalid;
}

/** Numbers in every spelling but the right one; without a letter, so that they are no text where there are options. */
function numberLine(dice: Dice, { request }: Asked): Typed {
  const count = request.options.length;
  const number = dice.between(1, Math.max(1, count));
  const wrong =
    "0N|+N|-N|N.0|N | N|N,|,N|N,,N|N, N|N ,N|N\nN|N\u200b|N,N|(N)|N.|#N|N)|M|N,M|0|1;2|1 2|1/2|1-2|\uff11|①|٣|Ⅷ|²|१|½";
  const spellings = wrong
    .replaceAll("N", String(number))
    .replaceAll("M", String(count + 1))
    .concat("|", "9".repeat(20));
  const line = dice.pick(spellings.split("|"));
  return { line, means: count > 0 ? invalid : meansText(request, line) };
}

function controlLine(dice: Dice, { request }: Asked): Typed {
  const word = dice.pick(["abort", "cancel", "stop", "yes", "no", "y", "n"]);
  const exact = dice.chance(0.25);
  const line = exact ? word : dice.pick(decorations)(word);
  if (word === "stop") return { line, means: { type: line === "/stop" ? "command" : "stop" } };
  const cancels = word === "abort" || word === "cancel";
  if (cancels) return { line, means: line === word ? { type: "flow-cancel" } : invalid };
  if (request.kind === "question") return { line, means: meansText(request, line) };
  const same = line.toLowerCase() === word;
  return { line, means: same ? { type: "confirmed", confirmed: word.startsWith("y") } : invalid };
}

const decorations: readonly ((word: string) => string)[] = [
  (word) => word.toUpperCase(),
  (word) => word.charAt(0).toUpperCase() + word.slice(1),
  (word) => `${word}.`,
  (word) => `${word}!`,
  (word) => ` ${word}`,
  (word) => `${word} `,
  (word) => `"${word}"`,
  (word) => `\u200b${word}`,
  (word) => `${word}\u00a0`,
  (word) => [...word].join("\u00ad"),
  (word) => [...word].join(" "),
  (word) => `(${word})…`,
  (word) => String.fromCodePoint(...[...word].map((letter) => (letter.codePointAt(0) ?? 0) + 0xfee0)),
  (word) => `${word}\n\t`,
  (word) => `/${word}`,
];

function anyCase(dice: Dice, word: string): string {
  return [...word].map((letter) => (dice.chance(0.3) ? letter.toUpperCase() : letter)).join("");
}

/** Few words with a number among them; a number that no option has makes no near miss (ANS-8). */
function nearLine(dice: Dice, { request }: Asked): Typed {
  const count = request.options.length;
  const inRange = count > 0 && dice.chance(0.75);
  const number = inRange ? dice.between(1, count) : count + dice.between(1, 5);
  const line = dice.pick(nearMisses).replace("N", String(number));
  return { line, means: inRange ? invalid : meansText(request, line) };
}

const nearMisses = [
  "option N|I choose N|probably N|N) Production|option #N.|вариант N|N please|I think it is N|選ぶ N",
  'ok, "N"!|number\tN|line\nN|take N,90',
].flatMap((some) => some.split("|"));

function commandLine(dice: Dice, { request }: Asked): Typed {
  const blank = dice.pick(["/text", "/text ", "/text  ", "/text \u200b"]);
  const given = dice.pick(["1", " x", "cancel", "stop", "env=1", "\tz", "option 1"]);
  return dice.pick<Typed>([
    { line: blank, means: { type: "command" } },
    { line: `/text ${given}`, means: meansText(request, given) },
    { line: "/help me understand this thing please now", means: { type: "command" } },
    {
      line: "/helper needed for this thing please now",
      means: meansText(request, "/helper needed for this thing please now"),
    },
    { line: "/TEXT something", means: meansText(request, "/TEXT something") },
    { line: "!ls", means: meansText(request, "!ls") },
    { line: "/text\tx", means: meansText(request, "/text\tx") },
    { line: "/stop", means: { type: "command" } },
    { line: "/Stop", means: { type: "stop" } },
  ]);
}

/** Pairs, right and wrong; without a flow they are an ordinary reply (FLOW-4, FLOW-6). */
function compactLine(dice: Dice, { request, flow }: Asked): Typed {
  if (flow === null) {
    const line = dice.pick(["env=1", "env=1 region=2", "a=b"]);
    return { line, means: meansText(request, line) };
  }
  const pairs = Array.from({ length: dice.between(1, flow.steps.length + 1) }, () => pairOf(dice, flow));
  const line = pairs.map(({ key, value }) => `${key}=${value}`).join(" ");
  // Where free text is off, "stop" in any word stops (STOP-2).
  if (/stop/i.test(line) && !(request.kind === "question" && request.allow_free_text)) {
    return { line, means: { type: "stop" } };
  }
  const means = meansPairs(pairs);
  const mistake = dice.weighted({ none: 12, spaces: 2, word: 2 });
  if (mistake === "spaces")
    return {
      line: dice.pick([` ${line}`, `${line} `, `${line}  x=1`, `${line}\tx=1`, `${line}\n x=1`]),
      means: invalid,
    };
  // A word that is no pair makes it an ordinary reply: text of more than five words here.
  if (mistake === "word") {
    const ordinary = `${line} and so on as you like`;
    return { line: ordinary, means: meansText(request, ordinary) };
  }
  return { line, means };
}

type GivenPair = { readonly key: string; readonly value: string; readonly options: readonly string[] | null };

function pairOf(dice: Dice, { steps }: Flow): GivenPair {
  const step = dice.pick(steps);
  const kind = dice.weighted({ right: 10, value: 3, key: 1 });
  if (kind === "key") {
    const known = steps.map(({ key }) => key);
    const unknown = ["unknown", "ENV", "valueOf", "a", "ключ2", "é2"].find((key) => !known.includes(key)) ?? "?";
    return { key: dice.chance(0.5) ? unknown : `${step.key}x`.slice(-45), value: "1", options: null };
  }
  if (kind === "right" && step.options.length > 0 && !step.sensitive) return rightPair(dice, step);
  const wrong = "|0|01|x|+1|1,|,1|1,1|99|1;2|=1|１|1.0|true|-1|1,99|constructor".split("|");
  return { key: step.key, value: dice.pick([...wrong, ...wrongCounts(step)]), options: null };
}

/** Numbers that the step has, but too few or too many of them; at a sensitive step there is no number. */
function wrongCounts({ options, multi_select, sensitive, min_selected = 1, max_selected = options.length }: FlowStep) {
  const [least, most] = multi_select ? [min_selected, max_selected] : [1, 1];
  const numbers = options.map((_, index) => index + 1);
  const counts = numbers.filter((count) => sensitive || count < least || count > most);
  return counts.map((count) => numbers.slice(0, count).join(","));
}

export function rightPair(dice: Dice, step: FlowStep): GivenPair {
  const numbers = chosenNumbers(dice, step);
  const options = step.options.filter((_, index) => numbers.includes(index + 1)).map(({ id }) => id);
  return { key: step.key, value: numbers.join(","), options };
}

function meansPairs(pairs: readonly GivenPair[]): Means {
  const once = pairs.filter(({ key }) => pairs.filter((other) => other.key === key).length === 1);
  const applied = once.flatMap(({ key, options }) => (options === null ? [] : [{ key, options }]));
  if (applied.length === 0) return invalid;
  const rejected = pairs.map(({ key }) => key).filter((key) => !applied.some((each) => each.key === key));
  return { type: "compact", applied, rejected: [...new Set(rejected)] };
}

/** From the first to the last code point, in hexadecimal. */
const ranges = [
  "20-7e 20-7e 30-39 0-1f 80-ff 300-36f 400-4ff 590-6ff 900-97f e00-e7f 2000-206f 3040-30ff 4e00-4fff",
  "d800-dfff ff00-ffef 1f300-1f6ff e0000-e007f 0-10ffff",
].flatMap((some) => some.split(" ").map((range) => range.split("-").map((code) => Number.parseInt(code, 16))));

export function unicodeText(dice: Dice, length: number): string {
  const range = dice.pick(ranges);
  return Array.from({ length }, () => {
    if (dice.chance(0.15)) return dice.pick([" ", "1", ",", "=", "stop", "\n"]);
    const [least = 0, most = 0] = dice.chance(0.7) ? range : dice.pick(ranges);
    return String.fromCodePoint(dice.between(least, most));
  }).join("");
}
