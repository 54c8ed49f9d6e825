import { isBlank } from "./blank.ts";
import { abbreviations, choiceNotes, labelWords, otherOptions } from "./contract-data.ts";
import { pattern } from "./pattern.ts";
import type { InteractionRequest } from "./request.ts";
import { hasMoreWords } from "./words.ts";

/** How a question can break the contract (TXT-1, TXT-2, TXT-3, TXT-9), in the order they are named. */
export const violations = [
  "instruction-empty",
  "instruction-not-one-line",
  "instruction-hidden-characters",
  "instruction-blank-edges",
  "instruction-too-long",
  "instruction-not-one-sentence",
  "instruction-markup",
  "instruction-label",
  "too-many-options",
  "no-way-to-answer",
  "option-empty",
  "option-not-one-line",
  "option-hidden-characters",
  "option-blank-edges",
  "option-too-long",
  "option-markup",
  "option-other",
  "option-numbered",
  "options-alike",
  "id-empty",
  "ids-alike",
  "default-unknown",
  "selection-bounds",
] as const;

/** A rule of the text contract that a question breaks. */
export type Violation = (typeof violations)[number];

/** An instruction has no more words than this. */
export const mostInstructionWords = 15;
/** A question has no more options than this. */
export const mostOptions = 7;
/** The label of an option has no more words than this. */
export const mostOptionWords = 5;

const described: Readonly<Record<Violation, string>> = {
  "instruction-empty": "the instruction is empty",
  "instruction-not-one-line": "the instruction has more than one line",
  "instruction-hidden-characters": "the instruction has characters that cannot be seen",
  "instruction-blank-edges": "the instruction begins or ends with white space",
  "instruction-too-long": `the instruction has more than ${mostInstructionWords} words`,
  "instruction-not-one-sentence": "the instruction has more than one sentence",
  "instruction-markup": "the instruction has markup",
  "instruction-label": "the instruction has a label such as Answer:",
  "too-many-options": `there are more than ${mostOptions} options`,
  "no-way-to-answer": "there is neither an option nor free text",
  "option-empty": "an option is empty",
  "option-not-one-line": "an option has more than one line",
  "option-hidden-characters": "an option has characters that cannot be seen",
  "option-blank-edges": "an option begins or ends with white space",
  "option-too-long": `an option has more than ${mostOptionWords} words`,
  "option-markup": "an option has markup",
  "option-other": "an option is an Other; free text is possible anyway",
  "option-numbered": "an option begins with a number and a bracket",
  "options-alike": "two options are alike",
  "id-empty": "an option has an empty id",
  "ids-alike": "two options have one id",
  "default-unknown": "the default is none of the options",
  "selection-bounds": "the numbers of options to choose do not fit",
};

/** A rule that is broken, in words and with its code. */
export function describeViolation(violation: Violation): string {
  return `${described[violation]} (${violation})`;
}

/** Far more than any question has: one with more is broken already, and its rest is not worth reading. */
const mostReadOptions = 1_000;
/** Labels that are the same so far are the same to a person. */
const mostComparedCharacters = 1_000;

/** As much of a question as the contract is about. */
export type Lintable = Pick<
  InteractionRequest,
  "question" | "options" | "allow_free_text" | "default_option_id" | "multi_select" | "min_selected" | "max_selected"
>;

/** Runs on a question before it becomes a request; stored requests are never checked again (TXT-9). */
export function lintQuestion(draft: Lintable): readonly Violation[] {
  const found = new Set<Violation>([
    ...lineFaults(draft.question, mostInstructionWords).map((fault) => `instruction-${fault}` as const),
    ...instructionFaults(draft.question),
    ...answerFaults(draft),
    ...identityFaults(draft),
  ]);
  for (const { label } of draft.options.slice(0, mostReadOptions)) {
    for (const fault of lineFaults(label, mostOptionWords)) found.add(`option-${fault}`);
    if (offersOther(label)) found.add("option-other");
    if (numbered().test(label)) found.add("option-numbered");
  }
  return violations.filter((violation) => found.has(violation));
}

const thirdPartyText: readonly Violation[] = [
  "instruction-too-long",
  "instruction-not-one-sentence",
  "instruction-markup",
  "instruction-label",
];

/** The same for the questions of the program itself: a command and a person's own answers are shown as they are (TXT-7). */
export function lintRequest(request: InteractionRequest): readonly Violation[] {
  const exempt = exemptions(request);
  return lintQuestion(request).filter((violation) => !exempt.includes(violation));
}

