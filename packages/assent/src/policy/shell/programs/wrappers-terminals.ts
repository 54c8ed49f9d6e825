import type { Deed } from "../deeds.ts";
import { type Programs, runs, type Spec } from "../spec.ts";
import { type Argument, after, beginning } from "../text.ts";
import { isIn, shellOf, withoutOptions } from "./calls.ts";
import { screen } from "./wrappers-screen.ts";
import { tmuxCommands } from "./wrappers-tmux.ts";

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
