import { english } from "./english.ts";
import { type Language, type Reader, readerOf } from "./grammar.ts";
import { readProse, type Sentence } from "./prose.ts";
import { russian } from "./russian.ts";

/** A question, offer or request in prose where the contract wants a choice block (TXT-4). */
export type SoftOffer = {
  /** The sentence, as it stands in the text. */
  readonly part: string;
  readonly rule: string;
};

const languages: readonly Language[] = [english, russian];
let compiled: readonly Reader[] | undefined;

function readers(): readonly Reader[] {
  compiled ??= languages.map(readerOf);
  return compiled;
}

/** The first soft offer of a final text, or none. Says the same of the same text, always. */
export function findSoftOffer(text: string): SoftOffer | null {
  const read = textOf(ownSentences(readProse(text)));
  for (const [index, sentence] of read.sentences.entries()) {
    const rule = ruleFor(sentence, read, index);
    if (rule !== undefined) return { part: sentence.part, rule };
  }
  return null;
}

/** Without the sentences that are announced as somebody else's. */
function ownSentences(sentences: readonly Sentence[]): readonly Sentence[] {
  const own: Sentence[] = [];
  let announced: Announced | undefined;
  for (const [index, sentence] of sentences.entries()) {
    const follows = announced !== undefined && isAfter(sentence, announced);
    const first = sentences[index - 1]?.block !== sentence.block;
    if (announced !== undefined && follows) announced = { ...announced, block: sentence.block };
    if (announced !== undefined && follows && (announced.certain || (first && isBareQuestion(sentence)))) continue;
    announced = announcedBy(sentence) ?? (follows ? announced : undefined);
    own.push(afterColon(sentence));
  }
  return own;
}

type Announced = { readonly block: number; readonly from: number; readonly certain: boolean };

/** The block that follows a reporting colon is reported; if it is a list, the whole list is. */
function isAfter(sentence: Sentence, { block, from }: Announced): boolean {
  if (sentence.kind === "heading" || sentence.kind === "bold") return false;
  if (sentence.block === block) return true;
  return sentence.block === block + 1 && (block === from || sentence.kind === "item");
}

/** A question in which the writer does not show: after "the new labels:" it is a label. */
function isBareQuestion({ words, asks }: Sentence): boolean {
  return asks && !/ (?:i|me|my|we|us|я|мне|меня|нам|мы) /u.test(words);
}

function announcedBy({ words, kind, block }: Sentence): Announced | undefined {
  if (kind === "heading") return undefined;
  const colon = / ?: (?:\) )?$/u.exec(words);
  if (colon === null) return undefined;
  const lead = words.slice(0, colon.index + 1);
  if (somebody(lead, (reader) => reader.says)) return { block, from: block, certain: true };
  return somebody(lead, (reader) => reader.reports) ? { block, from: block, certain: false } : undefined;
}

function somebody(lead: string, speaks: (reader: Reader) => Reader["says"]): boolean {
  return readers().some((reader) => reader.speaks(lead) && speaks(reader)(lead) && !reader.isOwn(lead));
}

/** UI text after a colon is not the writer's: only what stands before it is kept. */
function afterColon(sentence: Sentence): Sentence {
  const colon = sentence.words.indexOf(" : ");
  if (colon < 0 || colon + 3 >= sentence.words.length) return sentence;
  const lead = sentence.words.slice(0, colon + 1);
  const titled = /:[\s*_]+\p{Lu}/u.test(sentence.part) && somebody(lead, (reader) => reader.reports);
  if (!titled && !somebody(lead, (reader) => reader.says)) return sentence;
  return { ...sentence, words: `${lead}: ¤ `, asks: false };
}

/** The sentences, and what would be dear to look up again for each. */
type Text = {
  readonly sentences: readonly Sentence[];
  /** For each sentence the place of the next one that asks nothing. */
  readonly statements: readonly number[];
  readonly boldQuestions: number;
};

