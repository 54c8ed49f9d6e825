export type RuleName = "syntax" | "layers" | "cycles" | "purity" | "indexes" | "sizes" | "words" | "casts";

/** One place that breaks one rule; `file` is relative to `src`, `line` counts from 1. */
export type Violation = {
  readonly rule: RuleName;
  readonly file: string;
  readonly line: number;
  /** Names the thing, what was expected and what came. */
  readonly message: string;
};
