import type { Category, Danger, RuleName } from "./deeds.ts";
import type { World } from "./places.ts";
import type { ShellState, Source } from "./state.ts";
import type { Argument, Span, Text } from "./text.ts";

/** One thing that a person must be asked about. `effective` is what really runs, where that differs from what stands there. */
export type Finding = {
  readonly category: Category;
  readonly rule: RuleName;
  readonly reason: string;
  readonly span: Span;
  readonly effective: string | null;
};

/** A command that would run, with `null` for words that are not known; or what else belongs to what is done. */
export type Step =
  | { readonly type: "run"; readonly argv: readonly (string | null)[] }
  | { readonly type: "beside"; readonly text: string };

/** What the analysis is told about the world; it can see nothing itself. */
export type ShellWorld = World & {
  /** Where links lead, for paths that were looked up. */
  readonly links: Readonly<Record<string, string>>;
  /** Variables are only those that the command sets and those of the person's own environment. */
  readonly fresh: boolean;
};

/** What words came to, in the state they were last evaluated in. */
export type Remembered<Result> = WeakMap<object, { readonly state: ShellState; readonly result: Result }>;

/** A command within a command, within a command: nobody writes more, and a shell would take long. */
const deepest = 24;
const mostSteps = 5_000;

/** What is gathered while one command is looked into. */
export class Analysis {
  readonly world: ShellWorld;
  readonly findings: Finding[] = [];
  /** Paths whose real place would be good to know. */
  readonly wanted = new Set<string>();
  /** Parts of the program that were looked at: what nobody came by is looked at in the end. */
  readonly visited = new Set<object>();
  readonly fields: Remembered<readonly Argument[]> = new WeakMap();
  readonly texts: Remembered<Text> = new WeakMap();
  readonly #seen = new Set<string>();
  /** What is run when the shell ends. */
  readonly traps: { readonly text: Text; readonly span: Span }[] = [];
  /** What runs, in order: the identity of the command, for grants. */
  readonly steps: Step[] = [];
  /** Files whose commands are being looked at, with the state of the shell. */
  readonly inside: { readonly key: string; readonly state: ShellState }[] = [];
  #left = mostSteps;
  #depth = 0;
  #substitutes = 0;

  constructor(world: ShellWorld) {
    this.world = world;
  }

  /** Whether there is still enough to spend; what is left out then asks. */
  spend(at: Span, cost = 1): boolean {
    if (this.isSpent) return false;
    this.#left -= cost;
    if (!this.isSpent) return true;
    this.find({ rule: "too-much", reason: "does more than can be looked through" }, at);
    return false;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  deeper<Result>(at: Span, inside: () => Result): Result | null {
    if (this.#depth >= deepest) {
      this.find({ rule: "too-much", reason: "nests commands deeper than can be looked through" }, at);
      return null;
    }
    this.#depth += 1;
    const result = inside();
    this.#depth -= 1;
    return result;
  }

  find({ rule, reason }: Danger, at: Span, effective: string | null = null): void {
    // Words that were put in elsewhere may stand before those that follow them.
    const span = at.start <= at.end ? at : { start: at.end, end: at.start };
    const key = `${rule} ${span.start} ${span.end} ${reason}`;
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.findings.push({ category: categoryOf(rule), rule, reason, span, effective });
  }

  beside(text: string): void {
    this.steps.push({ type: "beside", text });
  }

  /** Looks at something that may or may not happen, and takes its findings back. */
  tentatively(look: () => void): readonly Finding[] {
    const before = this.findings.length;
    const steps = this.steps.length;
    look();
    const found = this.findings.splice(before);
    for (const { rule, span, reason } of found) this.#seen.delete(`${rule} ${span.start} ${span.end} ${reason}`);
    this.steps.length = steps;
    return found;
  }

  /** A name for a file that only this command has, such as `<(…)`. */
  substitute(): string {
    this.#substitutes += 1;
    return `/dev/fd/substitution-${this.#substitutes}`;
  }
}

const categories: Readonly<Record<string, Category>> = {
  delete: "delete",
  privilege: "privilege",
  network: "network",
  system: "system",
  overwrite: "overwrite",
  exec: "exec",
  secret: "secret",
  self: "self",
};

function categoryOf(rule: RuleName): Category {
  return categories[rule.split("-")[0] ?? ""] ?? "obfuscated";
}

/** Where a node of a parsed text stands in the command as it was given. */
export function spanOf(node: { readonly pos: number; readonly end: number }, { at }: Source): Span {
  return at ?? { start: node.pos, end: node.end };
}