function exemptions({ kind, question, subject, continuation_id }: InteractionRequest): readonly Violation[] {
  if (kind !== "confirmation") return [];
  if (subject !== undefined && isApproval(question)) return thirdPartyText;
  if (continuation_id !== undefined && isSummary(question)) return [...thirdPartyText, "instruction-not-one-line"];
  return [];
}

function isApproval(question: string): boolean {
  const after = "? (yes/no)";
  const before = ["Approve command: ", "Save this rule: always allow "].find((start) => question.startsWith(start));
  return before !== undefined && question.endsWith(after) && !isBlank(question.slice(before.length, -after.length));
}

function isSummary(question: string): boolean {
  const [title, ...fields] = question.split("\n");
  return (
    title === "Summary:" &&
    fields.length > 0 &&
    fields.every((field) => /^- [^\s=]{1,40}: ./u.test(field) && !lineBreak.test(field))
  );
}

const whiteSpaces = pattern(String.raw`\p{White_Space}+`, "gu");
const openings = pattern(String.raw`[\p{Ps}\p{Pi}"'\s]+`, "gu");
const labelEnds = pattern(String.raw`[.!?…;:—–。！？；：\p{Ps}\p{Pe}]|\s-\s`, "u");
const pieceEnds = pattern(String.raw`[.!?…;。！？；\p{Ps}\p{Pe}]`, "u");
const beforeLabel = pattern(String.raw`^[\s\p{So}\p{Ps}\p{Pi}\p{DI}"'.…]+`, "u");
const firstShown = pattern(String.raw`[^\s\p{So}\p{Ps}\p{Pe}\p{Pi}\p{Pf}"'*_]`, "u");
const capital = pattern(String.raw`\p{Lu}`, "u");

type LineFault = "empty" | "not-one-line" | "hidden-characters" | "blank-edges" | "too-long" | "markup";

const lineBreak = /[\n\r\v\f\u0085\u2028\u2029]/u;
/** A joiner is part of a word's spelling when it stands between two characters of it, and hides otherwise. */
const hidden = pattern(
  String.raw`[[\p{Cc}\p{Cf}\p{Cs}]--[\n\r\v\f\u0085\u200c\u200d]]|(?<![^\s\u200c\u200d])[\u200c\u200d]|[\u200c\u200d](?![^\s\u200c\u200d])`,
  "v",
);
const blankEdge = pattern(String.raw`^[\s\p{White_Space}\u2800\u3164]|[\s\p{White_Space}\u2800\u3164]$`, "u");
const numbered = pattern(String.raw`^\s*\p{Nd}+\s*[)）]`, "u");

/** What an instruction and a label have in common. */
function lineFaults(text: string, mostWords: number): LineFault[] {
  const faults: LineFault[] = [];
  const blank = isBlank(text);
  if (blank) faults.push("empty");
  if (lineBreak.test(text)) faults.push("not-one-line");
  if (hidden().test(text)) faults.push("hidden-characters");
  if (!blank && blankEdge().test(text)) faults.push("blank-edges");
  if (hasMoreWords(text, mostWords)) faults.push("too-long");
  if (hasMarkup(text)) faults.push("markup");
  return faults;
}

function instructionFaults(text: string): Violation[] {
  const faults: Violation[] = [];
  if (endsInside(text)) faults.push("instruction-not-one-sentence");
  if (hasLabel(text)) faults.push("instruction-label");
  return faults;
}

function answerFaults({ options, allow_free_text, multi_select, min_selected, max_selected }: Lintable): Violation[] {
  const faults: Violation[] = [];
  if (options.length > mostOptions) faults.push("too-many-options");
  if (options.length === 0 && !allow_free_text) faults.push("no-way-to-answer");
  if (min_selected === undefined && max_selected === undefined) return faults;
  const least = min_selected ?? 0;
  const most = max_selected ?? Number.POSITIVE_INFINITY;
  const sensible = multi_select === true && least <= most && least <= options.length && most >= 1;
  if (!sensible) faults.push("selection-bounds");
  return faults;
}

