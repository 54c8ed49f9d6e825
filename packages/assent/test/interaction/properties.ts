import {
  type Asks,
  type CheckedReply,
  type Decision,
  decide,
  evolve,
  type Flow,
  type FlowPlay,
  type FlowState,
  type FlowStep,
  flowResult,
  flowSummary,
  fold,
  type InputBody,
  type InteractionRequest,
  type InteractionResponse,
  type JudgedCall,
  lintFlow,
  newSession,
  nextWork,
  openInteraction,
  parseReply,
  playedAnswers,
  type QuestionDraft,
  type ReceivedCall,
  readReply,
  renderBlock,
  replyToFlow,
  runningCalls,
  type Session,
  type SessionEvent,
  type SessionInput,
  secretsOf,
  startFlow,
  visibleLine,
  type Work,
} from "../../src/core/index.ts";
import { decodeEvent, encodeEvent } from "../../src/wire/index.ts";
import { Random } from "../simulation/random.ts";

/** What one sequence met, by name: a sequence that never meets something proves nothing about it. */
export type Met = ReadonlyMap<string, number>;

/**
 * One sequence: a random flow played line by line, or the same answers given in three ways, or restarts and edits, or a
 * session with questions of all kinds. Throws with the seed and what was typed when a promise is broken.
 */
export function checkSequence(seed: number): Met {
  const told: Told = { lines: [], met: new Map() };
  try {
    const dice = new Dice(seed);
    parts[dice.weighted({ play: 4, ways: 2, returns: 2, session: 3 })](dice, told);
  } catch (error) {
    const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
    const typed = told.lines.map((line) => shortened(JSON.stringify(line))).join("\n  ");
    throw new Error(`sequence ${seed}: ${reason}\nwhat was typed:\n  ${typed}`);
  }
  return told.met;
}

const parts = { play: checkPlay, ways: checkWays, returns: checkReturns, session: checkSession };

/** What happened so far in the part of the sequence that is being checked. */
type Told = { lines: unknown[]; readonly met: Map<string, number> };

class Broken extends Error {}

function holds(condition: boolean, promise: string): asserts condition {
  if (!condition) throw new Broken(promise);
}

function equal(promise: string, found: unknown, expected: unknown): void {
  if (found === expected) return;
  const [one, other] = [JSON.stringify(found), JSON.stringify(expected)];
  if (one !== other) throw new Broken(`${promise}: expected ${shortened(other)}, found ${shortened(one)}`);
}

function shortened(text: string | undefined): string {
  const whole = text ?? "undefined";
  return whole.length > 3_000 ? `${whole.slice(0, 3_000)}… (${whole.length} characters)` : whole;
}

function meet({ met }: Told, name: string): void {
  met.set(name, (met.get(name) ?? 0) + 1);
}

class Dice extends Random {
  /** One of the values. */
  pick<T>(values: readonly T[]): T {
    const index = this.below(values.length);
    holds(index < values.length, "nothing to pick from");
    return values[index] as T;
  }

