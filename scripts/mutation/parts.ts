/** What is mutated, by what rules, and which tests are to notice. */
export type Part = {
  /** The group whose score it counts for. */
  readonly group: "core" | "policy";
  readonly name: string;
  /** Files below packages/assent, as globs; those of `not` are left out. */
  readonly files: readonly string[];
  readonly not: readonly string[];
  /** Mutators of Stryker that say nothing about these files. */
  readonly excludedMutations: readonly string[];
  /** Every so many declarations one is mutated, so that each group has 1,500 mutants or more. */
  readonly every: number;
  /** The tests that run, as globs below packages/assent. */
  readonly tests: readonly string[];
};

const never = ["src/**/*.test.ts", "src/**/*.fixture.ts", "src/**/examples/**"];

const policyTests = ["src/policy/**/*.test.ts", "test/policy/*.test.ts"];

/**
 * The tests are those that take milliseconds: one mutant runs up to all that reach it. Long random walks, rewritings, real
 * processes and scenarios would find more; the score is what the fast tests find alone.
 */
export const leftOut = [
  ...["core.walks", "length", "properties", "rewriting"].map((what) => `**/*${what}.long.test.ts`),
  // It loads the policy anew inside a test: what runs when a file is loaded would pass for something that a test reaches.
  "**/programs/index.test.ts",
];

/** A few walks that are the same each time, where the tests of a part are nothing but walks. */
export const fewWalks = { WALKS: "60", WALK_SEED: "1" };

export const parts: readonly Part[] = [
  {
    group: "core",
    name: "core",
    files: ["src/core/**/*.ts"],
    not: never,
    excludedMutations: [],
    every: 6,
    tests: ["src/core/**/*.test.ts", "test/{core,interaction,wire,purity}/*.test.ts"],
  },
  {
    group: "policy",
    name: "policy",
    files: ["src/policy/**/*.ts"],
    // Another file stands in for when-needed.ts: scripts/mutation/when-needed.ts.
    not: [...never, "src/policy/shell/{programs,code}/**", "src/policy/shell/when-needed.ts"],
    excludedMutations: [],
    every: 16,
    tests: policyTests,
  },
  {
    group: "policy",
    name: "policy-tables",
    // Programs, their options and the functions of languages: tables in which a literal is a fact about a program of
    // others, not behaviour of ours. Everything else in these files is mutated.
    files: ["src/policy/shell/{programs,code}/**/*.ts"],
    not: never,
    excludedMutations: ["StringLiteral", "ObjectLiteral", "ArrayDeclaration"],
    every: 16,
    tests: policyTests,
  },
];
