import type { Deed } from "../deeds.ts";
import { assignmentDeeds } from "../deeds-of.ts";
import { runs } from "../spec.ts";
import { type Argument, after, beginning, known, shown, spanOfWords, type Text, textOf } from "../text.ts";
import { type Sorted, sortWords } from "../words.ts";
import { isIn, shellOf, word } from "./calls.ts";
import { textsOf, unknownCommand, unseenText, wordsIn } from "./wrappers-typed.ts";

/** Keys that end a line, as tmux names them. */
const enters = "Enter C-m KPEnter C-j";

/** Words are typed one after the other, without blanks, unless there are blanks in them. */
function typed(keys: readonly Argument[]): readonly Deed[] {
  const text: Text = textOf(
    ...keys.flatMap((key): Text => {
      if (isIn(key, enters)) return ["\n"];
      if (isIn(key, "Space")) return [" "];
      return /^(C-[a-z]|Escape|Up|Down|Left|Right|Tab|BSpace)$/.test(word(key)) ? ["\n"] : key.text;
    }),
  );
  const edit = keys.some((key) => isIn(key, enters)) ? keys.find((key) => edits.test(word(key))) : undefined;
  const hides = edit !== undefined && text.some((piece) => typeof piece !== "string" || piece.trim() !== "");
  return [
    ...(text.length === 0 ? [] : [{ does: "shell" as const, text, span: spanOfWords(keys) }]),
    ...(hides ? [unseenText(edit)] : []),
  ];
}

/** Keys that make another line of the one that is typed. */
const edits = /^(?:BSpace|DC|Delete|Left|Right|Home|End|Tab|C-[abefhiktwy]|M-.)$/;

const tmuxOptions: Readonly<Record<string, string>> = {
  "new-session new": "-c -e -F -f -n -s -t -x -y",
  "new-window neww": "-c -e -F -n -t",
  "split-window splitw": "-c -e -F -l -p -t",
  "respawn-pane respawnp respawn-window respawnw": "-c -e -t",
  "send-keys send": "-c -N -t",
  "run-shell run": "-c -d -t",
  "pipe-pane pipep if-shell if": "-t",
  "display-popup popup": "-b -c -d -e -h -s -S -t -T -w -x -y",
  "set-buffer setb": "-b -n -t",
  "paste-buffer pasteb": "-b -s -t",
};

function sortedOf(verb: Argument, words: readonly Argument[]): Sorted {
  const takes = Object.entries(tmuxOptions).find(([names]) => isIn(verb, names))?.[1] ?? "-t";
  return sortWords({ stops: true, takes: { [takes]: "text" } }, words);
}

/** The words of a tmux command that are not its options. */
function operandsOf(verb: Argument, words: readonly Argument[]): readonly Argument[] {
  return sortedOf(verb, words).operands;
}

/** One word is a text for a shell, several are a command. */
function startsShell(words: readonly Argument[]): readonly Deed[] {
  return words.length > 1 ? [...runs(words), ...shellOf(words)] : shellOf(words);
}

const starting = "new-session new new-window neww split-window splitw respawn-pane respawnp respawn-window respawnw";

/** Commands that do something with what they are given; their names may be cut short. */
const commandNames =
  `${starting} send-keys send run-shell run pipe-pane pipep display-popup popup if-shell if set-hook bind-key bind confirm-before confirm command-prompt source-file source set-option set set-window-option setw set-environment setenv set-buffer setb paste-buffer pasteb choose-tree choose-client choose-buffer display-menu menu display-panes displayp display-message display`.split(
    " ",
  );

function inFull(verb: Argument): Argument {
  const given = word(verb);
  if (given === "" || commandNames.includes(given)) return verb;
  const name = commandNames.find((each) => each.includes("-") && each.startsWith(given));
  return name === undefined ? verb : { ...verb, text: [name] };
}

function tmuxCommand(words: readonly Argument[]): readonly Deed[] {
  const [given, ...rest] = words;
  if (given === undefined) return [];
  if (known(given.text) === null) return [unknownCommand(given)];
  const verb = inFull(given);
  if (isIn(verb, "send-keys send")) return sentKeys(sortedOf(verb, rest));
  if (isIn(verb, "set-buffer setb")) return buffered(operandsOf(verb, rest));
  return [...rest.flatMap(formatDeeds), ...environmentOf(verb, rest), ...otherCommand(verb, rest)];
}

function otherCommand(verb: Argument, rest: readonly Argument[]): readonly Deed[] {
  if (isIn(verb, starting)) return startsShell(operandsOf(verb, rest));
  if (isIn(verb, "run-shell run pipe-pane pipep")) return shellOf(operandsOf(verb, rest).slice(0, 1));
  if (isIn(verb, "display-popup popup")) return startsShell(operandsOf(verb, rest));
  if (isIn(verb, "if-shell if")) return ifShell(operandsOf(verb, rest));
  if (isIn(verb, laterCommands)) return laterCommand(rest);
  if (isIn(verb, "set-option set set-window-option setw")) return optionSet(operandsOf(verb, rest));
  if (isIn(verb, "paste-buffer pasteb")) return [unseenText(verb)];
  if (isIn(verb, "source-file source")) return rest.map((path) => ({ does: "read", path }));
  return [];
}

const laterCommands =
  "set-hook bind-key bind confirm-before confirm command-prompt choose-tree choose-client choose-buffer display-menu menu display-panes displayp";

/** Keys, or with `-X` a command of the mode for copying, which may hand the text to a shell. */
function sentKeys({ options, operands }: Sorted): readonly Deed[] {
  const has = (name: string): boolean => options.some((option) => option.name === name);
  if (has("-X")) return /pipe/.test(word(operands[0])) ? shellOf(operands.slice(1, 2)) : [];
  return typed(has("-H") ? operands.map(fromHex) : operands);
}

