import type { Deed } from "../deeds.ts";
import { asks } from "../spec.ts";
import { type Argument, known, type Text, textOf } from "../text.ts";

export function unknownCommand(at: Argument): Deed {
  return asks("exec-unknown-program", "runs a command of the terminal that is not known before it runs", at);
}

/** What is pasted may be a command, and is not told here. */
export function unseenText(at: Argument): Deed {
  return asks("exec-unseen", "types a text that is not known into a terminal", at);
}

/** The text is typed into a shell, with line ends as terminals write them. */
export function textsOf({ text, span }: Argument): readonly Deed[] {
  return [{ does: "shell", text: text.map(withLineEnds), span }];
}

const withLineEnds = (piece: Text[number]): Text[number] =>
  typeof piece === "string" ? piece.replaceAll(/\^M|\\n|\\r|\\015|\r/g, "\n") : piece;

/** The words of a text that has quotes of its own; braces and semicolons are words that end a command. `null`: not known. */
export function wordsIn(argument: Argument): readonly Argument[] | null {
  const text = known(argument.text);
  if (text === null) return null;
  return [...text.matchAll(/[;{}]|(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"';{}])+/gs)].map(([each]) => ({
    ...argument,
    text: textOf(
      /^[{}]$/.test(each)
        ? ";"
        : each.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, "$1$2$3").replaceAll('\\"', '"'),
    ),
  }));
}