function textOf(sentences: readonly Sentence[]): Text {
  const statements: number[] = new Array(sentences.length).fill(sentences.length);
  for (let at = sentences.length - 2; at >= 0; at--) {
    statements[at] = sentences[at + 1]?.asks ? (statements[at + 1] ?? sentences.length) : at + 1;
  }
  const boldQuestions = sentences.filter(({ kind, asks }) => kind === "bold" && asks).length;
  return { sentences, statements, boldQuestions };
}

function ruleFor(sentence: Sentence, text: Text, index: number): string | undefined {
  if (isTitle(sentence, text, index)) return undefined;
  const spoken = readers().filter((reader) => reader.speaks(sentence.words));
  if (sentence.asks) return isAnswered(text, index) ? undefined : ruleForQuestion(sentence, text, index, spoken);
  return firstRule(spoken.some((reader) => reader.retells(sentence.words)) ? afterRetold(sentence) : sentence, spoken);
}

/** What somebody asked ends with its clause: after it the writer may speak again. */
function afterRetold(sentence: Sentence): Sentence {
  const end = / (?:[;—]|, (?:but|so|and|а|но|поэтому|так что)) /u.exec(sentence.words);
  return { ...sentence, words: end === null ? " " : ` ${sentence.words.slice(end.index + end[0].length)}` };
}

function firstRule({ words }: Sentence, spoken: readonly Reader[]): string | undefined {
  for (const reader of spoken) {
    const rule = reader.firstRule(words);
    if (rule !== undefined) return rule;
  }
  return undefined;
}

function ruleForQuestion(sentence: Sentence, text: Text, index: number, spoken: readonly Reader[]): string | undefined {
  const rule = firstRule(sentence, spoken);
  if (rule !== undefined) return rule;
  if (index === text.sentences.length - 1) return "last-question";
  if (spoken.some((reader) => reader.isDirected(sentence.words))) return "directed-question";
  return isLeftOpen(sentence, text, index) ? "open-question" : undefined;
}

/** A heading is a title, and so is a line in bold, if it is not the only question among them; the last line never is. */
function isTitle({ kind, asks, words }: Sentence, text: Text, index: number): boolean {
  if (index === text.sentences.length - 1) return false;
  if (kind !== "bold") return kind === "heading";
  return !asks || text.boldQuestions > 1 || / (?:q|в) : /u.test(words);
}

/** Does the next sentence open as only an answer does? */
function isAnswered({ sentences }: Text, index: number): boolean {
  const next = sentences[index + 1];
  if (next === undefined || next.asks || next.kind === "heading") return false;
  // "Is it needed? It is": in Russian an answer repeats the first word of the question.
  const word = /^ [а-я]{4,} /u.exec(next.words)?.[0];
  if (word !== undefined && sentences[index]?.words.startsWith(word)) return true;
  return readers().some((reader) => reader.answers(next.words) && !reader.evades(next.words));
}

function isRhetorical({ words }: Sentence): boolean {
  return readers().some((reader) => reader.speaks(words) && reader.isRhetorical(words));
}

/** A statement after a question answers it; another question or an offer does not. */
function isLeftOpen(sentence: Sentence, { sentences, statements }: Text, index: number): boolean {
  const next = sentences[statements[index] ?? sentences.length];
  if (next === undefined || next.kind === "heading") return true;
  if (sentence.kind === "item" && next.block !== sentence.block) return true;
  const yesNo = readers().some((reader) => reader.speaks(sentence.words) && reader.isYesNo(sentence.words));
  if (yesNo && next.kind !== "item") return true;
  // Who answers a question of one's own does so in the same paragraph.
  if (next.block !== sentence.block && next.kind === "prose" && sentence.kind === "prose")
    return !isRhetorical(sentence);
  return readers().some((reader) => reader.evades(next.words) || reader.firstRule(next.words) !== undefined);
}