function fromHex(key: Argument): Argument {
  const code = Number.parseInt(word(key), 16);
  return Number.isNaN(code) ? key : { ...key, text: textOf(String.fromCharCode(code).replace("\r", "\n")) };
}

/** Buffers are there to be pasted; what is not known is looked at where it is pasted. */
function buffered(operands: readonly Argument[]): readonly Deed[] {
  return operands.slice(0, 1).flatMap((each) => (known(each.text) === null ? [] : textsOf(each)));
}

/** `#(command)` in whatever text is run as soon as the text is shown. */
function formatDeeds({ text, span }: Argument): readonly Deed[] {
  return text.flatMap((piece, index): readonly Deed[] => {
    if (typeof piece !== "string") return [];
    return [...piece.matchAll(/#\(/g)].map((found) => ({
      does: "shell",
      text: untilClosed([piece.slice(found.index + 2), ...text.slice(index + 1)]),
      span,
    }));
  });
}

/** Up to the parenthesis that closes the one before. */
function untilClosed(text: Text): Text {
  let depth = 1;
  for (const [index, piece] of text.entries()) {
    for (const { 0: sign, index: at } of typeof piece === "string" ? piece.matchAll(/[()]/g) : []) {
      depth += sign === "(" ? 1 : -1;
      if (depth === 0) return textOf(...text.slice(0, index), String(piece).slice(0, at));
    }
  }
  return textOf(...text);
}

/** `set-environment name value`, `new-window -e name=value` */
function environmentOf(verb: Argument, words: readonly Argument[]): readonly Deed[] {
  const { options, operands } = sortedOf(verb, words);
  const [name, value] = operands;
  if (isIn(verb, "set-environment setenv") && name !== undefined && value !== undefined)
    return [{ does: "variable", name: word(name), value: value.text, span: value.span }];
  return options.flatMap((option) =>
    option.name === "-e" && option.value !== undefined ? assignmentDeeds(option.value) : [],
  );
}

const commandOptions = ["default-command", "copy-command", "lock-command", "editor"];

/** An option of tmux may be a command of a shell or of tmux; its name may be cut short. */
function optionSet([name, value]: readonly Argument[]): readonly Deed[] {
  if (name === undefined || value === undefined) return [];
  const given = word(name);
  if (given === "") return [unknownCommand(name)];
  const isShort = (option: string): boolean => given.length > 2 && option.startsWith(given);
  if (commandOptions.some(isShort)) return shellOf([value]);
  if (isShort("default-shell")) return [{ does: "variable", name: "SHELL", value: value.text, span: value.span }];
  if (given.startsWith("command-alias"))
    return tmuxText({ ...value, text: after(value.text, beginning(value.text).indexOf("=") + 1) });
  return /^(?:after|alert|client|command|pane|session|window)-/.test(given) ? laterCommand([value]) : [];
}

function ifShell([condition, ...commands]: readonly Argument[]): readonly Deed[] {
  const checked: readonly Deed[] = condition === undefined ? [] : shellOf([condition]);
  return [...checked, ...commands.flatMap(tmuxText)];
}

/** A word that is one or more commands of tmux, with quotes, braces and semicolons of its own. */
function tmuxText(argument: Argument): readonly Deed[] {
  const words = wordsIn(argument);
  return words === null ? [unknownCommand(argument)] : tmuxCommands(words);
}

function laterCommand(words: readonly Argument[]): readonly Deed[] {
  const at = words.findIndex((each) =>
    isIn(each, `${starting} send-keys send run-shell run if-shell if pipe-pane pipep display-popup popup`),
  );
  return at < 0
    ? words.flatMap((each, index) =>
        word(each).includes(" ") || (index === words.length - 1 && known(each.text) === null) ? tmuxText(each) : [],
      )
    : tmuxCommand(words.slice(at));
}

/** Commands of tmux are separated by a word that is a semicolon, or ends in one. */
export function tmuxCommands(words: readonly Argument[]): readonly Deed[] {
  const commands: Argument[][] = [[]];
  for (const each of words) {
    const ended = /^(.*?)\\?;$/s.exec(word(each))?.[1];
    if (ended !== "") commands.at(-1)?.push(ended === undefined ? each : { ...each, text: textOf(ended) });
    if (ended !== undefined) commands.push([]);
  }
  return commands.flatMap((command, index) =>
    pastes(command) && isFilled(command, commands.slice(0, index)) ? [] : tmuxCommand(command),
  );
}

function pastes([verb]: readonly Argument[]): boolean {
  return verb !== undefined && isIn(inFull(verb), "paste-buffer pasteb");
}

/** With a text that was looked at then: what was put last into the buffer that is meant. */
function isFilled(command: readonly Argument[], before: readonly (readonly Argument[])[]): boolean {
  const fills = before.findLast(([first]) => !/^(?:select|switch|last|next|previous|resize|swap)/.test(word(first)));
  const [verb, ...rest] = fills ?? [];
  if (verb === undefined || !isIn(inFull(verb), "set-buffer setb")) return false;
  const isWhole = rest.every(({ text }) => known(text) !== null) && !rest.some((each) => /^-\w*[an]/.test(word(each)));
  return isWhole && bufferOf(fills ?? []) === bufferOf(command);
}

/** The name of the buffer, where it is said. */
function bufferOf([verb, ...rest]: readonly Argument[]): string | undefined {
  if (verb === undefined) return undefined;
  const { options } = sortedOf(inFull(verb), rest);
  const value = options.find(({ name }) => name === "-b")?.value;
  return value === undefined ? undefined : shown(value.text);
}
