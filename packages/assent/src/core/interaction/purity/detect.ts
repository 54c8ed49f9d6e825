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
  const sentences = ownSentences(readProse(text));
  for (const [index, sentence] of sentences.entries()) {
    const rule = ruleFor(sentence, sentences, index);
    if (rule !== undefined) return { part: sentence.part, rule };
  }
  return null;
}

/** Without the sentences that are announced as somebody else's. */
function ownSentences(sentences: readonly Sentence[]): readonly Sentence[] {
  const own: Sentence[] = [];
  let announced: Announced | undefined;
  for (const sentence of sentences) {
    if (announced !== undefined && isOfOthers(sentence, announced)) {
      announced = { ...announced, block: sentence.block };
      continue;
    }
    announced = announces(sentence) ? { block: sentence.block, from: sentence.block, kind: undefined } : undefined;
    own.push(afterColon(sentence));
  }
  return own;
}

type Announced = { readonly block: number; readonly from: number; readonly kind: Sentence["kind"] | undefined };

/** The block that follows a reporting colon is reported; if it is a list, the whole list is. */
function isOfOthers(sentence: Sentence, { block, from }: Announced): boolean {
  if (sentence.kind === "heading" || sentence.kind === "bold") return false;
  if (sentence.block === block) return true;
  return sentence.block === block + 1 && (block === from || sentence.kind === "item");
}

function announces({ words, kind }: Sentence): boolean {
  if (kind === "heading") return false;
  const lead = / ?: (?:\) )?$/u.exec(words);
  return lead !== null && isReporting(words.slice(0, lead.index + 1));
}

function isReporting(lead: string): boolean {
  return readers().some((reader) => reader.speaks(lead) && reader.reports(lead) && !reader.isOwn(lead));
}

/** UI text after a colon is not the writer's: only what stands before it is kept. */
function afterColon(sentence: Sentence): Sentence {
  const colon = sentence.words.indexOf(" : ");
  if (colon < 0 || colon + 3 >= sentence.words.length) return sentence;
  const lead = sentence.words.slice(0, colon + 1);
  if (!isReporting(lead)) return sentence;
  return { ...sentence, words: `${lead}: ¤ `, asks: false };
}

function ruleFor(sentence: Sentence, all: readonly Sentence[], index: number): string | undefined {
  if (isTitle(sentence, all, index)) return undefined;
  const spoken = readers().filter((reader) => reader.speaks(sentence.words));
  if (spoken.some((reader) => reader.retells(sentence.words))) return undefined;
  for (const reader of spoken) {
    const rule = reader.firstRule(sentence.words);
    if (rule !== undefined && !(sentence.asks && isAnswered(all, index))) return rule;
  }
  if (!sentence.asks) return undefined;
  if (isAnswered(all, index)) return undefined;
  const next = all[index + 1];
  if (next === undefined) return "last-question";
  if (spoken.some((reader) => reader.isDirected(sentence.words))) return "directed-question";
  return isLeftOpen(sentence, all, index) ? "open-question" : undefined;
}

/** A heading is a title, and so is a line in bold, if it is not the only question among them; the last line never is. */
function isTitle({ kind, asks, words }: Sentence, all: readonly Sentence[], index: number): boolean {
  if (index === all.length - 1) return false;
  if (kind !== "bold") return kind === "heading";
  if (!asks || / (?:q|в) : /u.test(words)) return true;
  return all.filter((other) => other.kind === "bold" && other.asks).length > 1;
}

/** Does the next sentence open as only an answer does? */
function isAnswered(all: readonly Sentence[], index: number): boolean {
  const next = all[index + 1];
  if (next === undefined || next.asks || next.kind === "heading") return false;
  return readers().some((reader) => reader.answers(next.words) && !reader.evades(next.words));
}

/** A statement after a question answers it; another question or an offer does not. */
function isLeftOpen(sentence: Sentence, all: readonly Sentence[], index: number): boolean {
  for (let at = index + 1; at < all.length; at++) {
    const next = all[at];
    if (next === undefined) return true;
    if (next.kind === "heading") return true;
    if (next.asks) continue;
    if (sentence.kind === "item" && next.block !== sentence.block) return true;
    return readers().some((reader) => reader.evades(next.words) || reader.firstRule(next.words) !== undefined);
  }
  return true;
}
