import type { Language, Patterns } from "./grammar.ts";
import { type Clauses, isMark, keyOf, PatternIndex } from "./patterns.ts";

/** What a language finds in a sentence. */
export type Reading = {
  readonly has: (tag: string) => boolean;
  readonly rule: string | undefined;
};

export type Reader = (words: readonly string[]) => Reading;

/** More words than this are no sentence: it is read in pieces, so that reading stays linear. */
const longest = 400;

/** Data is indexed on the first use of a language, never on import. */
export function readerOf(language: Language): Reader {
  const rules = language.rules.map(({ id, find }): [string, Patterns] => [id, find]);
  const index = new PatternIndex(language.classes, [...Object.entries(language.tags), ...rules]);
  const openers = `|${language.openers}|`;
  return (words) => {
    const found = words.length <= longest ? index.namesIn(clausesOf(words, openers)) : namesInPieces(words);
    const has = (tag: string): boolean => found.has(tag);
    const rule = language.rules.find(
      ({ id, find, and = [], none = [] }) => (find === "" || has(id)) && and.every(has) && !none.some(has),
    );
    return { has, rule: rule?.id };
  };

  function namesInPieces(words: readonly string[]): ReadonlySet<string> {
    const found = new Set<string>();
    for (let at = 0; at < words.length; at += longest) {
      for (const name of index.namesIn(clausesOf(words.slice(at, at + longest), openers))) found.add(name);
    }
    return found;
  }
}

/** A clause begins with the sentence, after a mark, and after an opener that begins one. */
function clausesOf(words: readonly string[], openers: string): Clauses {
  const starts: boolean[] = new Array(words.length + 1).fill(false);
  starts[0] = true;
  for (const [at, word] of words.entries()) {
    if (isMark(word) || (starts[at] && openers.includes(`|${word}|`))) starts[at + 1] = true;
    if (starts[at]) addLongOpeners(words, at, openers, starts);
  }
  return { words, keys: words.map(keyOf), starts };
}

/** Openers of several words, "of course": where they end, the clause may begin. */
function addLongOpeners(words: readonly string[], at: number, openers: string, starts: boolean[]): void {
  const first = `|${words[at] ?? ""} `;
  for (let from = openers.indexOf(first); from >= 0; from = openers.indexOf(first, from + 1)) {
    const rest = openers.slice(from + first.length, openers.indexOf("|", from + 1)).split(" ");
    if (rest.every((part, index) => part === "_" || words[at + 1 + index] === part))
      starts[at + 1 + rest.length] = true;
  }
}
