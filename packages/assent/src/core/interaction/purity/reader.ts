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
  const openers = openersOf(language.openers);
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

type Openers = ReadonlyMap<string, readonly (readonly string[])[]>;

function openersOf(source: string): Openers {
  const openers = new Map<string, (readonly string[])[]>();
  for (const opener of source.split("|")) {
    const [first = "", ...rest] = opener.split(" ");
    openers.set(first, [...(openers.get(first) ?? []), rest]);
  }
  return openers;
}

/** A clause begins with the sentence, after a mark, and after an opener that begins one. */
function clausesOf(words: readonly string[], openers: Openers): Clauses {
  const starts: boolean[] = new Array(words.length + 1).fill(false);
  starts[0] = true;
  for (const [at, word] of words.entries()) {
    if (isMark(word)) starts[at + 1] = true;
    if (!starts[at]) continue;
    for (const rest of openers.get(word) ?? []) {
      if (rest.every((part, index) => part === "_" || words[at + 1 + index] === part))
        starts[at + 1 + rest.length] = true;
    }
  }
  return { words, keys: words.map(keyOf), starts };
}
