import type { Deed } from "../deeds.ts";
import type { Given, Programs, Spec } from "../spec.ts";
import { type Argument, known, mayBeOption } from "../text.ts";
import { shellOf, shellWith, word } from "./calls.ts";

/** What stands before a shell's script or text. */
type Called = {
  readonly letters: ReadonlySet<string>;
  readonly files: readonly Argument[];
  readonly texts: readonly Argument[];
  readonly rest: readonly Argument[];
};

const fileOptions = new Set(["--rcfile", "--init-file"]);
/** Of fish: a text to run before anything else, and other options with a value. */
const textOptions = new Set(["--command", "--init-command"]);

const nothing: Called = { letters: new Set(), files: [], texts: [], rest: [] };

/** Shells take options with plus signs, and -c as a letter among others, with the text after all of them. */
function called(words: readonly Argument[]): Called {
  const [first, next, ...others] = words;
  const option = word(first);
  if (option === "--" || option === "-") return { ...nothing, rest: words.slice(1) };
  if (!/^[-+]./.test(option)) return { ...nothing, rest: words };
  const values = next === undefined ? [] : [next];
  if (fileOptions.has(option)) return joinedTo(called(others), { files: values });
  if (textOptions.has(option)) return joinedTo(called(others), { texts: values });
  if (option.startsWith("--")) return called(words.slice(1));
  const after = called(/[oO]$/.test(option) ? others : words.slice(1));
  return option.startsWith("-") ? joinedTo(after, { letters: new Set(option.slice(1)) }) : after;
}

function joinedTo(later: Called, { letters = new Set(), files = [], texts = [] }: Partial<Called>): Called {
  return {
    letters: new Set([...letters, ...later.letters]),
    files: [...files, ...later.files],
    texts: [...texts, ...later.texts],
    rest: later.rest,
  };
}

function attachedTexts(words: readonly Argument[]): readonly Argument[] {
  return words.flatMap((each) => {
    const match = /^--(?:command|init-command)=/.exec(word(each));
    return match === null ? [] : [{ ...each, text: [word(each).slice(match[0].length)] }];
  });
}

/** A shell that is given a text, a script or standard input. */
function shell({ name, words }: Given): readonly Deed[] {
  const { letters, files, texts, rest } = called(words);
  const [first, ...others] = rest;
  const before = [
    ...files.map((path): Deed => ({ does: "script", path, language: "shell" })),
    ...[...texts, ...attachedTexts(words)].flatMap((each) => shellOf([each])),
  ];
  if (letters.has("n")) return before;
  if (letters.has("C") && name === "fish" && first !== undefined) return [...before, ...shellOf([first])];
  if (letters.has("c")) return first === undefined ? before : [...before, shellWith(first.text, first.span, others)];
  if (first === undefined || letters.has("s")) {
    return texts.length > 0 || attachedTexts(words).length > 0
      ? before
      : [...before, { does: "run-input", language: "shell" }];
  }
  return [...before, ...scriptOf(first, others)];
}

function scriptOf(first: Argument, others: readonly Argument[]): readonly Deed[] {
  if (known(first.text) === "/dev/stdin" || known(first.text) === "/dev/fd/0") {
    return [{ does: "run-input", language: "shell" }];
  }
  const script: Deed = { does: "script", path: first, language: "shell" };
  // It may be -c, and then the next word is a text.
  return mayBeOption(first) ? [script, ...shellOf(others.slice(0, 1))] : [script];
}

function spec(): Spec {
  return { style: "none", also: shell };
}

export const shells: Programs = {
  "sh bash dash zsh ksh ksh93 mksh pdksh lksh fish ash rbash rksh rzsh csh tcsh yash posh oksh osh ysh bosh nu elvish xonsh":
    spec,
};
