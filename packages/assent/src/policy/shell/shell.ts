import type { ProcessSubstitutionPart, Script, Word } from "unbash";
import type { Analysis } from "./analysis.ts";
import type { Deed } from "./deeds.ts";
import type { ShellState, Source } from "./state.ts";
import type { Argument, Span, Text } from "./text.ts";

/** Where words are evaluated. */
export type Evaluating = { readonly shell: Shell; readonly state: ShellState; readonly source: Source };

/** What a command reads and who reads it. */
export type Streams = {
  /** `null`: nothing, or what a person types. */
  readonly input: Input | null;
  /** Somebody wants to know its output. */
  readonly captured: boolean;
  /** What goes to its error output comes with its output: `2>&1`. */
  readonly bothOutputs: boolean;
  /** It runs beside others: in the background, or in a pipe. */
  readonly beside: boolean;
  /** Its words come from elsewhere, one command after the other: `xargs`, `find -exec`. */
  readonly bulk: boolean;
  /** Functions that are running, from the outside in. */
  readonly running: readonly string[];
};

export type Input = { readonly type: "text"; readonly text: Text } | { readonly type: "file"; readonly path: Text };

/** After a command; `output` is `null` where it is not known. */
export type Ran = {
  readonly state: ShellState;
  readonly output: Text | null;
  /** Whether it succeeds, where that is sure. */
  readonly ok?: boolean | undefined;
};

/** What a shell has defined before the command, where it is one that stays. `null`: defined, but not known. */
export type Defined = {
  readonly functions: Readonly<Record<string, string | null>>;
  readonly aliases: Readonly<Record<string, string | null>>;
  readonly variables: Readonly<Record<string, string | null>>;
  readonly traps: Readonly<Record<string, string | null>>;
};

/** A shell that runs nothing: it follows what a command would do. Its parts know each other only by this. */
export type Shell = {
  readonly analysis: Analysis;
  textOf(word: Word, evaluating: Evaluating): Text;
  substitution(script: Script, state: ShellState, source: Source): Text;
  processSubstitution(part: ProcessSubstitutionPart, state: ShellState, source: Source): Text;
  /** A prompt runs the substitutions in it. */
  runPrompt(text: Text, span: Span): void;
  /** Where a shell evaluates a value once more, substitutions that hide in it are run. */
  runHidden(text: Text, span: Span): void;
  /** A text that would be run where it is evaluated as a sum. */
  suspectSubscript(text: Text, span: Span): void;
  /** Runs a text in this shell, as `eval` does. */
  runText(text: Text, span: Span, running: Running): readonly Ran[];
  /** Calls a function. */
  runBody(name: string, words: readonly Argument[], running: Running): readonly Ran[];
  /** What a file holds, as far as the command itself has made it; `null`: it is not of this command. */
  contentOf(path: string, state: ShellState): Text | null;
  runArgv(argv: readonly Argument[], running: Running): readonly Ran[];
  conclude(deeds: readonly Deed[], argv: readonly Argument[], running: Running): ShellState;
};

export type Running = { readonly state: ShellState; readonly streams: Streams };

/** The same, for a part of a program: where it stands. */
export type Here = Running & { readonly source: Source };

export const noStreams: Streams = {
  input: null,
  captured: false,
  bothOutputs: false,
  beside: false,
  bulk: false,
  running: [],
};