function identityFaults({ options, default_option_id }: Lintable): Violation[] {
  const faults: Violation[] = [];
  const ids = new Set(options.map((option) => option.id));
  const labels = options.slice(0, mostReadOptions).map((option) => comparable(option.label));
  if (new Set(labels).size !== labels.length) faults.push("options-alike");
  if (ids.has("")) faults.push("id-empty");
  if (ids.size !== options.length) faults.push("ids-alike");
  if (default_option_id !== undefined && !ids.has(default_option_id)) faults.push("default-unknown");
  return faults;
}

const invisible = pattern(String.raw`[[\p{Cc}\p{Cf}\p{Cs}\p{DI}\u2800]--\p{White_Space}]`, "gv");
const endPunctuation = pattern(String.raw`[\p{Terminal_Punctuation}\p{White_Space}]`, "u");

/** What is left of a label when everything is gone that a person may not notice. */
function comparable(label: string): string {
  const seen = foldCase(label.slice(0, mostComparedCharacters).normalize("NFKC").replace(invisible(), ""))
    .normalize("NFKC")
    .replace(whiteSpaces(), " ")
    .trim();
  return withoutEnd(seen, endPunctuation()) || seen;
}

/** Up and down again for letters with more than one small form; the dotless i would come back as another letter. */
function foldCase(text: string): string {
  return text
    .split("ı")
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join("ı");
}

