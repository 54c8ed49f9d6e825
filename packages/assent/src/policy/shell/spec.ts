import type { Language } from "./code/index.ts";
import type { Danger, Deed, RuleName } from "./deeds.ts";
import type { Argument } from "./text.ts";

/** What an option's value or an operand is to a program. */
export type Kind =
  /** Never code, never a place that matters. */
  | "text"
  /** A file that is read; `show`: and whose content reaches the output. */
  | "read"
  | "show"
  /** A file or folder that is made, changed, replaced or taken away. */
  | "write"
  /** A host, `host:port`, `user@host` or URL that is connected to. */
  | "host"
  /** `host:path` or a path of this machine, as scp and rsync take it. */
  | "remote-read"
  | "remote-write"
  /** A text that a shell runs. */
  | "shell"
  /** A program to run, perhaps with arguments in the same word, such as a pager or an editor. */
  | "program"
  /** This word and all that follow are a command. */
  | "argv"
  /** A file that is run, of that language. */
  | "script"
  | `script:${Language}`
  /** A text in that language that is run. */
  | `code:${Language}`
  /** `NAME=value` for the environment of what runs. */
  | "variable"
  /** A permission mode. */
  | "mode";

/**
 * A program as data. Options are written as people write them, several spellings in one key separated by blanks:
 * `"-o --output"`. A long option may be given by any beginning of it, short ones in a cluster, values attached or apart.
 */
export type Spec = {
  /**
   * How words become options. `gnu` (unless said otherwise): clusters of short options, long ones after two dashes.
   * `long`: one dash and a whole word (`find -name`, `java -cp`); also takes two dashes. `none`: no options at all, every
   * word is an operand (`echo`, `dd`).
   */
  readonly style?: "gnu" | "long" | "none";
  /** Options that take a value, and what it is. */
  readonly takes?: Readonly<Record<string, Kind>>;
  /** Options that take a value only attached to them (`-i.bak`, `--color=auto`), and what it is. */
  readonly may?: Readonly<Record<string, Kind>>;
  /** Options that must be asked about. */
  readonly danger?: Readonly<Record<string, Danger>>;
  /** What the operands are, in order; the last one stands for all that follow. Nothing: `text`. */
  readonly operands?: readonly Kind[];
  /** What the last operand is, where there are two or more (`cp`, `mv`). */
  readonly last?: Kind;
  /** Options end at the first operand, as for all that run another program. */
  readonly stops?: true;
  /** The first operand is a subcommand; options before it are this program's. A subcommand not listed does nothing that
   *  matters, unless `unlisted` says what it is. */
  readonly commands?: Readonly<Record<string, Spec>>;
  readonly unlisted?: Danger | "unknown";
  /** Must be asked about however it is called, but for `--help`, `--version` and what `unless` lists. */
  readonly always?: Danger;
  /** Options or first operands with which `always` does not hold: the forms that only read. */
  readonly unless?: string;
  /** The program is told apart by what it is given in ways that the data above cannot say. Added to what they say. */
  readonly also?: (given: Given) => readonly Deed[];
  /** What its output is known to be when it stands in a substitution (`$(date +%F)`): one word, or a path. */
  readonly output?: "word" | "path";
};

/** A call of a program, with its words sorted by its spec. */
export type Given = {
  /** The program's name, without folders. */
  readonly name: string;
  /** Whether one of these options is given: `has("-r -R --recursive")`. */
  has(options: string): boolean;
  /** The values of these options, in order. */
  values(options: string): readonly Argument[];
  readonly operands: readonly Argument[];
  /** Every word after the name, as given. */
  readonly words: readonly Argument[];
  /** A word that could be an option is not known. */
  readonly unsure: boolean;
};

/**
 * Programs by their names, several of one separated by blanks. Of most of them a run never hears, so each is described only
 * when a command names it, and a start pays for little more than the names. What takes more than a line is a function or a
 * method, not an arrow that gives an object: such an arrow is read in full even where it is never called.
 */
export type Programs = Readonly<Record<string, () => Spec>>;

/** One value for several names: `...same("rm remove prune", drops())`. */
export function same<Value>(names: string, value: Value): Readonly<Record<string, Value>> {
  return Object.fromEntries(names.split(" ").map((name) => [name, value]));
}

export function danger(rule: RuleName, reason: string): Danger {
  return { rule, reason };
}

/** The same as a deed, perhaps with the word that makes it one. */
export function asks(rule: RuleName, reason: string, at?: Argument): Deed {
  return { does: "danger", danger: { rule, reason }, ...(at === undefined ? {} : { at }) };
}

/** These words are run as a command. */
export function runs(argv: readonly Argument[], more = false): readonly Deed[] {
  return argv.length === 0 ? [] : [{ does: "run", argv, ...(more ? { more } : {}) }];
}
