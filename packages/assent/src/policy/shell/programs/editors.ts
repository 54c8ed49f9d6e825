import type { Deed } from "../deeds.ts";
import { asks, danger, type Given, type Programs, type Spec } from "../spec.ts";
import { type Argument, beginning, known } from "../text.ts";
import { coded, each, shellText, starts, urls, without } from "./arguments.ts";
import { isIn } from "./calls.ts";

/** `+12` and `+/text` only say where to begin. */
function vimCommands({ operands }: Given): readonly Deed[] {
  return operands.flatMap((operand): readonly Deed[] => {
    if (!starts(operand, "+")) return [];
    return /^\+(?:\d*|\/.*)$/s.test(known(operand.text) ?? "+x") ? [] : [coded("vim", without(operand, 1))];
  });
}

function vimFiles(given: Given): readonly Deed[] {
  const files = given.operands.filter((operand) => !starts(operand, "+"));
  const only = given.has("-R -M") || /view$/.test(given.name);
  return [...each(only ? "show" : "write", files), ...urls(files)];
}

function vimScript(path: Argument): Deed {
  return { does: "script", path, language: "vim" };
}

function vimDeeds(given: Given): readonly Deed[] {
  const silent = given.has("-e -E") || given.name === "ex";
  const keys = given.words.find((word) => isIn(word, "-s"));
  const typed =
    !silent && keys !== undefined ? [asks("exec-option", "types keys from a file into the editor", keys)] : [];
  const settings = given.values("-u -U").filter((file) => !isIn(file, "NONE NORC DEFAULTS"));
  const input: Deed[] = silent ? [{ does: "run-input", language: "vim" }] : [];
  return [...vimCommands(given), ...vimFiles(given), ...typed, ...input, ...settings.map(vimScript)];
}

function vim(): Spec {
  return {
    takes: {
      "-c --cmd --remote-expr --remote-send": "code:vim",
      "-S": "script:vim",
      "-u -U": "text",
      "-w -W --startuptime --log": "write",
      "-t -T -i -P --servername --socketid": "text",
    },
    may: { "--remote": "text" },
    also: vimDeeds,
  };
}

function neovim(): Spec {
  return {
    ...vim(),
    takes: { ...vim().takes, "-l": "script:lua", "--listen": "text", "--server": "host" },
  };
}

/** A file name that begins with `!` is a command; what comes on the input are commands too. */
function edDeeds({ operands }: Given): readonly Deed[] {
  const files = operands.map((file) =>
    starts(file, "!") ? shellText(without(file, 1)) : ({ does: "write", path: file } as const),
  );
  return [...files, { does: "run-input", language: "vim" }];
}

/** Functions that only work on the files which are named. */
const harmless = "batch-byte-compile ert-run-tests-batch-and-exit package-lint-batch-and-exit checkdoc-file";

function emacsDeeds({ operands, values }: Given): readonly Deed[] {
  const files = operands.filter((operand) => !starts(operand, "+"));
  const called = values("-f -funcall").find((name) => !isIn(name, harmless));
  const calls = called === undefined ? [] : [asks("exec-option", "calls a function of the editor", called)];
  return [...calls, ...each("write", files), ...urls(files)];
}

function emacs(): Spec {
  return {
    style: "long",
    takes: {
      "-eval -eva -ev -execute -exec": "code:emacs",
      "-l -load -loa -lo -script -scrip -scri -x": "script:emacs",
      "-f -funcall -u -user -t -T -title -geometry -fn -font -fg -bg -d -display -L -directory": "text",
      "-init-directory -chdir": "text",
      "-insert": "show",
    },
    also: emacsDeeds,
  };
}

function clientDeeds({ operands, has }: Given): readonly Deed[] {
  if (has("-e --eval")) return operands.map((each) => coded("emacs", each));
  return each(
    "write",
    operands.filter((operand) => !starts(operand, "+")),
  );
}

function nano(): Spec {
  return {
    takes: {
      "-T --tabsize -r --fill -Y --syntax -Q --quotestr -X --wordchars -J --guidestripe": "text",
      "-C --backupdir": "write",
      "-o --operatingdir -f --rcfile": "read",
      "-s --speller": "program",
    },
    also: ({ operands }) =>
      each(
        "write",
        operands.filter((operand) => !starts(operand, "+")),
      ),
  };
}

function windowDeeds({ operands, values }: Given): readonly Deed[] {
  const [command] = operands;
  const remote = values("--remote").map((host): Deed => {
    const plus = beginning(host.text).indexOf("+");
    return { does: "connect", host: without(host, plus + 1) };
  });
  const outside = isIn(command, "tunnel serve-web")
    ? [asks("network-tunnel", "lets others in from outside", command)]
    : [];
  return [...remote, ...outside, ...urls(operands)];
}

/** An editor in a window does nothing by itself to the files that it opens. */
function windowed(): Spec {
  return {
    takes: {
      "--install-extension --uninstall-extension --extensions-dir --user-data-dir --profile --locale --log --sync":
        "text",
      "-g --goto": "read",
      "--line --column": "text",
      "--remote": "text",
      "--file-uri --folder-uri": "read",
    },
    also: windowDeeds,
  };
}

/** Those of the terminal, in which a key writes the file. */
function terminal(): Spec {
  return {
    also: ({ operands }) =>
      each(
        "write",
        operands.filter((operand) => !starts(operand, "+")),
      ),
  };
}

export const editors: Programs = {
  "vi vim vim.basic vim.tiny nvi elvis gvim mvim rvim view rview gview vimdiff gvimdiff ex evim": vim,
  "nvim neovide": neovim,
  "ed red": () => ({ takes: { "-p --prompt": "text" }, also: edDeeds }),
  "emacs emacs-nox emacs-gtk": emacs,
  emacsclient() {
    return {
      takes: {
        "-s --socket-name -f --server-file -F --frame-parameters -d --display": "text",
        "-a --alternate-editor": "program",
      },
      also: clientDeeds,
    };
  },
  "nano rnano pico": nano,
  "micro joe jed jmacs jstar mg ne tilde mcedit hx helix zile dte amp slap editor sensible-editor": terminal,
  kak() {
    return {
      takes: { "-s -c -C -ui": "text", "-i": "write" },
      danger: { "-e -E -p -f": danger("exec-option", "runs commands of the editor") },
      also: terminal().also ?? (() => []),
    };
  },
  "code code-insiders codium vscodium cursor windsurf": windowed,
  "subl sublime_text zed zeditor gedit kate kwrite mousepad xed pluma geany atom lapce gnome-text-editor": windowed,
  "idea webstorm pycharm goland clion rubymine phpstorm rider charm studio bbedit mate textmate": windowed,
  "notepad notepad++ meld kdiff3 opendiff p4merge kompare bcompare vimtutor": () => ({ operands: ["read"] }),
};
