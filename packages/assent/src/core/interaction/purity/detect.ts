import { english } from "./english.ts";
import { readProse, type Sentence } from "./prose.ts";
import { type Reader, type Reading, readerOf } from "./reader.ts";
import { russian } from "./russian.ts";

/** A question, offer or request in prose where the contract wants a choice block (TXT-4). */
export type SoftOffer = {
  /** The sentence, as it stands in the text. */
  readonly part: string;
  readonly rule: string;
};

const languages = [
  { name: "english", language: english, script: /[a-z]/ },
  { name: "russian", language: russian, script: /[а-я]/ },
];
const readers = new Map<string, Reader>();

/** What the languages of a sentence find in it. A language that nobody writes is never prepared. */
function read(words: readonly string[]): Reading {
  const line = words.join(" ");
  const spoken = languages.filter(({ script }) => script.test(line));
  const readings = spoken.map(({ name, language }) => {
    const reader = readers.get(name) ?? readerOf(language);
    readers.set(name, reader);
    return reader(words);
  });
  return {
    has: (tag) => readings.some((reading) => reading.has(tag)),
    rule: readings.find(({ rule }) => rule !== undefined)?.rule,
  };
}

/** A sentence of the writer's own, and what it says. */
type Own = Sentence & { readonly reading: Reading };

/** Of a text longer than twice this only its start and its end are read: nobody reads the middle of it either. */
const longestEnd = 150_000;

/** The first soft offer of a final text, or none. Says the same of the same text, always. */
export function findSoftOffer(text: string): SoftOffer | null {
  const whole = text.length <= 2 * longestEnd;
  const known = textOf(
    ownSentences(readProse(whole ? text : `${text.slice(0, longestEnd)}\n\n${text.slice(-longestEnd)}`)),
  );
  for (const [index, sentence] of known.sentences.entries()) {
    const rule = ruleFor(sentence, known, index);
    if (rule !== undefined) return { part: sentence.part, rule };
  }
  return null;
}

/** Without the sentences that are announced as somebody else's. */
function ownSentences(sentences: readonly Sentence[]): readonly Own[] {
  const own: Own[] = [];
  let announced: Announced | undefined;
  for (const [index, sentence] of sentences.entries()) {
    const follows = announced !== undefined && isAfter(sentence, announced);
    const first = sentences[index - 1]?.block !== sentence.block;
    const mine = ownPart(sentence);
    if (announced !== undefined && follows) announced = { ...announced, block: sentence.block };
    if (announced !== undefined && follows && (announced.certain || (first && isBareQuestion(mine)))) continue;
    announced = announcedBy(mine) ?? (follows ? announced : undefined);
    own.push(mine);
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
function isBareQuestion({ reading, asks }: Own): boolean {
  return asks && !reading.has("self");
}

function announcedBy({ words, kind, block }: Own): Announced | undefined {
  const last = words.at(-1) === ")" ? words.length - 2 : words.length - 1;
  if (kind === "heading" || words[last] !== ":") return undefined;
  const lead = read(words.slice(0, last));
  if (lead.has("own")) return undefined;
  if (lead.has("says")) return { block, from: block, certain: true };
  return lead.has("reports") ? { block, from: block, certain: false } : undefined;
}

/** UI text after a colon is not the writer's: only what stands before it is kept. */
function ownPart(sentence: Sentence): Own {
  const { words, part } = sentence;
  const colon = words.indexOf(":");
  if (colon > 0 && colon + 1 < words.length) {
    const lead = read(words.slice(0, colon));
    const titled = /:[\s*_]+[A-ZА-ЯЁ]/.test(part) && lead.has("reports");
    if (!lead.has("own") && (titled || lead.has("says"))) {
      const kept = [...words.slice(0, colon), ":", "¤"];
      return { ...sentence, words: kept, asks: false, reading: read(kept) };
    }
  }
  return { ...sentence, reading: read(words) };
}

/** The sentences, and what would be dear to look up again for each. */
type Text = {
  readonly sentences: readonly Own[];
  /** For each sentence the place of the next one that asks nothing. */
  readonly statements: readonly number[];
  readonly boldQuestions: number;
};

function textOf(sentences: readonly Own[]): Text {
  const statements: number[] = new Array(sentences.length).fill(sentences.length);
  for (let at = sentences.length - 2; at >= 0; at--) {
    statements[at] = sentences[at + 1]?.asks ? (statements[at + 1] ?? sentences.length) : at + 1;
  }
  const boldQuestions = sentences.filter(({ kind, asks }) => kind === "bold" && asks).length;
  return { sentences, statements, boldQuestions };
}

function ruleFor(sentence: Own, text: Text, index: number): string | undefined {
  if (isTitle(sentence, text, index)) return undefined;
  if (sentence.asks) return isAnswered(text, index) ? undefined : ruleForQuestion(sentence, text, index);
  return sentence.reading.has("retold") ? ruleAfterRetold(sentence) : sentence.reading.rule;
}

const turns = new Set(["but", "so", "and", "а", "но", "поэтому", "так"]);

/** What somebody asked ends with its clause: after it the writer may speak again. */
function ruleAfterRetold({ words }: Own): string | undefined {
  const end = words.findIndex(
    (word, at) => word === ";" || word === "-" || (word === "," && turns.has(words[at + 1] ?? "")),
  );
  return end < 0 ? undefined : read(words.slice(end + 1)).rule;
}

function ruleForQuestion(sentence: Own, text: Text, index: number): string | undefined {
  const { reading } = sentence;
  if (reading.rule !== undefined) return reading.rule;
  if (index === text.sentences.length - 1) return "last-question";
  if (reading.has("directed") && !reading.has("rhetorical")) return "directed-question";
  return isLeftOpen(sentence, text, index) ? "open-question" : undefined;
}

/** A heading is a title, and so is a line in bold, if it is not the only question among them; the last line never is. */
function isTitle({ kind, asks, words }: Own, text: Text, index: number): boolean {
  if (index === text.sentences.length - 1) return false;
  if (kind !== "bold") return kind === "heading";
  return asks && (text.boldQuestions > 1 || (words[1] === ":" && (words[0] === "q" || words[0] === "в")));
}

/** Does the next sentence open as only an answer does? */
function isAnswered({ sentences }: Text, index: number): boolean {
  const next = sentences[index + 1];
  if (next === undefined || next.asks || next.kind === "heading") return false;
  // "Is it needed? It is": in Russian an answer repeats the verb of the question.
  const [word = ""] = next.words;
  if (/^[а-я]{4,}$/.test(word) && sentences[index]?.words.slice(0, 4).includes(word)) return true;
  return next.reading.has("answers") && !next.reading.has("evades");
}

/** A statement after a question answers it; another question or an offer does not. */
function isLeftOpen({ kind, block, reading }: Own, { sentences, statements }: Text, index: number): boolean {
  const next = sentences[statements[index] ?? sentences.length];
  if (next === undefined || next.kind === "heading") return true;
  if (kind === "item" && next.block !== block) return true;
  // Who answers a question of one's own does so in the same paragraph.
  if (next.block !== block && next.kind === "prose" && kind === "prose") return !reading.has("rhetorical");
  return next.reading.has("evades") || next.reading.rule !== undefined;
}
