import type { Ran } from "./shell.ts";
import { type ShellState, withForgotten } from "./state.ts";
import { type Argument, after, beginning, known, type Text } from "./text.ts";

type Options = {
  /** By their letters; the texts of those that take none are empty. */
  readonly given: ReadonlyMap<string, Text>;
  readonly operands: readonly Argument[];
  /** What is not known may be an option or another word: all others may mean something else. */
  readonly unsure: boolean;
};

/** The options of a builtin; the value of one stands in the same word or in the next one. */
export function withOptions(words: readonly Argument[], takes: string): Options {
  const given = new Map<string, Text>();
  const letters = new RegExp(`^-([^${takes}]*)(.?)`, "s");
  let unsure = words.some(({ splits }) => splits);
  let at = 0;
  for (; /^-[^-]/.test(beginning(textAt(words, at))); at += 1) {
    const text = textAt(words, at);
    const [, flags = "", letter = ""] = letters.exec(beginning(text)) ?? [];
    const rest = after(text, 1 + flags.length + letter.length);
    for (const flag of flags) given.set(flag, []);
    // What is not known may be nothing: then the next word is the value.
    unsure ||= typeof rest[0] === "object";
    if (letter !== "" && rest.length === 0) at += 1;
    if (letter !== "") given.set(letter, rest.length === 0 ? textAt(words, at) : rest);
  }
  const operands = words.slice(known(textAt(words, at)) === "--" ? at + 1 : at);
  return { given, operands, unsure: unsure || operands.some(({ text }) => known(text) === null) };
}

function textAt(words: readonly Argument[], at: number): Text {
  return words[at]?.text ?? [];
}

export function quiet(state: ShellState): readonly Ran[] {
  return [{ state, output: [] }];
}

/** A name that is not known may be that of each variable. */
export function withNamed(state: ShellState, name: Text): ShellState {
  return known(name) === null ? withForgotten(state, beginning(name)) : state;
}
