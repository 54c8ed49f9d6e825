import type { Deed } from "../deeds.ts";
import { type Given, runs } from "../spec.ts";
import { type Argument, known } from "../text.ts";
import { isIn, shellOf, withoutOptions, word } from "./calls.ts";
import { textsOf, unknownCommand, unseenText, wordsIn } from "./wrappers-typed.ts";

/** `screen -X command …` has a running one do it, other words after the options are a program. */
export function screen(given: Given): readonly Deed[] {
  return given.has("-X -Q") ? screenCommand(given.operands) : runs(given.operands);
}

/** Commands that are given another one, behind words of their own. */
const laterCommands = "at idle bind bindkey";
const programs = "stuff exec screen eval colon register paste process source backtick blankerprg printcmd setenv shell";

function screenCommand([first, ...rest]: readonly Argument[]): readonly Deed[] {
  if (first === undefined) return [];
  if (known(first.text) === null) return [unknownCommand(first)];
  if (isIn(first, "stuff")) return rest.slice(0, 1).flatMap(textsOf);
  if (isIn(first, "exec")) return runs(/^[.!|:]+$/.test(word(rest[0])) ? rest.slice(1) : rest);
  if (isIn(first, "screen")) return runs(withoutOptions(rest));
  if (isIn(first, "eval colon")) return rest.flatMap(screenText);
  if (isIn(first, laterCommands)) return laterCommand(rest);
  return typedLater(first, rest);
}

function typedLater(first: Argument, rest: readonly Argument[]): readonly Deed[] {
  const last = rest.at(-1);
  if (isIn(first, "paste process")) return [unseenText(first)];
  if (isIn(first, "register")) return rest.slice(1).flatMap((each) => (known(each.text) === null ? [] : textsOf(each)));
  if (isIn(first, "backtick")) return runs(rest.slice(3));
  if (isIn(first, "blankerprg")) return runs(rest);
  if (isIn(first, "printcmd")) return shellOf(rest);
  if (last === undefined) return [];
  if (isIn(first, "setenv")) return [{ does: "variable", name: word(rest[0]), value: last.text, span: last.span }];
  if (isIn(first, "shell defshell")) return [{ does: "variable", name: "SHELL", value: last.text, span: last.span }];
  if (isIn(first, "source")) return [{ does: "read", path: last }];
  return isIn(first, "hardcopy logfile writebuf hardcopydir bufferfile") ? [{ does: "write", path: last }] : [];
}

/** One command in one word, with quotes of its own. */
function screenText(argument: Argument): readonly Deed[] {
  const words = wordsIn(argument);
  return words === null ? [unknownCommand(argument)] : screenCommand(words);
}

function laterCommand(words: readonly Argument[]): readonly Deed[] {
  const at = words.findIndex((each) => isIn(each, `${programs} ${laterCommands}`));
  const unknown = words.slice(1).find(({ text }) => known(text) === null);
  if (at >= 0) return screenCommand(words.slice(at));
  return unknown === undefined ? [] : [unknownCommand(unknown)];
}
