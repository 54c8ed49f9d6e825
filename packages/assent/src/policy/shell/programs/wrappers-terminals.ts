import type { Deed } from "../deeds.ts";
import { asks, type Given, type Programs, runs, type Spec } from "../spec.ts";
import { type Argument, after, beginning, known, spanOfWords, type Text, textOf } from "../text.ts";
import { sortWords } from "../words.ts";
import { isIn, shellOf, withoutOptions, word } from "./calls.ts";

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
  return text.length === 0 ? [] : [{ does: "shell", text, span: spanOfWords(keys) }];
}

const tmuxOptions: Readonly<Record<string, string>> = {
  "new-session new": "-c -e -F -f -n -s -t -x -y",
  "new-window neww": "-c -e -F -n -t",
  "split-window splitw": "-c -e -F -l -p -t",
  "respawn-pane respawnp respawn-window respawnw": "-c -e -t",
  "send-keys send": "-c -N -t",
  "run-shell run": "-c -d -t",
  "pipe-pane pipep if-shell if": "-t",
  "display-popup popup": "-b -c -d -e -h -s -S -t -T -w -x -y",
};

/** The words of a tmux command that are not its options. */
function operandsOf(verb: Argument, words: readonly Argument[]): readonly Argument[] {
  const takes = Object.entries(tmuxOptions).find(([names]) => isIn(verb, names))?.[1] ?? "-t";
  return sortWords({ stops: true, takes: { [takes]: "text" } }, words).operands;
}

/** One word is a text for a shell, several are a command. */
function startsShell(words: readonly Argument[]): readonly Deed[] {
  return words.length > 1 ? [...runs(words), ...shellOf(words)] : shellOf(words);
}

const starting = "new-session new new-window neww split-window splitw respawn-pane respawnp respawn-window respawnw";

function tmuxCommand(words: readonly Argument[]): readonly Deed[] {
  const [verb, ...rest] = words;
  if (verb === undefined) return [];
  if (known(verb.text) === null) return [unknownCommand(verb)];
  if (isIn(verb, starting)) return startsShell(operandsOf(verb, rest));
  if (isIn(verb, "send-keys send")) return typed(operandsOf(verb, rest));
  if (isIn(verb, "run-shell run pipe-pane pipep")) return shellOf(operandsOf(verb, rest).slice(0, 1));
  if (isIn(verb, "display-popup popup")) return startsShell(operandsOf(verb, rest));
  if (isIn(verb, "if-shell if")) return ifShell(operandsOf(verb, rest));
  if (isIn(verb, "set-hook bind-key bind confirm-before confirm command-prompt")) return laterCommand(rest);
  if (isIn(verb, "source-file source")) return rest.map((path) => ({ does: "read", path }));
  return [];
}

function ifShell([condition, ...commands]: readonly Argument[]): readonly Deed[] {
  const checked: readonly Deed[] = condition === undefined ? [] : shellOf([condition]);
  return [...checked, ...commands.flatMap(tmuxText)];
}

/** A word that is one or more commands of tmux, with quotes, braces and semicolons of its own. */
function tmuxText(argument: Argument): readonly Deed[] {
  const text = known(argument.text);
  if (text === null) return [unknownCommand(argument)];
  const words = [...text.matchAll(/[;{}]|(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"';{}])+/gs)].map(([each]) => ({
    ...argument,
    text: textOf(
      /^[{}]$/.test(each)
        ? ";"
        : each.replaceAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'|\\(.)/gs, "$1$2$3").replaceAll('\\"', '"'),
    ),
  }));
  return tmuxCommands(words);
}

function unknownCommand(at: Argument): Deed {
  return asks("exec-unknown-program", "runs a command of the terminal that is not known before it runs", at);
}

function laterCommand(words: readonly Argument[]): readonly Deed[] {
  const at = words.findIndex((each) =>
    isIn(each, `${starting} send-keys send run-shell run if-shell if pipe-pane display-popup popup`),
  );
  return at < 0
    ? words.flatMap((each, index) =>
        word(each).includes(" ") || (index === words.length - 1 && known(each.text) === null) ? tmuxText(each) : [],
      )
    : tmuxCommand(words.slice(at));
}

/** Commands of tmux are separated by a word that is a semicolon, or ends in one. */
function tmuxCommands(words: readonly Argument[]): readonly Deed[] {
  const commands: Argument[][] = [[]];
  for (const each of words) {
    const ended = /^(.*?)\\?;$/s.exec(word(each))?.[1];
    if (ended !== "") commands.at(-1)?.push(ended === undefined ? each : { ...each, text: textOf(ended) });
    if (ended !== undefined) commands.push([]);
  }
  return commands.flatMap(tmuxCommand);
}

/** `screen -X stuff text` types it, other words after the options are a command. */
function screen(given: Given): readonly Deed[] {
  const [first, ...rest] = given.operands;
  if (!given.has("-X")) return runs(given.operands);
  if (first === undefined) return [];
  if (known(first.text) === null) return [unknownCommand(first)];
  if (isIn(first, "stuff")) {
    return rest.slice(0, 1).map(({ text, span }) => ({ does: "shell", text: text.map(withLineEnds), span }));
  }
  if (isIn(first, "exec")) return runs(/^[.!|:]+$/.test(word(rest[0])) ? rest.slice(1) : rest);
  return isIn(first, "screen") ? runs(withoutOptions(rest)) : [];
}

const withLineEnds = (piece: Text[number]): Text[number] =>
  typeof piece === "string" ? piece.replaceAll(/\^M|\\n|\\r|\\015|\r/g, "\n") : piece;

/** Terminals that are given a command after an option, as words or as one text, or after all options. */
function window(): Spec {
  return {
    style: "none",
    also: ({ words }) => {
      const at = words.findIndex((each) => isIn(each, "-e -x --command --execute -- --exec start"));
      const attached = words.flatMap((each) =>
        /^--(command|execute)=/.test(beginning(each.text)) ? [attachedTo(each)] : [],
      );
      const argv = at < 0 ? withoutOptions(words) : words.slice(at + 1);
      return [...screens(words), ...shellOf(attached), ...runs(argv), ...(at < 0 ? [] : shellOf(argv))];
    },
  };
}

/** `-display host:0`: a screen of another machine. */
function screens(words: readonly Argument[]): readonly Deed[] {
  return words.flatMap((each, index): readonly Deed[] => {
    const isScreen = index > 0 && isIn(words[index - 1] ?? each, "-display --display");
    return isScreen ? [{ does: "variable", name: "DISPLAY", value: each.text, span: each.span }] : [];
  });
}

function attachedTo(argument: Argument): Argument {
  return { ...argument, text: after(argument.text, beginning(argument.text).indexOf("=") + 1) };
}

export const multiplexers: Programs = {
  tmux: () => ({
    stops: true,
    takes: { "-c": "shell", "-f -L -S -T": "text" },
    also: ({ operands }) => tmuxCommands(operands),
  }),
  screen() {
    return {
      stops: true,
      takes: { "-c -e -h -p -S -t -T": "text", "-s": "program" },
      also: screen,
    };
  },
  "xterm gnome-terminal konsole xfce4-terminal alacritty kitty urxvt rxvt st terminator foot wezterm lxterminal mate-terminal x-terminal-emulator tilix xmessage":
    window,
  "dtach abduco": () => ({ stops: true, takes: { "-e -r": "text", "-A -c -n -N": "write" }, operands: ["argv"] }),
};
