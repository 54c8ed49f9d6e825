/**
 * A rule says how an offer or a request looks in one language. Patterns are read over the words of a sentence
 * (lower case, one space between words and marks); `<name>` stands for an entry of the language's vocabulary.
 */
export type Rule = {
  readonly id: string;
  /** Each must be found somewhere in the sentence. */
  readonly all: readonly string[];
  /** None may be found. */
  readonly none?: readonly string[];
  /** Sentences the rule must find, and sentences no rule may find: run as tests. */
  readonly hits: readonly string[];
  readonly misses: readonly string[];
};

/** A language, as data. */
export type Language = {
  readonly name: string;
  /** A sentence without a match is not of this language. */
  readonly script: string;
  readonly vocabulary: Readonly<Record<string, string>>;
  readonly rules: readonly Rule[];
  /** A question like this is put to the person even when a statement follows. */
  readonly directed: readonly string[];
  /** A question that only looks so: one answers it oneself as a rule. */
  readonly rhetorical: readonly string[];
  /** How a sentence begins that answers the question before it, whatever was asked. */
  readonly answers: readonly string[];
  /** How a sentence begins that leaves the question before it open. */
  readonly evasions: readonly string[];
  /** How a yes-or-no question begins: only a yes, a no or the like answers it. */
  readonly yesNo: readonly string[];
  /** What stands before a colon when others are speaking after it, in the line or in the next block. */
  readonly saying: readonly string[];
  /** What stands before a colon when the capital letter after it may begin a title or a label. */
  readonly reporting: readonly string[];
  /** What stands before a colon when the writer goes on speaking, though it looks like the above. */
  readonly own: readonly string[];
  /** A sentence like this tells what somebody else asked or said. */
  readonly retold: readonly string[];
};

export type Reader = {
  readonly speaks: (words: string) => boolean;
  readonly firstRule: (words: string) => string | undefined;
  readonly isDirected: (words: string) => boolean;
  readonly isRhetorical: (words: string) => boolean;
  readonly answers: (words: string) => boolean;
  readonly evades: (words: string) => boolean;
  readonly isYesNo: (words: string) => boolean;
  readonly says: (words: string) => boolean;
  readonly reports: (words: string) => boolean;
  readonly isOwn: (words: string) => boolean;
  readonly retells: (words: string) => boolean;
};

/** Patterns are compiled on the first use of a language, never on import. */
export function readerOf(language: Language): Reader {
  const compile = (patterns: readonly string[]): ((words: string) => boolean) => {
    if (patterns.length === 0) return () => false;
    const pattern = compilePattern(patterns, language.vocabulary);
    return (words) => pattern.test(words);
  };
  const rules = language.rules.map((rule) => ({
    id: rule.id,
    all: rule.all.map((pattern) => compile([pattern])),
    none: compile(rule.none ?? []),
  }));
  const directed = compile(language.directed);
  const rhetorical = compile(language.rhetorical);
  const script = new RegExp(language.script, "u");
  return {
    speaks: (words) => script.test(words),
    firstRule: (words) => rules.find(({ all, none }) => all.every((found) => found(words)) && !none(words))?.id,
    isDirected: (words) => directed(words) && !rhetorical(words),
    isRhetorical: rhetorical,
    answers: compile(language.answers),
    evades: compile(language.evasions),
    isYesNo: compile(language.yesNo),
    says: compile(language.saying),
    reports: compile(language.reporting),
    isOwn: compile(language.own),
    retells: compile(language.retold),
  };
}

/** Words begin after a space and end before one. */
function compilePattern(patterns: readonly string[], vocabulary: Readonly<Record<string, string>>): RegExp {
  return new RegExp(`(?<= )(?:${patterns.map((pattern) => expand(pattern, vocabulary)).join("|")})(?= )`, "u");
}

/** Entries may name entries that stand before them; a name nobody knows stays and matches nothing. */
export function expand(pattern: string, vocabulary: Readonly<Record<string, string>>): string {
  return pattern.replace(/<([a-z]+)>/gu, (whole, name: string) => {
    const entry = vocabulary[name];
    return entry === undefined ? whole : `(?:${expand(entry, vocabulary)})`;
  });
}