/** Not `/x+$/`, which looks for the end anew from every x. */
function withoutEnd(text: string, unwanted: RegExp): string {
  let end = text.length;
  while (end > 0 && unwanted.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

const sentenceEnd = pattern(String.raw`([.!?])[\s\p{White_Space}]+(?=[\p{Lu}\p{Lt}[\p{Ps}--[„‚]]])`, "gv");
const wideSentenceEnd = pattern(String.raw`[。！？]\s*[\p{L}\p{N}\p{Ps}\p{Pi}]`, "u");

function endsInside(text: string): boolean {
  if (wideSentenceEnd().test(text)) return true;
  for (const { 1: mark, index } of text.matchAll(sentenceEnd())) {
    if (mark !== "." || !endsAbbreviation(text, index)) return true;
  }
  return false;
}

/** Longer than any abbreviation. */
const around = 24;

function endsAbbreviation(text: string, stop: number): boolean {
  const before = text.slice(Math.max(0, stop - around), stop + 1).replace(openings(), " ");
  const after = text.slice(stop + 1, stop + around).replace(/\s+/gu, " ");
  const token = before.slice(before.lastIndexOf(" ") + 1);
  const known = knownData().stops.get(token.toLowerCase());
  if (known === undefined) return false;
  return known.some(
    (part) =>
      ` ${before.toLowerCase()}`.endsWith(` ${part.before}`) &&
      after.toLowerCase().startsWith(part.after) &&
      (part.dotted || !capital().test(token.slice(1))),
  );
}

type Stop = {
  readonly before: string;
  readonly after: string;
  /** `U.S.` may be all capitals; `MR.` is no `Mr.` */
  readonly dotted: boolean;
};

function stopsOf(abbreviation: string): [string, Stop][] {
  const parts = abbreviation.split(" ");
  return parts.map((part, index) => {
    const before = parts.slice(0, index + 1).join(" ");
    return [
      part,
      { before, after: abbreviation.slice(before.length), dotted: abbreviation.indexOf(".") < abbreviation.length - 1 },
    ];
  });
}

type Pattern = () => RegExp;

const emphasis: readonly (readonly [Pattern, Pattern])[] = [
  [
    pattern(String.raw`(?<![\w*/\\])\*{1,3}(?=[\p{L}\p{N}\p{Pi}\p{Ps}¿¡])`, "u"),
    pattern(
      String.raw`(?<=[\p{L}\p{N}\p{Pe}\p{Pf}!?:…。！？：])\*{1,3}(?![\w*/]|\.\w)|(?<=[^\s*/]\.)\*\*(?![\w*/]|\.\w)`,
      "u",
    ),
  ],
  [pattern(String.raw`(?<!~)~~(?=[\p{L}\p{N}])`, "u"), () => /(?<=[^\s~])~~(?!~)/u],
];
const markup: readonly Pattern[] = [
  () => /`/u,
  // A comparison such as "> 100 MB" is no quotation.
  pattern(String.raw`^(?:#{1,6}\s|[-*]\s|>\s+(?![\s\p{N}\p{Sc}]))`, "u"),
  // Two words at least: `__init__` is a name.
  pattern(String.raw`(?<!\w)__(?=[\p{L}\p{N}])[^_\s]+\s[^_]*__(?!\w)`, "u"),
  () => /(?<![\w)\]])\[[^[\]]+\]\([^()]*\)/u,
  () => /<(?:br|hr)\s*\/?>|<!--|<https?:/i,
];
const tag = /<(\/?)([a-z][a-z0-9-]*)(?:\s[^<>]*)?>/gi;

function hasMarkup(text: string): boolean {
  return markup.some((sign) => sign().test(text)) || hasEmphasis(text) || hasTagPair(text);
}

function hasEmphasis(text: string): boolean {
  return emphasis.some(([opening, closing]) => {
    const start = text.search(opening());
    return start >= 0 && closing().test(text.slice(start + 1));
  });
}

/** A tag alone is a placeholder, such as `<branch>`. */
function hasTagPair(text: string): boolean {
  const opened = new Set<string>();
  for (const { 1: slash, 2: name = "" } of text.matchAll(tag)) {
    if (slash === "") opened.add(name.toLowerCase());
    else if (opened.has(name.toLowerCase())) return true;
  }
  return false;
}

/** Longer than any entry of the lists, and two words of them. */
const near = 80;
const colon = /(?<!:):(?!:)|：/u;

function hasLabel(text: string): boolean {
  const start = text.slice(0, near);
  const end = text.slice(-near);
  const first = start.search(colon);
  if (first >= 0 && isLabel(start.slice(0, first))) return true;
  const trimmed = end.trim();
  if (/(?:^|[^:])[:：]$/u.test(trimmed)) {
    const pieces = trimmed.slice(0, -1).split(labelEnds());
    if (isLabel(pieces.at(-1) ?? "")) return true;
  }
  return isChoiceNote(pieceOf(start, 0)) || isChoiceNote(pieceOf(end, -1));
}

function pieceOf(text: string, index: 0 | -1): string {
  const pieces = text.split(pieceEnds()).filter((piece) => !isBlank(piece));
  return pieces.at(index) ?? "";
}

function isLabel(text: string): boolean {
  const words = entryKey(text).split(" ");
  if (words.length > 2) return isChoiceNote(text);
  return isChoiceNote(text) || knownData().labels.some((known) => words.every((word) => known.has(word)));
}

function isChoiceNote(text: string): boolean {
  return knownData().notes.has(entryKey(text));
}

const addition = /[(（[［【,，、;；—–…：]|:(?!\S)|\s[-/]\s|[.!?]\s/u;

/** The word alone, or the word and what it asks for: "Other (please specify)". */
function offersOther(label: string): boolean {
  const start = label.slice(0, near).replace(beforeLabel(), "");
  const cut = start.search(addition);
  return knownData().others.has(entryKey(cut < 0 ? start : start.slice(0, cut)));
}

const decoration = pattern(String.raw`[\s\p{So}\p{Ps}\p{Pe}\p{Pi}\p{Pf}\p{Terminal_Punctuation}"'*_-]`, "u");

/** A text as the lists know it: without what stands around, and one way to spell it. */
function entryKey(text: string): string {
  const seen = comparable(text).replaceAll("ё", "е").replaceAll("’", "'").replace(/[‐‑]/gu, "-");
  const start = seen.search(firstShown());
  return withoutEnd(seen.slice(Math.max(0, start)), decoration());
}

type Known = {
  readonly labels: readonly ReadonlySet<string>[];
  readonly notes: ReadonlySet<string>;
  readonly others: ReadonlySet<string>;
  readonly stops: ReadonlyMap<string, readonly Stop[]>;
};

let made: Known | undefined;

/** Made when first needed: most starts of the program ask nothing. */
function knownData(): Known {
  made ??= {
    labels: Object.values(labelWords).map((words) => new Set(words.map(entryKey))),
    notes: new Set(Object.values(choiceNotes).flat().map(entryKey)),
    others: new Set(Object.values(otherOptions).flat().map(entryKey)),
    stops: knownStops(),
  };
  return made;
}

function knownStops(): ReadonlyMap<string, readonly Stop[]> {
  const stops = new Map<string, Stop[]>();
  const all = Object.values(abbreviations).flat();
  for (const spelled of new Set(all.flatMap((entry) => [entry, entry.replaceAll(" ", "")]))) {
    for (const [token, stop] of stopsOf(spelled)) {
      const same = stops.get(token);
      if (same === undefined) stops.set(token, [stop]);
      else same.push(stop);
    }
  }
  return stops;
}
