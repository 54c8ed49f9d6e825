/**
 * A language as data: what people write when they offer or ask, as patterns over words.
 *
 * One pattern a line. A pattern is a row of words, each between spaces:
 *   `send/share`  one of these words            `@want`     a word of that class
 *   `confirm*`    a word that begins so         `*ing`      a word that ends so
 *   `_`           any one word                  `~3`        up to three words, no mark among them
 *   `also?`       may be missing                `, : - ?`   a mark
 *   `!not/only`   the next word is none of these
 *   `<!that/if`   the word before is none of these
 *   `^` a clause begins (openers such as "and then" may stand before)   `^^` the sentence begins
 *   `$` a clause ends                                                    `$$` the sentence ends
 */
export type Patterns = string;

/** A rule is found where one of its patterns is (if it has any), with every tag of `and` and none of `none` beside it. */
export type Rule = {
  readonly id: string;
  readonly find: Patterns;
  readonly and?: readonly string[];
  readonly none?: readonly string[];
};

/** By rule: sentences that it must find, and sentences that no rule may find. */
export type Examples = Readonly<
  Record<string, { readonly hits: readonly string[]; readonly misses: readonly string[] }>
>;

export type Language = {
  /** Word classes: words, `begin*`, `*end`, and `-word` for one that only looks so. */
  readonly classes: Readonly<Record<string, string>>;
  /** What may stand between the start of a clause and its verb or subject, `|` between them. */
  readonly openers: string;
  /** What a rule or the reading of questions wants to know about a sentence. */
  readonly tags: QuestionTags & Readonly<Record<string, Patterns>>;
  readonly rules: readonly Rule[];
};

/** The tags that every language has. */
export type QuestionTags = Readonly<Record<QuestionTag, Patterns>>;

type QuestionTag =
  /** The writer shows in the sentence. */
  | "self"
  /** A question like this is put to the person even when a statement follows. */
  | "directed"
  /** A question that only looks so: one answers it oneself as a rule. */
  | "rhetorical"
  /** How a sentence begins that answers the question before it, whatever was asked. */
  | "answers"
  /** How a sentence begins that leaves the question before it open. */
  | "evades"
  /** What stands before a colon when others are speaking after it, in the line or in the next block. */
  | "says"
  /** What stands before a colon when the capital letter after it may begin a title or a label. */
  | "reports"
  /** What stands before a colon when the writer goes on speaking, though it looks like the above. */
  | "own"
  /** A sentence like this tells what somebody else asked or said. */
  | "retold";