  /** From the least to the most, both included. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  shuffled<T>(values: readonly T[]): readonly T[] {
    const left = [...values];
    return values.flatMap(() => left.splice(this.below(left.length), 1));
  }

  some<T>(values: readonly T[], count: number): readonly T[] {
    return this.shuffled(values).slice(0, count);
  }
}

// The flows.

const keys = [
  "constructor __proto__ toString hasOwnProperty length env Env region a.b a,b 1 2 yes no cancel abort stopwatch",
  "@edit @confirm confirm restart ключ 键 مفتاح e\u0301 \u00e9 🙂 - ! /text #1 1) key: ' \" {} $& ".concat(
    "x".repeat(40),
  ),
].flatMap((some) => some.split(" "));
const badKeys = ["=x", "a b", "", "x".repeat(41), "a=b", "a\u00a0b", "a\n", "a\u200bb", "\t"] as const;
const labels = [
  "Red|Dark red|Синий|Тёмно-синий цвет|赤い|东京|أحمر|लाल रंग|สีแดง|Ελλάδα|ירוק|빨강|A, B|1 and 2|Yes|No|Cancel",
  "stop|a=1|/text|🙂 smile|Summary:|C++|$&",
].flatMap((some) => some.split("|"));
const ids = "a b c yes no confirm restart edit constructor __proto__ 1 2 3 ключ A 0 red-one".split(" ");
const questions = [
  "Which colour?|Какой цвет?|どれですか？|أي لون؟|कौन सा रंग?|Choose a region|Name it|สีอะไร|Type yes or no",
  "Summary of what?|Value of $& and $1?",
].flatMap((some) => some.split("|"));

function flowOf(dice: Dice, known: readonly string[] = keys): Flow {
  const chosen = dice.some(known, Math.min(known.length, dice.between(1, 7)));
  const flow = { steps: chosen.map((key) => ({ key, ...questionOf(dice), ...timed(dice) })) };
  if (dice.chance(0.1)) equal("the flow is one", lintFlow(flow), []);
  return frozen(flow);
}

function timed(dice: Dice): { readonly timeout_ms?: number } {
  return dice.chance(0.1) ? { timeout_ms: 500 } : {};
}

function questionOf(dice: Dice): QuestionDraft {
  const type = dice.weighted({ one: 8, text: 3, many: 5, sensitive: 2 });
  const question = dice.pick(questions);
  if (type === "text") return { question, options: [], allow_free_text: true };
  if (type === "sensitive") {
    const options = dice.chance(0.4) ? optionsOf(dice, 2) : [];
    return { question, options, allow_free_text: options.length === 0 || dice.chance(0.5), sensitive: true };
  }
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

function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).map(frozen);
  }
  return value;
}

// What people type.

/** A line and, where it is known by how the line was made, what it must mean. */
type Typed = { readonly line: string; readonly means: Means | null };
type Means =
  | { readonly type: "invalid" | "stop" | "flow-cancel" | "command" }
  | { readonly type: "selected"; readonly options: readonly string[] }
  | { readonly type: "confirmed"; readonly confirmed: boolean }
  | { readonly type: "free-text"; readonly text: string }
  | { readonly type: "compact"; readonly applied: readonly Pair[]; readonly rejected: readonly string[] };
type Pair = { readonly key: string; readonly options: readonly string[] };
/** A question and the flow that it belongs to, if any. */
type Asked = { readonly request: InteractionRequest; readonly flow: Flow | null };

const invalid: Means = { type: "invalid" };

function typedLine(dice: Dice, asked: Asked): Typed {
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
  const says = { yes: true, confirm: true, no: false }[chosen.join()];
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
function textLine(
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
  if (word === "stop") return { line, means: { type: "stop" } };
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
    {
      line: "/help me understand this thing please now",
      means: meansText(request, "/help me understand this thing please now"),
    },
    { line: "/TEXT something", means: meansText(request, "/TEXT something") },
    { line: "!ls", means: meansText(request, "!ls") },
    { line: "/text\tx", means: meansText(request, "/text\tx") },
    { line: "/stop", means: { type: "stop" } },
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

function rightPair(dice: Dice, step: FlowStep): GivenPair {
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

function unicodeText(dice: Dice, length: number): string {
  const range = dice.pick(ranges);
  return Array.from({ length }, () => {
    if (dice.chance(0.15)) return dice.pick([" ", "1", ",", "=", "stop", "\n"]);
    const [least = 0, most = 0] = dice.chance(0.7) ? range : dice.pick(ranges);
    return String.fromCodePoint(dice.between(least, most));
  }).join("");
}

// What a line means.

/** What the line means, and that it means one thing (ANS-1, ANS-3, ANS-8). */
function readingOf({ line, means }: Typed, { request, flow }: Asked): CheckedReply {
  const reading = readReply(request, line, { flow });
  if (means !== null) agrees(reading, means);
  if (["free-text", "selected", "confirmed"].includes(reading.type)) oneAnswer(request, line, flow);
  const bare = withoutEnd(line);
  if (reading.type === "free-text") passesAsTyped(request, bare, reading.text);
  if (reading.type === "selected") selects(request, bare, reading.options);
  if (reading.type === "confirmed") confirms(request, bare, reading);
  if (reading.type === "invalid") isNoAnswer(request, bare);
  if (reading.type === "compact") appliesPairs(flow, bare, reading);
  if (reading.type === "flow-cancel") holds(bare === "abort" || bare === "cancel", "only the exact words cancel");
  if (!/[\r\n]$/.test(line) && line.length < 80) {
    const end = line.length % 2 === 0 ? "\n" : "\r\n";
    equal("one line end is no part of a line", readReply(request, `${line}${end}`, { flow }), reading);
  }
  return reading;
}

function withoutEnd(line: string): string {
  if (line.endsWith("\r\n")) return line.slice(0, -2);
  return line.endsWith("\n") ? line.slice(0, -1) : line;
}

function agrees(reading: CheckedReply, means: Means): void {
  equal("the line is read as what it is", reading.type, means.type);
  if (means.type === "selected" && reading.type === "selected") equal("options", reading.options, means.options);
  if (means.type === "free-text" && reading.type === "free-text") equal("text", reading.text, means.text);
  if (means.type === "confirmed" && reading.type === "confirmed")
    equal("yes or no", reading.confirmed, means.confirmed);
  if (means.type === "compact" && reading.type === "compact") {
    equal("applied pairs", reading.applied, means.applied);
    equal("rejected keys", reading.rejected, means.rejected);
  }
}

/** A response has exactly one of selection, text and yes or no; a confirmed one may name its option. */
function oneAnswer(request: InteractionRequest, line: string, flow: Flow | null): void {
  const reply = parseReply(request, line, { flow });
  if (reply.type !== "response") return;
  const { interaction_id, cancelled, ...answer } = reply.response;
  equal(
    "the response names its question and cancels nothing",
    [interaction_id, cancelled],
    [request.interaction_id, false],
  );
  equal("a reply is one answer", Object.keys(answer).length, 1);
}

function passesAsTyped(request: InteractionRequest, line: string, text: string): void {
  const marked = !request.sensitive && line.startsWith("/text ");
  equal("text passes as typed", text, marked ? line.slice("/text ".length) : line);
  holds(request.allow_free_text || request.sensitive === true, "text is an answer only where it is allowed");
  holds(!/^[\s\p{Z}]*$/u.test(text), "text is never blank");
  if (marked || request.sensitive) return;
  holds(!/^[\s\p{P}]*(?:abort|cancel|stop)[\s\p{P}]*$/iu.test(line), "a control word is never text");
  if (request.options.length === 0) return;
  holds(/\p{L}/u.test(line), "without a letter it is no text where there are options");
  holds(!namesOption(request, line), "a near miss is never text");
}

/** At most five words, one of them an option's number. */
function namesOption({ options }: InteractionRequest, line: string): boolean {
  const words = line.split(/\s+/u);
  // Where words are not set apart, or white space is unusual, their number is another test's business.
  if (words.length > 5 || !/^[ -~\u0400-\u04ff]*$/.test(line)) return false;
  return words.some((word) => {
    const [, number] = /^[^0-9\p{L}]*([1-9][0-9]*)[^0-9\p{L}]*$/u.exec(word) ?? [];
    return number !== undefined && Number(number) <= options.length;
  });
}

function selects(request: InteractionRequest, line: string, chosen: readonly string[]): void {
  holds(/^[1-9][0-9]*(?:,[1-9][0-9]*)*$/.test(line), "a selection is numbers and commas");
  const numbers = line.split(",").map(Number);
  equal("a selection is the options of its numbers, in their order", chosen, optionsAt(request, numbers));
  equal("every number names another option", chosen.length, numbers.length);
  const { multi_select, min_selected = 1, max_selected = request.options.length } = request;
  const within = chosen.length >= Math.max(1, min_selected) && chosen.length <= max_selected;
  holds(multi_select ? within : chosen.length === 1, "as many are chosen as may be");
}

function optionsAt({ options }: Pick<QuestionDraft, "options">, numbers: readonly number[]): readonly string[] {
  return options.filter((_, index) => numbers.includes(index + 1)).map(({ id }) => id);
}

function confirms(request: InteractionRequest, line: string, reading: CheckedReply & { type: "confirmed" }): void {
  equal("only a confirmation is confirmed", request.kind, "confirmation");
  const word = line.toLowerCase();
  const number = Number(line);
  const said = ["yes", "y"].includes(word)
    ? true
    : ["no", "n"].includes(word)
      ? false
      : request.options[number - 1]?.id;
  const meant = typeof said === "boolean" ? said : said === "yes" || said === "confirm";
  equal("a yes is a yes", reading.confirmed, meant);
  const known = request.options.map(({ id }) => id);
  holds(
    reading.options.every((id) => known.includes(id)),
    "what is confirmed is one of the options",
  );
}

/** What is an answer in the strictest reading is never invalid. */
function isNoAnswer(
  { kind, options, sensitive, multi_select, min_selected = 1 }: InteractionRequest,
  line: string,
): void {
  if (sensitive) {
    holds(!/[A-Za-z0-9]/.test(line), "every line that is not blank is a sensitive value");
    return;
  }
  const single = !multi_select || min_selected <= 1;
  const number = /^[1-9][0-9]?$/.test(line) ? Number(line) : 0;
  holds(!(single && number >= 1 && number <= options.length), "an option's number is an answer");
  holds(!(kind === "confirmation" && /^(?:yes|no|y|n)$/i.test(line)), "yes and no answer a confirmation");
}

function appliesPairs(
  flow: Flow | null,
  line: string,
  { applied, rejected }: CheckedReply & { type: "compact" },
): void {
  const given = line.split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);
  for (const { key, options } of applied) {
    const step = flow?.steps.find((each) => each.key === key);
    const values = given.filter(([name]) => name === key).map(([, value]) => value);
    holds(step !== undefined && !step.sensitive && values.length === 1, "a pair names a step, once");
    equal("a pair's options", options, optionsAt(step, (values[0] ?? "").split(",").map(Number)));
    const { multi_select, min_selected = 1, max_selected = step.options.length } = step;
    const within = options.length >= Math.max(1, min_selected) && options.length <= max_selected;
    holds(multi_select ? within : options.length === 1, "a pair names as many options as may be chosen");
  }
  const all = [...applied.map(({ key }) => key), ...rejected].sort();
  equal("every pair is applied or rejected", all, [...new Set(given.map(([key]) => key))].sort());
}

// What a flow is to do, told a second time (FLOW-1 to FLOW-4).

type Given = { readonly labels: readonly string[]; readonly many: boolean } | { readonly text: string } | "set";

/** The flow as the specification has it: a map of answers, and the question that follows from it. */
class Expected {
  readonly given = new Map<string, Given>();
  choosing = false;
  attempts = 0;
  final: FlowPlay["final"] = "open";
  /** How many questions were asked. */
  asked = 1;

  readonly flow: Flow;

  constructor(flow: Flow) {
    this.flow = flow;
  }

  get step(): FlowStep | undefined {
    return this.choosing ? undefined : this.flow.steps.find(({ key }) => !this.given.has(key));
  }

  get block(): string {
    const { step } = this;
    if (step !== undefined)
      return blockOf(
        step.question,
        step.options.map(({ label }) => label),
      );
    if (this.choosing)
      return blockOf(
        "Which step should change?",
        this.flow.steps.map(({ key }) => key),
      );
    return blockOf(this.summary, ["Confirm", "Restart", "Edit specific step"]);
  }

  get summary(): string {
    const values = this.entries.map(([key, given]) => `- ${key}: ${visibleLine(shownValue(given))}`);
    return ["Summary:", ...values].join("\n");
  }

  /** In the order of the steps. */
  get entries(): readonly (readonly [string, Given])[] {
    return this.flow.steps.flatMap(({ key }) => {
      const given = this.given.get(key);
      return given === undefined ? [] : [[key, given] as const];
    });
  }

  /** What the model gets, in no order. */
  get result(): unknown {
    const fields = this.entries.map(([key, given]) => {
      return [key, given !== "set" && "labels" in given && given.many ? given.labels : shownValue(given)] as const;
    });
    return inKeyOrder(fields);
  }

  take(reading: CheckedReply): void {
    if (this.final !== "open" || reading.type === "command") return;
    switch (reading.type) {
      case "stop":
        this.final = "stopped";
        return;
      case "flow-cancel":
        this.final = "cancelled";
        return;
      case "invalid":
        this.attempts += 1;
        if (this.attempts === 4) this.final = "step_abort";
        return;
      case "compact":
        for (const { key, options } of reading.applied) this.choose(key, options);
        this.choosing = false;
        break;
      default:
        this.answer(reading);
    }
    this.moveOn();
  }

  private answer(reading: CheckedReply): void {
    const { step } = this;
    if (step !== undefined) {
      if (step.sensitive) this.given.set(step.key, "set");
      else if (reading.type === "selected") this.choose(step.key, reading.options);
      else if (reading.type === "free-text") this.given.set(step.key, { text: reading.text });
      return;
    }
    const option = reading.type === "selected" ? reading.options[0] : undefined;
    if (this.choosing) {
      this.given.delete(option ?? "");
      this.choosing = false;
    } else if (reading.type === "confirmed") this.final = reading.confirmed ? "confirmed" : "cancelled";
    else if (option === "restart") this.given.clear();
    else if (option === "edit") this.choosing = true;
  }

  private choose(key: string, chosen: readonly string[]): void {
    const step = this.flow.steps.find((each) => each.key === key);
    const known = (step?.options ?? []).filter(({ id }) => chosen.includes(id)).map(({ label }) => label);
    this.given.set(key, { labels: known, many: step?.multi_select === true });
  }

  private moveOn(): void {
    if (this.final !== "open") return;
    const [only, ...more] = this.flow.steps;
    if (more.length === 0 && this.given.has(only?.key ?? "")) {
      this.final = "confirmed";
      return;
    }
    this.attempts = 0;
    this.asked += 1;
  }
}

function inKeyOrder(fields: readonly (readonly [string, unknown])[]): unknown {
  return [...fields].sort(([one], [other]) => (one < other ? -1 : 1));
}

function blockOf(question: string, options: readonly string[]): string {
  const lines = options.map((label, index) => `\n${index + 1}) ${label}`);
  return lines.length === 0 ? question : `${question}\n${lines.join("")}`;
}

function shownValue(given: Given): string {
  if (given === "set") return "set";
  return "text" in given ? given.text : given.labels.join(", ");
}

/** A flow played line by line beside what it is expected to do. */
class Played {
  play: FlowPlay;
  readonly expected: Expected;
  private readonly told: Told;

  constructor(flow: Flow, told: Told, id?: string) {
    this.expected = new Expected(flow);
    this.play = frozen(id === undefined ? startFlow(flow) : startFlow(flow, id));
    this.told = told;
    this.check();
  }

  get asked(): Asked {
    return { request: this.play.request, flow: this.play.flow };
  }

  get open(): boolean {
    return this.play.final === "open";
  }

  type(typed: Typed): CheckedReply {
    this.told.lines.push(typed.line);
    const reading = readingOf(typed, this.asked);
    this.take(typed.line, reading);
    return reading;
  }

  /** A line that means this. */
  take(line: string, reading: CheckedReply): void {
    const { play, expected } = this;
    const next = frozen(replyToFlow(play, line));
    if (play.final !== "open") {
      equal("after the end nothing changes", next, play);
      return;
    }
    meet(this.told, `flow ${reading.type}`);
    expected.take(reading);
    this.play = next;
    if (reading.type === "invalid") {
      equal("after an invalid reply the request is the same", next.request, play.request);
      equal("an invalid reply changes no answer", next.state, play.state);
    }
    this.check();
  }

  /** Types a line that is known to be this. */
  must(line: string, means: Means | null = null): void {
    const reading = this.type({ line, means });
    holds(reading.type !== "invalid", `${JSON.stringify(line)} is an answer`);
  }

  private check(): void {
    const { play, expected } = this;
    equal("the flow is open, or ended in one way", play.final, expected.final);
    equal("attempts are counted anew for each question, and only invalid replies", play.attempts, expected.attempts);
    equal("as many questions were asked", play.asked.length, expected.asked);
    const codes = { cancelled: ["FLOW_CANCEL"], step_abort: ["STEP_ABORT"], open: [], confirmed: [], stopped: [] };
    equal("the codes", play.codes, codes[play.final]);
    if (play.codes.length > 0) equal("a code is emitted bare", play.notice, play.codes[0]);
    const answered = play.state.answers.map(({ key }) => key);
    equal(
      "exactly these steps are answered, in order",
      answered,
      expected.entries.map(([key]) => key),
    );
    const summary = flowSummary(play.flow, play.state);
    equal("the summary", summary, expected.summary);
    // Whatever was typed: no value can pass for another field, or hide one.
    equal("a line for each answer", summary.split(/[\n\r\v\f\u0085\u2028\u2029]/).length, 1 + answered.length);
    holds(!/[\p{Cc}\p{Cf}]/u.test(summary.replaceAll("\n", "")), "nothing hides in a summary");
    equal("the result", inKeyOrder(Object.entries(flowResult(play.flow, play.state))), expected.result);
    if (play.final === "open") equal("the block", renderBlock(play.request), expected.block);
    meet(this.told, `flow ${play.final}`);
  }
}

/** Any lines: one end or none, and nothing after it. */
function checkPlay(dice: Dice, told: Told): void {
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

function begin(told: Told, what: unknown): void {
  told.lines = [what];
}

// The same answers in several ways.

/** An answer that was made up for a step, as a line at the step and, where it has numbers, as a pair. */
type Intended = { readonly typed: Typed; readonly pair: string | null };
type Intentions = ReadonlyMap<string, Intended>;

/** One with "stop" in its key stops where free text is off, and one named as the mark of a text is a command. */
const plainKeys = keys.filter((key) => !/stop/.test(key));

function intend(dice: Dice, step: FlowStep): Intended {
  if (step.options.length === 0 || step.sensitive || (step.allow_free_text && dice.chance(0.15))) {
    return { typed: textLine(dice, step), pair: null };
  }
  const { key, value, options } = rightPair(dice, step);
  return { typed: { line: value, means: { type: "selected", options: options ?? [] } }, pair: `${key}=${value}` };
}

function intentions(dice: Dice, flow: Flow): Intentions {
  return new Map(flow.steps.map((step) => [step.key, intend(dice, step)]));
}

/** Answers every step that is still asked, one at a time, maybe after a few lines that are no answers. */
function answerSteps(dice: Dice, played: Played, intended: Intentions): void {
  for (let step = played.expected.step; step !== undefined && played.open; step = played.expected.step) {
    const answer = intended.get(step.key);
    holds(answer !== undefined, `an answer is intended for ${step.key}`);
    misreply(dice, played);
    played.type(answer.typed);
  }
}

function misreply(dice: Dice, played: Played): void {
  if (!dice.chance(0.15)) return;
  for (let count = dice.between(1, 3); count > 0 && played.play.attempts < 3; count--) {
    const { sensitive, options } = played.play.request;
    const lines = sensitive || options.length === 0 ? ["", " "] : ["", "0", "1,", "option 1", "Cancel", "unheard=1"];
    played.type({ line: dice.pick(lines), means: invalid });
  }
}

function checkWays(dice: Dice, told: Told): void {
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

function pairsOf(intended: Intentions): readonly string[] {
  return [...intended.values()].flatMap(({ pair }) => (pair === null ? [] : [pair]));
}

/** As one line, where pairs are read: not at a sensitive question. */
function typePairs(dice: Dice, played: Played, pairs: readonly string[]): void {
  if (!played.open || pairs.length === 0 || played.play.request.sensitive) return;
  const wrong = dice.chance(0.3) ? ["unheard-of=1"] : [];
  played.must(dice.shuffled([...pairs, ...wrong]).join(" "));
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

function withoutSecrets({ answers, choosing }: FlowState): unknown {
  return { answers: answers.map(({ key, answer }) => [key, answer.type === "set" ? "set" : answer]), choosing };
}

/** Restarts and edits lead back to the confirmation, with exactly the last answers. */
function checkReturns(dice: Dice, told: Told): void {
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

// A session.

const person = { name: "ada", adapter: "test" } as const;
const acted = { by: person, authority: "act" } as const;
const usage = { input: 1, output: 1, cached: 0 } as const;

/** What is known of one interaction by its events alone. */
type Watched = {
  readonly request: InteractionRequest;
  readonly bytes: string;
  readonly block: string;
  attempts: number;
  ended: string | null;
};

/** One session, one person who types anything, and what the journal says of it. */
class Watch {
  session: Session = newSession();
  /** The same, from the bytes of the journal. */
  joined: Session = newSession();
  readonly inputs: SessionInput[] = [];
  readonly events: SessionEvent[] = [];
  readonly read: SessionEvent[] = [];
  /** How many events there were before each input. */
  readonly before: number[] = [];
  readonly watched = new Map<string, Watched>();
  readonly flows = new Map<string, "open" | string>();
  /** The open flow played beside the session; `null` when something other than a line has moved it. */
  played: Played | null = null;
  at = 1_000;
  private readonly told: Told;

  constructor(told: Told) {
    this.told = told;
  }

  give(body: InputBody): Decision {
    const input = frozen({ ...body, at: this.at });
    this.told.lines.push(input);
    this.inputs.push(input);
    this.before.push(this.events.length);
    const decision = decide(this.session, input);
    for (const [index, event] of decision.events.entries()) {
      this.see(event, decision.events[index + 1]);
      this.record(frozen(event));
    }
    if (decision.events.length > 0) this.agree();
    return decision;
  }

  get unanswered(): readonly string[] {
    return [...this.watched].filter(([, { ended }]) => ended === null).map(([id]) => id);
  }

  get ended(): readonly string[] {
    return [...this.watched].filter(([, { ended }]) => ended !== null).map(([id]) => id);
  }

  /** Another process takes over: it has the bytes and nothing else. */
  takeOver(): void {
    const session = fold(this.read);
    equal("from its bytes the session has the same questions", session.interactions, this.session.interactions);
    equal("from its bytes the session has the same flow", session.flow, this.session.flow);
    this.session = session;
  }

  private record(event: SessionEvent): void {
    this.events.push(event);
    this.session = evolve(this.session, event);
    const line = decodeEvent(encodeEvent({ seq: this.events.length, session: "s", event }));
    holds(line.type === "event", `an event is readable: ${line.type === "event" ? "" : line.reason}`);
    this.read.push(line.event);
    this.joined = evolve(this.joined, line.event);
    // At every prefix, also in the middle of what one input led to.
    for (const { request } of this.joined.interactions) this.unchanged(request);
  }

  private unchanged(request: InteractionRequest): void {
    const watched = this.watched.get(request.interaction_id);
    holds(watched !== undefined && watched.ended === null, `${request.interaction_id} is open`);
    if (JSON.stringify(request) !== watched.bytes) equal("a stored request never changes", request, watched.request);
    if (renderBlock(request) !== watched.block) equal("the block never changes", renderBlock(request), watched.block);
  }

  private see(event: SessionEvent, next: SessionEvent | undefined): void {
    switch (event.type) {
      case "interaction.requested":
        this.seeRequest(event.request);
        break;
      case "interaction.rejected":
        this.seeRejection(event.interaction, event.attempt, next);
        break;
      case "interaction.resolved":
        this.seeEnd(event.interaction, event.state);
        break;
      case "interaction.expired":
        this.seeEnd(event.interaction, "expired");
        break;
      case "flow.started":
        holds(!this.flows.has(event.call), "a flow starts once");
        this.flows.set(event.call, "open");
        break;
      case "flow.changed":
        equal("only an open flow changes", this.flows.get(event.call), "open");
        break;
      case "flow.ended":
        equal("a flow ends once", this.flows.get(event.call), "open");
        this.flows.set(event.call, event.end);
        meet(this.told, `session flow ${event.end}`);
        break;
      default:
    }
  }

  private seeRequest(request: InteractionRequest): void {
    holds(!this.watched.has(request.interaction_id), "an interaction is requested once");
    const watched = { request, bytes: JSON.stringify(request), block: renderBlock(request), attempts: 0, ended: null };
    this.watched.set(request.interaction_id, watched);
  }

  private seeRejection(id: string, attempt: number, next: SessionEvent | undefined): void {
    const watched = this.watched.get(id);
    holds(watched !== undefined && watched.ended === null, "only an open interaction is rejected");
    watched.attempts += 1;
    equal("attempts are consecutive, per interaction", attempt, watched.attempts);
    if (attempt < 4) return;
    equal("at the fourth it ends", next?.type, "interaction.resolved");
    if (next?.type === "interaction.resolved")
      equal("at the fourth it is aborted", [next.interaction, next.state], [id, "aborted"]);
  }

  private seeEnd(id: string, state: string): void {
    const watched = this.watched.get(id);
    holds(watched !== undefined, "what ends was requested");
    equal("an interaction ends once", watched.ended, null);
    watched.ended = state;
    equal("it is aborted at the fourth attempt, and only then", state === "aborted", watched.attempts === 4);
    meet(this.told, `interaction ${state}`);
  }

  private agree(): void {
    const { session, joined } = this;
    equal("a late joiner has the same questions", joined.interactions, session.interactions);
    equal("a late joiner has the same flow", joined.flow, session.flow);
    equal(
      "every question without an end waits",
      session.interactions.map(({ request }) => request.interaction_id),
      this.unanswered,
    );
    for (const { request, attempts } of session.interactions) {
      this.unchanged(request);
      equal("attempts of the state", attempts, this.watched.get(request.interaction_id)?.attempts);
    }
    const work = nextWork(session);
    if (work.type === "ask-person") {
      equal("a late joiner is asked the same", nextWork(joined), work);
    }
  }
}

function checkSession(dice: Dice, told: Told): void {
  begin(told, "session");
  const watch = new Watch(told);
  watch.give({ type: "creation", session: "s", cwd: "/project", limits: { turns: dice.between(1, 3) } });
  const most = dice.between(6, 36);
  for (let count = 0; count < most && watch.session.status === "active"; count++) {
    const work = nextWork(watch.session);
    if (work.type === "ask-person") askPerson(dice, watch, told);
    else watch.give(workInput(dice, watch, work));
    followFlow(watch, told);
  }
  endAll(dice, watch);
  endsTheSame(dice, watch);
}

/** Whatever is left is cancelled; then every interaction has had one end, and a late reply changes nothing. */
function endAll(dice: Dice, watch: Watch): void {
  for (let open = openInteraction(watch.session); open !== null; open = openInteraction(watch.session)) {
    watch.give({ type: "reply", interaction: open.request.interaction_id, line: "cancel", shown: null, ...acted });
    equal("the exact word cancels", watch.watched.get(open.request.interaction_id)?.ended, "cancelled");
  }
  equal("every interaction has ended", watch.unanswered, []);
  for (const id of dice.some(watch.ended, 3)) lateReply(dice, watch, id);
}

function lateReply(dice: Dice, watch: Watch, id: string): void {
  const watched = watch.watched.get(id);
  holds(watched !== undefined, "a known interaction");
  const { line } = typedLine(dice, { request: watched.request, flow: null });
  const { events, refusal } = watch.give({ type: "reply", interaction: id, line, shown: null, ...acted });
  equal("a late reply changes nothing", events, []);
  equal("a late reply is refused", refusal?.code, watched.ended === "expired" ? "expired" : "already_resolved");
}

/** The flow that has begun is played beside the session. */
function followFlow(watch: Watch, told: Told): void {
  const { flow } = watch.session;
  if (flow === null || flow.state.answers.length > 0 || flow.state.choosing) return;
  const open = openInteraction(watch.session);
  if (open?.purpose.type !== "flow" || open.attempts > 0 || watch.played?.play.flow === flow.flow) return;
  const { lines } = told;
  watch.played = new Played(flow.flow, { lines: [], met: told.met });
  told.lines = lines;
}

function workInput(dice: Dice, watch: Watch, work: Work): InputBody {
  switch (work.type) {
    case "call-model":
      return { type: "model-result", request: work.number, result: modelReply(dice, watch) };
    case "compact-history":
    case "stop-model":
      return { type: "model-result", request: work.number, result: { type: "abandoned" } };
    case "judge-calls":
      return { type: "verdicts", verdicts: work.calls.map(({ id }) => verdictOn(dice, id)) };
    case "run-tools":
      return { type: "tool-start", call: work.calls[0]?.id ?? "", digest: "digest" };
    case "kill-tools":
      return { type: "tool-result", call: work.calls[0]?.call.id ?? "", result: { type: "error", text: "killed" } };
    case "ask-person":
    case "end-processes":
      return { type: "clock" };
    case "rest":
      return restInput(dice, watch);
    default:
      return work satisfies never;
  }
}

function restInput(dice: Dice, { session }: Watch): InputBody {
  const [call] = runningCalls(session);
  if (call !== undefined) {
    if (dice.chance(0.5)) return { type: "input-request", call: call.id, draft: questionOf(dice) };
    return { type: "tool-result", call: call.id, result: { type: "output", text: "ok" } };
  }
  if (dice.chance(0.3)) return { type: "flow", flow: flowOf(dice), name: "set up", arguments: "{}", ...acted };
  return { type: "prompt", text: "do it", delivery: "now", entry: "typed", ...acted };
}

function modelReply(dice: Dice, { events }: Watch) {
  const received = (asks: Asks, index: number): ReceivedCall => ({
    id: `c${events.length}-${index}`,
    tool: asks.type === "tool" ? "terminal" : asks.type,
    arguments: "{}",
    asks,
  });
  const kind = dice.weighted({ calls: 12, text: 1, block: 2 });
  if (kind === "text") return { type: "replied", text: "done", calls: [], usage } as const;
  if (kind === "block") {
    return { type: "replied", text: "Which colour is best?\n\n1) Red\n2) Синий", calls: [], usage } as const;
  }
  const calls = Array.from({ length: dice.pick([1, 1, 1, 2, 3]) }, () => asksOf(dice)).map(received);
  return { type: "replied", text: "", calls, usage } as const;
}

function asksOf(dice: Dice): Asks {
  const kind = dice.weighted({ ask: 5, flow: 4, tool: 4 });
  if (kind === "flow") return { type: "flow", flow: flowOf(dice) };
  if (kind === "tool") return { type: "tool", parallel: false, command: "make" };
  return { type: "ask", draft: { ...questionOf(dice), ...timed(dice) } };
}

function verdictOn(dice: Dice, call: string): JudgedCall {
  const judged = { call, rule: "test", reason: "test", digest: "digest", facts: null };
  if (dice.chance(0.2)) return { ...judged, verdict: "allow" };
  return {
    ...judged,
    verdict: "ask",
    approval: { question: "Approve command: make? (yes/no)", subject: "make", ...timed(dice) },
  };
}

/** Something happens while a question is open: mostly a typed line. */
function askPerson(dice: Dice, watch: Watch, told: Told): void {
  const what = dice.weighted({
    line: 80,
    response: 6,
    late: 4,
    view: 2,
    wait: 4,
    crash: 6,
    stop: 0.5,
    nobody: 0.7,
    behind: 2,
    another: 5,
  });
  const open = openInteraction(watch.session);
  holds(open !== null, "a question is open");
  const id = open.request.interaction_id;
  switch (what) {
    case "line":
      reply(dice, watch, told);
      break;
    case "response":
      respond(dice, watch);
      break;
    case "late":
      if (watch.ended.length > 0) lateReply(dice, watch, dice.pick(watch.ended));
      break;
    case "view": {
      const { line } = typedLine(dice, { request: open.request, flow: null });
      const { events } = watch.give({
        type: "reply",
        interaction: id,
        line,
        shown: null,
        by: person,
        authority: "view",
      });
      equal("someone who may only watch changes nothing", events, []);
      break;
    }
    case "wait":
      waitAt(dice, watch, open);
      break;
    case "crash":
      crash(dice, watch);
      break;
    case "stop":
      watch.give({ type: "stop", mode: "graceful", ...acted });
      equal("a stop withdraws the question", watch.watched.get(id)?.ended, "withdrawn");
      break;
    case "nobody":
      watch.give({ type: "nobody", interaction: id, unattended: dice.pick(["deny", "park", "park", "abort"]) });
      break;
    case "another":
      anotherQuestion(dice, watch);
      break;
    case "behind":
      behind(dice, watch);
      break;
    default:
      what satisfies never;
  }
}

/** Time passes: the question expires when its time is over, and not before (INT-8). */
function waitAt(dice: Dice, watch: Watch, { request, openedAt }: Session["interactions"][number]): void {
  watch.at += dice.pick([10, 499, 500, 600]);
  watch.give({ type: "clock" });
  const over = request.timeout_ms !== undefined && watch.at >= (openedAt ?? watch.at) + request.timeout_ms;
  const ended = watch.watched.get(request.interaction_id)?.ended;
  equal("a question expires when its time is over, and not before", ended, over ? "expired" : null);
}

/** A running command asks too: its question waits. */
function anotherQuestion(dice: Dice, watch: Watch): void {
  const [call] = runningCalls(watch.session);
  if (call === undefined || watch.session.interactions.length > 2) return;
  watch.give({ type: "input-request", call: call.id, draft: questionOf(dice) });
}

/** A question that waits for another one takes no reply. */
function behind(dice: Dice, watch: Watch): void {
  const waiting = watch.session.interactions[1]?.request.interaction_id ?? "unheard-of";
  const line = dice.pick(["1", "cancel", "yes", "", "option 1"]);
  const { events, refusal } = watch.give({ type: "reply", interaction: waiting, line, shown: null, ...acted });
  equal("only the open question takes a reply", [events, refusal?.code], [[], "unknown_interaction"]);
}

function crash(dice: Dice, watch: Watch): void {
  const lost = dice.chance(0.2) ? secretsOf(watch.session) : [];
  const running = runningCalls(watch.session).length > 0;
  watch.takeOver();
  const { events } = watch.give({ type: "recovery", alive: [], lost });
  if (lost.length > 0) watch.played = null;
  else if (!running) equal("the same question stays open", events, []);
}

/** One typed line, and that what follows is what it means (ANS-4, ANS-7). */
function reply(dice: Dice, watch: Watch, told: Told): void {
  const open = openInteraction(watch.session);
  holds(open !== null, "a question is open");
  const { request, purpose } = open;
  const id = request.interaction_id;
  const flow = purpose.type === "flow" ? (watch.session.flow?.flow ?? null) : null;
  const asked = { request, flow };
  const typed = typedLine(dice, asked);
  const reading = readingOf(typed, asked);
  meet(told, `${purpose.type} ${reading.type}`);
  const attempts = watch.watched.get(id)?.attempts ?? 0;
  const stopping = watch.session.exchange?.stop != null;
  const { events, refusal, secret } = watch.give({
    type: "reply",
    interaction: id,
    line: typed.line,
    shown: null,
    ...acted,
  });
  const ended = watch.watched.get(id)?.ended ?? null;
  if (!stopping)
    equal("the question ends as the line means", ended, endBy(reading, asked, { purpose: purpose.type, attempts }));
  equal(
    "only an invalid reply costs an attempt",
    refusal?.attempt,
    reading.type === "invalid" ? attempts + 1 : undefined,
  );
  if (reading.type === "command") equal("a command without its text changes nothing", events, []);
  const followed = { line: typed.line, reading, events };
  if (request.sensitive) keepsSecret(watch, followed, secret?.value);
  if (flow !== null) besideFlow(watch, followed);
}

type Before = { readonly purpose: string; readonly attempts: number };

function endBy(reading: CheckedReply, { request, flow }: Asked, { purpose, attempts }: Before): string | null {
  if (reading.type === "command") return null;
  if (reading.type === "invalid") return attempts === 3 ? "aborted" : null;
  if (reading.type === "stop") return "withdrawn";
  if (reading.type === "flow-cancel") return "cancelled";
  const yes = reading.type === "confirmed" && reading.confirmed;
  if (purpose === "approval" || purpose === "turn-limit") return yes ? "answered" : "declined";
  return flow !== null && request.kind === "confirmation" && reading.type === "confirmed" && !yes
    ? "cancelled"
    : "answered";
}

/** The value is kept outside of the journal, and no event has it. */
function keepsSecret(watch: Watch, { line, reading, events }: Followed, kept: string | undefined): void {
  const value = withoutEnd(line);
  equal("the secret is what was typed", kept, reading.type === "free-text" ? value : undefined);
  if (value.length < 12) return;
  const spelled = JSON.stringify(value).slice(1, -1);
  // Someone may have typed the same before, where it was no secret.
  const before = watch.events.slice(0, -events.length);
  const known = JSON.stringify(before).includes(spelled);
  holds(known || !JSON.stringify(events).includes(spelled), "no event has the secret");
}

type Followed = {
  readonly line: string;
  readonly reading: CheckedReply;
  readonly events: readonly SessionEvent[];
};

/** The session's flow is the same as the flow alone. */
function besideFlow(watch: Watch, { line, reading, events }: Followed): void {
  const { played, session } = watch;
  if (played === null || !played.open) return;
  played.take(line, reading);
  const { play, expected } = played;
  const ended = events.find((event) => event.type === "flow.ended");
  const ends = {
    open: undefined,
    confirmed: "confirmed",
    cancelled: "cancelled",
    step_abort: "aborted",
    stopped: "stopped",
  };
  equal("the flow ends in the session as it does alone", ended?.end, ends[play.final]);
  if (play.final === "confirmed") {
    const finished = events.find((event) => event.type === "call.finished");
    equal("what a flow found out", finished?.result.type, "output");
    equal(
      "what a flow found out",
      inKeyOrder(Object.entries(JSON.parse(finished?.result.text ?? ""))),
      expected.result,
    );
  }
  if (play.final !== "open") return;
  const open = openInteraction(session);
  holds(open !== null && session.flow !== null, "the flow goes on");
  equal("the block of the session", renderBlock(open.request), expected.block);
  equal("the attempts of the session", open.attempts, expected.attempts);
  equal("the state of the session's flow", withoutSecrets(session.flow.state), withoutSecrets(play.state));
}

/** An answer in wire form, right or wrong in every way; how it must end is the watch's to say. */
function respond(dice: Dice, watch: Watch): void {
  const open = openInteraction(watch.session);
  holds(open !== null, "a question is open");
  if (open.purpose.type === "flow") watch.played = null;
  const { interaction_id, options } = open.request;
  const id = dice.pick([...options.map((option) => option.id), "nothing", "__proto__"]);
  const response: InteractionResponse = {
    interaction_id,
    cancelled: dice.chance(0.1),
    ...(dice.chance(0.4) ? { selected_option_id: id } : {}),
    ...(dice.chance(0.2) ? { selected_option_ids: dice.some([...options.map((option) => option.id), id], 2) } : {}),
    ...(dice.chance(0.3) ? { free_text: dice.pick(["because", "", "cancel", "stop"]) } : {}),
    ...(dice.chance(0.2) ? { confirmed: dice.chance(0.5) } : {}),
    ...(dice.chance(0.5) ? { answer_id: dice.pick(["a1", "a2"]) } : {}),
  };
  const { events } = watch.give({ type: "response", response, shown: null, ...acted });
  const again = watch.give({ type: "response", response, shown: null, ...acted });
  const { selected_option_id, selected_option_ids = [], free_text, confirmed, cancelled } = response;
  const selects = selected_option_id !== undefined || selected_option_ids.length > 0;
  const answers = [selects && confirmed === undefined, free_text !== undefined, confirmed !== undefined, cancelled];
  if (answers.filter(Boolean).length !== 1) equal("what is no answer at all costs nothing", events, []);
  const known = response.answer_id !== undefined || events.length === 0;
  if (known && watch.watched.get(interaction_id)?.ended === null)
    equal("sent again it costs nothing", again.events, []);
}

/** From the bytes of any prefix the same inputs lead to the same events, byte for byte. */
function endsTheSame(dice: Dice, watch: Watch): void {
  const all = dice.chance(0.02);
  const starts = all ? watch.before.keys() : [dice.below(watch.before.length)];
  for (const start of starts) {
    let session = fold(watch.read.slice(0, watch.before[start]));
    let at = watch.before[start] ?? 0;
    for (const input of watch.inputs.slice(start)) {
      const decision = decide(session, input);
      equal(
        "from its bytes the session goes on the same",
        decision.events,
        watch.events.slice(at, at + decision.events.length),
      );
      at += decision.events.length;
      session = decision.session;
    }
    equal("it ends with the same events", at, watch.events.length);
  }
}
